// SPDX-License-Identifier: Apache-2.0
// Laws of like_arbiter, inside the module.
// prove: bmc=8 induct=2 cover=8 N=4
// prove: bmc=8 induct=2 N=3

  logic f_started = 1'b0;
  logic [N-1:0] f_last;

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_last <= grant_o;
    if (!f_started) assume (!rst_ni);
    if (f_started) begin
      // One client has the highest priority.
      assert (first_q != '0 && (first_q & (first_q - 1'b1)) == '0);
      // At most one grant, and only where a client asks.
      assert ((grant_o & (grant_o - 1'b1)) == '0);
      assert ((grant_o & ~ask_i) == '0);
      // If any client asks, one is granted.
      assert ((ask_i == '0) == (grant_o == '0));

      cover (f_last[N-1] && grant_o[0]);
    end
  end
