#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# accuracy.sh BUILD_DIR: docs/accuracy.md says of each GPU what the microbenchmarks measure on it, as far as seconds suffice, and its
# errors are those of the figures beside them.
. tests/kit/shell.sh
. tests/micro/accuracy.sh
page=docs/accuracy.md
build_microbenchmarks
{ measured gtx480 quick; measured gt200 sm; measured h100 sm; } >"$work/measured"
for gpu in gt200 gtx480 h100; do
  n=$(rows $page | grep "^$gpu " | cut -d '|' -f 1 | grep -cxFf - <(cut -d '|' -f 1 "$work/measured")) || true
  [ "$n" -ge 12 ] || fail_showing "$work/measured" "only $n rows of $gpu in $page were measured"
done
[ -z "$(stale $page "$work/measured")" ] || fail "$page is stale:
$(stale $page "$work/measured")"
[ -z "$(miscalculated $page)" ] || fail "$page:
$(miscalculated $page)"

# A wrong figure and a wrong error are found.
sed '/^## `gtx480`/,/^## `h100`/s/^\(| fma.f32 latency | [0-9.]* | \)[0-9.]*/\18.5/' $page >"$work/wrong.md"
planted $page "$work/wrong.md" "a wrong figure"
[ "$(stale "$work/wrong.md" "$work/measured")" = "gtx480 fma.f32 latency: the page says 8.5, measured 9.0" ] || fail "a wrong figure is not found"
miscalculated "$work/wrong.md" | grep -q '^gtx480 fma.f32 latency: the error is -6 %' || fail "a wrong error is not found"
refused '^usage: ' env LD_LIBRARY_PATH="$build/lib/tandem" "$work/microbenchmarks" slow
echo "$(rows $page | wc -l) rows, $(wc -l <"$work/measured") figures measured"
