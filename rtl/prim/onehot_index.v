// SPDX-License-Identifier: Apache-2.0
//
// onehot_index: one-hot to binary encoder. Bit b of the index is an OR over the inputs whose number has bit b set, so there
// is no priority chain.
//
// Latency    combinational; no clock, no reset.
// Caller     sets at most one input. If several inputs are 1, index_o is the bitwise OR of their numbers.

`include "needs.vh"

module onehot_index #(
    parameter int N = 8,     // inputs, at least 1
    parameter int GROUP = 1  // neighbouring inputs that share one number, at least 1
) (
    input  logic [N-1:0] onehot_i,  // at most one input is 1
    output logic [((N+GROUP-1)/GROUP <= 2 ? 1 : $clog2((N+GROUP-1)/GROUP))-1:0] index_o  // number of that input / GROUP; 0 if no input is 1
);
  localparam int IW = (N + GROUP - 1) / GROUP <= 2 ? 1 : $clog2((N + GROUP - 1) / GROUP);

  `NEEDS(N >= 1, onehot_index_needs_n_at_least_1)
  `NEEDS(GROUP >= 1, onehot_index_needs_group_at_least_1)

  for (genvar b = 0; b < IW; b++) begin : g_bit
    // Runs alternate: RUN inputs whose number has bit b clear, then RUN inputs that have it set.
    localparam int RUN = GROUP << b;
    localparam int REPEAT = (N + 2 * RUN - 1) / (2 * RUN);
    localparam logic [2*RUN*REPEAT-1:0] PATTERN = {REPEAT{{RUN{1'b1}}, {RUN{1'b0}}}};
    logic [N-1:0] with_bit;
    assign with_bit = onehot_i & PATTERN[N-1:0];
    assign index_o[b] = |with_bit;
  end

`ifdef FORMAL
  `include "onehot_index_props.svh"
`endif
endmodule
`undef NEEDS
