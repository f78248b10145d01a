// SPDX-License-Identifier: Apache-2.0
//
// like_pipeline: two stages; the first adds, the second saturates.
//
// Latency    two cycles, and more while out_ready_i is 0.
// Handshake  valid and ready at both ends; a result stays until it is taken.
// Reset      synchronous, active low; both stages are empty.

module like_pipeline #(
    parameter int W = 8  // bits of an operand
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         in_valid_i,   // operands are there
    input  logic [W-1:0] a_i,          // first operand
    input  logic [W-1:0] b_i,          // second operand
    input  logic         out_ready_i,  // the result is taken
    output logic         in_ready_o,   // the operands are taken
    output logic         out_valid_o,  // a result is there
    output logic [W-1:0] sum_o,        // a + b, at most the largest number
    output logic         busy_o        // 1 if an idle tick would change state: a stage is full
);
  logic full1_q, full2_q;
  logic [W:0] sum1_q;
  logic [W-1:0] sum2_q;

  // Decode: which stage moves.
  wire step2 = !full2_q || out_ready_i;
  wire step1 = !full1_q || step2;
  assign in_ready_o = step1;
  assign out_valid_o = full2_q;
  assign sum_o = sum2_q;
  assign busy_o = full1_q || full2_q;

  // Registers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      full1_q <= 1'b0;
      full2_q <= 1'b0;
    end else begin
      if (step1) full1_q <= in_valid_i;
      if (step2) full2_q <= full1_q;
    end
    if (step1) sum1_q <= {1'b0, a_i} + {1'b0, b_i};
    if (step2) sum2_q <= sum1_q[W] ? '1 : sum1_q[W-1:0];
  end

`ifdef FORMAL
  `include "like_pipeline_props.svh"
`endif
endmodule
