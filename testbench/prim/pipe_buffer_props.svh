// SPDX-License-Identifier: Apache-2.0
// Laws of pipe_buffer, inside the module.
// prove: bmc=6 induct=2 cover=5 W=3
// equal: W=8
// equal: W=1
// equal: W=37

  logic f_started = 1'b0, f_took, f_waited, f_was_reset, f_was_full;
  logic [W-1:0] f_taken, f_offered;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_full <= out_valid_o;
    f_took <= rst_ni && in_valid_i && in_ready_o;
    f_waited <= rst_ni && out_valid_o && !out_ready_i;
    f_taken <= in_data_i;
    f_offered <= out_data_o;
    if (!f_started) assume (!rst_ni);
    if (f_started) begin
      assert (busy_o == out_valid_o);
      // There is room if the buffer is empty or the old data leaves in this cycle.
      assert (in_ready_o == (!out_valid_o || out_ready_i));
      if (!out_valid_o) assert (out_data_o == '0);
      if (f_was_reset) assert (!out_valid_o);
      if (!f_was_reset) begin
        // The data offered in this cycle was either taken in the previous cycle or waited in it.
        assert (out_valid_o == (f_took || f_waited));
        assert (!(f_took && f_waited));
        if (f_took) assert (out_data_o == f_taken);
        if (f_waited) assert (out_data_o == f_offered);
      end
      cover (f_took && f_was_full);
      cover (f_waited && out_ready_i);
      cover (!f_was_reset && f_was_full && !out_valid_o);
    end
  end
