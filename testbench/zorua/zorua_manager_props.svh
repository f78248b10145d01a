// SPDX-License-Identifier: Apache-2.0
// Laws of zorua_manager that concern the parts together, from reset, by the ports of the parts. They follow one set of registers, one of
// the scratchpad and one slot, any ones; from reset for a few cycles only, as the parts' registers cannot be named here. What each part is
// given is proved by equality, and tests/unit/zorua_manager_test.c follows values through longer runs. The first long proof ends with the
// first entry that is written to a table of sets. The second has one set of each kind, so that z3 reaches the cycle in which an ending
// warp's slot is looked up.
// prove: bmc=3 WARPS=4 BLOCKS=4 EVENTS=2 REGS=2 SCRATCH=2 SLOTS=2 FLOOR=1 RSETS=2 SSETS=2 READS=2 SREADS=1 EPOCH=2 DELTA=0 START=50 STEP=50 PAW=32
// prove-nightly: bmc=10 WARPS=4 BLOCKS=4 EVENTS=2 REGS=2 SCRATCH=2 SLOTS=2 FLOOR=1 RSETS=2 SSETS=2 READS=2 SREADS=1 EPOCH=2 DELTA=0 START=50 STEP=50 PAW=32
// prove-nightly: bmc=13 WARPS=4 BLOCKS=4 EVENTS=2 REGS=1 SCRATCH=1 SLOTS=1 FLOOR=1 RSETS=1 SSETS=1 READS=2 SREADS=1 EPOCH=2 DELTA=0 START=50 STEP=50 PAW=32
// equal: WARPS=4 BLOCKS=4 EVENTS=2 REGS=7 SCRATCH=5 SLOTS=2 FLOOR=1 RSETS=7 SSETS=5 READS=2 SREADS=1 EPOCH=5 DELTA=0 START=50 STEP=25 PAW=32

  (* anyconst *) logic [RI-1:0] f_set;
  (* anyconst *) logic [SI-1:0] f_part;
  (* anyconst *) logic [TI-1:0] f_slot;
  logic f_started = 1'b0;
  logic f_was_reset, f_was_idle;
  // The set as the decisions of set_mover have it: it is nobody's, on its way, or of a row.
  logic f_taken, f_part_taken, f_slot_taken, f_mine, f_part_mine, f_slot_mine;
  logic [RI-1:0] f_now;
  logic [TI-1:0] f_slot_now;
  assign f_now = regs_free;
  assign f_mine = alloc_en && kind[0] && f_now == f_set;
  assign f_part_mine = alloc_en && kind[1] && scratch_free == f_part;
  assign f_slot_now = slot_free;
  assign f_slot_mine = alloc_en && kind[2] && f_slot_now == f_slot;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !busy_o && !ev_valid_i;
    f_taken <= rst_ni && (f_mine || (f_taken && !(free_en && kind[0] && free_set[RI-1:0] == f_set)));
    f_part_taken <= rst_ni && (f_part_mine || (f_part_taken && !(free_en && kind[1] && free_set[SI-1:0] == f_part)));
    f_slot_taken <= rst_ni && (f_slot_mine || (f_slot_taken && !(free_en && kind[2] && free_set[TI-1:0] == f_slot)));
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - RI) {1'b0}}, f_set} < REGS && {{(32 - SI) {1'b0}}, f_part} < SCRATCH && {{(32 - TI) {1'b0}}, f_slot} < SLOTS);
    // The caller's needs fit.
    assume ({24'd0, ev_regs_i} <= REGS && {24'd0, ev_regs_i} <= RSETS && {24'd0, ev_scratch_i} <= SCRATCH && {24'd0, ev_scratch_i} <= SSETS);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // A set that is taken is not offered until it is given back: no set has two owners. All sets are free or taken.
      if (f_taken) assert (!(regs_offer && regs_free == f_set));
      if (!f_taken) assert (regs_offer);
      if (f_part_taken) assert (!(scratch_offer && scratch_free == f_part));
      if (!f_part_taken) assert (scratch_offer);
      if (f_slot_taken) assert (!(slot_offer && slot_free == f_slot));
      if (!f_slot_taken) assert (slot_offer);
      if (free_en && kind[0] && free_set[RI-1:0] == f_set) assert (f_taken);
      // A set that an operand finds is taken; what is spilled is, too.
      if (rd_valid[0] && rd_phys[0+:RI] == f_set) assert (f_taken);
      if (regs_victim && regs_goes == f_set) assert (f_taken);
      // An entry of a mapping table is written for a set of its kind that is taken, or is taken now.
      if (writes[0] && wr_valid && wr_phys[RI-1:0] == f_set) assert (f_taken || f_mine);
      if (writes[1] && wr_valid && wr_phys[SI-1:0] == f_part) assert (f_part_taken || f_part_mine);
      if (writes[2] && wr_valid && wr_phys[TI-1:0] == f_slot) assert (f_slot_taken || f_slot_mine);
      // Where a mapping table finds the set at hand, it is there for set_mover.
      if (at_en_o && (rd_valid[READS+1:READS] != 2'd0 || srd_valid[SREADS] || slot_there)) assert (there);
      // With nothing under way nobody has taken a set without a warp that is schedulable.
      if (!busy_o && sched_o == '0) assert (!f_slot_taken);
      assert (busy_o || !at_en_o);
      if (f_was_idle && !f_was_reset) assert (!busy_o);
      if (f_was_reset) assert (!busy_o && sched_o == '0 && free_regs_o == REGS[$clog2(REGS+1)-1:0]);
    end
  end
