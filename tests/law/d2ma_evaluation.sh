#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: d2ma
# label: nightly
# d2ma_evaluation.sh BUILD_DIR: the full form of D2MA's evaluation. Every number of the paper's section 5 has a verdict; a
# number that is reproduced is not reproduced at three times or a third of it (a bound, not at both), and with D2MA switched off
# no speed-up, no saving and no effect is left. Results are right, and statistics the same, under the three engines.
. tests/kit/shell.sh
"$tandem" experiment d2ma --runs "$work/runs" --out "$work/base" >"$work/stdout" || fail_showing "$work/stdout" "the experiment fails"
cat "$work/stdout"
for x in 3 0.3333333333 off; do
  if [ $x = off ]; then options=--off; else options="--scale $x"; fi
  "$tandem" experiment d2ma --runs "$work/runs" --out "$work/$x" $options >"$work/stdout" || fail_showing "$work/stdout" "$x fails"
done
# reproduced FOLDER FORM: reproduced rows whose published number is a number, or a bound
reproduced() { jq -r --arg form "$2" '.claims.claims[] | select(.verdict == "reproduced" and (if .published | test("^[<>]") then "bound" else "number" end) == $form) | .id' "$work/$1/experiment.json" | sort; }
[ "$(jq '.claims.claims | length' "$work/base/experiment.json")" -ge 41 ] || fail "rows are missing"
for x in 3 0.3333333333; do
  kept=$(comm -12 <(reproduced base number) <(reproduced $x number))
  [ -z "$kept" ] || fail "reproduced at $x times the published number as well: $kept"
done
kept=$(comm -12 <(reproduced 3 bound) <(reproduced 0.3333333333 bound))
[ -z "$kept" ] || fail "bounds that hold at three times and at a third: $kept"
kept=$(jq -r '.claims.claims[] | select(.neutral != null and (.verdict == "reproduced" or .verdict == "direction only")) | .id' "$work/off/experiment.json")
[ -z "$kept" ] || fail "with D2MA off there is still an effect: $kept"
jq -e '.claims.claims | map(select(.id | test("speedup$"))) | all(.neutral == 1)' "$work/base/experiment.json" >/dev/null || fail "a speed-up without a neutral value"

# engines: kernels of the full form, as the experiment runs them
for kernel in dct8x8:gap=1 haar transpose:diagonal=1,gap=1 gauss_filter sobel sgemv lu:part=1; do
  for engine in c rtl lockstep; do
    simulate "$engine" $kernel -c gtx480 --system d2ma --engine "*=$engine"
    same c "$engine" "$kernel under $engine"
  done
done
echo "the full evaluation: verdicts move, engines agree"
