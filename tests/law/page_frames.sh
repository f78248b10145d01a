#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: xmem
# page_frames.sh BUILD_DIR: which frames hold the pages (mmu.frames) changes when things happen, never what comes out. Every workload
# still checks its result (tandem run fails otherwise), and statistics do not depend on threads, skipping or engines.
. tests/kit/shell.sh
for workload in spmv:rows=256,columns=4096 histogram:n=16384 scan:n=8192; do
  for frames in identity sequential random placed; do
    options=(-c gtx480 --set mmu.frames=$frames)
    [ $frames != placed ] || options+=(--set dram.map=page_bank_column)
    simulate "$frames" "$workload" "${options[@]}"
    if [ "$workload" = scan:n=8192 ]; then
      simulate threads "$workload" "${options[@]}" --threads 2
      simulate all "$workload" "${options[@]}" --no-skip
      same "$frames" threads "$frames with two threads"
      same "$frames" all "$frames without skipping"
    fi
    [ "$(statistic "$frames" sm.thread_instructions)" = "$(statistic identity sm.thread_instructions)" ] ||
      fail "$workload: $frames executes other instructions"
  done
  differ identity random "$workload: random frames"
  echo "$workload: $(for f in identity sequential random placed; do echo "$f $(statistic $f core_cycles)"; done | paste -sd' ') core cycles"
done
# blocks see the same under every engine: the DMA engine's requests have physical addresses too
for engine in c rtl lockstep; do
  simulate "$engine" saxpy:n=4096 -c gtx480 --set mmu.frames=random --system d2ma --engine "*=$engine"
  same c "$engine" "random frames under $engine"
done
# placement needs a map that keeps a page in one bank
refused 'mmu.frames = placed: .*page_bank_column' "$tandem" run vecadd:n=256 -c gtx480 --set mmu.frames=placed --out "$work/refused"
