#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# What a program gets from the device, copy by copy: for laws that say that something never changes a result. Sourced after shell.sh.
# shellcheck disable=SC2154 # work, headers, tandem: of shell.sh

cat >"$work/watch.c" <<'C'
/* Between a program and the driver: a line a copy to the host, with a sum of its bytes (FNV-1a). */
#define _GNU_SOURCE
#include <cuda.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#undef cuMemcpyDtoH
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  CUresult (*next)(void *, CUdeviceptr, size_t) = (CUresult(*)(void *, CUdeviceptr, size_t))dlsym(RTLD_NEXT, "cuMemcpyDtoH_v2");
  CUresult result = next(to, from, bytes);
  const unsigned char *p = to;
  unsigned long long sum = 14695981039346656037ull;
  FILE *f = fopen(getenv("COPIES"), "a");
  for (size_t i = 0; i < bytes; i++) sum = (sum ^ p[i]) * 1099511628211ull;
  fprintf(f, "%zu bytes %016llx\n", bytes, sum);
  fclose(f);
  return result;
}
C
gcc -O2 -shared -fPIC -Wno-pedantic -I"$headers" "$work/watch.c" -o "$work/watch.so" -ldl

copies() { # copies NAME SPEC OPTION...: runs and keeps what the host got, and the line that tells its time (NAME.time), in $work
  rm -f "$work/$1"
  : >"$work/$1"
  LD_PRELOAD="$work/watch.so" COPIES="$work/$1" "$tandem" run "${@:2}" >"$work/log" 2>&1 || fail_showing "$work/log" "failed: tandem run ${*:2}"
  grep -q ' PASS ' "$work/log" || fail_showing "$work/log" "no verdict: tandem run ${*:2}"
  [ -s "$work/$1" ] || fail "tandem run ${*:2}: nothing was copied to the host"
  grep ' core cycles, ' "$work/log" >"$work/$1.time"
}
