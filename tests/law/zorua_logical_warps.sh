#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: zorua
# zorua_logical_warps.sh BUILD_DIR: with more logical warps than an SM has slots (zorua.warps above 64), warps take turns in the slots. Results are
# right, also with values in the sets that the tables name; statistics are the same in one host thread and in two, and with skipped cycles.
# More warps are resident than there are slots, and no more than zorua.warps says. A launch that faults while warps have no slot leaves
# nothing behind. Any number of warps up to 96 can be asked for.
. tests/kit/shell.sh
export TANDEM_CACHE="$build"
zorua=(--set sm.count=1 --system zorua --set zorua.mechanism=zorua --set ptx.registers=allocated)
mst=mst:span=0,nodes=4096,threads=1024,registers=16
on() { # on NAME ARGUMENT...
  simulate "$@" -c zorua_kepler "${zorua[@]}"
}

# 96 warps on the 64 slots of a Kepler: three CTAs of 32 warps where there were two
on many $mst --set zorua.warps=96
on usual $mst
on values $mst --set zorua.warps=96 --set zorua.values=1
on threads $mst --set zorua.warps=96 --threads 2
on every $mst --set zorua.warps=96 --no-skip
same many values "values of warps that take turns"
same many threads "two host threads"
same many every "skipped cycles"
[ "$(counter zorua_seats many)" -gt 1000 ] || fail "slots do not go from warp to warp"
[ "$(counter zorua_seats usual)" = 0 ] || fail "with 64 warps each has a slot"
[ "$(counter zorua_spill_lines many)" -gt "$(counter zorua_spill_lines usual)" ] || fail "no warp's state is spilled"
! cmp -s "$work/many/statistics.csv" "$work/usual/statistics.csv" || fail "96 logical warps change nothing"

# 1.5 times the slots of a Fermi; numbers that are no powers of two; fewer slots than a CTA and a half
for more in "zorua_fermi --set zorua.warps=72" "zorua_fermi --set zorua.warps=50" "zorua_kepler --set zorua.warps=65" \
  "zorua_kepler --set zorua.warps=96 --set sm.warps=32 --set sm.threads=1024 --set zorua.o_thresh=100"; do
  # shellcheck disable=SC2086
  simulate other reduction:version=sized,n=16384,threads=512,registers=9 -c $more "${zorua[@]}" --set zorua.values=1
done
# with 65 warps no third CTA of 32 fits
on 65 $mst --set zorua.warps=65
[ "$(counter zorua_seats 65)" -gt 0 ] || fail "65 warps do not take turns"
[ "$(counter zorua_spill_lines 65)" = "$(counter zorua_spill_lines usual)" ] || fail "a CTA came for whose warps there is no room"

# one CTA in three faults, at a barrier of which the others of its SM wait
cat >"$work/trap.cu" <<'C'
#include "tandem_device.h"
extern "C" __global__ void trap(unsigned n, unsigned bad, const unsigned *in, unsigned *out) {
  __shared__ unsigned cell[1024];
  unsigned t = threadIdx.x, i = blockIdx.x * 1024 + t;
  for (unsigned k = 0; k < 8; k++) {
    cell[t] = in[i] + k;
    __syncthreads();
    out[i] = cell[1023 - t];
    if (blockIdx.x == bad && k == 3 && t == 700) out[(size_t)1 << 40] = 1;
    __syncthreads();
  }
}
C
to_ptx "$work/trap.cu" "$work/trap.ptx" || fail_showing "$work/log" "the kernel does not compile"
# host BAD: a launch in which CTA BAD faults (of 6; another number: none), then, in a new context, one without a fault
cat >"$work/host.c" <<'C'
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

enum { CTAS = 6, N = CTAS * 1024 };

static void check(CUresult r, int line) {
  if (r == CUDA_SUCCESS) return;
  fprintf(stderr, "line %d: error %d\n", line, (int)r);
  exit(EXIT_FAILURE);
}
#define CHECK(call) check(call, __LINE__)

static CUresult launch(CUdevice device, unsigned bad) {
  static unsigned in[N], out[N];
  unsigned n = N, sum = 0;
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr from, to;
  void *args[] = {&n, &bad, &from, &to};
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoad(&module, "trap.ptx"));
  CHECK(cuModuleGetFunction(&kernel, module, "trap"));
  CHECK(cuMemAlloc(&from, sizeof in));
  CHECK(cuMemAlloc(&to, sizeof out));
  for (unsigned i = 0; i < N; i++) in[i] = i;
  CHECK(cuMemcpyHtoD(from, in, sizeof in));
  CUresult result = cuLaunchKernel(kernel, CTAS, 1, 1, 1024, 1, 1, 0, NULL, args, NULL);
  if (!result) result = cuCtxSynchronize();
  if (!result) {
    CHECK(cuMemcpyDtoH(out, to, sizeof out));
    for (unsigned i = 0; i < N; i++) sum = sum * 31 + out[i];
    printf("sum %u\n", sum);
  }
  CHECK(cuDevicePrimaryCtxReset(device));
  return result;
}

int main(int argc, char **argv) {
  CUdevice device;
  if (argc != 2) return 2;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  printf("first %d\n", (int)launch(device, (unsigned)atoi(argv[1])));
  CHECK(launch(device, CTAS));
  return 0;
}
C
cd "$work"
must host_program host.c host
for bad in 1 4 6; do
  "$tandem" run ./host -c zorua_kepler "${zorua[@]}" --set zorua.warps=96 --set zorua.values=1 --out "bad$bad" -- $bad >bad$bad.log 2>&1 ||
    fail_showing bad$bad.log "the launch after one in which CTA $bad faults"
  grep '^sum ' bad$bad.log | tail -1 >bad$bad.sum
done
[ -s bad6.sum ] && cmp -s bad1.sum bad6.sum && cmp -s bad4.sum bad6.sum || fail "a launch after a fault computes something else"
grep -q '^first 0' bad6.log && ! grep -q '^first 0' bad1.log && ! grep -q '^first 0' bad4.log || fail_showing bad1.log "no launch faults"
echo "slots given: $(counter zorua_seats many); cycles: $(statistic many core_cycles) for $(statistic usual core_cycles) with 64 warps"
