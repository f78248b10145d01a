// SPDX-License-Identifier: Apache-2.0
//
// like_cache: tags of a direct-mapped cache.
//
// Latency    a look-up is answered in the next cycle.
// Handshake  none: every look-up and every fill is accepted.
// Reset      synchronous, active low; no set holds a line.

module like_cache #(
    parameter int SETS = 8,  // sets, at least 2
    parameter int T = 6,     // bits of a tag
    localparam int S = $clog2(SETS)
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         look_i,  // look a line up
    input  logic         fill_i,  // the line is there from the next cycle on
    input  logic [S-1:0] set_i,   // its set
    input  logic [T-1:0] tag_i,   // its tag
    output logic         done_o,  // the look-up of the last cycle is answered
    output logic         hit_o,   // the line was there; meaningless while done_o is 0
    output logic         busy_o   // 1 if an idle tick would change state: a look-up is answered
);
  logic [SETS-1:0] valid_q, valid_d;
  logic [T-1:0] tag_q [0:SETS-1];
  logic [T-1:0] read_q, want_q;
  logic done_q, done_hit_q;

  // Decode.
  wire fill = fill_i && rst_ni;
  wire held = look_i && valid_q[set_i];
  wire [T-1:0] stored = tag_q[set_i];
  assign done_o = done_q;
  assign hit_o = done_hit_q && read_q == want_q;
  assign busy_o = done_q;

  // Next state.
  always_comb begin
    valid_d = valid_q;
    if (fill) valid_d[set_i] = 1'b1;
  end

  // Registers. Tags have no reset.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      done_q <= 1'b0;
      done_hit_q <= 1'b0;
    end else begin
      valid_q <= valid_d;
      done_q <= look_i;
      done_hit_q <= held;
    end
    if (look_i) begin
      read_q <= stored;
      want_q <= tag_i;
    end
    if (fill) tag_q[set_i] <= tag_i;
  end

`ifdef FORMAL
  `include "like_cache_props.svh"
`endif
endmodule
