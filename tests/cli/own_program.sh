#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# own_program.sh BUILD_DIR: a user's program against the driver API runs on the simulator, by LD_LIBRARY_PATH or by `tandem run`;
# what goes wrong in it has the exit code that the manual promises.
. tests/kit/shell.sh
. tests/kit/kernels.sh
cd "$work"

cat >program.c <<'C'
/* PTX_FILE KERNEL ADDRESS THREADS: launches KERNEL(pointer) with a pointer of ADDRESS, or with memory when that is 0. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define CHECK(call) do { CUresult r = call; const char *n; if (r) { cuGetErrorName(r, &n); fprintf(stderr, "%s: %s\n", #call, n); return r == CUDA_ERROR_INVALID_PTX ? 2 : 1; } } while (0)
int main(void) {
  const char *kernel = getenv("KERNEL"), *address = getenv("ADDRESS"), *crash = getenv("CRASH");
  CUdevice device; CUcontext context; CUmodule module; CUfunction function; CUdeviceptr memory;
  unsigned words[64];
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuCtxCreate(&context, 0, device));
  CHECK(cuModuleLoad(&module, "kernel.ptx"));
  CHECK(cuModuleGetFunction(&function, module, kernel));
  CHECK(cuMemAlloc(&memory, sizeof words));
  if (crash) abort();
  CUdeviceptr pointer = address ? strtoull(address, 0, 0) : memory;
  CHECK(cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, 0, (void *[]){&pointer}, 0));
  CHECK(cuCtxSynchronize());
  CHECK(cuMemcpyDtoH(words, memory, sizeof words));
  for (unsigned i = 0; i < 64; i++) if (words[i] != i * i) return puts("wrong"), 1;
  puts("right");
  return 0;
}
C
{ square_ptx; echo '.visible .entry nothing(.param .u64 out) { ret; }'; stuck_ptx; } >kernel.ptx
host_program program.c program

# the plain way: nothing but the library
KERNEL=square LD_LIBRARY_PATH=$build/lib/tandem ./program >log 2>&1 || fail_showing log "the program fails by LD_LIBRARY_PATH"
grep -qx right log
[ "$(ls)" = "$(printf 'kernel.ptx\nlog\nprogram\nprogram.c')" ] || fail "a run without TANDEM_OUT writes files: $(ls)"
KERNEL=square LD_LIBRARY_PATH=$build/lib/tandem TANDEM_MACHINE=small TANDEM_OUT=out ./program >/dev/null
grep -q '"machine": "small"' out/run.json || fail "no run.json for TANDEM_OUT"
rm -rf out

expect() { # expect EXIT WORD RESULT [VARIABLE=VALUE...]: RESULT "" means that no run.json is left
  local wanted=$1 word=$2 result=$3 status=0
  shift 3
  rm -rf out
  env "$@" "$tandem" run ./program -c small --set watchdog=1000 --out out >log 2>&1 || status=$?
  [ $status = "$wanted" ] || fail_showing log "exit $status instead of $wanted: $*"
  grep -qF -e "$word" log || fail_showing log "no '$word' for $*"
  if [ -n "$result" ]; then
    grep -q "\"result\": \"$result\"" out/run.json || fail "the verdict of $* is not $result"
  else
    [ ! -e out/run.json ] || fail "a run.json is left by $*"
  fi
}
expect 0 right pass KERNEL=square
expect 1 wrong fail KERNEL=nothing
expect 1 "kernel.ptx:13" fault KERNEL=square ADDRESS=0x77
expect 1 "0x4000000000" fault KERNEL=square ADDRESS=0x4000000000
expect 1 "thread (0,0,0)" fault KERNEL=square ADDRESS=0x4000000000
expect 3 "deadlock of kernel 'stuck'" deadlock KERNEL=stuck
expect 3 "signal 6" "" KERNEL=square CRASH=1

# PTX that is cut off or beyond what is supported: file, line, instruction
cp kernel.ptx whole.ptx
head -9 whole.ptx >kernel.ptx
expect 2 "kernel.ptx:" "" KERNEL=square
sed 's/mul.lo.u32 %r2/frob.lo.u32 %r2/' whole.ptx >kernel.ptx
expect 2 "kernel.ptx:10" "" KERNEL=square
grep -qF frob log || fail "the refused instruction is not named"
sed '9s/mov.u32 %r1, %tid.x;/wmma.load.a.sync.aligned.row.m16n16k16.f16 %r1, [%rd1];/' whole.ptx >kernel.ptx
expect 2 "kernel.ptx:9" "" KERNEL=square
printf '\177ELF' >kernel.ptx
expect 2 "PTX" "" KERNEL=square
echo "own programs: right, wrong, fault, deadlock, crash, refused PTX"
