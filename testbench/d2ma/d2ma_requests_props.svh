// SPDX-License-Identifier: Apache-2.0
// Laws of d2ma_requests, inside the module. They follow one MSHR, arbitrary and fixed for the run, and rebuild from the ports
// the request that waits and what that MSHR holds. The environment is assumed to start a buffer only when none is under way
// and to give out only MSHRs that are free.
// prove: bmc=8 induct=2 cover=9 CTAS=2 BUFS=1 MSHRS=2 SEG=16 NB=4
// prove-nightly: bmc=2 induct=2 CTAS=3 BUFS=2 MSHRS=3 SEG=32 NB=8
// prove-nightly: bmc=2 induct=2 CTAS=8 BUFS=4 MSHRS=4 SEG=128 NB=32
// equal-nightly: CTAS=8 BUFS=4 MSHRS=32 SEG=128 NB=32

  (* anyconst *) logic [MW-1:0] f_mshr;
  logic f_started = 1'b0;

  // The buffer, as it was started.
  logic [CW-1:0] f_cta;
  logic [BW-1:0] f_buf;
  logic [1:0] f_esz;
  logic [18:0] f_step;
  logic f_pads, f_walks, f_ended;
  // The request that waits; bytes and elements of it so far.
  logic f_hold, f_open;
  logic [63:0] f_seg;
  logic [LS-1:0] f_off;
  logic [15:0] f_saddr;
  logic [LS:0] f_len;
  // The MSHR.
  logic f_used, f_drop;
  logic [CW-1:0] f_m_cta;
  logic [BW-1:0] f_m_buf;
  logic [LS-1:0] f_m_off, f_m_step;
  logic [LS:0] f_m_len;
  logic [15:0] f_m_saddr;
  logic [1:0] f_m_esz;

  logic f_accept, f_walk, f_fill, f_kill, f_was_reset, f_was_idle, f_hold_last, f_used_last;
  logic f_strided;
  assign f_strided = !dim2_i && mode_i != 2'd1 && stride_i > 16'd1;
  assign f_accept = ag_valid_i && ag_ready_o;
  assign f_walk = f_hold && f_open && !ag_valid_i && !ag_done_i && !abort_i;
  assign f_fill = fill_en_i && fill_mshr_i == f_mshr;
  assign f_kill = clr_cta_en_i && f_m_cta == clr_cta_i;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !busy_o && !start_i && !abort_i && !ag_valid_i && !ag_done_i && !fill_en_i && !clr_cta_en_i;
    f_hold_last <= hold_q;
    f_used_last <= used_q[f_mshr];
    if (!rst_ni) begin
      {f_hold, f_open, f_used, f_drop, f_walks, f_ended, f_pads} <= '0;
      {f_cta, f_buf, f_esz, f_step} <= '0;
    end else begin
      if (start_i) begin
        f_cta <= start_cta_i;
        f_buf <= start_buf_i;
        f_esz <= esz_i;
        f_step <= f_strided ? {3'd0, stride_i} << esz_i : 19'd0;
        f_pads <= mode_i == 2'd2 && hrows_i != '0 && hrows_i < (16'd1 << XW);
      end
      f_walks <= !abort_i && (start_i || (f_walks && !done_o));
      f_ended <= !abort_i && (f_ended || ag_done_i) && !done_o;
      if (abort_i) f_hold <= 1'b0;
      else if (f_accept) f_hold <= 1'b1;
      else if (taken_o) f_hold <= 1'b0;
      if (f_accept) begin
        f_open <= f_step != '0 && f_step < SEG;
        f_seg <= ag_seg_i;
        f_off <= ag_off_i;
        f_saddr <= ag_saddr_i;
        f_len <= ag_len_i;
      end else begin
        if (ag_valid_i || ag_done_i || abort_i) f_open <= 1'b0;
        if (f_walk) f_len <= f_len + ({{LS{1'b0}}, 1'b1} << f_esz);
      end
      if (taken_o && req_mshr_i == f_mshr) begin
        f_used <= 1'b1;
        f_drop <= 1'b0;
        f_m_cta <= f_cta;
        f_m_buf <= f_buf;
        f_m_off <= f_off;
        f_m_len <= f_len;
        f_m_saddr <= f_saddr;
        f_m_esz <= f_esz;
        f_m_step <= f_step < SEG ? f_step[LS-1:0] : '0;
      end else if (f_fill) begin
        f_used <= 1'b0;
        f_drop <= 1'b0;
      end else if (f_used && f_kill) begin
        f_drop <= 1'b1;
      end
    end
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - MW) {1'b0}}, f_mshr} < MSHRS && {{(32 - MW) {1'b0}}, req_mshr_i} < MSHRS);
    assume (ag_seg_i[LS-1:0] == '0 && ag_len_i != '0 && {1'b0, ag_off_i} + ag_len_i <= SEG);
    assume (!(ag_valid_i && ag_done_i));
    if (start_i) assume (!f_walks && !f_hold && !ag_valid_i && !ag_done_i);
    if (f_step != '0 && ag_valid_i) assume (ag_len_i == {{LS{1'b0}}, 1'b1} << f_esz);
    if (taken_o) assume (!used_q[req_mshr_i]);
    if (!f_walks || f_ended) assume (!ag_valid_i && !ag_done_i);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // No request is lost, duplicated or changed on its way to memory.
      assert (hold_q == f_hold && (!f_hold || open_q == f_open));
      if (req_valid_o) assert (f_hold && req_seg_o == f_seg);
      if (f_hold && !f_open) assert (req_valid_o);
      if (f_hold && f_open) assert (req_valid_o == (ag_valid_i || ag_done_i));
      if (f_accept) assert (!f_hold || taken_o);
      if (f_hold) assert (off_q == f_off && len_q == f_len && saddr_q == f_saddr && {seg_q, {LS{1'b0}}} == f_seg);
      assert (cta_q == f_cta && buf_q == f_buf && esz_q == f_esz && (words_q != '0) == f_pads);
      assert ({{(19 - LS) {1'b0}}, step_q} == (f_step < SEG ? f_step : 19'd0));
      // A request is taken only when more MSHRs are free than the load/store unit keeps.
      assert (taken_o == (req_valid_o && free_i > reserve_i && req_ready_i && !abort_i));
      // A reply tells what its request asked for.
      assert (used_q[f_mshr] == f_used && (drop_q[f_mshr] == (f_used && f_drop)));
      if (f_used)
        assert (row_q[f_mshr][RB-1:LS+2] == {f_m_cta, f_m_buf, f_m_saddr, f_m_off, f_m_len, f_m_step});
      if (f_used) assert (row_q[f_mshr][1:0] == f_m_esz);
      if (f_fill && f_used) begin
        assert (fill_cta_o == f_m_cta && fill_buf_o == f_m_buf && fill_saddr_o == f_m_saddr && fill_esz_o == f_m_esz);
        assert (fill_off_o == f_m_off && fill_len_o == f_m_len && fill_step_o == f_m_step);
        // Behind the pad: four bytes of it, or an element of eight.
        assert (fill_next_o == fill_saddr_o + fill_cut_o + (f_m_esz == 2'd3 ? 16'd8 : 16'd4));
        // Replies of a killed CTA are dropped, and no others.
        assert (fill_drop_o == (f_drop || f_kill));
      end
      // Done comes with or after the last request.
      assert (ended_q == f_ended);
      if (done_o) assert ((f_ended || ag_done_i) && (!f_hold || taken_o) && !abort_i);
      if (f_ended && !f_hold && !abort_i) assert (done_o);
      // An idle tick with busy = 0 changes nothing.
      if (f_was_idle) assert (hold_q == f_hold_last && !busy_o && used_q[f_mshr] == f_used_last);
      if (f_was_reset) assert (!busy_o && used_q == '0);

      cover (f_fill && f_used && fill_cut_o != '0);
      cover (f_fill && f_used && f_m_step != '0 && f_m_len > {{LS{1'b0}}, 1'b1} << f_m_esz);
      cover (f_fill && f_used && f_drop);
      cover (f_fill && f_used && f_kill && !f_drop);
      cover (done_o && f_ended);
    end
  end

  // A pad divides a request only where the count of bytes to the next pad says: after cut bytes, at a pad.
  logic [16:0] f_to_pad;
  assign f_to_pad = {1'b0, left_q};
  always @(posedge clk_i)
    if (f_started && f_accept && rst_ni && !start_i) begin
      if (f_pads && f_to_pad < ag_len_i) assert (cut_d == f_to_pad[LS-1:0]);
      else assert (cut_d == '0);
    end
