#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: yuan
# dram.sh BUILD_DIR: tandem dram and tandem dram-model answer with one JSON object, refuse bad traces with the line and bad timings
# with the rule, and read what a run recorded.
. tests/kit/shell.sh

value() { # value FILE KEY: of a JSON object, at the top
  jq -e ".$2" "$1"
}
near() { # near FILE KEY VALUE: to five digits
  awk -v a="$(value "$1" "$2")" -v b="$3" 'BEGIN { exit !(a - b < 1e-5 && b - a < 1e-5) }' || fail "$2 is $(value "$1" "$2"), not $3"
}

# --- the model: figure 3.2 and its end by hand (36/112, 36/71, 36/78) ---
printf 'bank,row\n0,1\n0,2\n0,1\n1,25\n1,25\n0,1\n1,24\n1,25\n1,25\n' >"$work/t.csv"
"$tandem" dram-model "$work/t.csv" --queue 4 --open 0:1,1:24 --json >"$work/m.json"
near "$work/m.json" no_activate_overlap 0.32143
near "$work/m.json" full_activate_overlap 0.50704
near "$work/m.json" averaged 0.41424
near "$work/m.json" most_pending 0.39148
[ "$(value "$work/m.json" periods)" = 3 ] || fail "not 3 periods"
"$tandem" dram-model "$work/t.csv" --queue 4 --open 0:1,1:24 --policy most_pending --json >"$work/m.json"
near "$work/m.json" full_activate_overlap 0.46154
# one bank, a row each: 4 of 34 cycles; four chips halve the service; a longer row cycle
awk 'BEGIN { print "bank,row"; for (i = 0; i < 500; i++) print "2," i }' >"$work/one.csv"
"$tandem" dram-model "$work/one.csv" --json >"$work/m.json"; near "$work/m.json" averaged 0.11765
"$tandem" dram-model "$work/one.csv" --chips 4 --json >"$work/m.json"; near "$work/m.json" averaged 0.05882
"$tandem" dram-model "$work/one.csv" --timing tRC=40 --json >"$work/m.json"; near "$work/m.json" averaged 0.1
"$tandem" dram-model "$work/one.csv" "$work/one.csv" --json >"$work/m.json"
[ "$(value "$work/m.json" requests)" = 1000 ] || fail "two controllers are not both counted"
printf 'bank,row\n' >"$work/empty.csv"
"$tandem" dram-model "$work/empty.csv" --json >"$work/m.json"
[ "$(value "$work/m.json" periods)" = 0 ] || fail "an empty trace has periods"

bad() { # bad PATTERN TEXT
  printf "$2" >"$work/bad.csv"
  refused_with 2 "bad.csv:$1" -- "$tandem" dram-model "$work/bad.csv" --json
}
bad '3: row "x"' 'bank,row\n0,1\n0,x\n'
bad '3: row "1.5"' 'bank,row\n0,1\n0,1.5\n'
bad '2: bank "01"' 'bank,row\n01,1\n'
bad '3: bank 4 is outside' 'bank,row\n0,1\n4,2\n'
bad '4: 1 field' 'bank,row\n0,1\n0,2\n1'
bad '2: more fields' 'bank,row\n0,1,2\n'
bad '2: bank ""' 'bank,row\n\n0,1\n'
bad '1: the file is empty' ''
bad '1: "" is no column' '\n'
bad '1: there is no column row' 'bank\n1\n'
bad '1: "lane" is no column' 'bank,lane\n1,1\n'
bad '1: column bank appears twice' 'bank,bank\n1,1\n'
bad '2: row 4294967296' 'bank,row\n0,4294967296\n'
refused_with 2 "cannot read" -- "$tandem" dram-model "$work/nothing.csv"
refused_with 2 "dram.tRAS + dram.tRP = 34" -- "$tandem" dram-model "$work/t.csv" --timing tRC=33
refused_with 2 "dram.tRC = 34" -- "$tandem" dram-model "$work/t.csv" --timing tRRD=40
refused_with 2 "unknown key" -- "$tandem" dram-model "$work/t.csv" --timing tXYZ=3
refused_with 2 "outside 1..200" -- "$tandem" dram-model "$work/t.csv" --timing tRC=0
refused_with 2 "fr_fcfs and most_pending" -- "$tandem" dram-model "$work/t.csv" --policy fifo
refused_with 2 "BANK:ROW" -- "$tandem" dram-model "$work/t.csv" --open 9:1
refused_with 2 "power of two" -- "$tandem" dram-model "$work/t.csv" --chips 3
sed 's/^  tRC: .*/  tRC: 20/' configs/gpu/gt200.yaml >"$work/machine.yaml"
refused_with 2 "dram.tRC = 20" -- "$tandem" dram-model "$work/t.csv" -c "$work/machine.yaml"
refused_with 2 "dram.tRC = 20" -- "$tandem" run vecadd:n=256 -c "$work/machine.yaml" --out "$work/no"

# --- DRAM alone ---
"$tandem" dram --generate bank2 --requests 8000 --json --plot "$work/p.svg" >"$work/d.json"
[ "$(value "$work/d.json" requests)" = 8000 ] || fail "not every request is served"
awk -v e="$(value "$work/d.json" efficiency)" 'BEGIN { exit !(e > 0.206 && e < 0.266) }' || fail "bank2: $(value "$work/d.json" efficiency)"
grep -q '<svg' "$work/p.svg" || fail "no picture"
printf 'address,kind\n0x0,R\n64,W\n0x3ffffff0,R\n' >"$work/a.csv"
"$tandem" dram "$work/a.csv" --json >"$work/d.json"
[ "$(value "$work/d.json" requests)" = 3 ] || fail "not every request of the trace is served"
printf 'address,kind\n0x0,R\n0x40000000,R\n' >"$work/a.csv"
refused_with 2 "a.csv:3: address 0x40000000 is outside the address map" -- "$tandem" dram "$work/a.csv"
printf 'address,kind\n0x0,Q\n' >"$work/a.csv"
refused_with 2 "a.csv:2: kind must be R or W" -- "$tandem" dram "$work/a.csv"
refused_with 2 "no column address" -- "$tandem" dram "$work/t.csv"
refused_with 2 "either a trace or a generator" -- "$tandem" dram
refused_with 2 "rand1..rand3" -- "$tandem" dram --generate rand4
refused_with 2 "not one of fifo" -- "$tandem" dram --generate rand1 --policy lifo
refused_with 2 "shares it equally" -- "$tandem" dram --generate rand1 --policy bfifo --queue 30

# --- the requests of a run ---
"$tandem" run vecadd:n=8192 -c yuan32 --trace-dram --out "$work/run" >/dev/null 2>&1 || fail "the run fails"
requests=$(sed -n 's/^total,0,"",dram_requests,.*,\([0-9]*\)$/\1/p' "$work/run/statistics.csv")
[ "$requests" -gt 1000 ] || fail "no requests"
[ "$(($(wc -l <"$work/run/requests.csv") - 1))" = "$requests" ] || fail "requests.csv has not $requests requests"
[ "$(cat "$work/run"/requests.mc?.csv | grep -c '^[0-9]')" = "$requests" ] || fail "requests.mcN.csv have not $requests requests"
head -1 "$work/run/requests.csv" | grep -qx cycle,channel,bank,row,core,cta,address,kind || fail "another header"
"$tandem" dram-model "$work/run/requests.csv" --json >"$work/m.json"
"$tandem" dram-model "$work/run"/requests.mc?.csv --json >"$work/n.json"
cmp -s "$work/m.json" "$work/n.json" || fail "both forms do not say the same"
"$tandem" dram-model "$work/run" --json >"$work/n.json"
cmp -s "$work/m.json" "$work/n.json" || fail "the folder says something else"
refused_with 2 "requests.mc0.csv" -- "$tandem" dram-model "$work"
"$tandem" dram "$work/run/requests.csv" -c yuan32 --json >"$work/d.json"
[ "$(value "$work/d.json" requests)" = "$requests" ] || fail "the trace of a run is not served"
"$tandem" run vecadd:n=8192 -c yuan32 --trace-dram --no-skip --threads 2 --out "$work/again" >/dev/null 2>&1 || fail "the run fails"
cmp "$work/run/requests.csv" "$work/again/requests.csv" || fail "the trace depends on skipping or threads"
status=0
"$tandem" run vecadd:n=8192 -c yuan32 --trace-dram --set launch.limit=100 --out "$work/run" >/dev/null 2>&1 || status=$?
[ $status != 0 ] && ! ls "$work/run"/requests* >/dev/null 2>&1 || fail "a run that ended early leaves its requests"
refused_with 2 "full, short or all" -- "$tandem" run vecadd:n=256 --trace-dram=most --out "$work/no"

# counters of the study: contiguous accesses of a warp go to one bank; an SM's own finish time is no later than the end
count() { sed -n "s/^$1,\"\",$2,.*,\([0-9]*\)$/\1/p" "$work/again/statistics.csv"; }
[ "$(count total,0 memory_ops)" -gt 0 ] && [ "$(count total,0 memory_ops)" = "$(count total,0 memory_op_banks)" ] || fail "an access has more than a bank"
end=$(count total,0 core_cycles) last=0
for sm in $(seq 0 31); do
  finish=$(count "sm,$sm" finish_cycles)
  [ "$finish" -le "$end" ] && [ "$finish" -ge "$(count "sm,$sm" cycles)" ] || fail "SM $sm finishes in $finish of $end cycles"
  [ "$finish" -le "$last" ] || last=$finish
done
[ "$last" -gt "$((end / 2))" ] || fail "no SM works until the end"
[ "$(count total,0 dram_rows_1)" -gt 0 ] && [ "$(count total,0 noc_core_rows)" -gt 0 ] || fail "no rows are counted"

# every share of an SM's resources runs (25 to 200 % of table 5.1)
for share in "256 8 2 4096 4096" "2048 64 16 32768 32768"; do
  set -- $share
  "$tandem" run vecadd:n=4096 -c yuan32 --set sm.threads="$1" --set sm.warps="$2" --set sm.ctas="$3" --set sm.registers="$4" \
    --set sm.shared_bytes="$5" --out "$work/share" >/dev/null || fail "resources $share do not run"
done
