#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: foundation
# reports.sh BUILD_DIR: what others read of a command: JUnit of check, prove and claims, a log of commands and tools, colour on a terminal and
# nowhere else.
. tests/kit/shell.sh
cd "$work"
mkdir out

# JUnit: a case for each set and seed; the result and the message are those of the command
counts() { sed -n 's/^<testsuite .* tests="\([0-9]*\)" failures="\([0-9]*\)" errors="0" skipped="\([0-9]*\)".*/\1 \2 \3/p' "$1"; } # tests, failures, skipped
has() { grep -qF -e "$2" "$1" || fail_showing "$1" "no '$2'"; }
must "$tandem" check rr_arb --sweep --seeds 2 --seed 7 --cycles 1000 --junit out/check.xml
sets=$("$tandem" check rr_arb --sweep --cycles 10 --json | jq length)
[ "$(counts out/check.xml)" = "$((2 * sets)) 0 0" ] || fail_showing out/check.xml "not two cases for each of $sets sets"
has out/check.xml 'classname="rr_arb" name="N=8 seed 8"'
ends_with 1 "$tandem" check rr_arb --bug wraps_early --seeds 4 --out bug --junit bug.xml
[ "$(counts bug.xml)" = "1 1 0" ] || fail_showing bug.xml "seeds after the first difference are counted"
has bug.xml '<failure message="C model and RTL differ at port grant in cycle 8"/>'
refused "no block" "$tandem" check nothing --junit none.xml
[ ! -e none.xml ] || fail "a refused command leaves a report"
# seeds are those that --seed checks alone
"$tandem" check d2ma_agen --seeds 2 --seed 3 --cycles 20000 --json | jq -c '.[] | [.seed, .dpi_calls, .skipped]' >both
for seed in 3 4; do "$tandem" check d2ma_agen --seed $seed --cycles 20000 --json | jq -c '.[] | [.seed, .dpi_calls, .skipped]'; done | cmp - both

cp -r "$root/configs" configs
cat >configs/claims/try.yaml <<'END'
system: try
source: made up here
runs:
  base: saxpy:n=512 -c small
claims:
  - {id: same, text: a & b < c, place: here, unit: ratio, published: 1, neutral: none, tolerance: 0.1, tolerance_why: made up,
     measure: base.core_cycles / base.core_cycles}
  - {id: double, text: twice, place: here, unit: ratio, published: 2, neutral: none, tolerance: 0.1, tolerance_why: made up,
     measure: base.core_cycles / base.core_cycles}
  - {id: wrong, text: does not follow, place: here, unit: mm, published: 99, arithmetic: 2 + 2}
END
must env TANDEM_CONFIG_DIR="$work/configs" "$tandem" claims try --runs runs --junit claims.xml
[ "$(counts claims.xml | cut -d' ' -f1)" = 3 ] || fail_showing claims.xml "not three cases"
has claims.xml '<testcase classname="try" name="same" time="0.000"/>'
sed -n '/name="double"/{n;p;}' claims.xml | grep -q '<failure message="not reproduced' || fail_showing claims.xml "double does not fail"

# of a proof: a case for each engine run; a bug that breaks one is a case that passes
must "$tandem" prove onehot_index --junit prove.xml
proved=$(grep -c ' proved ' log)
[ "$proved" -ge 3 ] && [ "$(counts prove.xml)" = "$proved 0 0" ] || fail_showing prove.xml "not a case for each of $proved proofs"
has prove.xml 'classname="onehot_index" name="bmc '
must "$tandem" prove onehot_index --state --junit state.xml
[ "$(counts state.xml)" = "1 0 0" ] || fail_showing state.xml "--state is not one case"
bug=$("$tandem" list blocks onehot_index --bugs proof | head -1)
must "$tandem" prove onehot_index --bug "$bug" --junit planted.xml
[ "$(counts planted.xml)" = "1 0 0" ] || fail_showing planted.xml "a planted bug that is found is no failure"
refused "no RTL for a block" "$tandem" prove onehot --junit none.xml
refused "exclude each other" "$tandem" prove onehot_index --state --late
! ls | grep -q part || fail "an unfinished report is left"
! command -v xmllint >/dev/null || must xmllint --noout prove.xml state.xml claims.xml out/check.xml bug.xml

# the log: the command and its end, the tools and commands that it starts, what was refused; several write to one file
must "$tandem" --log log.txt sweep saxpy:n=64 -c small --set dram.queue=4,8 --out sweep --runs sweep/runs
[ "$(grep -c ' exit code 0 after .* run --options-only saxpy:n=64' log.txt)" = 2 ] || fail_showing log.txt "not two runs in the log"
grep -qE '^[-0-9]+T[:0-9]+Z [0-9]+ tandem [0-9.]+.*: sweep saxpy:n=64' log.txt || fail_showing log.txt "the command is not in the log"
refused "no workload" env TANDEM_LOG="$work/log.txt" "$tandem" run saxpi
has log.txt "run: no workload 'saxpi'"
tail -1 log.txt | grep -q 'exit code 2 after' || fail_showing log.txt "the exit code is not in the log"
refused "no/where" "$tandem" --log no/where list engines
[ "$(grep -vcE '^[-0-9]+T[:0-9]+Z [0-9]+ ' log.txt)" = 0 ] || fail_showing log.txt "a line without time"

# colour
escape=$(printf '\033')
terminal() { env "$@" TERM=xterm script -qec "$tandem check rr_arb --cycles 100" /dev/null </dev/null; }
terminal A=b | grep -q "$escape\[32mequal$escape\[0m" || fail "no colour on a terminal"
! terminal NO_COLOR=1 | grep -q "$escape" || fail "colour in spite of NO_COLOR"
! env TERM=xterm "$tandem" check rr_arb --cycles 100 | grep -q "$escape" || fail "colour in a pipe"
! env TERM=dumb script -qec "$tandem check rr_arb --cycles 100" /dev/null </dev/null | grep -q "$escape" || fail "colour on a dumb terminal"
echo "reports"
