#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: ldesc
# ldesc_wave.sh BUILD_DIR: the prepared view of the Locality Descriptor (waves/ldesc.gtkw) names signals that are in the wave of the run
# that docs/waves.md gives, and the wave holds what it says: the CTAs of module 0, the first prefetch, requests to two modules, sets of
# which all ways are pinned, and none before every way has been filled.
. tests/kit/shell.sh
export TANDEM_CACHE="$build"
command=$(sed -n 's/^build\/bin\/tandem run \(locality.*\) \\$/\1/p' docs/waves.md)
# shellcheck disable=SC2086
must "$tandem" run $command --system ldesc --engine '*ldesc*=lockstep' --wave=0:1450 --out "$work/run"
! grep -q verilated "$work/log" || fail_showing "$work/log" "a block of this run is not one that the build has"
signals "$work/run/wave.fst" "$work/names"
in_the_wave '\(ldesc\|sm0\)\..*' waves/ldesc.gtkw "$work/names"
is() { # is SIGNAL VALUES...: the first ones that it takes
  local signal=$1 got
  shift
  got=$(changes "$signal" | head -$# | tr '\n' ' ')
  [ "$got" = "$* " ] || fail "$signal is $got, not $*"
}
is ldesc.dispatch0.cta_cluster_dispatch_socket.dut.cta_x_o 0 101 110 1011 0
is sm0.ldesc.port.numa_decode_socket.dut.zone_o 0 11 0
is sm0.ldesc.l1.ldesc_l1_socket.dut.pf_line_o 0 100000000000000001000000001 100000000000000001000000100
[ "$(changes sm0.ldesc.l1.ldesc_l1_socket.dut.pf_ready_i | grep -c 1)" -ge 2 ] || fail "less than two prefetches leave"
way=$(awk '$1 == "sm0.ldesc.l1.ldesc_l1_socket.dut.victim_o[1:0]" { print $2 }' "$work/names")
hard=$(awk '$1 == "sm0.ldesc.l1.ldesc_l1_socket.dut.all_hard_o" { print $2 }' "$work/names")
ways=$(awk -v way="$way" -v hard="$hard" '$0 == "1" hard { exit } /^b/ && $2 == way { print substr($1, 2) + 0 }' "$work/names.vcd" | sort -u | tr '\n' ' ')
[ "$ways" = "0 1 10 11 " ] || fail "before a set is full of pinned lines the ways $ways are filled"
[ "$(changes sm0.ldesc.l1.ldesc_l1_socket.dut.all_hard_o | grep -c 1)" -gt 10 ] || fail "few sets are full of pinned lines"
