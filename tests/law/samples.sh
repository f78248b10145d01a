#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# samples.sh BUILD_DIR: counters over time and histograms of latencies are the same without skipping, with two threads, and whatever
# computes the blocks; they change no statistic. The intervals of a launch add up to its counters, fine intervals to coarse ones, and the SMs
# to their sum. A histogram has as many values, and the sum, that the counters say.
. tests/kit/shell.sh
files="samples.csv samples.sm.csv histograms.csv"
agree() { # agree NAME OTHER WHAT...
  local file
  for file in $files; do cmp "$work/$1/$file" "$work/$2/$file" || fail "$file differs: ${*:3}"; done
  same "$1" "$2" "${*:3}"
}
# Two tables "launch begin end value..." from the text of samples.csv: of every coarse interval the sum of the fine ones in it.
coarse() { # coarse FINE COARSE: prints nothing if they agree
  awk -F, 'NR == FNR { if (FNR > 1) { n++; launch[n] = $1; begin[n] = $2; end[n] = $3; for (i = 4; i <= NF; i++) fine[n, i] = $i }; next }
    FNR == 1 { at = 1; next }
    { for (i = 4; i <= NF; i++) sum[i] = 0; first = begin[at]
      while (at <= n && launch[at] == $1 && end[at] <= $3) { last = end[at]; for (i = 4; i <= NF; i++) sum[i] += fine[at, i]; at++ }
      if (first != $2 || last != $3) print "line " FNR ": " first " to " last
      for (i = 4; i <= NF; i++) if (sum[i] != $i) print "line " FNR ", column " i ": " sum[i] " and not " $i }
    END { if (at != n + 1) print "intervals are left" }' "$1" "$2"
}
# One line for each launch, from begin to end, with the sums that run.json has.
launches() { # launches RUN
  head -1 "$work/$1/samples.csv"
  local columns
  columns=$(head -1 "$work/$1/samples.csv" | tr , '\n' | tail -n +4 | jq -R . | jq -sc .)
  jq -r --argjson columns "$columns" '.statistics.launches as $l | range($l | length) | . as $i | $l[$i] as $x |
    ([$i, "b", "e"] + [$columns[] | split(".") as $p | $x[$p[0]][$p[1]]]) | map(tostring) | join(",")' "$work/$1/run.json"
}
adds_up() { # adds_up RUN
  launches "$1" >"$work/launches"
  awk -F, -v OFS=, 'NR == FNR { if (FNR > 1) { if (!($1 in b)) b[$1] = $2; e[$1] = $3 }; next } FNR > 1 { $2 = b[$1]; $3 = e[$1] } { print }' \
    "$work/$1/samples.csv" "$work/launches" >"$work/whole"
  coarse "$work/$1/samples.csv" "$work/whole" >"$work/log"
  [ ! -s "$work/log" ] || fail_showing "$work/log" "$1: the intervals of a launch do not add up to its counters"
  # the SMs of an interval, summed, are the interval's sm.* columns
  awk -F, 'NR == FNR { if (FNR > 1) for (i = 5; i <= NF; i++) sum[$1, $2, i] += $i; n = NF; next }
    FNR > 1 { for (i = 5; i <= n; i++) if (sum[$1, $2, i] != $(i - 1)) { print "interval " $2 ", column " i; exit 1 } }' \
    "$work/$1/samples.sm.csv" "$work/$1/samples.csv" || fail "$1: the SMs do not add up"
}
counted() { # counted RUN LATENCY COUNT SUM: expressions over the statistics of the run
  local found wanted
  found=$(awk -F, -v name="$2" '$1 == name { n += $5; s += $6; if ($6 < $3 * $5 || $6 > $4 * $5) bad = 1 } END { print n + 0, s + 0, bad + 0 }' "$work/$1/histograms.csv")
  wanted=$(jq -r ".statistics | \"\($3) \($4) 0\"" "$work/$1/run.json")
  [ "$found" = "$wanted" ] || fail "$1: $2 has '$found' values, sum, bad buckets; the counters say '$wanted'"
}
check() { # check NAME ENGINE_PATTERN ARGUMENT...
  local name=$1 engine=$2
  shift 2
  simulate "$name" "$@" --sample 200 --histograms
  simulate plain "$@"
  same "$name" plain "$*: looking changes something"
  simulate other "$@" --sample 200 --histograms --no-skip --engine "$engine=lockstep"
  agree "$name" other "$* without skipping, in lockstep"
  simulate other "$@" --sample 200 --histograms --threads 2 --engine "$engine=rtl"
  agree "$name" other "$* with two threads, under rtl"
  adds_up "$name"
  simulate fine "$@" --sample 40
  coarse "$work/fine/samples.csv" "$work/$name/samples.csv" >"$work/log"
  [ ! -s "$work/log" ] || fail_showing "$work/log" "$*: intervals of 40 cycles do not add up to those of 200"
  counted "$name" reply .sm.replies .sm.reply_cycles
  counted "$name" noc_request .memory.noc_request_packets .memory.noc_request_cycles
  counted "$name" noc_reply .memory.noc_reply_packets .memory.noc_reply_cycles
  counted "$name" dram_read .memory.dram_reads_done .memory.dram_read_latency
  counted "$name" dram_write .memory.dram_writes_done .memory.dram_write_latency
  echo "$*: $(wc -l <"$work/$name/samples.csv") lines, $(($(wc -l <"$work/$name/histograms.csv") - 1)) buckets"
}
check d2ma 'sm*.d2ma.*' saxpy:n=8192 --system d2ma
check small 'sm*.d2ma.*' sgemv:m=480 -c small --system d2ma
check steps 'l2.*.amu' jacobi2d:rows=32,columns=64,steps=4,tile=16 -c xmem --system xmem
check yuan '*' vecadd:n=8192 -c yuan32 --set noc.allocator=hmhg --set dram.scheduler=bfifo
check elastic '*' transpose:rows=64,columns=64 -c elastic16 --set sm.count=4 --system elastic

# the checks can fail
sed '5s/,1\([0-9]*\),/,2\1,/' "$work/small/samples.csv" >"$work/wrong"
planted "$work/small/samples.csv" "$work/wrong" "a digit"
[ -n "$(coarse "$work/wrong" "$work/small/samples.csv")" ] || fail "a wrong value in an interval is not noticed"
refused "outside 1..4294967295" "$tandem" run saxpy:n=64 --sample 0 --out "$work/x"
ends_with 2 env TANDEM_SAMPLE=10 TANDEM_OUT= LD_LIBRARY_PATH=$build/lib/tandem "$build/lib/tandem/workloads/saxpy" n=64
grep -q 'samples need an output folder' "$work/stderr" || fail_showing "$work/stderr" "no sentence without a folder"
