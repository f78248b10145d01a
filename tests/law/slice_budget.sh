#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice_budget.sh BUILD_DIR: a slice above one and a half times its budget is a notice, and an error in CI on a quiet host only, on which
# new processes are no slower than usual; a slow host's seconds count less. The processor time of a row is that of all its processes.
. tests/kit/shell.sh
there=$work/build
mkdir -p "$there/rows"
printf '%s\n' 'a.unit gate slice-one' 'b.c_d.law gate slice-one' 'c.unit gate slice-two' 'n.law nightly slice-one csim' >"$there/rows.txt"
printf 'slice-one 100\n# a comment\nslice-two 10\n' >"$work/budgets"
took() { # took SECONDS: of slice-one, in two rows; a nightly row does not count
  echo "$(($1 - 20)) 15.0" >"$there/rows/a.unit.seconds"
  printf 'noise of a shell\n4.0 1.0\n' >"$there/rows/b.c_d.law.seconds"
  echo "900.0 0.0" >"$there/rows/n.law.seconds"
}
host() { printf '%s\n' "$@" >"$there/calibration.txt"; } # host "PROCESSOR WALL [PROCESSES]"...: milliseconds of the loop's turns and of fifty processes
judged() { # judged STATUS PATTERN [CI]
  CI=${3:-} ends_with "$1" bash tests/budgets.sh "$there" "$work/budgets"
  grep -q -e "$2" "$work/stdout" || fail_showing "$work/stdout" "no '$2'"
}
host "195 196" "195 196"
took 149
judged 0 'slice-one took 149 s of its 100 s' true
! grep -q exceeds "$work/stdout" || fail "a slice within its budget exceeds it"
took 151
judged 0 'notice: slice-one exceeds'
judged 1 'error: slice-one exceeds' true
host "195 400" "195 400" # other processes take the host's time
judged 0 'notice: slice-one exceeds' true
host "195 196" "260 261" # the host's speed varies
took 200
judged 0 'notice: slice-one exceeds' true
host "390 391" "390 391" # half as fast
took 298
judged 0 'took 149 s' true
took 302
judged 1 'error: slice-one exceeds' true
host "195 196 300" "195 196 320" # new processes are slow
took 160
judged 0 'a new process takes 6.2 ms' true
judged 0 'notice: slice-one exceeds' true
host "195 196 40" "195 196 60"
judged 1 'error: slice-one exceeds' true
host "195 196"
echo "slice-unknown 100" >>"$work/budgets"
judged 1 'no gate row has the label slice-unknown'
rm "$there/calibration.txt"
: >"$there/calibration.txt"
judged 1 'no calibration'

# a row's processor time: of the command, its children and theirs; its exit code and its output go on
ends_with 7 bash tests/kit/row.sh "$there" busy bash -c 'echo out; echo err >&2; bash -c "for ((i = 0; i < 200000; i++)); do :; done" & wait; exit 7'
grep -qx out "$work/stdout" && grep -qx err "$work/stderr" || fail "a row's output is lost"
awk '{ exit !($1 + $2 > 0.05 && $1 + $2 < 60) }' "$there/rows/busy.seconds" || fail_showing "$there/rows/busy.seconds" "not the time of a child's child"
