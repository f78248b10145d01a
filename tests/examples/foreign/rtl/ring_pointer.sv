// SPDX-License-Identifier: Apache-2.0
// A pointer that wraps at Depth; asynchronous reset, active high.
`include "ring_config.svh"
module ring_pointer #(
    parameter int unsigned Depth = 4,
    localparam int unsigned Bits = Depth > 1 ? $clog2(Depth) : 1
) (
    input  logic            clk,
    input  logic            arst,
    input  logic            step,
    output logic [Bits-1:0] at
);
  localparam logic [Bits-1:0] Last = Bits'(Depth - 1);
  always_ff @(posedge clk or posedge arst) begin
    if (arst) at <= '0;
    else if (step) at <= at == Last ? '0 : at + Bits'(`RING_STEP);
  end
endmodule
