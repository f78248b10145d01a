// SPDX-License-Identifier: Apache-2.0
//
// d2ma_lane_range: the range of shared memory that a warp's access touches, from the lowest byte to
// the highest of its active lanes. The paper's read-after-write circuits have one address each
// (Jamshidi 2014, figure 7); assumption: a warp's lanes are checked together, by this range.
//
// Latency    one cycle: an access in one cycle, ld_* in the next, as d2ma_raw_check takes them. One
//            access per cycle. The trees of comparators come before the registers, the addition of
//            the access's size after them.
// Range      without an active lane there is no query. The highest byte is at most 65535: a lane
//            that reaches beyond the address range is cut there.
// Reset      synchronous, active low: no query.
// Idle       busy_o is 1 while a query leaves.

`include "needs.vh"

module d2ma_lane_range #(
    parameter int LANES = 32,  // lanes of a warp: 1..32
    parameter int CTAS = 8,    // CTA slots, at least 1
    parameter int WARPS = 48   // hardware warps, at least 1
) (
    input  logic                                         clk_i,
    input  logic                                         rst_ni,
    // the access
    input  logic                                         at_valid_i,  // a warp accesses shared memory
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    at_cta_i,    // CTA slot of the warp
    input  logic [(WARPS <= 2 ? 1 : $clog2(WARPS))-1:0]  at_warp_i,   // hardware warp
    input  logic [LANES-1:0]                             at_mask_i,   // active lanes
    input  logic [LANES*16-1:0]                          at_addr_i,   // their shared byte addresses, lane 0 lowest
    input  logic [3:0]                                   at_last_i,   // bytes of a lane, less one
    // the query
    output logic                                         ld_valid_o,  // a query
    output logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    ld_cta_o,    // CTA slot of the warp
    output logic [(WARPS <= 2 ? 1 : $clog2(WARPS))-1:0]  ld_warp_o,   // hardware warp
    output logic [15:0]                                  ld_lo_o,     // lowest shared byte touched
    output logic [15:0]                                  ld_hi_o,     // highest shared byte touched
    output logic                                         busy_o       // a query leaves
);
  localparam int CW = CTAS <= 2 ? 1 : $clog2(CTAS);
  localparam int WW = WARPS <= 2 ? 1 : $clog2(WARPS);
  localparam int LEAVES = LANES <= 8 ? 8 : 1 << $clog2(LANES);
  localparam int LEVELS = $clog2(LEAVES) - 3;  // from pairs of lanes to the last four nodes

  `NEEDS(LANES >= 1 && LANES <= 32, d2ma_lane_range_needs_lanes_1_to_32)
  `NEEDS(CTAS >= 1 && WARPS >= 1, d2ma_lane_range_needs_parameters_at_least_1)

  logic valid_q, valid_d;
  logic [CW-1:0] cta_q;
  logic [WW-1:0] warp_q;
  logic [15:0] lo_q, top_q;  // lowest and highest lane address
  logic [3:0] last_q;

  // Pairs of lanes: one comparison serves both trees. A pair without an active lane loses every further comparison.
  logic [LEAVES*16-1:0] addr;
  logic [LEAVES-1:0] mask;
  logic [LEAVES*8-1:0] low_pairs, top_pairs;
  always_comb begin : fill_up
    addr = '0;
    mask = '0;
    addr[LANES*16-1:0] = at_addr_i;
    mask[LANES-1:0] = at_mask_i;
  end
  for (genvar n = 0; n < LEAVES / 2; n++) begin : g_pair
    logic [15:0] a, b;
    logic on_a, on_b, less, none;
    assign a = addr[n*32+:16];
    assign b = addr[n*32+16+:16];
    assign {on_b, on_a} = mask[n*2+:2];
    assign less = b < a;
    assign none = !on_a && !on_b;
    assign low_pairs[n*16+:16] = ((on_b && (less || !on_a)) ? b : a) | {16{none}};
    assign top_pairs[n*16+:16] = ((on_a && (less || !on_b)) ? a : b) & {16{!none}};
  end

  // Two trees in place: node i of a level takes nodes 2i and 2i+1 of the level below, which are not needed again.
  logic [LEAVES*8-1:0] lows, tops;
  always_comb begin
    lows = low_pairs;
    tops = top_pairs;
    for (int level = 0; level < LEVELS; level++) begin
      for (int i = 0; i < LEAVES / 4; i++) begin
        if (i < (LEAVES / 4) >> level) begin
          lows[i*16+:16] = lows[i*32+16+:16] < lows[i*32+:16] ? lows[i*32+16+:16] : lows[i*32+:16];
          tops[i*16+:16] = tops[i*32+16+:16] > tops[i*32+:16] ? tops[i*32+16+:16] : tops[i*32+:16];
        end
      end
    end
  end
  // The last four, each against each: one comparison and a choice instead of two.
  logic [63:0] low_4, top_4;
  logic [3:0] low_wins, top_wins;
  assign low_4 = lows[63:0];
  assign top_4 = tops[63:0];
  for (genvar a = 0; a < 4; a++) begin : g_last
    logic [3:0] low_beaten, top_beaten;  // among equals the first wins
    for (genvar b = 0; b < 4; b++) begin : g_rival
      assign low_beaten[b] = b < a ? low_4[b*16+:16] <= low_4[a*16+:16]
                           : b > a && low_4[b*16+:16] < low_4[a*16+:16];
      assign top_beaten[b] = b < a ? top_4[b*16+:16] >= top_4[a*16+:16]
                           : b > a && top_4[b*16+:16] > top_4[a*16+:16];
    end
    assign low_wins[a] = ~|low_beaten;
    assign top_wins[a] = ~|top_beaten;
  end
  logic [15:0] low, top;
  always_comb begin : choose
    low = '0;
    top = '0;
    for (int n = 0; n < 4; n++) begin
      low = low | (low_4[n*16+:16] & {16{low_wins[n]}});
      top = top | (top_4[n*16+:16] & {16{top_wins[n]}});
    end
  end
  logic unused;
  assign unused = &{1'b0, lows, tops};
  assign valid_d = at_valid_i && |at_mask_i;

  // Outputs.
  logic [16:0] sum;
  assign sum = {1'b0, top_q} + {13'd0, last_q};
  assign ld_valid_o = valid_q;
  assign ld_cta_o = valid_q ? cta_q : '0;
  assign ld_warp_o = valid_q ? warp_q : '0;
  assign ld_lo_o = valid_q ? lo_q : '0;
  assign ld_hi_o = valid_q ? sum[15:0] | {16{sum[16]}} : '0;
  assign busy_o = valid_q;

  // Registers.
  always_ff @(posedge clk_i) begin
    if (valid_d) begin
      cta_q <= at_cta_i;
      warp_q <= at_warp_i;
      lo_q <= low;
      top_q <= top;
      last_q <= at_last_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= valid_d;
  end

`ifdef FORMAL
  `include "d2ma_lane_range_props.svh"
`endif
endmodule
`undef NEEDS
