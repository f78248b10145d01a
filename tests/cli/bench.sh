#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# label: nightly
# timeout: 600
# bench.sh BUILD_DIR: the bench runs and prints every figure that the README quotes. Times are not judged: they are the host's.
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/bin/tandem" bench --quick --json >"$work/bench.json"
cat >"$work/check.cmake" <<'C'
file(READ "${FILE}" text)
string(JSON n LENGTH "${text}" figures)
if(n LESS 10)
  message(FATAL_ERROR "only ${n} figures")
endif()
C
cmake -DFILE="$work/bench.json" -P "$work/check.cmake"
for figure in "start to first cycle" "SAXPY plain" "engine lockstep" "ratio to engine c" "alone under check" "idle"; do
  grep -q "$figure" "$work/bench.json" || { echo "no figure '$figure'"; exit 1; }
done
