#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: foundation
# runs_shared.sh BUILD_DIR: processes that want the same run at the same time make it once. Two experiments with one folder of runs give the
# same page; of four calls of `tandem run --once` one simulates; a result that is not there, or did not pass, is made.
. tests/kit/shell.sh
twice() { "$tandem" experiment ctas --quick --runs "$work/runs" --out "$work/$1" >"$work/$1.log" 2>&1; }
twice first &
twice second || fail_showing "$work/second.log" "two experiments with the same runs: the second fails"
wait $! || fail_showing "$work/first.log" "two experiments with the same runs: the first fails"
cmp <(jq .tables "$work/first/experiment.json") <(jq .tables "$work/second/experiment.json") || fail "two experiments with the same runs differ"

once() { "$tandem" run vecadd:n=4096 -c small --once --out "$work/out" >"$work/log.$1" 2>&1; }
waiting=
for i in 1 2 3 4; do
  once $i &
  waiting="$waiting $!"
done
for p in $waiting; do wait "$p" || fail_showing "$work/log.1" "one of four calls fails"; done
[ "$(cat "$work"/log.? | grep -c PASS)" = 1 ] || fail_showing "$work/log.1" "four calls do not make one run"
sed -i 's/"pass"/"fail"/' "$work/out/run.json"
once 1
grep -q PASS "$work/log.1" || fail_showing "$work/log.1" "a run that did not pass counts as made"
once 2
! grep -q PASS "$work/log.2" || fail_showing "$work/log.2" "a run that passed is made again"
# recordings for power, too: the file is whole when any of them returns
recorded() {
  "$tandem" run saxpy:n=4096 --system d2ma --record sm0.d2ma.agen --once --out "$work/recorded" >"$work/recorded.$1" 2>&1 &&
    cksum <"$work/recorded/stimulus.sm0.d2ma.agen.csv" >"$work/sum.$1"
}
recorded 1 &
recorded 2 || fail_showing "$work/recorded.2" "the second of two recordings fails"
wait $! || fail_showing "$work/recorded.1" "the first of two recordings fails"
cmp "$work/sum.1" "$work/sum.2" || fail "two calls find different recordings"
[ "$(cat "$work"/recorded.? | grep -c PASS)" = 1 ] || fail "two calls make two recordings"
mkdir "$work/held.lock"
refused 'cannot write' "$tandem" run vecadd:n=4096 -c small --once --out "$work/held"
echo "one run for all who want it"
