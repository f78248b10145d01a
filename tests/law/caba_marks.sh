#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: caba
# caba_marks.sh BUILD_DIR: marks of a program call its routines of assist warps (caba.h). Live-ins and live-outs of each lane are right, kept
# registers stay, shared memory is the CTA's, and statistics are the same under every engine. What breaks a rule is refused.
. tests/kit/shell.sh
cd "$work"

cat >marks.cu <<'C'
#include "caba.h"
CABA_ROUTINES(R"(
.entry sums .attribute(.event(mark), .encoding(1), .priority(high), .live_in(3), .live_out(2)) {
  .reg .b32 %a, %b, %c, %lane;
  move.in.b32 %a, 0;
  move.in.b32 %b, 1;
  move.in.b32 %c, 2;
  mov.u32 %lane, %laneid;
  add.u32 %a, %a, %b;
  xor.b32 %c, %c, %lane;
  move.out.b32 0, %a;
  move.out.b32 1, %c;
  end;
}
.entry counts .attribute(.event(mark), .encoding(2), .priority(high), .live_in(1), .live_out(2), .kept(2)) {
  .reg .b32 %calls, %sum, %a;
  move.in.b32 %a, 0;
  add.u32 %calls, %calls, 1;
  add.u32 %sum, %sum, %a;
  move.out.b32 0, %calls;
  move.out.b32 1, %sum;
  end;
}
.entry writes .attribute(.event(mark), .encoding(3), .priority(low), .live_in(2)) {
  .reg .b32 %x<2>;
  .reg .b32 %at;
  move.in.b32 %at, 0;
  move.in.b32 %x0, 1;
  mul.lo.u32 %x1, %x0, 7;
  sts.v2.b32 [%at], {%x0, %x1};
  end;
}
.entry halves .attribute(.event(mark), .encoding(5), .priority(high), .live_in(3)) {
  .reg .b32 %x<2>;
  .reg .b32 %at, %lane, %zero;
  .reg .pred %wrong;
  move.in.b32 %x0, 0;
  move.in.b32 %x1, 1;
  move.in.b32 %at, 2;
  mov.u32 %lane, %laneid;
  mov.b32 %zero, 0;
  shfl.idx.b32 %zero, %x0, %zero;
  shl.b32 %lane, %lane, 2;
  add.u32 %zero, %zero, %lane;
  setp.ne.u32 %wrong, %zero, %x0;
  setp.eq.or.u32 %wrong, %x1, 0, %wrong;
  @%wrong add.u32 %at, %at, 65536;  // outside of shared memory
  lds.b32 %lane, [%at];
  end;
}
.entry reads .attribute(.event(mark), .encoding(4), .priority(high), .live_in(1), .live_out(2)) {
  .reg .b32 %x<2>;
  .reg .b32 %at;
  move.in.b32 %at, 0;
  lds.v2.b32 {%x0, %x1}, [%at];
  move.out.b32 0, %x0;
  move.out.b32 1, %x1;
  end;
}
)");
// y: 6 words a thread
extern "C" __global__ void all(unsigned *y, unsigned n) {
  __shared__ unsigned long long table[128];
  unsigned i = blockDim.x * blockIdx.x + threadIdx.x, *out = y + 6 * i;
  table[threadIdx.x] = 0;
  for (unsigned k = 0; k < 6; k++) out[k] = 0;
  if (threadIdx.x % 3) { // some lanes
    unsigned long long r = cabaRun(1, i, n, 5 * i);
    out[0] = (unsigned)r;
    out[1] = (unsigned)(r >> 32);
  }
#pragma unroll 1 // each mark is a trigger
  for (unsigned k = 0; k < 5; k++) {
    unsigned long long r = cabaRun(2, i + k);
    if (k < 4) continue;
    out[2] = (unsigned)r;
    out[3] = (unsigned)(r >> 32);
  }
  unsigned at = (unsigned)(size_t)(__attribute__((address_space(3))) unsigned long long *)&table[threadIdx.x];
  cabaMark(3, at, i + 1);
  cabaMarkAt(5, (unsigned long long)(y + i), at);
  unsigned long long was = 0;
#pragma unroll 1
  for (unsigned k = 0; k < 400 && !(unsigned)was; k++) was = cabaRun(4, at);
  out[4] = (unsigned)was;
  out[5] = (unsigned)(was >> 32);
}
C
to_ptx marks.cu marks.ptx || fail_showing log "the kernel does not compile"
cat >host.c <<'C'
#include <cuda.h>
#include <stdio.h>
#define CHECK(call) do { CUresult r = call; if (r) { fprintf(stderr, "%s: %d\n", #call, r); return 2; } } while (0)
enum { THREADS = 128, CTAS = 40, N = THREADS * CTAS };
static unsigned out[6 * N];
int main(int argc, char **argv) {
  CUdevice device; CUcontext context; CUmodule module; CUfunction f; CUdeviceptr y;
  unsigned n = N;
  int off = argc > 2;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuCtxCreate(&context, 0, device));
  CHECK(cuModuleLoad(&module, argv[1]));
  CHECK(cuModuleGetFunction(&f, module, "all"));
  CHECK(cuMemAlloc(&y, sizeof out));
  void *args[] = {&y, &n};
  for (int launch = 0; launch < 2; launch++) {
    CHECK(cuLaunchKernel(f, CTAS, 1, 1, THREADS, 1, 1, 0, 0, args, 0));
    CHECK(cuMemcpyDtoH(out, y, sizeof out));
    for (unsigned i = 0; i < N; i++) {
      unsigned lanes = i % THREADS % 3 != 0, low = out[6 * i + 4];
      unsigned want[6] = {lanes ? i + n : 0, lanes ? (5 * i) ^ i % 32 : 0, 5, 5 * i + 10, low ? i + 1 : 0, low ? 7 * (i + 1) : 0};
      for (int k = 0; k < 6; k++)
        if (out[6 * i + k] != (off ? 0 : want[k])) { fprintf(stderr, "thread %u, word %d: %u, not %u\n", i, k, out[6 * i + k], want[k]); return 1; }
    }
  }
  return 0;
}
C
host_program host.c host
gpu=(-c caba --set sm.count=4 --set memory.mib=64)
run() { # run NAME ARGUMENT OPTION...
  # shellcheck disable=SC2086
  "$tandem" run ./host "${@:3}" --out "$1" -- $2 >"$1.log" 2>&1 || fail_showing "$1.log" "failed: $*"
  sed -n '/^  "statistics"/,/^  }/p' "$1/run.json" >"$1.statistics"
}
for design in caba_program caba_bdi; do
  on=("${gpu[@]}" --system caba --set caba.design=$design)
  run $design marks.ptx "${on[@]}"
  run two marks.ptx "${on[@]}" --threads 2
  run all marks.ptx "${on[@]}" --no-skip
  run rtl marks.ptx "${on[@]}" --engine 'sm*.caba_*=rtl'
  run both marks.ptx "${on[@]}" --engine 'sm*.caba_*=lockstep'
  for other in two all rtl both; do same $design $other "$design: $other"; done
  marks=$(counter caba_marks $design) dropped=$(counter caba_marks_dropped $design)
  [ "$marks" -ge $((2 * 160 * 8)) ] || fail "$design: $marks marks"
  [ $dropped -lt 320 ] || fail "$design: no routine of low priority ends"
  [ $design = caba_bdi ] || [ "$(counter caba_ended $design)" = $((marks - dropped)) ] || fail "$design: other calls than marks"
  [ "$(counter caba_images_differ $design)" = 0 ] || fail "$design: lines differ from memory"
done
run small marks.ptx "${gpu[@]}" --system caba --set caba.design=caba_program --set caba.awt=4
run off "marks.ptx off" "${gpu[@]}" --system caba
[ "$(counter caba_marks off)" = 0 ] || fail "marks without assist warps"

# ---- what is refused ----
no() { # no WORDS SED_COMMAND [OPTION...]: of the kernel's text or its routines
  sed "$2" marks.cu >bad.cu
  planted marks.cu bad.cu "$2"
  to_ptx bad.cu bad.ptx || fail_showing log "$2: does not compile"
  refused "$1" "$tandem" run ./host "${gpu[@]}" --system caba --set caba.design=caba_program "${@:3}" --out out -- bad.ptx
}
no "bad.ptx:[0-9]*: kernel 'all': no routine of .event(mark), .encoding(9) is there for this mark" 's/cabaMark(3,/cabaMark(9,/'
no "bad.ptx:[0-9]*: kernel 'all': routine 'sums' has live-outs: call it by cabaRun" 's/cabaMark(3,/cabaMark(1,/'
no "bad.ptx:[0-9]*: kernel 'all': this mark is one trigger too many: there are 16" 's/cabaMark(3, at, i + 1);/for (unsigned k = 0; k < 16; k++) &/'
no "the parent of routine 'counts' must wait for its live-outs: write .priority(high)" '/entry counts/s/high/low/'
no "marks of number 2 call routine 'counts', and not 'writes', too" '/entry writes/s/encoding(3)/encoding(2)/'
no "a mark has a number from 0 to 31: write it as .encoding of routine 'writes'" '/entry writes/s/encoding(3)/encoding(32)/'
no "the number of routine 'writes' has no mask: write .encoding(3)" '/entry writes/s/encoding(3)/encoding(3, 15)/'
no "routine 'counts' keeps 16 registers of 3" '/entry counts/s/kept(2)/kept(16)/'
no "routine 'counts' keeps 2 registers: all routines together keep at most 16" '/entry sums/s/live_in(3)/&, .kept(15)/; s/%a, %b, %c, %lane/%e<12>, &/'
no 'live-in 1 of 1: write .live_in(2)' '/entry writes/s/live_in(2)/live_in(1)/'
no 'add.u32 of routine .counts. reads what is not written' '/entry counts/s/kept(2)/kept(1)/'
no "ldl.b32 in routine 'reads': a mark has no line" 's/lds.v2.b32 {%x0, %x1}, \[%at\]/ldl.b32 %x0, [0]; ldl.b32 %x1, [0]/'
no "move.in.b32 in routine 'reads': a line has no parent's registers, shared memory or loads" '/entry reads/s/event(mark)/event(fill)/'
no "routine 'sums' keeps registers; those of marks alone do" '/entry sums/s/event(mark)/event(fill), .kept(1)/'
# a routine's access outside of the CTA's shared memory is a fault of its parent
sed 's/cabaMark(3, at, i + 1)/cabaMark(3, at + 4096, i + 1)/' marks.cu >bad.cu
to_ptx bad.cu bad.ptx || fail_showing log "does not compile"
status=0
"$tandem" run ./host "${gpu[@]}" --system caba --set caba.design=caba_program --out out -- bad.ptx >log 2>&1 || status=$?
[ $status != 0 ] && grep -q "accesses bytes outside of its CTA's shared memory, or misaligned ones" log || fail_showing log "outside of shared memory: exit $status"
