#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: xmem
# xmem_wave.sh BUILD_DIR: the prepared view of a map, a miss, its fill and updates that meet them (waves/xmem.gtkw) names signals that
# are in the wave of waves/xmem.csv, and the wave holds what docs/waves.md says: the answers, and an update that a fill waits for.
. tests/kit/shell.sh
must "$tandem" replay waves/xmem.csv --out "$work/run"
signals "$work/run/wave.fst" "$work/names"
in_the_wave 'xmem_alb\.xmem.*' waves/xmem.gtkw "$work/names"
"$tandem" drive xmem_alb waves/xmem.csv --engine lockstep >"$work/ports.csv"
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) print i }' "$work/ports.csv"; }
answers=$(awk -F, -v v="$(column rs_valid)" -v t="$(column rs_tag)" -v a="$(column rs_aid)" -v h="$(column rs_hit)" \
  'NR > 1 && $v == 1 { printf "%x:%d:%d ", $t, $a, $h }' "$work/ports.csv")
[ "$answers" = "a0:255:0 a1:7:1 a2:255:1 b0:17:0 b1:9:0 b2:8:1 b3:18:1 " ] || fail "answers: $answers"
