// SPDX-License-Identifier: Apache-2.0
// Laws of d2ma_footprint, inside the module. They follow one entry, arbitrary and fixed for the run, by the ports; and the
// fields that were read, with which the footprint is computed by multiplication. The arithmetic is proved for small
// buffers (at most 7 columns and 3 rows, halos of at most 3); the unit test has all sizes.
// prove: bmc=10 cover=11 CTAS=2 BUFS=1 NB=8
// prove-nightly: bmc=20 CTAS=1 BUFS=1 NB=16
// prove-nightly: bmc=12 CTAS=3 BUFS=2 NB=32
// equal: CTAS=8 BUFS=4 NB=32

  (* anyconst *) logic [CW-1:0] f_cta;
  (* anyconst *) logic [BW-1:0] f_buf;
  logic f_started = 1'b0;
  logic [ROWS-1:0] f_mask;
  assign f_mask = ROW_0 << ({{(32 - CW) {1'b0}}, f_cta} * BUFS + {{(32 - BW) {1'b0}}, f_buf});

  // The fields that were read, small.
  logic [2:0] f_columns;
  logic [1:0] f_rows, f_hrows, f_hcols, f_esz;
  logic f_dim2, f_halo, f_bank;
  logic [31:0] f_w, f_h, f_total, f_pads, f_foot;
  always_comb begin
    f_w = {29'd0, f_columns};
    f_h = f_dim2 ? {30'd0, f_rows} : 32'd1;
    f_total = (f_w * f_h) << f_esz;
    f_pads = '0;
    // A pad after every group of words, but not after the last byte.
    for (int k = 1; k <= 21; k++)
      if (f_bank && f_hrows != 2'd0 && k * (4 * NB) * {30'd0, f_hrows} < f_total) f_pads = f_pads + 32'd1;
    f_foot = f_total + f_pads * (f_esz == 2'd3 ? 32'd8 : 32'd4);
    if (f_halo) f_foot = ((f_w + 2 * {30'd0, f_hcols}) * (f_h + 2 * {30'd0, f_hrows})) << f_esz;
    if (f_total == '0) f_foot = '0;
  end

  logic f_go, f_own, f_wide, f_went, f_was_reset, f_was_idle, f_load, f_read, f_known;
  logic [15:0] f_base, f_base_read;
  logic [ROWS-1:0] f_pend_last;
  assign f_go = wr_en_i && wr_go_i && wr_cta_i == f_cta && wr_buf_i == f_buf;
  assign f_own = ck_cta_o == f_cta && ck_buf_o == f_buf;
  assign f_known = ck_known_o && f_own;
  assign f_load = rd_en_o && rd_ok_i;  // by the ports: a read counts in the cycle in which it is answered
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !busy_o && !wr_en_i;
    f_pend_last <= pend_q;
    f_went <= rst_ni && f_go;
    f_wide <= rst_ni && (f_go || (f_wide && !f_known));
    f_base <= wr_sbase_i;
    f_read <= rst_ni && !drop && (f_load || (f_read && !writes));
    if (f_load) begin
      f_columns <= count_i[2:0];
      f_rows <= count_i[9:8];
      f_dim2 <= dim2_i;
      f_esz <= esz_i;
      f_halo <= mode_i == 2'd1;
      f_bank <= mode_i == 2'd2;
      f_hrows <= hrows_i[1:0];
      f_hcols <= hcols_i[1:0];
      f_base_read <= sbase_i;
    end
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - CW) {1'b0}}, f_cta} < CTAS && {{(32 - BW) {1'b0}}, f_buf} < BUFS);
    assume (count_i < 16'h400 && count_i[7:3] == 5'd0 && hrows_i < 16'd4 && hcols_i < 16'd4);
    if (!dim2_i) assume (count_i < 16'd8);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // The cycle after an operation that moves data writes the range from its base to the end of shared memory.
      if (f_went) assert (ck_wr_o && !ck_known_o && f_own && ck_sbase_o == f_base);
      if (f_went) assert ({1'b0, ck_foot_o} + {2'd0, f_base} == 18'h10000);
      // An entry is wide from then to the cycle in which its footprint is written.
      assert (|(wide_o & f_mask) == f_wide);
      if (f_known) assert (f_wide && ck_wr_o);
      if (on_q) assert ({{(32 - CW) {1'b0}}, cta_q} < CTAS && {{(32 - BW) {1'b0}}, buf_q} < BUFS);
      assert ((pend_q & own_mask) == '0 && (own_mask & (own_mask - 1'b1)) == '0);
      assert (f_read == loaded_q && loaded_q == (on_q && phase_q != READ));
      if (on_q) assert (phase_q <= WRITE);
      if (wide_on_q) assert ({{(32 - CW) {1'b0}}, wide_cta_q} < CTAS && {{(32 - BW) {1'b0}}, wide_buf_q} < BUFS);
      // A footprint is written only after a read that was answered.
      if (ck_known_o) assert (f_read);
      // A computation ends with a write, or with an operation on its entry.
      if (rd_en_o) assert (on_q && !ck_known_o);
      if (f_was_reset) assert (!busy_o && wide_o == '0);
      if (f_was_idle) assert (pend_q == f_pend_last && !on_q && !ck_wr_o);
      // The range that is written as known is the footprint of the entry that was read.
      if (ck_known_o) assert ({15'd0, ck_foot_o} == f_foot && ck_sbase_o == f_base_read);
      cover (f_known && f_read && f_halo && f_rows == 2'd2 && f_hrows == 2'd1);
      cover (f_known && f_foot == '0);
      cover (f_wide && drop);
    end
  end
