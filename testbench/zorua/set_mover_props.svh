// SPDX-License-Identifier: Apache-2.0
// Laws of set_mover, inside the module, by induction. They follow one register set and one scratchpad set, any ones.
// prove: bmc=3 induct=2 cover=12 WARPS=2 BLOCKS=2 REGS=3 SCRATCH=2 RSETS=3 SSETS=2 PHYS_W=2
// prove-nightly: bmc=3 induct=2 WARPS=16 BLOCKS=4 REGS=40 SCRATCH=12 RSETS=16 SSETS=12 PHYS_W=6
// equal: WARPS=2 BLOCKS=2 REGS=3 SCRATCH=2 RSETS=3 SSETS=2 PHYS_W=2
// equal: WARPS=16 BLOCKS=4 REGS=40 SCRATCH=12 RSETS=16 SSETS=12 PHYS_W=6
// equal-nightly: WARPS=64 BLOCKS=16 REGS=256 SCRATCH=48 RSETS=16 SSETS=48 PHYS_W=8

  (* anyconst *) logic [RI-1:0] f_set;
  (* anyconst *) logic [SI-1:0] f_scratch;
  logic f_started = 1'b0;
  logic f_was_reset, f_was_idle, f_evicted, f_begun, f_last, f_waits;
  logic [PHYS_W-1:0] f_victim;
  logic [7:0] f_at;
  logic [WB-1:0] f_whose;
  logic [BB-1:0] f_whose_scratch;
  logic [REGS-1:0] f_of_regs;
  logic [14:0] f_goes, f_gone, f_coming;
  logic [1:0] f_kind;
  logic f_left, f_stays;
  logic [RW-1:0] f_entry;
  logic [SW-1:0] f_scratch_entry;
  assign f_entry = regs_q[f_set*RW+:RW];
  assign f_scratch_entry = scratch_q[f_scratch*SW+:SW];
  assign f_whose = f_entry[WB-1:0];
  assign f_whose_scratch = f_scratch_entry[BB-1:0];
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !cmd_valid_i && !busy_o;
    f_evicted <= rst_ni && evicts;
    f_begun <= rst_ni && move_en_o;
    f_goes <= {move_owner_o, move_set_o};
    f_left <= rst_ni && leaves;
    f_gone <= {moved_owner[6:0], moved_set_q};
    f_kind <= kind_q;
    f_stays <= rst_ni && come_q && !arrives;
    f_coming <= {come_owner[6:0], come_set_q};
    f_victim <= victim_set_i;
    f_at <= at_q;
    f_of_regs <= of_regs_q;
    f_last <= done && next == to_q;
    f_waits <= rst_ni && on_q && !done && !ends_short;
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - RI) {1'b0}}, f_set} < REGS && {{(32 - SI) {1'b0}}, f_scratch} < SCRATCH);
    // Who is asked for a victim has given one of those that may go.
    if (maps && victim_i && kind_q == OF_REGS) assume (may_regs_o[victim_set_i[RI-1:0]] && {{(32 - PHYS_W) {1'b0}}, victim_set_i} < REGS);
    if (maps && victim_i && kind_q == OF_SCRATCH) assume (may_scratch_o[victim_set_i[SI-1:0]] && {{(32 - PHYS_W) {1'b0}}, victim_set_i} < SCRATCH);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // Locked sets, those of the command's owner, and those without an owner, are not spilled; those of warps that wait go first.
      if (may_regs_o[f_set]) assert (of_regs_q[f_set] && !lock_regs_i[f_set] && f_whose != owner_q[WB-1:0] && at_kind_o == OF_REGS);
      if (may_scratch_o[f_scratch])
        assert (of_scratch_q[f_scratch] && !lock_scratch_i[f_scratch] && f_whose_scratch != owner_q[BB-1:0] && at_kind_o == OF_SCRATCH);
      assert (prefer_regs_o[f_set] == (may_regs_o[f_set] && !sched_i[f_whose]));
      // Of a victim, the entry is cleared and the lines go, under its owner's name.
      if (move_en_o && move_spill_o && op_q == MAP) begin
        assert (!offer_i && wr_en_o && !wr_valid_o && wr_owner_o == move_owner_o && wr_set_o == move_set_o);
        if (kind_q == OF_REGS && {{(32 - PHYS_W) {1'b0}}, victim_set_i} == {{(32 - RI) {1'b0}}, f_set})
          assert ({{(7 - WB) {1'b0}}, f_whose} == move_owner_o && of_regs_q[f_set]);
      end
      // Then it has no owner, until its lines are gone; then it is the new owner's.
      if (f_evicted && !f_was_reset) assert (lines_q && phys_q == f_victim && at_q == f_at);
      if (f_evicted && !f_was_reset && kind_q == OF_REGS && {{(32 - PHYS_W) {1'b0}}, f_victim} == {{(32 - RI) {1'b0}}, f_set}) assert (!of_regs_q[f_set]);
      if (f_begun && !f_was_reset) assert (move_o && {moved_owner_o, moved_set_o} == f_goes);
      if (lines_q && lines_i) assert (!wr_en_o && !new_en_o && !free_en_o);
      if (lines_q && op_q == FILL && (mem_busy_i || !kind_q[1])) assert (!wr_en_o && !did_en_o);
      // A set on its way is there when its lines have come, under its owner's name; until then it has none, and nobody releases it.
      if (come_q && mem_busy_i) assert (!arrives);
      if (arrives) assert (wr_en_o && wr_valid_o && new_en_o && wr_owner_o == come_owner_o && wr_set_o == come_set_o && wr_phys_o == come_phys_q);
      if (come_q && releases && at_kind_o == come_kind_o)
        assert (wr_owner_o != come_owner_o || wr_set_o != come_set_o);
      if (f_left && !f_was_reset) assert (come_o && {come_owner_o, come_set_o} == f_gone && come_kind_o == f_kind);
      if (f_stays && !f_was_reset) assert (come_o && {come_owner_o, come_set_o} == f_coming);
      // One set is on its way at a time.
      if (come_q) assert (!(on_q && lines_q && op_q == FILL && !kind_q[1]));
      // A set is mapped as the command says, and never twice in a cycle.
      if (wr_valid_o && !arrives) assert (new_en_o && wr_owner_o == owner[6:0] && wr_set_o == at_q && wr_phys_o == new_set_o);
      if (alloc_en_o) assert (offer_i && !free_en_o);
      if (op_q == MAP && works && offer_i) assert (alloc_en_o);
      // What is released is free if it was there, else it is gone from memory.
      if (works && op_q == RELEASE && !awaits) assert (wr_en_o && !wr_valid_o && free_en_o == there_i && (did_swapped_o == (!there_i && !kind_q[1])));
      // A command goes through its sets; it ends behind the last one.
      if (f_last && !f_was_reset) assert (!on_q);
      if (!f_was_reset && f_waits) assert (on_q && at_q == f_at);
      assert (on_q || !lines_q);
      if (on_q && (op_q != FILL || kind_q[1])) assert (!ends_short);
      assert (busy_o == (on_q || come_q) && cmd_ready_o == !on_q && at_en_o == on_q);
      if (f_was_idle) assert (!busy_o && of_regs_q == f_of_regs);
      if (f_was_reset) assert (!busy_o && of_regs_q == '0 && of_scratch_q == '0);
      if (!on_q) assert (!alloc_en_o && !free_en_o && !move_en_o && !did_en_o);
      if (!on_q && !come_q) assert (!wr_en_o && !new_en_o);

      cover (f_evicted && kind_q == OF_SCRATCH);
      cover (arrives && on_q);
      cover (did_swapped_o);
      cover (free_en_o && op_q == SPILL);
    end
  end
