#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# verification.sh BUILD_DIR: the table of blocks has a row for each block, with the figures of configs/verification.json, and says which rows
# are of files that have changed since.
. tests/kit/shell.sh
page=$build/docs/reference/verification.md
[ -s "$page" ] || fail "no $page"
for block in $("$tandem" list blocks --json | jq -r '.[].name'); do
  grep -qE "^\| $block( \(stale\))? \|" "$page" || fail "$page has no row for $block"
done
killed=$(jq -r '.rr_arb.mutants | 100 * .lockstep / .others' configs/verification.json)
grep -E '^\| rr_arb' "$page" | grep -q "| $(printf '%.1f' "$killed") % |" || fail "the row of rr_arb lacks its $killed %"

# a changed file makes the rows of the blocks that are made of it stale, and no others; a corrupt file of figures is refused
mkdir -p "$work/tree"
cp -r configs csim rtl scripts testbench "$work/tree/"
tables() { (cd "$work/tree" && python3 scripts/gen/verification.py "$1"); }
tables stale >"$work/before"
echo "// changed" >>"$work/tree/rtl/prim/lfsr.v"
tables stale >"$work/after"
comm -13 <(sort "$work/before") <(sort "$work/after") | grep -qx lfsr || grep -qx lfsr "$work/before" || fail "a changed file is not noticed"
! comm -13 <(sort "$work/before") <(sort "$work/after") | grep -qx rr_arb || fail "rr_arb is stale, though lfsr is no part of it"
tables table | grep -q '^| lfsr (stale) |' || grep -qx lfsr "$work/before" || fail "the table does not say that lfsr is stale"
echo "{" >"$work/tree/configs/verification.json"
refused 'configs/verification.json: .*scripts/mutants/measure.py writes it again' tables table
refused "has no block 'nothing'" python3 scripts/mutants/measure.py nothing
