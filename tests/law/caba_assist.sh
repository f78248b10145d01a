#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: caba
# caba_assist.sh BUILD_DIR: assist warps decompress what comes to L1. Each program finds its results; statistics are the same whoever
# computes the controller and the store, in one host thread and in two, with and without skipping; each compressed line is a call that
# ends; what the L2 and DRAM hold is memory; without compressed lines nothing costs anything.
. tests/kit/shell.sh

assisted() { # assisted NAME SPEC OPTION...
  simulate "$@" -c caba --set sm.count=4 --set memory.mib=256 --system caba --set caba.design=caba_bdi
}
number() { counter "$1" "$2"; }

while read -r name spec options; do
  # shellcheck disable=SC2086
  assisted "$name" "$spec" $options
  # shellcheck disable=SC2086
  assisted "${name}_two" "$spec" $options --threads 2
  # shellcheck disable=SC2086
  assisted "${name}_all" "$spec" $options --no-skip
  # shellcheck disable=SC2086
  assisted "${name}_rtl" "$spec" $options --engine 'sm*.caba_*=rtl'
  # shellcheck disable=SC2086
  assisted "${name}_both" "$spec" $options --engine 'sm*.caba_*=lockstep'
  same "$name" "${name}_two" "$name: two host threads"
  same "$name" "${name}_all" "$name: without skipping"
  same "$name" "${name}_rtl" "$name: by the Verilog"
  same "$name" "${name}_both" "$name: in lockstep"
  fills=$(number caba_fills "$name")
  [ "$fills" -gt 0 ] || fail "$name: no compressed line came"
  [ "$(number caba_calls "$name")" = "$fills" ] || fail "$name: $fills lines, and other calls"
  [ "$(number caba_ended "$name")" = "$fills" ] || fail "$name: $fills lines, and other ends"
  [ "$(number caba_instructions "$name")" -ge $((4 * fills)) ] || fail "$name: routines are shorter than they are"
  [ "$(number caba_images_checked "$name")" -gt 0 ] || fail "$name: no line was checked"
  [ "$(number caba_images_differ "$name")" = 0 ] || fail "$name: lines differ from memory"
done <<'RUNS'
graph bfs:nodes=1024
tiles transpose:rows=64,columns=64
ideal transpose:rows=32,columns=64 --set sm.fetch=ideal
small transpose:rows=128,columns=64 --set l2.bytes=49152 --set l1.mshrs=8
narrow transpose:rows=64,columns=64 --set sm.simd_width=16 --set sm.schedulers=1
RUNS

# ---- nothing is compressed: nothing costs anything ----
assisted plain stream:n=16384 --set caba.sizes_bytes=0 --set caba.host=0
simulate base stream:n=16384 -c caba --set sm.count=4 --set memory.mib=256
[ "$(number caba_fills plain)" = 0 ] || fail "plain lines were decompressed"
[ "$(statistic plain core_cycles)" = "$(statistic base core_cycles)" ] || fail "plain lines take another time than without the proposal"
[ "$(number warp_instructions plain)" = "$(number warp_instructions base)" ] || fail "instructions of assist warps count as the program's"

# ---- assist warps take time that units of hardware do not ----
simulate units transpose:rows=64,columns=64 -c caba --set sm.count=4 --set memory.mib=256 --system caba
[ "$(statistic tiles core_cycles)" -gt "$(statistic units core_cycles)" ] || fail "routines take no time"
[ "$(number noc_reply_flits tiles)" = "$(number noc_reply_flits units)" ] || fail "replies are other ones than with units of hardware"

# ---- bad input ----
no() { # no WORDS OPTION...
  local words=$1
  shift
  refused "$words" "$tandem" run vecadd:n=1024 -c caba --system caba --set caba.design=caba_bdi --out "$work/out" "$@"
  [ ! -e "$work/out" ] || fail "files are left: $*"
}
no 'l1.bytes = 0: assist warps' --set l1.bytes=0
no 'l1.prefetch = mthwp: no warp waits' --set l1.prefetch=mthwp
no 'proposal caba is for sm.pipeline=scoreboard' --set sm.schedulers=1 --set sm.fetch=ideal --set sm.pipeline=unified
