#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: elastic
# elastic_wave.sh BUILD_DIR: the prepared view of a bank conflict (waves/elastic.gtkw) names signals that are in the wave of the run
# that docs/waves.md gives, and the wave holds what it says: a degree of 28, a full PREMEM queue, an empty NONMEM queue, EXE never held.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command=$(sed -n 's/^build\/bin\/tandem run \(transpose.*\) \\$/\1/p' docs/waves.md)
"$1/bin/tandem" run $command --wave=6770:6850 --out "$work/run" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
fst2vcd "$work/run/wave.fst" >"$work/wave.vcd"
awk '$1 == "$scope" { path = path $3 "." } $1 == "$upscope" { sub(/[^.]*\.$/, "", path) }
     $1 == "$var" { name = path $5; if ($6 != "$end") name = name $6; print name, $4 }' "$work/wave.vcd" >"$work/names"
grep -o 'sm0\..*' waves/elastic.gtkw | sort -u >"$work/wanted"
[ "$(wc -l <"$work/wanted")" -ge 20 ] || { echo "the view lists too few signals"; exit 1; }
while read -r name; do
  grep -qF "$name " "$work/names" || { echo "waves/elastic.gtkw: $name is not in the wave"; exit 1; }
done <"$work/wanted"
values() { # values SIGNAL: what it was, each value once
  local id
  id=$(awk -v n="$1" 'index($1, n) { print $2; exit }' "$work/names")
  awk -v id="$id" '/^b/ && $2 == id { print substr($1, 2) } substr($0, 2) == id { print substr($0, 1, 1) }' "$work/wave.vcd" | sort -u
}
has() { values "$1" | grep -Eqx "0*$2" || { echo "$1 is never $2 in the window: $(values "$1" | tr '\n' ' ')"; exit 1; }; }
has bkconf_history_cache_socket.dut.lk_degree_o 11100
has mem_warp_mask_socket.dut.cnt_o 11100
has elastic_mem_stage_socket.dut.pre_cnt_o 11
has elastic_mem_stage_socket.dut.non_cnt_o '(100|0)'
has bkconf_accum_socket.dut.up_degree_o 11100
[ "$(values elastic_mem_stage_socket.dut.exe_stall_o | tr -d '\n')" = 0 ] || { echo "EXE is held in the window"; exit 1; }
