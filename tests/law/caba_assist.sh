#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: caba
# caba_assist.sh BUILD_DIR: assist warps decompress what comes to L1 and compress what is written. Each program finds its results; statistics are the same whoever
# computes the controller and the store, in one host thread and in two, with and without skipping; each compressed line is a call that
# ends; what the L2 and DRAM hold is memory; without compressed lines nothing costs anything.
. tests/kit/shell.sh

assisted() { # assisted NAME SPEC OPTION...
  local name=$1 spec=$2
  shift 2
  simulate "$name" "$spec" -c caba --set sm.count=4 --set memory.mib=256 --system caba --set caba.design=caba_bdi "$@"
}
number() { counter "$1" "$2"; }
on_each() { # on_each NAME SPEC OPTION...: the run and the others that must equal it
  local name=$1
  shift
  assisted "$name" "$@"
  assisted "${name}_two" "$@" --threads 2
  assisted "${name}_all" "$@" --no-skip
  assisted "${name}_rtl" "$@" --engine 'sm*.caba_*=rtl'
  assisted "${name}_both" "$@" --engine 'sm*.caba_*=lockstep'
  same "$name" "${name}_two" "$name: two host threads"
  same "$name" "${name}_all" "$name: without skipping"
  same "$name" "${name}_rtl" "$name: by the Verilog"
  same "$name" "${name}_both" "$name: in lockstep"
  [ "$(number caba_images_checked "$name")" -gt 0 ] || fail "$name: no line was checked"
  [ "$(number caba_images_differ "$name")" = 0 ] || fail "$name: lines differ from memory"
}

# ---- lines that come ----
while read -r name spec options; do
  # shellcheck disable=SC2086
  on_each "$name" "$spec" --set caba.stores=0 $options
  fills=$(number caba_fills "$name")
  [ "$fills" -gt 0 ] || fail "$name: no compressed line came"
  [ "$(number caba_calls "$name")" = "$fills" ] || fail "$name: $fills lines, and other calls"
  [ "$(number caba_ended "$name")" = "$fills" ] || fail "$name: $fills lines, and other ends"
  [ "$(number caba_instructions "$name")" -ge $((4 * fills)) ] || fail "$name: routines are shorter than they are"
done <<'RUNS'
graph bfs:nodes=1024
tiles transpose:rows=64,columns=64
ideal transpose:rows=32,columns=64 --set sm.fetch=ideal
small transpose:rows=128,columns=64 --set l2.bytes=49152 --set l1.mshrs=8
narrow transpose:rows=64,columns=64 --set sm.simd_width=16 --set sm.schedulers=1
RUNS

# ---- lines that are written ----
while read -r name spec options; do
  # shellcheck disable=SC2086
  on_each "$name" "$spec" $options
  sent=$(($(number caba_stores_packed "$name") + $(number caba_stores_whole "$name") + $(number caba_stores_part "$name")))
  [ "$(number caba_stores "$name")" = "$sent" ] || fail "$name: $sent lines were sent of those that were written"
  [ "$(number caba_stores_tried "$name")" -le "$(number caba_stores_whole "$name")" ] || fail "$name: lines without a code were not sent plain"
  calls=$(($(number caba_fills "$name") + $(number caba_stores_packed "$name") + $(number caba_stores_tried "$name") + $(number caba_store_again "$name") + $(number caba_store_refused "$name")))
  [ "$(number caba_ended "$name")" = "$calls" ] || fail "$name: $calls lines were decompressed or compressed, and other calls ended"
done <<'RUNS'
rows pathfinder:columns=2048,rows=20
waves fwt:log2n=12
few pathfinder:columns=2048,rows=20 --set caba.stores=3 --set l2.bytes=49152
sums histo:n=4096,bins=1024,ctas=4
patterns pathfinder:columns=512,rows=20 --set caba.design=caba_fpc
words pathfinder:columns=2048,rows=20 --set caba.design=caba_c_pack
RUNS
# a part of a compressed line is written: it comes back, is decompressed, and is sent whole
on_each refused mst:nodes=640
assisted taken mst:nodes=640 --set caba.refused=none
[ "$(number caba_store_refused refused)" -gt 0 ] || fail "no write of a part of a compressed line is refused"
[ "$(number caba_refused refused)" -ge "$(number caba_store_refused refused)" ] || fail "more lines came back than writes were refused"
[ "$(number caba_store_answers refused)" -ge "$(number caba_stores_part refused)" ] || fail "a write of a part has no answer"
[ "$(number caba_refused taken)" = 0 ] || fail "writes are refused although they are not to be"
[ "$(statistic taken core_cycles)" -lt "$(statistic refused core_cycles)" ] || fail "lines come back in no time"
assisted refused_direct mst:nodes=640 --set caba.load=direct
[ "$(number caba_images_differ refused_direct)" = 0 ] || fail "lines that came back to a unit of the SM differ from memory"
[ "$(number caba_calls refused_direct)" -lt "$(number caba_calls refused)" ] || fail "assist warps decompress in place of the unit"
# a table of assist warps that is full; compressions whose parents end, alone (no line must leave for others)
on_each table transpose:rows=128,columns=128 --set caba.awt=2
assisted many transpose:rows=128,columns=128
[ "$(number caba_trigger_waits table)" -gt "$(number caba_trigger_waits many)" ] || fail "events do not wait for an entry of the table"
[ "$(statistic table core_cycles)" -gt "$(statistic many core_cycles)" ] || fail "to wait for an entry takes no time"
on_each exits fwt:log2n=12 --set caba.stores=64 --set caba.age=65536
[ "$(number caba_store_killed exits)" -gt 0 ] || fail "no parent ends before its compression"
# an atomic, or a full buffer, wants a line in the cycle in which its call is taken
assisted wanted mst:nodes=640 --set caba.stores=3
[ "$(number caba_images_differ wanted)" = 0 ] || fail "lines that atomics wait for differ from memory"
[ "$(number caba_store_killed wanted)" -gt 0 ] || fail "no compression is killed for a line that must leave"
assisted writer pathfinder:columns=2048,rows=20 --set caba.parent=writer --set caba.victim=oldest
assisted writer_all pathfinder:columns=2048,rows=20 --set caba.parent=writer --set caba.victim=oldest --no-skip
same writer writer_all "the writer as parent: without skipping"
[ "$(number caba_images_differ writer)" = 0 ] || fail "with the writer as parent lines differ from memory"
[ "$(number caba_stores_packed writer)" -gt 0 ] || fail "no writer is a parent"
[ "$(number caba_stores_packed rows)" -gt 0 ] || fail "nothing was written compressed"
[ "$(number caba_stores_part rows)" -gt 0 ] || fail "no line was written in part"
[ "$(number caba_fills patterns)" -gt 0 ] || fail "no line of patterns came"
[ "$(number caba_stores_packed words)" -gt 0 ] || fail "no line was written with a dictionary"
[ "$(number caba_store_killed waves)" -gt 0 ] || fail "no compression was killed"

# ---- nothing is compressed: nothing costs anything ----
assisted plain stream:n=16384 --set caba.sizes_bytes=0 --set caba.host=0 --set caba.stores=0
simulate base stream:n=16384 -c caba --set sm.count=4 --set memory.mib=256
[ "$(number caba_fills plain)" = 0 ] || fail "plain lines were decompressed"
[ "$(statistic plain core_cycles)" = "$(statistic base core_cycles)" ] || fail "plain lines take another time than without the proposal"
[ "$(number warp_instructions plain)" = "$(number warp_instructions base)" ] || fail "instructions of assist warps count as the program's"

# ---- the best of three algorithms ----
for design in best bdi fpc c_pack; do
  assisted $design mum:letters=2000,reads=70 --set l2.bytes=49152 --set caba.design=caba_$design
  [ "$(number caba_images_differ $design)" = 0 ] || fail "$design: lines differ from memory"
  [ $design = best ] || [ "$(number caba_bursts best)" -lt "$(number caba_bursts $design)" ] || fail "the best of three algorithms is no better than $design"
done
assisted chosen pathfinder:columns=4096,rows=20 --set caba.design=caba_best
[ "$(number caba_stores_packed chosen)" -gt 0 ] || fail "the best of three algorithms is never an SM's"

# ---- lines are plain in the L2 ----
assisted open transpose:rows=128,columns=128,tile=32 --set caba.l2=plain --set l2.bytes=12288
assisted closed transpose:rows=128,columns=128,tile=32 --set l2.bytes=12288
[ "$(number caba_fills open)" = 0 ] || fail "a line came compressed from an L2 that has them plain"
[ "$(number caba_stores_packed open)" -gt 0 ] || fail "no line was sent compressed to an L2 that has them plain"
[ "$(number caba_packed_written open)" -gt 0 ] || fail "the memory controllers compress nothing"
[ "$(number caba_images_differ open)" = 0 ] || fail "lines of a plain L2 differ from memory"
[ "$(number noc_reply_flits open)" -gt "$(number noc_reply_flits closed)" ] || fail "replies of plain lines are as short as of compressed ones"

# ---- loads take bytes from compressed lines ----
assisted direct transpose:rows=128,columns=128,tile=32 --set caba.load=direct --set l2.bytes=12288
[ "$(number caba_fills direct)" = 0 ] || fail "an assist warp decompresses what the load/store unit reads"
[ "$(number caba_images_differ direct)" = 0 ] || fail "lines that are read directly differ from memory"
[ "$(number noc_reply_flits direct)" = "$(number noc_reply_flits closed)" ] || fail "replies that are read directly have other lengths"
[ "$(statistic direct core_cycles)" -lt "$(statistic closed core_cycles)" ] || fail "routines take no time against reading directly"

# ---- assist warps take time that units of hardware do not ----
simulate units transpose:rows=64,columns=64 -c caba --set sm.count=4 --set memory.mib=256 --system caba
[ "$(statistic tiles core_cycles)" -gt "$(statistic units core_cycles)" ] || fail "routines take no time"
[ "$(number noc_reply_flits tiles)" = "$(number noc_reply_flits units)" ] || fail "replies are other ones than with units of hardware"

# ---- registers: those of all routines are more than those that run at a time ----
assisted class vecadd:n=1024 --set sm.registers=8192
refused 'registers and the SM has 8192' "$tandem" run vecadd:n=1024 -c caba --system caba --set caba.design=caba_bdi \
  --set sm.registers=8192 --set caba.registers=sum

# ---- bad input ----
no() { # no WORDS OPTION...
  local words=$1
  shift
  refused "$words" "$tandem" run vecadd:n=1024 -c caba --system caba --set caba.design=caba_bdi --out "$work/out" "$@"
  [ ! -e "$work/out" ] || fail "files are left: $*"
}
no 'caba.awt = 3: must be a power of two' --set caba.awt=3
no 'l1.bytes = 0: assist warps' --set l1.bytes=0
refused 'caba.l2 = plain: for assist warps' "$tandem" run vecadd:n=1024 -c caba --system caba --set caba.l2=plain
no 'caba.stores = 64: that many lines' --set caba.stores=64 --set l1.bytes=8192
no 'proposal caba is for sm.pipeline=scoreboard' --set sm.schedulers=1 --set sm.fetch=ideal --set sm.pipeline=unified
