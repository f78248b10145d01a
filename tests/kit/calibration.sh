#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# calibration.sh FILE: measures how fast this host is and how quiet, by five turns of a fixed loop, and adds one line to FILE for
# each: its processor time and its wall time in milliseconds, and the processor time of fifty new processes, in milliseconds, too.
# tests/budgets.sh reads them.
file=$1
TIMEFORMAT='%U %S %R'
turn() {
  local i x=1
  for ((i = 0; i < 100000; i++)); do x=$(((x * 1103515245 + 12345) & 0x7fffffff)); done
}
processes() {
  local i
  for ((i = 0; i < 50; i++)); do (:); done
}
for _ in 1 2 3 4 5; do
  { time turn; time processes; } 2>&1 |
    awk 'NR == 1 { printf "%d %d", $1 * 1000, $3 * 1000 } NR == 2 { printf " %d\n", ($1 + $2) * 1000 }'
done >>"$file"
