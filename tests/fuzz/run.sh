#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh [SECONDS [BUILD_DIR]]: fuzzes the PTX front end and the execution of what it accepts with clang's libFuzzer and
# the sanitizers, from tests/fuzz/corpus and the PTX of the workloads in BUILD_DIR (default build). What is found lies in
# BUILD_DIR/fuzz; a crash ends with 1. "run.sh merge" makes the corpus anew from all of them:
# few small files that reach every edge of the program that they reach together.
set -eu
cd "$(dirname "$0")/../.."
what=${1:-60} build=${2:-build}
mkdir -p "$build/fuzz/found"
command -v clang-14 >/dev/null || { echo "fuzz: clang-14 is needed (libFuzzer)"; exit 77; }
clang-14 -std=gnu11 -D_GNU_SOURCE -DTANDEM_FUZZER -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
  -ffp-contract=off -fno-math-errno -Icsim tests/fuzz/ptx_fuzz.c csim/ptx/*.c csim/device/device_memory.c csim/base/err.c -lm -o "$build/fuzz/ptx_fuzz"
if [ "$what" = merge ]; then
  rm -rf "$build/fuzz/merged" && mkdir "$build/fuzz/merged"
  "$build/fuzz/ptx_fuzz" -set_cover_merge=1 -use_counters=0 -max_len=1000 "$build/fuzz/merged" tests/fuzz/corpus \
    "$build/fuzz/found" 2>&1 | tail -1
  rm -f tests/fuzz/corpus/*
  for file in "$build"/fuzz/merged/*; do
    name=${file##*/}
    cp "$file" "tests/fuzz/corpus/$(printf %.12s "$name").txt"
  done
  du -bs tests/fuzz/corpus
  exit 0
fi
seeds="$build/fuzz/seeds"
mkdir -p "$seeds" tests/fuzz/corpus
find "$build" -path "$build/fuzz" -prune -o -name '*.ptx' -size -16k -print | while read -r file; do
  cp "$file" "$seeds/$(printf %s "$file" | tr / _)"
done
nice "$build/fuzz/ptx_fuzz" -dict=tests/fuzz/ptx.dict -max_total_time="$what" -timeout=10 -rss_limit_mb=2048 -max_len=16384 \
  -artifact_prefix="$build/fuzz/crash-" -print_final_stats=1 "$build/fuzz/found" tests/fuzz/corpus "$seeds"
