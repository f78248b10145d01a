// SPDX-License-Identifier: Apache-2.0
//
// lowest_set: the lowest 1 of a vector of up to 512 bits and its number, by groups of 16; combinational. Both are 0 without a 1.

module lowest_set #(
    parameter int N = 256  // bits, 1..512
) (
    input  logic [N-1:0] of_i,                              // the vector
    output logic         some_o,                            // it has a 1
    output logic [N-1:0] place_o,                           // it alone
    output logic [(N <= 2 ? 1 : $clog2(N))-1:0] index_o     // its number
);
  localparam int IB = N <= 2 ? 1 : $clog2(N);
  localparam int GROUPS = (N + 15) / 16;
  localparam int GB = GROUPS <= 2 ? 1 : $clog2(GROUPS);

  logic [GROUPS*16-1:0] padded, place;
  logic [GROUPS-1:0] some, group;
  logic [15:0] members, member;
  logic [GB-1:0] group_index;
  logic [3:0] member_index;
  logic [GB+3:0] index;
  logic unused;
  for (genvar s = 0; s < GROUPS * 16; s++) begin : g_pad
    if (s < N) begin : g_bit
      assign padded[s] = of_i[s];
    end else begin : g_bit
      assign padded[s] = 1'b0;
    end
  end
  for (genvar g = 0; g < GROUPS; g++) begin : g_group
    assign some[g] = padded[g*16+:16] != '0;
    assign place[g*16+:16] = group[g] ? member : '0;
  end
  assign group = some & -some;
  always_comb begin
    members = '0;
    for (int g = 0; g < GROUPS; g++) members = members | (padded[g*16+:16] & {16{group[g]}});
  end
  assign member = members & -members;
  onehot_index #(.N(GROUPS)) u_group (.onehot_i(group), .index_o(group_index));
  onehot_index #(.N(16)) u_member (.onehot_i(member), .index_o(member_index));
  assign index = {group_index, member_index};
  assign some_o = some != '0;
  assign place_o = place[N-1:0];
  assign index_o = index[IB-1:0];
  assign unused = &{1'b0, index, place};
endmodule
