#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# shell_kit.sh BUILD_DIR: the checks of tests/kit/shell.sh pass where they must and fail where they must; all shell tests stand on
# them, and begin with them.
. tests/kit/shell.sh
passes() { (trap - EXIT; "$@") >"$work/said" 2>&1 || fail_showing "$work/said" "fails: $*"; }
fails() { # fails WORDS COMMAND...: the check ends the test with exit code 1 and says WORDS
  local status=0
  (trap - EXIT; "${@:2}") >"$work/said" 2>&1 || status=$?
  [ $status = 1 ] && grep -qF -e "$1" "$work/said" || fail_showing "$work/said" "exit $status, wanted 1 and '$1': ${*:2}"
}
says() { echo "$2" >&2; return "$1"; } # says STATUS SENTENCE
talks() { echo result; echo sentence >&2; return 2; }
passes must true
fails 'failed: says 1 why' must says 1 why
passes ends_with 3 says 3 x
fails 'exit 2 instead of 3' ends_with 3 says 2 x
passes refused 'no .*' says 2 'no such thing'
fails 'exit 0 instead of 2' refused 'no' says 0 'no such thing'
fails 'exit 1 instead of 2' refused 'no' says 1 'no such thing'
fails "the sentence is not 'yes'" refused yes says 2 'no such thing'
passes refused_with 2 such thing -- says 2 'no such thing'
fails "lacks 's.ch'" refused_with 2 s.ch -- says 2 'no such thing'
fails 'no sentence' refused_with 2 -- sh -c 'exit 2'
fails 'standard output is not empty' refused_with 2 sentence -- talks
echo a >"$work/a.statistics"
echo a >"$work/b.statistics"
echo c >"$work/c.statistics"
passes same a b
fails 'other statistics: here' same a c here
fails 'other statistics' same a missing
passes differ a c
fails 'the same statistics: here' differ a b here
passes planted "$work/a.statistics" "$work/c.statistics"
fails 'did not apply: it' planted "$work/a.statistics" "$work/b.statistics" it
fails 'failed: tandem run no_such_workload' simulate x no_such_workload
passes simulate x vecadd:n=64 -c small
[ "$(statistic x core_cycles)" -gt 0 ] || fail "no core cycles"
fails null statistic x no.such.number

# every shell test begins with the kit, or hands its work to one that does
for file in tests/law/*.sh tests/cli/*.sh tests/robustness/*.sh; do
  grep -qE '^(\. tests/kit/shell.sh|exec bash tests/[a-z]*/[a-z_0-9]*\.sh )' "$file" || [ "$file" = tests/law/include_graph.sh ] ||
    fail "$file does not begin with tests/kit/shell.sh"
done
