// SPDX-License-Identifier: Apache-2.0
// Laws of like_fifo, inside the module.
// prove: bmc=10 cover=10 W=1 D=2
// prove: bmc=8 induct=2 W=1 D=3

  logic f_started = 1'b0;
  logic f_was_full;

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_full <= rst_ni && full_o;
    if (!f_started) assume (!rst_ni);
    if (f_started) begin
      // Never more than D words; a word that is there is visible.
      assert (level_q <= DEPTH);
      assert (valid_o == (level_q != '0));
      // The pointers stay inside, and their distance is the number of words.
      assert (write_q <= LAST && read_q <= LAST);
      assert ((32'(level_q) + 32'(read_q)) % D == 32'(write_q));

      cover (f_was_full && !full_o);
      cover (full_o && push_i && pop_i);
    end
  end
