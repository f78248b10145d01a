// SPDX-License-Identifier: Apache-2.0
//
// first_from: picks the first request at or after a starting position, wrapping round; the choice of a round-robin arbiter.
//
// Latency    combinational; no clock, no reset.
// Out of range  a starting position of N or more picks the lowest request.

`include "needs.vh"

module first_from #(
    parameter int N = 8  // clients, at least 1
) (
    input  logic [N-1:0]                         req_i,   // requests, one bit per client
    input  logic [(N <= 2 ? 1 : $clog2(N))-1:0]  from_i,  // the client with the highest priority
    output logic [N-1:0]                         pick_o   // the first request at or after from_i, wrapping round
);
  `NEEDS(N >= 1, first_from_needs_n_at_least_1)

  logic [N-1:0] at_or_after, candidates;
  assign at_or_after = req_i & ({N{1'b1}} << from_i);
  assign candidates = (|at_or_after) ? at_or_after : req_i;
  assign pick_o = candidates & -candidates;

`ifdef FORMAL
  `include "first_from_props.svh"
`endif
endmodule
`undef NEEDS
