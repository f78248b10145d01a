// SPDX-License-Identifier: Apache-2.0
//
// lfsr: maximal-length linear feedback shift register; pseudo-random bits with period 2^W - 1.
//
// Latency    state_o is the register; it steps at the edge of a cycle with step_i.
// Seed       spread over all bits: from a state with few ones the register would need many steps to a state with many.
// Reset      synchronous, active low: the seeded state.
// Idle       a cycle without step_i changes nothing: busy_o is always 0.

`include "needs.vh"

module lfsr #(
    parameter int W = 16,   // bits: 16, 32 or 64
    parameter int SEED = 1  // at least 1
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         step_i,   // advance by one step
    output logic [W-1:0] state_o,  // never 0
    output logic         busy_o    // 1 if an idle tick would change state: always 0
);
  // Feedback taps: 16 (16,15,13,4), 32 (32,22,2,1), 64 (64,63,61,60).
  localparam logic [63:0] ALL_TAPS = W == 16 ? 64'hd008 : W == 32 ? 64'h80200003 : 64'hd800000000000000;
  localparam logic [W-1:0] TAPS = ALL_TAPS[W-1:0];
  localparam logic [31:0] SEED_WORD = SEED;
  localparam logic [31:0] SEED_HIGH = SEED_WORD * 32'h9e3779b9;
  localparam logic [31:0] SEED_LOW = SEED_WORD * 32'h85ebca6b;
  localparam logic [63:0] SEED_ALL = {SEED_HIGH, SEED_LOW} ^ 64'hc2b2ae3d27d4eb4e | 64'd1;

  `NEEDS(W == 16 || W == 32 || W == 64, lfsr_needs_w_16_32_or_64)
  `NEEDS(SEED >= 1, lfsr_needs_seed_at_least_1)

  logic [W-1:0] state_q, state_d, stepped;
  assign stepped = {state_q[W-2:0], ^(state_q & TAPS)};
  assign state_d = step_i ? stepped : state_q;
  assign state_o = state_q;
  assign busy_o = 1'b0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= SEED_ALL[W-1:0];
    else state_q <= state_d;
  end

`ifdef FORMAL
  `include "lfsr_props.svh"
`endif
endmodule
`undef NEEDS
