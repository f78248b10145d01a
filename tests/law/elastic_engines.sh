#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: elastic
# elastic_engines.sh BUILD_DIR: on the whole GPU of the elastic pipeline the statistics are the same to the byte whoever
# computes the blocks, with and without skipping, in one host thread and in two. The pipelines differ from each other,
# and tandem stalls shows the classes of a barrel pipeline.
. tests/kit/shell.sh
transpose() { # transpose NAME ARGUMENT...
  simulate "$1" transpose:rows=64,columns=64 -c elastic16 --set sm.count=4 "${@:2}"
}
while read -r name arguments; do
  # shellcheck disable=SC2086
  four_ways transpose "$name" '*' $arguments
done <<'RUNS'
unified --set sm.pipeline=unified
split --set sm.pipeline=split
elastic --set sm.pipeline=elastic
aware --set sm.pipeline=elastic --system elastic
violate --set sm.pipeline=elastic --system elastic --set elastic.violate=1
RUNS
for pair in "unified split" "split elastic" "elastic aware" "aware violate"; do
  # shellcheck disable=SC2086
  differ $pair "$pair"
done

# every cycle of an SM is an issue or one cause of a stall
"$tandem" stalls "$work/aware" --json >"$work/stalls.json"
grep -q '"masked": [1-9]' "$work/stalls.json" || fail "tandem stalls shows no masked cycle"
"$tandem" stalls "$work/aware" | grep -q 'bank conflict' || fail "tandem stalls names no bank conflict"
echo "five pipelines, four ways each: the same bytes"
