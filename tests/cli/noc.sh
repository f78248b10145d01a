#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: yuan
# noc.sh BUILD_DIR: tandem noc prints one JSON object, the same for the same seed, draws its plot, and refuses what does not fit
# with the rule.
. tests/kit/shell.sh
set -o pipefail

"$tandem" noc --topology mesh --size 4x4 --rate 0.1:0.3:0.1 --cycles 2000 --json --plot "$work/mesh.svg" >"$work/mesh.json"
jq -e '.points | length == 3 and (.[0].offered == 0.1) and (.[2].latency > .[0].latency) and all(.accepted > 0)' "$work/mesh.json" >/dev/null ||
  fail "three loads are not three points: $(cat "$work/mesh.json")"
jq -e '.bound == 1 and .config.topology == "mesh" and .timing.cycles_per_second > 0 and .saturation > 0.28' "$work/mesh.json" >/dev/null ||
  fail "no bound, config or timing"
grep -q '<svg' "$work/mesh.svg" || fail "no plot"
"$tandem" noc --topology mesh --size 4x4 --rate 0.1:0.3:0.1 --cycles 2000 --json | jq -S 'del(.timing)' >"$work/again"
jq -S 'del(.timing)' "$work/mesh.json" | cmp - "$work/again" || fail "the same seed gives other figures"
"$tandem" noc --topology crossbar --rate 0.1 --cycles 1000 | grep -q 'bound 0.2857' || fail "28 to 8 has its bound in its outputs"

# engines: the same points, whoever computes the grants
for engine in c rtl lockstep; do
  "$tandem" noc --topology crossbar --allocator hg --packet 3 --rate 0.25 --cycles 1000 --engine "noc.alloc=$engine" --json |
    jq -S 'del(.timing)' >"$work/$engine"
  cmp "$work/c" "$work/$engine" || fail "engine $engine gives other points than c"
done

refused 'there are uniform, hot_spot' "$tandem" noc --traffic unifrom
refused 'a dateline\|the dateline' "$tandem" noc --topology ring --vcs 1
refused 'leaves channels that nobody may use' "$tandem" noc --topology crossbar --size 8x2 --vcs 4 --vc-alloc svca
refused 'no power of two' "$tandem" noc --size 6x6 --traffic bit_complement
refused 'COLUMNSxROWS' "$tandem" noc --size 8
refused 'at most 64' "$tandem" noc --topology crossbar --size 65x8
refused 'FROM:TO:STEP' "$tandem" noc --rate 0.1:x
refused 'is no block' "$tandem" noc --engine 'noc.*=rtl' --rate 0.1
refused 'one is noc.alloc' "$tandem" noc --topology crossbar --allocator pim --engine 'noc.r1.alloc=rtl' --rate 0.1
refused 'is not one of' "$tandem" noc --allocator best
run=(run vecadd:n=64 -c yuan28)
refused 'do not fill the rows' "$tandem" "${run[@]}" --set noc.topology=mesh --set noc.columns=7
refused 'names 8 nodes for dram.channels' "$tandem" "${run[@]}" --set noc.topology=mesh --set noc.columns=4 --set sm.count=12 --set dram.channels=4
refused 'before the dateline' "$tandem" "${run[@]}" --set noc.topology=ring
refused 'nobody may use the rest' "$tandem" "${run[@]}" --set noc.vc_alloc=svca --set noc.vcs=4 --set dram.channels=2
refused 'switches flits' "$tandem" "${run[@]}" --set noc.topology=mesh --set noc.switching=packet
refused 'set noc.switching = flit' "$tandem" "${run[@]}" --set noc.switching=packet --set noc.vcs=2
refused 'must fit at its destination' "$tandem" "${run[@]}" --set noc.buffer_flits=2
refused 'compare the row' "$tandem" "${run[@]}" --set noc.offer=all --set noc.allocator=rmhg
