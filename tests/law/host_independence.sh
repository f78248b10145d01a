#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# host_independence.sh BUILD_DIR: the same statistics with the processor's vector and FMA extensions hidden from the C
# library.
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { "$build/bin/tandem" run sgemv:m=200,n=700 --system d2ma --out "$work/$1" >"$work/$1.log" 2>&1 || { cat "$work/$1.log"; exit 1; }; }
run plain
GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2_Usable,-AVX2,-FMA_Usable,-FMA,-FMA4,-AVX512F,-AVX512VL run masked
for name in plain masked; do sed -n '/^  "statistics"/,/^  }/p' "$work/$name/run.json" >"$work/$name.statistics"; done
[ -s "$work/plain.statistics" ]
cmp "$work/plain.statistics" "$work/masked.statistics"
