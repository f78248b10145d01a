#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: own-blocks
# own_resets.sh BUILD_DIR: a small counter with every kind of reset, with a define, a slice of a bus and no parameters. The rule
# of each kind is checked in the cycle of a reset and after it, by every engine, and random lockstep with resets agrees; with the timing
# of the other kind it does not.
. tests/kit/shell.sh
cat >"$work/count.sv" <<'V'
// SPDX-License-Identifier: Apache-2.0
module count (
    input logic clk,
`ifdef HAS_RESET
    input logic reset,
`endif
    input logic [7:4] step,
    output logic [3:0] n
);
  logic [3:0] held = `START;
`ifdef HAS_RESET
  always_ff @(posedge clk `EDGE)
    if (reset == `ACTIVE) held <= `START;
    else held <= held + step[5:4] + step[7:6];
`else
  always_ff @(posedge clk) held <= held + step[5:4] + step[7:6];
`endif
  assign n = held;
endmodule
V
sed -i 's/ `EDGE)/\n`ifdef ASYNC_LOW\n      or negedge reset\n`elsif ASYNC_HIGH\n      or posedge reset\n`endif\n  )/' "$work/count.sv"
cat >"$work/count.c" <<'C'
/* SPDX-License-Identifier: Apache-2.0 */
#include "counter_ports.h"

struct counter_state {
  uint32_t n;
};
static void counter_reset(const struct counter_cfg *cfg, struct counter_state *s) {
  (void)cfg;
  s->n = 5;
}
static void counter_eval(const struct counter_cfg *cfg, const struct counter_state *s, const struct counter_in *in,
                         struct counter_out *out) {
  (void)cfg, (void)in;
  out->n = s->n;
}
static void counter_tick(const struct counter_cfg *cfg, struct counter_state *s, const struct counter_in *in,
                         const struct counter_out *out) {
  (void)cfg, (void)out;
  s->n = (s->n + in->low + in->high) & 15;
}
#include "counter_model.inc"
C
manifest() { # manifest RESET DEFINE...
  cat >"$work/blocks.yaml" <<Y
counter:
  brief: counts by the sum of two steps
  files: [count.sv]
  defines: [START=5, $2]
  top: count
  clock: clk
  reset: $1
  buses: {step: "logic [7:4]"}
  model: count.c
  ports:
    - [low, in, 2, "a step", enable, {rtl: "step[5:4]"}]
    - [high, in, 2, "another step", enable, {rtl: "step[7:6]"}]
    - [n, out, 4, the sum]
  state:
    - {reg: held, width: 4, c: n, brief: the sum}
Y
}
check() { # check STATUS ARGUMENT...
  ends_with "$1" "$tandem" check counter --manifest "$work/blocks.yaml" --cycles 100000 --out "$work/out" "${@:2}"
}
printf 'rst_n,low,high\n1,1,2\n1,1,0\n0,3,3\n1,0,1\n1,0,0\n' >"$work/steps.csv"
counts() { # counts WANTED: the output of five cycles, the third of which is a reset, under every engine
  local engine
  for engine in c rtl lockstep; do
    must "$tandem" drive counter "$work/steps.csv" --manifest "$work/blocks.yaml" --engine $engine
    [ "$(tail -5 "$work/log" | cut -d, -f5 | tr '\n' ' ')" = "$1 " ] || fail_showing "$work/log" "not $1 under $engine"
  done
}
kind() { # kind COUNTS RESET OTHER_RESET DEFINES
  manifest "$2" "$4"
  counts "$1"
  check 0
  manifest "$3" "$4"
  check 1
  check 0 --no-reset
  echo "$2: counts $1"
}
kind '5 8 9 5 6' '{port: reset, active: high}' '{port: reset, active: high, async: true}' 'HAS_RESET, ACTIVE=1'
kind '5 8 9 5 6' '{port: reset}' '{port: reset, async: true}' 'HAS_RESET, ACTIVE=0'
kind '5 8 5 5 6' '{port: reset, active: high, async: true}' '{port: reset, active: high}' 'HAS_RESET, ACTIVE=1, ASYNC_HIGH'
kind '5 8 5 5 6' '{port: reset, active: low, async: true}' '{port: reset, active: low}' 'HAS_RESET, ACTIVE=0, ASYNC_LOW'
# without a reset rst_n is ignored, and nothing happens before the first cycle
manifest none MUCH
counts '5 8 9 15 0'
check 0
sed -i "s/s->n = 5/s->n = 4/" "$work/count.c"
check 1
