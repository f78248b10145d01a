#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: xmem
# xmem_engines.sh BUILD_DIR: on the whole GPU with atoms the statistics are the same to the byte whoever computes the AMUs, with and
# without skipping, in one host thread and in two; hints change time, and nothing else.
. tests/kit/shell.sh

atoms() { # atoms NAME SPEC OPTION...
  simulate "$@" -c xmem --set sm.count=4 --set dram.channels=4 --set l2.bytes=65536 --set xmem.debounce=200 --system xmem
}

while read -r name spec arguments; do
  # shellcheck disable=SC2086
  four_ways atoms "$name" 'l2.*.amu' "$spec" $arguments
done <<'RUNS'
on mix:n=20000,table=20000,version=xmem
random mix:n=20000,table=20000,version=xmem --set xmem.hints=random
switch xmem_switch:n=8000,table=3000,turns=2
RUNS
atoms off mix:n=20000,table=20000,version=xmem --set xmem.hints=off
for name in on random switch; do
  [ "$(counter xmem_alb_hits "$name")" -gt 100 ] || fail "$name: the ALBs were hardly asked"
done
[ "$(counter xmem_active on)" -gt 0 ] || fail "no atom was named"
[ "$(counter xmem_active off)" = 0 ] || fail "xmem.hints=off: an atom was named"
[ "$(counter xmem_switches switch)" -gt 1 ] || fail "no context switch"
differ on random "random atoms"
for name in random off; do
  [ "$(counter thread_instructions on)" = "$(counter thread_instructions $name)" ] || fail "$name: another number of instructions"
done
echo "three runs, four ways each: the same bytes"
