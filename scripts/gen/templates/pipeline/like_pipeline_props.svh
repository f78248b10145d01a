// SPDX-License-Identifier: Apache-2.0
// Laws of like_pipeline, inside the module.
// prove: bmc=8 induct=2 cover=8 W=4

  logic f_started = 1'b0;
  logic f_waits;
  logic [W-1:0] f_sum;
  logic [1:0] f_inside = 2'd0;

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_waits <= rst_ni && out_valid_o && !out_ready_i;
    f_sum <= sum_o;
    f_inside <= !rst_ni ? 2'd0 : f_inside + {1'b0, in_valid_i && in_ready_o} - {1'b0, out_valid_o && out_ready_i};
    if (!f_started) assume (!rst_ni);
    if (f_started) begin
      // A result stays while it is not taken.
      if (f_waits) assert (out_valid_o && sum_o == f_sum);
      // Operands that are taken are lost nowhere.
      assert (f_inside == {1'b0, full1_q} + {1'b0, full2_q});

      cover (f_waits && f_inside == 2'd2);
    end
  end
