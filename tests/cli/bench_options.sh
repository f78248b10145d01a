#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# bench_options.sh BUILD_DIR: a table beside an earlier one; a program under a stand-in for GPGPU-Sim and here. Figures are checked
# against the counts that the stand-in prints, times only for being there: they are the host's.
. tests/kit/shell.sh
. tests/kit/kernels.sh
. tests/kit/gpgpusim_stand_in.sh

# ---- --compare ----
must "$tandem" bench --block lfsr --json
cp "$work/log" "$work/before.json"
jq '.calibration_ns *= 2 | .figures[].normalised |= (if . then . * 3 else . end)' "$work/before.json" >"$work/slower.json"
must "$tandem" bench --block lfsr --compare "$work/slower.json"
awk '/figures \(ns/ { on = 1 } on && /active, c / { if ($NF > 0.9 || $NF < 0.03) exit 1; found = 1 } END { exit !found }' "$work/log" ||
  fail_showing "$work/log" "a third of the time before is not shown"
echo '{"schema": "run/1"}' >"$work/other.json"
refused_with 2 other.json bench/2 'tandem bench --json' -- "$tandem" bench --block lfsr --compare "$work/other.json"
echo '{' >"$work/torn.json"
refused_with 2 torn.json line -- "$tandem" bench --block lfsr --compare "$work/torn.json"
refused_with 2 missing.json -- "$tandem" bench --block lfsr --compare "$work/missing.json"

# ---- --gpgpusim ----
cd "$work"
stand_in
refused_with 2 'gpgpusim.config' 'copy' -- "$tandem" bench --gpgpusim sim -- ./program "it's" 'two words'
: >gpgpusim.config
mkdir empty
refused_with 2 'which program' -- "$tandem" bench --gpgpusim sim
refused_with 2 'libcudart.so' 'build GPGPU-Sim' -- "$tandem" bench --gpgpusim empty --rounds 1 -- ./program
must "$tandem" bench --gpgpusim sim --rounds 2 --json -- ./program "it's" 'two words'
jq -e '.gpgpusim == (.gpgpusim | .thread_instructions = 640 | .core_cycles = 4711) and .tandem.thread_instructions == 448 and
  .tandem.core_cycles > 0 and .ratio_of_rates > 0 and .times_as_fast > 0 and .rounds == 2' log >/dev/null ||
  fail_showing log "not the counts of the two sides"
jq -e '(.tandem.million_per_second / .gpgpusim.million_per_second / .ratio_of_rates - 1 | fabs) < 0.7' log >/dev/null ||
  fail_showing log "the ratio is not that of the rates"
must "$tandem" bench --gpgpusim sim --rounds 1 -- ./program "it's" 'two words'
grep -q 'times as fast' log || fail_showing log "no ratio"
ends_with 1 "$tandem" bench --gpgpusim sim --rounds 1 -- ./program
grep -q 'other arguments' stderr || fail_showing stderr "what the program said is not shown"
sed -i 's/gpu_tot_sim_insn/other/g' stand_in.c
gcc -w -shared -fPIC -Wl,-soname,libcuda.so.1 -o sim/lib/release/libcudart.so stand_in.c
ends_with 1 "$tandem" bench --gpgpusim sim --rounds 1 -- ./program "it's" 'two words'
grep -q 'cudart shared' stderr || fail_showing stderr "no sentence about a program that GPGPU-Sim did not run"
