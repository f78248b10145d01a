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
// LRU        the ranks of a set are a permutation of 0..WAYS-1, 0 for the way used last. They are kept as planes, bit b of the rank
//            of every way of half a set in one word: all ways compare and count up in parallel, in words of at most 64 bits.
//            Invalid ways keep their ranks.
// Tags       the lowest HALT bits of all tags of a set are planes too, and are compared first; the other bits are compared in the
//            ways that agree (a way-halting cache: Zhang, Yang & Vahid, ACM TACO 2005).
// Reset      synchronous, active low: nothing valid, way w has rank w, every way may be used.
// Idle       busy_o: an operation is at T1.

`include "needs.vh"

module teleport_tags #(
    parameter int SETS = 4,  // a power of two, 1..4
    parameter int WAYS = 96  // ways of a set, 2..128, even
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
  localparam int HW = WAYS / 2;                      // ways of a half
  localparam int HB = HW <= 2 ? 1 : $clog2(HW);      // bits of a way in its half
  localparam int GROUPS = (HW + 15) / 16;            // of ways of a half
  localparam int AW = SETS * WAYS <= 2 ? 1 : $clog2(SETS * WAYS);
  localparam logic [1:0] FILL = 2'd1, INVALIDATE = 2'd2, PROBE = 2'd3;
  localparam logic [31:0] ALL_WAYS = WAYS, HALF = HW;

  `NEEDS(SETS == 1 || SETS == 2 || SETS == 4, teleport_tags_needs_sets_1_2_or_4)
  `NEEDS(WAYS >= 2 && WAYS <= 128 && WAYS % 2 == 0, teleport_tags_needs_an_even_number_of_2_to_128_ways)

  logic [TW-HALT-1:0] tags_q[0:SETS*WAYS-1];             // row set * WAYS + way: the upper bits of a tag
  (* mem2reg *) logic [HW-1:0] halt_q[0:SETS*HALT*2-1];  // row (set * HALT + bit) * 2 + half: a lower bit of the tags
  (* mem2reg *) logic [HW-1:0] rank_q[0:SETS*WB*2-1];    // row (set * WB + bit) * 2 + half: a bit of the ranks
  (* mem2reg *) logic [HW-1:0] valid_q[0:SETS*2-1];      // row set * 2 + half
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

  // T1: the set.
  logic [31:0] set, first;  // its number, row of its way 0
  logic [TW-1:0] tag;
  logic [TW-HALT-1:0] upper;
  if (SETS == 1) begin : g_set
    assign set = 32'd0;
  end else begin : g_set
    assign set = {{(32 - XW) {1'b0}}, line_q[XW-1:0]};
  end
  assign first = set * WAYS;
  assign tag = line_q[56-:TW];
  assign upper = tag[TW-1:HALT];

  // The way that holds the line: the upper bits are compared in the ways that agree in the lower ones. A simulator passes over
  // groups of ways without one.
  logic [HW-1:0] valid_low, valid_high, agree_low, agree_high, hit_low, hit_high;
  logic [16*GROUPS-1:0] low, high;  // agree, in whole groups
  logic found;
  assign valid_low = valid_q[set*2];
  assign valid_high = valid_q[set*2+1];
  always_comb begin : lookup
    agree_low = '0;
    agree_high = '0;
    if (op_q != 2'd0) begin
      agree_low = valid_low;
      agree_high = valid_high;
      for (int b = 0; b < HALT; b++) begin
        agree_low = agree_low & ~(halt_q[(set*HALT+b)*2] ^ {HW{tag[b]}});
        agree_high = agree_high & ~(halt_q[(set*HALT+b)*2+1] ^ {HW{tag[b]}});
      end
    end
  end
  for (genvar k = 0; k < 16 * GROUPS; k++) begin : g_pad
    assign low[k] = k < HW ? agree_low[k%HW] : 1'b0;
    assign high[k] = k < HW ? agree_high[k%HW] : 1'b0;
  end
  always_comb begin : compare
    hit_low = '0;
    hit_high = '0;
    for (int g = 0; g < GROUPS; g++) begin
      if (low[g*16+:16] != 16'd0)
        for (int k = 0; k < 16; k++) if (low[g*16+k]) hit_low[(g*16+k)%HW] = tags_q[first+(g*16+k)%HW] == upper;
      if (high[g*16+:16] != 16'd0)
        for (int k = 0; k < 16; k++) if (high[g*16+k]) hit_high[(g*16+k)%HW] = tags_q[first+HW+(g*16+k)%HW] == upper;
    end
  end
  assign found = (hit_low | hit_high) != '0;

  // The way of a fill: the lowest invalid one, else the oldest, of those below the limit. It does not depend on the tags, so that
  // no address of their array does.
  logic misses, some_free;
  logic [HW-1:0] usable_low, usable_high, free_low, free_high, pick_low, pick_high, used_low, used_high;
  assign misses = op_q == FILL && !found && limit_q != '0;
  assign usable_low = ~({HW{1'b1}} << limit_q);
  assign usable_high = {{(32 - LW) {1'b0}}, limit_q} <= HALF ? '0 : ~({HW{1'b1}} << ({{(32 - LW) {1'b0}}, limit_q} - HALF));
  assign free_low = usable_low & ~valid_low;
  assign free_high = usable_high & ~valid_high;
  assign some_free = (free_low | free_high) != '0;
  assign evict_valid_o = misses && !some_free;
  always_comb begin : choose
    pick_low = '0;
    pick_high = '0;
    if (op_q == FILL && some_free) begin
      pick_low = free_low & -free_low;
      pick_high = free_low != '0 ? '0 : free_high & -free_high;
    end else if (op_q == FILL) begin
      pick_low = usable_low;
      pick_high = usable_high;
      for (int b = WB - 1; b >= 0; b--)
        if (((pick_low & rank_q[(set*WB+b)*2]) | (pick_high & rank_q[(set*WB+b)*2+1])) != '0) begin
          pick_low = pick_low & rank_q[(set*WB+b)*2];
          pick_high = pick_high & rank_q[(set*WB+b)*2+1];
        end
    end
  end
  assign used_low = misses ? pick_low : hit_low;
  assign used_high = misses ? pick_high : hit_high;

  // The answer.
  logic touch, drops;
  logic [HB-1:0] pick_in_half, hit_in_half;  // number of the way in its half
  logic [31:0] pick_way, way_number, pick_number, at_number;
  logic [AW-1:0] at, pick_at;  // rows of the ways
  onehot_index #(.N(HW)) u_pick (.onehot_i(pick_low | pick_high), .index_o(pick_in_half));
  onehot_index #(.N(HW)) u_hit (.onehot_i(hit_low | hit_high), .index_o(hit_in_half));
  assign pick_way = {{(32 - HB) {1'b0}}, pick_in_half} + (pick_high != '0 ? HALF : 32'd0);
  assign way_number = misses ? pick_way : {{(32 - HB) {1'b0}}, hit_in_half} + (hit_high != '0 ? HALF : 32'd0);
  assign pick_number = first + pick_way;
  assign pick_at = pick_number[AW-1:0];
  assign at_number = first + way_number;
  assign at = at_number[AW-1:0];
  assign answer_o = op_q;
  assign hit_o = found;
  assign placed_o = misses;
  assign way_o = way_number[WB-1:0];
  assign touch = placed_o || (hit_o && op_q != INVALIDATE);
  assign drops = hit_o && op_q == INVALIDATE;
  logic unused;
  assign unused = &{1'b0, way_number[31:WB], pick_number[31:AW], at_number[31:AW]};
  logic [HALT-1:0] lower;
  logic [TW-1:0] evict_tag;
  always_comb begin : evicted
    lower = '0;
    evict_tag = '0;
    if (evict_valid_o) begin
      for (int b = 0; b < HALT; b++)
        lower[b] = ((halt_q[(set*HALT+b)*2] & pick_low) | (halt_q[(set*HALT+b)*2+1] & pick_high)) != '0;
      evict_tag = {tags_q[pick_at], lower};
    end
  end
  if (SETS == 1) begin : g_line
    assign evict_line_o = evict_tag;
  end else begin : g_line
    assign evict_line_o = {evict_tag, evict_valid_o ? line_q[XW-1:0] : {XW{1'b0}}};
  end
  assign busy_o = op_q != 2'd0;

  // Ranks: the ways that were used after this one count up, this one gets 0.
  logic mine;                             // a bit of its rank
  logic [HW-1:0] less_low, less_high;     // so far, from the lowest bit on: the rank is less than that of the way
  logic [HW-1:0] carry_low, carry_high;
  (* mem2reg *) logic [HW-1:0] rank_low_d[0:WB-1], rank_high_d[0:WB-1];
  always_comb begin : order
    mine = 1'b0;
    less_low = '0;
    less_high = '0;
    carry_low = '0;
    carry_high = '0;
    for (int b = 0; b < WB; b++) begin
      rank_low_d[b] = '0;
      rank_high_d[b] = '0;
    end
    if (touch) begin
      for (int b = 0; b < WB; b++) begin
        mine = ((rank_q[(set*WB+b)*2] & used_low) | (rank_q[(set*WB+b)*2+1] & used_high)) != '0;
        less_low = (~rank_q[(set*WB+b)*2] & ({HW{mine}} | less_low)) | ({HW{mine}} & less_low);
        less_high = (~rank_q[(set*WB+b)*2+1] & ({HW{mine}} | less_high)) | ({HW{mine}} & less_high);
      end
      carry_low = less_low;
      carry_high = less_high;
      for (int b = 0; b < WB; b++) begin
        rank_low_d[b] = (rank_q[(set*WB+b)*2] ^ carry_low) & ~used_low;
        rank_high_d[b] = (rank_q[(set*WB+b)*2+1] ^ carry_high) & ~used_high;
        carry_low = carry_low & rank_q[(set*WB+b)*2];
        carry_high = carry_high & rank_q[(set*WB+b)*2+1];
      end
    end
  end

  // Next state.
  logic [HW-1:0] valid_low_d, valid_high_d, keep_low, keep_high;  // of the set; ways that may be used from now on
  assign valid_low_d = placed_o ? valid_low | used_low : drops ? valid_low & ~used_low : valid_low;
  assign valid_high_d = placed_o ? valid_high | used_high : drops ? valid_high & ~used_high : valid_high;
  always_comb begin : kept
    keep_low = '0;
    keep_high = '0;
    if (limit_en_i && !clear_i) begin
      keep_low = ~({HW{1'b1}} << limit_d);
      if ({{(32 - LW) {1'b0}}, limit_d} > HALF) keep_high = ~({HW{1'b1}} << ({{(32 - LW) {1'b0}}, limit_d} - HALF));
    end
  end

  // Registers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      op_q <= 2'd0;
      line_q <= '0;
      limit_q <= ALL_WAYS[LW-1:0];
    end else begin
      op_q <= op_d;
      if (op_d != 2'd0) line_q <= line_d;
      if (limit_en_i) limit_q <= limit_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int s = 0; s < SETS * 2; s++) valid_q[s] <= '0;
    end else if (clear_i || limit_en_i) begin
      for (int s = 0; s < SETS; s++) begin
        valid_q[s*2] <= keep_low & (set == s ? valid_low_d : valid_q[s*2]);
        valid_q[s*2+1] <= keep_high & (set == s ? valid_high_d : valid_q[s*2+1]);
      end
    end else if (placed_o || drops) begin
      valid_q[set*2] <= valid_low_d;
      valid_q[set*2+1] <= valid_high_d;
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
      for (int row = 0; row < SETS * HALT * 2; row++) halt_q[row] <= '0;
      for (int row = 0; row < SETS * WB * 2; row++) rank_q[row] <= numbers[(row%(2*WB))*HW+:HW];
    end else begin
      if (placed_o)
        for (int b = 0; b < HALT; b++) begin
          halt_q[(set*HALT+b)*2] <= (halt_q[(set*HALT+b)*2] & ~used_low) | (used_low & {HW{tag[b]}});
          halt_q[(set*HALT+b)*2+1] <= (halt_q[(set*HALT+b)*2+1] & ~used_high) | (used_high & {HW{tag[b]}});
        end
      if (touch)
        for (int b = 0; b < WB; b++) begin
          rank_q[(set*WB+b)*2] <= rank_low_d[b];
          rank_q[(set*WB+b)*2+1] <= rank_high_d[b];
        end
    end
  end

`ifdef FORMAL
  `include "teleport_tags_props.svh"
`endif
endmodule
`undef NEEDS
