// SPDX-License-Identifier: Apache-2.0
// Laws of caba_awc, inside the module. They follow one entry, any, from its trigger to its end.
// prove: bmc=2 induct=2 AWT=2 TRIG=2 WAIT=2 WARPS=3 WINDOW=4 CAP=1
// prove-nightly: bmc=3 cover=9 AWT=2 TRIG=2 WAIT=2 WARPS=3 WINDOW=4 CAP=1
// prove-nightly: bmc=2 induct=2 AWT=4 TRIG=3 WAIT=4 WARPS=5 WINDOW=8 CAP=2
// prove-nightly: bmc=2 induct=2 AWT=8 TRIG=4 WAIT=4 WARPS=8 WINDOW=64 CAP=4
// equal: AWT=2 TRIG=1 WAIT=2 WARPS=1 WINDOW=4 CAP=1
// equal-nightly: AWT=2 TRIG=2 WAIT=2 WARPS=3 WINDOW=4 CAP=1
// equal-nightly: AWT=4 TRIG=3 WAIT=2 WARPS=5 WINDOW=8 CAP=2
// equal-nightly: AWT=16 TRIG=6 WAIT=4 WARPS=16 WINDOW=64 CAP=5

  (* anyconst *) logic [AB-1:0] f_e;
  logic f_started = 1'b0;
  logic f_was_reset, f_was_idle;
  // The entry: whether it is there, its priority, its next word; what the AWC said of it in the cycle before.
  logic f_there, f_high, f_drains, f_waits_br, f_got, f_killed, f_was_dl, f_was_pk, f_was_done, f_was_no_high;
  logic [7:0] f_next;
  logic [AB-1:0] f_passed;
  logic [39:0] f_arg;
  logic f_could_high, f_could_this, f_could_start;
  logic [6:0] f_started_n;
  logic [15:0] f_drops;
  logic [AWT-1:0] f_valid, f_run;
  logic [QB:0] f_wait_n;
  logic [WB-1:0] f_cycle;
  logic [4:0] f_cap, f_cap_next;
  logic [WB+3:0] f_window_idle, f_window_full;
  logic f_is_dl, f_is_picked;
  assign f_is_dl = dl_q && dl_awt_q == f_e;
  assign f_is_picked = picks && pick == f_e;
  assign f_killed = valid_q[f_e] && ((kill_valid_i && warp_q[f_e*6+:6] == kill_warp_i && sr_q[f_e*5+:5] == kill_sr_i) ||
                                     (exit_valid_i && !high_q[f_e] && warp_q[f_e*6+:6] == exit_warp_i));
  always_comb begin
    f_started_n = '0;
    for (int i = 0; i < AWT; i++) f_started_n = f_started_n + {6'd0, started_q[i]};
  end
  // Two entries of the same warp and routine.
  logic [AWT-1:0] f_same;
  for (genvar i = 0; i < AWT; i++) begin : g_f_same
    assign f_same[i] = i[AB-1:0] != f_e && valid_q[i] && warp_q[i*6+:6] == warp_q[f_e*6+:6] && sr_q[i*5+:5] == sr_q[f_e*5+:5];
  end
  // The window with the cycles of this run that belong to it.
  logic [15:0] f_run_n, f_part;
  assign f_run_n = {{(16 - RB) {1'b0}}, run_i} > WINDOW ? WINDOW : {{(16 - RB) {1'b0}}, run_i};
  assign f_part = f_run_n > WINDOW - {{(16 - WB) {1'b0}}, cycle_q} ? WINDOW - {{(16 - WB) {1'b0}}, cycle_q} : f_run_n;
  logic f_ends;
  logic [31:0] f_idles, f_fulls;
  assign f_ends = {{(16 - WB) {1'b0}}, cycle_q} + f_run_n >= WINDOW;
  assign f_idles = {{(31 - WB) {1'b0}}, idle_q} + {16'd0, f_part} * (idle_slots_i > 2'd2 ? 32'd2 : {30'd0, idle_slots_i});
  assign f_fulls = {{(32 - WB) {1'b0}}, full_q} + (lsu_full_i ? {16'd0, f_part} : 32'd0);

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !clear_en_i && !cfg_en_i && !tr_valid_i && ib_free_i == '0 && lp_free_i == '0 && !br_valid_i && !done_valid_i &&
                  !kill_valid_i && !exit_valid_i && run_i == '0 && !busy_o;
    f_valid <= valid_q;
    f_run <= run_q;
    f_wait_n <= wait_n_q;
    f_drops <= drops_q;
    f_cycle <= f_ends ? {{(16 - WB) {1'b0}}, cycle_q} + f_run_n - WINDOW : {{(16 - WB) {1'b0}}, cycle_q} + f_run_n;
    f_cap <= clear_en_i ? CAP : !f_ends ? cap_q :
             f_idles * 8 < 2 * WINDOW || f_fulls * 2 > WINDOW ? cap_q / 2 : cap_q < CAP ? cap_q + 5'd1 : cap_q;
    f_got <= rst_ni && !valid_q[f_e] && takes && slot == f_e;
    f_was_dl <= rst_ni && f_is_dl;
    f_was_pk <= rst_ni && pk_q && pk_awt_q == f_e;
    // Its life, from the ports.
    if (!valid_q[f_e]) begin
      f_next <= 8'd0;
      {f_drains, f_waits_br} <= '0;
    end else begin
      if (f_is_dl) f_next <= f_next + {6'd0, dl_n_i};
      if (f_is_dl && dl_end_i) f_drains <= 1'b1;
      if (f_is_dl && dl_br_i && !dl_end_i) f_waits_br <= 1'b1;
      if (f_waits_br && br_valid_i && br_awt_i == f_e) begin
        f_waits_br <= 1'b0;
        f_next <= br_tgt_i;
      end
    end
    f_was_done <= rst_ni && valid_q[f_e] && f_drains && done_valid_i && done_awt_i == f_e && !f_killed && high_q[f_e];
    f_was_no_high <= done_valid_i && done_awt_i == f_e && !(valid_q[f_e] && high_q[f_e]);
    f_there <= rst_ni && valid_q[f_e] && !f_killed;
    f_high <= high_q[f_e];
    f_arg <= arg_q[f_e];
    // What could be picked.
    f_could_high <= highs != '0;
    f_could_this <= rst_ni && from[f_e];
    f_could_start <= f_started_n < {2'd0, cap_q};
    f_passed <= rst_ni && from[f_e] && !f_is_picked ? f_passed + 1'b1 : '0;
    if (!f_started) assume (!rst_ni);
    assume (dl_n_i != 2'd3);
  end

  // Places that the search of its class has to go before it comes to the entry.
  logic [AB-1:0] f_away;
  assign f_away = f_e - (high_q[f_e] ? high_at_q : low_at_q);

  always @(posedge clk_i) begin
    if (f_started) begin
      // Bits of entries that are not valid are 0; none runs and drains; no two have the same warp and routine.
      assert (((run_q | drain_q | high_q | started_q) & ~valid_q) == '0 && (run_q & drain_q) == '0 && (high_q & started_q) == '0);
      if (valid_q[f_e]) assert (f_same == '0);
      if (pk_q) assert (run_q[pk_awt_q]);
      if (dl_q) assert (run_q[dl_awt_q]);
      assert (wait_n_q <= FULL);
      // Each word once and in order: the number fetched is that behind the words that were taken, or the branch's target.
      if (valid_q[f_e]) assert (inst_q[f_e] == f_next && drain_q[f_e] == f_drains);
      if (valid_q[f_e]) assert (run_q[f_e] == (!f_drains && !f_waits_br) && !(f_drains && f_waits_br));
      if (pk_q && pk_awt_q == f_e) assert (run_q[f_e] && pk_inst_o == f_next);
      if (f_is_dl) assert (run_q[f_e] && valid_q[f_e] && f_was_pk);
      assert (!(pk_q && dl_q && pk_awt_q == dl_awt_q));
      // No word counts behind a kill: what is delivered belongs to an entry that was there and was not killed.
      if (f_is_dl) assert (f_there && valid_q[f_e]);
      // A load resumes once when its entry of high priority is done, and no other does.
      if (f_was_done) assert (resume_valid_o && resume_arg_o == f_arg && !valid_q[f_e]);
      if (f_was_no_high) assert (!resume_valid_o);
      if (f_started && f_there && !valid_q[f_e] && f_high) assert (f_was_done);
      // High before low; low ones start only within the cap.
      if (pk_q && pk_awt_q == f_e && f_could_high) assert (high_q[f_e]);
      if (f_was_reset) assert (started_q == '0);
      // Round robin: at each pick of its class that passes over the entry, the search comes nearer to it.
      if (f_passed != '0) assert ({1'b0, f_away} + {1'b0, f_passed} <= AWT - 1);
      // The window and the cap.
      if (!f_was_reset) assert (cap_q == f_cap);
      assert (cap_q <= CAP && {{(31 - WB) {1'b0}}, idle_q} <= 2 * {{(32 - WB) {1'b0}}, cycle_q} && full_q <= cycle_q);
      // An idle tick changes nothing; after a reset nothing is there.
      if (f_was_idle) assert (valid_q == f_valid && run_q == f_run && wait_n_q == f_wait_n && drops_q == f_drops && !busy_o);
      if (f_was_reset) assert (valid_q == '0 && wait_n_q == '0 && !busy_o && stall_parent_o == '0);

      cover (resume_valid_o && f_was_done);
      cover (f_is_dl && dl_end_i && !high_q[f_e]);
      cover (wait_n_q == FULL);
    end
  end
  // A low entry starts only while fewer than the cap have.
  logic f_starts;
  logic [6:0] f_n_before;
  logic [4:0] f_cap_before;
  logic f_was_started;
  always @(posedge clk_i) begin
    f_n_before <= f_started_n;
    f_cap_before <= cap_q;
    f_was_started <= rst_ni && started_q[f_e];
  end
  assign f_starts = started_q[f_e] && !f_was_started;
  always @(posedge clk_i) if (f_started && f_starts) assert (f_n_before < {2'd0, f_cap_before});
