#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# coverage.sh BUILD_DIR: tandem check --coverage prints which points of a block were reached, and writes coverage.json; what it prints
# is what the file says.
. tests/kit/shell.sh
cd "$work"
check() { "$tandem" check "$@" --coverage --out "$work/out"; }

# every point of these blocks is reached, at the default parameters or over all sets
for block in rr_arb pipe_buffer bfifo_sched; do
  check $block --sweep --cycles 100000 >"$work/log" || fail_showing "$work/log" "failed: $block"
  ! grep -q '^never hit' "$work/log" || fail_showing "$work/log" "$block: points are not reached"
  points=$(jq ".blocks.$block.points | length" out/coverage.json)
  [ "$points" -ge 20 ] || fail "$block has $points points only"
done

# few cycles reach few points, and the report names those that the file lacks
check rr_arb --cycles 3 >few
jq -r '.blocks.rr_arb.points | to_entries[] | select(.value.hits == 0 and (.value.never | not)) | "  " + .key' out/coverage.json >missed
[ "$(wc -l <missed)" -ge 5 ] || fail_showing few "three cycles reach nearly everything"
sed -n '/^never hit/,/^no run/p' few | grep '^  ' | cmp - missed || fail "the report and the file differ"
hit=$(jq '[.blocks.rr_arb.points[] | select(.hits > 0)] | length' out/coverage.json)
all=$(jq '[.blocks.rr_arb.points[] | select(.never | not)] | length' out/coverage.json)
grep -q "^coverage of rr_arb: $hit of $all points in 3 cycles of 1 stimulus" few || fail_showing few "not $hit of $all"

# coverage changes nothing of the check: with a planted bug the same divergence, and what was reached before it
"$tandem" check rr_arb --bug wraps_early --out plain >plain.log && fail "the bug is not found"
check rr_arb --bug wraps_early >covered.log && fail "the bug is not found with --coverage"
diff <(grep -E '^(DIVERGENCE|  port)' covered.log) <(grep -E '^(DIVERGENCE|  port)' plain.log) || fail "another divergence"

# a block of the user's own has the points that follow from its manifest
"$tandem" check token_bucket --manifest "$root/tests/examples/plain/blocks.yaml" --cycles 20000 --coverage --out own >own.log
grep -q '^coverage of token_bucket: ' own.log || fail_showing own.log "no coverage of the user's block"

refused 'leave out --idle and --wave' "$tandem" check rr_arb --coverage --idle
refused 'cannot make the folder /dev/null/no' "$tandem" check rr_arb --cycles 10 --coverage --out /dev/null/no
