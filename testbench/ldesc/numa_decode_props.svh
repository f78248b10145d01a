// SPDX-License-Identifier: Apache-2.0
// Laws of numa_decode, inside the module. One step proves a combinational cell. A second address, any one, is decoded by shifts.
// prove: bmc=1 cover=1 PAW=48 ZONES=4
// prove: bmc=1 cover=1 PAW=40 ZONES=2
// prove: bmc=1 PAW=20 ZONES=8
// equal: PAW=48 ZONES=4
// equal: PAW=40 ZONES=2
// equal: PAW=20 ZONES=8

  (* anyconst *) logic [PAW-1:0] f_pa;
  (* anyconst *) logic [3:0] f_b;
  logic [4:0] f_at, f_other_at;  // lowest bit of the zone
  logic [PAW-1:0] f_below, f_other_below, f_back;
  logic [ZB-1:0] f_other_zone;
  logic [PAW-ZB-1:0] f_other_lpa;
  logic f_shares, f_ours, f_theirs;
  assign f_at = 5'd7 + (b_i > 4'd9 ? 5'd9 : {1'b0, b_i});
  assign f_other_at = 5'd7 + (f_b > 4'd9 ? 5'd9 : {1'b0, f_b});
  assign f_below = ({{(PAW - 1) {1'b0}}, 1'b1} << f_at) - 1'b1;
  assign f_other_below = ({{(PAW - 1) {1'b0}}, 1'b1} << f_other_at) - 1'b1;
  // The address, put together again.
  logic [PAW-1:0] f_lpa;
  assign f_lpa = {{ZB{1'b0}}, lpa_o};
  assign f_back = (f_lpa & f_below) | ({{(PAW - ZB) {1'b0}}, zone_o} << f_at) | ((f_lpa & ~f_below) << ZB);
  // The second address.
  logic [PAW-1:0] f_zone_down, f_high_down;
  assign f_zone_down = f_pa >> f_other_at;
  assign f_high_down = (f_pa >> ZB) & ~f_other_below;
  assign f_other_zone = f_zone_down[ZB-1:0];
  assign f_other_lpa = f_high_down[PAW-ZB-1:0] | (f_pa[PAW-ZB-1:0] & f_other_below[PAW-ZB-1:0]);
  // Does an aligned piece of one address, as large as its zones take turns, have the other address in it?
  assign f_ours = (pa_i >> f_at) >> ZB == (f_pa >> f_at) >> ZB;
  assign f_theirs = (pa_i >> f_other_at) >> ZB == (f_pa >> f_other_at) >> ZB;
  assign f_shares = zone_o == f_other_zone && lpa_o == f_other_lpa;
  always_comb begin
    // No address is lost: zone, local address and b give it back.
    assert (f_back == pa_i);
    // A line stays whole.
    assert (lpa_o[6:0] == pa_i[6:0]);
    // Where each aligned piece has one b, no two addresses share zone and local address; otherwise they can.
    if (f_shares && (f_at == f_other_at || (!f_ours && !f_theirs))) assert (pa_i == f_pa);
    cover (f_shares && pa_i != f_pa);
    cover (zone_o == {ZB{1'b1}} && b_i == 4'd9);
    cover (b_i == 4'd12 && zone_o != '0);
  end
