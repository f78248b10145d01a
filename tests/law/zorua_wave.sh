#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: zorua
# zorua_wave.sh BUILD_DIR: the prepared views of Zorua (waves/zorua.gtkw, waves/zorua_barrier.gtkw) name signals that are in the wave of the run
# that docs/waves.md gives, and the wave holds what it says: sets that are spilled for a phase, a read of a set in memory, a slot that a warp at
# a barrier gives up.
. tests/kit/shell.sh
export TANDEM_CACHE="$build"
# run FROM:TO DIR: the run of docs/waves.md with this window
run() {
  local spec
  spec=$(sed -n 's/^build\/bin\/tandem run \(phases.*\) \\$/\1/p' docs/waves.md | sort -u)
  grep -q "'sm0.zorua=lockstep' --wave=$1 " docs/waves.md || fail "docs/waves.md has no window $1"
  # shellcheck disable=SC2086
  must "$tandem" run $spec --system zorua --engine 'sm0.zorua=lockstep' --wave="$1" --out "$work/run"
  ! grep -q verilated "$work/log" || fail_showing "$work/log" "a block of this run is not one that the build has"
  signals "$work/run/wave.fst" "$work/names"
}
at() { # at TIME SIGNAL=VALUE...: the signals of the manager at this time; values in decimal
  local time=$1 pair id got
  shift
  for pair; do
    id=$(awk -v n="sm0.zorua.zorua_manager_socket.dut.${pair%=*}" 'index($1, n) == 1 { print $2; exit }' "$work/names")
    [ -n "$id" ] || fail "${pair%=*} is not in the wave"
    got=$(awk -v id="$id" -v time="$time" 'BEGIN { id = id "" }
      /^#/ && substr($0, 2) + 0 > time { exit }
      /^b/ && $2 "" == id { v = substr($1, 2) }
      /^[01xz]/ && substr($0, 2) == id { v = substr($0, 1, 1) }
      END { n = 0; for (i = 1; i <= length(v); i++) n = 2 * n + substr(v, i, 1); print n }' "$work/names.vcd")
    [ "$got" = "${pair#*=}" ] || fail "at $time ${pair%=*} is $got, not ${pair#*=}"
  done
}
run 5130:5190
in_the_wave 'sm0\.zorua\..*' waves/zorua.gtkw "$work/names"
# the phase of warp 31 gets sets 4 and 5 from warp 25; nothing is free
at 10308 u_coord.cmd_valid_o=1 u_coord.cmd_op_o=0 u_coord.cmd_kind_o=0 u_coord.cmd_owner_o=31 u_coord.cmd_from_o=4 u_coord.cmd_to_o=6 free_regs_o=0
at 10312 move_o=1 moved_owner_o=25 moved_set_o=2 move_phys_o=136 line_valid_o=1 spill_o=1 left_o=4
at 10324 move_o=1 moved_owner_o=25 moved_set_o=3 move_phys_o=137 line_valid_o=1 spill_o=1 left_o=4
# a read in ports 1 and 3, of which the set of port 3 lies in memory: set 4 of warp 7
at 10308 rd_en_i=10 rd_valid_o=2 rd_row_i=$((3 << 5 | 3 << 15)) rd_set_i=$((1 << 4 | 4 << 12))
run 6060:6100
in_the_wave 'sm0\.zorua\..*' waves/zorua_barrier.gtkw "$work/names"
# the slot of warp 29, which waits at a barrier, goes to warp 27
at 12160 u_coord.cmd_valid_o=1 u_coord.cmd_op_o=3 u_coord.cmd_kind_o=2 u_coord.cmd_owner_o=29 free_slots_o=0
barrier=$(awk '$1 ~ /^sm0.zorua.zorua_manager_socket.dut.u_coord.barrier_q/ { print $2 }' "$work/names")
waits=$(awk -v id="$barrier" '/^#/ && substr($0, 2) + 0 > 12160 { exit } /^b/ && $2 "" == id "" { v = substr($1, 2) } END { print substr(v, length(v) - 29, 1) }' "$work/names.vcd")
[ "$waits" = 1 ] || fail "warp 29 does not wait at a barrier"
at 12164 move_o=1 moved_owner_o=29 move_phys_o=29 line_valid_o=1 spill_o=1 u_coord.cmd_op_o=2 u_coord.cmd_owner_o=27
at 12172 move_o=1 moved_owner_o=27 move_phys_o=29 line_valid_o=1 spill_o=0
