#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# label: nightly
# bench.sh BUILD_DIR: the bench runs and prints every figure that the README quotes. Times are not judged: they are the host's.
. tests/kit/shell.sh
"$tandem" bench --quick --json >"$work/bench.json"
jq -e '.figures | length >= 10' "$work/bench.json" >/dev/null || fail "fewer than 10 figures"
for figure in "start to first cycle" "SAXPY plain" "engine lockstep" "ratio to engine c" "alone under check" "idle"; do
  grep -q "$figure" "$work/bench.json" || fail "no figure '$figure'"
done
