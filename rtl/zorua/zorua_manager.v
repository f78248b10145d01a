// SPDX-License-Identifier: Apache-2.0
//
// zorua_manager: the hardware of Zorua in an SM (Vijaykumar 2019, chapter 4, 4.4): coordinator, set_mover, mapping tables, allocators, victims,
// thresholds and swap addresses, joined. It has no register of its own; the headers of the parts describe their behaviour.
//
// Joined     the coordinator's commands go to set_mover, and its reports come back. For the set at hand the mapping table of its kind says where
//            it lies, the allocator which set is free, and lfu_victim which one can be spilled; what set_mover decides goes to those of the kind.
// Reads      rd_*: operands of registers, port p of warps p % 2; srd_*: addresses of scratchpad. A read that finds its set in a physical one
//            counts as a use of it. set_mover has two read ports of registers and one of scratchpad of its own. Warp slots are looked up by
//            set_mover alone.
// Not there  a set that is held and not in a physical one is in memory: the access becomes one of memory (a line of the swap space).
// Moves      line_valid_o: a line is to be written (spill_o) or read. While move_o is 1 the SM does not access the set that moves: physical set
//            move_phys_o, which is set moved_set_o of moved_owner_o, of kind at_kind_o. mem_busy_i: lines that were read have not come.
//            While come_o is 1 it does not access set come_set_o of come_owner_o, of kind come_kind_o, either: its lines have been asked for.
// Locks      lock_regs_i, lock_scratch_i: physical sets that instructions in flight use.
// Reset      synchronous, active low, in the parts.
// Idle       busy_o: the coordinator, set_mover or swap_agen is busy.

`include "needs.vh"

module zorua_manager #(
    parameter int WARPS = 64,    // logical warps, a power of two, 4..128
    parameter int BLOCKS = 16,   // logical blocks, a power of two, 4..16
    parameter int EVENTS = 8,    // of the queue, 2..15
    parameter int REGS = 256,    // physical register sets, 2..512
    parameter int SCRATCH = 48,  // physical scratchpad sets, 2..128
    parameter int SLOTS = 48,    // physical warp slots, 2..128
    parameter int FLOOR = 13,    // schedulable warps below which needs are forced, 0..128
    parameter int RSETS = 16,    // logical register sets of a warp, 1..32
    parameter int SSETS = 48,    // logical scratchpad sets of a block, 1..64
    parameter int READS = 6,     // operands that are read in a cycle, even, 2..6
    parameter int SREADS = 4,    // scratchpad sets that are accessed in a cycle, 1..4
    parameter int EPOCH = 2048,  // cycles of an epoch, 2..4096
    parameter int DELTA = 16,    // of the thresholds, 0..255
    parameter int START = 10,    // percent at a launch, 0..100
    parameter int STEP = 4,      // percent, 1..100
    parameter int PAW = 48       // bits of a byte address, 32..48
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    // conditions of the SM
    input  logic                         start_en_i,      // a launch begins
    input  logic [$clog2(EPOCH + 1)-1:0] run_i,           // cycles of this condition; 0: none
    input  logic                         issue_valid_i,   // an instruction is issued
    input  logic                         pipe_stall_i,    // the pipeline is stalled
    input  logic                         all_wait_mem_i,  // every warp waits for memory
    // events
    input  logic                         ev_valid_i,
    output logic                         ev_ready_o,
    input  logic [1:0]                   ev_kind_i,       // 0 start, 1 phase, 2 barrier, 3 end
    input  logic [$clog2(WARPS)-1:0]     ev_warp_i,
    input  logic [$clog2(BLOCKS)-1:0]    ev_block_i,      // of a start
    input  logic [7:0]                   ev_regs_i,       // register sets of the warp; of a barrier: not 0 if it keeps its slot
    input  logic [7:0]                   ev_scratch_i,    // scratchpad sets of the block
    input  logic                         release_end_i,   // scratchpad stays until the block ends
    input  logic                         floor_held_i,    // warps at a barrier count for the floor
    output logic [WARPS-1:0]             sched_o,         // schedulable warps
    input  logic [$clog2(WARPS+1)-1:0]   blk_warps_i,     // warps of the next block; 0: there is none
    output logic                         blk_req_o,       // it can come
    output logic [$clog2(BLOCKS)-1:0]    blk_id_o,        // as this one
    // operands
    input  logic [READS-1:0]             rd_en_i,
    input  logic [READS*$clog2(WARPS/2)-1:0] rd_row_i,    // warp / 2, port 0 lowest
    input  logic [READS*(RSETS <= 2 ? 1 : $clog2(RSETS))-1:0] rd_set_i,
    output logic [READS-1:0]             rd_valid_o,      // it lies in a physical set
    output logic [READS*(REGS <= 2 ? 1 : $clog2(REGS))-1:0] rd_phys_o,
    // scratchpad
    input  logic [SREADS-1:0]            srd_en_i,
    input  logic [SREADS*$clog2(BLOCKS)-1:0] srd_row_i,   // block, port 0 lowest
    input  logic [SREADS*(SSETS <= 2 ? 1 : $clog2(SSETS))-1:0] srd_set_i,
    output logic [SREADS-1:0]            srd_valid_o,     // it lies in a physical set
    output logic [SREADS*(SCRATCH <= 2 ? 1 : $clog2(SCRATCH))-1:0] srd_phys_o,
    // moves
    input  logic [REGS-1:0]              lock_regs_i,     // sets that an instruction in flight uses
    input  logic [SCRATCH-1:0]           lock_scratch_i,
    input  logic                         base_en_i,       // a base of the swap space is written
    input  logic [1:0]                   base_kind_i,     // of this kind
    input  logic [PAW-8:0]               base_i,          // byte address / 128
    output logic                         at_en_o,         // a set is at hand
    output logic [1:0]                   at_kind_o,
    output logic [6:0]                   at_owner_o,
    output logic [7:0]                   at_set_o,
    output logic                         move_o,          // lines move
    output logic [8:0]                   move_phys_o,     // of this physical set
    output logic [6:0]                   moved_owner_o,   // which is this warp's or block's
    output logic [7:0]                   moved_set_o,     // logical set
    output logic                         come_o,          // a set is on its way from memory
    output logic [1:0]                   come_kind_o,
    output logic [6:0]                   come_owner_o,    // it is this warp's or block's
    output logic [7:0]                   come_set_o,      // logical set
    output logic                         line_valid_o,
    output logic [PAW-8:0]               line_o,          // byte address / 128
    output logic                         spill_o,         // it is written
    output logic [3:0]                   left_o,          // lines of the set that are left
    input  logic                         line_ready_i,    // the line is taken
    input  logic                         mem_busy_i,      // lines that were read have not come
    // counts
    output logic [$clog2(REGS+1)-1:0]    free_regs_o,     // free sets
    output logic [$clog2(SCRATCH+1)-1:0] free_scratch_o,
    output logic [$clog2(SLOTS+1)-1:0]   free_slots_o,
    output logic [$clog2(REGS+1)-1:0]    thresh_regs_o,   // sets that may be swapped
    output logic [$clog2(SCRATCH+1)-1:0] thresh_scratch_o,
    output logic [$clog2(SLOTS+1)-1:0]   thresh_slots_o,
    output logic                         busy_o
);
  localparam int WB = $clog2(WARPS);
  localparam int HB = $clog2(WARPS / 2);
  localparam int BB = $clog2(BLOCKS);
  localparam int RSB = RSETS <= 2 ? 1 : $clog2(RSETS);
  localparam int SSB = SSETS <= 2 ? 1 : $clog2(SSETS);
  localparam int RI = REGS <= 2 ? 1 : $clog2(REGS);
  localparam int SI = SCRATCH <= 2 ? 1 : $clog2(SCRATCH);
  localparam int TI = SLOTS <= 2 ? 1 : $clog2(SLOTS);
  localparam int OB = WARPS > BLOCKS ? WB : BB;
  localparam int AB = RSB > SSB ? RSB : SSB;
  localparam int RSI = RI > SI ? RI : SI;
  localparam int PB = RSI > TI ? RSI : TI;  // bits of a physical set's number, of any kind

  // The parts have what else there is.
  `NEEDS(READS == 2 * (READS / 2), zorua_manager_needs_reads_to_be_even)

  // Coordinator and set_mover.
  logic cmd_valid, cmd_ready, coord_busy, mover_busy, did_en, did_swapped, did_fill;
  logic [1:0] cmd_op, cmd_kind, did_kind;
  logic [6:0] cmd_owner, wr_owner, move_owner;
  logic [7:0] cmd_from, cmd_to, wr_set, move_set;
  logic [PB-1:0] free_set, new_set, wr_phys, move_phys;
  logic [9:0] thresh_regs, thresh_scratch, thresh_slots;
  logic alloc_en, free_en, new_en, wr_en, wr_valid, move_en, move_spill, move_ready, agen_busy;
  logic [REGS-1:0] may_regs, prefer_regs;
  logic [SCRATCH-1:0] may_scratch;
  logic [2:0] kind;  // of the set at hand: registers, scratchpad, slot
  assign kind = {at_kind_o[1], at_kind_o[0], at_kind_o == 2'd0};
  assign busy_o = coord_busy || mover_busy || agen_busy;

  // Where the set at hand lies, which set is free, which one can be spilled.
  logic [READS+1:0] rd_en, rd_valid;
  logic [(READS+2)*HB-1:0] rd_row;
  logic [(READS+2)*RSB-1:0] rd_set;
  logic [(READS+2)*RI-1:0] rd_phys;
  logic [SREADS:0] srd_en, srd_valid;
  logic [(SREADS+1)*BB-1:0] srd_row;
  logic [(SREADS+1)*SSB-1:0] srd_set;
  logic [(SREADS+1)*SI-1:0] srd_phys;
  logic slot_there, regs_offer, scratch_offer, slot_offer, regs_victim, scratch_victim;
  logic [TI-1:0] slot_phys, slot_free;
  logic [RI-1:0] regs_free, regs_goes;
  logic [SI-1:0] scratch_free, scratch_goes;
  assign rd_en = {at_en_o && kind[0] && at_owner_o[0], at_en_o && kind[0] && !at_owner_o[0], rd_en_i};
  assign rd_row = {{2{at_owner_o[1+:HB]}}, rd_row_i};
  assign rd_set = {{2{at_set_o[RSB-1:0]}}, rd_set_i};
  assign srd_en = {at_en_o && kind[1], srd_en_i};
  assign srd_row = {at_owner_o[BB-1:0], srd_row_i};
  assign srd_set = {at_set_o[SSB-1:0], srd_set_i};
  assign {rd_valid_o, rd_phys_o} = {rd_valid[READS-1:0], rd_phys[READS*RI-1:0]};
  assign {srd_valid_o, srd_phys_o} = {srd_valid[SREADS-1:0], srd_phys[SREADS*SI-1:0]};
  logic there, offer, victim, unused;
  logic [9:0] regs_phys, scratch_phys, slots_phys, regs_offered, scratch_offered, slots_offered, regs_victims, scratch_victims, moves;
  logic [PB-1:0] phys, offer_set, victim_set;
  assign regs_phys = {{(10 - RI) {1'b0}}, rd_phys[READS*RI+:RI] | rd_phys[(READS+1)*RI+:RI]};
  assign scratch_phys = {{(10 - SI) {1'b0}}, srd_phys[SREADS*SI+:SI]};
  assign slots_phys = {{(10 - TI) {1'b0}}, slot_phys};
  assign regs_offered = {{(10 - RI) {1'b0}}, regs_free};
  assign scratch_offered = {{(10 - SI) {1'b0}}, scratch_free};
  assign slots_offered = {{(10 - TI) {1'b0}}, slot_free};
  assign regs_victims = {{(10 - RI) {1'b0}}, regs_goes};
  assign scratch_victims = {{(10 - SI) {1'b0}}, scratch_goes};
  assign moves = {{(10 - PB) {1'b0}}, move_phys};
  assign move_phys_o = moves[8:0];
  assign there = rd_valid[READS+1:READS] != 2'd0 || srd_valid[SREADS] || slot_there;
  assign phys = kind[0] ? regs_phys[PB-1:0] : kind[1] ? scratch_phys[PB-1:0] : slots_phys[PB-1:0];
  assign offer = kind[0] ? regs_offer : kind[1] ? scratch_offer : slot_offer;
  assign offer_set = kind[0] ? regs_offered[PB-1:0] : kind[1] ? scratch_offered[PB-1:0] : slots_offered[PB-1:0];
  assign victim = regs_victim || scratch_victim;
  assign victim_set = kind[0] ? regs_victims[PB-1:0] : scratch_victims[PB-1:0];
  assign unused = &{1'b0, regs_phys, scratch_phys, slots_phys, regs_offered, scratch_offered, slots_offered, regs_victims,
                    scratch_victims, moves, at_owner_o, at_set_o, wr_owner, wr_set, wr_phys, free_set, new_set, move_owner, move_set};

  // What set_mover decides goes to the parts of the kind.
  logic [2:0] allocs, frees, writes;
  logic [1:0] news;
  assign allocs = kind & {3{alloc_en}};
  assign frees = kind & {3{free_en}};
  assign writes = kind & {3{wr_en}};
  assign news = kind[1:0] & {2{new_en}};

  // Uses.
  logic [REGS-1:0] touch_regs;
  logic [SCRATCH-1:0] touch_scratch;
  always_comb begin
    touch_regs = '0;
    touch_scratch = '0;
    for (int p = 0; p < READS; p++) if (rd_valid[p]) touch_regs[rd_phys[p*RI+:RI]] = 1'b1;
    for (int p = 0; p < SREADS; p++) if (srd_valid[p]) touch_scratch[srd_phys[p*SI+:SI]] = 1'b1;
  end

  // Thresholds of 10 bits.
  assign thresh_regs = {{(10 - $clog2(REGS + 1)) {1'b0}}, thresh_regs_o};
  assign thresh_scratch = {{(10 - $clog2(SCRATCH + 1)) {1'b0}}, thresh_scratch_o};
  assign thresh_slots = {{(10 - $clog2(SLOTS + 1)) {1'b0}}, thresh_slots_o};

  logic thresh_busy, lfu_regs_busy, lfu_scratch_busy, map_regs_busy, map_scratch_busy, map_slots_busy;
  logic free_regs_busy, free_scratch_busy, free_slots_busy, unused_parts;
  logic [3:0] regs_uses, scratch_uses;
  assign unused_parts = &{1'b0, thresh_busy, lfu_regs_busy, lfu_scratch_busy, map_regs_busy, map_scratch_busy, map_slots_busy, free_regs_busy,
                          free_scratch_busy, free_slots_busy, regs_uses, scratch_uses};

  othresh_ctl #(
      .REGS(REGS),
      .SCRATCH(SCRATCH),
      .SLOTS(SLOTS),
      .EPOCH(EPOCH),
      .DELTA(DELTA),
      .START(START),
      .STEP(STEP)
  ) u_thresh (
      .clk_i,
      .rst_ni,
      .start_en_i,
      .run_i,
      .issue_valid_i,
      .pipe_stall_i,
      .all_wait_mem_i,
      .thresh_regs_o,
      .thresh_scratch_o,
      .thresh_slots_o,
      .busy_o(thresh_busy)
  );

  coordinator #(
      .WARPS(WARPS),
      .BLOCKS(BLOCKS),
      .EVENTS(EVENTS),
      .REGS(REGS),
      .SCRATCH(SCRATCH),
      .SLOTS(SLOTS),
      .FLOOR(FLOOR)
  ) u_coord (
      .clk_i,
      .rst_ni,
      .ev_valid_i,
      .ev_ready_o,
      .ev_kind_i,
      .ev_warp_i,
      .ev_block_i,
      .ev_regs_i,
      .ev_scratch_i,
      .thresh_regs_i(thresh_regs),
      .thresh_scratch_i(thresh_scratch),
      .thresh_slots_i(thresh_slots),
      .release_end_i,
      .floor_held_i,
      .sched_o,
      .blk_warps_i,
      .blk_req_o,
      .blk_id_o,
      .cmd_valid_o(cmd_valid),
      .cmd_ready_i(cmd_ready),
      .cmd_op_o(cmd_op),
      .cmd_kind_o(cmd_kind),
      .cmd_owner_o(cmd_owner),
      .cmd_from_o(cmd_from),
      .cmd_to_o(cmd_to),
      .exec_busy_i(!cmd_ready),
      .did_en_i(did_en),
      .did_kind_i(did_kind),
      .did_swapped_i(did_swapped),
      .did_fill_i(did_fill),
      .busy_o(coord_busy)
  );

  set_mover #(
      .WARPS(WARPS),
      .BLOCKS(BLOCKS),
      .REGS(REGS),
      .SCRATCH(SCRATCH),
      .RSETS(RSETS),
      .SSETS(SSETS),
      .PHYS_W(PB)
  ) u_mover (
      .clk_i,
      .rst_ni,
      .cmd_valid_i(cmd_valid),
      .cmd_op_i(cmd_op),
      .cmd_kind_i(cmd_kind),
      .cmd_owner_i(cmd_owner),
      .cmd_from_i(cmd_from),
      .cmd_to_i(cmd_to),
      .cmd_ready_o(cmd_ready),
      .at_en_o,
      .at_kind_o,
      .at_owner_o,
      .at_set_o,
      .there_i(there),
      .phys_i(phys),
      .offer_i(offer),
      .offer_set_i(offer_set),
      .sched_i(sched_o),
      .lock_regs_i,
      .lock_scratch_i,
      .may_regs_o(may_regs),
      .prefer_regs_o(prefer_regs),
      .may_scratch_o(may_scratch),
      .victim_i(victim),
      .victim_set_i(victim_set),
      .alloc_en_o(alloc_en),
      .free_en_o(free_en),
      .free_set_o(free_set),
      .new_en_o(new_en),
      .new_set_o(new_set),
      .wr_en_o(wr_en),
      .wr_owner_o(wr_owner),
      .wr_set_o(wr_set),
      .wr_valid_o(wr_valid),
      .wr_phys_o(wr_phys),
      .move_en_o(move_en),
      .move_spill_o(move_spill),
      .move_owner_o(move_owner),
      .move_set_o(move_set),
      .move_o,
      .move_phys_o(move_phys),
      .moved_owner_o,
      .moved_set_o,
      .come_o,
      .come_kind_o,
      .come_owner_o,
      .come_set_o,
      .move_ready_i(move_ready),
      .lines_i(agen_busy),
      .mem_busy_i,
      .did_en_o(did_en),
      .did_kind_o(did_kind),
      .did_swapped_o(did_swapped),
      .did_fill_o(did_fill),
      .busy_o(mover_busy)
  );

  swap_agen #(
      .PAW(PAW),
      .LW(WARPS),
      .LB(BLOCKS),
      .RSETS(RSETS),
      .SSETS(SSETS)
  ) u_agen (
      .clk_i,
      .rst_ni,
      .base_en_i,
      .base_kind_i,
      .base_i,
      .cmd_valid_i(move_en),
      .cmd_kind_i(at_kind_o),
      .cmd_spill_i(move_spill),
      .cmd_owner_i(move_owner[OB-1:0]),
      .cmd_set_i(move_set[AB-1:0]),
      .cmd_ready_o(move_ready),
      .line_valid_o,
      .line_o,
      .spill_o,
      .left_o,
      .line_ready_i,
      .busy_o(agen_busy)
  );

  map_table #(
      .ROWS(WARPS),
      .SETS(RSETS),
      .PHYS_W(RI + 1),
      .READS(READS + 2),
      .BANKS(2)
  ) u_map_regs (
      .clk_i,
      .rst_ni,
      .rd_en_i(rd_en),
      .rd_row_i(rd_row),
      .rd_set_i(rd_set),
      .rd_valid_o(rd_valid),
      .rd_phys_o(rd_phys),
      .wr_en_i(writes[0]),
      .wr_row_i(wr_owner[WB-1:0]),
      .wr_set_i(wr_set[RSB-1:0]),
      .wr_valid_i(wr_valid),
      .wr_phys_i(wr_phys[RI-1:0]),
      .busy_o(map_regs_busy)
  );

  map_table #(
      .ROWS(BLOCKS),
      .SETS(SSETS),
      .PHYS_W(SI + 1),
      .READS(SREADS + 1),
      .BANKS(1)
  ) u_map_scratch (
      .clk_i,
      .rst_ni,
      .rd_en_i(srd_en),
      .rd_row_i(srd_row),
      .rd_set_i(srd_set),
      .rd_valid_o(srd_valid),
      .rd_phys_o(srd_phys),
      .wr_en_i(writes[1]),
      .wr_row_i(wr_owner[BB-1:0]),
      .wr_set_i(wr_set[SSB-1:0]),
      .wr_valid_i(wr_valid),
      .wr_phys_i(wr_phys[SI-1:0]),
      .busy_o(map_scratch_busy)
  );

  map_table #(
      .ROWS(WARPS),
      .SETS(1),
      .PHYS_W(TI + 1),
      .READS(1),
      .BANKS(1)
  ) u_map_slots (
      .clk_i,
      .rst_ni,
      .rd_en_i(at_en_o && kind[2]),
      .rd_row_i(at_owner_o[WB-1:0]),
      .rd_set_i(1'b0),
      .rd_valid_o(slot_there),
      .rd_phys_o(slot_phys),
      .wr_en_i(writes[2]),
      .wr_row_i(wr_owner[WB-1:0]),
      .wr_set_i(1'b0),
      .wr_valid_i(wr_valid),
      .wr_phys_i(wr_phys[TI-1:0]),
      .busy_o(map_slots_busy)
  );

  set_allocator #(
      .N(REGS)
  ) u_free_regs (
      .clk_i,
      .rst_ni,
      .valid_o(regs_offer),
      .set_o(regs_free),
      .count_o(free_regs_o),
      .alloc_en_i(allocs[0]),
      .free_en_i(frees[0]),
      .free_set_i(free_set[RI-1:0]),
      .busy_o(free_regs_busy)
  );

  set_allocator #(
      .N(SCRATCH)
  ) u_free_scratch (
      .clk_i,
      .rst_ni,
      .valid_o(scratch_offer),
      .set_o(scratch_free),
      .count_o(free_scratch_o),
      .alloc_en_i(allocs[1]),
      .free_en_i(frees[1]),
      .free_set_i(free_set[SI-1:0]),
      .busy_o(free_scratch_busy)
  );

  set_allocator #(
      .N(SLOTS)
  ) u_free_slots (
      .clk_i,
      .rst_ni,
      .valid_o(slot_offer),
      .set_o(slot_free),
      .count_o(free_slots_o),
      .alloc_en_i(allocs[2]),
      .free_en_i(frees[2]),
      .free_set_i(free_set[TI-1:0]),
      .busy_o(free_slots_busy)
  );

  lfu_victim #(
      .N(REGS),
      .EPOCH(EPOCH),
      .FRESH(0)
  ) u_lfu_regs (
      .clk_i,
      .rst_ni,
      .may_i(may_regs),
      .prefer_i(prefer_regs),
      .valid_o(regs_victim),
      .set_o(regs_goes),
      .uses_o(regs_uses),
      .touch_i(touch_regs),
      .new_en_i(news[0]),
      .new_set_i(new_set[RI-1:0]),
      .run_i,
      .busy_o(lfu_regs_busy)
  );

  lfu_victim #(
      .N(SCRATCH),
      .EPOCH(EPOCH),
      .FRESH(0)
  ) u_lfu_scratch (
      .clk_i,
      .rst_ni,
      .may_i(may_scratch),
      .prefer_i({SCRATCH{1'b0}}),
      .valid_o(scratch_victim),
      .set_o(scratch_goes),
      .uses_o(scratch_uses),
      .touch_i(touch_scratch),
      .new_en_i(news[1]),
      .new_set_i(new_set[SI-1:0]),
      .run_i,
      .busy_o(lfu_scratch_busy)
  );

`ifdef FORMAL
  `include "zorua_manager_props.svh"
`endif
endmodule
`undef NEEDS
