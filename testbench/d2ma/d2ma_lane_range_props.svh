// SPDX-License-Identifier: Apache-2.0
// Laws of d2ma_lane_range, inside the module. They follow one lane, arbitrary and fixed for the run.
// prove: bmc=4 cover=5 LANES=5 CTAS=2 WARPS=2
// prove: bmc=4 induct=2 LANES=1 CTAS=1 WARPS=1
// prove-nightly: bmc=3 LANES=9 CTAS=1 WARPS=1
// prove-nightly: bmc=2 induct=2 LANES=5 CTAS=2 WARPS=2
// prove-nightly: bmc=3 LANES=32 CTAS=8 WARPS=48
// equal: LANES=9 CTAS=3 WARPS=24
// equal: LANES=5 CTAS=2 WARPS=2
// equal-nightly: LANES=16 CTAS=8 WARPS=48

  (* anyconst *) logic [4:0] f_lane;
  logic f_started = 1'b0;
  logic [15:0] f_addr;
  logic [16:0] f_last;
  assign f_addr = at_addr_i[f_lane*16+:16];
  assign f_last = {1'b0, f_addr} + {13'd0, at_last_i};

  // Every lane, for the ends of the range.
  logic [LANES-1:0] f_begins, f_ends;
  logic [16:0] f_hi, f_lo;
  for (genvar n = 0; n < LANES; n++) begin : f_g_lane
    logic [16:0] last;
    assign last = {1'b0, at_addr_i[n*16+:16]} + {13'd0, at_last_i};
    assign f_begins[n] = at_mask_i[n] && at_addr_i[n*16+:16] == low;
    assign f_ends[n] = at_mask_i[n] && at_addr_i[n*16+:16] == top;
  end

  // One cycle later.
  logic f_asked, f_active, f_was_reset;
  logic [15:0] f_addr_then;
  logic [16:0] f_last_then;
  logic [15:0] f_low_then, f_top_then;
  logic [3:0] f_size_then;
  logic [CW-1:0] f_cta_then;
  logic [WW-1:0] f_warp_then;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_asked <= rst_ni && at_valid_i && at_mask_i != '0;
    f_active <= at_mask_i[f_lane];
    f_addr_then <= f_addr;
    f_last_then <= f_last;
    {f_low_then, f_top_then, f_size_then} <= {low, top, at_last_i};
    f_cta_then <= at_cta_i;
    f_warp_then <= at_warp_i;
    if (!f_started) assume (!rst_ni);
    assume ({27'd0, f_lane} < LANES);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // Each access with an active lane makes one query, one cycle later; nothing else does.
      assert (ld_valid_o == f_asked && busy_o == f_asked);
      if (f_asked) assert (ld_cta_o == f_cta_then && ld_warp_o == f_warp_then);
      // Every byte that an active lane touches lies in the range.
      if (f_asked && f_active && LANES <= 5) begin
        assert (ld_lo_o <= f_addr_then);
        assert (ld_hi_o >= (f_last_then[16] ? 16'hffff : f_last_then[15:0]));
      end
      // The same in two steps, which the solver decides for more lanes: the trees find the ends; the registers take them.
      if (at_valid_i && at_mask_i[f_lane]) assert (low <= f_addr && top >= f_addr);
      if (f_asked) assert (ld_lo_o == f_low_then && top_q == f_top_then && last_q == f_size_then);
      // The range begins and ends with a byte of an active lane.
      if (at_valid_i && at_mask_i != '0) assert (f_begins != '0 && f_ends != '0);
      if (f_asked) assert (ld_lo_o <= ld_hi_o && lo_q <= top_q);
      if (f_asked) assert ({1'b0, ld_hi_o} == ({1'b0, top_q} + {13'd0, last_q} > 17'h0ffff ? 17'h0ffff
                                              : {1'b0, top_q} + {13'd0, last_q}));
      if (f_was_reset) assert (!ld_valid_o);

      cover (f_asked && f_active && ld_lo_o == f_addr_then && ld_hi_o == f_last_then[15:0] && !f_last_then[16]);
      cover (f_asked && f_last_then[16] && f_active);
      cover (f_asked && !f_active && ld_lo_o > f_addr_then);
    end
  end
