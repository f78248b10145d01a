#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: d2ma
# dma_intrinsics.sh BUILD_DIR: every DMA call of tandem_device.h leaves in shared memory, byte for byte, what the host computes
# from the description of its mode: with the system, with TANDEM_NO_SYSTEM's loads and barriers, and from nvcc's PTX, which
# NVIDIA's assembler accepts, where there is one; ptxas also accepts the version d2ma_plain of every workload.
. tests/kit/shell.sh
cd "$work"

cat >tile.h <<'C'
/* type: char short int float double long float2; shape: flat, strided, 2D, flat without a buffer's number (0) */
struct tile {
  unsigned type, shape, columns, rows, stride, halo, halo_rows, halo_columns, region, bank, words, buf, at;
  int constant;
};
enum { SPACE = 8192 };
C
cat >kernels.cu <<'C'
#include "tandem_device.h"
#include "tile.h"
static __device__ void leave(const unsigned char *space, unsigned char *out) {
  for (unsigned i = threadIdx.x; i < SPACE; i += blockDim.x) out[i] = space[i];
}
extern "C" __global__ void copy(tile t, const char *first, const char *second, unsigned char *out) {
  __shared__ unsigned long long words[SPACE / 8];
  unsigned char *space = (unsigned char *)words;
  for (unsigned i = threadIdx.x; i < SPACE; i += blockDim.x) space[i] = 0xa5;
  __syncthreads();
  if (t.type == 0) dma_set_datatype_char(t.buf);
  if (t.type == 1) dma_set_datatype_short(t.buf);
  if (t.type == 2) dma_set_datatype_int(t.buf);
  if (t.type == 3) dma_set_datatype_float(t.buf);
  if (t.type == 4) dma_set_datatype_double(t.buf);
  if (t.type == 5) dma_set_datatype_long(t.buf);
  if (t.type == 6) dma_set_datatype_float2(t.buf);
  if (t.halo) dma_set_halo(t.halo_rows, t.halo_columns, t.region, t.constant, t.buf);
  if (t.bank) dma_set_bank_conflict(t.words, t.buf);
  if (t.shape == 0) dma_configure_flat_unit_stride(space + t.at, first, t.columns, t.buf);
  if (t.shape == 1) dma_configure_flat_strided(space + t.at, first, t.columns, t.stride, t.buf);
  if (t.shape == 2) dma_configure_2d(space + t.at, first, t.columns, t.rows, t.stride, t.buf);
  if (t.shape == 3) dma_configure_flat_unit_stride(space + t.at, first, t.columns);
  leave(space, out);
  if (t.shape == 3) dma_execute(space + t.at, second);
  else dma_execute(space + t.at, second, t.buf);
  leave(space, out + SPACE);
}
C
cat >host.c <<'C'
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tile.h"
#define CHECK(call) do { CUresult r = call; if (r) { fprintf(stderr, "%s: %d\n", #call, r); return 2; } } while (0)
enum { SOURCE = 1 << 20, CASES = 150 };
static uint8_t source[SOURCE], want[2 * SPACE], got[2 * SPACE];
static uint64_t state;
static unsigned pick(unsigned n) { /* 0 .. n - 1 */
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % n;
}
static int border(const struct tile *t, int r, int c, int w, int h) {
  static const char *const sides[] = {"", "NW", "N", "NE", "W", "E", "SW", "S", "SE", ""};
  const char *s = sides[t->region & 15];
  return (r < 0 && (strchr(s, 'N') || t->region & 0x80)) || (r >= h && (strchr(s, 'S') || t->region & 0x40)) ||
         (c < 0 && (strchr(s, 'W') || t->region & 0x20)) || (c >= w && (strchr(s, 'E') || t->region & 0x10));
}
static void expect(const struct tile *t, unsigned bytes, const uint8_t *from, uint8_t *space) {
  int w = (int)t->columns, h = t->shape == 2 ? (int)t->rows : 1, hr = 0, hc = 0;
  long row_step = 0, column_step = 1;
  unsigned at = t->at, filled = 0;
  if (t->halo) hr = (int)t->halo_rows, hc = (int)t->halo_columns;
  if (t->shape == 2) row_step = t->stride ? t->stride : 1;
  if (t->shape == 1) column_step = t->stride ? t->stride : 1;
  if (t->halo && t->shape != 2) row_step = t->shape == 1 ? column_step : 1, column_step = 1;
  if (!w || !h) return;
  for (int r = -hr; r < h + hr; r++)
    for (int c = -hc; c < w + hc; c++) {
      int64_t constant = (int16_t)t->constant;
      if (t->halo && border(t, r, c, w, h)) memcpy(space + at, &constant, bytes);
      else memcpy(space + at, from + (r * row_step + c * column_step) * (long)bytes, bytes);
      at += bytes, filled += bytes;
      if (t->bank && t->words && filled == t->words * 128) at += bytes > 4 ? bytes : 4, filled = 0;
    }
}
static struct tile draw(unsigned k, unsigned bytes) {
  struct tile t = {.type = k % 7, .shape = k / 7 % 4, .buf = pick(4), .at = 8 * pick(60)};
  unsigned mode = pick(3), most = 4096 / bytes;
  t.stride = pick(3) ? pick(100) : pick(3);
  t.columns = pick(20) ? 1 + pick(most > 600 ? 600 : most) : 0;
  if (t.shape == 3) t.buf = 0;
  if (t.shape == 2) t.columns = 1 + pick(40), t.rows = pick(20) ? 1 + pick(2048 / bytes / 40) : 0;
  if (mode == 1) {
    t.halo = 1, t.region = 1 + pick(9) + (pick(2) ? 16 * pick(16) : 0), t.constant = (int)pick(65536) - 32768;
    if (bytes < 8) t.halo_rows = pick(1 + (t.shape == 2 ? (t.rows < 4 ? t.rows : 4) : 1));
    t.halo_columns = pick(1 + (t.columns < 6 ? t.columns : 6));
    if (t.shape != 2 && t.columns > 300) t.columns = 300;
  }
  if (mode == 2) t.bank = 1, t.words = pick(4);
  return t;
}
int main(int argc, char **argv) {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr memory, out;
  uint64_t seed = argc > 2 ? strtoull(argv[2] + strlen("seed="), NULL, 10) : 1;
  state = seed;
  for (unsigned i = 0; i < SOURCE; i++) source[i] = (uint8_t)pick(256);
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoad(&module, argv[1] + strlen("ptx=")));
  CHECK(cuModuleGetFunction(&kernel, module, "copy"));
  CHECK(cuMemAlloc(&memory, SOURCE));
  CHECK(cuMemAlloc(&out, sizeof got));
  CHECK(cuMemcpyHtoD(memory, source, SOURCE));
  for (unsigned k = 0; k < CASES; k++) {
    static const unsigned sizes[] = {1, 2, 4, 4, 8, 8, 8};
    unsigned bytes = sizes[k % 7], first = 65536 + pick(256) * bytes, second = 65536 + pick(256) * bytes;
    struct tile t = draw(k, bytes);
    CUdeviceptr from[2] = {memory + first, memory + second};
    memset(want, 0xa5, sizeof want);
    expect(&t, bytes, source + first, want);
    memcpy(want + SPACE, want, SPACE);
    expect(&t, bytes, source + second, want + SPACE);
    void *arguments[] = {&t, &from[0], &from[1], &out};
    CHECK(cuLaunchKernel(kernel, 1, 1, 1, 32 * (1 + pick(6)), 1, 1, 0, NULL, arguments, NULL));
    CHECK(cuMemcpyDtoH(got, out, sizeof got));
    for (unsigned i = 0; i < sizeof got; i++)
      if (got[i] != want[i]) {
        printf("seed %llu case %u type %u shape %u columns %u rows %u stride %u halo %u %u %u region %u bank %u words %u at %u: "
               "byte %u of transfer %u is %02x, not %02x\n", (unsigned long long)seed, k, t.type, t.shape, t.columns, t.rows,
               t.stride, t.halo, t.halo_rows, t.halo_columns, t.region, t.bank, t.words, t.at, i % SPACE, i / SPACE, got[i],
               want[i]);
        return 1;
      }
  }
  printf("%u cases agree\n", CASES);
  return 0;
}
C
gcc -O1 -I"$headers" host.c -o host -L"$build/lib/tandem" -lcuda
compile() { to_ptx kernels.cu "$1" "${@:2}" || fail_showing log "$1 does not compile"; } # compile OUT FLAG...
agree() { # agree PTX OPTION...
  "$tandem" run "./host:ptx=$1,seed=$seed" "${@:2}" --out run >log 2>&1 || fail_showing log "$1 ${*:2}: wrong"
  grep -q '^150 cases agree' log || fail_showing log "$1: no verdict"
}
seed=$((RANDOM + 1))
echo "seed $seed"
compile system.ptx
compile plain.ptx -DTANDEM_NO_SYSTEM
grep -q 'dma_' plain.ptx && grep 'call.*dma_' plain.ptx && fail "the plain form calls the system"
agree system.ptx --system d2ma
agree plain.ptx

# The check can fail: a pad that is left out.
sed 's/pad = sizeof(T) > 4 ? 1 : 4 \/ sizeof(T)/pad = 0/' "$headers/tandem_device_plain.h" >tandem_device_plain.h
planted "$headers/tandem_device_plain.h" tandem_device_plain.h "no pad"
cp "$headers"/tandem_device.h "$headers"/tandem_device_clang.h "$headers"/tandem_device_texture.h .
compile planted.ptx -I. -DTANDEM_NO_SYSTEM
rm tandem_device*.h
if "$tandem" run "./host:ptx=planted.ptx,seed=$seed" --out run >log 2>&1; then fail "a planted error is not seen"; fi
grep -q 'byte .* is' log || fail_showing log "a planted error is not seen"

if command -v nvcc >/dev/null; then
  nvcc -ptx -DTANDEM_NO_SYSTEM -I"$headers" -I. kernels.cu -o nvcc.ptx >log 2>&1 || fail_showing log "nvcc refuses the plain form"
  agree nvcc.ptx
fi
if command -v ptxas >/dev/null; then
  count=0
  for ptx in plain.ptx "$build"/ptx/*/d2ma_plain.ptx; do
    ptxas -arch sm_80 "$ptx" -o cubin >log 2>&1 || fail_showing log "ptxas refuses $ptx"
    count=$((count + 1))
  done
  echo "ptxas takes $count modules"
else
  echo "no ptxas: not checked by NVIDIA's assembler"
fi
