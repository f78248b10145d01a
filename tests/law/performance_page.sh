#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: foundation
# performance_page.sh BUILD_DIR: scripts/performance makes of a table of tandem bench the rows of docs/performance.md: every run and every
# block, a bound that is missed beside its figure; what is no such table is refused.
. tests/kit/shell.sh
spread() { echo "{\"median\": $1, \"low\": $2, \"high\": $3}"; }
cat >"$work/bench.json" <<E2
{"runs": [
  {"name": "SAXPY, c", "wall_s": $(spread 0.5 0.4 0.6), "processor_s": $(spread 2 1 3)},
  {"name": "  rtl", "wall_s": $(spread 1 1 1), "processor_s": $(spread 12.345 1 20), "base": "SAXPY, c", "wanted_wall_ratio": 1.5,
   "wall_ratio": $(spread 1.666 1.5 2), "processor_ratio": $(spread 1.2 1 1.4)}],
 "figures": [
  {"name": "rr_arb active, c", "value": 9, "normalised": 4.04, "unit": "ns", "wanted": ""},
  {"name": "rr_arb active, rtl", "value": 9, "normalised": 61, "unit": "ns", "wanted": "<= 60"},
  {"name": "rr_arb active, lockstep", "value": 9, "normalised": 59.96, "unit": "ns", "wanted": "<= 60"},
  {"name": "rr_arb active, its checker", "value": 9, "normalised": 8.25, "unit": "ns", "wanted": ""},
  {"name": "rr_arb idle, lockstep", "value": 9, "normalised": 1.2, "unit": "ns", "wanted": "<= 1"},
  {"name": "rr_arb alone under check", "value": 4.9, "unit": "Mcycles/s", "wanted": ">= 5"}]}
E2
cat >"$work/wanted" <<'E2'
| SAXPY, c | 0.50 | 2.00 |  |  |
| … rtl | 1.00 | 12.35 | 1.67 (1.50 to 2.00); 1.5 missed | 1.20 (1.00 to 1.40) |
| `rr_arb` | 4.0 | 61.0 *(60)* | 60.0 | 8.3 | 1.2 *(1)* | 4.9 *(5)* |
E2
must scripts/performance "$work/bench.json" --print
diff "$work/wanted" "$work/log" || fail "other rows"

# the page has a row for each, and no other line of it changes
cp docs/performance.md "$work/page.md"
must scripts/performance "$work/bench.json" --page "$work/page.md"
[ "$(grep -c '^|' "$work/page.md")" = 7 ] || fail_showing "$work/page.md" "other rows on the page"
diff <(grep -v '^|' docs/performance.md) <(grep -v '^|' "$work/page.md") >"$work/log" || fail_showing "$work/log" "sentences have changed"

# a table that the page ends with is written, too
sed '/^## Studies/,$d' docs/performance.md | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' >"$work/short.md"
must scripts/performance "$work/bench.json" --page "$work/short.md"
tail -n 1 "$work/short.md" | grep -q '^| `rr_arb` ' || fail_showing "$work/short.md" "the last table has no row"

refused 'cannot read' scripts/performance "$work/none.json"
echo '{"runs": [], "figures": []}' >"$work/empty.json"
refused 'no whole runs' scripts/performance "$work/empty.json"
jq 'del(.figures)' "$work/bench.json" >"$work/blockless.json"
refused 'no blocks' scripts/performance "$work/blockless.json"
echo "tables of runs and blocks"
