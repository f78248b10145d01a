// SPDX-License-Identifier: Apache-2.0
//
// coordinator: which warps of an SM have all that they need of registers, scratchpad and warp slots, and what of it lies in memory (Vijaykumar
// 2019, 4.4.1 to 4.4.4; assumption: steps, order in a queue, victims of slots, ports and cycle behaviour). One an SM. It counts sets and
// gives commands for them; who has which physical set is the business of allocators and mapping tables.
//
// Events     {kind, warp}: 0 a warp of block ev_block_i starts, 1 a phase begins, 2 a barrier is reached, 3 the warp ends. Kinds 0 and 1 bring
//            the phase's need, in sets of registers of the warp and of scratchpad of the block. Kind 2 with ev_regs_i other than 0: the warp
//            keeps its slot at the barrier, as its state is more than what can be spilled. A queue of EVENTS takes one if ev_ready_o.
//            An event of a warp that is not schedulable, or a start of one that runs, is dropped: a warp has one event under way.
// Steps      the oldest event is taken when all commands are done. Its warp loses its schedulable bit and waits in the queue of the first
//            resource that it lacks. A phase or an end gives registers back at once, an end its slot too; what of the block's scratchpad lies
//            above the largest need of its warps goes too (with release_end_i: only with the last warp).
// Measure    the largest need is found bit by bit, from the highest, in all warps of the block at once: 8 cycles, while registers go. It is
//            left out where nothing can go: the block holds no more than the event's warp needs, or it was the block's last warp.
// Queues     are one list, oldest first, with a queue's name in each entry. After a phase or an end those of registers are tried, then of
//            scratchpad, then of slots: one warp a cycle, none for an empty queue. A start and a barrier give back neither registers nor
//            scratchpad, so those of slots alone are tried. A warp takes all that it lacks, or nothing and is then in the queue of
//            what failed. Those that wait at a barrier have a queue of their own, which is not tried; they leave it when the barrier opens.
// Fits       n sets are there if n are free, or if those in memory with the missing ones are at most the threshold: then others' sets are
//            spilled. A slot is taken from a warp that waits at a barrier and does not keep it. Scratchpad is the block's: whoever comes
//            first takes it.
// Floor      if fewer than FLOOR warps are schedulable, all that wait are tried again, the oldest first, without thresholds, and slots
//            are taken from any warp that is not schedulable and does not keep its own. With floor_held_i warps at a barrier count as
//            well while one is schedulable.
// Fill       at last, if sets are free and some lie in memory, those of one schedulable warp come back. The warps take turns.
// Commands   0 map, 1 release, 2 fill, 3 spill the sets from..to-1 of a kind (0 registers, 1 scratchpad, 2 slot) of a warp or block. Stable until
//            cmd_ready_i. exec_busy_i: some command is not done.
// Reports    did_en_i: a set of registers or scratchpad came back from memory (did_fill_i); or it is gone from memory (did_swapped_i), or else
//            from its physical set, which is free.
//            Slots are counted here.
// Blocks     blk_req_o: a block of blk_warps_i warps can come, as block blk_id_o: nothing is under way, and slots with the threshold
//            are enough.
// Caller     a need fits the resource; a block that comes has the starts of all its warps before another one is asked for, and before a
//            barrier of its warps; commands are done in order.
// Reset      synchronous, active low: no warp runs, all sets are free.
// Idle       busy_o: an event, a step or a command is under way.

`include "needs.vh"

module coordinator #(
    parameter int WARPS = 64,    // a power of two, 2..128
    parameter int BLOCKS = 16,   // a power of two, 2..16
    parameter int EVENTS = 8,    // of the queue, 2..15
    parameter int REGS = 256,    // physical register sets, 1..512
    parameter int SCRATCH = 48,  // physical scratchpad sets, 1..128
    parameter int SLOTS = 48,    // physical warp slots, 1..128
    parameter int FLOOR = 13     // schedulable warps below which needs are forced, 0..128; a fifth of the warps
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    // events
    input  logic                     ev_valid_i,
    output logic                     ev_ready_o,
    input  logic [1:0]               ev_kind_i,     // 0 start, 1 phase, 2 barrier, 3 end
    input  logic [$clog2(WARPS)-1:0] ev_warp_i,
    input  logic [$clog2(BLOCKS)-1:0] ev_block_i,   // of a start
    input  logic [7:0]               ev_regs_i,     // register sets of the warp; of a barrier: not 0 if it keeps its slot
    input  logic [7:0]               ev_scratch_i,  // scratchpad sets of the block
    // thresholds
    input  logic [9:0]               thresh_regs_i,
    input  logic [9:0]               thresh_scratch_i,
    input  logic [9:0]               thresh_slots_i,
    input  logic                     release_end_i, // scratchpad stays until the block ends
    input  logic                     floor_held_i,  // warps at a barrier count for the floor
    // warps and blocks
    output logic [WARPS-1:0]         sched_o,       // schedulable warps
    input  logic [$clog2(WARPS+1)-1:0] blk_warps_i, // warps of the next block; 0: there is none
    output logic                     blk_req_o,     // it can come
    output logic [$clog2(BLOCKS)-1:0] blk_id_o,     // as this one; 0 without blk_req_o
    // commands
    output logic                     cmd_valid_o,
    input  logic                     cmd_ready_i,
    output logic [1:0]               cmd_op_o,      // 0 map, 1 release, 2 fill, 3 spill
    output logic [1:0]               cmd_kind_o,    // 0 registers, 1 scratchpad, 2 slot
    output logic [6:0]               cmd_owner_o,   // warp, or block
    output logic [7:0]               cmd_from_o,    // first set
    output logic [7:0]               cmd_to_o,      // behind the last one
    input  logic                     exec_busy_i,   // a command is not done
    // reports
    input  logic                     did_en_i,      // something was done to a set
    input  logic [1:0]               did_kind_i,    // of this kind; of 2 and 3 nothing is counted
    input  logic                     did_swapped_i, // a set in memory is gone
    input  logic                     did_fill_i,    // a set came back from memory
    output logic                     busy_o
);
  localparam int WB = $clog2(WARPS);
  localparam int BB = $clog2(BLOCKS);
  localparam int QB = $clog2(EVENTS + 1);
  localparam int OB = WB > BB ? WB : BB;  // of an owner: a warp or a block
  localparam int EW = 18 + WB + BB;  // bits of an event: {block, warp, scratch 8, regs 8, kind 2}
  localparam int LW = 2 + WB + BB;  // bits of an entry of the list: {block, warp, queue 2}
  localparam int ALL_REGS = REGS;
  localparam int ALL_SCRATCH = SCRATCH;
  localparam int ALL_SLOTS = SLOTS;
  localparam int LOW = FLOOR;
  localparam logic [WARPS-1:0] WARP_0 = 1, ALL = {WARPS{1'b1}};
  localparam logic [1:0] START = 2'd0, PHASE = 2'd1, BARRIER = 2'd2, END = 2'd3;
  localparam logic [2:0] IDLE = 3'd0, MEASURE = 3'd1, GIVE = 3'd2, SETTLE = 3'd3, SCAN = 3'd4, ACQUIRE = 3'd5, FILL_1 = 3'd6, FILL_2 = 3'd7;
  localparam logic [1:0] MAP = 2'd0, RELEASE = 2'd1, FILL = 2'd2, SPILL = 2'd3;
  localparam logic [1:0] OF_REGS = 2'd0, OF_SCRATCH = 2'd1, OF_SLOT = 2'd2, FORCED = 2'd3, AT_BARRIER = 2'd3;

  `NEEDS(WARPS >= 2 && WARPS <= 128 && WARPS == 1 << WB, coordinator_needs_warps_to_be_a_power_of_two_in_2_to_128)
  `NEEDS(BLOCKS >= 2 && BLOCKS <= 16 && BLOCKS == 1 << BB, coordinator_needs_blocks_to_be_a_power_of_two_in_2_to_16)
  `NEEDS(EVENTS >= 2 && EVENTS <= 15, coordinator_needs_events_in_2_to_15)
  `NEEDS(REGS >= 1 && REGS <= 512, coordinator_needs_regs_in_1_to_512)
  `NEEDS(SCRATCH >= 1 && SCRATCH <= 128, coordinator_needs_scratch_in_1_to_128)
  `NEEDS(SLOTS >= 1 && SLOTS <= 128, coordinator_needs_slots_in_1_to_128)
  `NEEDS(FLOOR >= 0 && FLOOR <= 128, coordinator_needs_floor_in_0_to_128)

  logic [EVENTS*EW-1:0] event_q;   // oldest first
  logic [QB-1:0] events_q;
  logic [WARPS-1:0] live_q, sched_q, slot_q, spilled_q, barrier_q, keeps_q;
  logic [WB:0] live_n_q, sched_n_q, barrier_n_q, list_n_q;
  logic [WARPS*BB-1:0] block_q;    // of each warp
  logic [WARPS*8-1:0] need_regs_q, need_scratch_q, held_regs_q;
  logic [BLOCKS*8-1:0] held_scratch_q, left_q, arrived_q;
  logic [WARPS*LW-1:0] list_q;     // oldest first
  logic [9:0] free_regs_q, free_scratch_q, free_slots_q, swap_regs_q, swap_scratch_q, swap_slots_q;
  logic [2:0] step_q;
  logic [1:0] pass_q;
  logic [WB:0] at_q;               // position in the list
  logic [WB-1:0] warp_q, victim_q, filled_q;
  logic [BB-1:0] group_q;          // block of the event
  logic [7:0] most_q;              // its largest need; that of bits above bit_q while it is measured
  logic [WARPS-1:0] cand_q;        // its warps whose need has these bits
  logic [2:0] bit_q;
  logic [3:0] todo_q;              // commands of an acquisition: spill, slot, scratchpad, registers
  logic fills_q;                   // the slot's state comes back from memory
  logic [7:0] from_scratch_q, from_regs_q;
  logic cmd_on_q;
  logic [1:0] cmd_op_q, cmd_kind_q;
  logic [OB-1:0] cmd_owner_q;
  logic [7:0] cmd_from_q, cmd_to_q;

  // Outputs.
  logic [BLOCKS-1:0] none_left;
  logic [31:0] want;
  logic some_block, room;
  always_comb begin  // here and below: compared only in the steps that ask
    none_left = '0;
    if (room && step_q == IDLE && events_q == '0) begin
      for (int b = 0; b < BLOCKS; b++) none_left[b] = left_q[b*8+:8] == 8'd0;
    end
  end
  logic [BB-1:0] first_block;
  logic [BLOCKS-1:0] block_place;
  lowest_set #(.N(BLOCKS)) u_block (.of_i(none_left), .some_o(some_block), .place_o(block_place), .index_o(first_block));
  assign want = {{(31 - WB) {1'b0}}, live_n_q} + {{(31 - WB) {1'b0}}, blk_warps_i};
  assign room = blk_warps_i != '0 && want <= WARPS && want <= ALL_SLOTS + {22'd0, thresh_slots_i};
  assign blk_req_o = some_block;
  assign blk_id_o = first_block;
  assign ev_ready_o = {{(32 - QB) {1'b0}}, events_q} < EVENTS;
  assign sched_o = sched_q;
  assign cmd_valid_o = cmd_on_q;
  assign {cmd_op_o, cmd_kind_o, cmd_owner_o} = {cmd_op_q, cmd_kind_q, cmd_owner[6:0]};
  assign {cmd_from_o, cmd_to_o} = {cmd_from_q, cmd_to_q};
  assign busy_o = step_q != IDLE || events_q != '0 || cmd_on_q;

  // What was done to a set changes the counts.
  logic [9:0] free_regs, free_scratch, free_slots, swap_regs, swap_scratch, swap_slots, more, less;
  logic may_give, quiet;
  assign may_give = !cmd_on_q;
  assign quiet = may_give && !exec_busy_i;
  assign more = {{9{did_fill_i}}, did_fill_i || !did_swapped_i};
  assign less = {9'd0, did_swapped_i || did_fill_i};
  assign free_regs = free_regs_q + (did_en_i && did_kind_i == OF_REGS ? more : 10'd0);
  assign swap_regs = swap_regs_q - (did_en_i && did_kind_i == OF_REGS ? less : 10'd0);
  assign free_scratch = free_scratch_q + (did_en_i && did_kind_i == OF_SCRATCH ? more : 10'd0);
  assign swap_scratch = swap_scratch_q - (did_en_i && did_kind_i == OF_SCRATCH ? less : 10'd0);
  assign free_slots = free_slots_q;
  assign swap_slots = swap_slots_q;

  // What the step's warp and its block hold; a scan has reads of its own.
  logic [WB-1:0] its_warp, ev_warp, next_filled;
  logic [BB-1:0] its_group;
  logic [7:0] its_regs, its_scratch, its_left;
  always_comb begin
    case (step_q)
      IDLE: its_warp = ev_warp;
      FILL_1: its_warp = next_filled;
      FILL_2: its_warp = filled_q;
      default: its_warp = warp_q;
    endcase
  end
  assign its_group = step_q == GIVE ? group_q : block_q[its_warp*BB+:BB];
  assign its_regs = held_regs_q[its_warp*8+:8];
  assign its_scratch = held_scratch_q[its_group*8+:8];
  assign its_left = left_q[its_group*8+:8];

  // The oldest event.
  logic [EW-1:0] ev;
  logic [1:0] kind;
  logic [BB-1:0] ev_group, ev_block;
  logic [7:0] ev_regs, ev_scratch, ev_held_regs, ev_held_scratch, ev_left, ev_arrived, ev_arrives;
  logic [8:0] of_arrived;
  logic pops, known, opens, opening, last, measures;
  logic [WARPS-1:0] ev_bit, of_group;
  assign ev = event_q[EW-1:0];
  assign {ev_block, ev_warp, ev_scratch, ev_regs, kind} = ev;
  assign {ev_group, ev_held_regs, ev_held_scratch, ev_left} = {its_group, its_regs, its_scratch, its_left};
  assign ev_arrived = arrived_q[ev_group*8+:8];
  assign ev_arrives = ev_arrived + 8'd1;
  assign of_arrived = {1'b0, ev_arrived};
  assign ev_bit = WARP_0 << ev_warp;
  assign pops = step_q == IDLE && events_q != '0 && quiet;
  assign known = kind == START ? !live_q[ev_warp] : sched_q[ev_warp];
  assign opens = kind == BARRIER ? ev_arrives == ev_left : ev_arrived != 8'd0 && ev_arrived == ev_left - 8'd1;
  assign opening = pops && known && (kind == BARRIER || kind == END) && opens;
  assign last = kind == END && ev_left == 8'd1;
  assign measures = ev_held_scratch > (kind == END ? 8'd0 : ev_scratch) && !last && !release_end_i;
  always_comb begin
    of_group = '0;
    if (pops && kind != START) begin
      for (int w = 0; w < WARPS; w++) of_group[w] = block_q[w*BB+:BB] == ev_group;
    end
  end

  // The next warp of the list that is tried, and what it lacks.
  logic [WARPS-1:0] listed, high, low;  // entries, and the bits of their queue
  logic [WARPS-1:0] waits, of_scratch, of_slots, here, eligible, victims, at_place, victim_place;
  logic starved, some, slot_lacks, slot_fits, scratch_fits, regs_fits, takes;
  logic [1:0] pass;
  logic [3:0] lacks;  // commands: spill, slot, scratchpad, registers
  logic [WB-1:0] at, w, victim;
  logic [31:0] list_end, here_at, held_n;
  logic [LW-1:0] entry;
  logic [7:0] scratch_lacks, regs_lacks, w_need_scratch, w_held_scratch, w_need_regs, w_held_regs;
  logic [BB-1:0] group;
  logic [9:0] scratch_free_left, regs_free_left, scratch_short, regs_short, slots_after;
  logic some_victim;
  assign list_end = {{(31 - WB) {1'b0}}, list_n_q};
  assign here_at = {{(32 - WB) {1'b0}}, at};
  assign held_n = floor_held_i && sched_n_q != '0 ? {{(31 - WB) {1'b0}}, barrier_n_q} : 32'd0;
  assign starved = {{(31 - WB) {1'b0}}, sched_n_q} + held_n < LOW;
  always_comb begin
    listed = '0;
    high = '0;
    low = '0;
    if (step_q == SCAN) begin
      listed = ~(ALL << list_n_q);
      for (int p = 0; p < WARPS; p++) begin
        high[p] = list_q[p*LW+1];
        low[p] = list_q[p*LW];
      end
    end
  end
  assign waits = listed & ~(high & low);
  assign of_scratch = listed & ~high & low;
  assign of_slots = listed & high & ~low;
  assign here = waits & (ALL << at_q) & (pass_q == FORCED ? {WARPS{starved}} : (high ~^ {WARPS{pass_q[1]}}) & (low ~^ {WARPS{pass_q[0]}}));
  always_comb begin
    {pass, eligible} = {pass_q, here};
    if (here == '0) begin
      if (pass_q == OF_REGS && of_scratch != '0) {pass, eligible} = {OF_SCRATCH, of_scratch};
      else if (pass_q < OF_SLOT && of_slots != '0) {pass, eligible} = {OF_SLOT, of_slots};
      else if (pass_q != FORCED && starved) {pass, eligible} = {FORCED, waits};
    end
  end
  lowest_set #(.N(WARPS)) u_next (.of_i(eligible), .some_o(some), .place_o(at_place), .index_o(at));
  assign entry = some ? list_q[at*LW+:LW] : '0;
  assign {group, w} = entry[LW-1:2];
  always_comb begin
    {w_need_scratch, w_held_scratch, w_need_regs, w_held_regs} = '0;
    victims = '0;
    if (some) begin
      w_need_scratch = need_scratch_q[w*8+:8];
      w_held_scratch = held_scratch_q[group*8+:8];
      w_need_regs = need_regs_q[w*8+:8];
      w_held_regs = held_regs_q[w*8+:8];
      victims = slot_q & ~sched_q & ~keeps_q & (pass == FORCED ? ~(WARP_0 << w) : barrier_q);
    end
  end
  assign slot_lacks = !slot_q[w];
  assign scratch_lacks = w_need_scratch > w_held_scratch ? w_need_scratch - w_held_scratch : 8'd0;
  assign regs_lacks = w_need_regs > w_held_regs ? w_need_regs - w_held_regs : 8'd0;
  lowest_set #(.N(WARPS)) u_victim (.of_i(victims), .some_o(some_victim), .place_o(victim_place), .index_o(victim));
  assign scratch_short = {2'd0, scratch_lacks} > free_scratch ? {2'd0, scratch_lacks} - free_scratch : 10'd0;
  assign scratch_free_left = free_scratch + scratch_short - {2'd0, scratch_lacks};
  assign scratch_fits = scratch_short == 10'd0 || {1'b0, swap_scratch} + {1'b0, scratch_short} <= {1'b0, thresh_scratch_i} ||
                        (pass == FORCED && {2'd0, scratch_lacks} <= ALL_SCRATCH[9:0]);
  assign regs_short = {2'd0, regs_lacks} > free_regs ? {2'd0, regs_lacks} - free_regs : 10'd0;
  assign regs_free_left = free_regs + regs_short - {2'd0, regs_lacks};
  assign regs_fits = regs_short == 10'd0 || {1'b0, swap_regs} + {1'b0, regs_short} <= {1'b0, thresh_regs_i} ||
                     (pass == FORCED && {2'd0, regs_lacks} <= ALL_REGS[9:0]);
  assign slot_fits = !slot_lacks || free_slots != 10'd0 ||
                     (some_victim && ({1'b0, swap_slots} + 11'd1 <= {1'b0, thresh_slots_i} + {10'd0, spilled_q[w]} || pass == FORCED));
  assign slots_after = swap_slots - {9'd0, spilled_q[w]};
  assign lacks = {regs_lacks != 8'd0, scratch_lacks != 8'd0, slot_lacks, slot_lacks && free_slots == 10'd0};
  assign takes = some && slot_fits && scratch_fits && regs_fits;

  // Steps of other kinds.
  logic [7:0] g_held, g_left;
  logic [WARPS-1:0] ones, behind, turn, turn_place;
  logic some_turn, regs_back, scratch_back, scratch_goes;
  logic [2:0] ends;
  logic [3:0] one;
  logic [7:0] its_bit;
  assign its_bit = 8'd1 << bit_q;
  always_comb begin
    ones = '0;
    if (step_q == MEASURE) begin
      for (int c = 0; c < WARPS; c++) ones[c] = cand_q[c] && |(need_scratch_q[c*8+:8] & its_bit);
    end
  end
  assign {g_held, g_left} = {its_scratch, its_left};
  assign scratch_goes = g_held > most_q && (!release_end_i || g_left == 8'd0);
  assign one = todo_q & -todo_q;
  assign behind = step_q == FILL_1 ? sched_q & ~((WARP_0 << filled_q) | ((WARP_0 << filled_q) - WARP_0)) : '0;
  assign turn = behind != '0 ? behind : step_q == FILL_1 ? sched_q : '0;
  lowest_set #(.N(WARPS)) u_turn (.of_i(turn), .some_o(some_turn), .place_o(turn_place), .index_o(next_filled));
  assign regs_back = free_regs != 10'd0 && swap_regs != 10'd0;
  assign scratch_back = free_scratch != 10'd0 && swap_scratch != 10'd0;
  assign ends = regs_back || scratch_back ? FILL_1 : IDLE;

  // Owners in the 7 bits of the port, of which a command's register has those that differ.
  logic [7:0] warp_owner, victim_owner, group_owner, cmd_owner;
  logic unused;
  assign warp_owner = {{(8 - WB) {1'b0}}, its_warp};
  assign victim_owner = {{(8 - WB) {1'b0}}, victim_q};
  assign group_owner = {{(8 - BB) {1'b0}}, its_group};
  assign cmd_owner = {{(8 - OB) {1'b0}}, cmd_owner_q};
  assign unused = &{1'b0, ev, entry, block_q, block_place, at_place, scratch_short, regs_short, warp_owner, victim_owner, group_owner, cmd_owner,
                    turn_place, of_arrived};

  // Queue of events and list, one entry further.
  logic pushes, enters;
  logic [EW-1:0] pushed;
  logic [31:0] push_at;
  logic [LW-1:0] entered;
  logic [1:0] tried;
  assign pushes = ev_valid_i && ev_ready_o;
  assign pushed = {ev_block_i, ev_warp_i, ev_scratch_i, ev_regs_i, ev_kind_i};
  assign push_at = {{(32 - QB) {1'b0}}, events_q} - {31'd0, pops};
  assign enters = pops && known && kind != END && list_end < WARPS;
  assign entered[2+:WB] = its_warp;
  assign entered[1:0] = kind == PHASE ? (ev_scratch > ev_held_scratch ? OF_SCRATCH : OF_REGS) : kind == BARRIER && !opens ? AT_BARRIER : OF_SLOT;
  assign tried = !slot_fits ? OF_SLOT : !scratch_fits ? OF_SCRATCH : OF_REGS;
  assign entered[2+WB+:BB] = kind == START ? ev_block : its_group;
  // Registers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      event_q <= '0;
      events_q <= '0;
      list_q <= '0;
      list_n_q <= '0;
    end else begin
      if (pops) event_q <= {{EW{1'b0}}, event_q[EVENTS*EW-1:EW]};
      if (pushes) begin
        for (int e = 0; e < EVENTS; e++) if (push_at == e) event_q[e*EW+:EW] <= pushed;
      end
      events_q <= events_q + {{(QB - 1) {1'b0}}, pushes} - {{(QB - 1) {1'b0}}, pops};
      if (takes) begin
        for (int p = 0; p < WARPS - 1; p++) if (here_at <= p) list_q[p*LW+:LW] <= list_q[(p+1)*LW+:LW];
        list_q[(WARPS-1)*LW+:LW] <= '0;
      end else if (some) begin
        for (int p = 0; p < WARPS; p++) if (here_at == p) list_q[p*LW+:2] <= tried;
      end
      if (opening) begin
        for (int p = 0; p < WARPS; p++) begin
          if (list_end > p && list_q[p*LW+:2] == AT_BARRIER && list_q[p*LW+2+WB+:BB] == ev_group) list_q[p*LW+:2] <= OF_SLOT;
        end
      end
      if (enters) begin
        for (int p = 0; p < WARPS; p++) if (list_end == p) list_q[p*LW+:LW] <= entered;
      end
      list_n_q <= list_n_q + {{WB{1'b0}}, enters} - {{WB{1'b0}}, takes};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {live_q, sched_q, slot_q, spilled_q, barrier_q, keeps_q} <= '0;
      {live_n_q, sched_n_q, barrier_n_q, at_q} <= '0;
      {block_q, need_regs_q, need_scratch_q, held_regs_q} <= '0;
      {held_scratch_q, left_q, arrived_q} <= '0;
      {free_regs_q, free_scratch_q, free_slots_q} <= {ALL_REGS[9:0], ALL_SCRATCH[9:0], ALL_SLOTS[9:0]};
      {swap_regs_q, swap_scratch_q, swap_slots_q} <= '0;
      {step_q, pass_q, warp_q, victim_q, filled_q, group_q, most_q, cand_q, bit_q, todo_q, fills_q} <= '0;
      {from_scratch_q, from_regs_q} <= '0;
      {cmd_on_q, cmd_op_q, cmd_kind_q, cmd_owner_q, cmd_from_q, cmd_to_q} <= '0;
    end else begin
      if (cmd_ready_i) cmd_on_q <= 1'b0;
      {free_regs_q, free_scratch_q, free_slots_q} <= {free_regs, free_scratch, free_slots};
      {swap_regs_q, swap_scratch_q, swap_slots_q} <= {swap_regs, swap_scratch, swap_slots};
      case (step_q)
        IDLE:
        if (pops) begin
          pass_q <= kind == START || kind == BARRIER ? OF_SLOT : OF_REGS;
          at_q <= '0;
          warp_q <= ev_warp;
          todo_q <= {2'd0, known && kind == END && slot_q[ev_warp], 1'b0};
          if (known) begin
            case (kind)
              PHASE: step_q <= measures ? MEASURE : ev_held_regs > ev_regs ? SETTLE : SCAN;
              END: step_q <= measures ? MEASURE : GIVE;
              default: step_q <= SCAN;
            endcase
            if (kind == START) begin
              live_q <= live_q | ev_bit;
              live_n_q <= live_n_q + 1'b1;
              slot_q <= slot_q & ~ev_bit;
              spilled_q <= spilled_q & ~ev_bit;
              barrier_q <= barrier_q & ~ev_bit;
              keeps_q <= keeps_q & ~ev_bit;
              block_q[ev_warp*BB+:BB] <= ev_block;
              held_regs_q[ev_warp*8+:8] <= 8'd0;
              left_q[ev_block*8+:8] <= left_q[ev_block*8+:8] + 8'd1;
            end else begin
              group_q <= ev_group;
              sched_q <= sched_q & ~ev_bit;
              sched_n_q <= sched_n_q - 1'b1;
            end
            if (kind == PHASE || kind == END) begin
              most_q <= measures || last ? 8'd0 : ev_held_scratch;
              cand_q <= of_group & live_q & ~(kind == END ? ev_bit : '0);
              bit_q <= 3'd7;
            end
            if (kind == START || kind == PHASE) begin
              need_regs_q[ev_warp*8+:8] <= ev_regs;
              need_scratch_q[ev_warp*8+:8] <= ev_scratch;
            end
            if (kind == PHASE && ev_held_regs > ev_regs) begin
              {cmd_on_q, cmd_op_q, cmd_kind_q} <= {1'b1, RELEASE, OF_REGS};
              {cmd_owner_q, cmd_from_q, cmd_to_q} <= {warp_owner[OB-1:0], ev_regs, ev_held_regs};
              held_regs_q[ev_warp*8+:8] <= ev_regs;
            end
            if (kind == BARRIER && ev_regs != 8'd0) keeps_q <= keeps_q | ev_bit;
            if (kind == BARRIER || kind == END) begin
              if (opens) begin
                barrier_q <= barrier_q & ~of_group;
                barrier_n_q <= barrier_n_q - of_arrived[WB:0];
                arrived_q[ev_group*8+:8] <= 8'd0;
              end else if (kind == BARRIER) begin
                barrier_q <= barrier_q | ev_bit;
                barrier_n_q <= barrier_n_q + 1'b1;
                arrived_q[ev_group*8+:8] <= ev_arrives;
              end
            end
            if (kind == END) begin
              if (ev_held_regs != 8'd0) begin
                {cmd_on_q, cmd_op_q, cmd_kind_q} <= {1'b1, RELEASE, OF_REGS};
                {cmd_owner_q, cmd_from_q, cmd_to_q} <= {warp_owner[OB-1:0], 8'd0, ev_held_regs};
              end
              free_slots_q <= free_slots + {9'd0, slot_q[ev_warp]};
              live_q <= live_q & ~ev_bit;
              slot_q <= slot_q & ~ev_bit;
              live_n_q <= live_n_q - 1'b1;
              left_q[ev_group*8+:8] <= ev_left - 8'd1;
            end
          end
        end
        MEASURE: begin
          if (ones != '0) begin
            cand_q <= ones;
            most_q <= most_q | 8'd1 << bit_q;
          end
          bit_q <= bit_q - 3'd1;
          if (bit_q == 3'd0) step_q <= GIVE;
        end
        GIVE:
        if (may_give && todo_q[1]) begin
          {cmd_on_q, cmd_op_q, cmd_kind_q} <= {1'b1, RELEASE, OF_SLOT};
          {cmd_owner_q, cmd_from_q, cmd_to_q} <= {warp_owner[OB-1:0], 8'd0, 8'd1};
          todo_q <= 4'd0;
          if (!scratch_goes) step_q <= SETTLE;
        end else if (may_give) begin
          if (scratch_goes) begin
            {cmd_on_q, cmd_op_q, cmd_kind_q} <= {1'b1, RELEASE, OF_SCRATCH};
            {cmd_owner_q, cmd_from_q, cmd_to_q} <= {group_owner[OB-1:0], most_q, g_held};
            held_scratch_q[group_q*8+:8] <= most_q;
          end
          step_q <= SETTLE;
        end
        SETTLE: if (quiet) step_q <= SCAN;
        SCAN:
        if (!some) begin
          step_q <= ends;
        end else begin
          pass_q <= pass;
          at_q <= takes ? {1'b0, at} : {1'b0, at} + 1'b1;
          if (takes) begin
            if (lacks == 4'd0) begin
              sched_q <= sched_q | WARP_0 << w;
              sched_n_q <= sched_n_q + 1'b1;
            end else step_q <= ACQUIRE;
            warp_q <= w;
            keeps_q <= keeps_q & ~(WARP_0 << w);
            todo_q <= lacks;
            if (slot_lacks) begin
              fills_q <= spilled_q[w];
              if (free_slots == 10'd0) begin
                victim_q <= victim;
                slot_q <= (slot_q & ~victim_place) | WARP_0 << w;
                spilled_q <= (spilled_q & ~(WARP_0 << w)) | victim_place;
                swap_slots_q <= slots_after + 10'd1;
              end else begin
                free_slots_q <= free_slots - 10'd1;
                slot_q <= slot_q | WARP_0 << w;
                spilled_q <= spilled_q & ~(WARP_0 << w);
                swap_slots_q <= slots_after;
              end
            end
            if (scratch_lacks != 8'd0) begin
              from_scratch_q <= w_held_scratch;
              held_scratch_q[group*8+:8] <= w_need_scratch;
              free_scratch_q <= scratch_free_left;
              swap_scratch_q <= swap_scratch + scratch_short;
            end
            if (regs_lacks != 8'd0) begin
              from_regs_q <= w_held_regs;
              held_regs_q[w*8+:8] <= w_need_regs;
              free_regs_q <= regs_free_left;
              swap_regs_q <= swap_regs + regs_short;
            end
          end
        end
        ACQUIRE:
        if (todo_q == 4'd0) begin
          if (quiet) begin
            sched_q <= sched_q | WARP_0 << warp_q;
            sched_n_q <= sched_n_q + 1'b1;
            step_q <= list_n_q == '0 ? ends : SCAN;
          end
        end else if (may_give) begin
          todo_q <= todo_q & ~one;
          cmd_on_q <= 1'b1;
          cmd_op_q <= one[0] ? SPILL : one[1] && fills_q ? FILL : MAP;
          cmd_kind_q <= one[0] || one[1] ? OF_SLOT : one[2] ? OF_SCRATCH : OF_REGS;
          cmd_owner_q <= one[2] ? group_owner[OB-1:0] : one[0] ? victim_owner[OB-1:0] : warp_owner[OB-1:0];
          cmd_from_q <= one[2] ? from_scratch_q : one[3] ? from_regs_q : 8'd0;
          cmd_to_q <= one[2] ? its_scratch : one[3] ? its_regs : 8'd1;
        end
        FILL_1:
        if (may_give || !regs_back) begin
          step_q <= some_turn ? FILL_2 : IDLE;
          if (some_turn) filled_q <= next_filled;
          if (some_turn && regs_back) begin
            {cmd_on_q, cmd_op_q, cmd_kind_q} <= {1'b1, FILL, OF_REGS};
            {cmd_owner_q, cmd_from_q, cmd_to_q} <= {warp_owner[OB-1:0], 8'd0, its_regs};
          end
        end
        default:
        if (may_give || !scratch_back) begin
          step_q <= IDLE;
          if (scratch_back) begin
            {cmd_on_q, cmd_op_q, cmd_kind_q} <= {1'b1, FILL, OF_SCRATCH};
            {cmd_owner_q, cmd_from_q, cmd_to_q} <= {group_owner[OB-1:0], 8'd0, its_scratch};
          end
        end
      endcase
    end
  end

`ifdef FORMAL
  `include "coordinator_props.svh"
`endif
endmodule
`undef NEEDS
