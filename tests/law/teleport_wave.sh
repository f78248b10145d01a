#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: teleport
# teleport_wave.sh BUILD_DIR: the prepared view of held CTAs (waves/teleport.gtkw) names signals that are in the wave of the run that
# docs/waves.md gives, and the wave holds what it says: four CTAs held and released one by one, replies of several CTAs by turns,
# evictions, hits.
. tests/kit/shell.sh
command=$(sed -n 's/^build\/bin\/tandem run \(vecadd.*\) \\$/\1/p' docs/waves.md)
# shellcheck disable=SC2086
must "$tandem" run $command --engine '*teleport.*=lockstep' --wave --out "$work/run"
signals "$work/run/wave.fst" "$work/names"
in_the_wave '\(teleport\|sm0\)\..*' waves/teleport.gtkw "$work/names"
[ "$(changes teleport_pend_socket.dut.held_o | tail -5 | tr '\n' ' ')" = "1111 1110 1100 1000 0 " ] ||
  fail "held CTAs: $(changes teleport_pend_socket.dut.held_o | tr '\n' ' ')"
[ "$(changes teleport_pend_socket.dut.reply_slot_i | wc -l)" -gt 8 ] || fail "replies of several CTAs do not take turns"
[ "$(changes teleport_ctrl_socket.dut.msg_total_o | grep -c '^10000$')" = 4 ] || fail "not four messages of 16 lines"
for signal in hit_o evict_valid_o; do
  changes "teleport_tags_socket.dut.$signal" | grep -q 1 || fail "$signal is never 1"
done
