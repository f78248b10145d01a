#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: cuda
# correlate.sh BUILD_DIR: kernels.csv holds the counters of run.json under Nsight Compute's names; tandem correlate computes errors and
# correlation as by hand, from both forms that ncu prints; a file that cannot be read is refused with its line.
. tests/kit/shell.sh
PATH=$build/bin:$PATH
cd "$work"
value() { # value NAME LAUNCH METRIC
  awk -F'","' -v id="\"$2" -v metric="$3" '$1 == id && $13 == metric { sub(/"$/, "", $15); print $15 }' "$work/$1/kernels.csv"
}
is() { # is WHAT VALUE WANTED: equal to four digits behind the point
  awk -v a="$2" -v b="$3" 'BEGIN { exit !(a != "" && b != "" && (a - b) ^ 2 < 1e-8) }' || fail "$1: $2 instead of $3"
}

# a run of three kernels: the counters of run.json, by hand
simulate graph bfs:nodes=300 -c small --kernels
n=$(jq '.statistics.launches | length' graph/run.json)
[ "$n" -ge 3 ] || fail "only $n launches"
for ((i = 0; i < n; i++)); do
  launch() { jq ".statistics.launches[$i]$1" graph/run.json; }
  sms=$(jq '.config.parameters."sm.count"' graph/run.json) khz=$(jq '.config.parameters."clock.core_khz"' graph/run.json)
  burst=$(jq '.config.parameters."dram.burst_bytes"' graph/run.json)
  is cycles "$(value graph $i sm__cycles_elapsed.avg)" "$(launch .core_cycles)"
  is time "$(value graph $i gpu__time_duration.sum)" "$(awk "BEGIN { printf \"%.6f\", $(launch .core_cycles) * 1e6 / $khz }")"
  is active "$(value graph $i sm__cycles_active.avg)" "$(awk "BEGIN { printf \"%.6f\", $(launch .sm.cycles) / $sms }")"
  is instructions "$(value graph $i smsp__inst_executed.sum)" "$(launch .sm.warp_instructions)"
  is bytes "$(value graph $i dram__bytes_read.sum)" "$(($(launch .memory.dram_reads) * burst))"
  is hits "$(value graph $i lts__t_sector_hit_rate.pct)" \
    "$(awk -v h="$(launch .memory.l2_hits)" -v m="$(launch .memory.l2_misses)" 'BEGIN { printf "%.6f", h + m ? 100 * h / (h + m) : 0 }')"
done
grep -q '^ *dram__bytes_read.sum  *byte ' graph.log || fail_showing graph.log "the table of the run lacks a metric"
[ "$(grep -c ', launches: ' graph.log)" = "$(jq -r '.statistics.launches[] | "\(.kernel) \(.grid) \(.block)"' graph/run.json | sort -u | wc -l)" ] ||
  fail_showing graph.log "the table has not each kernel once"
tandem list metrics --json | jq -r '.[].name' >names
sed -n 's/^"0",.*profiler metrics","\([^"]*\)".*/\1/p' graph/kernels.csv >printed
cmp names printed || fail "kernels.csv does not hold each metric of tandem list metrics"
simulate plain saxpy:n=64 -c small --out plain
[ ! -e plain/kernels.csv ] || fail "kernels.csv without --kernels"

# three launches of two kernels: errors +10 %, -10 %, +50 %; by hand 23.333 % and 0.99627
columns='"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"'
row() { printf '"%s","7","a.out","%s","%s","1","7","(64, 1, 1)","(%s, 1, 1)","0","8.0","S","%s","%s","%s"\n' "$@"; } # ID HOST KERNEL GRID METRIC UNIT VALUE
{
  echo "$columns"
  row 0 tandem a 4 sm__cycles_elapsed.avg cycle 110
  row 0 tandem a 4 dram__bytes_read.sum byte 2816
  row 1 tandem b 4 sm__cycles_elapsed.avg cycle 300
  row 2 tandem a 4 sm__cycles_elapsed.avg cycle 90
  row 3 tandem c 4 sm__cycles_elapsed.avg cycle 1
} >ours.csv
{
  echo "the program prints \"this\""
  echo '==PROF== Connected to process 7 (a.out)'
  echo "$columns"
  row 0 gpu 'void n::a<int, (bool)1>(int *, float)' 4 sm__cycles_elapsed.avg cycle 100
  row 0 gpu 'void n::a<int, (bool)1>(int *, float)' 4 dram__bytes_read.sum Kbyte 2.816
  row 0 gpu 'void n::a<int, (bool)1>(int *, float)' 4 lts__unknown.sum furlong x
  row 1 gpu 'void n::a<int, (bool)1>(int *, float)' 8 sm__cycles_elapsed.avg cycle 100
  row 2 gpu 'b(int)' 4 sm__cycles_elapsed.avg cycle 200
  row 2 gpu 'b(int)' 4 gpu__time_duration.sum usecond n/a
  row 3 gpu '_ZN1n3fooIfEEvPT_' 4 sm__cycles_elapsed.avg cycle '1,000'
  echo '==PROF== Disconnected from process 7'
} >theirs.csv
must tandem correlate ours.csv theirs.csv --plot plot.svg
grep -q '3 launches in both, 1 in ours only, 1 in theirs only; 1 with another grid' log || fail_showing log "not what both files have"
if grep -q 'no silicon' log; then fail_showing log "silicon is not seen"; fi
grep -q '^sm__cycles_elapsed.avg .* 3 .* +16.7 %  *23.3 %  *0.9963$' log || fail_showing log "other figures of the metric"
grep -q '^dram__bytes_read.sum .* 1 .* +0.0 %  *0.0 %  *-$' log || fail_showing log "Kbyte is not 1000 bytes"
grep -q '^a  .* 2 .* +0.0 %  *10.0 %  *-$' log && grep -q '^b  .* 1 .* +50.0 %  *50.0 %  *-$' log || fail_showing log "other errors of the kernels"
grep -q '<svg' plot.svg && grep -q 'mean absolute error 23.3 %' plot.svg || fail "no picture"
tandem correlate ours.csv theirs.csv --json >long.json
jq -e '(.metrics[0].absolute_error - 0.7 / 3 | fabs) < 1e-9 and (.metrics[0].correlation - 0.99627 | fabs) < 1e-5 and .silicon' long.json >/dev/null || fail_showing long.json "other figures in JSON"

# the same launches as ncu --page raw prints them
{
  echo '"ID","Process ID","Host Name","Kernel Name","Block Size","Grid Size","dram__bytes_read.sum","sm__cycles_elapsed.avg"'
  echo '"","","","","block","","Kbyte","cycle"'
  echo '"0","7","gpu","a","(64, 1, 1)","(4, 1, 1)","2.816","100"'
  echo '"1","7","gpu","a","(64, 1, 1)","(8, 1, 1)","","100"'
  echo '"2","7","gpu","b","(64, 1, 1)","(4, 1, 1)","","200"'
  echo '"3","7","gpu","foo","(64, 1, 1)","(4, 1, 1)","","1,000"'
} >wide.csv
tandem correlate ours.csv wide.csv --json >wide.json
cmp <(jq 'del(.theirs)' long.json) <(jq 'del(.theirs)' wide.json) || fail "the wide form gives other figures"
must tandem correlate graph/kernels.csv graph/kernels.csv
grep -q '^no silicon' log || fail "a comparison without silicon does not say so"
grep -q '^sm__cycles_elapsed.avg .* +0.0 %  *0.0 %  *1.0000$' log || fail_showing log "a run differs from itself"

# what cannot be read
refused '"ID"' tandem correlate ours.csv graph/statistics.csv
refused 'cannot read' tandem correlate ours.csv none.csv
refused 'no such metric; tandem list metrics' tandem correlate ours.csv theirs.csv --metric sm__cycles
refused 'no launch has it in both' tandem correlate ours.csv theirs.csv --metric dram__bytes_write.sum
refused 'compare runs of the same program' tandem correlate ours.csv graph/kernels.csv
refused 'svg or .png' tandem correlate ours.csv theirs.csv --plot plot.pdf
sed '5s/"Kbyte"/"Kfoot"/' theirs.csv >wrong.csv
refused 'wrong.csv:5: "Kfoot" is no unit of dram__bytes_read.sum' tandem correlate ours.csv wrong.csv
sed 's/1,000/1.000.000/' theirs.csv >wrong.csv
refused 'wrong.csv:10: "1.000.000" is no number' tandem correlate ours.csv wrong.csv
sed '3s/"Metric Value"/"Value"/' theirs.csv >wrong.csv
refused 'wrong.csv:3: no columns' tandem correlate ours.csv wrong.csv
sed '7s/"100"$/"100/' theirs.csv >wrong.csv
refused 'wrong.csv:7: the line ends inside a cell' tandem correlate ours.csv wrong.csv
refused 'the metrics of kernels need an output folder' env TANDEM_KERNELS=1 TANDEM_OUT= LD_LIBRARY_PATH="$build/lib/tandem" "$build/lib/tandem/workloads/saxpy" n=64
echo "$n launches, both forms of ncu"
