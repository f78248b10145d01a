#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# label: nightly
# slice: cuda
# runtime_templates.sh BUILD_DIR: a program of the libraries of templates that come with nvcc (tests/cuda/templates.cu), compiled for one
# architecture and run on devices of that one and of newer ones.
. tests/kit/shell.sh
nvcc=$(command -v nvcc) || skip "no nvcc on the PATH"
cd "$work"
unset LD_LIBRARY_PATH LD_PRELOAD
export ASAN_OPTIONS=detect_leaks=0
"$nvcc" -std=c++17 -o templates "$root/tests/cuda/templates.cu" >log 2>&1 || fail_showing log "nvcc fails"
for capability in 75 80 90; do
  ends_with 0 "$tandem" run ./templates -c h100 --functional --set compute_capability=$capability --out out
  [ "$(tail -n 1 stdout)" = "Result = PASS" ] || fail_showing stdout "capability $capability: the program does not pass"
done
echo "Thrust, CUB and cuRAND on devices of three architectures"
