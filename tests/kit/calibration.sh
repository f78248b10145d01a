#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# calibration.sh FILE: measures how fast this host is and how quiet, by five turns of a fixed loop, and adds one line to FILE for
# each: its processor time and its wall time in milliseconds. tests/budgets.sh reads them.
file=$1
TIMEFORMAT='%U %R'
turn() {
  local i x=1
  for ((i = 0; i < 100000; i++)); do x=$(((x * 1103515245 + 12345) & 0x7fffffff)); done
}
for _ in 1 2 3 4 5; do
  { time turn; } 2>&1 | awk '{ printf "%d %d\n", $1 * 1000, $2 * 1000 }'
done >>"$file"
