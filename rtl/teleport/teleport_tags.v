// SPDX-License-Identifier: Apache-2.0
//
// teleport_tags: the tag array of an SM's data buffer (Lashgar et al. 2018, section 3; assumption: ports, cycle behaviour, limit and
// invalidation): SETS x WAYS lines of 128 bytes, replaced in LRU order.
//
// Latency    an operation that is taken at T0 is looked up, answered and performed at T1. One operation a cycle.
// Priority   a fill, then an invalidation, then a probe; the others are not ready in that cycle.
// Fill       a line that is here becomes the most recently used one. Any other goes to the lowest invalid way below the limit, else
//            to the least recently used of those ways, whose line is evicted. With a limit of 0 the fill does nothing.
// Probe      a hit makes the line the most recently used one of its set.
// Limit      ways at or above it are taken back: invalid from the next cycle on, until the limit is raised. The operation at T1
//            still sees the old limit.
// Clear      nothing is valid from the next cycle on; an operation that is taken in this cycle sees nothing.
// LRU        the ranks of a set are a permutation of 0..WAYS-1, 0 for the way used last. They are kept as planes, bit b of every
//            way's rank in one word: all ways compare and count up in parallel. Invalid ways keep their ranks.
// Tags       the lowest HALT bits of all tags of a set are planes too, and are compared first; the other bits are compared in the
//            ways that agree (a way-halting cache: Zhang, Yang & Vahid, ACM TACO 2005).
// Reset      synchronous, active low: nothing valid, way w has rank w, every way may be used.
// Idle       busy_o: an operation is at T1.

`include "needs.vh"

module teleport_tags #(
    parameter int SETS = 4,  // a power of two, 1..4
    parameter int WAYS = 96  // ways of a set, 2..128
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    // operations
    input  logic                      fill_valid_i,   // a line arrives; always taken
    input  logic [56:0]               fill_line_i,    // its number: byte address / 128
    input  logic                      inval_valid_i,  // a line is written elsewhere
    input  logic [56:0]               inval_line_i,   // its number
    input  logic                      probe_valid_i,  // a line is asked for
    input  logic [56:0]               probe_line_i,   // its number
    input  logic                      clear_i,        // every line leaves
    input  logic                      limit_en_i,     // set the number of ways that may be used
    input  logic [$clog2(WAYS+1)-1:0] limit_i,        // that number; above WAYS it counts as WAYS
    output logic                      inval_ready_o,  // the invalidation is taken
    output logic                      probe_ready_o,  // the probe is taken
    // answer
    output logic [1:0]                answer_o,       // which operation is at T1: 0 none, 1 fill, 2 invalidation, 3 probe
    output logic                      hit_o,          // its line is here
    output logic [(WAYS <= 2 ? 1 : $clog2(WAYS))-1:0] way_o,  // way of the hit, or that the fill takes; else 0
    output logic                      placed_o,       // the fill takes a way for its line
    output logic                      evict_valid_o,  // a valid line leaves for it
    output logic [56:0]               evict_line_o,   // number of that line; 0 without one
    output logic                      busy_o          // an operation is at T1
);
  localparam int SB = SETS <= 1 ? 0 : $clog2(SETS);
  localparam int XW = SB < 1 ? 1 : SB;
  localparam int WB = WAYS <= 2 ? 1 : $clog2(WAYS);  // bits of a way and of a rank
  localparam int LW = $clog2(WAYS + 1);
  localparam int TW = 57 - SB;                       // bits of a tag
  localparam int HALT = 8;
  localparam logic [1:0] FILL = 2'd1, INVALIDATE = 2'd2, PROBE = 2'd3;
  localparam int AW = SETS * WAYS <= 2 ? 1 : $clog2(SETS * WAYS);
  localparam int GROUPS = (WAYS + 15) / 16;
  localparam logic [31:0] ALL_WAYS = WAYS;
  localparam logic [SETS-1:0] SET_0 = 1;
  localparam logic [WAYS-1:0] WAY_0 = 1;

  `NEEDS(SETS == 1 || SETS == 2 || SETS == 4, teleport_tags_needs_sets_1_2_or_4)
  `NEEDS(WAYS >= 2 && WAYS <= 128, teleport_tags_needs_ways_in_2_to_128)

  logic [TW-HALT-1:0] tags_q[0:SETS*WAYS-1];             // row way * SETS + set: the upper bits of a tag
  (* mem2reg *) logic [WAYS-1:0] halt_q[0:SETS*HALT-1];  // row bit * SETS + set: a lower bit of the tag of every way
  (* mem2reg *) logic [WAYS-1:0] rank_q[0:SETS*WB-1];    // row bit * SETS + set: a bit of the rank of every way
  logic [SETS*WAYS-1:0] valid_q, valid_d;                // bit way * SETS + set
  logic [LW-1:0] limit_q;
  logic [1:0] op_q;     // the operation at T1
  logic [56:0] line_q;  // its line

  // T0: one operation.
  logic [1:0] op_d;
  logic [56:0] line_d;
  logic [LW-1:0] limit_d;
  assign inval_ready_o = !fill_valid_i;
  assign probe_ready_o = !fill_valid_i && !inval_valid_i;
  assign op_d = fill_valid_i ? FILL : inval_valid_i ? INVALIDATE : probe_valid_i ? PROBE : 2'd0;
  assign line_d = fill_valid_i ? fill_line_i : inval_valid_i ? inval_line_i : probe_line_i;
  assign limit_d = limit_i > ALL_WAYS[LW-1:0] ? ALL_WAYS[LW-1:0] : limit_i;

  // T1: the set, and the ways that agree in the lower bits of the tag.
  logic [XW-1:0] set;
  logic [31:0] set_number;
  logic [TW-1:0] tag;
  logic [TW-HALT-1:0] upper;
  logic [WAYS-1:0] same, hits;
  if (SETS == 1) begin : g_set
    assign set = 1'b0;
  end else begin : g_set
    assign set = line_q[XW-1:0];
  end
  assign set_number = {{(32 - XW) {1'b0}}, set};
  assign tag = line_q[56-:TW];
  assign upper = tag[TW-1:HALT];
  logic [HALT*WAYS-1:0] halt_next;  // as a fill leaves the set
  for (genvar b = 0; b < HALT; b++) begin : g_halt
    logic [WAYS-1:0] plane, agree;
    assign plane = halt_q[b*SETS+set_number];
    if (b == 0) assign agree = ~(plane ^ {WAYS{tag[b]}});
    else assign agree = g_halt[b-1].agree & ~(plane ^ {WAYS{tag[b]}});
    assign halt_next[b*WAYS+:WAYS] = (plane & ~used) | (used & {WAYS{tag[b]}});
  end
  assign same = g_halt[HALT-1].agree;

  // The upper bits, in those ways only; ways in groups of 16, so that a simulator passes over groups without one.
  logic [16*GROUPS-1:0] lanes;
  always_comb begin : compare
    lanes = '0;
    lanes[WAYS-1:0] = same;
    hits = '0;
    for (int g = 0; g < GROUPS; g++)
      if (lanes[g*16+:16] != 16'd0)
        for (int k = 0; k < 16; k++)
          if (lanes[g*16+k]) hits[(g*16+k)%WAYS] = valid_q[((g*16+k)%WAYS)*SETS+set_number] && tags_q[((g*16+k)%WAYS)*SETS+set_number] == upper;
  end

  // The way of a fill: the lowest invalid one, else the oldest, of those below the limit.
  logic misses, some_free;
  logic [SETS*WAYS-1:0] free, lowest;
  logic [WAYS-1:0] usable, oldest;
  logic [WB-1:0] free_way, hit_way, oldest_way;
  assign misses = op_q == FILL && hits == '0 && limit_q != '0;
  assign usable = ~({WAYS{1'b1}} << limit_q);
  always_comb begin : free_ways
    free = '0;
    if (misses) free = ~valid_q & {WAYS{SET_0 << set}} & ~({SETS * WAYS{1'b1}} << ({{(32 - LW) {1'b0}}, limit_q} * SETS));
  end
  assign lowest = free & -free;
  assign some_free = |free;
  onehot_index #(.N(SETS * WAYS), .GROUP(SETS)) u_free (.onehot_i(lowest), .index_o(free_way));
  for (genvar b = WB - 1; b >= 0; b--) begin : g_oldest
    logic [WAYS-1:0] from, with_bit, left;
    if (b == WB - 1) assign from = usable;
    else assign from = g_oldest[b+1].left;
    assign with_bit = from & g_rank[b].plane;
    assign left = |with_bit ? with_bit : from;
  end
  assign oldest = misses && !some_free ? g_oldest[0].left : '0;
  onehot_index #(.N(WAYS)) u_hit (.onehot_i(hits), .index_o(hit_way));
  onehot_index #(.N(WAYS)) u_oldest (.onehot_i(oldest), .index_o(oldest_way));

  // The answer.
  logic touch, drops;
  logic [WAYS-1:0] used;
  logic [31:0] at_number;
  logic [AW-1:0] at;  // row of the way
  logic unused_at;
  assign answer_o = op_q;
  assign hit_o = op_q != 2'd0 && hits != '0;
  assign placed_o = misses;
  assign way_o = !misses ? hit_way & {WB{hit_o}} : some_free ? free_way : oldest_way;
  assign used = WAY_0 << way_o;
  assign at_number = {{(32 - WB) {1'b0}}, way_o} * SETS + set_number;
  assign at = at_number[AW-1:0];
  assign unused_at = &{1'b0, at_number[31:AW]};
  assign touch = placed_o || (hit_o && op_q != INVALIDATE);
  assign drops = hit_o && op_q == INVALIDATE;
  assign evict_valid_o = misses && !some_free;
  logic [HALT-1:0] low;
  logic [TW-1:0] evict_tag;
  for (genvar b = 0; b < HALT; b++) begin : g_low
    assign low[b] = |(g_halt[b].plane & oldest);
  end
  // Of the same words that are compared, so that no address depends on what the array holds.
  logic [TW-HALT-1:0] evict_upper;
  logic [16*GROUPS-1:0] old_lanes;
  always_comb begin : evicted
    old_lanes = '0;
    old_lanes[WAYS-1:0] = oldest;
    evict_upper = '0;
    for (int g = 0; g < GROUPS; g++)
      if (old_lanes[g*16+:16] != 16'd0)
        for (int k = 0; k < 16; k++)
          if (old_lanes[g*16+k]) evict_upper = evict_upper | tags_q[((g*16+k)%WAYS)*SETS+set_number];
  end
  assign evict_tag = {evict_upper, low};
  if (SETS == 1) begin : g_line
    assign evict_line_o = evict_valid_o ? evict_tag : '0;
  end else begin : g_line
    assign evict_line_o = evict_valid_o ? {evict_tag, set} : '0;
  end
  assign busy_o = op_q != 2'd0;

  // Ranks: the ways that were used after this one count up, this one gets 0.
  for (genvar b = WB - 1; b >= 0; b--) begin : g_rank
    logic mine;
    logic [WAYS-1:0] plane, equal, less;  // so far, from the highest bit on: the rank is that of the way, is less
    assign plane = rank_q[b*SETS+set_number];
    assign mine = |(plane & used);
    if (b == WB - 1) begin : g_first
      assign equal = ~(plane ^ {WAYS{mine}});
      assign less = ~plane & {WAYS{mine}};
    end else begin : g_next
      assign equal = g_rank[b+1].equal & ~(plane ^ {WAYS{mine}});
      assign less = g_rank[b+1].less | (g_rank[b+1].equal & ~plane & {WAYS{mine}});
    end
  end
  logic unused_equal;
  logic [WB*WAYS-1:0] rank_next;
  assign unused_equal = &{1'b0, g_rank[0].equal};
  for (genvar b = 0; b < WB; b++) begin : g_count
    logic [WAYS-1:0] carry;
    if (b == 0) assign carry = g_rank[0].less;
    else assign carry = g_count[b-1].carry & g_rank[b-1].plane;
    assign rank_next[b*WAYS+:WAYS] = (g_rank[b].plane ^ carry) & ~used;
  end

  // Next state.
  always_comb begin : next_valid
    valid_d = valid_q;
    if (placed_o) valid_d[at] = 1'b1;
    if (drops) valid_d[at] = 1'b0;
    if (limit_en_i) valid_d = valid_d & ~({SETS * WAYS{1'b1}} << ({{(32 - LW) {1'b0}}, limit_d} * SETS));
    if (clear_i) valid_d = '0;
  end

  // Registers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      op_q <= 2'd0;
      line_q <= '0;
      limit_q <= ALL_WAYS[LW-1:0];
      valid_q <= '0;
    end else begin
      op_q <= op_d;
      if (op_d != 2'd0) line_q <= line_d;
      if (limit_en_i) limit_q <= limit_d;
      valid_q <= valid_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (placed_o) tags_q[at] <= upper;
  end
  logic [WB*WAYS-1:0] numbers;  // way w begins with rank w
  for (genvar b = 0; b < WB; b++) begin : g_number
    for (genvar w = 0; w < WAYS; w++) begin : g_way
      assign numbers[b*WAYS+w] = (w >> b) % 2 == 1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int row = 0; row < SETS * HALT; row++) halt_q[row] <= '0;
      for (int row = 0; row < SETS * WB; row++) rank_q[row] <= numbers[(row/SETS)*WAYS+:WAYS];
    end else begin
      if (placed_o) for (int b = 0; b < HALT; b++) halt_q[b*SETS+set_number] <= halt_next[b*WAYS+:WAYS];
      if (touch) for (int b = 0; b < WB; b++) rank_q[b*SETS+set_number] <= rank_next[b*WAYS+:WAYS];
    end
  end

`ifdef FORMAL
  `include "teleport_tags_props.svh"
`endif
endmodule
`undef NEEDS
