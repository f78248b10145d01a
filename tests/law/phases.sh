#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# phases.sh BUILD_DIR: in runs of workloads no warp uses a register or shared memory beyond its phase, registers that are called uniform
# hold one value, and lanes are together at phase specifiers (tests/examples/plugin/phase_watch.c looks at every operation).
# What specifiers give up is overwritten with garbage, and results are right; specifiers cost an issue slot each and nothing else.
# With few registers, too, and with masks.
. tests/kit/shell.sh

compile() { # compile SOURCE OUT
  gcc -std=gnu11 -Wall -Wextra -Werror -O2 -shared -fPIC -Icsim -I"$build/generated" "$1" -o "$2"
}
compile tests/examples/plugin/phase_watch.c "$work/watch.so"
watched() { simulate "$1" "$2" -c small --plugin "$work/watch.so" --system phase_watch "${@:3}"; }

total=0 released=0 bytes=0
for workload in saxpy:n=4096 dct8x8:rows=32,columns=64 dct8x8:rows=32,columns=64,inverse=1 nqueens:n=8 matmul:m=32,k=32,n=32 reduction:n=8192 histogram:n=4096 bfs:nodes=300 scan:n=4000 black_scholes:n=1301,ctas=2 ray:width=16,height=16 \
  phases:n=1000,rounds=3 phases:pattern=1,n=800,threads=160,rounds=5 phases:pattern=2,n=500,rounds=3 phases:pattern=3,n=900,threads=512,rounds=5 \
  phases:pattern=4,n=500,rounds=5 phases:pattern=5,n=600,threads=96,rounds=2; do
  simulate plain "$workload" -c small --set ptx.registers=allocated
  watched on "$workload"
  watched masks "$workload" --set phase_watch.mask=1
  watched few "$workload" --set ptx.max_registers=8
  specifiers=$(statistic on sm.specifiers)
  # a kernel whose results do not depend on time executes the same instructions, and the specifiers
  [ "${workload%%:*}" = bfs ] || [ "$(statistic on sm.warp_instructions)" = $(($(statistic plain sm.warp_instructions) + specifiers)) ] ||
    fail "$workload: $specifiers specifiers, and $(statistic plain sm.warp_instructions) instructions become $(statistic on sm.warp_instructions)"
  [ "$specifiers" -gt 0 ] && [ "$(statistic on sm.registers)" -gt 100 ] || fail "$workload: nothing was compared"
  echo "$workload: $specifiers specifiers, $(statistic on sm.uniform) uniform operands, $(statistic on sm.shared) shared accesses"
  total=$((total + $(statistic on sm.uniform)))
  for run in on masks few; do released=$((released + $(statistic $run sm.released))) bytes=$((bytes + $(statistic $run sm.released_bytes))); done
done
[ "$total" -gt 10000 ] || fail "only $total uniform operands were compared"
[ "$released" -gt 1000 ] && [ "$bytes" -gt 10000 ] || fail "only $released registers and $bytes bytes were given up"
[ "$(statistic on sm.specifiers)" = "$(statistic masks sm.specifiers)" ] || fail "masks change where phases begin"
watched noskip nqueens:n=8 --no-skip
watched again nqueens:n=8 --threads 2
same noskip again "skipping and threads"

# the small kernels need what they are made for
needs() { "$tandem" list phases "$build/ptx/phases/baseline.ptx" "$1" --json; }
is() { [ "$2" = "$3" ] || fail "$1: $2 and not $3"; }
is "registers of registers_48" "$(needs registers_48 | jq '.[0].of_kernel.registers')" 48
is "registers of registers_64" "$(needs registers_64 | jq '.[0].of_kernel.registers')" 64
is "shared memory of shared_phases" "$(needs shared_phases | jq -c '[.[] | select(.specifier) | .shared_bytes] | [.[0], max, .[-2], .[-1]]')" '[0,4496,400,0]'
needs register_phases | jq -e '[.[].most_live] | max >= 24 and .[-1] <= max / 3 * 2' >/dev/null || fail "register_phases does not halve its registers"

# The checks can fail: a watch that sees a smaller specifier, that calls every register uniform, or that lets no lane wait.
plant() { # plant NAME SED-EXPRESSION WORKLOAD SENTENCE
  sed "$2" tests/examples/plugin/phase_watch.c >"$work/$1.c"
  planted tests/examples/plugin/phase_watch.c "$work/$1.c" "$1"
  compile "$work/$1.c" "$work/$1.so"
  ! "$tandem" run "$3" -c small --plugin "$work/$1.so" --system phase_watch --out "$work/$1" >"$work/log" 2>&1 || fail "not noticed: $1"
  grep -q "$4" "$work/log" || fail_showing "$work/log" "another fault: $1"
}
plant smaller 's/<= s->registers;/< s->registers;/' nqueens:n=8 'beyond its phase'
plant uniform 's/!k->phases->differs\[op->read_reg\[n\]\] \&\&/k->phases->differs[op->read_reg[n]] \&\&/' nqueens:n=8 'lanes differ in a uniform register'
plant shared 's/f->cta->shared_bytes : s->shared_bytes/0 : s->shared_bytes - 4/' dct8x8:rows=32,columns=64 'shared memory beyond its phase'
plant register 's/number < s->registers;/2 * number < s->registers;/' nqueens:n=8 'wrong element\|shared memory beyond'
plant bytes 's/c->shared + most, GARBAGE, c->shared_bytes - most/c->shared + most \/ 2, GARBAGE, most - most \/ 2/' nqueens:n=8 'wrong element'
