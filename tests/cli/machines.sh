#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# machines.sh BUILD_DIR: tandem list machines says peaks that follow from each machine's parameters, and a user's own file
# that begins with `base:` runs.
. tests/kit/shell.sh
"$tandem" list machines >"$work/all"
names=$(grep -o '^[a-z0-9_]*' "$work/all" | grep .)
files=(configs/gpu/*.yaml)
[ "$(echo "$names" | wc -l)" = "${#files[@]}" ] || fail "not every file is listed"
for name in $names; do
  "$tandem" list machines "$name" >"$work/one"
  value() { awk -v key="$1" '$1 == key { print $2 }' "$work/one"; }
  rate=$(awk "BEGIN { printf \"%.4g\", $(value sm.count) * $(value sm.schedulers) * $(value sm.simd_width) / 32 * $(value clock.core_khz) / 1e6 }")
  bytes=$(awk "BEGIN { printf \"%.4g\", $(value dram.channels) * $(value dram.bytes_per_clock) * $(value clock.dram_khz) / 1e6 }")
  grep -A3 "^$name " "$work/all" >"$work/row"
  grep -qF " $(value sm.count) SMs" "$work/row" || fail "$name: no number of SMs"
  grep -qF "at most $rate G warp instructions/s" "$work/row" || fail "$name: not $rate G warp instructions/s"
  grep -qF "at most $bytes GB/s" "$work/row" || fail "$name: not $bytes GB/s"
  grep -qF "source of every parameter: " "$work/row" || fail "$name: no source"
  echo "$name: $rate G warp instructions/s, $bytes GB/s"
  "$tandem" run vecadd:n=5000 -c "$name" --out "$work/run" >/dev/null || fail "$name: vecadd fails"
done
grep -q 'at most 179.2 GB/s' "$work/all" || fail "no machine has the 179.2 GB/s of Jamshidi 2014"
# Zorua's GPUs differ in an SM's resources alone
values() { "$tandem" list machines "$1" | awk '{ print $1, $2 }'; }
others() { diff <(values zorua_fermi) <(values "$1") | awk '/^>/ { print $2, $3 }' | xargs; }
[ "$(others zorua_kepler)" = "sm.threads 2048 sm.warps 64 sm.ctas 16 sm.registers 65536" ] || fail "zorua_kepler: $(others zorua_kepler)"
[ "$(others zorua_maxwell)" = "sm.threads 2048 sm.warps 64 sm.ctas 32 sm.registers 65536 sm.shared_bytes 65536" ] || fail "zorua_maxwell: $(others zorua_maxwell)"
printf 'base: gtx480\nsm: {count: 3}\n' >"$work/mine.yaml"
"$tandem" list machines "$work/mine.yaml" | grep -q '^sm.count  *3 ' || fail "a file of the user's own is not listed"
"$tandem" run vecadd:n=5000 -c "$work/mine.yaml" --out "$work/run" >/dev/null || fail "a file of the user's own does not run"
if "$tandem" list machines no_such_machine 2>"$work/err"; then fail "an unknown machine is listed"; fi
grep -q no_such_machine "$work/err" || fail "the unknown machine is not named"
