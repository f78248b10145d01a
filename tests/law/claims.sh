#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: area
# claims.sh BUILD_DIR: every claims file that the project ships is measured from the quick forms of its experiments and from
# netlists, each claim has a verdict that changes with the published number, and what it stands on are the certificates of this
# build's gate (B.cosim, B.prove). Rows of power are left out here: compiling the netlists takes minutes from an empty cache
# (claims_power.sh, nightly).
. tests/kit/shell.sh
export TANDEM_CONFIG_DIR=$work/configs
cp -r configs "$work/configs"
for file in configs/claims/*.yaml; do
  sed 's/ power=[^ ]*$//' "$file" | awk 'BEGIN { RS = ""; ORS = "\n\n" } !/measure:[^\n]*[.]power[.]/' >"$work/$file"
done
for file in "$work"/configs/claims/*.yaml; do
  system=$(basename "$file" .yaml)
  "$tandem" claims "$system" --seeds 2 --quick --runs "$build/experiment-runs" --html "$work/$system.html" >"$work/table" || fail "claims $system fails"
  cat "$work/table"
  claims=$("$tandem" claims "$system" --seeds 2 --quick --runs "$build/experiment-runs" --json | jq '.[0].claims | length')
  verdicts=$(grep -cE ' (reproduced|direction only|not reproduced|cannot hold|stale) +[a-z]' "$work/table")
  [ "$claims" -gt 0 ] && [ "$claims" = "$verdicts" ] || fail "$file: $claims claims, $verdicts verdicts"
  # no number of the file's stands by itself: three times or a third of it is not reproduced
  for x in 3 0.3333333333; do
    "$tandem" claims "$system" --seeds 2 --quick --runs "$build/experiment-runs" --scale $x >"$work/scaled"
    awk 'NR == FNR { if (/  reproduced  /) was[$1] = 1; next } /  reproduced  / && $1 in was { print $1; bad = 1 } END { exit bad }' \
      "$work/table" "$work/scaled" || fail "$system: reproduced at $x times the published number as well"
  done
  [ "$(grep -c 'class="v v[0-4]">[a-z ]*</span></td></tr>' "$work/$system.html")" = "$claims" ] || fail "the page lacks a claim"
done
"$tandem" claims --seeds 2 --quick --runs "$build/experiment-runs" | grep -q '^d2ma ' || fail "the list of systems lacks d2ma"
