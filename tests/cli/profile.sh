#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# profile.sh BUILD_DIR: a profile learned from a recording has the recording's rates and values, and the check that takes it has them,
# too; the coverage-guided check reaches more than the block's own stimulus, with the same phases for the same seed.
. tests/kit/shell.sh
cd "$work"
column() { awk -F, -v name="$1" '/^#/ { next } !at { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { if ($at != "") v = $at; print v }' "$2"; }
rises() { awk '{ zeros += !last; n += !last && $1; last = $1 } END { printf "%.3f", n / zeros }'; }

must "$tandem" check rr_arb --cycles 200 --no-reset --seed 3 --record recorded.csv
must "$tandem" profile rr_arb recorded.csv --out learned.yaml
near() { awk -v a="$1" -v b="$2" -v most="$3" 'BEGIN { exit !(b > a - most && b < a + most) }'; }
learned=$(sed -n 's/.*accept: {rises: \([0-9.]*\),.*/\1/p' learned.yaml)
near "$learned" "$(column accept recorded.csv | rises)" 0.001 || fail_showing learned.yaml "accept rises $(column accept recorded.csv | rises) when recorded"
common=$(column req recorded.csv | uniq | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 ": " $1 }')
grep -q "req: .*values: {.*\b$common\b" learned.yaml || fail_showing learned.yaml "the most frequent request is not $common"
must "$tandem" check rr_arb --cycles 20000 --no-reset --profile learned.yaml --record played.csv
near "$learned" "$(column accept played.csv | rises)" 0.02 || fail "accept rises $(column accept played.csv | rises) instead of $learned"

# from the folder of a run: the flight recorder
must "$tandem" run transpose -c elastic16 --set sm.pipeline=elastic --system elastic --engine sm0.elastic.mask=lockstep --out gpu
must "$tandem" profile mem_warp_mask gpu --out gpu.yaml
grep -q 'name: "sm0.elastic.mask, piece 1 of 8"' gpu.yaml || fail_showing gpu.yaml "no phase of the run's instance"
param=$(sed -n 's/^params: {\(.*\)}/\1/p' gpu.yaml | tr -d ' ' | sed 's/:/=/g; s/,/ --param /g')
must "$tandem" check mem_warp_mask --param $param --cycles 5000 --profile gpu.yaml

# guided: repeatable, better, and what it kept can be run again
guided() { "$tandem" check teleport_ctrl --cycles 40000 --guided --seed "$1" --out "$2" >"$2.log" 2>&1 || fail_showing "$2.log" "--guided fails"; }
points() { jq '[.blocks.teleport_ctrl.points[] | select(.hits > 0)] | length' "$1/coverage.json"; }
guided 5 one
guided 5 two
guided 6 other
cmp one/profile.yaml two/profile.yaml || fail "the same seed keeps other phases"
! cmp -s one/profile.yaml other/profile.yaml || fail "another seed keeps the same phases"
must "$tandem" check teleport_ctrl --cycles 40000 --coverage --seed 5 --out plain
[ "$(points one)" -gt "$(points plain)" ] || fail "guided: $(points one) points, unguided: $(points plain)"
must "$tandem" check teleport_ctrl --cycles 40000 --coverage --profile one/profile.yaml --out again
[ "$(points again)" -gt "$(points plain)" ] || fail "again: $(points again) points, unguided: $(points plain)"
echo "points: own stimulus $(points plain), guided $(points one), its phases again $(points again)"

wrong() { # wrong EDIT PATTERN: the profile with this edit is refused
  sed "$1" learned.yaml >wrong.yaml
  planted learned.yaml wrong.yaml "$1"
  refused "$2" "$tandem" check rr_arb --cycles 10 --profile wrong.yaml
}
wrong 's/^block: rr_arb/block: lfsr/' 'wrong.yaml:[0-9]*: a profile of lfsr, not of rr_arb'
wrong 's/accept: {/acept: {/' "has no input 'acept'"
wrong 's/rises: 0/rises: 3/' "rises: '3.* is no chance from 0 to 1"
wrong 's/values: {/values: {0xfffff: 3, /' "'0xfffff' is no value of req, which has 8 bits"
wrong 's/cycles: 4096/cycles: 0/' "cycles: '0' is no whole number"
wrong 's/req: {change: [0-9.]*, /req: {rises: 1, falls: 1, /' 'req: write {rises:, falls:}'
wrong 's/^phases:/fases:/' "fases"
refused 'there is no such file' "$tandem" profile rr_arb nothing
refused 'no recording of lfsr was found' "$tandem" profile lfsr recorded.csv
refused 'leave out all, --sweep' "$tandem" check rr_arb --guided --sweep
