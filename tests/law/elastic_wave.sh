#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: elastic
# elastic_wave.sh BUILD_DIR: the prepared view of a bank conflict (waves/elastic.gtkw) names signals that are in the wave of the run
# that docs/waves.md gives, and the wave holds what it says: a degree of 28, a full PREMEM queue, an empty NONMEM queue, EXE never held.
. tests/kit/shell.sh
command=$(sed -n 's/^build\/bin\/tandem run \(transpose.*\) \\$/\1/p' docs/waves.md)
# shellcheck disable=SC2086
must "$tandem" run $command --wave=6770:6850 --out "$work/run"
signals "$work/run/wave.fst" "$work/names"
in_the_wave 'sm0\..*' waves/elastic.gtkw "$work/names"
values() { # values SIGNAL: the values it had, each once
  local id
  id=$(awk -v n="$1" 'index($1, n) { print $2; exit }' "$work/names")
  awk -v id="$id" '/^b/ && $2 == id { print substr($1, 2) } substr($0, 2) == id { print substr($0, 1, 1) }' "$work/names.vcd" | sort -u
}
has() { values "$1" | grep -Eqx "0*$2" || fail "$1 is never $2 in the window: $(values "$1" | tr '\n' ' ')"; }
has bkconf_history_cache_socket.dut.lk_degree_o 11100
has mem_warp_mask_socket.dut.cnt_o 11100
has elastic_mem_stage_socket.dut.pre_cnt_o 11
has elastic_mem_stage_socket.dut.non_cnt_o '(100|0)'
has bkconf_accum_socket.dut.up_degree_o 11100
[ "$(values elastic_mem_stage_socket.dut.exe_stall_o | tr -d '\n')" = 0 ] || fail "EXE is held in the window"
