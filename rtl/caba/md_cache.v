// SPDX-License-Identifier: Apache-2.0
//
// md_cache: the metadata cache of a memory controller: how many DRAM bursts each line takes (Vijaykumar 2019, 5.4.3: 8 KB, 4 ways;
// assumption: two bits a line, replacement, one operation a cycle, ports and cycle behaviour). Lines are 128 bytes, a metadata line is 32
// bytes and has the bursts of LINES = 128 lines that follow each other; 8 KB reach 4 MB.
//
// Latency    a request is answered in its cycle. What it writes, and what a fill brings, counts from the next cycle on.
// Request    a read gives the bursts less one. A write changes them if it hits; if it misses, the caller fetches the metadata line (one
//            burst), fills it, and asks again.
// Fill       takes the lowest invalid way of the set, else the one used longest ago: reads, writes and fills are uses. A line that is
//            here already stays as it is: what it has may be newer than memory.
// Evicted    a line that was written goes to memory; it is offered until ev_ready_i, and no fill is taken meanwhile. Others just leave.
// Order      one operation a cycle: a fill that is taken goes first.
// Caller     writes an evicted line before it fetches that line again, and fetches a line once at a time: a fill that is older than
//            memory would bring back what was overwritten.
// Host       assumption: copies of the host change metadata by requests as well, so nothing is flushed.
// Reset      synchronous, active low: every way is invalid.
// Idle       busy_o: an evicted line is offered.

`include "needs.vh"

module md_cache #(
    parameter int SETS = 64,  // a power of two, 2..256
    parameter int WAYS = 4,   // a power of two, 1..8
    parameter int LINES = 128,  // lines of a metadata line, a power of two, 4..128
    parameter int LW = 25     // bits of a line's number: byte address / 128; at most 32
) (
    input  logic           clk_i,
    input  logic           rst_ni,
    // request
    input  logic           rq_valid_i,    // bursts of a line are read or written
    input  logic [LW-1:0]  rq_line_i,     // its number
    input  logic           rq_write_i,    // they are written
    input  logic [1:0]     rq_bursts_i,   // to this: bursts less one
    output logic           rq_ready_o,    // the request is answered: no fill is taken
    output logic           hit_o,         // its metadata line is here
    output logic [1:0]     bursts_o,      // bursts less one, before a write; 0 without a hit
    // fill
    input  logic           fill_valid_i,  // a metadata line comes
    input  logic [LW-$clog2(LINES)-1:0] fill_line_i,  // its number: that of its lines / LINES
    input  logic [2*LINES-1:0] fill_data_i,   // two bits a line, the first lowest
    output logic           fill_ready_o,  // it is taken
    // memory
    input  logic           ev_ready_i,    // the evicted line is taken; sampled at the clock edge
    output logic           ev_valid_o,    // a written line leaves; stable until ev_ready_i
    output logic [LW-$clog2(LINES)-1:0] ev_line_o,     // its number; 0 without one
    output logic [2*LINES-1:0] ev_data_o,     // the line; 0 without one
    output logic           busy_o         // an evicted line is offered
);
  localparam int XW = $clog2(SETS);
  localparam int WB = WAYS <= 2 ? 1 : $clog2(WAYS);
  localparam int LB = $clog2(LINES);
  localparam int MW = LW - LB;   // bits of a metadata line's number
  localparam int TW = MW - XW;
  localparam int ROWS = SETS * WAYS;
  localparam int AW = $clog2(ROWS);

  `NEEDS(SETS >= 2 && SETS <= 256 && SETS == 1 << XW, md_cache_needs_a_power_of_two_of_2_to_256_sets)
  `NEEDS(WAYS == 1 || WAYS == 2 || WAYS == 4 || WAYS == 8, md_cache_needs_1_2_4_or_8_ways)
  `NEEDS(ROWS <= 1024, md_cache_needs_at_most_1024_lines)
  `NEEDS(LINES >= 4 && LINES <= 128 && LINES == 1 << LB, md_cache_needs_a_power_of_two_of_4_to_128_lines)
  `NEEDS(LW > LB + XW && LW <= 32, md_cache_needs_lw_above_the_bits_of_set_and_place_and_at_most_32)

  logic [ROWS-1:0] valid_q, dirty_q;               // row set * WAYS + way; dirty: newer than memory
  logic [TW-1:0] tag_q[0:ROWS-1];
  logic [2*LINES-1:0] data_q[0:ROWS-1];
  logic [SETS-1:0] set_q;                          // sets that have had a line
  logic [WAYS*WB-1:0] rank_q[0:SETS-1];            // rank of each way, way 0 lowest; 0: used longest ago
  logic ev_q;                                      // a line is offered to memory
  logic [MW-1:0] ev_line_q;
  logic [2*LINES-1:0] ev_data_q;

  // One operation: the set, and the way that has the line.
  logic takes, asks, here, all_valid;
  logic [MW-1:0] md;
  logic [XW-1:0] set;
  logic [TW-1:0] tag;
  logic [AW-1:0] first;
  logic [WAYS-1:0] valids, match;
  logic [WB-1:0] hit_way;
  assign takes = fill_valid_i && fill_ready_o;
  assign asks = rq_valid_i && rq_ready_o;
  assign md = takes ? fill_line_i : rq_line_i[LW-1:LB];
  assign set = md[XW-1:0];
  assign tag = md[MW-1:XW];
  if (WAYS == 1) begin : g_first
    assign first = set;
  end else begin : g_first
    assign first = {set, {(AW - XW) {1'b0}}};
  end
  assign valids = valid_q[first+:WAYS];
  for (genvar w = 0; w < WAYS; w++) begin : g_way
    localparam logic [31:0] WAY = w;
    assign match[w] = valids[w] && tag_q[first|WAY[AW-1:0]] == tag;
  end
  onehot_index #(.N(WAYS)) u_hit (.onehot_i(match), .index_o(hit_way));
  assign here = match != '0;
  assign all_valid = valids == '1;

  // The request.
  logic [AW-1:0] hit_row;
  logic [LB:0] place;  // of the line's bits
  logic [1:0] stored;
  logic writes;
  assign hit_row = first | {{(AW - WB) {1'b0}}, hit_way};
  assign place = {rq_line_i[LB-1:0], 1'b0};
  assign stored = data_q[hit_row][place+:2];
  assign rq_ready_o = !takes;
  assign hit_o = asks && here;
  assign bursts_o = hit_o ? stored : 2'd0;
  assign writes = hit_o && rq_write_i;

  // The fill: the lowest invalid way, else the oldest one.
  logic [WAYS*WB-1:0] ranks, ranks_d, start;
  logic [WAYS-1:0] oldest, choice, dirties;
  logic [WB-1:0] fill_way, way, rank;
  logic [AW-1:0] fill_row;
  logic fills, leaves, is_dirty;
  assign ranks = set_q[set] ? rank_q[set] : start;
  for (genvar w = 0; w < WAYS; w++) begin : g_oldest
    assign oldest[w] = ranks[w*WB+:WB] == '0;
  end
  assign choice = all_valid ? oldest & -oldest : ~valids & -(~valids);
  onehot_index #(.N(WAYS)) u_fill (.onehot_i(choice), .index_o(fill_way));
  assign fill_row = first | {{(AW - WB) {1'b0}}, fill_way};
  assign fill_ready_o = !ev_q;
  assign fills = takes && !here;
  assign dirties = dirty_q[first+:WAYS];
  assign is_dirty = (dirties & choice) != '0;
  assign leaves = fills && all_valid && is_dirty;

  // Ranks: the way that is used becomes the newest.
  logic used;
  assign used = hit_o || fills;
  assign way = fills ? fill_way : hit_way;
  assign rank = ranks[way*WB+:WB];
  for (genvar w = 0; w < WAYS; w++) begin : g_rank
    localparam logic [31:0] WAY = w, NEWEST = WAYS - 1, ONE = 1;
    logic [WB-1:0] one;
    assign start[w*WB+:WB] = WAY[WB-1:0];
    assign one = ranks[w*WB+:WB] > rank ? ONE[WB-1:0] : '0;
    assign ranks_d[w*WB+:WB] = way == WAY[WB-1:0] ? NEWEST[WB-1:0] : ranks[w*WB+:WB] - one;
  end

  assign ev_valid_o = ev_q;
  assign ev_line_o = ev_q ? ev_line_q : '0;
  assign ev_data_o = ev_q ? ev_data_q : '0;
  assign busy_o = ev_q;

  // Registers. Tag, data and dirty bit count where valid_q has a one, ranks where set_q has.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else if (fills) valid_q[fill_row] <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (fills) dirty_q[fill_row] <= 1'b0;
    else if (writes) dirty_q[hit_row] <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ev_q <= 1'b0;
    else ev_q <= leaves || (ev_q && !ev_ready_i);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) set_q <= '0;
    else if (fills) set_q[set] <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (fills) begin
      tag_q[fill_row] <= tag;
      data_q[fill_row] <= fill_data_i;
    end else if (writes) data_q[hit_row][place+:2] <= rq_bursts_i;
    if (used) rank_q[set] <= ranks_d;
    if (leaves) begin
      ev_line_q <= {tag_q[fill_row], set};
      ev_data_q <= data_q[fill_row];
    end
  end

`ifdef FORMAL
  `include "md_cache_props.svh"
`endif
endmodule
`undef NEEDS
