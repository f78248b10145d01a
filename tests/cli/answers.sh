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
ask "name a proposal, or all: caba, d2ma, elastic" claims
ask "there are those of caba, d2ma, elastic" claims nothing
ask "leave --sweep or --param out" check rr_arb --sweep --param N=3
ask "name the wave's folder with --out" replay stimulus.csv --cycle 3
ask "did you mean --html?" claims --htm
ask 'nearest known key is "clock.core_khz"' run saxpy --set clock.core=3
ask "did you mean gtx480?" run saxpy -c gtx48
ask "its versions are baseline, d2ma" run saxpy:version=nothing
ask "nothing follows the colon; write saxpy" run saxpy:
# a GPU that cannot be: one sentence, and none of the program's own about cuInit
ask "choose that, or another GPU configuration" run saxpy:n=64 -c elastic16 --system d2ma
[ "$(wc -l <"$work/stderr")" = 1 ] || fail_showing "$work/stderr" "more than one sentence"
# a block that the program was built without
cp -r configs "$work/configs"
sed 's/^rr_arb:/other_arb:/' configs/blocks.yaml >"$work/configs/blocks.yaml"
refused_with 2 "added to configs/blocks.yaml after this program was built" -- \
  env TANDEM_CONFIG_DIR="$work/configs" "$tandem" check other_arb
ask "no block 'other_arb'" check other_arb
# a difference under drive: the cycle of the table and both values
cp -r tests/examples/plain "$work/own"
sed -i 's/earn_i && after != FULL/earn_i/' "$work/own/token_bucket.v"
printf 'ask,cost,earn\n0,0,1\n1,1,1\n' >"$work/own.csv"
ends_with 1 "$tandem" drive token_bucket "$work/own.csv" --manifest "$work/own/blocks.yaml" --engine lockstep
grep -q 'in cycle 1 at register left_q: expected 12 (C model), actual 13 (RTL)' "$work/stderr" ||
  fail_showing "$work/stderr" "drive does not say cycle and values"
"$tandem" list blocks token_bucket --manifest "$work/own/blocks.yaml" >"$work/block"
grep -q "files: $work/own/blocks.yaml $work/own/token_bucket.v $work/own/token_bucket.c" "$work/block" ||
  fail_showing "$work/block" "the files of a block of one's own are not named"
# folders on the way to a folder of results are made
must "$tandem" run saxpy:n=64 -c small --out "$work/a/b"
[ -s "$work/a/b/run.json" ] || fail "a result is missing"
# no suggestion is better than one that is nothing like the question
ends_with 2 "$tandem" claims --foo
! grep -q "did you mean" "$work/stderr" || fail_showing "$work/stderr" "--foo has a suggestion"
"$tandem" list blocks rr_arb >"$work/block"
for words in "files: rtl/prim/rr_arb.v" "parameters: N=8" "at most one grant" "planted bugs:"; do
  grep -q "$words" "$work/block" || fail_showing "$work/block" "tandem list blocks rr_arb lacks '$words'"
done
echo "answers"
