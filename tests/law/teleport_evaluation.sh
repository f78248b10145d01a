#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: teleport
# label: nightly
# teleport_evaluation.sh BUILD_DIR: the quick form of TELEPORT's evaluation, from no kept run on, writes the same tables, plots and verdicts to the
# byte whether the C models, the RTL or both compute TELEPORT's blocks.
. tests/kit/shell.sh
evaluate() { must "$tandem" experiment teleport --quick --runs "$work/runs" --out "$work/$1"; } # evaluate FOLDER

"$tandem" experiment teleport --quick --runs "$work/runs" --emit parallel >"$work/commands" || fail "the experiment names no runs"
grep -e '--system teleport' "$work/commands" >"$work/with" || fail "no run has TELEPORT"
evaluate c
for engine in rtl lockstep; do
  # these runs again, by the other engine, in the place of those that are kept
  sed "s/ --out / --engine '*teleport.*=$engine'&/" "$work/with" >"$work/again"
  grep -o "[^/']*' >" "$work/again" | sed "s/' >//" | while read -r run; do rm -r "$work/runs/$run"; done
  must sh -e "$work/again"
  computed=$(jq -r '.engines[].engine' "$work"/runs/*/run.json | sort | uniq -c | tr -s ' \n' ' ')
  [[ $computed =~ ^\ [0-9]+\ $engine\ $ ]] || fail "blocks were computed by:$computed"
  evaluate $engine
  diff -r "$work/c" "$work/$engine" >"$work/log" || fail_showing "$work/log" "the evaluation is another under $engine"
done
# the comparison can fail: one run with a smaller buffer
head -1 "$work/with" | sed "s/ --out / --set teleport.ways=4&/" >"$work/again"
rm -r "$work/runs/$(grep -o "[^/']*' >" "$work/again" | sed "s/' >//")"
must sh -e "$work/again"
evaluate other
! diff -r "$work/c" "$work/other" >"$work/log" || fail "a run with another buffer changes nothing"
echo "$(wc -l <"$work/with") of $(wc -l <"$work/commands") runs with TELEPORT:$computed instances; the same evaluation under c, rtl and lockstep"
