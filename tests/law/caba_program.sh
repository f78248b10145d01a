#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: caba
# caba_program.sh BUILD_DIR: a program's own routines of assist warps (caba.h). Lines are coded by the program's routines: results are right,
# statistics are the same under every engine, and what L2 and DRAM hold is memory. What breaks a rule is refused with its line.
. tests/kit/shell.sh
cd "$work"

# ---- two codes of lines: words of 16 bits, and words of 8 bits, which is shorter ----
routines() { # routines NAME BITS FIRST_BYTE: the pair of routines
  cat <<R
.entry d_$1 .attribute(.event(fill), .encoding($3), .priority(high)) {
  .reg .b32 %lane, %at, %value;
  mov.u32 %lane, %laneid;
  mul.lo.u32 %at, %lane, $(($2 / 8));
  ldl.u$2 %value, [%at+2];
  shl.b32 %at, %lane, 2;
  stl.b32 [%at], %value;
  end;
}
.entry c_$1 .attribute(.event(store)) {
  .reg .b32 %lane, %at, %value;
  .reg .pred %small, %all, %first;
  mov.u32 %lane, %laneid;
  shl.b32 %at, %lane, 2;
  ldl.b32 %value, [%at];
  setp.lt.u32 %small, %value, $((1 << $2));
  vote.all.pred %all, %small;
  @%all bra keep;
  setlen.u32 0;
  bra done;
keep:
  setp.eq.u32 %first, %lane, 0;
  mul.lo.u32 %at, %lane, $(($2 / 8));
  stl.b$2 [%at+2], %value;
  mov.b32 %value, $3;
  @%first stl.b16 [0], %value;
  setlen.u32 $((2 + 4 * $2));
done:
  nop;
  end;
}
R
}
{ routines half 16 0x40; routines byte 8 0x41; } >codes.txt
cat >add.cu <<'C'
extern "C" __global__ void add(unsigned *y, const unsigned *x, unsigned n) {
  for (unsigned i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] * 3 + 1;
}
C
{ echo '#include "caba.h"'; printf 'CABA_ROUTINES(R"('; cat codes.txt; printf ')");\n'; cat add.cu; } >own.cu
{ echo '#include "tandem_device.h"'; cat add.cu; } >none.cu
for name in own none; do to_ptx $name.cu $name.ptx || fail_showing log "$name.cu does not compile"; done
cat >host.c <<'C'
#include <caba.h>
#include <stdio.h>
#include <stdlib.h>
#define CHECK(call) do { CUresult r = call; if (r) { fprintf(stderr, "%s: %d\n", #call, r); return 2; } } while (0)
enum { N = 16384 };
static char text[65536];
/* host MODULE [TEXT]: words from 0 to 999, to 99, and large ones, which no code fits */
int main(int argc, char **argv) {
  CUdevice device; CUcontext context; CUmodule module, again; CUfunction f; CUdeviceptr x, y;
  static unsigned in[N], out[N];
  unsigned n = N, count;
  struct caba c;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuCtxCreate(&context, 0, device));
  CHECK(cuModuleLoad(&module, argv[1]));
  CHECK(cuModuleLoad(&again, argv[1])); /* a text that is there is not added again */
  CHECK(cuModuleGetFunction(&f, module, "add"));
  cabaOpen(&c);
  CHECK(cuMemAlloc(&x, sizeof in));
  CHECK(cuMemAlloc(&y, sizeof in));
  for (int launch = 0; launch < 2; launch++) {
    if (launch && argc > 2) { /* routines come between two launches, when lines are in memory */
      FILE *file = fopen(argv[2], "r");
      if (!file || !fread(text, 1, sizeof text - 1, file)) return 3;
      CHECK(cabaAdd(&c, argv[2], text));
    }
    for (unsigned i = 0; i < N; i++) in[i] = i % (i % 4096 < 1024 ? 64 : 1000) * (i % 4096 < 3072 ? 1 : 70000) + launch;
    CHECK(cuMemcpyHtoD(x, in, sizeof in));
    void *args[] = {&y, &x, &n};
    CHECK(cuLaunchKernel(f, 8, 1, 1, 128, 1, 1, 0, 0, args, 0));
    CHECK(cuMemcpyDtoH(out, y, sizeof out));
    for (unsigned i = 0; i < N; i++)
      if (out[i] != in[i] * 3 + 1) { printf("word %u is wrong\n", i); return 1; }
  }
  CHECK(cabaRoutines(&c, &count));
  printf("%u routines\n", count);
  return 0;
}
C
host_program host.c host
gpu=(-c caba --set sm.count=4 --set memory.mib=64 --set l2.bytes=49152)
on=("${gpu[@]}" --system caba --set caba.design=caba_program)
run() { # run NAME "MODULE [TEXT]" OPTION...: as `simulate`, with arguments of the program
  # shellcheck disable=SC2086
  "$tandem" run ./host "${@:3}" --out "$1" -- $2 >"$1.log" 2>&1 || fail_showing "$1.log" "failed: $*"
  sed -n '/^  "statistics"/,/^  }/p' "$1/run.json" >"$1.statistics"
}
as_before() { # as_before NAME "MODULE [TEXT]": the run and the others that must equal it
  local name=$1
  run "$name" "$2" "${on[@]}"
  run "${name}_two" "$2" "${on[@]}" --threads 2
  run "${name}_all" "$2" "${on[@]}" --no-skip
  run "${name}_rtl" "$2" "${on[@]}" --engine 'sm*.caba_*=rtl'
  run "${name}_both" "$2" "${on[@]}" --engine 'sm*.caba_*=lockstep'
  for other in two all rtl both; do same "$name" "${name}_$other" "$name: $other"; done
  [ "$(counter caba_images_checked "$name")" -gt 0 ] || fail "$name: no line was checked"
  [ "$(counter caba_images_differ "$name")" = 0 ] || fail "$name: lines differ from memory"
  [ "$(counter caba_fills "$name")" -gt 0 ] || fail "$name: no compressed line came"
  [ "$(counter caba_stores_packed "$name")" -gt 0 ] || fail "$name: no line was sent compressed"
  [ "$(counter caba_stores_tried "$name")" -gt 0 ] || fail "$name: some code fits every line"
}
as_before own own.ptx
grep -q '^4 routines$' own.log || fail_showing own.log "other routines than the module's four"
as_before late "none.ptx codes.txt"
grep -q '^4 routines$' late.log || fail_showing late.log "other routines than the text's four"
[ "$(counter caba_fills late)" -lt "$(counter caba_fills own)" ] || fail "lines are compressed before their routines are there"
# a module has some, and the host adds others when the store has words
routines byte 8 0x41 >byte.txt
routines half 16 0x40 >half.txt
{ echo '#include "caba.h"'; printf 'CABA_ROUTINES(R"('; cat half.txt; printf ')");\n'; cat add.cu; } >half.cu
to_ptx half.cu half.ptx || fail_showing log "half.cu does not compile"
as_before grown "half.ptx byte.txt"
grep -q '^4 routines$' grown.log || fail_showing grown.log "other routines than two of the module and two of the text"
# the shorter code is taken where both fit
run half "none.ptx half.txt" "${on[@]}"
[ "$(counter caba_bursts late)" -lt "$(counter caba_bursts half)" ] || fail "the shortest of two images does not count"
run plain_l2 own.ptx "${on[@]}" --set caba.l2=plain
[ "$(counter caba_images_differ plain_l2)" = 0 ] || fail "lines of a plain L2 differ from memory"
[ "$(counter caba_packed_written plain_l2)" -gt 0 ] || fail "the memory controllers do not compress by the program's routines"

# ---- without assist warps nothing happens, and without routines nothing is compressed ----
run off own.ptx "${gpu[@]}"
run units "own.ptx codes.txt" "${gpu[@]}" --system caba
grep -q '^0 routines$' off.log || fail_showing off.log "routines without the proposal"
grep -q '^0 routines$' units.log || fail_showing units.log "routines without assist warps"
run empty none.ptx "${on[@]}"
[ "$(counter caba_fills empty) $(counter caba_stores empty)" = "0 0" ] || fail "lines are compressed without routines"

# ---- registers: those of the largest routine of each class, beside the kernel's ----
[ $(($(counter caba_registers_free empty) - $(counter caba_registers_free own))) -gt 0 ] || fail "routines take no registers"

# ---- what is refused, with its line; at the load of the module, or when the host adds it ----
no() { # no WORDS TEXT [OPTION...]: as a text of the host
  printf '%s' "$2" >text
  refused "$1" "$tandem" run ./host "${on[@]}" "${@:3}" --out out -- none.ptx text
}
module() { # module WORDS BYTE...: as a module's segment
  local words=$1 bytes
  shift
  bytes=$(IFS=,; echo "$*")
  { cat none.ptx; echo ".visible .global .align 4 .b8 __caba_routines[$#] = {$bytes};"; } >bad.ptx
  refused "$words" "$tandem" run ./host "${on[@]}" --out out -- bad.ptx
}
one='.entry r { nop; end; }'
long() { printf '.entry r%s {\n' "$2"; for _ in $(seq "$1"); do echo 'nop;'; done; printf 'end; }\n'; }
no "text:1: routine 'r' has more than 255 instructions" "$(long 256 '' | tr '\n' ' ')"
no "text:515: routine 'r3' of 3 instructions does not fit: the store has 512 words, 2 are left" "$(long 255 1; long 255 2; long 3 3)"
no "text:33: routine 'r33' is one too many: a store has 32" "$(for n in $(seq 33); do echo ".entry r$n { nop; end; }"; done)"
no "routine 'r17' has one trigger too many: there are 16" \
  "$(for n in $(seq 17); do echo ".entry r$n .attribute(.event(fill), .priority(high)) { nop; end; }"; done)"
no "routine 'r' has no end;" '.entry r { nop; }'
no 'a branch stays inside' '.entry r { bra away; nop; end; }'
no 'bar.sync: a routine waits for no other warp' '.entry r { bar.sync 0; end; }'
no 'lanes of routine .r. can take this branch apart' \
  '.entry r { .reg .b32 %a; .reg .pred %p; mov.u32 %a, %laneid; setp.lt.u32 %p, %a, 3; @%p bra x; nop; x: nop; end; }'
no 'has 64 registers: an assist warp has at most 63' '.entry r { .reg .b32 %a<64>; nop; end; }'
no "loads wait for routine 'r': write .priority(high)" '.entry r .attribute(.event(fill)) { nop; end; }'
no "nobody waits for routine 'r': write .priority(low)" '.entry r .attribute(.event(store), .priority(high)) { nop; end; }'
no 'text:1: no routine (.entry)' '// nothing'
no "text:1: routine 'r' codes lines, and those of this caba.design have a code" '.entry r .attribute(.event(fill), .priority(high)) { nop; end; }' \
  --set caba.design=caba_bdi
no "routine 'c' makes images from which no routine of a fill gives the line back" '.entry c .attribute(.event(store)) { setlen.u32 4; end; }'
no "routine 'c', or one that decompresses its images, accesses bytes outside of its line" \
  '.entry c .attribute(.event(store)) { .reg .b32 %a; mov.b32 %a, 4096; stl.b32 [%a], %a; end; }'
no "routine 'c', or one that decompresses its images, does not end" '.entry c .attribute(.event(store)) { x: nop; bra x; nop; end; }'
# what is kept when a text is refused: nothing of it
no "routine 'b' has no end;" '.entry a { nop; end; } .entry b { nop; }'
head=(67 65 66 65 1 0 0 0)
text=$(printf '%s' "$one" | od -An -v -tu1 | xargs)
# shellcheck disable=SC2086
{
  module 'the routines are cut off: 8 bytes, their head takes 12' "${head[@]}"
  module 'the routines do not begin with CABA' 88 "${head[@]:1}" ${#one} 0 0 0 $text
  module 'the routines are of version 2.0, which is unknown here (1.0 is known)' "${head[@]:0:4}" 2 0 0 0 ${#one} 0 0 0 $text
  module 'the routines are of version 1.1, which is unknown here' "${head[@]:0:6}" 1 0 ${#one} 0 0 0 $text
  module 'the routines have 22 bytes of text, too few for the 23 that they count' "${head[@]}" 23 0 0 0 $text
  module 'the routines have 22 bytes of text, too many for the 17 that they count' "${head[@]}" 17 0 0 0 $text
  module 'the text of the routines has a byte of 0' "${head[@]}" ${#one} 0 0 0 0 ${text#* }
  module "bad.ptx, its routines:1: routine 'r' has no end;" "${head[@]}" 17 0 0 0 $(printf '.entry r { nop; }' | od -An -v -tu1 | xargs)
}
# a line of the program that does not come back, which no sample is: words of 0x1234567 lose a bit
cat >wrong.txt <<'R'
.entry d .attribute(.event(fill), .encoding(0x40), .priority(high)) {
  .reg .b32 %lane, %at, %value;
  mov.u32 %lane, %laneid;
  shl.b32 %at, %lane, 2;
  mov.b32 %value, 0x1234566;
  stl.b32 [%at], %value;
  end;
}
.entry c .attribute(.event(store)) {
  .reg .b32 %lane, %at, %value;
  .reg .pred %same, %all;
  mov.u32 %lane, %laneid;
  shl.b32 %at, %lane, 2;
  ldl.b32 %value, [%at];
  setp.eq.u32 %same, %value, 0x1234567;
  vote.all.pred %all, %same;
  mov.b32 %value, 0x40;
  stl.b16 [0], %value;
  setlen.u32 2;
  @%all bra done;
  setlen.u32 0;
done:
  nop;
  end;
}
R
sed 's/in\[i\] = .*;/in[i] = 0x1234567 * launch;/' host.c >same.c
planted host.c same.c "all words alike"
host_program same.c same
refused "a line does not come back from the image that the program's routine 'c' makes of it" "$tandem" run ./same "${on[@]}" --out out -- none.ptx wrong.txt
# and one that an SM makes: the host leaves its lines plain
sed -i 's/in\[i\] = .*;/in[i] = 0x611722 * launch;/' same.c # three times this and 1 is 0x1234567
host_program same.c same
status=0
"$tandem" run ./same "${on[@]}" --out out -- none.ptx wrong.txt >log 2>&1 || status=$?
grep -q 'its assist warp has compressed a line to an image of other bytes' log || fail_showing log "a wrong image is not noticed: exit $status"
