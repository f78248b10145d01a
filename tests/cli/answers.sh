#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: foundation
# answers.sh BUILD_DIR: a question that is nearly right gets an answer with which the next one is right.
. tests/kit/shell.sh
ask() { refused_with 2 "$1" -- "$tandem" "${@:2}"; } # ask WORDS ARGUMENT...

for command in run replay list; do
  "$tandem" help $command >"$work/help"
  "$tandem" $command --help | cmp - "$work/help" || fail "tandem help $command is not tandem $command --help"
done
"$tandem" help | cmp - <("$tandem" --help) || fail "tandem help is not tandem --help"
ask "name a proposal, or all: d2ma, elastic" claims
ask "there are those of d2ma, elastic" claims nothing
ask "leave --sweep or --param out" check rr_arb --sweep --param N=3
ask "name the wave's folder with --out" replay stimulus.csv --cycle 3
ask "did you mean --html?" claims --htm
ask 'nearest known key is "clock.core_khz"' run saxpy --set clock.core=3
ask "did you mean gtx480?" run saxpy -c gtx48
ask "its versions are baseline, d2ma" run saxpy:version=nothing
ask "nothing follows the colon; write saxpy" run saxpy:
# no suggestion is better than one that is nothing like the question
ends_with 2 "$tandem" claims --foo
! grep -q "did you mean" "$work/stderr" || fail_showing "$work/stderr" "--foo has a suggestion"
"$tandem" list blocks rr_arb >"$work/block"
for words in "files: rtl/prim/rr_arb.v" "parameters: N=8" "at most one grant" "planted bugs:"; do
  grep -q "$words" "$work/block" || fail_showing "$work/block" "tandem list blocks rr_arb lacks '$words'"
done
echo "answers"
