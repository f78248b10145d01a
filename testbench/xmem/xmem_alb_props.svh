// SPDX-License-Identifier: Apache-2.0
// Laws of xmem_alb, inside the module.
// prove: bmc=4 PPN_W=3 SETS=2 WAYS=2 UNITS=2 IDW=2 NMISS=2 TAGW=2

  logic f_started = 1'b0;
  logic f_held;
  logic [PPN_W-1:0] f_ms_ppn;
  logic [MW-1:0] f_ms_id;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_held <= rst_ni && ms_valid_o && !ms_ready_i;
    f_ms_ppn <= ms_ppn_o;
    f_ms_id <= ms_id_o;
    if (!f_started) assume (!rst_ni);
    // A request is stable until it is taken.
    if (f_started && f_held) assert (ms_valid_o && ms_ppn_o == f_ms_ppn && ms_id_o == f_ms_id);
  end
