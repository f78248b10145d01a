#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: caba
# caba_designs.sh BUILD_DIR: compressed lines change time and no result (each program checks its own), with and without skipping, in one
# host thread and in two; every burst of DRAM is one of a line or of a size line; what cannot be compressed takes what it took.
. tests/kit/shell.sh

packed() { # packed NAME SPEC OPTION...
  simulate "$@" -c caba --set sm.count=4 --set memory.mib=256 --system caba
}
number() { counter "$1" "$2"; }

while read -r name spec options; do
  # shellcheck disable=SC2086
  packed "$name" "$spec" $options
  # shellcheck disable=SC2086
  packed "${name}_two" "$spec" $options --threads 2
  # shellcheck disable=SC2086
  packed "${name}_all" "$spec" $options --no-skip
  same "$name" "${name}_two" "$name: two host threads"
  same "$name" "${name}_all" "$name: without skipping"
  for engine in rtl lockstep; do
    [ "$name" != given ] || break # there is no cache of sizes
    # shellcheck disable=SC2086
    packed "${name}_$engine" "$spec" $options --engine "l2.*.md_cache=$engine"
    same "$name" "${name}_$engine" "$name: sizes by engine $engine"
  done
  [ "$(number caba_size_differs "$name")" = 0 ] || fail "$name: size lines say other sizes than lines have"
  moved=$(($(number dram_reads "$name") + $(number dram_writes "$name")))
  lines=$(($(number caba_bursts "$name") + $(number caba_size_fetches "$name") + $(number caba_size_writes "$name")))
  [ "$moved" = "$lines" ] || fail "$name: DRAM moved $moved bursts, and lines and sizes are $lines"
  [ "$(number caba_bursts "$name")" -lt "$(number caba_bursts_plain "$name")" ] || fail "$name: nothing was compressed"
done <<'RUNS'
memory bfs:nodes=2048 --set caba.design=hw_bdi_mem
graph bfs:nodes=2048
ideal bfs:nodes=2048 --set caba.design=ideal_bdi
bins bfs:nodes=4096 --set caba.most=48
other bfs:nodes=4096 --set caba.base=other
turned bfs:nodes=8192 --set l2.bytes=98304 --set caba.sizes_bytes=64 --set caba.sizes_ways=1
packed bfs:nodes=8192 --set l2.bytes=98304 --set caba.partial=packed
wide transpose:rows=256,columns=256 --set l2.bytes=98304 --set dram.burst_bytes=64
given transpose:rows=256,columns=256 --set l2.bytes=98304 --set caba.sizes_bytes=0
RUNS

[ "$(number caba_size_fetches graph)" -gt 0 ] || fail "no size line was fetched"
[ "$(number caba_size_writes turned)" -gt 0 ] || fail "four size lines are enough"
[ "$(number caba_size_lookups given)" = 0 ] || fail "sizes at hand were looked up"
[ "$(number caba_packed_written packed)" -gt "$(number caba_packed_written turned)" ] || fail "lines written in part are compressed all the same"
[ "$(number noc_reply_flits graph)" -lt "$(number noc_reply_flits memory)" ] || fail "replies are not shorter with compressed lines in the L2"
[ "$(statistic ideal core_cycles)" -le "$(statistic graph core_cycles)" ] || fail "decompression makes nothing later"

# ---- units of hardware: blocks bdi_enc and bdi_dec make the lines again, whoever computes them; a planted bug in their Verilog is counted ----
of_units() { # of_units NAME BLOCK: cycles that instances of the block executed
  jq --arg block "$2" '[.engines[] | select(.block == $block) | .cycles] | add // 0' "$work/$1/run.json"
}
while read -r name differs spec options; do
  # shellcheck disable=SC2086
  packed "$name" "$spec" $options
  for engine in rtl lockstep; do
    # shellcheck disable=SC2086
    packed "${name}_$engine" "$spec" $options --engine "*.bdi_*=$engine"
    same "$name" "${name}_$engine" "$name: units by engine $engine"
  done
  [ "$(number "$differs" "$name")" = 0 ] || fail "$name: a unit makes other lines"
  [ "$(of_units "$name" bdi_enc)" -gt 0 ] || fail "$name: no unit compresses"
  [ "$(of_units "$name" bdi_dec)" -gt 0 ] || fail "$name: no unit decompresses"
  for bug in bdi_enc:deltas_without_the_base bdi_dec:b4d2_as_b4d1; do
    # shellcheck disable=SC2086
    TANDEM_BUG=$bug packed "${name}_${bug%:*}" "$spec" $options --engine "*.${bug%:*}=rtl"
    [ "$(number "$differs" "${name}_${bug%:*}")" -gt 0 ] || fail "$name: $bug makes no other line"
  done
done <<'RUNS'
at_memory caba_unit_differs bfs:nodes=8192 --set caba.design=hw_bdi_mem --set l2.bytes=98304
at_sms caba_sm_unit_differs transpose:rows=128,columns=128,tile=32
open_l2 caba_unit_differs transpose:rows=128,columns=128,tile=32 --set caba.design=caba_bdi --set caba.l2=plain --set l2.bytes=12288
RUNS

# ---- what the cache of sizes says decides what DRAM moves: its Verilog with a planted bug is noticed ----
TANDEM_BUG=md_cache:neighbour_is_read packed wrong bfs:nodes=8192 --set l2.bytes=98304 --set caba.partial=packed --engine 'l2.*.md_cache=rtl'
[ "$(number caba_size_differs wrong)" -gt 0 ] || fail "sizes that were not written are read right"
[ "$(number dram_reads wrong)" != "$(number dram_reads packed)" ] || fail "wrong sizes move no other bursts"

# ---- numbers without a pattern: the same bursts, and the host's compression counts for nothing ----
packed noise stream:n=16384 --set caba.sizes_bytes=0
packed plain stream:n=16384 --set caba.sizes_bytes=0 --set caba.host=0
[ "$(number caba_packed_read plain)" = 0 ] || fail "plain lines were read compressed"
simulate base stream:n=16384 -c caba --set sm.count=4 --set memory.mib=256
[ "$(number dram_reads plain)" = "$(number dram_reads base)" ] || fail "plain lines take other bursts than without the proposal"
[ "$(statistic plain core_cycles)" = "$(statistic base core_cycles)" ] || fail "plain lines take another time than without the proposal"

# ---- bad input ----
on() { "$tandem" run vecadd:n=1024 -c caba --system caba --out "$work/out" "$@"; }
no() { # no WORDS OPTION...
  local words=$1
  shift
  refused "$words" on "$@"
  [ ! -e "$work/out" ] || fail "files are left: $*"
}
no 'line_bytes = 64: compressed lines' --set line_bytes=64 --set d2ma.segment=64
no 'mmu.frames: compressed lines' --set mmu.frames=random
no 'dram.scheduler: this one serves whole lines' --set dram.scheduler=bfifo --set dram.tREFI=0
no 'l2.bytes = 0' --set l2.bytes=0
no 'ideal.memory = perfect' --set ideal.memory=perfect
no 'caba.sizes_bytes = 200: must be' --set caba.sizes_bytes=200
no 'caba.design' --set caba.design=caba_lzw
no 'caba.sizes_ways = 3: must be' --set caba.sizes_ways=3 --set caba.sizes_bytes=96
no 'dram.burst_bytes = 16' --set dram.burst_bytes=16
