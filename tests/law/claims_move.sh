#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: area
# claims_move.sh BUILD_DIR: verdicts are computed. Measured figures that are written down as the published ones are reproduced,
# three times or a third of either are not; with the proposal off, or with baseline and proposal exchanged, the verdict of a
# speed-up changes; hardware that differs from what passed lockstep, proof and proof of equality is stale, and the command that the reason names
# mends it; the same call gives the same bytes.
. tests/kit/shell.sh
# a cache of its own, without certificates; the Verilated libraries of the build are the same in any
mkdir "$work/cache"
for library in "${TANDEM_CACHE:-$build}"/rtl/*/rr_arb-*.so; do
  mkdir -p "$work/cache/rtl/$(basename "$(dirname "$library")")"
  cp "$library" "$work/cache/rtl/$(basename "$(dirname "$library")")"
done
export TANDEM_CONFIG_DIR=$work/configs TANDEM_CACHE=$work/cache
cp -r configs "$work/configs"
rm "$work"/configs/claims/*

file() { # file SPEEDUP CYCLES AREA [OPTIONS OF THE SECOND RUN]
  cat >"$work/configs/claims/try.yaml" <<END
system: try
source: made up here
runs:
  base: saxpy:n=8192,version=baseline -c small
  fast: saxpy:n=8192${4-,version=d2ma -c small --system d2ma}
designs:
  arb: rr_arb
numbers:
  parts: 12
claims:
  - {id: speedup, text: a ratio of two runs, place: here, unit: ratio, published: $1, neutral: 1, measure: base.core_cycles / fast.core_cycles}
  - {id: cycles, text: one counter, place: here, unit: cycles, published: $2, neutral: none, tolerance: 0, tolerance_why: a count, measure: base.sm.cycles}
  - {id: area, text: a synthesised block, place: here, unit: um2, published: $3, neutral: none, tolerance: 0.03, tolerance_why: two netlists, measure: arb.area_um2}
  - {id: holds, text: follows, place: here, unit: mm, published: 36.0, arithmetic: 3 * printed.parts}
  - {id: fails, text: does not follow, place: here, unit: mm, published: 99, arithmetic: 3 * printed.parts}
END
}
claims() { "$tandem" claims try --seeds 2 --runs "$work/out" "$@" || fail "tandem claims try $* fails"; }
verdict() { awk -v id="$1" '$1 == id { line = $0 } END { sub(/^.*(cycles|ratio|um2|mm) +/, "", line); sub(/ +here$/, "", line); print line }' "$work/table"; }
expect() { # expect ID VERDICT
  [ "$(verdict "$1")" = "$2" ] || fail_showing "$work/table" "$1 is '$(verdict "$1")', wanted '$2'"
}
value() { awk -v id="$1" '$1 == id { print $3 }' "$work/table"; }

# nothing has passed lockstep or proof in this cache
file 1 1 1
claims >"$work/table"
expect area stale
claims --why | grep -q 'tandem check rr_arb --sweep makes it again' || fail "the reason does not name the command"
must "$tandem" check rr_arb --sweep --cycles 1000000
claims >"$work/table"
expect area stale
claims --why | grep -q 'tandem prove rr_arb makes it again' || fail "the reason does not name the proof"
must "$tandem" prove rr_arb
claims >"$work/table"
expect area stale
claims --why | grep -q 'this RTL of rr_arb has passed no proof of equality with the model; tandem prove rr_arb --equal makes it again' ||
  fail "the reason does not name the proof of equality"
must "$tandem" prove rr_arb --equal

# our own figures
claims >"$work/table"
file "$(value speedup)" "$(value cycles)" "$(value area)"
claims >"$work/table"
for id in speedup cycles area holds; do expect $id reproduced; done
expect fails "cannot hold"
claims --json >"$work/1.json"
claims --json >"$work/2.json"
cmp "$work/1.json" "$work/2.json" || fail "the same call gives other bytes"
for x in 3 0.3333333333; do
  claims --scale $x >"$work/table"
  for id in speedup cycles area holds; do [ "$(verdict $id)" != reproduced ] || fail "$id is reproduced at $x times the published number"; done
  claims --scale-measured $x >"$work/table"
  for id in speedup cycles area; do [ "$(verdict $id)" != reproduced ] || fail "$id is reproduced at $x times the measured figure"; done
done
claims --swap base:fast >"$work/table"
expect speedup "not reproduced"
[ "$(value cycles)" != "$(claims | awk '$1 == "cycles" { print $3 }')" ] || fail "--swap leaves a counter where it was"
claims --scale 3 >"$work/table"
expect speedup "direction only"

# the system off: no speed-up
file "$(sed -n 's/.*speedup, .*published: \([0-9.]*\),.*/\1/p' "$work/configs/claims/try.yaml")" 1 1 ",version=baseline -c small"
claims >"$work/table"
expect speedup "not reproduced"

# RTL that is not what was checked
echo >>"$TANDEM_CACHE/certificates/rr_arb/lockstep/rr_arb.v"
claims >"$work/table"
expect area stale
claims --why | grep -q 'rr_arb.v is not what passed the last lockstep' || fail "the reason does not name the file"

# one page, nothing outside of it
claims --html "$work/page.html" >/dev/null
grep -q '<svg' "$work/page.html" && grep -q 'cannot hold' "$work/page.html" && grep -q 'base.core_cycles / fast.core_cycles' "$work/page.html" ||
  fail "the page lacks a picture, a verdict or an expression"
! grep -qE '(src|href)="?http|@import|url\(' "$work/page.html" || fail "the page refers to something else"

bad() { refused "$1" "$tandem" claims "${@:2}" --seeds 2 --runs "$work/out"; } # bad PATTERN ARGUMENT...
bad "there are no claims of .nothing.; there are those of try" nothing
bad "above 0" try --scale -1
bad "--scale-measured 0: not a number above 0" try --scale-measured 0
bad "write A:B" try --swap base
bad "ends in .md" try --page "$work/page.txt"
bad "name one proposal" all --page "$work/page.md"
bad "cannot" try --html "$work/nothing/page.html"
sed -i 's/base.core_cycles/base.core_cycle/' "$work/configs/claims/try.yaml"
bad "no number statistics.core_cycle" try
sed -i 's/base.core_cycle /best.core_cycles /' "$work/configs/claims/try.yaml"
bad "begins with no run" try
sed -i 's/best.core_cycles/base.core_cycles/; s/arb: rr_arb/arb: rr_orb/' "$work/configs/claims/try.yaml"
bad "no such block" try
echo "verdicts move"
