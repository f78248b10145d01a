// SPDX-License-Identifier: Apache-2.0
//
// like_fifo: FIFO of D words.
//
// Latency    a word that is pushed is visible in the next cycle.
// Handshake  a push while full and a pop while empty are ignored.
// Reset      synchronous, active low; the FIFO is empty.

module like_fifo #(
    parameter int W = 8,  // bits of a word
    parameter int D = 4   // words, at least 2
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         push_i,    // put data_i into the FIFO
    input  logic [W-1:0] data_i,    // the word
    input  logic         pop_i,     // take the oldest word
    output logic         full_o,    // no place is left
    output logic         valid_o,   // a word is there
    output logic [W-1:0] oldest_o,  // the oldest word; meaningless while valid_o is 0
    output logic         busy_o     // 1 if an idle tick would change state: always 0
);
  localparam int AW = $clog2(D);
  localparam int LW = $clog2(D + 1);
  localparam logic [AW-1:0] LAST = AW'(D - 1);
  localparam logic [LW-1:0] DEPTH = LW'(D);

  logic [LW-1:0] level_q, level_d;
  logic [AW-1:0] write_q, write_d, read_q, read_d;
  logic [W-1:0] word_q [0:D-1];

  // Decode.
  wire put = push_i && !full_o;
  wire take = pop_i && valid_o;
  assign full_o = level_q == DEPTH;
  assign valid_o = level_q != '0;
  assign oldest_o = word_q[read_q];
  assign busy_o = 1'b0;

  // Next state.
  always_comb begin
    level_d = level_q;
    write_d = write_q;
    read_d = read_q;
    if (put && !take) level_d = level_q + 1'b1;
    if (take && !put) level_d = level_q - 1'b1;
    if (put) write_d = write_q == LAST ? '0 : write_q + 1'b1;
    if (take) read_d = read_q == LAST ? '0 : read_q + 1'b1;
  end

  // Registers. The words have no reset.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      level_q <= '0;
      write_q <= '0;
      read_q <= '0;
    end else begin
      level_q <= level_d;
      write_q <= write_d;
      read_q <= read_d;
    end
    if (put) word_q[write_q] <= data_i;
  end

`ifdef FORMAL
  `include "like_fifo_props.svh"
`endif
endmodule
