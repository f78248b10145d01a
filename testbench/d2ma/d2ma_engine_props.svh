// SPDX-License-Identifier: Apache-2.0
// Laws of d2ma_engine that concern the parts together. They follow one entry, arbitrary and fixed for the run, from reset.
// prove: bmc=3 CTAS=1 BUFS=1 WARPS=2 MSHRS=2 SEG=8 NB=2
// prove-nightly: bmc=6 cover=6 CTAS=1 BUFS=2 WARPS=2 MSHRS=2 SEG=8 NB=2

  (* anyconst *) logic [CW-1:0] f_cta;
  (* anyconst *) logic [BW-1:0] f_buf;
  logic f_started = 1'b0;
  logic [CTAS*BUFS-1:0] f_mask;
  assign f_mask = {{(CTAS * BUFS - 1) {1'b0}}, 1'b1} << ({{(32 - CW) {1'b0}}, f_cta} * BUFS + {{(32 - BW) {1'b0}}, f_buf});

  // The entry and its range in the checker, rebuilt from the signals between the parts.
  logic f_told, f_live, f_live_seen, f_moving, f_must, f_asked, f_query;
  logic [15:0] f_base, f_base_seen;
  logic [16:0] f_foot, f_foot_seen;
  logic [17:0] f_limit;
  logic f_written;
  assign f_told = st_cta_o == f_cta && st_buf_o == f_buf;
  assign f_live_seen = f_live || (checks_live && f_told);
  assign f_written = (goes_live || arms) && wr_cta_i == f_cta && wr_buf_i == f_buf;
  assign f_base_seen = f_written ? rd_entry_o[79:64] : f_base;
  assign f_foot_seen = f_written ? wr_foot_i : f_foot;
  assign f_limit = {2'b0, f_base_seen} + {1'b0, f_foot_seen};
  assign f_query = ld_valid_i && ld_cta_i == f_cta;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_asked <= rst_ni && ld_valid_i;
    f_must <= rst_ni && f_query && f_live_seen && f_limit <= 18'h10000 && f_foot_seen != '0 &&
              {2'b0, ld_lo_i} < f_limit && ld_hi_i >= f_base_seen;
    if (!rst_ni) begin
      f_live <= 1'b0;
      f_moving <= 1'b0;
      f_base <= '0;
      f_foot <= '0;
    end else begin
      f_live <= (checks_live && f_told) || (f_live && !(st_clr_o && f_told));
      f_moving <= |(moving_o & f_mask) || (goes_live && f_told);
      f_base <= f_base_seen;
      f_foot <= f_foot_seen;
    end
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - CW) {1'b0}}, f_cta} < CTAS && {{(32 - BW) {1'b0}}, f_buf} < BUFS);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // An entry that the checker considers in flight is between ignition and done.
      if (f_live) assert (f_moving);
      // A load that touches a buffer in flight must wait.
      if (f_must) assert (hit_o);
      // Each query is answered, and there is no other answer.
      assert (hit_valid == f_asked);
      // The address generator is started only while it is free, and is free after an abort.
      if (begins) assert (!agen_busy);
      // Only an entry between ignition and done has outstanding requests.
      if (req_valid_o) assert (|moving_o || st_clr_o || ag_abort);

      cover (f_must && !goes_live);
      cover (req_valid_o && f_live);
      cover (st_clr_o && f_told && f_live);
    end
  end
