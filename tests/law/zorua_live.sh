#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: zorua
# zorua_live.sh BUILD_DIR: with zorua.live=mask every program of the evaluation, in small sizes, gives right results, with values in the sets that
# the tables name, too, and statistics are the same with them, whoever computes the manager, and with and without skipping; also where sets lie
# in memory and where entries are mapped without a set. zorua.live=lowest is the default.
. tests/kit/shell.sh
export TANDEM_CACHE="$build"
zorua=(--system zorua --set zorua.mechanism=zorua --set ptx.registers=allocated)
on() { # on NAME ARGUMENT...
  simulate "$@" -c zorua_fermi --set sm.count=2 --set dram.channels=1 --set l2.bytes=131072 "${zorua[@]}"
}
masks=(--set zorua.live=mask)
others=0
for spec in barnes_hut:theta=60,bodies=256,threads=160,registers=36 dct8x8:version=sized,rows=64,columns=256,threads=192,registers=24 \
  mst:span=0,nodes=640,threads=512,registers=32 nqueens:version=sized,n=8,host_rows=5,threads=128,registers=30 \
  reduction:version=sized,n=16384,threads=256,registers=15 scan:version=sized,n=8192,threads=384,registers=25 \
  scalar_product:version=sized,vectors=8,elements=1024,ctas=8,threads=256,accumulators=2048,registers=31 \
  sssp:span=0,nodes=512,threads=512,registers=28; do
  on default $spec
  on lowest $spec --set zorua.live=lowest
  on mask $spec "${masks[@]}"
  on values $spec "${masks[@]}" --set zorua.values=1
  same default lowest "$spec: lowest is the default"
  same mask values "$spec: values in the sets that masks name"
  cmp -s "$work/default.statistics" "$work/mask.statistics" || others=$((others + 1))
  [ "$(counter ctas mask)" = "$(counter ctas default)" ] && [ "$(counter zorua_register_lookups mask)" -gt 0 ] || fail "$spec: other CTAs, or no lookups"
done
[ $others -ge 5 ] || fail "masks change only $others of eight programs"

# registers that double and halve, few of them: sets that masks name are spilled, filled and accessed in memory
few=(phases:pattern=2,n=1024,threads=256,rounds=2 --set sm.registers=4096 "${masks[@]}")
on few "${few[@]}"
on few_values "${few[@]}" --set zorua.values=1
same few few_values "values of sets in memory"
for name in zorua_spill_lines zorua_fill_lines zorua_operand_loads zorua_operand_stores; do
  [ "$(counter $name few)" -gt 0 ] || fail "few: $name is 0"
done
four_ways on scan 'sm*.zorua' scan:version=sized,n=8192,threads=384,registers=25 "${masks[@]}"
[ "$(counter zorua_register_swapped scan)" -gt 0 ] || fail "scan: no set lies in memory"
on unbounded "${few[@]}" --set zorua.registers=unbounded

# a loop leads to the kernel's first specifier: one warp has it all to itself, so nothing that it looks up lies in memory, and each turn has an
# event for both of its phases
cat >"$work/loop.c" <<'END'
#include "cuda.h"
#include <stdio.h>
#include <string.h>
enum { TURNS = 5, VALUES = 32 };
static char text[8192];
int main(void) {
  char *at = text + sprintf(text, ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry loop(.param .u64 p) {\n"
                                  ".reg .b32 %%r<64>; .reg .b64 %%rd<2>; .reg .pred %%q;\nagain:\nld.param.u64 %%rd1, [p];\n");
  for (int i = 0; i < VALUES; i++) at += sprintf(at, "ld.global.u32 %%r%d, [%%rd1+%d];\n", i, 4 * i);
  at += sprintf(at, "mov.u32 %%r50, 0;\n");
  for (int i = 0; i < VALUES; i++) at += sprintf(at, "add.u32 %%r50, %%r50, %%r%d;\n", i);
  at += sprintf(at, ".pragma \"tandem.phase registers=8 shared=0\";\n");
  for (int i = 0; i < 12; i++) at += sprintf(at, "mad.lo.u32 %%r50, %%r50, 3, 1;\n");
  sprintf(at, "st.global.u32 [%%rd1], %%r50;\nld.global.u32 %%r51, [%%rd1+%d];\nsub.u32 %%r51, %%r51, 1;\n"
              "st.global.u32 [%%rd1+%d], %%r51;\nsetp.ne.u32 %%q, %%r51, 0;\n@%%q bra again;\nret; }\n", 4 * VALUES, 4 * VALUES);
  unsigned value[VALUES + 1], expected = 0;
  for (unsigned i = 0; i < VALUES; i++) value[i] = i + 1;
  value[VALUES] = TURNS;
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction loop;
  CUdeviceptr memory;
  void *arguments[] = {&memory};
  if (cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate(&context, 0, device) || cuModuleLoadData(&module, text) ||
      cuModuleGetFunction(&loop, module, "loop") || cuMemAlloc(&memory, sizeof value) ||
      cuMemcpyHtoD(memory, value, sizeof value) || cuLaunchKernel(loop, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL) ||
      cuCtxSynchronize())
    return 1;
  for (int turn = 0; turn < TURNS; turn++, value[0] = expected) {
    expected = 0;
    for (int i = 0; i < VALUES; i++) expected += value[i];
    for (int i = 0; i < 12; i++) expected = expected * 3 + 1;
  }
  unsigned result = 0;
  if (cuMemcpyDtoH(&result, memory, sizeof result) || result != expected) return printf("%u instead of %u\n", result, expected), 1;
  return cuCtxDestroy(context);
}
END
host_program "$work/loop.c" "$work/program"
for live in lowest mask; do
  on loop "$work/program" --set zorua.live=$live --set zorua.values=1
  [ "$(counter zorua_register_swapped loop)" = 0 ] && [ "$(counter zorua_events loop)" = 11 ] ||
    fail "$live: $(counter zorua_register_swapped loop) sets in memory, $(counter zorua_events loop) events and not 11: a start, nine phases and an end"
done

refused_with 2 "zorua.live" "lowest" "mask" -- "$tandem" run vecadd "${zorua[@]}" --set zorua.live=some --out "$work/out"
refused_with 2 "zorua.live" "lowest" "mask" -- "$tandem" run vecadd "${zorua[@]}" --set zorua.live=1 --out "$work/out"
refused_with 2 "ptx.registers" allocated -- "$tandem" run vecadd --system zorua --set zorua.mechanism=zorua "${masks[@]}" --out "$work/out"
echo "masks change the statistics of $others of eight programs; with few registers $(counter zorua_spill_lines few) lines are spilled"
