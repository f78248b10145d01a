#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: xmem
# xmem_bad_input.sh BUILD_DIR: what XMem cannot take is refused with a sentence where a program can read it (compilers, the driver),
# and has no effect and is counted where it cannot (instructions: hints are no reason to end a kernel).
. tests/kit/shell.sh
cd "$work"

# ---- attributes that do not exist: the compiler says which atom and what there is ----
row() { # row WORDS ROW: the table with this row is refused by the kernel's and the host's compiler, both say WORDS
  printf '#include "xmem.h"\n#define ATOMS(X) X(GOOD, XMEM_INT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 0, 255) X(%s)\n' "$2" >table.h
  printf '#include "table.h"\nXMEM_ATOM_TABLE(ATOMS)\n' >table.cu
  printf '#include <cuda.h>\n#include "table.h"\nXMEM_ATOM_IDS(ATOMS);\n' >table.c
  ! to_ptx table.cu table.ptx || fail "clang takes the atom $2"
  grep -q "$1" log || fail_showing log "clang does not say '$1' of $2"
  if gcc -fsyntax-only -I"$headers" -I. table.c >log 2>&1; then fail "gcc takes the atom $2"; fi
  grep -q "$1" log || fail_showing log "gcc does not say '$1' of $2"
}
row 'atom BAD: the pattern is XMEM_REGULAR' 'BAD, XMEM_INT32, 7, 4, XMEM_READ_ONLY, 0, 0'
row 'atom BAD: the accesses are' 'BAD, XMEM_INT32, XMEM_REGULAR, 4, 3, 0, 0'
row 'atom BAD: the stride takes 32 bits' 'BAD, XMEM_INT32, XMEM_REGULAR, 1ll << 40, XMEM_READ_ONLY, 0, 0'
row 'atom BAD: the access intensity is 0 to 255' 'BAD, XMEM_INT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 256, 0'
row 'atom BAD: the reuse is 0 to 255' 'BAD, XMEM_INT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 0, -1'
row 'atom BAD: the data bits' 'BAD, 1ull << 40, XMEM_REGULAR, 4, XMEM_READ_ONLY, 0, 0'
row 'XMEM_HOT' 'BAD, XMEM_HOT, XMEM_REGULAR, 4, XMEM_READ_ONLY, 0, 0'

# ---- segments ----
cat >kernels.cu <<'C'
#include "xmem.h"
#define ATOMS(X) \
  X(RED, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 100, 10) X(GREEN, XMEM_INT32, XMEM_IRREGULAR, 0, XMEM_READ_WRITE, 200, 255)
XMEM_ATOM_TABLE(ATOMS)
extern "C" __global__ void bad(char *p, unsigned *out) {
  AtomMap(GREEN, p, 4096, XMEM_MAP);
  AtomMap(255, p, 4096, XMEM_MAP);          /* XMEM_NONE */
  AtomMap(2, p, 4096, XMEM_MAP);            /* the module has two atoms */
  AtomMap(~0u, p, 4096, XMEM_UNMAP);
  AtomActivate(100);
  AtomDeactivate(255);
  amu_setreg(6, 1);                         /* the context's pointer is the driver's alone */
  atom_map(RED, 0);
  atom_map(RED, 4);
  AtomMap(RED, p, 0, XMEM_MAP);             /* no bytes: no effect, and nothing wrong */
  Atom2DMap(RED, p, 64, 0, 8, XMEM_MAP);
  Atom2DMap(RED, p, 64, 64, 0, XMEM_MAP);
  Atom3DMap(RED, p, 64, 8, 64, 8, 0, XMEM_MAP);
  AtomMap(RED, (char *)0 - 8192, 16384, XMEM_MAP);                    /* wraps */
  AtomMap(RED, (char *)(1ull << 48) - 4096, 16384, XMEM_MAP);         /* so do 48 bits */
  AtomMap(RED, (char *)0x1000000, 65536, XMEM_MAP);                   /* shared memory */
  AtomMap(RED, (char *)0x7f0000000000, 65536, XMEM_MAP);              /* no such page */
  if (!threadIdx.x) AtomMap(RED, (char *)0x7f0000000000, 1u << 27, XMEM_MAP); /* nor any of these, a long time */
  out[threadIdx.x] = threadIdx.x;
}
C
to_ptx kernels.cu good.ptx || fail_showing log "kernels.cu does not compile"
cat >host.c <<'C'
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "xmem.h"
#define CHECK(call) do { CUresult r = call; if (r) { fprintf(stderr, "%s: %d\n", #call, r); exit(2); } } while (0)
static void refused(CUresult r, const char *what) {
  if (r != CUDA_ERROR_INVALID_VALUE) printf("%s: %d\n", what, r), exit(1);
}
int main(int argc, char **argv) { /* ptx=FILE more=FILE contexts=N calls=1 */
  const char *ptx = NULL, *more = NULL;
  int contexts = 1, calls = 0;
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr p, out;
  struct xmem x;
  CUresult (*lookup)(CUdeviceptr, unsigned *, int *);
  CUdriverProcAddressQueryResult found;
  unsigned got[64], aid = 0;
  int active = 0;
  for (int i = 1; i < argc; i++) {
    if (!strncmp(argv[i], "ptx=", 4)) ptx = argv[i] + 4;
    if (!strncmp(argv[i], "more=", 5)) more = argv[i] + 5;
    if (!strncmp(argv[i], "contexts=", 9)) contexts = atoi(argv[i] + 9);
    if (!strncmp(argv[i], "calls=", 6)) calls = atoi(argv[i] + 6);
  }
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  for (int i = 0; i < contexts; i++) {
    CHECK(cuCtxCreate(&context, 0, device));
    CHECK(cuModuleLoad(&module, ptx));
  }
  if (more) CHECK(cuModuleLoad(&(CUmodule){0}, more));
  CHECK(cuModuleGetFunction(&kernel, module, "bad"));
  CHECK(xmemOpen(&x, module));
  CHECK(xmemAlloc(&x, &p, 8192, 0));
  CHECK(cuMemAlloc(&out, sizeof got));
  if (calls) {
    refused(xmemMap(&x, 0, p, 0, XMEM_MAP), "no bytes");
    refused(xmem2DMap(&x, 0, p, 64, 64, 0, XMEM_UNMAP), "no rows");
    refused(xmem3DMap(&x, 0, p, 64, 8, 64, 8, 0, XMEM_MAP), "no planes");
    refused(xmemMap(&x, 0, ~0ull - 100, 4096, XMEM_MAP), "wraps");
    refused(xmemMap(&x, 0, p, 1ull << 48, XMEM_MAP), "beyond 48 bits");
    refused(xmemMap(&x, 0, p, 1ull << 34, XMEM_MAP), "16 GB");
    refused(xmem2DMap(&x, 0, p, 0, 1, 1u << 31, XMEM_MAP), "a byte two thousand million times");
    refused(xmem2DMap(&x, 0, p, 1ull << 40, 64, 2, XMEM_MAP), "a long row");
    refused(xmem3DMap(&x, 0, p, ~0u, ~0u, 64, 8, ~0u, XMEM_MAP), "a large array");
    refused(xmemMap(&x, 2, p, 64, XMEM_MAP), "atom 2 of 2");
    refused(xmemActivate(&x, 255), "atom 255");
    refused(xmemAlloc(&x, &p, 64, 77), "allocation with atom 77");
    refused(xmemAlloc(&x, &p, 0, 0), "no bytes to allocate");
    CHECK(xmemMap(&x, 0, p + 4096, 1 << 20, XMEM_MAP));        /* leaves the allocation */
    CHECK(xmemMap(&x, 0, 0x600000000000, 4096, XMEM_MAP));
  }
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, NULL, (void *[]){&p, &out}, NULL));
  CHECK(cuMemcpyDtoH(got, out, sizeof got));
  for (unsigned i = 0; i < 64; i++)
    if (got[i] != i) return printf("thread %u: %u\n", i, got[i]), 1;
  if (cuGetProcAddress("tandemXmemLookup", (void **)&lookup, CUDA_VERSION, 0, &found) || lookup(p, &aid, &active)) return 1;
  printf("atom %u\n", aid);
  return 0;
}
C
gcc -O1 -Wall -Wextra -I"$headers" host.c -o host -L"$build/lib/tandem" -lcuda
run() { # run STATUS WORDS ARGUMENT,... OPTION...: tandem run ends with STATUS and says WORDS
  local status=0
  "$tandem" run "./host:$3" "${@:4}" --out run >log 2>&1 || status=$?
  [ $status = "$1" ] || fail_showing log "$3 ${*:4}: exit code $status, not $1"
  grep -q -- "$2" log || fail_showing log "$3 ${*:4}: does not say '$2'"
}
segment() { # segment NAME SED: good.ptx with other bytes in its segment
  sed -E "/__xmem_atoms/{$2}" good.ptx >"$1.ptx"
  planted good.ptx "$1.ptx" "$1"
}
atoms() { # atoms N: good.ptx with N atoms
  awk -v n="$1" '/__xmem_atoms/ {
      printf ".visible .global .align 1 .b8 __xmem_atoms[%d] = {88, 77, 69, 77, 1, 0, %d, %d", 8 + 19 * n, n % 256, int(n / 256)
      for (i = 0; i < n; i++) printf ", 32, 0, 0, 0, 0, 0, 0, 0, 1, 4, 0, 0, 0, 1, 9, 9, 1, 0, 0"
      print "};"; next } { print }' good.ptx >"atoms$1.ptx"
}
run 0 '^atom 1$' ptx=good.ptx,calls=1 --system xmem
grep -q '"xmem_refused": 16' run/run.json || fail "$(grep xmem_refused run/run.json): 8 instructions of 2 warps are refused"
for words in 'no bytes' 'more bytes than the 1536 MiB' 'beyond the addresses' 'take 32 bits' 'there is no atom 2; the module has 2' 'no atom 255' 'no atom 77' \
  'leaves allocated memory; pages without memory are skipped (shown once)'; do
  [ "$(grep -c "$words" log)" -ge 1 ] || fail "the driver does not say '$words'"
done
[ "$(grep -c 'leaves allocated memory' log)" = 1 ] || fail "a note comes more than once"

segment magic 's/\{88, /{89, /'
run 2 'magic.ptx: the atom segment does not begin with XMEM' ptx=magic.ptx --system xmem
segment version 's/77, 1, 0, 2, 0,/77, 9, 0, 2, 0,/'
run 0 'version.ptx: the atom segment is of version 9, which is unknown here' ptx=version.ptx --system xmem
grep -q '^atom 255' log || fail_showing log "a segment of an unknown version has atoms"
segment count 's/77, 1, 0, 2, 0,/77, 1, 0, 3, 0,/'
run 2 'too few for the 3 atoms it counts' ptx=count.ptx --system xmem
segment many 's/77, 1, 0, 2, 0,/77, 1, 0, 1, 0,/'
run 2 'too many for the 1 atoms it counts' ptx=many.ptx --system xmem
segment short 's/\[46\] = \{88, 77, 69, 77.*/[7] = {88, 77, 69, 77, 1, 0, 0};/'
run 2 'short.ptx: the atom segment is cut off: 7 bytes' ptx=short.ptx --system xmem
segment pattern 's/0, 0, 1, 4, 0, 0, 0, 1, 100/0, 0, 3, 4, 0, 0, 0, 1, 100/'
run 2 'atom 0 of the atom segment has access pattern 3' ptx=pattern.ptx --system xmem
segment record 's/1, 100, 10, 1, /1, 100, 10, 2, /'
run 0 '^atom 1$' ptx=record.ptx --system xmem

# ---- numbers ----
for n in 55 56 63 64 200 255 256 257; do atoms $n; done
run 0 '^atom' ptx=atoms255.ptx --system xmem
run 2 'atoms256.ptx: its 256 atoms do not fit: a process has numbers for 255' ptx=atoms256.ptx --system xmem
run 2 'atoms257.ptx: its 257 atoms do not fit' ptx=atoms257.ptx --system xmem
run 0 '^atom' ptx=atoms200.ptx,more=atoms55.ptx --system xmem
run 2 'atoms56.ptx: its 56 atoms do not fit: .* and 200 of them are in use' ptx=atoms200.ptx,more=atoms56.ptx --system xmem
run 0 '^atom' ptx=atoms63.ptx --system xmem --set xmem.id_bits=6
run 2 'a process has numbers for 63 (63 means no atom)' ptx=atoms64.ptx --system xmem --set xmem.id_bits=6
run 0 '^atom 1$' ptx=good.ptx,contexts=4 --system xmem
run 0 '4 other contexts have atoms' ptx=good.ptx,contexts=5 --system xmem
grep -q '^atom 255' log || fail_showing log "a fifth context has atoms"

# ---- without the system; settings ----
run 2 "external function 'amu_setreg' is no instruction of a switched-on system" ptx=good.ptx
setting() { # setting KEY=VALUE: is refused, and the sentence names the key
  local status=0
  "$tandem" run xmem_switch:n=1 --system xmem --set "$@" >log 2>&1 || status=$?
  [ $status = 2 ] || fail_showing log "$1: exit code $status"
  grep -q "${1%%=*}" log || fail_showing log "$1: the sentence does not name it"
}
setting xmem.unit=500
setting xmem.id_bits=7
setting xmem.alb_sets=0
setting xmem.alb_sets=12abc
setting xmem.pin_percent=101
setting xmem.alb_ways=1 --set xmem.alb_sets=1
setting xmem.hints=maybe
setting xmem.none=1
setting l2.bytes=0
setting ideal.memory=perfect
