#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# A stand-in for a user's build of GPGPU-Sim; for bench_options.sh and schemas.sh.

stand_in() { # stand_in: in this folder ./program with the arguments "it's" and "two words", and sim/, the stand-in
  cat >program.c <<'C'
#include <cuda.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  CUdevice device; CUcontext context; CUmodule module; CUfunction function; CUdeviceptr memory;
  unsigned words[64];
  if (argc != 3 || strcmp(argv[1], "it's") || strcmp(argv[2], "two words")) return puts("other arguments"), 1;
  if (cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate(&context, 0, device) || cuModuleLoad(&module, "kernel.ptx")) return 1;
  if (cuModuleGetFunction(&function, module, "square") || cuMemAlloc(&memory, sizeof words)) return 1;
  if (cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, 0, (void *[]){&memory}, 0) || cuMemcpyDtoH(words, memory, sizeof words)) return 1;
  for (unsigned i = 0; i < 64; i++) if (words[i] != i * i) return puts("wrong"), 1;
  return 0;
}
C
  square_ptx >kernel.ptx
  host_program program.c program

  # it takes the place of the libraries as GPGPU-Sim's does, and prints its lines after every kernel
  cat >stand_in.c <<'C'
#include <stdio.h>
int cuInit(unsigned f) { (void)f; return 0; }
int cuDeviceGet(int *d, int n) { *d = n; return 0; }
int cuCtxCreate_v2(void **c, unsigned f, int d) { (void)f, (void)d; *c = c; return 0; }
int cuCtxCreate_v4(void **c, void *p, unsigned f, int d) { (void)p, (void)f, (void)d; *c = c; return 0; }
int cuModuleLoad(void **m, const char *name) { (void)name; *m = m; return 0; }
int cuModuleGetFunction(void **f, void *m, const char *name) { (void)m, (void)name; *f = f; return 0; }
int cuMemAlloc_v2(unsigned long long *p, unsigned long n) { (void)n; *p = 4096; return 0; }
int cuLaunchKernel() {
  printf("gpu_sim_insn = 1\ngpu_tot_sim_insn = 300\ngpu_tot_sim_cycle = 11\n\ngpu_tot_sim_insn =          640\ngpu_tot_sim_cycle = 4711\n");
  printf("gpgpu_simulation_rate = 17 (inst/sec)\n");
  return 0;
}
int cuMemcpyDtoH_v2(unsigned *to, unsigned long long from, unsigned long n) { (void)from; for (unsigned i = 0; i < n / 4; i++) to[i] = i * i; return 0; }
C
  mkdir -p sim/lib/release
  gcc -w -shared -fPIC -Wl,-soname,libcuda.so.1 -o sim/lib/release/libcudart.so stand_in.c
  ln -s libcudart.so sim/lib/release/libcuda.so.1
}
