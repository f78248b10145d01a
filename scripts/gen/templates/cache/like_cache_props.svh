// SPDX-License-Identifier: Apache-2.0
// Laws of like_cache, inside the module.
// prove: bmc=8 cover=8 SETS=2 T=2

  logic f_started = 1'b0;
  logic f_known = 1'b0;  // set 0 was filled
  logic [T-1:0] f_tag;   // with this tag
  logic f_asked, f_there;

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_known <= rst_ni && (f_known || (fill_i && set_i == '0));
    if (fill_i && set_i == '0) f_tag <= tag_i;
    f_asked <= rst_ni && look_i && set_i == '0;
    f_there <= f_known && f_tag == tag_i;
    if (!f_started) assume (!rst_ni);
    if (f_started) begin
      // A line that was filled last into its set is found, and no other.
      if (f_asked) assert (done_o && hit_o == f_there);

      cover (f_asked && hit_o);
    end
  end
