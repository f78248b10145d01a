// SPDX-License-Identifier: Apache-2.0
// A block with a memory for the tests of synthesis: a FIFO of WORDS words read through a register, and a scoreboard of eight
// bytes that is too small for a memory.
module ram_block #(
    parameter int WORDS = 64,
    parameter int WIDTH = 32
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             push_i,
    input  logic             pop_i,
    input  logic [WIDTH-1:0] data_i,
    input  logic [2:0]       tag_i,
    output logic [WIDTH-1:0] data_o,
    output logic [7:0]       count_o,
    output logic             full_o
);
  localparam int AW = $clog2(WORDS);
  logic [WIDTH-1:0] words [0:WORDS-1];
  logic [7:0] tags [0:7];
  logic [AW:0] head_q, tail_q;
  assign full_o = head_q[AW-1:0] == tail_q[AW-1:0] && head_q[AW] != tail_q[AW];
  assign count_o = tags[tag_i];
  always_ff @(posedge clk_i) begin
    if (push_i && !full_o) words[tail_q[AW-1:0]] <= data_i;
    data_o <= words[head_q[AW-1:0]];
    if (push_i) tags[tag_i] <= tags[tag_i] + 8'd1;
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
    end else begin
      if (push_i && !full_o) tail_q <= tail_q + 1'b1;
      if (pop_i && head_q != tail_q) head_q <= head_q + 1'b1;
    end
  end
endmodule
