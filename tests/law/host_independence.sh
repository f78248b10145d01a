#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# host_independence.sh BUILD_DIR: the statistics are the same when the processor's vector and FMA extensions are hidden from the
# C library.
. tests/kit/shell.sh
simulate plain sgemv:m=200,n=700 --system d2ma
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2_Usable,-AVX2,-FMA_Usable,-FMA,-FMA4,-AVX512F,-AVX512VL
simulate masked sgemv:m=200,n=700 --system d2ma
same plain masked "without vector extensions"
