// SPDX-License-Identifier: Apache-2.0
// Laws of ring, inside the wrapper: its ports are those of the manifest.
// prove: bmc=10 DEPTH=2

  logic f_started = 1'b0;
  logic [7:0] f_held = 8'd0;
  wire f_take = push_i && !full_o && kind_i != 2'd2;
  wire f_give = pop_i && !empty_o;

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    if (!f_started) assume (!rst_ni);
    f_held <= !rst_ni ? 8'd0 : f_held + {7'd0, f_take} - {7'd0, f_give};
    if (f_started && rst_ni) begin
      // No entry is lost, none comes twice.
      assert (used_o == f_held[$clog2(DEPTH+1)-1:0]);
      assert (used_o + free_o == DEPTH);
      assert (!(full_o && empty_o));
    end
  end
