#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: caba
# caba_prefetch.sh BUILD_DIR: a compressed line that a routine prefetches is decompressed by an assist warp before a load can have it, as one that
# a load has missed is; also if nobody loads it, and if the warp for which it was has ended. With more tags L1 takes it as it came.
. tests/kit/shell.sh
cd "$work"

# A warp walks down the rows of a matrix in its 32 columns, and asks for the line two rows ahead; `past`: beyond the last row, too.
cat >walk.cu <<'C'
#include "caba.h"
CABA_ROUTINES(R"(
.entry ahead .attribute(.event(mark), .encoding(0), .priority(low), .live_in(2)) {
  .reg .b32 %at<2>;
  move.in.b32 %at0, 0;
  move.in.b32 %at1, 1;
  prefetch.l1 {%at0, %at1};
  end;
}
)");
extern "C" __global__ void walk(unsigned *y, const unsigned *x, unsigned rows, unsigned past) {
  unsigned columns = gridDim.x * blockDim.x, column = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
#pragma unroll 1
  for (unsigned row = 0; row < rows; row++) {
    unsigned next = row + 2 < rows + past ? row + 2 : rows - 1;
    cabaMarkAt(0, (unsigned long long)(x + next * columns + column));
    sum = sum * 5 + x[row * columns + column];
  }
  y[column] = sum;
}
C
to_ptx walk.cu walk.ptx || fail_showing log "the kernel does not compile"
cat >host.c <<'C'
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#define CHECK(call) do { CUresult r = call; if (r) { fprintf(stderr, "%s: %d\n", #call, r); return 2; } } while (0)
enum { CTAS = 16, THREADS = 64, COLUMNS = CTAS * THREADS, ROWS = 32, PAST = 2 };
static unsigned x[(ROWS + PAST) * COLUMNS], y[COLUMNS];
int main(int argc, char **argv) { // host PTX ANY PAST: values below 200, or any; rows beyond the last one
  CUdevice device; CUcontext context; CUmodule module; CUfunction f; CUdeviceptr in, out;
  unsigned rows = ROWS, any = argc > 2 && atoi(argv[2]), past = argc > 3 ? (unsigned)atoi(argv[3]) : 0, number = 1;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuCtxCreate(&context, 0, device));
  CHECK(cuModuleLoad(&module, argv[1]));
  CHECK(cuModuleGetFunction(&f, module, "walk"));
  for (unsigned i = 0; i < (ROWS + PAST) * COLUMNS; i++) x[i] = any ? number = number * 1664525u + 1013904223u : i * 7 % 200;
  CHECK(cuMemAlloc(&in, sizeof x));
  CHECK(cuMemAlloc(&out, sizeof y));
  CHECK(cuMemcpyHtoD(in, x, sizeof x));
  CHECK(cuMemsetD32(out, 0, COLUMNS));
  void *args[] = {&out, &in, &rows, &past};
  CHECK(cuLaunchKernel(f, CTAS, 1, 1, THREADS, 1, 1, 0, 0, args, 0));
  CHECK(cuMemcpyDtoH(y, out, sizeof y));
  for (unsigned c = 0; c < COLUMNS; c++) {
    unsigned sum = 0;
    for (unsigned row = 0; row < ROWS; row++) sum = sum * 5 + x[row * COLUMNS + c];
    if (y[c] != sum) { fprintf(stderr, "column %u: %u, not %u\n", c, y[c], sum); return 1; }
  }
  return 0;
}
C
host_program host.c host
gpu=(-c caba --set sm.count=4 --set memory.mib=64 --system caba --set caba.design=caba_bdi --set caba.stores=0)
run() { # run NAME ANY PAST OPTION...
  "$tandem" run ./host "${gpu[@]}" "${@:4}" --out "$1" -- walk.ptx "$2" "$3" >"$1.log" 2>&1 || fail_showing "$1.log" "failed: $*"
  sed -n '/^  "statistics"/,/^  }/p' "$1/run.json" >"$1.statistics"
  [ "$(counter caba_images_differ "$1")" = 0 ] || fail "$1: lines differ from memory"
}
on_each() { # on_each NAME ANY PAST OPTION...
  local name=$1 other
  run "$@"
  shift
  run two "$@" --threads 2
  run all "$@" --no-skip
  run rtl "$@" --engine 'sm*.caba_*=rtl'
  run both "$@" --engine 'sm*.caba_*=lockstep'
  for other in two all rtl both; do same "$name" $other "$name: $other"; done
}
replies() { echo $(($(counter replies "$1"))); }

# each line that comes is decompressed, whoever has asked for it
on_each walk 0 0
[ "$(counter caba_prefetches walk)" -gt 200 ] || fail "$(counter caba_prefetches walk) lines were prefetched"
[ "$(counter l1_misses walk)" -lt $((32 * 32 / 2)) ] || fail "most lines were missed all the same"
[ "$(counter caba_fills walk)" = "$(replies walk)" ] || fail "$(replies walk) lines came, and $(counter caba_fills walk) were decompressed"
# lines that nothing compresses cost nothing
run plain 1 0
[ "$(counter caba_fills plain)" = 0 ] || fail "plain lines were decompressed"
# lines that nobody loads, for warps that have ended by then
on_each past 0 2
[ "$(counter caba_fills past)" = "$(replies past)" ] || fail "past: $(replies past) lines came, and $(counter caba_fills past) were decompressed"
[ "$(replies past)" -gt "$(replies walk)" ] || fail "no more lines came for loads that are not there"
# L1 has them as they came: the load that finds one pays
on_each tags 0 0 --set caba.l1_tags=2
[ "$(counter caba_l1_expanded tags)" -gt 0 ] || fail "with more tags no load pays for a prefetched line"
# the load/store unit takes bytes from compressed lines: no assist warp
run direct 0 0 --set caba.load=direct
[ "$(counter caba_fills direct)" = 0 ] || fail "Direct-Load: a prefetched line was decompressed by an assist warp"
# L1's own prefetcher
on_each own 0 0 --set l1.prefetch=mthwp
[ "$(counter l1_prefetches own)" -gt 0 ] || fail "L1's prefetcher did nothing"
[ "$(counter caba_fills own)" = "$(replies own)" ] || fail "own: $(replies own) lines came, and $(counter caba_fills own) were decompressed"
