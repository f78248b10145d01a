// SPDX-License-Identifier: Apache-2.0
//
// mem_warp_mask: mask of the ready warps of a core that may issue (Gou & Gaydadjiev 2011, sections
// 3.2 and 4.2, table 2). An issue takes K slots, one per subwarp. If the history says that a shared
// memory instruction takes d cycles more than its slots, memory warps stay masked d cycles longer.
//
// Latency    warp_ready_masked_o answers in the same cycle. An issue at T0 closes the slots T0+1 ..
//            T0+K-1. Its history answer comes at T1; the counter is held during the slots and then
//            decrements every cycle, so that a memory warp issues at T0+K+d at the earliest.
// Frozen     stall_i: the front end, slots, hold and counter stand still in this cycle; the answer of
//            the history is still taken.
// One slot   with K = 1 the answer masks in its own cycle (assumption: for K = 1 the paper reads the
//            history in the cycle of the issue).
// MODE       1: as published. 2: the rejected variant of section 5.2: memory warps pass the mask when
//            no other warp is ready; the counter then accumulates and saturates (assumption). 3: slots
//            only and no further mask, as in a core without this block, to measure the difference.
// Out of contract  an issue while slots are closed or the front end is frozen restarts the slots.
// Flush      everything 0 after the next edge; beats issue and answer.
// Reset      synchronous, active low; like a flush.
// Idle       busy_o is 1 while slots, hold or counter are running.

`include "needs.vh"

module mem_warp_mask #(
    parameter int NW = 32,   // warp contexts of the core
    parameter int K = 4,     // issue slots of a warp: its subwarps
    parameter int DW = 5,    // bits of a degree
    parameter int MODE = 1   // 1 as published, 2 memory warps pass if no other warp is ready, 3 no mask
) (
    input  logic          clk_i,
    input  logic          rst_ni,
    input  logic          flush_i,             // clear everything
    input  logic          stall_i,             // the front end is frozen in this cycle
    // issue and the history's answer to it
    input  logic          sched_valid_i,       // a warp issues in this cycle; sampled at the clock edge
    input  logic          sched_is_shmem_i,    // a shared memory instruction; sampled at the clock edge
    input  logic          lk_valid_q_i,        // the history answers, one cycle after that issue
    input  logic [DW-1:0] lk_degree_i,         // cycles that the instruction takes beyond its slots
    // warps
    input  logic [NW-1:0] warp_ready_i,        // ready
    input  logic [NW-1:0] warp_is_mem_i,       // the next instruction accesses memory
    output logic [NW-1:0] warp_ready_masked_o, // ready and may issue
    output logic [DW-1:0] cnt_o,               // cycles that memory warps stay masked
    output logic          busy_o               // slots, hold or counter are running
);
  localparam int KW = K <= 2 ? 1 : $clog2(K);
  localparam logic [31:0] SLOTS = K - 1;
  localparam logic [NW-1:0] ZEROS = '0;

  logic [KW-1:0] slot_q, hold_q;
  logic [DW-1:0] cnt_q, cnt_d;

  `NEEDS(NW >= 1, mem_warp_mask_needs_nw_at_least_1)
  `NEEDS(K >= 1, mem_warp_mask_needs_k_at_least_1)
  `NEEDS(DW >= 1, mem_warp_mask_needs_dw_at_least_1)
  `NEEDS(MODE >= 1 && MODE <= 3, mem_warp_mask_needs_mode_1_to_3)

  // Decode: the counter, with the answer of this cycle.
  logic [DW:0] total;
  logic [DW-1:0] limited, loaded, answered, seen;
  logic closed, masks;
  assign total = {1'b0, cnt_q} + {1'b0, lk_degree_i};
  assign limited = total[DW-1:0] | {DW{total[DW]}};
  assign loaded = MODE == 1 ? lk_degree_i : limited;
  assign answered = lk_valid_q_i ? loaded : cnt_q;
  assign seen = MODE == 3 ? {DW{1'b0}} : K == 1 ? answered : cnt_q;
  assign masks = |seen;
  assign closed = |slot_q;

  // The mask: a NAND and an AND per warp.
  logic strict;
  logic [NW-1:0] others, allowed;
  assign others = warp_ready_i & ~warp_is_mem_i;
  assign strict = MODE == 1 || (|others);
  assign allowed = masks && strict ? others : warp_ready_i;
  assign warp_ready_masked_o = allowed & (closed ? ZEROS : {NW{1'b1}});
  assign cnt_o = cnt_q;
  assign busy_o = closed || (|hold_q) || (|cnt_q);

  // Next state and registers.
  logic runs, ends, falls;
  assign runs = !stall_i;
  assign ends = hold_q == '0 && (|answered);
  assign falls = runs && ends && (K == 1 || !lk_valid_q_i);
  assign cnt_d = answered - {{(DW - 1) {1'b0}}, falls};

  if (K == 1) begin : g_slots
    assign slot_q = '0;
  end else begin : g_slots
    logic [KW-1:0] slot_d;
    assign slot_d = sched_valid_i ? SLOTS[KW-1:0] : slot_q - {{(KW - 1) {1'b0}}, runs && (|slot_q)};
    always_ff @(posedge clk_i) begin
      if (!rst_ni || flush_i) slot_q <= '0;
      else slot_q <= slot_d;
    end
  end
  if (K == 1 || MODE == 3) begin : g_hold
    assign hold_q = '0;
  end else begin : g_hold
    logic [KW-1:0] hold_d;
    always_comb begin
      hold_d = hold_q - {{(KW - 1) {1'b0}}, runs && (|hold_q)};
      if (sched_valid_i && sched_is_shmem_i) hold_d = SLOTS[KW-1:0];
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni || flush_i) hold_q <= '0;
      else hold_q <= hold_d;
    end
  end

  if (MODE == 3) begin : g_cnt
    assign cnt_q = '0;
  end else begin : g_cnt
    always_ff @(posedge clk_i) begin
      if (!rst_ni || flush_i) cnt_q <= '0;
      else cnt_q <= cnt_d;
    end
  end

`ifdef FORMAL
  `include "mem_warp_mask_props.svh"
`endif
endmodule
`undef NEEDS
