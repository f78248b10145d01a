// SPDX-License-Identifier: Apache-2.0
// Laws of mem_warp_mask, inside the module. They follow one warp, arbitrary and fixed for the run. From the ports only,
// they count running cycles (front end not frozen) since the last issue and since the last shared memory instruction; so
// the induction covers runs of any length. The scheduler keeps the contract: it issues only warps that pass the mask.
// prove: bmc=14 induct=3 cover=14 NW=3 K=3 DW=2
// prove: bmc=10 induct=3 cover=10 NW=2 K=1 DW=2
// prove: bmc=12 induct=3 cover=12 NW=3 K=2 DW=3 MODE=2
// prove: bmc=4 induct=3 NW=32 K=4 DW=5
// prove: bmc=4 induct=3 NW=3 K=3 DW=2 MODE=3
// equal: NW=32 K=4 DW=5 MODE=1
// equal: NW=3 K=2 DW=3 MODE=1
// equal: NW=48 K=1 DW=5 MODE=1
// equal: NW=32 K=4 DW=5 MODE=2
// equal: NW=32 K=4 DW=5 MODE=3
// equal: NW=64 K=32 DW=8 MODE=2
// equal: NW=1 K=3 DW=1 MODE=1

  localparam logic [9:0] F_K = K;
  localparam logic [9:0] F_LONG = K + (1 << DW);  // longer than any distance
  localparam logic [9:0] F_MOST = (1 << DW) - 1;
  (* anyconst *) logic [31:0] f_warp;
  logic f_started = 1'b0;
  logic f_ready, f_mem, f_open;
  assign f_ready = warp_ready_i[f_warp];
  assign f_mem = warp_is_mem_i[f_warp];
  assign f_open = warp_ready_masked_o[f_warp];

  // Running cycles since the last issue (f_issue) and since the last shared memory instruction (f_age), including the
  // cycle of the issue; the history's answer for that instruction.
  logic [9:0] f_issue, f_age, f_need, f_degree, f_degree_q;
  logic f_asked, f_was_flush, f_was_idle, f_was_reset, f_was_frozen;
  assign f_degree = lk_valid_q_i ? {{(10 - DW) {1'b0}}, lk_degree_i} : f_degree_q;
  assign f_need = F_K + f_degree;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_flush <= rst_ni && flush_i;
    f_was_frozen <= rst_ni && stall_i && !flush_i && !sched_valid_i && !lk_valid_q_i;
    f_was_idle <= rst_ni && !busy_o && !flush_i && !sched_valid_i && !lk_valid_q_i && warp_ready_i == '0;
    f_asked <= rst_ni && !flush_i && sched_valid_i && sched_is_shmem_i;
    f_degree_q <= f_degree;
    if (!rst_ni || flush_i) begin
      f_issue <= F_LONG;
      f_age <= F_LONG;
      f_degree_q <= '0;
    end else begin
      if (sched_valid_i) f_issue <= 10'd1;
      else if (!stall_i && f_issue < F_LONG) f_issue <= f_issue + 10'd1;
      if (sched_valid_i && sched_is_shmem_i) begin
        f_age <= 10'd1;
        f_degree_q <= '0;
      end else if (!stall_i && f_age < F_LONG) f_age <= f_age + 10'd1;
    end
    if (!f_started) assume (!rst_ni);
    assume (f_warp < NW);
    // The contract.
    assume (lk_valid_q_i == f_asked);
    if (sched_valid_i) assume (!stall_i && |warp_ready_masked_o);
    if (sched_valid_i && sched_is_shmem_i) assume (|(warp_ready_masked_o & warp_is_mem_i));
  end

  logic [DW-1:0] f_cnt_last;
  logic [KW-1:0] f_slot_last, f_hold_last;
  logic [9:0] f_total, f_cnt;
  assign f_cnt = {{(10 - DW) {1'b0}}, cnt_q};
  always @(posedge clk_i) begin
    f_cnt_last <= cnt_q;
    f_slot_last <= slot_q;
    f_hold_last <= hold_q;
    f_total <= lk_valid_q_i ? f_cnt + {{(10 - DW) {1'b0}}, lk_degree_i} : f_cnt;
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // No warp passes the mask that is not ready.
      assert (!f_open || f_ready);
      // No warp issues in the slots of another.
      if (f_issue < F_K) assert (!f_open);
      // A warp that accesses no memory is masked by slots only.
      if (f_ready && !f_mem && f_issue >= F_K) assert (f_open);
      if (MODE == 1) begin
        // No memory warp issues before the distance is kept ...
        if (f_mem && f_age < f_need) assert (!f_open);
        // ... and after the distance it may issue.
        if (f_ready && f_age >= f_need && f_issue >= F_K) assert (f_open);
      end else if (MODE == 3) begin
        // Only slots mask.
        assert (f_open == (f_ready && f_issue >= F_K) && cnt_q == '0);
      end else begin
        // Memory warps pass the mask exactly when no other warp is ready.
        if (f_mem && f_ready && (|cnt_q) && (K > 1 || !lk_valid_q_i))
          assert (f_open == (f_issue >= F_K && others == '0));
        // The counter accumulates, saturates, and decreases by at most one.
        if (!f_was_reset && !f_was_flush)
          assert (f_cnt == (f_total > F_MOST ? F_MOST : f_total) ||
                  f_cnt + 10'd1 == (f_total > F_MOST ? F_MOST : f_total));
      end
      // A frozen front end stops everything.
      if (f_was_frozen) assert (cnt_q == f_cnt_last && slot_q == f_slot_last && hold_q == f_hold_last);
      // A flush or a reset clears everything.
      if (f_was_flush || f_was_reset) assert (!busy_o);
      // An idle cycle changes nothing.
      if (f_was_idle) assert (!busy_o);

      // Invariants that the induction needs: the registers agree with the ports' history.
      assert (f_issue >= 10'd1 && f_age >= 10'd1 && f_issue <= f_age && f_age <= F_LONG && f_degree_q <= F_MOST);
      assert (slot_q == (f_issue < F_K ? F_K - f_issue : 10'd0));
      assert (hold_q == (f_age < F_K && MODE != 3 ? F_K - f_age : 10'd0));
      if (f_asked) assert (f_age == 10'd1 && f_degree_q == '0);
      if (MODE == 1 && !f_asked)
        assert (f_cnt == (f_age < F_K ? f_degree_q : f_age < F_K + f_degree_q ? F_K + f_degree_q - f_age : 10'd0));
      if (MODE == 1 && f_asked) assert (cnt_q == '0);

      if (MODE == 1) cover (f_mem && f_ready && f_degree_q == F_MOST && f_age == f_need && f_open);
      if (MODE == 1) cover (f_mem && f_ready && f_degree_q == F_MOST && f_age + 10'd1 == f_need && !f_open);
      if (K > 1) cover (f_ready && f_issue + 10'd1 == F_K && !f_open);
      cover (f_was_frozen && f_cnt_last != '0);
      cover (f_was_flush && f_cnt_last != '0);
      if (MODE == 2) cover (f_total > F_MOST && !f_was_flush);
      if (MODE == 2) cover (f_mem && f_open && (|cnt_q));
    end
  end
