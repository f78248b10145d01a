// SPDX-License-Identifier: Apache-2.0
//
// tree_pick: several knock-out tournaments in one word, in parallel. The players of a tournament are 2^FIRST places apart.
// At level b each group of 2^b players meets its neighbour group; if both have a candidate, the group that lose_i names
// loses. After LEVELS levels one candidate of each tournament is left.
//
// Latency    combinational; no clock, no reset.
// Caller     sets lose_i for exactly one of two groups that meet, in all places of that group.
// Places     the numbers of a group's places differ in bits FIRST .. FIRST+b-1 only. Of two groups that meet, the lower one
//            has bit FIRST+b of these numbers clear.

`include "needs.vh"

// always @*, because Icarus 11 loops forever in an always_comb that reads a variable that it also writes.
module tree_pick #(
    parameter int W = 8,      // places, a power of two, at most 64
    parameter int FIRST = 0,  // bit of a place's number that the lowest level decides
    parameter int LEVELS = 3  // levels, at least 1
) (
    input  logic [W-1:0]        ask_i,   // candidates
    input  logic [LEVELS*W-1:0] lose_i,  // bit b*W+p: at level b the group of place p loses if both groups have a candidate
    output logic [W-1:0]        pick_o,  // the winners
    output logic [W-1:0]        any_o    // the tournament of this place has a candidate
);
  // Element k = 0..5: the places, of 64, whose number has bit k clear.
  localparam logic [6*64-1:0] LOWER = {
    64'h00000000ffffffff, 64'h0000ffff0000ffff, 64'h00ff00ff00ff00ff,
    64'h0f0f0f0f0f0f0f0f, 64'h3333333333333333, 64'h5555555555555555
  };

  `NEEDS(W >= 2 && W <= 64 && (W & (W - 1)) == 0, tree_pick_needs_w_power_of_two_in_2_to_64)
  `NEEDS(FIRST >= 0, tree_pick_needs_first_at_least_0)
  `NEEDS(LEVELS >= 1 && (1 << (FIRST + LEVELS)) <= W, tree_pick_needs_levels_that_fit_the_places)

  logic [W-1:0] any, lost;
  always @* begin : tournament
    logic [W-1:0] lower, rivals, beaten;  // rivals: the group that meets the group of this place has a candidate
    any = ask_i;
    lost = '0;
    for (int b = 0; b < LEVELS; b++) begin
      lower = LOWER[64*(FIRST+b)+:W];
      rivals = ((any >> (1 << (FIRST + b))) & lower) | ((any & lower) << (1 << (FIRST + b)));
      beaten = rivals & lose_i[b*W+:W];
      lost = lost | beaten;
      any = any | rivals;
    end
  end
  assign pick_o = ask_i & ~lost;
  assign any_o = any;

`ifdef FORMAL
  `include "tree_pick_props.svh"
`endif
endmodule
`undef NEEDS
