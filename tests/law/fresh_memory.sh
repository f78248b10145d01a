#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: foundation
# fresh_memory.sh BUILD_DIR: no result depends on what memory held before it was allocated. Each run is made three times: as it is, and with
# a malloc() that fills what it gives with bytes that differ from place to place, by two seeds. Statistics, rows and recordings are the same.
. tests/kit/shell.sh
cat >"$work/fill.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
void *malloc(size_t n) {
  static void *(*next)(size_t);
  static unsigned char seed;
  if (!next) {
    next = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    const char *text = getenv("FILL_SEED");
    seed = text ? (unsigned char)atoi(text) : 1;
  }
  unsigned char *p = next(n);
  for (size_t i = 0; p && i < n; i++) p[i] = (unsigned char)(i * 37 + i / 5 + seed);
  return p;
}
C
gcc -O2 -shared -fPIC -o "$work/fill.so" "$work/fill.c" -ldl

same() { # the star of an engine is no pattern of files
  # same RUN_ARGUMENT...
  rm -rf "$work/out"
  set -f
  must "$tandem" run "$@" --out "$work/out/plain"
  for seed in 1 170; do
    must env LD_PRELOAD="$work/fill.so" FILL_SEED=$seed "$tandem" run "$@" --out "$work/out/$seed"
    set +f
    for file in "$work"/out/plain/statistics.csv "$work"/out/plain/stimulus.*.csv; do
      [ ! -e "$file" ] || cmp "$file" "$work/out/$seed/$(basename "$file")" || fail "run $*: $(basename "$file") depends on what memory held"
    done
  done
}
while read -r call; do
  # shellcheck disable=SC2086
  same $call
done <<'CALLS'
vecadd:n=4096 -c yuan28 --engine *=lockstep --record
saxpy:n=4096 --system d2ma --engine *=lockstep --record
jacobi:version=plain,rows=64,columns=64,iterations=1 -c teleport --system teleport --engine *=lockstep --record
locality:pattern=0 -c ldesc_modules --system ldesc
reduction:n=4096 -c elastic16 --system elastic --set sm.pipeline=elastic --engine *=rtl
mix:n=4096,table=4096,version=xmem -c xmem --set sm.count=4 --set dram.channels=4 --set l2.bytes=65536 --set xmem.debounce=200 --system xmem
phases:pattern=3 --set sm.count=2 --system zorua --set zorua.mechanism=zorua --set ptx.registers=allocated
pathfinder:columns=2048 -c caba --set sm.count=4 --set memory.mib=256 --system caba --set caba.design=caba_bdi
CALLS
echo "statistics and recordings do not depend on what memory held"
