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

# lines and toggles: the resets and the changes of inputs that the stimulus has, counted from its CSV
"$tandem" check rr_arb --cycles 20000 --seed 7 --rtl-coverage --coverage --record stimulus.csv --out rtl >rtl.log 2>&1 ||
  fail_showing rtl.log "--rtl-coverage fails"
counted() { jq ".rtl[\"rtl/prim/rr_arb.v\"].$1" rtl/coverage.json; }
column() { awk -F, -v name="$1" '/^#/ { next } !at { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { if ($at != "") v = $at; print v }' stimulus.csv; }
changes() { awk -v last="$1" '{ n += $1 != last; last = $1 } END { print n + 0 }'; }
resets=$(column rst_n | grep -c '^0')
[ "$(counted 'points["58:5 if"].hits')" = $((resets + 1)) ] || fail "$(counted 'points["58:5 if"].hits') resets instead of $((resets + 1))" # one edge comes first; that of the last cycle does not come
[ "$(counted 'points["58:6 else"].hits')" = $((19999 - resets)) ] || fail "other clock edges than the cycles without reset"
[ "$(counted 'toggles["23 accept_i"][0]')" = "$(column accept | changes 0)" ] || fail "other changes of accept"
[ "$(counted 'toggles["25 busy_o"][0]')" = 0 ] || fail "busy of rr_arb changes"

# what runs, replays and checks reach adds up; the sum is the same in every form
"$tandem" replay stimulus.csv --coverage --rtl-coverage --out replayed >log 2>&1 || fail_showing log "replay --coverage fails"
same='.blocks[].points | map_values(.hits)'
[ "$(jq "$same" rtl/coverage.json)" = "$(jq "$same" replayed/coverage.json)" ] || fail "the replay reaches other points than the check"
"$tandem" run transpose -c elastic16 --set sm.pipeline=elastic --system elastic --engine sm0.elastic.mask=rtl --rtl-coverage --out gpu >log 2>&1 ||
  fail_showing log "run --rtl-coverage fails"
jq -e '.rtl["rtl/elastic/mem_warp_mask.v"].points | map(.hits) | add > 0' gpu/coverage.json >log || fail "the run reaches nothing"
"$tandem" coverage rtl gpu replayed --out sum --lcov sum.info --annotate source >table || fail "the sum fails"
[ "$(jq '.rtl["rtl/prim/rr_arb.v"].points["58:6 else"].hits' sum/coverage.json)" = $((39998 - 2 * resets)) ] || fail "the sum is none"
grep -q '^SF:rtl/elastic/mem_warp_mask.v' sum.info || fail "no lcov record of mem_warp_mask.v"
sed -n '/^SF:rtl.prim.rr_arb.v/,/^end/p' sum.info | grep -q "^DA:59,$((39998 - 2 * resets))\$" || fail "another hit count in lcov"
grep -q "^ *$((39998 - 2 * resets))     else ptr_q <= ptr_d;" source/rr_arb.v || fail "another hit count in the annotated source"
cmp <(cut -c14- source/rr_arb.v | grep -v '^// ') rtl.v 2>/dev/null || diff <(cut -c14- source/rr_arb.v | grep -v '^// .* never changes') "$root/rtl/prim/rr_arb.v" >log ||
  fail_showing log "the annotated source is not the source"

refused 'leave one of them out' "$tandem" run transpose -c elastic16 --rtl-coverage --wave --out w
refused 'leave --cycle out' "$tandem" replay stimulus.csv --coverage --cycle 3
refused 'there is no such file' "$tandem" coverage nothing
echo '{"schema": "coverage/1", "blocks": {"x": {}}}' >bad.json
refused "the block 'x' has no cycles" "$tandem" coverage bad.json
for rtl in '[1]' '{"rtl/prim/rr_arb.v": 7}' '{"rtl/prim/rr_arb.v": {"points": {"58:5 if": 7}, "toggles": {}}}' \
  '{"rtl/prim/rr_arb.v": {"points": {}, "toggles": {"25 busy_o": ["a"]}}}'; do
  echo '{"schema": "coverage/1", "blocks": {}, "rtl": '"$rtl"'}' >bad.json
  refused "bad.json: .*rtl.*; write the file again" "$tandem" coverage bad.json --lcov x.info
done
echo '{"blocks": ' >bad.json
refused 'bad.json:2: ' "$tandem" coverage bad.json
jq 'del(.rtl)' rtl/coverage.json >points.json
refused 'none of the files has lines and toggles' "$tandem" coverage points.json --lcov x.info
[ ! -e x.info ] || fail "a refused command left its file"
