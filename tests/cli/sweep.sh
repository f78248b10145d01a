#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: foundation
# sweep.sh BUILD_DIR: a sweep is the runs that one would type: the same counters, each run once, kept over calls and kills; other
# runners get the same commands.
. tests/kit/shell.sh
sweep() { "$tandem" sweep "$@" --runs "$work/runs" --out "$work/out" || fail "tandem sweep $* fails"; }
typed() { # typed COUNTER ARGUMENT...: the counter of a run as one types it
  local counter=$1
  shift
  "$tandem" run "$@" --out "$work/typed" --json 2>/dev/null | jq -r ".statistics.$counter"
}

sweep saxpy:n=2048 -c small --system none,d2ma --set dram.queue=4,64 --counter core_cycles --counter sm.warp_instructions >"$work/table"
[ "$(wc -l <"$work/out/sweep.csv")" = 5 ] || fail_showing "$work/out/sweep.csv" "not four rows"
[ "$(head -1 "$work/out/sweep.csv")" = "workload,configuration,system,dram.queue,core_cycles,sm.warp_instructions" ] || fail_showing "$work/out/sweep.csv" "other columns"
tail -n +2 "$work/out/sweep.csv" | while IFS=, read -r workload configuration system queue cycles instructions; do
  proposal=()
  [ "$system" = none ] || proposal=(--system "$system")
  wanted=$(typed core_cycles "$workload" -c "$configuration" "${proposal[@]}" --set "dram.queue=$queue")
  [ "$cycles" = "$wanted" ] || fail "$workload $system dram.queue=$queue: $cycles cycles, typed $wanted"
  wanted=$(typed sm.warp_instructions "$workload" -c "$configuration" "${proposal[@]}" --set "dram.queue=$queue")
  [ "$instructions" = "$wanted" ] || fail "$workload $system dram.queue=$queue: $instructions instructions, typed $wanted"
done
[ -s "$work/out/sweep.svg" ] || fail "there is no plot"
sweep saxpy:n=2048 -c small --system none,d2ma --set dram.queue=4,64 --json | jq -e '.tables[0].rows | length == 4' >/dev/null || fail "not four rows of JSON"

# the database is the table, with numbers as numbers
[ "$(sqlite3 -header -csv "$work/out/sweep.sqlite" 'select * from sweep' | tr -d '\r')" = "$(cat "$work/out/sweep.csv")" ] || fail "the database is not the CSV"
wanted=$(awk -F, 'NR > 1 && $4 > 10 { n += $5 } END { print n }' "$work/out/sweep.csv")
[ "$(sqlite3 "$work/out/sweep.sqlite" 'select sum(core_cycles) from sweep where "dram.queue" > 10')" = "$wanted" ] || fail "numbers of the database do not add up"

# blocks: what one would type
sweep --block rr_arb,oldest_of --param N=3,8 --counter area_um2 --counter flip_flop_bits --seeds 3 >"$work/table"
tail -n +2 "$work/out/sweep.csv" | while IFS=, read -r block n area bits; do
  "$tandem" synth "$block" --param "N=$n" --seeds 3 --json >"$work/synth.json" || fail "tandem synth $block fails"
  jq -e --argjson area "$area" --argjson bits "$bits" '.[0] | (.area_um2.median - $area | fabs) < 1e-6 and .flip_flop_bits == $bits' "$work/synth.json" >/dev/null ||
    fail "$block N=$n: area $area, $bits bits, typed $(jq -c '.[0] | [.area_um2.median, .flip_flop_bits]' "$work/synth.json")"
done
[ "$(wc -l <"$work/out/sweep.csv")" = 5 ] && [ -s "$work/out/sweep.svg" ] || fail_showing "$work/out/sweep.csv" "not four syntheses and a plot"
sweep saxpy:n=2048 -c small --system none,d2ma --set dram.queue=4,64 --counter core_cycles --counter sm.warp_instructions >"$work/table"

# killed, and called again: what was finished is kept
rm -rf "$work/runs"
"$tandem" sweep saxpy:n=16384 -c small --set dram.queue=4,8,16,32,64 --jobs 1 --runs "$work/runs" --out "$work/out" >/dev/null 2>&1 &
job=$!
until [ "$(find "$work/runs" -name run.json 2>/dev/null | wc -l)" -ge 2 ]; do kill -0 $job || fail "it ended too early"; sleep 0.01; done
kill -KILL $job 2>/dev/null || true # on a fast host it may have ended
wait $job 2>/dev/null || true
# the oldest: with one job at a time it was whole before the next began
find "$work/runs" -name run.json -printf '%T@ %p %i\n' | sort -n | head -1 | cut -d' ' -f2- >"$work/kept"
sweep saxpy:n=16384 -c small --set dram.queue=4,8,16,32,64 >/dev/null
while read -r path inode; do [ "$(stat -c %i "$path")" = "$inode" ] || fail "$path was made again"; done <"$work/kept"

# a run dies with the sweep that has started it, and so does the run's program
processes() { grep -lsaF "$work/long" /proc/[0-9]*/cmdline || true; }
"$tandem" sweep saxpy:n=8388608 --set dram.queue=4,8 --jobs 1 --runs "$work/long" --out "$work/out" >/dev/null 2>&1 &
job=$!
until [ "$(processes | wc -l)" -ge 2 ]; do kill -0 $job || fail "it ended too early"; sleep 0.05; done
kill -KILL $job
wait $job 2>/dev/null || true
for _ in $(seq 60); do [ "$(processes)" ] || break; sleep 0.05; done
[ -z "$(processes)" ] || fail "a run survives the sweep that has started it"

# other runners: nothing runs by the emission itself; its commands make what the sweep then finds
for format in parallel slurm; do
  rm -rf "$work/runs"
  sweep saxpy:n=2048 -c small --set dram.queue=4,64 --emit $format >"$work/emitted"
  [ -z "$(find "$work/runs" -name run.json 2>/dev/null)" ] || fail "--emit $format runs something"
  if [ $format = parallel ]; then must sh "$work/emitted"
  else for task in 0 1; do must env SLURM_ARRAY_TASK_ID=$task bash "$work/emitted"; done; fi
  find "$work/runs" -name run.json -printf '%p %i\n' | sort >"$work/kept"
  [ "$(wc -l <"$work/kept")" = 2 ] || fail_showing "$work/emitted" "$format: not two runs"
  sweep saxpy:n=2048 -c small --set dram.queue=4,64 >/dev/null
  find "$work/runs" -name run.json -printf '%p %i\n' | sort | cmp - "$work/kept" || fail "$format: the sweep does not find its runs"
done
rm -rf "$work/runs"
sweep saxpy:n=2048 -c small --set dram.queue=4,64 --emit snakemake >"$work/emitted"
[ "$(grep -c '^rule run_' "$work/emitted")" = 2 ] || fail_showing "$work/emitted" "not two rules"

# an experiment emits its runs as a sweep does: here one that is the sweep's own file
rm -rf "$work/runs"
sweep saxpy:n=2048 -c small --set dram.queue=4,64 --emit parallel >"$work/emitted"
cp -r configs "$work/configs"
cp "$work/out/sweep.yaml" "$work/configs/experiments/"
experiment() { TANDEM_CONFIG_DIR=$work/configs "$tandem" experiment sweep --runs "$work/runs" --out "$work/experiment" "$@"; }
experiment --emit parallel | cmp - "$work/emitted" || fail "an experiment emits other runs than the sweep that it is"
[ ! -e "$work/experiment" ] && [ -z "$(find "$work/runs" -name run.json 2>/dev/null)" ] || fail "experiment --emit leaves or runs something"
must sh "$work/emitted"
find "$work/runs" -name run.json -printf '%p %i\n' | sort >"$work/kept"
must experiment --jobs 1
find "$work/runs" -name run.json -printf '%p %i\n' | sort | cmp - "$work/kept" || fail "the experiment does not find its runs"
refused "leave one of them out" experiment --emit slurm --json
refused "there is no such format" experiment --emit condor

bad() { refused "$1" "$tandem" sweep "${@:2}" --runs "$work/runs" --out "$work/out"; }
bad "write KEY=VALUE" saxpy --set dram.queue
bad "a value is missing" saxpy --set dram.queue=4,,8
bad "there is no workload 'saxpi'" saxpi
bad "there is no such format" saxpy --emit condor
bad "name a workload, or blocks" --set dram.queue=4
bad "of which block" saxpy --param N=3
bad "leave out workloads" saxpy --block rr_arb
bad "there is no such block" --block rr_arbs
bad "has no parameter 'M'" --block rr_arb --param M=3
bad "no figure \"area\"" --block rr_arb --counter area
bad "no number statistics.core_cycle" saxpy:n=512 -c small --counter core_cycle
bad 'nearest known key is "dram.queue"' saxpy:n=512 -c small --set dram.quue=4 # exit code 2, as of the run itself
echo "sweeps"
