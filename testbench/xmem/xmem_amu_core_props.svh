// SPDX-License-Identifier: Apache-2.0
// Laws of xmem_amu_core, inside the module.
// prove: bmc=4 PPN_W=4 IDW=2 UNITS=2 NMISS=2 TAGW=4

  logic f_started = 1'b0;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    if (!f_started) assume (!rst_ni);
  end
  always @(posedge clk_i) begin
    if (f_started) begin
      if (mem_rq_we_o) assert (mem_rq_valid_o);
    end
  end
