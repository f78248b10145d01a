// SPDX-License-Identifier: Apache-2.0
// A memory with two reads, one of which goes to a register: that is part of the memory, and a part of the state.
module ram_mixed (
    input  logic        clk_i,
    input  logic        write_i,
    input  logic        keep_i,
    input  logic [7:0]  a_i,
    input  logic [7:0]  b_i,
    input  logic [15:0] data_i,
    output logic [15:0] now_o,
    output logic [15:0] kept_o
);
  logic [15:0] words [0:255];
  logic [15:0] kept_q;
  assign now_o = words[a_i];
  assign kept_o = kept_q;
  always_ff @(posedge clk_i) begin
    if (write_i) words[a_i] <= data_i;
    if (keep_i) kept_q <= words[b_i];
  end
endmodule
