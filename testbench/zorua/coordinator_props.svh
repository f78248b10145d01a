// SPDX-License-Identifier: Apache-2.0
// Laws of coordinator, inside the module, proved by induction for events and reports of any kind. Those of the list of warps that wait, and of
// sums, are said of all warps; the others follow one warp, any one, with the bits of a block's largest need that are measured. By
// induction for 2 and 4 warps; of 8 the solver gave no answer in 280 s, so from reset for 5 cycles only.
// prove: bmc=3 induct=2 WARPS=2 BLOCKS=2 EVENTS=2 REGS=3 SCRATCH=2 SLOTS=1 FLOOR=1
// prove: bmc=2 induct=2 WARPS=4 BLOCKS=2 EVENTS=3 REGS=20 SCRATCH=6 SLOTS=3 FLOOR=2
// prove-nightly: bmc=5 WARPS=8 BLOCKS=4 EVENTS=3 REGS=20 SCRATCH=6 SLOTS=5 FLOOR=2
// prove-nightly: cover=21 bmc=2 WARPS=2 BLOCKS=2 EVENTS=2 REGS=3 SCRATCH=2 SLOTS=1 FLOOR=1
// equal: WARPS=2 BLOCKS=2 EVENTS=2 REGS=3 SCRATCH=2 SLOTS=1 FLOOR=1
// equal: WARPS=4 BLOCKS=2 EVENTS=3 REGS=20 SCRATCH=6 SLOTS=3 FLOOR=2
// equal-nightly: WARPS=16 BLOCKS=4 EVENTS=8 REGS=64 SCRATCH=12 SLOTS=12 FLOOR=4
// equal-nightly: WARPS=8 BLOCKS=4 EVENTS=4 REGS=40 SCRATCH=12 SLOTS=6 FLOOR=2

  (* anyconst *) logic [WB-1:0] f_warp;
  logic f_started = 1'b0;
  logic f_was_reset, f_was_idle, f_waited, f_pushed, f_popped, f_forced, f_took, f_of_group;
  logic [26:0] f_cmd, f_offer;
  logic [7:0] f_short_scratch, f_short_regs;
  logic [9:0] f_swap_scratch, f_swap_regs;
  logic [QB-1:0] f_events;
  logic [WARPS-1:0] f_sched, f_live;
  logic [BB-1:0] f_its_group;
  logic [7:0] f_needs_regs, f_its_regs, f_needs_scratch, f_its_scratch;
  logic [10:0] f_swap_most, f_regs_most;
  assign f_its_group = block_q[f_warp*BB+:BB];
  assign f_needs_regs = need_regs_q[f_warp*8+:8];
  assign f_its_regs = held_regs_q[f_warp*8+:8];
  assign f_needs_scratch = need_scratch_q[f_warp*8+:8];
  assign f_its_scratch = held_scratch_q[f_its_group*8+:8];
  assign f_offer = {cmd_op_o, cmd_kind_o, cmd_owner_o, cmd_from_o, cmd_to_o};
  // Bits of the largest need that are measured. Warps of the block whose need has them.
  logic [7:0] f_known;
  logic [WARPS-1:0] f_exact;
  assign f_known = step_q == GIVE ? 8'hff : 8'hfe << bit_q;
  assign f_of_group = live_q[f_warp] && f_its_group == group_q;
  for (genvar w = 0; w < WARPS; w++) begin : g_f_exact
    assign f_exact[w] = live_q[w] && block_q[w*BB+:BB] == group_q && (need_scratch_q[w*8+:8] & f_known) == most_q;
  end

  // Of each warp: it stands in the list once or more, twice or more, or takes. Sums of warps.
  logic [WARPS-1:0] f_listed, f_twice, f_taking, f_entry_good;
  logic [9:0] f_scheds, f_lives, f_slots, f_spills, f_barriers;
  logic [BLOCKS-1:0] f_left_good, f_arrived_good;
  for (genvar w = 0; w < WARPS; w++) begin : g_f_warp
    logic [WARPS-1:0] places;
    for (genvar p = 0; p < WARPS; p++) begin : g_place
      assign places[p] = list_end > p && {{(32 - WB) {1'b0}}, list_q[p*LW+2+:WB]} == w;
    end
    assign f_listed[w] = places != '0;
    assign f_twice[w] = (places & (places - WARP_0)) != '0;
    assign f_taking[w] = step_q == ACQUIRE && {{(32 - WB) {1'b0}}, warp_q} == w;
    // A place of the list.
    logic [BB-1:0] f_at_block;
    logic [WB-1:0] f_at_warp;
    logic [1:0] f_at_queue;
    assign {f_at_block, f_at_warp, f_at_queue} = list_q[w*LW+:LW];
    assign f_entry_good[w] = list_end <= w || (f_at_block == block_q[f_at_warp*BB+:BB] && (f_at_queue == AT_BARRIER) == barrier_q[f_at_warp]);
  end
  always_comb begin
    {f_scheds, f_lives, f_slots, f_spills, f_barriers} = '0;
    for (int w = 0; w < WARPS; w++) begin
      f_scheds = f_scheds + {9'd0, sched_q[w]};
      f_lives = f_lives + {9'd0, live_q[w]};
      f_slots = f_slots + {9'd0, slot_q[w]};
      f_spills = f_spills + {9'd0, spilled_q[w]};
      f_barriers = f_barriers + {9'd0, barrier_q[w]};
    end
  end
  for (genvar b = 0; b < BLOCKS; b++) begin : g_f_block
    logic [7:0] left, arrived;
    always_comb begin
      {left, arrived} = '0;
      for (int w = 0; w < WARPS; w++) begin
        if ({{(32 - BB) {1'b0}}, block_q[w*BB+:BB]} == b) begin
          left = left + {7'd0, live_q[w]};
          arrived = arrived + {7'd0, barrier_q[w]};
        end
      end
    end
    assign f_left_good[b] = left_q[b*8+:8] == left;
    assign f_arrived_good[b] = arrived_q[b*8+:8] == arrived;
  end

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !ev_valid_i && !did_en_i && !busy_o;
    f_waited <= rst_ni && cmd_valid_o && !cmd_ready_i;
    f_cmd <= f_offer;
    f_pushed <= rst_ni && ev_valid_i && ev_ready_o;
    f_popped <= rst_ni && pops;
    f_events <= events_q;
    f_sched <= sched_q;
    f_live <= live_q;
    f_took <= rst_ni && takes;
    {f_short_scratch, f_short_regs} <= {scratch_short[7:0], regs_short[7:0]};
    {f_swap_scratch, f_swap_regs} <= {swap_scratch, swap_regs};
    f_forced <= pass == FORCED;
    f_regs_most <= {1'b0, thresh_regs_i};
    f_swap_most <= {1'b0, thresh_scratch_i};
    if (!f_started) assume (!rst_ni);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // A warp that runs is schedulable, or waits, or takes: it is not lost. Who waits stands in the list once.
      assert (live_q == (sched_q | f_listed | f_taking));
      assert ((sched_q & f_listed) == '0 && (sched_q & f_taking) == '0 && (f_listed & f_taking) == '0 && f_twice == '0);
      assert (list_end <= WARPS);
      // An entry has its warp's block, and is in the queue that is not tried if, and only if, the warp waits at a barrier.
      assert (f_entry_good == '1);
      // Warps with a slot or with their state in memory run; none has both. Whoever waits at a barrier stands in the list.
      assert ((slot_q & ~live_q) == '0 && (spilled_q & ~live_q) == '0 && (slot_q & spilled_q) == '0 && (barrier_q & ~f_listed) == '0);
      // A warp that keeps its slot has one, and waits.
      assert ((keeps_q & ~slot_q) == '0 && (keeps_q & ~f_listed) == '0);
      // A schedulable warp, and the one that takes, has a slot, its registers, and its block's scratchpad.
      assert (((sched_q | f_taking) & ~slot_q) == '0);
      if (sched_q[f_warp] || f_taking[f_warp]) assert (f_its_regs >= f_needs_regs && f_its_scratch >= f_needs_scratch);
      // Free and held slots are all slots; counts are sums.
      assert (free_slots_q + f_slots == ALL_SLOTS[9:0] && free_slots_q <= ALL_SLOTS[9:0] && swap_slots_q == f_spills);
      assert ({{(9 - WB) {1'b0}}, sched_n_q} == f_scheds && {{(9 - WB) {1'b0}}, live_n_q} == f_lives && {{(9 - WB) {1'b0}}, barrier_n_q} == f_barriers);
      assert (f_left_good == '1 && f_arrived_good == '1);
      // No need of the block is larger than what is measured, and some warp has it. What goes lies above it.
      if (step_q == MEASURE) begin
        assert ((most_q & ~f_known) == 8'd0 && (cand_q & ~f_exact) == '0 && (cand_q != '0 || most_q == 8'd0));
        if (f_of_group) assert ((f_needs_scratch & f_known) < most_q || cand_q[f_warp]);
      end
      if (step_q == GIVE && most_q < g_held) begin
        assert (most_q == 8'd0 || f_exact != '0);
        if (f_of_group) assert (f_needs_scratch <= most_q);
      end
      // What is missing when a warp takes lies in memory then.
      if (f_took && todo_q[3]) assert (swap_regs_q == f_swap_regs + {2'd0, f_short_regs});
      if (f_took && todo_q[2]) assert (swap_scratch_q == f_swap_scratch + {2'd0, f_short_scratch});
      // In memory lies at most the threshold when a warp takes what is missing, but when it is forced.
      if (f_took && !f_forced && todo_q[3] && f_short_regs != 8'd0) assert ({1'b0, swap_regs_q} <= f_regs_most);
      if (f_took && !f_forced && todo_q[2] && f_short_scratch != 8'd0) assert ({1'b0, swap_scratch_q} <= f_swap_most);
      // No event is lost; a command is stable until it is taken.
      if (!f_was_reset) assert (events_q == f_events + {{(QB - 1) {1'b0}}, f_pushed} - {{(QB - 1) {1'b0}}, f_popped});
      assert (ev_ready_o == ({{(32 - QB) {1'b0}}, events_q} < EVENTS));
      if (f_waited) assert (cmd_valid_o && f_offer == f_cmd);
      // An idle tick changes nothing; after a reset no warp runs.
      if (f_was_idle) assert (!busy_o && sched_q == f_sched && live_q == f_live);
      if (f_was_reset) assert (!busy_o && live_q == '0 && sched_q == '0 && slot_q == '0);

      cover (sched_q[f_warp] && f_its_regs == 8'd3);
      cover (f_was_idle && sched_q != '0);
    end
  end
