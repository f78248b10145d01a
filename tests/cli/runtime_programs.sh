#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: cuda
# runtime_programs.sh BUILD_DIR: programs of the CUDA runtime API (tests/cuda), as nvcc compiles them by default, with NVIDIA's static
# runtime inside, and with the shared one. Standard output is the program's alone, the exit code too.
. tests/kit/shell.sh
nvcc=$(command -v nvcc) || skip "no nvcc on the PATH"
cuda=$root/tests/cuda
cd "$work"
unset LD_LIBRARY_PATH LD_PRELOAD
export ASAN_OPTIONS=detect_leaks=0

compile() { # compile OUT FLAG... SOURCE...
  local out=$1
  shift
  "$nvcc" -O1 "$@" -o "$out" >log 2>&1 || fail_showing log "nvcc fails: $*"
}
passes() { # passes PROGRAM OPTION...: it says PASS, and nothing of ours stands on standard output
  local program=$1 status=0
  shift
  "$tandem" run "./$program" -c small --out "out_$program" "$@" >stdout 2>stderr || status=$?
  [ $status = 0 ] || { cat stdout; fail_showing stderr "$program ends with $status"; }
  [ "$(tail -n 1 stdout)" = "Result = PASS" ] || { cat stderr; fail_showing stdout "$program does not pass"; }
  grep -q "^./$program on small" stderr || fail_showing stderr "no summary on standard error"
}

# what the kernel prints stands where the program synchronises; by the host threads it does not change
prints="before
[0,  0]: -7  0.00 text z% 1099511627776 ff
[0,  1]: -7  1.50 text z% 1099511627776 ff
[1,  0]: -7  0.00 text z% 1099511627776 ff
[1,  1]: -7  1.50 text z% 1099511627776 ff
Result = PASS"
# together FILE PROGRAM...: one source, since nvcc takes seconds for a file; the program that it is called by runs. Each has a namespace, behind all
# headers.
together() {
  local out=$1 name
  shift
  {
    { echo '#include <cstring>'; for name; do grep -h '^#include' "$cuda/$name.cu"; done; } | sort -u
    for name; do printf 'namespace %s {\n#define main program\n#include "%s.cu"\n#undef main\n}\n' "$name" "$name"; done
    printf 'template <class F> int call(F f, int, char **, decltype(f()) = 0) { return f(); }\n'
    printf 'template <class F> int call(F f, int n, char **v, decltype(f(0, nullptr)) = 0) { return f(n, v); }\n'
    printf 'int main(int n, char **v) {\n  const char *at = strrchr(v[0], 47);\n  at = at ? at + 1 : v[0];\n'
    for name; do printf '  if (!strcmp(at, "%s")) return call(%s::program, n, v);\n' "$name" "$name"; done
    printf '  return 3;\n}\n'
  } >"$out"
}
compile no_kernels "$cuda/no_kernels.cu"
passes no_kernels
names="vector_add matrix_mul reduction histogram device_query streams threads texture volumes errors graphs graph_edits graph_objects default_streams grid_sync
mapped wide_integers call_time device_calls"
both="vector_add streams errors"
together programs.cu virtual_memory $names
# PTX alone: ptxas takes a while, and what it makes is not run; the separate objects and the tutorial's program have both
ptx="-gencode arch=compute_75,code=compute_75"
compile programs.o $ptx -I"$cuda" -c programs.cu
compile programs programs.o -lcuda
nm programs | grep -q ' [tT] cudaMalloc$' || fail "this nvcc does not link the static runtime by default"
ln programs virtual_memory
passes virtual_memory --set memory.mib=64
for name in $names; do
  ln programs $name
  passes $name
done
[ "$(cat stdout)" = "$prints" ] || fail_showing stdout "a kernel's printf says something else"
grep -q '"graph_0_node_2" -> "graph_1_node_0"' graph.dot || fail_showing graph.dot "the printed graph has no edge to its child"
if command -v dot >/dev/null; then dot -Tsvg graph.dot >graph.svg 2>log || fail_showing log "the printed graph is no DOT"; fi
passes device_calls --threads 2
[ "$(cat stdout)" = "$prints" ] || fail_showing stdout "two host threads print something else"
for name in grid_sync volumes device_calls; do passes $name --functional; done # CTAs that meet; printf and the heap
[ "$(cat stdout)" = "$prints" ] || fail_showing stdout "a kernel prints something else without time"
ends_with 0 "$tandem" run ./device_calls -c small --out out_assert fail # the program expects the error
grep -q '(int)threadIdx.x < n' stderr || fail_showing stderr "the assertion is not named"
grep -q '"result": "fault"' out_assert/run.json || fail "an assertion that fails is no fault"
ends_with 0 "$tandem" run ./device_calls -c small --out out_full full
lost=$(sed -n 's/.*the buffer of printf() was full: the first \([0-9]*\) calls are lost.*/\1/p' stderr)
[ "${lost:-0}" -gt 0 ] || fail_showing stderr "a full buffer of printf says nothing"
[ "$(cat stdout)" = "$(seq "$lost" 99)" ] || fail_showing stdout "of 100 lines, $lost lost, the last ones are not there"
grep -q '"statistics"' out_vector_add/run.json || fail "no statistics of the kernel"
mkdir static
for name in $both; do mv $name out_$name static; done
compile shared -cudart shared programs.o -lcuda
for name in $both; do
  ln shared $name
  passes $name
done
[ "$(jq .statistics static/out_vector_add/run.json)" = "$(jq .statistics out_vector_add/run.json)" ] || fail "the shared runtime counts differently"
# two runtimes in one process: a library has the shared one, the program the static one; both are served, and share the device
cat >half.cu <<'C'
__global__ void half(int *x) { *x /= 2; }
extern "C" cudaError_t halve(int *x) { return half<<<1, 1>>>(x), cudaDeviceSynchronize(); }
C
cat >both.cu <<'C'
#include "check.h"
extern "C" cudaError_t halve(int *);
__global__ void set(int *x) { *x = 42; }
int main() {
  int *x;
  CHECK(cudaMallocManaged(&x, sizeof *x));
  set<<<1, 1>>>(x);
  CHECK(halve(x));
  return verdict(*x != 21);
}
C
compile libhalf.so $ptx -shared -Xcompiler -fPIC -cudart shared half.cu
compile two_runtimes $ptx -I"$cuda" both.cu -L. -lhalf -Xlinker -rpath="$PWD"
passes two_runtimes
compile separate -rdc=true "$cuda/separate_a.cu" "$cuda/separate_b.cu"
passes separate
compile graph_conditions -rdc=true -std=c++17 "$cuda/graph_conditions.cu"
passes graph_conditions
passes graph_conditions --threads 2
# stream 0 is the thread's
mkdir own
mv streams default_streams out_streams out_default_streams own
together per_thread.cu streams default_streams
compile per_thread $ptx -I"$cuda" --default-stream per-thread per_thread.cu
for name in streams default_streams; do
  ln per_thread $name
  passes $name
done

# what only newer architectures have
together newer.cu block_barrier matrix_unit
compile newer -I"$cuda" -std=c++17 -arch=compute_80 newer.cu
ln newer block_barrier
ln newer matrix_unit
passes block_barrier --set compute_capability=80
passes matrix_unit --set compute_capability=80 --set sm.matrix.rate=256
passes matrix_unit --functional --set compute_capability=80 --set sm.matrix.rate=256
ends_with 2 "$tandem" run ./matrix_unit -c small --out out_no_unit --set compute_capability=80
grep -q "multiplies matrices (mma, wmma) and this GPU has no unit for it (sm.matrix.rate is 0)" stderr || fail_showing stderr "a GPU without matrix units says nothing"

# the parameter is what programs see
passes device_query --set compute_capability=90
grep -q 'compute capability 9.0' stdout || fail_showing stdout "compute_capability=90 is not seen"

# by LD_LIBRARY_PATH alone, without tandem run
LD_LIBRARY_PATH=$build/lib/tandem ./vector_add >stdout 2>stderr || fail_showing stderr "vector_add fails by LD_LIBRARY_PATH"
[ "$(cat stdout)" = "Result = PASS" ] || fail_showing stdout "standard output is not the program's alone"

# arguments and exit code are the program's
cat >arguments.cpp <<'C'
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
int main(int argc, char **argv) {
  cudaFree(0);
  for (int i = 1; i < argc; i++) puts(argv[i]);
  return argc > 2 ? atoi(argv[2]) : 0;
}
C
compile arguments arguments.cpp # of no device code
ends_with 77 "$tandem" run ./arguments -c small --out out_arguments -- -n 77 --set
[ "$(cat stdout)" = "$(printf '%s\n' -n 77 --set)" ] || fail_showing stdout "the arguments are not the program's"
ends_with 2 "$tandem" run ./arguments -c small --out out_arguments first 2
[ -f out_arguments/run.json ] || fail "a program that ends with 2 has no run.json"
refused 'saxpy:key=value' "$tandem" run saxpy first
# what the tutorial tells to type
. "$root/tests/kit/pages.sh"
mkdir page
split "$root/docs/tutorials/your-cuda-program.md" page
grep nvcc page/parsed | sed 's/^nvcc /"$nvcc" /' >page/commands
grep -v nvcc page/parsed >>page/commands
[ "$(wc -l <page/commands)" -ge 2 ] || fail "no commands in the tutorial"
ln -s "$build" page/build
(execute page) || fail "in docs/tutorials/your-cuda-program.md"
[ -f page/tandem-out/saxpy/run.json ] || fail "the tutorial's program was not simulated"

echo "programs with the static runtime, with the shared one, of several objects, with arguments"
