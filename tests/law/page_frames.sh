#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: xmem
# page_frames.sh BUILD_DIR: which frames hold the pages (mmu.frames) changes when things happen, never what comes out: every workload
# still checks its result (tandem run fails otherwise); and statistics do not depend on threads, skipping or engines.
set -eu
build=$(cd "$1" && pwd)
tandem=$build/bin/tandem
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { # run NAME ARGUMENTS...: leaves its statistics in NAME.json
  local name=$1
  shift
  "$tandem" run "$@" --out "$work/$name" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  jq -S .statistics "$work/$name/run.json" >"$work/$name.json"
}
for workload in spmv:rows=256,columns=4096 histogram:n=16384 scan:n=8192; do
  for frames in identity sequential random placed; do
    machine=(-c gtx480 --set mmu.frames=$frames)
    [ $frames != placed ] || machine+=(--set dram.map=page_bank_column)
    run "$frames" "$workload" "${machine[@]}"
    if [ "$workload" = scan:n=8192 ]; then
      run threads "$workload" "${machine[@]}" --threads 2
      run all "$workload" "${machine[@]}" --no-skip
      cmp "$work/$frames.json" "$work/threads.json" || { echo "$frames: threads change the statistics"; exit 1; }
      cmp "$work/$frames.json" "$work/all.json" || { echo "$frames: skipping changes the statistics"; exit 1; }
    fi
    [ "$(jq -e .sm.thread_instructions "$work/$frames.json")" = "$(jq -e .sm.thread_instructions "$work/identity.json")" ] ||
      { echo "$workload: $frames executes other instructions"; exit 1; }
  done
  cmp -s "$work/identity.json" "$work/random.json" && { echo "$workload: random frames change nothing at all"; exit 1; }
  echo "$workload: $(for f in identity sequential random placed; do echo "$f $(jq .core_cycles "$work/$f.json")"; done | paste -sd' ') core cycles"
done
# blocks see the same under every engine: the DMA engine's requests have physical addresses too
for engine in c rtl lockstep; do
  run "$engine" saxpy:n=4096 -c gtx480 --set mmu.frames=random --system d2ma --engine "*=$engine"
  cmp "$work/c.json" "$work/$engine.json" || { echo "random frames: $engine gives other statistics than c"; exit 1; }
done
if "$tandem" run vecadd:n=256 -c gtx480 --set mmu.frames=placed --out "$work/refused" >"$work/log" 2>&1; then
  echo "placement by a map that scatters pages over banks was not refused"
  exit 1
fi
grep -q 'mmu.frames = placed: .*page_bank_column' "$work/log" || { cat "$work/log"; exit 1; }
