#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: yuan
# noc.sh BUILD_DIR: tandem noc prints one JSON object, the same for the same seed, draws its plot, and refuses what does not fit
# with the rule.
set -euo pipefail
tandem=$(cd "$1" && pwd)/bin/tandem
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }

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

refused() { # refused WORDS ARGUMENTS...: exit code 2, and the sentence has the words
  local words=$1 code=0
  shift
  "$tandem" "$@" >"$work/out" 2>"$work/err" || code=$?
  [ "$code" = 2 ] || fail "tandem $*: exit code $code, wanted 2"
  grep -q -- "$words" "$work/err" || fail "tandem $*: \"$(cat "$work/err")\" does not say \"$words\""
}
refused 'there are uniform, hot_spot' noc --traffic unifrom
refused 'a dateline\|the dateline' noc --topology ring --vcs 1
refused 'leaves channels that nobody may use' noc --topology crossbar --size 8x2 --vcs 4 --vc-alloc svca
refused 'no power of two' noc --size 6x6 --traffic bit_complement
refused 'COLUMNSxROWS' noc --size 8
refused 'at most 64' noc --topology crossbar --size 65x8
refused 'FROM:TO:STEP' noc --rate 0.1:x
refused 'is no block' noc --engine 'noc.*=rtl' --rate 0.1
refused 'one is noc.alloc' noc --topology crossbar --allocator pim --engine 'noc.r1.alloc=rtl' --rate 0.1
refused 'is not one of' noc --allocator best
run=(run vecadd:n=64 -c yuan28)
refused 'do not fill the rows' "${run[@]}" --set noc.topology=mesh --set noc.columns=7
refused 'names 8 nodes for dram.channels' "${run[@]}" --set noc.topology=mesh --set noc.columns=4 --set sm.count=12 --set dram.channels=4
refused 'before the dateline' "${run[@]}" --set noc.topology=ring
refused 'nobody may use the rest' "${run[@]}" --set noc.vc_alloc=svca --set noc.vcs=4 --set dram.channels=2
refused 'switches flits' "${run[@]}" --set noc.topology=mesh --set noc.switching=packet
refused 'set noc.switching = flit' "${run[@]}" --set noc.switching=packet --set noc.vcs=2
refused 'must fit at its destination' "${run[@]}" --set noc.buffer_flits=2
refused 'compare the row' "${run[@]}" --set noc.offer=all --set noc.allocator=rmhg
