// SPDX-License-Identifier: Apache-2.0
// Laws of oldest_of, inside the module. One step proves a combinational cell.
// prove: bmc=1 cover=1 N=4 W=4
// prove: bmc=1 cover=1 N=3 W=5
// prove: bmc=1 N=1 W=2
// equal: N=4 W=6
// equal: N=1 W=2
// equal: N=5 W=3
// equal: N=16 W=9

  // Two arbitrary clients; every valid stamp is less than half the range away from f_oldest.
  (* anyconst *) logic [4:0] f_a, f_b;
  (* anyconst *) logic [W-1:0] f_oldest;
  logic [N-1:0] f_near;
  logic [W-1:0] f_age_a, f_age_b;
  for (genvar n = 0; n < N; n++) begin : f_g_near
    logic [W-1:0] age;
    assign age = stamp_i[n*W+:W] - f_oldest;
    assign f_near[n] = !valid_i[n] || !age[W-1];
  end
  assign f_age_a = stamp_i[f_a*W+:W] - f_oldest;
  assign f_age_b = stamp_i[f_b*W+:W] - f_oldest;
  always_comb begin
    assume (f_a < N && f_b < N);
    // Exactly one of the competing clients is picked.
    assert ((pick_o & (pick_o - 1'b1)) == '0);
    assert ((pick_o & ~valid_i) == '0);
    assert (pick_o != '0 || valid_i == '0);
    // No competing client is older than the pick; among those of equal age, none has a lower number.
    if (&f_near && pick_o[f_a] && valid_i[f_b]) assert (f_age_a < f_age_b || (f_age_a == f_age_b && f_a <= f_b));
    cover (&f_near && pick_o[f_a] && valid_i[f_b] && f_age_a == f_age_b && f_a < f_b);
    cover (&f_near && pick_o[f_a] && valid_i[f_b] && f_b < f_a && stamp_i[f_a*W+:W] > stamp_i[f_b*W+:W]);
  end
