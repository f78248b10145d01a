#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# budgets.sh JUNIT_XML BUILD_DIR BUDGETS: fails when the gate tests of a slice took more than one and a half times its
# budget.
set -eu
junit=$1 build=$2 budgets=$3
status=0
while read -r slice budget; do
  case $slice in '#'* | '') continue ;; esac
  names=$(ctest --test-dir "$build" -N -L "^$slice\$" -L '^gate$' | sed -n 's/^ *Test *#[0-9]*: //p')
  [ -n "$names" ] || { echo "budgets: no gate test carries the label $slice; see $budgets"; status=1; continue; }
  printf '%s\n' "$names" >"$junit.names"
  awk -v slice="$slice" -v budget="$budget" '
    NR == FNR { wanted[$0] = 1; next }
    /<testcase / {
      match($0, / name="[^"]*"/); name = substr($0, RSTART + 7, RLENGTH - 8)
      match($0, / time="[^"]*"/); time = substr($0, RSTART + 7, RLENGTH - 8)
      if (name in wanted) sum += time
    }
    END {
      sum /= 2 # two tests run at a time
      printf "budgets: %s took %.0f s of its %d s\n", slice, sum, budget
      if (sum > 1.5 * budget) { printf "budgets: %s exceeds its budget by more than half\n", slice; exit 1 }
    }' "$junit.names" "$junit" || status=1
done <"$budgets"
exit $status
