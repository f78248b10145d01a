#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# budgets.sh BUILD_DIR BUDGETS: compares the processor time of each slice's gate rows with the slice's budget. The calibration loop
# (tests/kit/calibration.sh) says how fast this host is, and measured times are converted into seconds of the reference host,
# which the budgets are given in. A slice that takes more than one and a half times its budget is a notice. It is an error, exit
# code 1, in CI (CI=true) on a quiet host: every turn of the loop took about the same processor time, and no longer on the clock; and
# only where a new process takes at most 2 ms. There are virtual machines in which it takes ten, because each page that a process touches first
# is fetched by the machine's host: rows, which start thousands, then take up to three times as long, and the loop as long as ever.
#
# Reads BUILD_DIR/rows.txt (CMake), BUILD_DIR/rows/NAME.seconds (tests/kit/row.sh) and BUILD_DIR/calibration.txt.
set -eu
build=$1 budgets=$2
reference=195 # milliseconds of a turn of the loop on the host whose seconds budgets.txt gives
grep -Hs . "$build"/rows/*.seconds >"$build/rows.seconds" || true
awk -v reference=$reference -v ci="${CI:-}" '
  FILENAME ~ /calibration.txt$/ {
    n++; sum += $1; wall += $2; processes += $3
    if (n == 1 || $1 < least) least = $1
    if ($1 > most) most = $1
    next
  }
  FILENAME ~ /rows.txt$/ { if ($2 == "gate") { slice[$1] = $3; rows[$3]++ } next }
  FILENAME ~ /rows.seconds$/ {
    name = $1; sub(/^.*\//, "", name); sub(/\.seconds:.*$/, "", name); sub(/^.*:/, "", $1)
    if (name in slice) seconds[slice[name]] += $1 + $2
    next
  }
  /^#/ || !NF { next }
  {
    if (!asked++) {
      if (!n) { print "budgets: no calibration"; status = 1; exit }
      scale = reference / (sum / n)
      quiet = most <= 1.2 * least && wall <= 1.2 * sum
      start = processes / n / 50
      printf "budgets: the host is %.2f times as fast as the reference%s; a new process takes %.1f ms\n", scale, quiet ? "" : ", and busy", start
      quiet = quiet && start <= 2
    }
    if (!rows[$1]) { printf "budgets: no gate row has the label %s\n", $1; status = 1; next }
    time = seconds[$1] * scale; total += time
    printf "budgets: %s took %.0f s of its %d s of processor time\n", $1, time, $2
    if (time <= 1.5 * $2) next
    if (ci == "true" && quiet) { printf "budgets: error: %s exceeds its budget by more than half\n", $1; status = 1 }
    else printf "budgets: notice: %s exceeds its budget by more than half\n", $1
  }
  END { if (!status && asked) printf "budgets: %.0f s of processor time in all\n", total; exit status }
' "$build/calibration.txt" "$build/rows.txt" "$build/rows.seconds" "$budgets"
