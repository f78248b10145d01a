// SPDX-License-Identifier: Apache-2.0
// Laws of d2ma_raw_check, inside the module. They follow one entry, one warp and one shared byte,
// each arbitrary and fixed for the run, from the ports only; so the induction covers all entries,
// warps and bytes, and runs of any length. Small parameters keep the solver fast (induct=2 proves
// the defaults too, in a few minutes); WARPS = 3 and CTAS = 3 leave numbers out of range.
// prove: bmc=10 induct=2 CTAS=1 BUFS=1 WARPS=3
// prove: bmc=5 induct=2 cover=8 CTAS=2 BUFS=4 WARPS=3
// prove-nightly: bmc=2 induct=2 cover=8 CTAS=3 BUFS=2 WARPS=4
// equal: CTAS=1 BUFS=1 WARPS=4
// equal: CTAS=3 BUFS=2 WARPS=24
// equal-nightly: CTAS=8 BUFS=4 WARPS=48

  (* anyconst *) logic [CW-1:0] f_cta;
  (* anyconst *) logic [BW-1:0] f_buf;
  (* anyconst *) logic [WW-1:0] f_warp;
  (* anyconst *) logic [15:0] f_byte;
  logic f_started = 1'b0;
  logic [31:0] f_row;
  assign f_row = {{(32 - CW) {1'b0}}, f_cta} * BUFS + {{(32 - BW) {1'b0}}, f_buf};

  // Events of the entry in this cycle.
  logic f_wr, f_set, f_clr, f_arm, f_forget, f_query;
  assign f_wr = wr_en_i && wr_cta_i == f_cta && wr_buf_i == f_buf;
  assign f_set = set_live_i && st_cta_i == f_cta && st_buf_i == f_buf;
  assign f_clr = clr_live_i && st_cta_i == f_cta && st_buf_i == f_buf;
  assign f_arm = arm_wr_i && arm_cta_i == f_cta && arm_buf_i == f_buf && arm_warp_i == f_warp;
  assign f_forget = arm_clr_i && arm_cta_i == f_cta && arm_buf_i == f_buf;
  assign f_query = ld_valid_i && ld_cta_i == f_cta;

  // The entry as the ports define it, and as a query of this cycle must see it: with the sets of
  // this cycle, without its clears.
  logic [15:0] f_sbase, f_sbase_seen;
  logic [16:0] f_foot, f_foot_seen;
  logic f_live, f_live_seen, f_arrived, f_arrived_seen;
  assign f_sbase_seen = f_wr ? wr_sbase_i : f_sbase;
  assign f_foot_seen = f_wr ? wr_foot_i : f_foot;
  assign f_live_seen = f_live || f_set;
  assign f_arrived_seen = f_arrived || (f_arm && !f_forget);

  // 18 bits: no sum wraps here.
  logic [17:0] f_limit;
  logic f_legal, f_overlap, f_touches, f_guarded;
  assign f_limit = {2'b0, f_sbase_seen} + {1'b0, f_foot_seen};
  assign f_legal = f_limit <= 18'h10000;
  assign f_overlap = f_foot_seen != '0 && {2'b0, ld_lo_i} < f_limit && ld_hi_i >= f_sbase_seen;
  assign f_touches = ld_lo_i <= f_byte && f_byte <= ld_hi_i &&
                     f_sbase_seen <= f_byte && {2'b0, f_byte} < f_limit;
  assign f_guarded = f_live_seen || (f_arrived_seen && ld_warp_i == f_warp);

  // One cycle later: the query, the answer that is required, the answer that is forbidden.
  logic f_asked, f_must, f_must_not, f_stranger, f_was_reset, f_was_idle;
  logic f_by_bypass, f_by_arrival, f_by_new_range, f_at_first, f_at_last;
  logic f_miss_before, f_miss_after, f_miss_empty, f_miss_cleared_tie, f_hit_set_tie, f_to_the_end;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !busy_o && !wr_en_i && !set_live_i && !clr_live_i && !arm_wr_i &&
                  !arm_clr_i && !ld_valid_i;
    f_asked <= rst_ni && ld_valid_i;
    f_must <= rst_ni && f_query && f_guarded && f_legal && f_touches;
    f_must_not <= rst_ni && f_query && f_legal && !(f_guarded && f_overlap) &&
                  (ld_warp_i == f_warp || {{(32 - WW) {1'b0}}, ld_warp_i} >= WARPS);
    f_stranger <= rst_ni && ld_valid_i && {{(32 - CW) {1'b0}}, ld_cta_i} >= CTAS;
    if (!rst_ni) begin
      f_sbase <= '0;
      f_foot <= '0;
      f_live <= 1'b0;
      f_arrived <= 1'b0;
    end else begin
      f_sbase <= f_sbase_seen;
      f_foot <= f_foot_seen;
      f_live <= f_set || (f_live && !f_clr);
      f_arrived <= !f_forget && (f_arm || f_arrived);
    end
    // Covered below.
    f_by_bypass <= f_set && !f_live && !f_arrived_seen;
    f_by_arrival <= !f_live_seen && f_arrived && !f_arm;
    f_by_new_range <= f_wr && f_live && f_foot == '0;
    f_at_first <= ld_hi_i == f_sbase_seen && ld_lo_i < ld_hi_i;
    f_at_last <= {2'b0, ld_lo_i} + 18'd1 == f_limit && ld_lo_i < ld_hi_i;
    f_miss_before <= f_guarded && f_foot_seen != '0 &&
                     {1'b0, ld_hi_i} + 17'd1 == {1'b0, f_sbase_seen};
    f_miss_after <= f_guarded && f_foot_seen != '0 && {2'b0, ld_lo_i} == f_limit;
    f_miss_empty <= f_guarded && f_foot_seen == '0 && ld_lo_i < f_sbase_seen &&
                    f_sbase_seen <= ld_hi_i;
    f_miss_cleared_tie <= f_arm && f_forget && !f_arrived && !f_live_seen && f_overlap;
    f_hit_set_tie <= f_set && f_clr && !f_arrived_seen;
    f_to_the_end <= f_limit == 18'h10000 && f_foot_seen != '0 && ld_lo_i == 16'hffff;
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - CW) {1'b0}}, f_cta} < CTAS);
    assume ({{(32 - BW) {1'b0}}, f_buf} < BUFS);
    assume ({{(32 - WW) {1'b0}}, f_warp} < WARPS);
  end

  // The state of the previous cycle, for the idle law.
  logic [15:0] f_start_now, f_start_last;
  logic [16:0] f_end_now, f_end_last;
  logic [WARPS-1:0] f_arrived_now, f_arrived_last;
  logic [ROWS-1:0] f_live_last, f_ranged_last, f_armed_last;
  assign f_start_now = start_q[f_row[RW-1:0]];
  assign f_end_now = end_q[f_row[RW-1:0]];
  assign f_arrived_now = arrived_q[f_row[RW-1:0]];
  always @(posedge clk_i) begin
    f_start_last <= f_start_now;
    f_end_last <= f_end_now;
    f_arrived_last <= f_arrived_now;
    f_live_last <= live_q;
    f_ranged_last <= ranged_q;
    f_armed_last <= armed_q;
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // A load that touches a byte of a live range, or of a range at which its warp has arrived, always
      // hits, and hit_buf is that buffer or a lower one.
      if (f_must) assert (hit_valid_o && hit_o && hit_buf_o <= f_buf);
      // An entry is not hit without an overlap, nor if it is neither live nor one at which the querying
      // warp has arrived.
      if (f_must_not) assert (!(hit_o && hit_buf_o == f_buf));
      // A CTA slot that does not exist hits nothing.
      if (f_stranger) assert (!hit_o);
      // hit_buf is an existing buffer, and 0 without a hit.
      assert ({{(32 - BW) {1'b0}}, hit_buf_o} < BUFS);
      if (!hit_o) assert (hit_buf_o == '0);
      // Each query is answered in the next cycle, and there is no other answer.
      assert (hit_valid_o == f_asked);
      if (hit_o) assert (hit_valid_o);
      // busy_o is 1 exactly while an answer is valid.
      assert (busy_o == hit_valid_o);
      // The registers of the entry agree with the ports' history (needed by the induction).
      assert (ranged_q[f_row] == (f_foot != '0));
      if (f_foot != '0) assert (f_start_now == f_sbase && f_end_now == {1'b0, f_sbase} + f_foot);
      assert (live_q[f_row] == f_live);
      assert ((armed_q[f_row] && f_arrived_now[f_warp]) == f_arrived);
      // An idle tick with no query in flight changes nothing, whatever the other inputs are.
      if (f_was_idle)
        assert (f_start_now == f_start_last && f_end_now == f_end_last && live_q == f_live_last &&
                f_arrived_now == f_arrived_last && ranged_q == f_ranged_last && armed_q == f_armed_last &&
                !hit_valid_o && !hit_o && hit_buf_o == '0);
      // A reset leaves nothing live and nothing arrived.
      if (f_was_reset) assert (live_q == '0 && armed_q == '0 && ranged_q == '0 && !busy_o);

      cover (f_must && f_by_bypass);
      cover (f_must && f_by_arrival);
      cover (f_must && f_by_new_range);
      cover (f_must && f_at_first);
      cover (f_must && f_at_last);
      cover (f_must && f_hit_set_tie);
      cover (f_must && f_to_the_end);
      cover (f_must && hit_buf_o < f_buf);
      cover (hit_o && {{(32 - BW) {1'b0}}, hit_buf_o} == BUFS - 1);
      cover (f_must_not && f_miss_before);
      cover (f_must_not && f_miss_after);
      cover (f_must_not && f_miss_empty);
      cover (f_must_not && f_miss_cleared_tie);
      cover (f_must_not && hit_o);
      cover (f_was_idle && f_live && f_arrived);
      cover (f_was_reset && f_live_last != '0 && f_armed_last != '0);
      if (CTAS == 3) cover (f_stranger);
    end
  end
