#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: elastic
# elastic_engines.sh BUILD_DIR: on the whole GPU of the elastic pipeline the statistics are the same to the byte whoever
# computes the blocks, with and without skipping, in one host thread and in two; the pipelines differ from each other,
# and tandem stalls shows the classes of a barrel.
set -eu
build=$1
tandem=$build/bin/tandem
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "elastic_engines: $*"; exit 1; }

# statistics NAME ARGUMENT...: the statistics of a run, or its text
statistics() {
  local name=$1
  shift
  "$tandem" run transpose:rows=64,columns=64 -c elastic16 --set sm.count=4 "$@" --out "$work/$name" >"$work/$name.log" 2>&1 ||
    { cat "$work/$name.log"; fail "tandem run $*"; }
  sed -n '/^  "statistics"/,/^  }/p' "$work/$name/run.json" >"$work/$name.statistics"
  [ -s "$work/$name.statistics" ] || fail "no statistics"
}

while read -r name arguments; do
  # shellcheck disable=SC2086
  {
    statistics "$name" $arguments
    statistics rtl $arguments --engine '*=rtl' --threads 2
    statistics lockstep $arguments --engine '*=lockstep'
    statistics noskip $arguments --no-skip
  }
  for other in rtl lockstep noskip; do
    cmp "$work/$name.statistics" "$work/$other.statistics" || fail "$name: statistics differ under $other"
  done
done <<'RUNS'
unified --set sm.pipeline=unified
split --set sm.pipeline=split
elastic --set sm.pipeline=elastic
aware --set sm.pipeline=elastic --system elastic
violate --set sm.pipeline=elastic --system elastic --set elastic.violate=1
RUNS
for pair in "unified split" "split elastic" "elastic aware" "aware violate"; do
  # shellcheck disable=SC2086
  set -- $pair
  ! cmp -s "$work/$1.statistics" "$work/$2.statistics" || fail "$1 and $2 take the same cycles"
done

# every cycle of an SM is an issue or one cause of a stall
"$tandem" stalls "$work/aware" --json >"$work/stalls.json"
grep -q '"masked": [1-9]' "$work/stalls.json" || fail "tandem stalls shows no masked cycle"
"$tandem" stalls "$work/aware" | grep -q 'bank conflict' || fail "tandem stalls names no bank conflict"
echo "five pipelines, four ways each: the same bytes"
