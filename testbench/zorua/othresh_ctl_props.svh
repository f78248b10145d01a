// SPDX-License-Identifier: Apache-2.0
// Laws of othresh_ctl, inside the module. What is proved is the step of Algorithm 3 with its signed differences.
// prove: bmc=6 induct=2 cover=16 EPOCH=3 DELTA=0 START=98 STEP=50 REGS=5 SCRATCH=3 SLOTS=1
// prove: bmc=2 induct=2 EPOCH=2 DELTA=0 START=0 STEP=100 REGS=1 SCRATCH=1 SLOTS=1
// prove-nightly: bmc=2 induct=2 EPOCH=9 DELTA=1 START=98 STEP=7 REGS=20 SCRATCH=5 SLOTS=7
// equal: EPOCH=37 DELTA=3 START=98 STEP=7 REGS=20 SCRATCH=5 SLOTS=7
// equal: EPOCH=2 DELTA=0 START=0 STEP=100 REGS=1 SCRATCH=1 SLOTS=1
// equal-nightly: EPOCH=2048 DELTA=16 START=10 STEP=4 REGS=256 SCRATCH=48 SLOTS=48

  logic f_started = 1'b0;
  logic f_was_reset, f_was_launch, f_was_idle, f_ended, f_ends, f_is_idle;
  logic [6:0] f_percent, f_moved;
  logic [EB-1:0] f_epoch, f_idle, f_mem;
  logic [31:0] f_run, f_at, f_next, f_percents, f_regs, f_scratch, f_slots;
  logic signed [31:0] f_idle_now, f_mem_now, f_apart;
  assign f_run = {{(32 - RB) {1'b0}}, run_i} > EPOCH ? EPOCH : {{(32 - RB) {1'b0}}, run_i};
  assign f_at = {{(32 - EB) {1'b0}}, epoch_q};
  assign f_ends = f_at + f_run >= EPOCH;
  assign f_is_idle = !issue_valid_i && !pipe_stall_i;
  assign f_percents = {25'd0, percent_q};
  assign f_regs = {{(32 - TR) {1'b0}}, thresh_regs_o};
  assign f_scratch = {{(32 - TS) {1'b0}}, thresh_scratch_o};
  assign f_slots = {{(32 - TT) {1'b0}}, thresh_slots_o};
  // Cycles that are left of the epoch belong to it; the changes since the last epoch, with their signs.
  assign f_idle_now = {{(32 - EB) {1'b0}}, idle_q} + (f_is_idle ? EPOCH - f_at : 32'd0);
  assign f_mem_now = {{(32 - EB) {1'b0}}, mem_q} + (all_wait_mem_i ? EPOCH - f_at : 32'd0);
  assign f_apart = (f_idle_now - $signed({{(32 - RB) {1'b0}}, idle_prev_q})) - (f_mem_now - $signed({{(32 - RB) {1'b0}}, mem_prev_q}));
  always_comb begin
    f_moved = percent_q;
    if (f_apart > DELTA) f_moved = f_percents + STEP > 100 ? 7'd100 : f_percents + STEP;
    if (f_apart < -DELTA) f_moved = f_percents < STEP ? 7'd0 : f_percents - STEP;
  end
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_launch <= rst_ni && start_en_i;
    f_was_idle <= rst_ni && !start_en_i && run_i == '0;
    f_ended <= rst_ni && !start_en_i && f_ends;
    f_percent <= f_ends ? f_moved : percent_q;
    f_next <= f_ends ? f_at + f_run - EPOCH : f_at + f_run;
    f_epoch <= epoch_q;
    f_idle <= idle_q;
    f_mem <= mem_q;
    if (!f_started) assume (!rst_ni);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // Counters are at most the cycles of their epoch, the percentage at most 100.
      assert (f_at < EPOCH && idle_q <= epoch_q && mem_q <= epoch_q);
      assert (idle_prev_q <= EPOCH && mem_prev_q <= EPOCH && percent_q <= 7'd100);
      // The percentage moves at the end of an epoch alone: by one step, or to the end of its range.
      if (!f_was_reset && !f_was_launch) assert (percent_q == f_percent);
      // Every cycle of a run is counted. What is left of a run begins the next epoch; it is idle, or waits, as a whole.
      if (!f_was_reset && !f_was_launch) assert (f_at == f_next);
      if (f_ended) assert ((idle_q == '0 || idle_q == epoch_q) && (mem_q == '0 || mem_q == epoch_q));
      // A threshold is the nearest number of sets: less than half a set away. It is at most the resource.
      assert (f_regs * 100 <= f_percents * REGS + 50 && f_percents * REGS < f_regs * 100 + 50);
      assert (f_scratch * 100 <= f_percents * SCRATCH + 50 && f_percents * SCRATCH < f_scratch * 100 + 50);
      assert (f_slots * 100 <= f_percents * SLOTS + 50 && f_percents * SLOTS < f_slots * 100 + 50);
      assert (f_regs <= REGS && f_scratch <= SCRATCH && f_slots <= SLOTS);
      // An idle tick changes nothing; a reset, or a launch, begins at START.
      assert (!busy_o);
      if (f_was_idle && !f_was_reset) assert (epoch_q == f_epoch && idle_q == f_idle && mem_q == f_mem);
      if (f_was_reset || f_was_launch)
        assert (percent_q == START && epoch_q == '0 && idle_q == '0 && mem_q == '0 && idle_prev_q == '0 && mem_prev_q == '0);

      cover (f_ended && percent_q == 7'd100);
      cover (f_ended && percent_q == 7'd0 && epoch_q != '0);
      cover (f_was_idle && epoch_q != '0);
    end
  end
