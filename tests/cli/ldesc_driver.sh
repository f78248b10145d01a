#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: ldesc
# ldesc_driver.sh BUILD_DIR: the software of the Locality Descriptor. tandem ldesc says what the driver decides; in a run the pair of figure 19
# is in the memory of the modules that use it; what is moved takes the time that it should; what cannot be is refused with a sentence.
. tests/kit/shell.sh
cd "$work"

# ---- tandem ldesc ----

must "$tandem" ldesc locality:pattern=5 -c ldesc_modules
grep -q '^kernel pair, grid 128 x 1 x 1, 1 launch$' log || fail_showing log "no kernel"
grep -q '^  clusters     2 x 1 x 1 CTAs; 16 16 16 16 in modules 0 to 3$' log || fail_showing log "other clusters"
grep -q '^  driver       210 evaluations, [0-9]* us of the host, [0-9]* bytes moved$' log || fail_showing log "other costs"
"$tandem" ldesc locality:pattern=5 -c ldesc_modules --json >pair.json || fail "no JSON"
[ "$(jq -c '[.launches[0].structures[] | [.bit, .local]]' pair.json)" = '[[16,1],[14,1],[12,1]]' ] ||
  fail_showing pair.json "figure 19 has other bits"
# the table of figure 17, pattern by pattern: the structure that is read
while read -r pattern insert prefetch clusters; do
  "$tandem" ldesc locality:pattern=$pattern --json >one.json || fail "pattern $pattern"
  [ "$(jq -r '.launches[0] | "\(.rows[0].insert), \(.rows[0].prefetch) \(.clusters != null)"' one.json)" = "${insert/_/ }, ${prefetch/_/ } $clusters" ] ||
    fail_showing one.json "pattern $pattern: not $insert $prefetch $clusters"
done <<'END'
0 normal stride true
1 soft_pin off true
2 normal next_line true
3 hard_pin off false
4 bypass off false
5 normal stride true
3,local=1 hard_pin off false
END
refused 'no launch has descriptors' "$tandem" ldesc locality:version=baseline
refused "no workload 'localty'; did you mean locality" "$tandem" ldesc localty
refused 'ldesc.balanced' "$tandem" ldesc locality --set ldesc.balanced=1
refused 'no_such_gpu' "$tandem" ldesc locality -c no_such_gpu

# ---- runs ----

pair=(locality:pattern=5,tiles=8,share=4 -c ldesc_modules --system ldesc)
remote() { echo $((100 * $(counter numa_remote "$1") / ($(counter numa_local "$1") + $(counter numa_remote "$1")))); }
simulate placed "${pair[@]}" --set ldesc.prefetch=0
simulate moved "${pair[@]}" --set ldesc.prefetch=0 --set ldesc.move_rate=100
simulate hashed "${pair[@]}" --set ldesc.prefetch=0 --set ldesc.place=0
simulate off "${pair[@]}" --set ldesc.hints=off
[ "$(counter ldesc_launches off) $(counter ldesc_moved off) $(counter ldesc_launches placed)" = "0 0 1" ] || fail "ldesc.hints=off"
[ "$(remote placed)" = 0 ] || fail "$(remote placed) % of the pair's accesses are remote"
simulate whole locality:pattern=5 -c ldesc_modules --system ldesc --set ldesc.prefetch=0
[ "$(counter numa_remote whole) $(counter numa_link_packets whole)" = "0 0" ] || fail "figure 19: $(counter numa_remote whole) remote accesses"
# of fewer CTAs results are not all local, but the pair is: the remote accesses have no replies, so that they are stores of results, and
# they are as many of the 128 as the driver says
"$tandem" ldesc "${pair[@]:0:3}" --json >few.json || fail "no JSON"
stores=$(jq '.launches[0].structures[2].local as $local | 128 * (1 - $local)' few.json)
[ "$(counter numa_remote placed) $(counter numa_link_packets placed)" = "$stores $stores" ] ||
  fail "$(counter numa_remote placed) remote accesses and $(counter numa_link_packets placed) packets between modules, not $stores"
[ "$(jq -c '[.launches[0].structures[] | .local]' few.json)" = '[1,1,0.625]' ] || fail "local: $(jq -c '.launches[0].structures' few.json)"
[ "$(remote hashed)" -gt 70 ] || fail "without placement only $(remote hashed) % are remote"
# 512 KB, 128 KB and the page of what is written: 11 pages, at 100 GB/s and 1.4 GHz
[ "$(counter ldesc_moved placed) $(counter ldesc_moved moved) $(counter ldesc_moved hashed)" = "$((11 * 65536)) $((11 * 65536)) 0" ] ||
  fail "moved: $(counter ldesc_moved placed), $(counter ldesc_moved moved), $(counter ldesc_moved hashed) bytes"
cycles=$(counter ldesc_move_cycles moved) longer=$(($(statistic moved core_cycles) - $(statistic placed core_cycles)))
[ "$cycles" = $((11 * 65536 * 14 / 1000 + 1)) ] || fail "moving takes $cycles cycles"
[ $longer -gt $((cycles * 9 / 10)) ] && [ $longer -lt $((cycles * 11 / 10)) ] || fail "the launch is $longer cycles longer, not $cycles"
echo "remote: $(remote placed) % placed, $(remote hashed) % hashed; moving: $cycles cycles, $longer in the launch"

# ---- what a program gets wrong ----

cat >wrong.c <<'C'
#include <ldesc.h>
#include <stdio.h>
#include <stdlib.h>
#define CHECK(call) do { CUresult r = call; if (r) { fprintf(stderr, "%s: %d\n", #call, r); return 2; } } while (0)
#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
#define RECORDS ".visible .global .align 1 .b8 __ldesc_records"
static const char entry[] = ".visible .entry nothing() { ret; }\n";
/* tables of versions 9 and 1; the record in the second one is of version 7 */
static const char *const table[] = {"", RECORDS "[8] = {76, 68, 83, 67, 9, 0, 0, 0};\n", RECORDS "[72] = {76, 68, 83, 67, 1, 0, 1, 0"};
int main(int argc, char **argv) {
  CUdevice device; CUcontext context; CUmodule module; CUfunction f; CUdeviceptr a;
  struct ldesc l;
  char ptx[1024];
  int what = argc > 1 ? atoi(argv[1]) : 0, which = what >= 10 && what <= 11 ? what - 9 : 0, n = 0;
  struct ldesc_tile tile = {.element = 4, .length = {1024, 1, 1}, .data = {256, 1, 1}, .ctas = {1, 1, 1}, .map = {1, 0, 0}};
  struct ldesc_locality locality = {LDESC_COACCESSED, LDESC_REGULAR, what == 3 ? 0 : 4};
  unsigned long bytes = what == 6 ? 0 : 4096, next = what == 9 ? 2048 : 4096;
  if (what == 1) tile.ctas[0] = 5;
  if (what == 2) tile.map[1] = 1;
  if (what == 7) tile.data[0] = 0;
  if (what == 8) tile.data[0] = 1025;
  if (what == 12) bytes = 2 << 20, tile.length[0] = tile.data[0] = bytes / 4; /* one D-Tile of 32 pages, for the first CTA */
  n += snprintf(ptx + n, sizeof ptx - n, HEAD "%s", table[which]);
  for (int i = 0; which == 2 && i < 64; i++) n += snprintf(ptx + n, sizeof ptx - n, ", %d", i == 18 ? 7 : 0);
  snprintf(ptx + n, sizeof ptx - n, "%s%s", which == 2 ? "};\n" : "", entry);
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuCtxCreate(&context, 0, device));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&f, module, "nothing"));
  CHECK(cuMemAlloc(&a, what == 12 ? bytes : 17 * 4096));
  ldescOpen(&l, module);
  for (int i = 0; i <= 16 * (what == 4) + (what == 9) && !which; i++) CHECK(LocalityDescriptor(&l, a + i * next, bytes, LDESC_INTER_THREAD, tile, locality, 1));
  if (which) CHECK(ldescResolve(&l, 0, a, 4096, tile, 4));
  if (what == 5) CHECK(cuMemFree(a));
  CHECK(cuLaunchKernel(f, 4, 1, 1, 32, 1, 1, 0, 0, 0, 0));
  return 0;
}
C
host_program wrong.c wrong
wrong() { # wrong NUMBER WORDS
  status=0
  "$tandem" run ./wrong -c ldesc_chip --system ldesc --out out -- "$1" >log 2>&1 || status=$?
  [ $status = 2 ] || fail_showing log "wrong $1: exit $status"
  grep -q "$2" log || fail_showing log "wrong $1: no '$2'"
}
must "$tandem" run ./wrong -c ldesc_chip --system ldesc --out out
must "$tandem" ldesc ./wrong
wrong 1 'C-Tile is larger than the grid: 5 CTAs of 4 along x'
wrong 2 'the map {1, 1, 0} repeats rank 1'
wrong 3 'a stride of 0 bytes'
wrong 4 'is the 17th, and the table has 16 rows'
wrong 5 'the structure was freed'
wrong 6 'the structure has 0 bytes'
wrong 7 'the D-Tile has no element along x; it has 1 at least'
wrong 8 'the D-Tile is larger than the structure: 1025 elements of 1024 along x'
wrong 9 'overlaps that at 0x[0-9a-f]*, which has a descriptor; say each structure once and whole'
noted() { # noted NUMBER WORDS ARGUMENT...: a note, and the program goes on
  must "$tandem" run ./wrong --system ldesc --out out "${@:3}" -- "$1"
  grep -q "$2" log || fail_showing log "noted $1: no '$2'"
}
noted 10 'its locality descriptors are of version 9, which is unknown here (1 is known); they are ignored' -c ldesc_chip
[ "$(counter ldesc_launches out)" = 0 ] || fail "a table of version 9 guides a launch"
noted 11 '1 of its 1 locality descriptors are of an unknown version (1 is known); they are ignored' -c ldesc_chip
[ "$(counter ldesc_launches out)" = 0 ] || fail "a descriptor of version 7 guides a launch"
# a tile of 2 MB is one module's, and each has 1 MB: what has no room stays
noted 12 'bytes of its structures stay where they are, as the module that they belong to has no room' -c ldesc_modules --set memory.mib=4
[ $(($(counter ldesc_moved out) + $(counter ldesc_not_moved out))) -ge $((1 << 20)) ] && [ "$(counter ldesc_not_moved out)" -ge $((1 << 20)) ] ||
  fail "a full module: $(counter ldesc_moved out) bytes moved, $(counter ldesc_not_moved out) not"
noted 12 'pass' -c ldesc_modules --set memory.mib=64
[ "$(counter ldesc_not_moved out)" = 0 ] || fail "a module of 16 MB has no room for 2 MB"
for what in 1 2 3 4 5 6 7 8 9; do # without the proposal the calls do nothing
  status=0
  "$tandem" run ./wrong -c ldesc_chip --out out -- $what >log 2>&1 || status=$?
  [ $status = 0 ] || fail_showing log "without the proposal: exit $status"
done
echo "refused: descriptors and launches; noted: unknown versions, a full module"
