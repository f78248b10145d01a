#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# experiment.sh BUILD_DIR NAME: the quick form of an experiment runs, every table has its rows and every plot a picture.
# Verdicts are computed, not typed: a number that is reproduced is not reproduced at three times or a third of it (a bound, not at
# both a million times and a millionth), and with the proposal switched off no effect is left.
. tests/kit/shell.sh
name=$2
experiment() { # experiment FOLDER OPTION...
  local out=$work/$1
  shift
  "$tandem" experiment "$name" --quick --runs "$build/experiment-runs" --out "$out" "$@" >"$work/stdout" || fail "tandem experiment $name --quick $* fails"
}
# reproduced FOLDER FORM: reproduced rows whose published number is a number, or a bound
reproduced() { jq -r --arg form "$2" '.claims.claims[]? | select(.verdict == "reproduced" and (if .published | test("^[<>]") then "bound" else "number" end) == $form) | .id' "$work/$1/experiment.json" | sort; }

experiment base
cat "$work/stdout"
jq -e '.tables | length > 0 and all(.rows | length > 0)' "$work/base/experiment.json" >/dev/null || fail "a table has no rows"
for table in $(jq -r '.tables[].id' "$work/base/experiment.json"); do
  grep -A40 "id: $table\$" "configs/experiments/$name.yaml" | awk '/^  - id: /{n++} n == 2 {exit} /plot:/{found = 1; exit} END {exit !found}' || continue
  [ -s "$work/base/$table.svg" ] || fail "$table has no picture"
done
grep -q '^claims:' "configs/experiments/$name.yaml" || exit 0
[ "$(jq '.claims.claims | length' "$work/base/experiment.json")" -gt 0 ] || fail "no published number is measured"
for x in 3 0.3333333333; do
  experiment $x --scale $x
  kept=$(comm -12 <(reproduced base number) <(reproduced $x number))
  [ -z "$kept" ] || fail "reproduced at $x times the published number as well: $kept"
done
for x in 1e6 1e-6; do experiment $x --scale $x; done
kept=$(comm -12 <(reproduced 1e6 bound) <(reproduced 1e-6 bound))
[ -z "$kept" ] || fail "bounds that hold at a million times and at a millionth: $kept"
grep -q '^off:' "configs/experiments/$name.yaml" || exit 0
experiment off --off
# rows whose figure stays as it is have no run of the proposal in them; a bound that the value of no effect meets claims none
kept=$(jq -r --slurpfile base "$work/base/experiment.json" '
  def claims_none: .neutral as $n | .published as $p | ($p | gsub("[<>= ]"; "") | try tonumber catch null) as $b |
    if $b == null then false elif $p | startswith(">=") then $n >= $b elif $p | startswith("<=") then $n <= $b
    elif $p | startswith(">") then $n > $b elif $p | startswith("<") then $n < $b else false end;
  ($base[0].claims.claims | map({(.id): .ours}) | add) as $on | .claims.claims[] |
  select(.neutral != null and (claims_none | not) and .ours != $on[.id] and (.verdict == "reproduced" or .verdict == "direction only")) | .id' "$work/off/experiment.json")
[ -z "$kept" ] || fail "with the proposal off there is still an effect: $kept"
echo "$name: tables, pictures, verdicts that move"
