#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: zorua
# zorua_barriers.sh BUILD_DIR: barriers that name a number of threads, with zorua.mechanism=zorua. One that names all of the CTA is the CTA's: with
# more warps than registers its runs are those of a barrier without a number. Where some warps arrive and do not wait, none gives up its slot.
# At a barrier of fewer threads a CTA whose other warps get no registers stops, with the message of a deadlock (docs/departures.md, 33).
# A warp whose SIMT stack is more than a line of memory keeps its slot too, at a barrier of all.
. tests/kit/shell.sh
export TANDEM_CACHE="$build"
zorua=(--set sm.count=1 --system zorua --set zorua.mechanism=zorua --set ptx.registers=allocated)
cd "$work"

cat >pairs.cu <<'C'
#include "tandem_device.h"
extern "C" __global__ void pairs(unsigned n, unsigned tries, const unsigned *in, unsigned *out) {
  __shared__ unsigned cell[32];
  __shared__ volatile unsigned taken;
  unsigned t = threadIdx.x, i = blockIdx.x * 32 + t % 32;
  if (t == 0) taken = 0;
  if (t < 32) { /* does not wait for the other warp, and ends when that has been there, or after all tries */
    cell[t] = in[i];
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    unsigned seen = 0;
    for (unsigned k = 0; k < tries && !seen; k++) seen = taken;
    out[n / 2 + i] = seen;
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[i] = cell[31 - t % 32];
    taken = 1;
  }
}
C
cat >deep.cu <<'C'
#include "tandem_device.h"
static __device__ __attribute__((noinline)) unsigned down(unsigned levels, unsigned value) {
  if (!levels) {
    __syncthreads();
    return value;
  }
  value = down(levels - 1, value * 3 + 1);
  asm volatile("" : "+r"(value));
  return value + 1;
}
extern "C" __global__ void deep(unsigned n, unsigned levels, const unsigned *in, unsigned *out) {
  __shared__ unsigned cell[128];
  unsigned t = threadIdx.x, i = blockIdx.x * 128 + t;
  cell[t] = in[i];
  unsigned value = down(levels, i);
  out[i] = cell[127 - t] + value;
}
C
to_ptx deep.cu deep.ptx || fail_showing log "the kernel does not compile"
to_ptx pairs.cu pairs.ptx || fail_showing log "the kernel does not compile"
cp "$build/ptx/phases/baseline.ptx" whole.ptx
for threads in 1024 512; do
  sed "s/bar\.sync\([[:space:]]*\)0;/bar.sync\1 0, $threads;/" whole.ptx >counted$threads.ptx
  planted whole.ptx counted$threads.ptx "barriers of $threads threads"
done

# host TEXT KERNEL THREADS SECOND: N threads, `in` counts up; prints what `out` adds up to
cat >host.c <<'C'
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 2048 };

static void check(CUresult r, int line) {
  if (r == CUDA_SUCCESS) return;
  fprintf(stderr, "line %d: error %d\n", line, (int)r);
  exit(EXIT_FAILURE);
}
#define CHECK(call) check(call, __LINE__)

int main(int argc, char **argv) {
  static unsigned in[N], out[N];
  unsigned n = N, threads, second, sum = 0;
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr from, to;
  void *args[] = {&n, &second, &from, &to};
  if (argc != 5) return 2;
  threads = (unsigned)atoi(argv[3]), second = (unsigned)atoi(argv[4]);
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoad(&module, argv[1]));
  CHECK(cuModuleGetFunction(&kernel, module, argv[2]));
  CHECK(cuMemAlloc(&from, sizeof in));
  CHECK(cuMemAlloc(&to, sizeof out));
  for (unsigned i = 0; i < N; i++) in[i] = i;
  CHECK(cuMemcpyHtoD(from, in, sizeof in));
  CHECK(cuMemsetD32(to, 0, N));
  CHECK(cuLaunchKernel(kernel, N / threads, 1, 1, threads, 1, 1, 0, NULL, args, NULL));
  CHECK(cuCtxSynchronize());
  CHECK(cuMemcpyDtoH(out, to, sizeof out));
  for (unsigned i = 0; i < N; i++) sum = sum * 31 + out[i];
  printf("sum %u\n", sum);
  return 0;
}
C
must host_program host.c host
runs() { # runs NAME TEXT KERNEL THREADS SECOND OPTION...: the sum is in NAME.sum
  "$tandem" run ./host "${@:6}" --out "$1" -- "${@:2:4}" >"$1.log" 2>&1 || fail_showing "$1.log" "failed: $*"
  grep '^sum ' "$1.log" >"$1.sum" || fail_showing "$1.log" "no sum: $*"
  sed -n '/^  "statistics"/,/^  }/p' "$1/run.json" >"$1.statistics"
}

# 32 warps with 16 sets each, on 256
runs whole whole.ptx registers_64 1024 2 "${zorua[@]}"
runs counted counted1024.ptx registers_64 1024 2 "${zorua[@]}"
cmp whole.sum counted.sum || fail "other results with a number of threads"
same whole counted "a barrier of all threads"
[ "$(counter zorua_spill_lines counted)" -gt 0 ] || fail "nothing was spilled"

runs plain pairs.ptx pairs 64 5000 --set sm.count=1
for how in zorua.values=0 zorua.values=1 zorua.live=mask; do
  runs pairs pairs.ptx pairs 64 5000 "${zorua[@]}" --set $how
  cmp plain.sum pairs.sum || fail "pairs, $how: other results than without Zorua"
done

# Four CTAs of four warps share 8 slots. Warps that wait at the barrier lose theirs to others, unless their stack is more than a line of 10
# entries. With 8 levels it has 10: one of the kernel, and one of each of the nine calls; with 9 levels it has 11.
few=(--set sm.warps=8 --set sm.threads=256 --set zorua.warps=16 --set zorua.o_thresh=100)
for levels in 8 9; do
  kept=$((levels > 8 ? 2048 / 32 : 0))
  runs plain deep.ptx deep 128 $levels --set sm.count=1
  for how in zorua.values=0 zorua.values=1; do
    runs deep deep.ptx deep 128 $levels "${zorua[@]}" "${few[@]}" --set $how
    cmp plain.sum deep.sum || fail "$levels calls, $how: other results than without Zorua"
    [ "$kept" = "$(counter zorua_barriers_kept deep)" ] || fail "$levels calls, $how: warps keep their slots $(counter zorua_barriers_kept deep) times, not $kept"
    spilled=$(counter zorua_spill_lines deep)
    [ $((spilled > 0)) = $((kept == 0)) ] || fail "$levels calls, $how: $spilled lines were spilled"
  done
done

ends_with 3 "$tandem" run ./host "${zorua[@]}" --out stopped -- counted512.ptx registers_64 1024 2
grep -q "deadlock of kernel 'registers_64'" stderr || fail_showing stderr "no deadlock where warps that hold registers wait for others"
