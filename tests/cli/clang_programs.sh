#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: cuda
# clang_programs.sh BUILD_DIR: programs of the runtime API that clang++ compiles, host code and kernels, of two files, with the static runtime and
# with the shared one. A clang older than the toolkit cannot read its headers and calls its fatbinary with options of before: it gets
# declarations of our own and a tool that renames the options.
. tests/kit/shell.sh
nvcc=$(command -v nvcc) || skip "no nvcc on the PATH, so no CUDA toolkit"
clang=$(command -v clang++) || skip "no clang++ on the PATH"
cuda=$root/tests/cuda
cd "$work"
unset LD_LIBRARY_PATH LD_PRELOAD
export ASAN_OPTIONS=detect_leaks=0
# the nvcc on the PATH may be a script anywhere, so nvcc itself says where its toolkit and its libraries are
echo 'int main() { return 0; }' >empty.cu
"$nvcc" -dryrun empty.cu >dryrun 2>&1 || skip "nvcc does not say where its toolkit is (nvcc -dryrun)"
toolkit=$(sed -n 's/^#\$ TOP=//p' dryrun)
libraries=$(sed -n 's/^#\$ LIBRARIES= *//p' dryrun | tr -d '"')
static="$libraries -lcudart_static -ldl -lrt -pthread" shared="$libraries -lcudart"
for tool in ptxas fatbinary; do [ -x "$toolkit/bin/$tool" ] || skip "no $tool in nvcc's toolkit"; done
links() { # links LIBRARIES: an empty program links with them
  printf 'int main() { return 0; }\n' | "$clang" -x c++ - $1 -o linked 2>log
}
links "$static" && links "$shared" || skip "nvcc's toolkit lacks a runtime library: $(grep -m1 'cannot find' log)"

passes() { # passes PROGRAM
  ends_with 0 "$tandem" run "./$1" -c small --out "out_$1"
  [ "$(cat stdout)" = "Result = PASS" ] || fail_showing stdout "$1 does not pass"
  [ "$(jq '[.statistics | .. | numbers] | length > 0' "out_$1/run.json")" = true ] || fail "$1 has no statistics"
}

# a clang that knows the toolkit compiles what nvcc compiles
if "$clang" --cuda-path="$toolkit" --cuda-gpu-arch=sm_75 -O1 -c "$cuda/vector_add.cu" -o vector_add.o >log 2>&1; then
  must "$clang" vector_add.o $static -o vector_add
  passes vector_add
fi

mkdir -p sdk/bin sdk/include sdk/lib64 sdk/nvvm/libdevice
touch sdk/nvvm/libdevice/libdevice.10.bc
ln -s "$toolkit/bin/ptxas" sdk/bin/ptxas
cat >sdk/bin/fatbinary <<TOOL
#!/usr/bin/env bash
for option; do
  shift
  case \$option in
    *image=profile=compute_*) option=\${option#*compute_}; set -- "\$@" "--image3=kind=ptx,sm=\${option%%,*},file=\${option#*,file=}" ;;
    *image=profile=sm_*) option=\${option#*sm_}; set -- "\$@" "--image3=kind=elf,sm=\${option%%,*},file=\${option#*,file=}" ;;
    *) set -- "\$@" "\$option" ;;
  esac
done
exec "$toolkit/bin/fatbinary" "\$@"
TOOL
chmod +x sdk/bin/fatbinary
cat >cuda.h <<'C'
#include <cstddef>
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
typedef struct CUstream_st *cudaStream_t;
extern "C" {
int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = nullptr);
int cudaMalloc(void **, size_t);
int cudaMemcpy(void *, const void *, size_t, int);
int cudaMemcpyToSymbol(const void *, const void *, size_t, size_t, int);
int cudaGetLastError(void);
}
int reverse(int *);
C
cat >first.cu <<'C'
#include "cuda.h"
#include <cstdio>
__constant__ int factor;
__global__ void scale(int *x) { x[__nvvm_read_ptx_sreg_tid_x()] *= factor; }
int main() {
  int x[32], *d, three = 3, wrong = 0;
  for (int i = 0; i < 32; i++) x[i] = i;
  wrong += cudaMalloc((void **)&d, sizeof x) || cudaMemcpy(d, x, sizeof x, 1);
  wrong += cudaMemcpyToSymbol((const void *)&factor, &three, sizeof three, 0, 1) != 0;
  scale<<<1, 32>>>(d);
  wrong += cudaGetLastError() || reverse(d) || cudaMemcpy(x, d, sizeof x, 2);
  for (int i = 0; i < 32; i++) wrong += x[i] != 3 * (31 - i);
  printf("Result = %s\n", wrong ? "FAIL" : "PASS");
  return wrong;
}
C
cat >second.cu <<'C'
#include "cuda.h"
__global__ void turn(int *x) {
  __shared__ int copy[32];
  unsigned i = __nvvm_read_ptx_sreg_tid_x();
  copy[i] = x[i];
  __syncthreads();
  x[i] = copy[31 - i];
}
int reverse(int *x) { return turn<<<1, 32>>>(x), cudaGetLastError(); }
C
for file in first second; do
  must "$clang" --cuda-path="$PWD/sdk" --cuda-gpu-arch=sm_75 -nocudainc -nocudalib -Xclang -target-sdk-version=11.5 \
    -Wno-unknown-cuda-version -O1 -c $file.cu -o $file.o
done
must "$clang" first.o second.o $static -o with_static
must "$clang" first.o second.o $shared -o with_shared
passes with_static
passes with_shared
echo "programs that clang++ compiles, with both runtimes"
