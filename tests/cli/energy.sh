#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# energy.sh BUILD_DIR: tandem energy: each entry of configs/energy.yaml names numbers that runs have, under every proposal that it names; the
# parts add up; another coefficient gives another figure, in proportion; bad tables and folders are refused.
. tests/kit/shell.sh

simulate none vecadd:n=16384
simulate caba bfs:nodes=600 -c caba --set sm.count=2 --set memory.mib=64 --set caba.design=caba_bdi --system caba
simulate zorua phases:pattern=5,n=1024,threads=1024,rounds=1 --set sm.count=1 --set ptx.registers=allocated --set zorua.mechanism=zorua --system zorua
for run in none caba zorua; do
  must "$tandem" energy "$work/$run"
  grep -qE '^[0-9.]+ W in [0-9.]+ us$' "$work/log" || fail_showing "$work/log" "$run: no power"
  "$tandem" energy "$work/$run" --json >"$work/$run.json"
  jq -e '([.entries[].nj] | add) as $sum | .nj > 0.999999 * $sum and .nj < 1.000001 * $sum and .low < .nj and .nj < .high' "$work/$run.json" >/dev/null ||
    fail_showing "$work/$run.json" "$run: the entries do not add up"
done
# a proposal's own events cost something under it, and nothing elsewhere
for part in caba zorua; do
  jq -e --arg p $part '[.entries[] | select(.part == $p) | .nj] | add > 0' "$work/$part.json" >/dev/null || fail "$part: nothing of its own"
  jq -e --arg p $part '[.entries[] | select(.part == $p) | .nj] | add == 0' "$work/none.json" >/dev/null || fail "$part costs something without it"
done

# twice the coefficient, twice the energy
table=$root/configs/energy.yaml
sed 's/\(instruction: {events: sm.warp_instructions, pJ: \)70, low: 35/\1140, low: 35/' "$table" >"$work/twice.yaml"
cmp -s "$table" "$work/twice.yaml" && fail "the table was not changed"
"$tandem" energy "$work/none" --table "$work/twice.yaml" --json >"$work/twice.json"
of() { jq '.entries[] | select(.part == "core" and .of == "instruction") | .nj' "$work/$1.json"; }
[ "$(jq -n "$(of none) * 2 == $(of twice)")" = true ] || fail "$(of twice) is not twice $(of none)"
warps=$(jq .statistics.sm.warp_instructions "$work/none/run.json")
[ "$(jq -n "$(of none) > 0.0699999 * $warps and $(of none) < 0.0700001 * $warps")" = true ] || fail "$(of none) nJ are not $warps times 70 pJ"

sed 's/sm.warp_instructions/sm.warp_instrutions/' "$table" >"$work/misspelt.yaml"
refused 'misspelt.yaml:[0-9]*: core.instruction: the run has no number sm.warp_instrutions' "$tandem" energy "$work/none" --table "$work/misspelt.yaml"
refused 'run.json' "$tandem" energy "$work/nowhere"
sed '/leakage/s/, source.*}/}/' "$table" >"$work/bare.yaml"
refused 'source' "$tandem" energy "$work/none" --table "$work/bare.yaml"
echo "energy by events"
