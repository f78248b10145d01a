// SPDX-License-Identifier: Apache-2.0
// Laws of first_from, inside the module. One step proves a combinational cell.
// prove: bmc=1 cover=1 N=8
// prove: bmc=1 cover=1 N=5
// prove: bmc=1 N=1
// equal: N=8
// equal: N=1
// equal: N=5
// equal: N=32

  // Two arbitrary clients, and the distance of each from the starting position, upwards with wrap-around.
  (* anyconst *) logic [5:0] f_a, f_b;
  logic [5:0] f_far_a, f_far_b;
  assign f_far_a = f_a >= from_i ? f_a - from_i : f_a + N - from_i;
  assign f_far_b = f_b >= from_i ? f_b - from_i : f_b + N - from_i;
  always_comb begin
    assume (f_a < N && f_b < N);
    // At most one client is picked, only one that requests, and one if any client requests.
    assert ((pick_o & (pick_o - 1'b1)) == '0);
    assert ((pick_o & ~req_i) == '0);
    assert (pick_o != '0 || req_i == '0);
    // No requesting client is nearer to the starting position than the pick.
    if (from_i < N && pick_o[f_a] && req_i[f_b]) assert (f_far_a <= f_far_b);
    cover (from_i < N && pick_o[f_a] && req_i[f_b] && f_a < f_b && f_b < from_i);
    cover (from_i < N && pick_o[f_a] && req_i[f_b] && f_b < from_i && f_a > from_i);
  end
