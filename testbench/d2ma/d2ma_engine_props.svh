// SPDX-License-Identifier: Apache-2.0
// Laws of d2ma_engine that concern the parts together. They follow one entry, arbitrary and fixed for the run, from reset.
// prove: bmc=3 CTAS=1 BUFS=1 WARPS=2 MSHRS=2 SEG=8 NB=2 LANES=2
// prove: bmc=1 induct=1 CTAS=1 BUFS=2 WARPS=2 MSHRS=2 SEG=8 NB=2 LANES=1
// prove-nightly: bmc=8 cover=8 CTAS=1 BUFS=2 WARPS=2 MSHRS=2 SEG=8 NB=2 LANES=2
// equal-nightly: CTAS=2 BUFS=1 WARPS=2 MSHRS=2 SEG=32 NB=32 LANES=5

  (* anyconst *) logic [CW-1:0] f_cta;
  (* anyconst *) logic [BW-1:0] f_buf;
  logic f_started = 1'b0;
  logic [CTAS*BUFS-1:0] f_mask;
  assign f_mask = {{(CTAS * BUFS - 1) {1'b0}}, 1'b1} << ({{(32 - CW) {1'b0}}, f_cta} * BUFS + {{(32 - BW) {1'b0}}, f_buf});

  // The entry and its range in the checker, rebuilt from the signals between the parts.
  logic f_told, f_live, f_live_seen, f_moving, f_moved, f_must, f_asked, f_query, f_wide;
  logic [15:0] f_base, f_base_seen;
  logic [16:0] f_foot, f_foot_seen;
  logic [17:0] f_limit;
  logic f_written, f_goes;
  assign f_told = ck_cta_o == f_cta && ck_buf_o == f_buf;
  assign f_live_seen = f_live || (ck_set_o && f_told);
  assign f_written = range_wr && range_cta == f_cta && range_buf == f_buf;
  assign f_base_seen = f_written ? range_sbase : f_base;
  assign f_foot_seen = f_written ? range_foot : f_foot;
  assign f_limit = {2'b0, f_base_seen} + {1'b0, f_foot_seen};
  assign f_query = ld_valid && ld_cta == f_cta;
  assign f_goes = wr_en_i && moves && wr_cta_i == f_cta && wr_buf_i == f_buf;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_asked <= rst_ni && ld_valid;
    f_must <= rst_ni && f_query && f_live_seen && f_limit <= 18'h10000 && f_foot_seen != '0 &&
              {2'b0, ld_lo} < f_limit && ld_hi >= f_base_seen;
    if (!rst_ni) begin
      f_live <= 1'b0;
      f_moving <= 1'b0;
      f_moved <= 1'b0;
      f_base <= '0;
      f_foot <= '0;
      f_wide <= 1'b0;
    end else begin
      f_live <= (ck_set_o && f_told) || (f_live && !(ck_clr_o && f_told));
      f_moving <= |(moving_o & f_mask) || (f_goes && go_live_o);
      f_moved <= f_moving;
      f_base <= f_base_seen;
      f_foot <= f_foot_seen;
      f_wide <= f_goes || (f_wide && !(range_known && f_written));
    end
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - CW) {1'b0}}, f_cta} < CTAS && {{(32 - BW) {1'b0}}, f_buf} < BUFS);
  end

  // A store that hits an entry waits exactly if the entry's range is not known. This holds in any state; with one lane it is the
  // only law, so that induction proves it.
  always @(posedge clk_i)
    if (f_started && wt_en_i && hit_valid && hit_o && wt_store_i && wt_cta_i == f_cta && hit_buf_o == f_buf)
      assert (waits_o == |(wide & f_mask));

  generate
    if (LANES != 1) begin : g_from_reset
      always @(posedge clk_i) begin
        if (f_started) begin
          // An entry that the checker considers in flight is between ignition and done, or was so until the previous cycle.
          if (f_live) assert (f_moving || f_moved);
          // An access that touches a buffer in flight must wait, or is a store.
          if (f_must) assert (hit_o);
          if (f_must && wt_en_i) assert (waits_o || wt_store_i);
          // Nothing waits that did not hit; a store waits only for a range that is not known.
          if (waits_o) assert (wt_en_i && hit_o && (!wt_store_i || wide != '0));
          if (wt_en_i && hit_valid && hit_o && wt_store_i && wide == '0) assert (!waits_o);
          if (f_must && wt_en_i && wt_store_i && f_wide && wt_cta_i == f_cta && hit_buf_o == f_buf) assert (waits_o);
          // The range of an entry is known or goes to the end of shared memory.
          assert (|(wide & f_mask) == f_wide);
          if (f_wide && !(range_known && f_written) && f_live) assert (f_limit == 18'h10000);
          // Each query is answered, and there is no other answer.
          assert (hit_valid == f_asked);
          // The address generator is started only while it is free, and is free after an abort.
          if (ag_start_o) assert (!agen_busy);
          // Only an entry between ignition and done has outstanding requests.
          if (req_valid_o) assert (|moving_o || ag_abort);

          cover (f_must && !f_goes);
          cover (req_valid_o && f_live);
          cover (f_wide && waits_o && wt_store_i);
        end
      end
    end
  endgenerate
