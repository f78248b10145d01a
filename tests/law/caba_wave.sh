#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: caba
# caba_wave.sh BUILD_DIR: the prepared views of assist warps (waves/caba.gtkw, waves/caba_store.gtkw) name signals that are in the waves of the runs
# that docs/waves.md gives, and the waves hold what it says: a line that comes, its routine, the load that goes on; a compression that waits
# while warps of its scheduler issue.
. tests/kit/shell.sh
export TANDEM_CACHE="$build"
run() { # run WORKLOAD: its run of docs/waves.md
  local command
  command=$(grep -A1 "^build/bin/tandem run $1" docs/waves.md | tr -d '\n\\' | sed 's/.*tandem run \(.*\) --out .*/\1/')
  eval "set -- $command"
  must "$tandem" run "$@" --out "$work/run"
  ! grep -q verilated "$work/log" || fail_showing "$work/log" "a block of this run is not one that the build has"
  signals "$work/run/wave.fst" "$work/names"
}
at() { # at CYCLE SIGNAL=VALUE...: the signals in this core cycle; of the controller, or with an instance; values in decimal
  local cycle=$1 pair id got name
  shift
  for pair; do
    name=${pair%=*}
    [[ $name == *.* ]] || name=caba_awc.caba_awc_socket.dut.$name
    id=$(awk -v n="sm0.$name" 'index($1, n) == 1 { print $2; exit }' "$work/names")
    [ -n "$id" ] || fail "$name is not in the wave"
    got=$(awk -v id="$id" -v time=$((66 * cycle)) 'BEGIN { id = id "" }
      /^#/ && substr($0, 2) + 0 > time { exit }
      /^b/ && $2 "" == id { v = substr($1, 2) }
      /^[01xz]/ && substr($0, 2) == id { v = substr($0, 1, 1) }
      END { n = 0; for (i = 1; i <= length(v); i++) n = 2 * n + substr(v, i, 1); print n }' "$work/names.vcd")
    [ "$got" = "${pair#*=}" ] || fail "in cycle $cycle $name is $got, not ${pair#*=}"
  done
}

run bfs
in_the_wave 'sm0\.[a-z].*' waves/caba.gtkw "$work/names"
at 773 tr_valid_i=1 tr_event_i=1 tr_enc_i=18 tr_warp_i=0 tr_taken_o=1 tr_high_o=1 stall_parent_o=0
at 774 tr_valid_i=0 stall_parent_o=1
at 775 pk_valid_o=1 pk_sr_o=2 pk_inst_o=0 pk_high_o=1
at 776 dl_n_i=2 dl_end_i=0
at 842 dl_n_i=1 dl_end_i=1
at 885 done_valid_i=1 resume_valid_o=0 stall_parent_o=1
at 886 resume_valid_o=1 stall_parent_o=0

run pathfinder
in_the_wave 'sm0\.[a-z].*' waves/caba_store.gtkw "$work/names"
at 18936 tr_valid_i=1 tr_event_i=2 tr_warp_i=8 tr_taken_o=1 tr_high_o=0
at 18938 pk_valid_o=1 pk_warp_o=8 pk_inst_o=0 pk_high_o=0
at 18939 dl_n_i=2 lp_free_i=0
cycle=18940
for warp in 3 11 0 6 12; do
  at $cycle state.sm_state_socket.issued=1 state.sm_state_socket.issued_warp=$warp lp_free_i=0
  cycle=$((cycle + 1))
done
at 18945 lp_free_i=1
