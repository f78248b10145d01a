#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# published.sh BUILD_DIR: a run with the arguments of a paper prints the paper's count beside its own, any other run does not; the
# list shows the figure; a row that cannot be used is refused with a sentence.
. tests/kit/shell.sh
must "$tandem" run --out "$work/run" nqueens
count=$(tr -d ' \n' <"$work/run/run.json" | sed 's/.*"thread_instructions":\([0-9]*\).*"per_sm".*/\1/')
millions=$(awk "BEGIN { printf \"%.4g\", $count / 1e6 }") ratio=$(awk "BEGIN { printf \"%.2f\", $count / 2e6 }")
grep -qx "  thread instructions: $millions M; Yuan 2009, table 2.1: 2 M (${ratio}x)" "$work/log" || fail_showing "$work/log" "no figure beside $count"
must "$tandem" run --out "$work/run" nqueens:version=baseline,n=10
grep -q '; Yuan 2009' "$work/log" || fail_showing "$work/log" "defaults that are written out are still the paper's"
must "$tandem" run --out "$work/run" nqueens:n=9
! grep -q '; Yuan 2009' "$work/log" || fail_showing "$work/log" "n=9 is not the paper's"
must "$tandem" run --out "$work/run" aes:version=constant,blocks=16448,decrypt=1
! grep -q 'thread instructions: ' "$work/log" || fail_showing "$work/log" "the version is not the paper's"
must "$tandem" run --out "$work/run" aes:version=manavski,blocks=16448,decrypt=1,seed=7
grep -q 'Gou 2011, table 4: 35.53 M' "$work/log" || fail_showing "$work/log" "another seed is still the paper's run"
! grep -q Yuan "$work/log" || fail_showing "$work/log" "Yuan did not decrypt"

"$tandem" list workloads aes >"$work/log"
grep -q 'published: 35.53 M thread instructions, Gou 2011, table 4: blocks=16448,decrypt=1,version=manavski$' "$work/log" || fail_showing "$work/log" "the list has no figure"
[ "$(grep -c '^[a-z]' "$work/log")" = 1 ] || fail "more than one workload is listed"
refused "no workload 'aez'; did you mean aes?" "$tandem" list workloads aez

refuse() { # refuse SENTENCE ROW
  { printf 'w:\n  brief: b\n  source: s\n  versions: [baseline]\n  args:\n'
    printf '    - {name: n, default: 1, min: 1, max: 9, brief: b}\n  test: [{n: 1}]\n  published:\n    - %s\n' "$2"; } >"$work/list.yaml"
  ends_with "$([ -n "$1" ] && echo 2 || echo 0)" "$(cached TANDEM_PYTHON)" scripts/gen/workloads.py "$work/list.yaml" "$work/out"
  grep -qF "$1" "$work/stderr" || [ -z "$1" ] || fail_showing "$work/stderr" "no sentence: $1"
}
refuse '' '{args: {n: 9}, thread_instructions: 1, source: s}'
refuse "no argument or version 'm: 2'" '{args: {m: 2}, thread_instructions: 1, source: s}'
refuse "no argument or version 'version: d2ma'" '{args: {version: d2ma}, thread_instructions: 1, source: s}'
refuse 'n: 10: a whole number in 1..9 is wanted' '{args: {n: 10}, thread_instructions: 1, source: s}'
refuse 'thread_instructions: 0: a positive whole number' '{args: {}, thread_instructions: 0, source: s}'
refuse 'args, thread_instructions and source are wanted' '{args: {}, thread_instructions: 1}'
