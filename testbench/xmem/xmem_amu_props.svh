// SPDX-License-Identifier: Apache-2.0
// Laws of xmem_amu: what only the joined parts keep.
// prove: bmc=2 PPN_W=2 SETS=1 WAYS=2 IDW=2 UNITS=2 NMISS=2 TAGW=4

  logic f_started = 1'b0;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    if (!f_started) assume (!rst_ni);
    if (f_started && rs_active_o) assert (rs_valid_o && rs_aid_o != '1);
  end
