// SPDX-License-Identifier: Apache-2.0
// Laws of token_bucket, inside the module.
// prove: bmc=8 induct=2 cover=8 N=5 W=2

  logic f_started = 1'b0;
  logic f_refused;
  logic [B-1:0] f_last;

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_last <= left_q;
    f_refused <= rst_ni && ask_i && !grant_o && !earn_i;
    if (!f_started) assume (!rst_ni);
    if (f_started) begin
      // Never more than N tokens.
      assert ({{(X - B) {1'b0}}, left_q} <= FULL);
      // A refused request changes nothing.
      if (f_refused) assert (left_q == f_last);

      cover (f_refused);
    end
  end
