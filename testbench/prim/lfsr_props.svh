// SPDX-License-Identifier: Apache-2.0
// Laws of lfsr, inside the module.
// prove: bmc=4 induct=2 cover=14 W=16
// prove: bmc=4 induct=2 W=32 SEED=7
// prove: bmc=4 induct=2 W=64
// equal: W=16 SEED=1
// equal: W=32 SEED=77
// equal: W=64 SEED=1

  logic f_started = 1'b0, f_stepped, f_was_reset;
  logic [W-1:0] f_last;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_stepped <= rst_ni && step_i;
    f_last <= state_q;
    if (!f_started) assume (!rst_ni);
    if (f_started) begin
      // The state is never 0, the only state that the register could not leave.
      assert (state_o != '0);
      assert (!busy_o);
      // A step shifts by one place and loses nothing: the highest bit is a tap, so two states never have the same successor.
      if (f_stepped) assert (state_o[W-1:1] == f_last[W-2:0] && state_o[0] == (f_last[W-1] ^ (^(f_last[W-2:0] & TAPS[W-2:0]))));
      // Without a step nothing changes.
      if (!f_stepped && !f_was_reset) assert (state_o == f_last);
      if (f_was_reset) assert (state_o == SEED_ALL[W-1:0]);
      cover (f_stepped && state_o[0] != f_last[W-1]);
      cover (!f_stepped && !f_was_reset);
    end
  end
