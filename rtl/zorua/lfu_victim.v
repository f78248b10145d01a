// SPDX-License-Identifier: Apache-2.0
//
// lfu_victim: which set of a resource is spilled: the least frequently used one (Vijaykumar 2019, 4.4.3; assumption: counters of 4 bits that
// saturate and are halved at the end of each epoch, preference, ties, ports and cycle behaviour). One for registers, one for scratchpad.
//
// Latency    the victim is chosen in the cycle, from counters before the clock edge. touch_i, new_en_i, new_set_i and run_i are sampled at
//            the edge.
// Victim     among the sets of may_i; if some of these are in prefer_i too, among those. Of them the one with the lowest counter, and of
//            equal counters the one with the lowest number. The minimum is found bit by bit of the counters, highest first: sets with a 0
//            stay if there are any. So there is no tree of comparators.
// Counters   a set of touch_i counts one access, however many it has in the cycle. At the end of an epoch counters are halved; accesses of
//            that tick count after it.
// New owner  new_en_i: the counter of new_set_i begins at FRESH; its accesses of that tick are the old owner's, and are lost.
// Epoch      EPOCH cycles, in runs: run_i cycles have passed with this tick, 0: none. More than EPOCH count as EPOCH. So cycles of an SM
//            that waits can be skipped.
// Caller     leaves sets out of may_i that are free, or locked by an instruction in flight.
// Reset      synchronous, active low: all counters are 0, an epoch begins.
// Idle       busy_o is 0: an idle tick changes nothing.

`include "needs.vh"

module lfu_victim #(
    parameter int N = 256,       // sets, 1..512
    parameter int EPOCH = 2048,  // cycles of an epoch, 2..4096
    parameter int FRESH = 0      // counter of a set with a new owner, 0..15
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    input  logic [N-1:0]                 may_i,      // sets that may be spilled
    input  logic [N-1:0]                 prefer_i,   // sets that go before others
    output logic                         valid_o,    // there is a victim
    output logic [(N <= 2 ? 1 : $clog2(N))-1:0] set_o,  // the victim; 0 without one
    output logic [3:0]                   uses_o,     // its counter; 0 without one
    input  logic [N-1:0]                 touch_i,    // sets that are accessed; sampled at the clock edge
    input  logic                         new_en_i,   // a set has a new owner; sampled at the clock edge
    input  logic [(N <= 2 ? 1 : $clog2(N))-1:0] new_set_i,  // this one
    input  logic [$clog2(EPOCH + 1)-1:0] run_i,      // cycles that have passed; sampled at the clock edge
    output logic                         busy_o      // 0
);
  localparam int EB = $clog2(EPOCH);
  localparam int RB = $clog2(EPOCH + 1);
  localparam int CYCLES = EPOCH;
  localparam logic [31:0] BEGINS = FRESH;
  localparam logic [N-1:0] SET_0 = 1;

  `NEEDS(N >= 1 && N <= 512, lfu_victim_needs_n_in_1_to_512)
  `NEEDS(EPOCH >= 2 && EPOCH <= 4096, lfu_victim_needs_epoch_in_2_to_4096)
  `NEEDS(FRESH >= 0 && FRESH <= 15, lfu_victim_needs_fresh_in_0_to_15)

  logic [N-1:0] ones_q, twos_q, fours_q, eights_q;  // the counters, a vector for each bit
  logic [N-1:0] ones_d, twos_d, fours_d, eights_d;
  logic [EB-1:0] epoch_q, epoch_d;                  // cycles of this epoch so far

  // The victim.
  logic [N-1:0] preferred, left_of_all, below_8, left_of_8, below_4, left_of_4, below_2, left_of_2, below_1, left_of_1;
  assign preferred = may_i & prefer_i;
  assign left_of_all = preferred != '0 ? preferred : may_i;
  assign below_8 = left_of_all & ~eights_q;
  assign left_of_8 = below_8 != '0 ? below_8 : left_of_all;
  assign below_4 = left_of_8 & ~fours_q;
  assign left_of_4 = below_4 != '0 ? below_4 : left_of_8;
  assign below_2 = left_of_4 & ~twos_q;
  assign left_of_2 = below_2 != '0 ? below_2 : left_of_4;
  assign below_1 = left_of_2 & ~ones_q;
  assign left_of_1 = below_1 != '0 ? below_1 : left_of_2;
  logic [N-1:0] lowest;
  lowest_set #(.N(N)) u_lowest (.of_i(left_of_1), .some_o(valid_o), .place_o(lowest), .index_o(set_o));
  assign uses_o = valid_o ? {below_8 == '0, below_4 == '0, below_2 == '0, below_1 == '0} : 4'd0;
  assign busy_o = 1'b0;

  // The epoch: 13 bits hold two of them.
  logic [13:0] run, sum, rest;
  logic ends, unused;
  assign run = {{(14 - RB) {1'b0}}, run_i} > CYCLES[13:0] ? CYCLES[13:0] : {{(14 - RB) {1'b0}}, run_i};
  assign sum = {{(14 - EB) {1'b0}}, epoch_q} + run;
  assign ends = sum >= CYCLES[13:0];
  assign rest = sum - CYCLES[13:0];
  assign epoch_d = ends ? rest[EB-1:0] : sum[EB-1:0];
  assign unused = &{1'b0, sum, rest, lowest};

  // Counters: halved, then counted up where they are not at their end, then begun anew.
  logic [N-1:0] half_1, half_2, half_4, half_8, up, carry_2, carry_4, carry_8, fresh;
  assign half_1 = ends ? twos_q : ones_q;
  assign half_2 = ends ? fours_q : twos_q;
  assign half_4 = ends ? eights_q : fours_q;
  assign half_8 = ends ? '0 : eights_q;
  assign up = touch_i & ~(half_1 & half_2 & half_4 & half_8);
  assign carry_2 = up & half_1;
  assign carry_4 = carry_2 & half_2;
  assign carry_8 = carry_4 & half_4;
  assign fresh = new_en_i ? SET_0 << new_set_i : '0;
  assign ones_d = ((half_1 ^ up) & ~fresh) | (BEGINS[0] ? fresh : '0);
  assign twos_d = ((half_2 ^ carry_2) & ~fresh) | (BEGINS[1] ? fresh : '0);
  assign fours_d = ((half_4 ^ carry_4) & ~fresh) | (BEGINS[2] ? fresh : '0);
  assign eights_d = ((half_8 ^ carry_8) & ~fresh) | (BEGINS[3] ? fresh : '0);

  // Registers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {ones_q, twos_q, fours_q, eights_q} <= '0;
      epoch_q <= '0;
    end else begin
      ones_q <= ones_d;
      twos_q <= twos_d;
      fours_q <= fours_d;
      eights_q <= eights_d;
      epoch_q <= epoch_d;
    end
  end

`ifdef FORMAL
  `include "lfu_victim_props.svh"
`endif
endmodule
`undef NEEDS
