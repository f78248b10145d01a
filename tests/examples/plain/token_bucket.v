// SPDX-License-Identifier: Apache-2.0
//
// token_bucket: limits a rate; a request may go while enough tokens are left.
//
// Latency    grant_o is combinational in ask_i and cost_i; tokens taken or earned count from the next cycle.
// Handshake  a request without enough tokens is refused and changes nothing.
// Reset      synchronous, active low; the bucket is full.

module token_bucket #(
    parameter int N = 12,  // tokens that the bucket holds
    parameter int W = 3    // bits of a cost
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         ask_i,    // a request
    input  logic [W-1:0] cost_i,   // tokens that it takes
    input  logic         earn_i,   // one token is earned; lost when the bucket is full
    output logic         grant_o,  // the request goes
    output logic         busy_o    // 1 if an idle tick would change state: always 0
);
  localparam int B = $clog2(N + 1);
  localparam int X = (B > W ? B : W) + 1;
  localparam logic [X-1:0] FULL = N[X-1:0];

  logic [B-1:0] left_q, left_d;

  // Decode.
  wire [X-1:0] left = {{(X - B) {1'b0}}, left_q};
  wire [X-1:0] cost = {{(X - W) {1'b0}}, cost_i};
  assign grant_o = ask_i && left >= cost;
  assign busy_o = 1'b0;

  // Next state.
  wire [X-1:0] after = grant_o ? left - cost : left;
  wire [X-1:0] then = earn_i && after != FULL ? after + 1'b1 : after;
  always_comb left_d = then[B-1:0];

  // Registers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) left_q <= FULL[B-1:0];
    else left_q <= left_d;
  end

`ifdef FORMAL
  `include "token_bucket_props.svh"
`endif
endmodule
