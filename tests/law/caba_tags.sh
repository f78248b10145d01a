#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: caba
# caba_tags.sh BUILD_DIR: caches with more tags than room for whole lines change time and no result (each program checks its own);
# statistics are the same whoever computes the blocks, in one host thread and in two, with and without skipping; what the L2 and DRAM hold is
# memory; more lines are there; lines that nothing compresses are kept as with one tag a line.
. tests/kit/shell.sh

run() { # run NAME SPEC OPTION...
  local name=$1 spec=$2
  shift 2
  simulate "$name" "$spec" -c caba --set sm.count=4 --set memory.mib=256 --system caba "$@"
}
number() { counter "$1" "$2"; }
on_each() { # on_each NAME SPEC OPTION...: the run and the others that must equal it
  local name=$1
  shift
  run "$name" "$@"
  run "${name}_two" "$@" --threads 2
  run "${name}_all" "$@" --no-skip
  same "$name" "${name}_two" "$name: two host threads"
  same "$name" "${name}_all" "$name: without skipping"
  [ "$(number caba_images_differ "$name")" = 0 ] || fail "$name: lines differ from memory"
}
assisted() { # assisted NAME SPEC OPTION...: on_each, and the blocks of assist warps in Verilog and in lockstep
  local name=$1
  on_each "$@" --set caba.design=caba_bdi
  shift
  run "${name}_rtl" "$@" --set caba.design=caba_bdi --engine 'sm*.caba_*=rtl'
  run "${name}_both" "$@" --set caba.design=caba_bdi --engine 'sm*.caba_*=lockstep'
  same "$name" "${name}_rtl" "$name: by the Verilog"
  same "$name" "${name}_both" "$name: in lockstep"
}

# ---- the L2 ----
run one bfs:nodes=8192 --set l2.bytes=98304
run coarse bfs:nodes=8192 --set l2.bytes=98304 --set caba.segment=64
same one coarse "segments, where there are no more tags"
[ "$(number caba_l2_lookups one)" = 0 ] || fail "lines are counted without more tags"
on_each two bfs:nodes=8192 --set l2.bytes=98304 --set caba.l2_tags=2
on_each four pathfinder:columns=2048,rows=20 --set l2.bytes=49152 --set caba.l2_tags=4 --set l2.replacement=drrip
assisted assist mst:nodes=640 --set l2.bytes=24576 --set caba.l2_tags=2
[ "$(number l2_misses two)" -lt "$(number l2_misses one)" ] || fail "with twice the tags the L2 misses no less"
[ "$(number caba_l2_lines two)" -gt $((128 * $(number caba_l2_lookups two))) ] || fail "slices of 128 lines hold no more with twice the tags"
[ "$(number caba_l2_crowded two)" -gt 0 ] || fail "no line left for the room of another one"
run lumps bfs:nodes=8192 --set l2.bytes=98304 --set caba.l2_tags=2 --set caba.segment=64
[ "$(number caba_l2_lines lumps)" -lt "$(number caba_l2_lines two)" ] || fail "lines take no more in large segments"

# ---- L1 ----
run narrow bfs:nodes=2048 --set l1.bytes=4096
on_each wide bfs:nodes=2048 --set l1.bytes=4096 --set caba.l1_tags=2
run in_no_time bfs:nodes=2048 --set l1.bytes=4096 --set caba.l1_tags=2 --set caba.design=ideal_bdi
[ "$(number l1_misses wide)" -lt "$(number l1_misses narrow)" ] || fail "with twice the tags L1 misses no less"
[ "$(number caba_l1_lines wide)" -gt $((32 * $(number caba_l1_filled wide))) ] || fail "an L1 of 32 lines holds no more with twice the tags"
[ "$(statistic wide core_cycles)" -gt "$(statistic in_no_time core_cycles)" ] || fail "decompression makes nothing later"
assisted found bfs:nodes=640 --set caba.l1_tags=4 --set caba.stores=0
[ "$(number caba_l1_expanded found)" -gt 0 ] || fail "no load found a compressed line in L1"
[ "$(number caba_ended found)" = $(($(number caba_fills found) + $(number caba_l1_expanded found))) ] || fail "lines that came and lines that were found are not the calls"
assisted both mst:nodes=400 --set caba.l1_tags=2 --set caba.l2_tags=4 --set l2.bytes=24576 --set l1.mshrs=4
[ "$(number caba_l1_expanded both)" -gt 0 ] || fail "no load found a compressed line in the L1 of few MSHRs"
on_each direct bfs:nodes=640 --set caba.design=caba_bdi --set caba.l1_tags=2 --set caba.load=direct
[ "$(number caba_fills direct)$(number caba_l1_expanded direct)" = 00 ] || fail "an assist warp decompresses what the load/store unit reads"
run once bfs:nodes=640 --set caba.design=caba_bdi --set caba.stores=0
[ "$(statistic found core_cycles)" -gt "$(statistic once core_cycles)" ] || fail "lines are decompressed again in no time"

# ---- nothing is compressed: as with one tag a line ----
of_whole_lines() { # of_whole_lines NAME OPTION...: numbers without a pattern, and the host compresses none
  local name=$1
  shift
  run "$name" stream:n=16384 --set caba.host=0 --set l2.bytes=49152 "$@"
  grep -v '"caba_l[12]_' "$work/$name.statistics" >"$work/$name.kept"
}
for policy in lru drrip; do
  of_whole_lines whole --set l2.replacement=$policy
  of_whole_lines more --set l2.replacement=$policy --set caba.l2_tags=4 --set caba.l1_tags=4
  cmp "$work/whole.kept" "$work/more.kept" || fail "$policy: four times the tags change what happens to plain lines"
done

# ---- bad input ----
no() { # no WORDS OPTION...
  local words=$1
  shift
  refused "$words" "$tandem" run vecadd:n=1024 -c caba --system caba --out "$work/out" "$@"
  [ ! -e "$work/out" ] || fail "files are left: $*"
}
no 'caba.l2_tags = 3: must be 1, 2 or 4' --set caba.l2_tags=3
no 'caba.l2_tags' --set caba.l2_tags=8
no 'caba.l1_tags = 3: must be 1, 2 or 4' --set caba.l1_tags=3
no 'caba.l1_tags = 2: lines come to L1 plain' --set caba.l1_tags=2 --set caba.design=hw_bdi_mem
no 'caba.l1_tags = 2: there is no L1' --set caba.l1_tags=2 --set l1.bytes=0
no 'caba.segment = 24: must be a power of two' --set caba.segment=24
no 'caba.l2_tags = 2: for an L2 that has lines compressed' --set caba.l2_tags=2 --set caba.design=hw_bdi_mem
no 'caba.l2_tags = 4: for an L2 that has lines compressed' --set caba.l2_tags=4 --set caba.design=caba_bdi --set caba.l2=plain
