// SPDX-License-Identifier: Apache-2.0
// A memory that is read without a clock, between two pieces of logic: the path goes through it.
module ram_async (
    input  logic        clk_i,
    input  logic        write_i,
    input  logic [7:0]  a_i,
    input  logic [7:0]  b_i,
    input  logic [15:0] data_i,
    output logic [15:0] sum_o
);
  logic [15:0] words [0:255];
  logic [15:0] sum_q;
  assign sum_o = sum_q;
  always_ff @(posedge clk_i) begin
    if (write_i) words[a_i] <= data_i;
    sum_q <= sum_q + words[a_i + b_i];
  end
endmodule
