#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: xmem
# xmem_software.sh BUILD_DIR: after random maps and unmaps in 1, 2 and 3 dimensions, activations and deactivations, from kernels (one
# warp in its order; many warps at once, each on pages of its own) and from the host, the tables in memory say of every unit of
# every page what a description by bytes says. Pages that were freed have no atom, IDs of a second module follow those of the
# first, kernels without the system do without, and a host with another driver. Both compilers, both units; NVIDIA's assembler
# takes what needs no system, where there is one.
. tests/kit/shell.sh
cd "$work"

cat >atoms.h <<'C'
#define ATOMS(CreateAtom) \
  CreateAtom(RED, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 100, 10) \
  CreateAtom(GREEN, XMEM_INT32 | XMEM_INDEX, XMEM_IRREGULAR, 0, XMEM_READ_WRITE, 200, 255) \
  CreateAtom(BLUE, XMEM_CHAR8 | XMEM_SPARSE, XMEM_NON_DET, 0, XMEM_WRITE_ONLY, 0, 0) \
  CreateAtom(GREY, XMEM_FLOAT64 | XMEM_APPROXIMABLE, XMEM_REGULAR, -4096, XMEM_READ_WRITE, 255, 128)
struct op {
  unsigned kind, dim, aid, first_lane, len_x, len_y, size_x, size_y, size_z; /* kind: map, unmap, activate, deactivate */
  unsigned long long start;
};
C
cat >kernels.cu <<'C'
#include "xmem.h"
#include "atoms.h"
XMEM_ATOM_TABLE(ATOMS)
/* Warp w does operations w * each .. w * each + each - 1; lanes after the first active one say something else. */
extern "C" __global__ void act(const op *ops, unsigned each, unsigned *lanes) {
  unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, active = 0;
  for (unsigned i = warp * each; i < warp * each + each; i++) {
    op o = ops[i];
    if (lane < o.first_lane) continue;
    unsigned off = lane - o.first_lane;
    char *at = (char *)o.start + 4096 * off;
    if (o.kind >= 2) {
      if (o.kind == 2) AtomActivate(o.aid + off);
      else AtomDeactivate(o.aid + off);
    } else if (o.dim == 1) {
      AtomMap(o.aid + off, at, o.size_x + off, o.kind == 0 ? XMEM_MAP : XMEM_UNMAP);
    } else if (o.dim == 2) {
      Atom2DMap(o.aid + off, at, o.len_x + off, o.size_x + off, o.size_y + off, o.kind == 0 ? XMEM_MAP : XMEM_UNMAP);
    } else {
      Atom3DMap(o.aid + off, at, o.len_x + off, o.len_y + off, o.size_x + off, o.size_y + off, o.size_z + off,
                o.kind == 0 ? XMEM_MAP : XMEM_UNMAP);
    }
    active++;
  }
  lanes[blockIdx.x * blockDim.x + threadIdx.x] = active;
}
C
cat >host.c <<'C'
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "atoms.h"
#include "xmem.h"
XMEM_ATOM_IDS(ATOMS);
#define CHECK(call) do { CUresult r = call; if (r) { fprintf(stderr, "%s: %d\n", #call, r); exit(2); } } while (0)
enum { NONE = 255, SPACE = 1 << 20, WARPS = 24, EACH = 12, ROUNDS = 5, UNITS = 4 * SPACE / 512 };
static uint64_t state, first_address;
static unsigned unit = 512, atom_of[UNITS];
static int active[4];
static CUresult (*lookup)(CUdeviceptr, unsigned *, int *);
static unsigned pick(unsigned n) { /* 0 .. n - 1 */
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % n;
}
/* What the operation says, byte by byte. */
static void describe(const struct op *o) {
  unsigned long long rows = o->dim > 1 ? o->size_y : 1, planes = o->dim > 2 ? o->size_z : 1;
  if (o->kind >= 2) { active[o->aid] = o->kind == 2; return; }
  for (unsigned long long z = 0; z < planes; z++)
    for (unsigned long long y = 0; y < rows; y++)
      for (unsigned long long x = 0; x < o->size_x; x++) {
        unsigned long long at = o->start + z * o->len_x * o->len_y + y * o->len_x + x;
        if (at >= first_address && (at - first_address) / unit < UNITS)
          atom_of[(at - first_address) / unit] = o->kind ? NONE : o->aid;
      }
}
static struct op draw(unsigned long long from, unsigned long long bytes) {
  struct op o = {.kind = pick(8), .dim = 1 + pick(3), .aid = pick(4), .first_lane = pick(4) ? 0 : pick(32)};
  o.kind = o.kind < 5 ? 0 : o.kind - 4;
  o.size_x = pick(8) ? 1 + pick(9000) : 0;
  o.len_x = pick(3) ? o.size_x + pick(9000) : o.size_x;
  o.len_y = 1 + pick(12), o.size_y = pick(10), o.size_z = pick(4);
  if (o.dim == 1) o.size_x *= 1 + pick(5);
  if (pick(2)) o.size_y = o.len_y;
  unsigned long long reach = o.dim == 1 ? o.size_x : (unsigned long long)o.len_x * (o.size_y + (o.dim > 2 ? o.len_y * o.size_z : 0)) + o.size_x;
  while (reach > bytes) o.size_z = 0, o.dim = 1, reach = o.size_x = pick((unsigned)bytes);
  o.start = from + pick((unsigned)(bytes - reach) + 1);
  return o;
}
static unsigned seen[4];
static void compare(const char *when) {
  for (unsigned u = 0; u < UNITS * (512 / 256) / (unit / 256); u++) {
    unsigned aid;
    int is_active;
    CUresult r = lookup(first_address + (unsigned long long)u * unit, &aid, &is_active);
    if (r == CUDA_ERROR_NOT_FOUND) continue; /* no such page */
    CHECK(r);
    if (aid != atom_of[u] || is_active != (aid != NONE && active[aid])) {
      printf("%s: unit %u (0x%llx) has atom %u (%s), not %u (%s)\n", when, u, first_address + (unsigned long long)u * unit, aid,
             is_active ? "active" : "inactive", atom_of[u], atom_of[u] != NONE && active[atom_of[u]] ? "active" : "inactive");
      exit(1);
    }
    if (aid < 4) seen[aid]++;
  }
}
static CUdeviceptr ops_memory, lanes;
static void launch(CUfunction kernel, const struct op *ops, unsigned warps, unsigned each) {
  void *arguments[] = {&ops_memory, &each, &lanes};
  CHECK(cuMemcpyHtoD(ops_memory, ops, sizeof *ops * warps * each));
  CHECK(cuLaunchKernel(kernel, warps % 6 ? 1 : warps / 6, 1, 1, warps % 6 ? 32 * warps : 192, 1, 1, 0, NULL, arguments, NULL));
  for (unsigned i = 0; i < warps * each; i++) describe(&ops[i]);
}
int main(int argc, char **argv) {
  static struct op ops[WARPS * EACH];
  CUdevice device;
  CUcontext context;
  CUmodule module, second;
  CUfunction kernel;
  CUdeviceptr space[3];
  struct xmem x, y;
  const char *ptx = NULL;
  for (int i = 1; i < argc; i++) {
    if (!strncmp(argv[i], "ptx=", 4)) ptx = argv[i] + 4;
    if (!strncmp(argv[i], "seed=", 5)) state = strtoull(argv[i] + 5, NULL, 10);
    if (!strncmp(argv[i], "unit=", 5)) unit = (unsigned)atoi(argv[i] + 5);
  }
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoad(&module, ptx));
  CHECK(cuModuleGetFunction(&kernel, module, "act"));
  CHECK(xmemOpen(&x, module));
  for (unsigned i = 0; i < UNITS; i++) atom_of[i] = NONE;
  CHECK(cuMemAlloc(&ops_memory, sizeof ops));
  CHECK(cuMemAlloc(&lanes, 4 * 32 * WARPS));
  if (!x.request) { /* without the system: the calls do nothing, the kernel runs */
    unsigned got[32 * WARPS];
    CHECK(xmemAlloc(&x, &space[0], SPACE, BLUE));
    CHECK(xmemMap(&x, 99, 0, 0, XMEM_MAP));
    for (unsigned i = 0; i < WARPS * EACH; i++) ops[i] = draw(space[0], SPACE);
    launch(kernel, ops, WARPS, EACH);
    CHECK(cuMemcpyDtoH(got, lanes, sizeof got));
    for (unsigned t = 0; t < 32 * WARPS; t++) {
      unsigned want = 0;
      for (unsigned i = 0; i < EACH; i++) want += t % 32 >= ops[t / 32 * EACH + i].first_lane;
      if (got[t] != want) return printf("thread %u counts %u, not %u\n", t, got[t], want), 1;
    }
    puts("no atoms");
    return 0;
  }
  CUdriverProcAddressQueryResult found;
  CHECK(cuGetProcAddress("tandemXmemLookup", (void **)&lookup, CUDA_VERSION, 0, &found));
  CHECK(xmemAlloc(&x, &space[0], SPACE, BLUE));
  first_address = space[0] & ~4095ull;
  CHECK(cuMemAlloc(&space[1], SPACE));
  CHECK(xmemAlloc(&x, &space[2], SPACE - 5000, GREY));
  for (unsigned i = 0; i < 2; i++) { /* both are whole pages of their own */
    struct op all = {.dim = 1, .aid = i ? GREY : BLUE, .size_x = i ? SPACE - 5000 : SPACE, .start = space[2 * i]};
    describe(&all);
  }
  for (unsigned round = 0; round < ROUNDS; round++) {
    for (unsigned i = 0; i < EACH; i++) ops[i] = draw(space[round % 3], SPACE - 5000);
    launch(kernel, ops, 1, EACH);
    compare("one warp");
    unsigned piece = SPACE / WARPS & ~4095u;
    for (unsigned w = 0; w < WARPS; w++)
      for (unsigned i = 0; i < EACH; i++) {
        struct op *o = &ops[w * EACH + i];
        *o = draw(((space[1] + 4095) & ~4095ull) + w * piece, w == WARPS - 1 ? piece - 4096 : piece);
        if (o->kind >= 2) o->kind = 0; /* whether an atom is active: one order */
      }
    launch(kernel, ops, WARPS, EACH);
    compare("many warps");
    for (unsigned i = 0; i < EACH; i++) {
      struct op o = draw(space[(round + 1) % 3], SPACE - 5000);
      enum xmem_how how = o.kind ? XMEM_UNMAP : XMEM_MAP;
      if (!o.size_x || (o.dim > 1 && !o.size_y) || (o.dim > 2 && !o.size_z)) continue; /* refused: xmem_bad_input.sh */
      if (o.kind == 2) CHECK(xmemActivate(&x, o.aid));
      else if (o.kind == 3) CHECK(xmemDeactivate(&x, o.aid));
      else if (o.dim == 1) CHECK(xmemMap(&x, o.aid, o.start, o.size_x, how));
      else if (o.dim == 2) CHECK(xmem2DMap(&x, o.aid, o.start, o.len_x, o.size_x, o.size_y, how));
      else CHECK(xmem3DMap(&x, o.aid, o.start, o.len_x, o.len_y, o.size_x, o.size_y, o.size_z, how));
      describe(&o);
    }
    launch(kernel, ops, 1, 0);
    compare("host");
  }
  for (int a = 0; a < 4; a++)
    if (!seen[a]) return printf("atom %d was not seen\n", a), 1;
  /* pages that were freed */
  CUdeviceptr again;
  CHECK(cuMemFree(space[2]));
  CHECK(cuMemAlloc(&again, SPACE - 8192));
  struct op all = {.kind = 1, .dim = 1, .size_x = SPACE, .start = space[2]};
  describe(&all);
  launch(kernel, ops, 1, 0);
  if (again == space[2]) compare("freed");
  /* the second module's */
  CHECK(cuModuleLoad(&second, ptx));
  CHECK(cuModuleGetFunction(&kernel, second, "act"));
  CHECK(xmemOpen(&y, second));
  struct op its = {.dim = 1, .aid = GREEN, .size_x = 512, .start = first_address};
  launch(kernel, &its, 1, 1);
  CHECK(xmemMap(&y, GREY, first_address + 4096, 1, XMEM_MAP));
  launch(kernel, ops, 1, 0);
  for (unsigned i = 0; i < 2; i++) {
    unsigned aid = 0, want = i ? 4 + GREY : 4 + GREEN;
    int is_active;
    CHECK(lookup(first_address + 4096 * i, &aid, &is_active));
    if (aid != want || is_active) return printf("second module: atom %u, not %u\n", aid, want), 1;
  }
  printf("%u rounds agree\n", ROUNDS);
  return 0;
}
C
gcc -O1 -Wall -Wextra -I"$headers" host.c -o host -L"$build/lib/tandem" -lcuda
compile() { to_ptx kernels.cu "$1" "${@:2}" || fail_showing log "$1 does not compile"; } # compile OUT FLAG...
agree() { # agree WORDS PTX,ARGUMENT... OPTION...
  "$tandem" run "./host:ptx=$2,seed=$seed" "${@:3}" --out run >log 2>&1 || fail_showing log "$2 ${*:3}: wrong"
  grep -q "^$1" log || fail_showing log "$2: no verdict"
}
seed=$((RANDOM + 1))
echo "seed $seed"
compile system.ptx
compile plain.ptx -DTANDEM_NO_SYSTEM
compile baseline.ptx -DTANDEM_VERSION_BASELINE
grep -Eq 'amu_|atom_|__xmem' plain.ptx baseline.ptx && fail "a kernel without the system calls it"
agree '5 rounds agree' system.ptx --system xmem
grep -q '"xmem_stalls": [1-9]' run/run.json || fail "no warp ever waited for a slot"
grep -q '"driver_cycles": [1-9]' run/run.json || fail "what the host asks takes the AMUs no time"
agree '5 rounds agree' system.ptx,unit=1024 --system xmem --set xmem.unit=1024 --set xmem.id_bits=6 --set mmu.frames=random
agree 'no atoms' plain.ptx
grep -q '"driver_cycles": 0' run/run.json || fail "time passes between launches without the system"
agree 'no atoms' plain.ptx --system xmem

# Another driver knows none of the calls: the host's do nothing.
cat >hide.c <<'C'
#include <cuda.h>
#undef cuGetProcAddress
CUresult cuGetProcAddress_v2(const char *name, void **function, int version, cuuint64_t flags, CUdriverProcAddressQueryResult *status) {
  (void)name, (void)version, (void)flags;
  *function = 0;
  *status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return CUDA_ERROR_NOT_FOUND;
}
C
gcc -shared -fPIC -I"$headers" hide.c -o hide.so
LD_PRELOAD=$PWD/hide.so agree 'no atoms' system.ptx --system xmem

# The check can fail: lanes that are not the lowest active one.
sed 's/= lane - o.first_lane/= lane + 1 - o.first_lane/' kernels.cu >planted.cu
planted kernels.cu planted.cu "another lane"
mv planted.cu kernels.cu
compile planted.ptx
if "$tandem" run "./host:ptx=planted.ptx,seed=$seed" --system xmem --out run >log 2>&1; then fail "a planted error is not seen"; fi
grep -q 'unit .* has atom' log || fail_showing log "a planted error is not seen"

if command -v nvcc >/dev/null; then
  sed 's/= lane + 1 - o.first_lane/= lane - o.first_lane/' -i kernels.cu
  nvcc -ptx -rdc=true -I"$headers" -I. kernels.cu -o nvcc.ptx >log 2>&1 || fail_showing log "nvcc refuses xmem.h"
  agree '5 rounds agree' nvcc.ptx --system xmem
fi

if command -v ptxas >/dev/null; then
  for ptx in plain.ptx "$build/ptx/gemm/xmem_plain.ptx" "$build/ptx/stream/xmem.ptx"; do
    ptxas -arch sm_80 "$ptx" -o cubin >log 2>&1 || fail_showing log "ptxas refuses $ptx"
  done
fi
