// SPDX-License-Identifier: Apache-2.0
//
// tree_pick: knock-out tournaments, several side by side in one word. The players of a tournament stand 2^FIRST places apart.
// At level b a group of 2^b players meets its neighbour group; if both have a candidate, the group that lose_i names is
// out. After LEVELS levels one candidate of each tournament is left.
//
// Latency    combinational; no clock, no reset.
// Caller     sees to it that of two groups that meet, lose_i names exactly one, in all of its places.
// Places     of a group are the places in which bits FIRST .. FIRST+b-1 of the number differ; the lower of two groups has
//            bit FIRST+b of the number clear.

`include "needs.vh"

// always @*: Icarus 11 wakes an always_comb that reads what it writes by its own writes, without end.
module tree_pick #(
    parameter int W = 8,      // places, a power of two, at most 64
    parameter int FIRST = 0,  // bit of a place's number that the lowest level decides
    parameter int LEVELS = 3  // levels, at least 1
) (
    input  logic [W-1:0]        ask_i,   // candidates
    input  logic [LEVELS*W-1:0] lose_i,  // bit b*W+p: the group of place p is out at level b if both groups ask
    output logic [W-1:0]        pick_o,  // the winners
    output logic [W-1:0]        any_o    // the tournament of this place has a candidate
);
  // Of 64 places those whose number has bit k clear, k = 0..5.
  localparam logic [6*64-1:0] LOWER = {
    64'h00000000ffffffff, 64'h0000ffff0000ffff, 64'h00ff00ff00ff00ff,
    64'h0f0f0f0f0f0f0f0f, 64'h3333333333333333, 64'h5555555555555555
  };

  `NEEDS(W >= 2 && W <= 64 && (W & (W - 1)) == 0, tree_pick_needs_w_power_of_two_in_2_to_64)
  `NEEDS(FIRST >= 0, tree_pick_needs_first_at_least_0)
  `NEEDS(LEVELS >= 1 && (1 << (FIRST + LEVELS)) <= W, tree_pick_needs_levels_that_fit_the_places)

  logic [W-1:0] any, lost;
  always @* begin : tournament
    logic [W-1:0] lower, rivals, beaten;  // rivals: the group that this place meets has a candidate
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
