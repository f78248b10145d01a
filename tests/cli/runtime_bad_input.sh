#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: cuda
# runtime_bad_input.sh BUILD_DIR: programs of the runtime API that cannot be served end with 2 and a sentence that says how to
# build them: machine code alone, PTX of a newer GPU, a damaged fat binary, a stripped program, one linked as a whole.
. tests/kit/shell.sh
nvcc=$(command -v nvcc) || skip "no nvcc on the PATH"
cd "$work"
unset LD_LIBRARY_PATH LD_PRELOAD
export ASAN_OPTIONS=detect_leaks=0
run() { refused "$1" "$tandem" run "./$2" -c small --out out "${@:3}"; [ ! -e out ] || fail "$2: a result is left: $(ls out)"; }

cat >good.cu <<'C'
__global__ void store(int *x) { *x = 1; }
int main() {
  int x = 0, *d;
  cudaMalloc(&d, 4);
  store<<<1, 1>>>(d);
  cudaError_t error = cudaMemcpy(&x, d, 4, cudaMemcpyDeviceToHost);
  return error || x != 1;
}
C
must "$nvcc" -c good.cu -o good.o
must "$nvcc" -cudart shared good.o -o good
# the stripped one has no symbol table, wherever its runtime is
must "$nvcc" good.o -o static
strip static -o stripped
run 'stripped.*-cudart shared' stripped
strip good -o good_stripped
must "$tandem" run ./good_stripped -c small --out out
rm -r out

must "$nvcc" -cudart shared -gencode arch=compute_80,code=sm_80 good.cu -o machine
run 'only machine code and no PTX; pass -gencode arch=compute_75,code=compute_75' machine
must "$nvcc" -cudart shared -gencode arch=compute_90,code=compute_90 good.cu -o newer
run 'for compute capability 9.0 and newer, and the GPU.s is 7.5; .*compute_capability=90' newer
must "$tandem" run ./newer -c small --set compute_capability=90 --out out
rm -r out
# of several the newest that is not newer; the kernel tells which
cat >arch.cu <<'C'
#include <cstdio>
__global__ void arch(int *x) {
#ifdef __CUDA_ARCH__
  *x = __CUDA_ARCH__;
#endif
}
int main() {
  int x = 0, *d;
  cudaMalloc(&d, 4);
  arch<<<1, 1>>>(d);
  cudaMemcpy(&x, d, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", x);
}
C
must "$nvcc" -cudart shared -gencode arch=compute_75,code=compute_75 -gencode arch=compute_80,code=compute_80 \
  -gencode arch=compute_90,code=sm_90 arch.cu -o several
for pair in 79:750 90:800; do
  ends_with 0 "$tandem" run ./several -c small --set "compute_capability=${pair%:*}" --out out
  [ "$(cat stdout)" = "${pair#*:}" ] || fail_showing stdout "PTX for capability ${pair%:*} is not ${pair#*:}"
done
rm -r out

# fat binaries that are cut off: their first entry says that it is longer than the whole
cp good damaged
LC_ALL=C grep -obUaP '\x50\xed\x55\xba' good | cut -d: -f1 | while read -r at; do
  printf '\377\377\377' | dd of=damaged bs=1 seek=$((at + 24)) conv=notrunc status=none
done
planted good damaged "the size of an entry"
run 'cut off or damaged' damaged

# PTX that the simulator does not know: by default a program goes on without the kernel, and its zero is no pass
cat >unknown.cu <<'C'
__global__ void video() { asm volatile("{ .reg .s32 a; vadd.s32.s32.s32 a, 1, 2; }"); }
int main() { video<<<1, 1>>>(); }
C
must "$nvcc" -cudart shared -gencode arch=compute_90,code=compute_90 unknown.cu -o unknown
run "unsupported instruction 'vadd" unknown --set compute_capability=90

# kernels that launch kernels: by name, before the device runtime's library is looked at, and before anything runs
cat >nested.cu <<'C'
#include <cstdlib>
__global__ void inner() {}
__global__ void outer() { inner<<<1, 1>>>(); }
int main() {
  void *memory;
  if (cudaMalloc(&memory, 16)) return 3;
  if (getenv("UNUSED")) return 0;
  outer<<<1, 1>>>();
  return cudaDeviceSynchronize() != cudaSuccess;
}
C
must "$nvcc" -rdc=true nested.cu -o nested
run 'kernels that launch kernels (dynamic parallelism) are not simulated' nested
UNUSED=1 run 'kernels that launch kernels (dynamic parallelism) are not simulated' nested # and when it is never launched

# no CUDA at all, and a library that is missing
cat >none.c <<'C'
int main(void) { return 0; }
C
gcc none.c -o none
run 'without using the driver API or the runtime API' none
echo "stripped, machine code alone, newer PTX, damaged, unknown instructions, nested launches, no CUDA"
