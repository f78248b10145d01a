// SPDX-License-Identifier: Apache-2.0
//
// set_mover: does the coordinator's commands, set by set (Vijaykumar 2019, 4.4.3; assumption: steps, ports and cycle behaviour). One an SM. It
// knows whose each physical set of registers and scratchpad is; mapping tables, allocators, victims and swap addresses are others' business.
//
// Command    sets from..to-1 of a kind (0 registers, 1 scratchpad, 2 slot) of a warp or block; taken if cmd_ready_o. An empty one does nothing.
// At hand    at_en_o: a set is worked on. at_kind_o, at_owner_o and at_set_o name it; in the same cycle the caller says where it lies
//            (there_i, phys_i), which set of the kind is free (offer_i) and which one can be spilled (victim_i).
// 0 map      takes a free set: one cycle. Without one a victim's lines go to memory, its entry in the mapping table becomes not valid, and when
//            the last line is taken the set is the new owner's. Without either it waits.
// 1 release  a set that is there becomes free; else it was in memory, and is gone. One cycle.
// 2 fill     a set in memory takes a free set; its entry becomes valid when its lines have come (mem_busy_i is 0). Of a slot the command waits
//            for that, and for a free slot. Of registers and scratchpad it does not: without a free set it ends, and a set whose lines have
//            all been asked for is on its way (come_o) while other commands are done. One is on its way at a time; a fill ends while there
//            is one. A release of that set waits for it.
// 3 spill    of a slot: the warp's state goes to memory, then the slot is free.
// Victims    may_o: sets of registers or scratchpad that have an owner other than the command's and are not locked. prefer_o: of registers, those
//            whose warp is not schedulable. Both are 0 but for a map of the kind.
// Changes    alloc_en_o: the offered set is taken; free_en_o; wr_en_o: an entry of the kind's mapping table; new_en_o: a set has a new owner.
// Lines      move_en_o gives a set's lines to swap_agen. While they move (move_o), move_phys_o, moved_owner_o and moved_set_o name the set, and the
//            SM does not access it: it is neither whole here nor in memory. The same holds for the set that come_kind_o, come_owner_o and
//            come_set_o name while come_o is 1.
// Reports    did_en_o as coordinator wants them: registers and scratchpad that were released, or have taken a free set to come back.
// Caller     gives sets that exist; the set of a map is not there; a command's kind is not 3; cmd_op_i 3 is of slots.
// Reset      synchronous, active low: no set has an owner, no command is under way.
// Idle       busy_o: a command is under way, or a set on its way.

`include "needs.vh"

module set_mover #(
    parameter int WARPS = 64,    // a power of two, 2..128
    parameter int BLOCKS = 16,   // a power of two, 2..16
    parameter int REGS = 256,    // physical register sets, 1..512
    parameter int SCRATCH = 48,  // physical scratchpad sets, 1..128
    parameter int RSETS = 16,    // register sets of a warp, 1..64
    parameter int SSETS = 48,    // scratchpad sets of a block, 1..64
    parameter int PHYS_W = 8     // bits of a physical set's number, of any kind, 1..9
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    // command
    input  logic               cmd_valid_i,
    input  logic [1:0]         cmd_op_i,      // 0 map, 1 release, 2 fill, 3 spill
    input  logic [1:0]         cmd_kind_i,    // 0 registers, 1 scratchpad, 2 slot
    input  logic [6:0]         cmd_owner_i,   // warp, or block
    input  logic [7:0]         cmd_from_i,    // first set
    input  logic [7:0]         cmd_to_i,      // behind the last one
    output logic               cmd_ready_o,   // it is taken
    // the set at hand
    output logic               at_en_o,       // a set is worked on
    output logic [1:0]         at_kind_o,     // without one, that of the set on its way; 0 without either
    output logic [6:0]         at_owner_o,    // 0 without one
    output logic [7:0]         at_set_o,      // 0 without one
    input  logic               there_i,       // it lies in a physical set
    input  logic [PHYS_W-1:0]  phys_i,        // this one
    input  logic               offer_i,       // a physical set of the kind is free
    input  logic [PHYS_W-1:0]  offer_set_i,   // this one
    // victims
    input  logic [WARPS-1:0]   sched_i,       // schedulable warps
    input  logic [REGS-1:0]    lock_regs_i,   // sets that an instruction in flight uses
    input  logic [SCRATCH-1:0] lock_scratch_i,
    output logic [REGS-1:0]    may_regs_o,    // sets that can be spilled
    output logic [REGS-1:0]    prefer_regs_o, // of these, those that go before others
    output logic [SCRATCH-1:0] may_scratch_o,
    input  logic               victim_i,      // a set of the kind can be spilled
    input  logic [PHYS_W-1:0]  victim_set_i,  // this one
    // changes
    output logic               alloc_en_o,    // the offered set is taken
    output logic               free_en_o,     // a set of the kind is free
    output logic [PHYS_W-1:0]  free_set_o,    // this one; 0 without one
    output logic               new_en_o,      // a set of the kind has a new owner
    output logic [PHYS_W-1:0]  new_set_o,     // this one; 0 without one
    output logic               wr_en_o,       // an entry of the kind's mapping table is written
    output logic [6:0]         wr_owner_o,    // of this row; 0 without one
    output logic [7:0]         wr_set_o,      // and logical set
    output logic               wr_valid_o,    // it lies in a physical set
    output logic [PHYS_W-1:0]  wr_phys_o,     // this one
    // lines
    output logic               move_en_o,     // lines of a set of the kind move
    output logic               move_spill_o,  // to memory
    output logic [6:0]         move_owner_o,  // of this owner; 0 without one
    output logic [7:0]         move_set_o,    // this logical set
    output logic               move_o,        // lines move
    output logic [PHYS_W-1:0]  move_phys_o,   // of this physical set; 0 without one
    output logic [6:0]         moved_owner_o, // which is this warp's or block's; 0 without one
    output logic [7:0]         moved_set_o,   // logical set; 0 without one
    output logic               come_o,        // a set is on its way from memory
    output logic [1:0]         come_kind_o,   // 0 without one
    output logic [6:0]         come_owner_o,  // 0 without one
    output logic [7:0]         come_set_o,    // logical set; 0 without one
    input  logic               move_ready_i,  // swap_agen takes it
    input  logic               lines_i,       // swap_agen has lines of it
    input  logic               mem_busy_i,    // lines are on their way from memory
    // reports
    output logic               did_en_o,      // a set was released, or comes back
    output logic [1:0]         did_kind_o,
    output logic               did_swapped_o, // it was in memory and is gone
    output logic               did_fill_o,    // it comes back
    output logic               busy_o         // a command is under way, or a set on its way
);
  localparam int WB = $clog2(WARPS);
  localparam int BB = $clog2(BLOCKS);
  localparam int OB = WB > BB ? WB : BB;  // of an owner: a warp or a block
  localparam int RSB = RSETS <= 2 ? 1 : $clog2(RSETS);
  localparam int SSB = SSETS <= 2 ? 1 : $clog2(SSETS);
  localparam int RW = WB + RSB;  // bits of the owner of a register set: {set, warp}
  localparam int SW = BB + SSB;  // of a scratchpad set: {set, block}
  localparam int RI = REGS <= 2 ? 1 : $clog2(REGS);
  localparam int SI = SCRATCH <= 2 ? 1 : $clog2(SCRATCH);
  localparam logic [1:0] MAP = 2'd0, RELEASE = 2'd1, FILL = 2'd2, SPILL = 2'd3;
  localparam logic [1:0] OF_REGS = 2'd0, OF_SCRATCH = 2'd1;

  `NEEDS(WARPS >= 2 && WARPS <= 128 && WARPS == 1 << WB, set_mover_needs_warps_to_be_a_power_of_two_in_2_to_128)
  `NEEDS(BLOCKS >= 2 && BLOCKS <= 16 && BLOCKS == 1 << BB, set_mover_needs_blocks_to_be_a_power_of_two_in_2_to_16)
  `NEEDS(REGS >= 1 && REGS <= 512, set_mover_needs_regs_in_1_to_512)
  `NEEDS(SCRATCH >= 1 && SCRATCH <= 128, set_mover_needs_scratch_in_1_to_128)
  `NEEDS(RSETS >= 1 && RSETS <= 64, set_mover_needs_rsets_in_1_to_64)
  `NEEDS(SSETS >= 1 && SSETS <= 64, set_mover_needs_ssets_in_1_to_64)
  `NEEDS(PHYS_W >= RI && PHYS_W >= SI && PHYS_W <= 9, set_mover_needs_phys_w_for_regs_and_scratch_in_1_to_9)

  logic on_q;                        // a command is under way
  logic lines_q;                     // lines of its set move
  logic [1:0] op_q, kind_q;
  logic [OB-1:0] owner_q;
  logic [7:0] at_q, to_q;            // the set at hand; behind the last one
  logic [PHYS_W-1:0] phys_q;         // the set whose lines move
  logic [7:0] moved_set_q;
  logic [OB-1:0] moved_owner_q;
  logic come_q;                      // a set is on its way from memory
  logic come_kind_q;                 // registers, scratchpad
  logic [OB-1:0] come_owner_q;
  logic [7:0] come_set_q;
  logic [PHYS_W-1:0] come_phys_q;    // the physical set that it comes to
  logic [REGS-1:0] of_regs_q;        // register sets that have an owner
  logic [SCRATCH-1:0] of_scratch_q;  // scratchpad sets that have one
  logic [REGS*RW-1:0] regs_q;        // whose they are
  logic [SCRATCH*SW-1:0] scratch_q;

  // Victims.
  logic [WB-1:0] its_warp;
  logic [BB-1:0] its_block;
  logic maps;
  assign its_warp = owner_q[WB-1:0];
  assign its_block = owner_q[BB-1:0];
  assign maps = on_q && !lines_q && op_q == MAP;
  always_comb begin  // compared only where they are asked for
    may_regs_o = '0;
    prefer_regs_o = '0;
    if (maps && kind_q == OF_REGS) begin
      for (int word = 0; word < (REGS + 31) / 32; word++) begin  // in two: only short loops are unrolled
        for (int b = 0; b < 32; b++) begin
          if (32 * word + b < REGS) begin
            may_regs_o[32*word+b] = of_regs_q[32*word+b] && !lock_regs_i[32*word+b] && regs_q[(32*word+b)*RW+:WB] != its_warp;
            prefer_regs_o[32*word+b] = may_regs_o[32*word+b] && !sched_i[regs_q[(32*word+b)*RW+:WB]];
          end
        end
      end
    end
  end
  always_comb begin
    may_scratch_o = '0;
    if (maps && kind_q == OF_SCRATCH) begin
      for (int s = 0; s < SCRATCH; s++) may_scratch_o[s] = of_scratch_q[s] && !lock_scratch_i[s] && scratch_q[s*SW+:BB] != its_block;
    end
  end
  logic [RI-1:0] victim_regs;
  logic [SI-1:0] victim_scratch;
  logic [RW-1:0] of_victim_regs;
  logic [SW-1:0] of_victim_scratch;
  logic [7:0] victim_warp, victim_block, owner, moved_owner, come_owner;  // of one bit more than the ports have
  logic [8:0] victim_regs_set, victim_scratch_set;
  assign victim_regs = victim_set_i[RI-1:0];
  assign victim_scratch = victim_set_i[SI-1:0];
  always_comb begin
    of_victim_regs = '0;
    of_victim_scratch = '0;
    if ({{(32 - RI) {1'b0}}, victim_regs} < REGS && of_regs_q[victim_regs]) of_victim_regs = regs_q[victim_regs*RW+:RW];
    if ({{(32 - SI) {1'b0}}, victim_scratch} < SCRATCH && of_scratch_q[victim_scratch]) of_victim_scratch = scratch_q[victim_scratch*SW+:SW];
  end
  assign owner = {{(8 - OB) {1'b0}}, owner_q};
  assign moved_owner = {{(8 - OB) {1'b0}}, moved_owner_q};
  assign come_owner = {{(8 - OB) {1'b0}}, come_owner_q};
  assign victim_warp = {{(8 - WB) {1'b0}}, of_victim_regs[WB-1:0]};
  assign victim_block = {{(8 - BB) {1'b0}}, of_victim_scratch[BB-1:0]};
  assign victim_regs_set = {{(9 - RSB) {1'b0}}, of_victim_regs[RW-1:WB]};
  assign victim_scratch_set = {{(9 - SSB) {1'b0}}, of_victim_scratch[SW-1:BB]};

  // What happens to the set at hand: in a cycle of its own, or after its lines.
  logic works, is_slot, takes_free, evicts, releases, skips, comes, ends_short, saves, after, counted, awaits, arrives, leaves;
  assign works = on_q && !lines_q;
  assign is_slot = kind_q[1];
  assign counted = !is_slot;
  assign takes_free = maps && offer_i;
  assign evicts = maps && !offer_i && victim_i && counted && move_ready_i;
  assign awaits = come_q && kind_q == {1'b0, come_kind_q} && owner_q == come_owner_q && at_q == come_set_q;
  assign releases = works && op_q == RELEASE && !awaits;
  assign ends_short = works && op_q == FILL && counted && (come_q || (!there_i && !offer_i));
  assign comes = works && op_q == FILL && !there_i && offer_i && move_ready_i && !ends_short;
  assign saves = works && op_q == SPILL && there_i && move_ready_i;
  assign skips = works && ((op_q == FILL && there_i && !ends_short) || (op_q == SPILL && !there_i));
  assign after = on_q && lines_q && !lines_i && !(op_q == FILL && is_slot && mem_busy_i);
  assign leaves = after && op_q == FILL && counted;
  assign arrives = come_q && !mem_busy_i && (!on_q || (works && op_q == RELEASE && awaits));

  logic done, lines_begin, owns;
  assign done = takes_free || releases || skips || after;
  assign lines_begin = evicts || comes || saves;
  assign alloc_en_o = takes_free || comes;
  assign free_en_o = (releases && there_i) || (after && op_q == SPILL);
  assign free_set_o = free_en_o ? (after ? phys_q : phys_i) : '0;
  assign owns = takes_free || (after && op_q != SPILL && !leaves) || arrives;
  assign new_en_o = owns;
  assign new_set_o = owns ? (arrives ? come_phys_q : after ? phys_q : offer_set_i) : '0;
  assign wr_en_o = owns || evicts || releases || saves;
  assign wr_valid_o = owns;
  assign wr_phys_o = new_set_o;
  assign wr_owner_o = evicts ? move_owner_o : arrives ? come_owner[6:0] : wr_en_o ? owner[6:0] : 7'd0;
  assign wr_set_o = evicts ? move_set_o : arrives ? come_set_q : wr_en_o ? at_q : 8'd0;
  assign move_en_o = lines_begin;
  assign move_spill_o = evicts || saves;
  assign move_owner_o = evicts ? (kind_q[0] ? victim_block[6:0] : victim_warp[6:0]) : lines_begin ? owner[6:0] : 7'd0;
  assign move_set_o = evicts ? (kind_q[0] ? victim_scratch_set[7:0] : victim_regs_set[7:0]) : lines_begin ? at_q : 8'd0;
  assign move_o = on_q && lines_q;
  assign move_phys_o = move_o ? phys_q : '0;
  assign moved_owner_o = move_o ? moved_owner[6:0] : 7'd0;
  assign moved_set_o = move_o ? moved_set_q : 8'd0;
  assign come_o = come_q;
  assign come_kind_o = {1'b0, come_q && come_kind_q};
  assign come_owner_o = come_q ? come_owner[6:0] : 7'd0;
  assign come_set_o = come_q ? come_set_q : 8'd0;
  assign did_fill_o = comes && counted;
  assign did_swapped_o = releases && !there_i && counted;
  assign did_en_o = (releases && counted) || did_fill_o;
  assign did_kind_o = did_en_o ? kind_q : 2'd0;
  assign cmd_ready_o = !on_q;
  assign at_en_o = on_q;
  assign at_kind_o = on_q ? kind_q : come_kind_o;
  assign at_owner_o = on_q ? owner[6:0] : 7'd0;
  assign at_set_o = on_q ? at_q : 8'd0;
  assign busy_o = on_q || come_q;

  logic [7:0] next;
  logic last, accepts, unused;
  assign next = at_q + 8'd1;
  assign last = next == to_q;
  assign accepts = cmd_valid_i && cmd_ready_o && cmd_from_i < cmd_to_i;
  assign unused = &{1'b0, owner, moved_owner, come_owner, cmd_owner_i, victim_set_i, victim_warp, victim_block, victim_regs_set, victim_scratch_set};

  // Whose a set is: of whom it is taken, it is no more.
  logic [31:0] gone, new_set;
  logic goes;
  assign goes = evicts || (releases && there_i);
  assign gone = {{(32 - PHYS_W) {1'b0}}, evicts ? victim_set_i : phys_i};
  assign new_set = {{(32 - PHYS_W) {1'b0}}, new_set_o};

  // Registers. A command's and an owner's count where their bits are 1.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      on_q <= 1'b0;
      lines_q <= 1'b0;
      come_q <= 1'b0;
      of_regs_q <= '0;
      of_scratch_q <= '0;
    end else begin
      on_q <= accepts || (on_q && !(done && last) && !ends_short);
      lines_q <= lines_begin || (lines_q && !after);
      come_q <= leaves || (come_q && !arrives);
      if (goes && at_kind_o == OF_REGS && gone < REGS) of_regs_q[gone[RI-1:0]] <= 1'b0;
      if (owns && at_kind_o == OF_REGS && new_set < REGS) of_regs_q[new_set[RI-1:0]] <= 1'b1;
      if (goes && at_kind_o == OF_SCRATCH && gone < SCRATCH) of_scratch_q[gone[SI-1:0]] <= 1'b0;
      if (owns && at_kind_o == OF_SCRATCH && new_set < SCRATCH) of_scratch_q[new_set[SI-1:0]] <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (accepts) begin
      {op_q, kind_q, owner_q} <= {cmd_op_i, cmd_kind_i, cmd_owner_i[OB-1:0]};
      {at_q, to_q} <= {cmd_from_i, cmd_to_i};
    end else if (done) begin
      at_q <= next;
    end
    if (lines_begin) begin
      phys_q <= evicts ? victim_set_i : comes ? offer_set_i : phys_i;
      {moved_owner_q, moved_set_q} <= {move_owner_o[OB-1:0], move_set_o};
    end
    if (leaves) begin
      come_kind_q <= kind_q[0];
      come_owner_q <= moved_owner_q;
      come_set_q <= moved_set_q;
      come_phys_q <= phys_q;
    end
    if (owns && at_kind_o == OF_REGS && new_set < REGS) regs_q[new_set[RI-1:0]*RW+:RW] <= {wr_set_o[RSB-1:0], wr_owner_o[WB-1:0]};
    if (owns && at_kind_o == OF_SCRATCH && new_set < SCRATCH) scratch_q[new_set[SI-1:0]*SW+:SW] <= {wr_set_o[SSB-1:0], wr_owner_o[BB-1:0]};
  end

`ifdef FORMAL
  `include "set_mover_props.svh"
`endif
endmodule
`undef NEEDS
