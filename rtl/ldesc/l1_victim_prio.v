// SPDX-License-Identifier: Apache-2.0
//
// l1_victim_prio: the victim of a set of an SM's L1 by the priority of its lines (Vijaykumar 2019, 3.4.4; assumption: widths, ports,
// cycle behaviour and timer). A line is normal, soft pinned or hard pinned. Priorities are kept here, tags and the order of use in the L1.
//
// Latency    a fill and its victim in the same cycle. The victim follows from the priorities before the clock edge.
// Victim     a locked way is never one. An invalid way comes first, the lowest of them. Else the lines of the lowest priority compete, and
//            the least recently used one leaves, among equal ranks the lowest way. If every line is hard pinned, the lowest way leaves:
//            way 0, unless it is locked (assumption: the priorities of locked ways, which wait for their line, do not count).
// Priority   a fill gives its class to the way that it takes, a hit raises the priority of its line. Class 3, bypass, counts as normal. A
//            fill without a victim, and a hit in a way that does not exist, change nothing.
// Timer      after TICKS ticks every line is normal again. The prescaler lies outside, so that cycles between ticks can be skipped:
//            the period is TICKS times the distance of ticks (assumption: 64 * 256 = 16,384 cycles).
// Order      of one cycle: timer, fill, hit. So a fill at the timer's end keeps its class, and a hit can raise the line of the fill.
// Ports      assumption: the priorities of a set and "all hard", inputs in the source's sketch, are this block's state and an output.
// Reset      synchronous, active low: every line normal, no tick counted.
// Idle       busy_o is 0: an idle tick changes nothing.

`include "needs.vh"

module l1_victim_prio #(
    parameter int SETS = 64,  // sets of the L1, a power of two, 2..64
    parameter int WAYS = 4,   // ways of a set, 1..8
    parameter int TICKS = 64  // ticks until the timer clears, 1..1024
) (
    input  logic                                            clk_i,
    input  logic                                            rst_ni,
    // fill
    input  logic                                            fill_en_i,    // a line wants a way
    input  logic [$clog2(SETS)-1:0]                         set_i,        // of this set
    input  logic [WAYS-1:0]                                 valid_i,      // its ways that hold a line
    input  logic [WAYS-1:0]                                 lock_i,       // its ways that an MSHR has reserved
    input  logic [WAYS*(WAYS <= 2 ? 1 : $clog2(WAYS))-1:0]  lru_i,        // rank of each way, way 0 lowest; 0: least recently used
    input  logic [1:0]                                      fill_prio_i,  // class of the line: 0 normal, 1 soft, 2 hard, 3 as 0
    output logic                                            found_o,      // it gets one: some way is not locked
    output logic [(WAYS <= 2 ? 1 : $clog2(WAYS))-1:0]       victim_o,     // that way; 0 without one
    output logic                                            all_hard_o,   // every way that may leave is hard pinned
    // hit
    input  logic                                            hit_en_i,     // a line is hit
    input  logic [$clog2(SETS)-1:0]                         hit_set_i,    // its set
    input  logic [(WAYS <= 2 ? 1 : $clog2(WAYS))-1:0]       hit_way_i,    // its way
    input  logic [1:0]                                      hit_prio_i,   // class of the request
    // timer
    input  logic                                            tick_en_i,    // one tick
    output logic                                            clears_o,     // the timer ends: every line is normal after this cycle
    output logic                                            busy_o        // 0
);
  localparam int WB = WAYS <= 2 ? 1 : $clog2(WAYS);
  localparam int TB = TICKS <= 2 ? 1 : $clog2(TICKS);
  localparam int FULL = TICKS;

  `NEEDS(SETS >= 2 && SETS <= 64 && 2 ** $clog2(SETS) == SETS, l1_victim_prio_needs_a_power_of_two_of_2_to_64_sets)
  `NEEDS(WAYS >= 1 && WAYS <= 8, l1_victim_prio_needs_ways_in_1_to_8)
  `NEEDS(TICKS >= 1 && TICKS <= 1024, l1_victim_prio_needs_ticks_in_1_to_1024)

  (* mem2reg *) logic [2*WAYS-1:0] prio_q[0:SETS-1];  // row: set; bits 2w+1, 2w: priority of way w
  logic [TB-1:0] timer_q, timer_d;                    // ticks since the timer began

  // Victim.
  logic [2*WAYS-1:0] prios;
  logic [WAYS-1:0] is_soft, is_hard, free, held, normal, group, oldest, choice;
  logic [WAYS*(WB+1)-1:0] ranks;
  logic some_free, pinned;
  assign prios = prio_q[set_i];
  for (genvar w = 0; w < WAYS; w++) begin : g_way
    assign is_soft[w] = prios[2*w];
    assign is_hard[w] = prios[2*w+1];
    assign ranks[w*(WB+1)+:WB+1] = {1'b0, lru_i[w*WB+:WB]};
  end
  assign free = ~(valid_i | lock_i);
  assign held = valid_i & ~lock_i;
  assign some_free = free != '0;
  assign pinned = (held & ~is_hard) == '0;
  assign normal = held & ~(is_hard | is_soft);
  assign group = normal != '0 ? normal : held & ~is_hard;
  oldest_of #(.N(WAYS), .W(WB + 1)) u_oldest (.valid_i(group), .stamp_i(ranks), .pick_o(oldest));
  assign choice = some_free ? free & -free : pinned ? held & -held : oldest;
  assign found_o = fill_en_i && lock_i != '1;
  assign all_hard_o = found_o && !some_free && pinned;
  onehot_index #(.N(WAYS)) u_victim (.onehot_i(found_o ? choice : {WAYS{1'b0}}), .index_o(victim_o));
  assign busy_o = 1'b0;

  // Timer.
  logic [TB:0] ticks;  // with this one
  assign ticks = {1'b0, timer_q} + 1'b1;
  assign clears_o = tick_en_i && ticks >= FULL[TB:0];
  assign timer_d = clears_o ? '0 : ticks[TB-1:0];

  // Priorities of the set of the fill, and of that of the hit, after this cycle.
  logic [1:0] fill_class, hit_class;
  logic [2*WAYS-1:0] fill_old, filled, hit_old, raised;
  assign fill_class = fill_prio_i == 2'd3 ? 2'd0 : fill_prio_i;
  assign hit_class = hit_prio_i == 2'd3 ? 2'd0 : hit_prio_i;
  assign fill_old = clears_o ? '0 : prios;
  assign hit_old = found_o && set_i == hit_set_i ? filled : clears_o ? '0 : prio_q[hit_set_i];
  for (genvar w = 0; w < WAYS; w++) begin : g_line
    localparam logic [31:0] WAY = w;
    assign filled[2*w+:2] = choice[w] ? fill_class : fill_old[2*w+:2];
    assign raised[2*w+:2] = hit_way_i == WAY[WB-1:0] && hit_class > hit_old[2*w+:2] ? hit_class : hit_old[2*w+:2];
  end

  // Registers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) timer_q <= '0;
    else if (tick_en_i) timer_q <= timer_d;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clears_o) begin
      for (int s = 0; s < SETS; s++) prio_q[s] <= '0;
    end
    if (rst_ni && found_o) prio_q[set_i] <= filled;
    if (rst_ni && hit_en_i) prio_q[hit_set_i] <= raised;
  end

`ifdef FORMAL
  `include "l1_victim_prio_props.svh"
`endif
endmodule
`undef NEEDS
