// SPDX-License-Identifier: Apache-2.0
//
// d2ma_ctrl_array: the controllers of the D2MA engine (Jamshidi 2014, section 4.1): one per CTA slot,
// each with a buffer management table of BUFS entries of 173 bits. assumption: the paper says only
// that controllers "configure and track". The life of an entry is therefore defined here: its state,
// the queue to the address generator, the arrivals of warps, and the warps that a release wakes.
//
// Entry      {hconst[172:157], region, hcols, hrows, mode[116:115], dim2, esz[113:112], stride,
//            count[95:80], sbase[79:64], gbase[63:0]}. Groups: 0 the bases, 1 count, stride and
//            dim2, 2 the halo or bank word with the mode, 3 the element size (1 and 3, and the
//            mode, are one word of the instruction). A group not written since the CTA's launch
//            reads as 0.
// States     idle; ARMED: ignited, waits until every live warp has arrived; READY: waits for the
//            address generator; RUN: in the address generator; DRAIN: replies are outstanding;
//            DONE: not yet reported to the checker. RUN and DRAIN are flying_q.
// Operation  wr_act_o, rd_entry_o (the entry as the operation leaves it) and rd_some_o are
//            combinational; the caller then sets wr_go_i if the transfer is legal. If it is, and has
//            elements, the entry is ignited (go_live_o) or armed (go_arm_o).
// Generation the first arrival at an entry opens it; it ends when the entry is idle and every live
//            warp has arrived. A warp that arrives a second time waits. literal_i: any warp refills
//            an idle entry, and no warp waits.
// Checker    ck_* come from registers, one cycle after the event: an operation that ignites an entry
//            (set), or arms it or arrives while it is armed (arm); or, in cycles without an
//            operation, an entry that is done (clr; killed: also forget), else one at which all warps
//            have arrived (set and forget). Lowest number first.
// Release    a CTA is released in the cycle after a ck_clr_o, a ck_set_o with ck_forget_o, the end
//            of a generation, or wk_en_i. A release beats setting a wait bit in its cycle. wake_o
//            names the warps that waited.
// Looks      arrivals, exits, the watchdog and entries that are done make their CTA be looked at
//            from the next cycle on, one CTA per cycle, the lowest first: which armed entries are
//            full, and which generations have ended.
// Start      entries start in order of ignition. The oldest is in a register (next_q). When the address
//            generator is free, its entry is read into another (entry_q), which starts the generator:
//            two cycles after the operation at the earliest. In cycles without such a read the same port
//            reads entry fp_*; fp_ok_o says so one cycle later.
// Replies    fl_cta_i and fl_buf_i name the entry of a reply; DONE follows one cycle later, when a
//            write that takes two cycles has ended too.
// Same cycle order of effects: launch of a CTA, reply, exit, operation, reports, start of the address
//            generator. An operation beats force_en_i.
// Launch     clr_cta_en_i: groups count as unwritten, generations are dropped; entries in flight
//            become stale: they make no further request and end without a transfer. They can be
//            configured again only after that end.
// Out of range  numbers beyond the parameters have no effect.
// Reset      synchronous, active low: all idle, nothing written, no CTA.
// Idle       busy_o: an entry or CTA is still to be reported, released, started or looked at, or the
//            address generator is busy.

`include "needs.vh"

module d2ma_ctrl_array #(
    parameter int CTAS = 8,    // CTA slots, at least 1
    parameter int BUFS = 4,    // buffers per CTA, at least 1
    parameter int WARPS = 48,  // hardware warps, at least 1
    parameter int MSHRS = 32   // requests in flight at most, at least 1
) (
    input  logic                                         clk_i,
    input  logic                                         rst_ni,
    // the operation that issues
    input  logic                                         wr_en_i,       // DMA.CFG or DMA.EXEC
    input  logic [1:0]                                   wr_kind_i,     // 1 configure, 2 execute
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    wr_cta_i,      // CTA slot of the warp
    input  logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    wr_buf_i,      // buffer
    input  logic [(WARPS <= 2 ? 1 : $clog2(WARPS))-1:0]  wr_warp_i,     // hardware warp
    input  logic [3:0]                                   wr_grp_i,      // groups that the operation writes
    input  logic [172:0]                                 wr_data_i,     // values of those groups, at their bits
    input  logic                                         literal_i,     // paper-literal re-ignition
    input  logic                                         wr_go_i,       // the transfer is legal; sampled at the clock edge
    // launch, exits, watchdog
    input  logic                                         clr_cta_en_i,  // a CTA starts
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    clr_cta_i,     // slot of that CTA
    input  logic [WARPS-1:0]                             clr_warps_i,   // hardware warps of that CTA
    input  logic                                         exit_en_i,     // a warp has ended
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    exit_cta_i,    // CTA slot of the warp
    input  logic [(WARPS <= 2 ? 1 : $clog2(WARPS))-1:0]  exit_warp_i,   // the warp
    input  logic                                         force_en_i,    // all live warps arrive
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    force_cta_i,   // at this entry
    input  logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    force_buf_i,
    // replies
    input  logic                                         fl_en_i,       // a reply was written
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    fl_cta_i,      // for this entry; sampled at the clock edge
    input  logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    fl_buf_i,
    // answers of the checker
    input  logic                                         wt_en_i,       // an answer comes
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    wt_cta_i,      // to a warp of this CTA
    input  logic [(WARPS <= 2 ? 1 : $clog2(WARPS))-1:0]  wt_warp_i,     // the warp
    input  logic                                         wt_hit_i,      // the warp must wait; sampled at the clock edge
    // footprints
    input  logic                                         fp_en_i,       // read this entry
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    fp_cta_i,      // of this CTA slot
    input  logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    fp_buf_i,
    input  logic                                         wk_en_i,       // the range of an entry became narrower
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    wk_cta_i,      // of this CTA slot
    // the address generator
    input  logic                                         ag_taken_i,    // a request was taken; sampled at the clock edge
    input  logic                                         ag_done_i,     // the generator is done; sampled at the clock edge
    // answer to the operation
    output logic [1:0]                                   wr_act_o,      // 0 nothing, 1 writes, 2 arrives, 3 waits
    output logic [172:0]                                 rd_entry_o,    // the entry after the write
    output logic [CTAS*BUFS-1:0]                         full_cfg_o,    // groups 0 and 1 are written
    output logic                                         rd_some_o,     // it has elements
    output logic                                         go_live_o,     // if wr_go_i and rd_some_o: it is ignited
    output logic                                         go_arm_o,      // if wr_go_i and rd_some_o: it is armed
    // to the checker, from registers
    output logic                                         ck_set_o,      // the entry is in flight
    output logic                                         ck_clr_o,      // the entry is done
    output logic                                         ck_stale_o,    // it was killed
    output logic                                         ck_arm_o,      // warp ck_warp_o has arrived
    output logic                                         ck_forget_o,   // arrivals are forgotten
    output logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    ck_cta_o,      // CTA slot of the entry
    output logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    ck_buf_o,
    output logic [(WARPS <= 2 ? 1 : $clog2(WARPS))-1:0]  ck_warp_o,
    // to the address generator, and footprints
    output logic                                         ag_start_o,    // the generator begins an entry
    output logic                                         ag_abort_o,    // the generator drops its entry
    output logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    ag_cta_o,      // of ag_start
    output logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    ag_buf_o,
    output logic                                         fp_ok_o,       // ag_entry_o is the previous cycle's entry fp_*
    output logic [172:0]                                 ag_entry_o,
    // to the warp scheduler
    output logic [CTAS-1:0]                              freed_o,       // CTAs released in this cycle
    output logic [CTAS-1:0]                              freed_next_o,  // CTAs to be released later
    output logic [WARPS-1:0]                             wake_o,        // waiting warps that are released
    // entries after this cycle, without the effects of wr_go_i and ag_*
    output logic [CTAS*BUFS-1:0]                         armed_o,       // ARMED
    output logic [CTAS*BUFS-1:0]                         open_o,        // generation open
    output logic [CTAS*BUFS-1:0]                         moving_o,      // READY to DONE
    output logic                                         busy_o         // work is pending or under way
);
  localparam int CW = CTAS <= 2 ? 1 : $clog2(CTAS);
  localparam int BW = BUFS <= 2 ? 1 : $clog2(BUFS);
  localparam int WW = WARPS <= 2 ? 1 : $clog2(WARPS);
  localparam int ROWS = CTAS * BUFS;
  localparam int RW = ROWS <= 2 ? 1 : $clog2(ROWS);
  localparam int MW = $clog2(MSHRS + 1);
  localparam logic [ROWS-1:0] ROW_0 = 1;
  localparam logic [ROWS-1:0] CTA_0 = {ROWS{1'b1}} >> (ROWS - BUFS);
  localparam logic [CTAS-1:0] SLOT_0 = 1;
  localparam logic [WARPS-1:0] WARP_0 = 1;
  localparam logic [RW-1:0] LAST_ROW = ROWS[RW-1:0] - 1'b1;

  `NEEDS(CTAS >= 1 && BUFS >= 1 && WARPS >= 1 && MSHRS >= 1, d2ma_ctrl_array_needs_parameters_at_least_1)

  // The table, one array per group, so that a simulator writes one row per cycle and copies nothing else.
  (* mem2reg *) logic [79:0] bases_q[0:ROWS-1];
  (* mem2reg *) logic [32:0] shape_q[0:ROWS-1];  // {dim2, stride, count}
  (* mem2reg *) logic [57:0] word_q[0:ROWS-1];   // {hconst, region, hcols, hrows, mode}
  (* mem2reg *) logic [1:0] esz_q[0:ROWS-1];
  logic [ROWS-1:0] grp0_q, grp1_q, grp2_q, grp3_q;  // written since the launch
  logic [ROWS-1:0] grp0_d, grp1_d, grp2_d, grp3_d;
  // States of the entries.
  logic [ROWS-1:0] armed_q, armed_d, full_q, full_d;  // full: armed, every live warp has arrived
  logic [ROWS-1:0] ready_q, ready_d, flying_q, flying_d, done_q, done_d;
  logic [ROWS-1:0] open_q, open_d, stale_q, stale_d;
  (* mem2reg *) logic [MW-1:0] count_q[0:ROWS-1];  // outstanding replies
  logic run_q, run_d;
  logic read_q, read_d, load_q, load_d;  // entry_q was read; it starts the generator
  logic [172:0] entry_q;
  logic [CW-1:0] run_cta_q, run_cta_d;  // entry in the address generator
  logic [BW-1:0] run_buf_q, run_buf_d;
  (* mem2reg *) logic [CW+BW-1:0] queue_q[0:ROWS-1];  // further READY entries in order of ignition
  logic [ROWS-1:0] queued_q, queued_d;
  logic [RW-1:0] head_q, head_d, tail_q, tail_d;
  logic next_on_q, next_on_d;
  logic [CW+BW-1:0] next_q, next_d;  // the entry that starts next, {cta, buf}; the queue holds those behind it
  // Warps.
  (* mem2reg *) logic [WARPS-1:0] warps_q[0:CTAS-1];    // warps of the CTA
  logic [CTAS-1:0] cta_q, cta_d;
  logic [WARPS-1:0] gone_q, gone_d;                     // warps that have ended
  (* mem2reg *) logic [WARPS-1:0] arrived_q[0:BUFS-1];  // warps that have joined the open generation
  logic [WARPS-1:0] wait_q, wait_d;
  logic [CTAS-1:0] rel_q, rel_d;    // CTAs that are released in this cycle
  logic [CTAS-1:0] look_q, look_d;  // CTAs to be looked at
  // To the checker.
  logic ck_set_q, ck_set_d, ck_clr_q, ck_clr_d, ck_stale_q, ck_stale_d, ck_arm_q, ck_arm_d, ck_forget_q, ck_forget_d;
  logic [CW-1:0] ck_cta_q, ck_cta_d;
  logic [BW-1:0] ck_buf_q, ck_buf_d;
  logic [WW-1:0] ck_warp_q, ck_warp_d;

  // Decode: numbers extended to 32 bits, so that row numbers cannot overflow; numbers out of range are masked.
  logic [31:0] wr_cta, wr_buf, wr_warp, clr_cta, force_cta, force_buf, fl_cta, fl_buf, wt_cta, wt_warp;
  logic [31:0] exit_cta, exit_warp, fp_cta, fp_buf, wk_cta;
  assign wr_cta = {{(32 - CW) {1'b0}}, wr_cta_i};
  assign wr_buf = {{(32 - BW) {1'b0}}, wr_buf_i};
  assign wr_warp = {{(32 - WW) {1'b0}}, wr_warp_i};
  assign clr_cta = {{(32 - CW) {1'b0}}, clr_cta_i};
  assign force_cta = {{(32 - CW) {1'b0}}, force_cta_i};
  assign force_buf = {{(32 - BW) {1'b0}}, force_buf_i};
  assign fl_cta = {{(32 - CW) {1'b0}}, fl_cta_i};
  assign fl_buf = {{(32 - BW) {1'b0}}, fl_buf_i};
  assign wt_cta = {{(32 - CW) {1'b0}}, wt_cta_i};
  assign wt_warp = {{(32 - WW) {1'b0}}, wt_warp_i};
  assign exit_cta = {{(32 - CW) {1'b0}}, exit_cta_i};
  assign exit_warp = {{(32 - WW) {1'b0}}, exit_warp_i};
  assign fp_cta = {{(32 - CW) {1'b0}}, fp_cta_i};
  assign fp_buf = {{(32 - BW) {1'b0}}, fp_buf_i};
  assign wk_cta = {{(32 - CW) {1'b0}}, wk_cta_i};
  logic wr_on, clr_on, force_on, fl_on, wt_on, exit_on, fp_on, wk_on;
  assign wr_on = wr_en_i && wr_cta < CTAS && wr_buf < BUFS && wr_warp < WARPS;
  assign clr_on = clr_cta_en_i && clr_cta < CTAS;
  assign force_on = force_en_i && !wr_en_i && force_cta < CTAS && force_buf < BUFS;
  assign fl_on = fl_en_i && fl_cta < CTAS && fl_buf < BUFS;
  assign wt_on = wt_en_i && wt_cta < CTAS && wt_warp < WARPS;
  assign fp_on = fp_en_i && fp_cta < CTAS && fp_buf < BUFS;
  assign wk_on = wk_en_i && wk_cta < CTAS;
  assign exit_on = exit_en_i && exit_cta < CTAS && exit_warp < WARPS;
  function automatic logic [RW-1:0] row_of(input logic [CW-1:0] cta, input logic [BW-1:0] b);
    logic [31:0] sum;
    sum = {{(32 - CW) {1'b0}}, cta} * BUFS + {{(32 - BW) {1'b0}}, b};
    row_of = sum < ROWS ? sum[RW-1:0] : '0;
  endfunction
  logic [RW-1:0] wr_row, fl_row, run_row;
  assign run_row = row_of(run_cta_q, run_buf_q);
  logic [ROWS-1:0] wr_mask, fl_mask, clr_mask, run_mask;
  assign wr_row = row_of(wr_cta_i, wr_buf_i);
  assign fl_row = row_of(fl_cta_i, fl_buf_i);
  assign wr_mask = wr_on ? ROW_0 << wr_row : '0;
  assign fl_mask = fl_on ? ROW_0 << fl_row : '0;
  assign clr_mask = clr_on ? CTA_0 << clr_cta * BUFS : '0;
  assign run_mask = run_q ? ROW_0 << run_row : '0;
  logic [WARPS-1:0] wr_bit, clr_warps, exits;
  assign wr_bit = WARP_0 << wr_warp_i;
  assign clr_warps = clr_on ? clr_warps_i : '0;
  assign exits = exit_on ? WARP_0 << exit_warp_i : '0;

  // The action of the operation.
  logic [ROWS-1:0] moving, occupied;
  logic idle, cleared, stale, open, arrived, configured, configure, execute, ignition;
  logic write, arrive, waits, collect, put0, put1, put2, put3;
  logic [1:0] act;
  logic [WARPS-1:0] wr_arrived;
  assign moving = ready_q | flying_q | done_q;
  assign occupied = armed_q | moving;
  assign idle = ~|(occupied & wr_mask);
  assign cleared = |(clr_mask & wr_mask);
  assign stale = |(stale_q & wr_mask) || (cleared && !idle);
  assign open = |(open_q & wr_mask) && !cleared;
  assign configured = |(grp0_q & grp1_q & wr_mask) && !cleared;
  assign wr_arrived = wr_on ? arrived_q[wr_buf_i] : '0;
  assign arrived = |(wr_arrived & wr_bit);
  assign configure = wr_kind_i == 2'd1;
  assign execute = wr_kind_i == 2'd2;
  assign ignition = configure || execute;
  always_comb begin
    act = 2'd0;
    if (wr_on) begin
      if (stale) act = 2'd3;
      else if (execute && !configured) act = 2'd0;
      else if (execute && literal_i) act = {1'b0, idle};
      else if (idle && !open) act = 2'd1;
      else if (open && !arrived) act = 2'd2;
      else act = {2{!literal_i}};
    end
  end
  assign write = act == 2'd1;
  assign {put3, put2, put1, put0} = wr_grp_i;
  assign arrive = act == 2'd2 && ignition;
  assign waits = act == 2'd3;
  assign collect = write && (configure || (execute && !literal_i));

  // The entry as the operation leaves it.
  logic [79:0] new_bases;
  logic [32:0] new_shape;
  logic [57:0] new_word;
  logic [1:0] new_esz;
  logic [ROWS-1:0] kept;
  assign kept = wr_mask & ~clr_mask;
  assign new_bases = write && put0 ? wr_data_i[79:0] : |(grp0_q & kept) ? bases_q[wr_row] : '0;
  assign new_shape = write && put1 ? {wr_data_i[114], wr_data_i[111:80]}
                   : |(grp1_q & kept) ? shape_q[wr_row] : '0;
  assign new_word = write && put2 ? wr_data_i[172:115] : |(grp2_q & kept) ? word_q[wr_row] : '0;
  assign new_esz = write && put3 ? wr_data_i[113:112] : |(grp3_q & kept) ? esz_q[wr_row] : '0;
  assign rd_entry_o = {new_word, new_shape[32], new_esz, new_shape[31:0], new_bases};
  assign wr_act_o = act;
  assign full_cfg_o = grp0_q & grp1_q & ~clr_mask;

  // Elements: columns and rows if the entry is a matrix, else a count of 16 bits.
  logic some;
  assign some = new_shape[32] ? new_shape[7:0] != 8'd0 && new_shape[15:8] != 8'd0 : new_shape[15:0] != 16'd0;
  assign rd_some_o = some;

  // Arrivals that the operation or the watchdog adds, and whether the operation's warp is the only live one.
  logic joins, alone, go_live, go_arm, arms;
  logic [CW-1:0] join_cta;
  logic [BW-1:0] joined_buf;
  logic [WARPS-1:0] join_warps, live_all, joined;
  assign joins = arrive || collect;
  assign join_cta = wr_en_i ? wr_cta_i : force_cta_i;
  assign joined_buf = wr_en_i ? wr_buf_i : force_buf_i;
  assign join_warps = !(wr_on || force_on) ? '0
                    : clr_on && clr_cta_i == join_cta ? clr_warps
                    : cta_q[join_cta] ? warps_q[join_cta] : '0;
  assign live_all = ~(gone_q | exits);
  assign alone = ~|(join_warps & live_all & ~wr_bit);
  assign go_live = write && ignition && (literal_i || (configure && !configured) || alone);
  assign go_arm = write && ignition && !go_live;
  assign arms = arrive && |(armed_q & ~clr_mask & wr_mask);
  assign joined = joins ? (collect ? wr_arrived & ~join_warps : wr_arrived) | wr_bit
                : force_on ? arrived_q[force_buf_i] | join_warps : '0;

  // The CTA that is looked at: which of its generations every live warp has joined.
  logic [CTAS-1:0] view_slot;
  logic [CW-1:0] view_cta;
  logic [WARPS-1:0] view_warps;
  logic [BUFS-1:0] complete;
  logic [ROWS-1:0] all_in;
  assign view_slot = look_q & -look_q;
  onehot_index #(.N(CTAS)) u_view_cta (.onehot_i(view_slot), .index_o(view_cta));
  assign view_warps = cta_q[view_cta] ? warps_q[view_cta] & ~gone_q : '0;
  for (genvar b = 0; b < BUFS; b++) begin : g_buf
    assign complete[b] = ~|(view_warps & ~arrived_q[b]);
  end
  // A shift to the CTA's place, because a simulator would build {CTAS{complete}} bit by bit. The top bit stays 0.
  logic [ROWS:0] placed;
  assign placed = {{(ROWS - BUFS + 1) {1'b0}}, complete} << {{(32 - CW) {1'b0}}, view_cta} * BUFS;
  assign all_in = |look_q && !placed[ROWS] ? placed[ROWS-1:0] : '0;

  // The one entry that is reported to the checker: none in the cycle of an operation, which reports its own.
  logic [ROWS-1:0] dones, fulls, fin, leave, picked;
  assign dones = wr_en_i ? '0 : done_q & ~clr_mask;
  assign fulls = wr_en_i ? '0 : full_q & ~clr_mask;
  assign fin = dones & -dones;
  assign leave = |dones ? '0 : fulls & -fulls;
  assign picked = fin | leave;
  // Its CTA and its buffer.
  logic [CW-1:0] picked_cta;
  logic [BW-1:0] picked_buf;
  logic [BUFS-1:0] picked_bufs;
  always_comb begin : fold_picked
    picked_bufs = '0;
    for (int c = 0; c < CTAS; c++) picked_bufs = picked_bufs | picked[c*BUFS+:BUFS];
  end
  onehot_index #(.N(ROWS), .GROUP(BUFS)) u_picked_cta (.onehot_i(picked), .index_o(picked_cta));
  onehot_index #(.N(BUFS)) u_picked_buf (.onehot_i(picked_bufs), .index_o(picked_buf));

  // Generations that end, and the warps of CTAs that are released.
  logic [ROWS-1:0] opened, over;
  logic [WARPS-1:0] released, hit_bit;
  logic [CTAS-1:0] picked_slot, told_slot;
  assign opened = open_q & ~clr_mask;
  assign over = opened & all_in & ~occupied;
  always_comb begin : merge_released
    released = '0;
    for (int c = 0; c < CTAS; c++) if (rel_q[c] && cta_q[c]) released = released | warps_q[c];
  end
  assign picked_slot = |picked ? SLOT_0 << picked_cta : '0;
  assign told_slot = ck_clr_q || ck_forget_q ? SLOT_0 << ck_cta_q : '0;
  assign hit_bit = wt_on && wt_hit_i ? WARP_0 << wt_warp_i : '0;

  // The address generator gets the entry in next_q.
  logic queue_some, next_leaves, next_free, pop, dead, push, into_next;
  logic [CW-1:0] next_cta;
  logic [BW-1:0] next_buf;
  logic [RW-1:0] next_row;
  logic [ROWS-1:0] next_mask;
  logic aborts, taken, finishes;
  assign aborts = |(run_mask & clr_mask);
  assign queue_some = queued_q[head_q];
  assign {next_cta, next_buf} = next_q;
  assign next_row = row_of(next_cta, next_buf);
  assign next_leaves = next_on_q && !run_q;
  assign next_mask = next_leaves ? ROW_0 << next_row : '0;
  assign next_free = !next_on_q || next_leaves;
  assign dead = |(next_mask & (stale_q | clr_mask));
  assign pop = queue_some && next_free;
  assign ag_start_o = load_q && !aborts;
  assign ag_abort_o = aborts;
  assign {ag_cta_o, ag_buf_o} = ag_start_o ? {run_cta_q, run_buf_q} : '0;
  assign taken = ag_taken_i && run_q && !aborts;
  assign finishes = ag_done_i && run_q && !aborts;

  // The entry that is to start, or else the one whose footprint is wanted.
  logic [RW-1:0] read_row;
  logic [ROWS-1:0] read_mask;
  logic [32:0] read_shape;
  logic [172:0] read_entry;
  logic reads;
  assign reads = next_leaves || fp_on;
  assign load_d = next_leaves && !dead;
  assign read_d = load_d || (fp_on && !next_leaves);
  assign read_row = next_leaves ? next_row : row_of(fp_cta_i, fp_buf_i);
  assign read_mask = reads ? (ROW_0 << read_row) & ~clr_mask : '0;
  assign read_shape = |(grp1_q & read_mask) ? shape_q[read_row] : '0;
  assign read_entry = {|(grp2_q & read_mask) ? word_q[read_row] : 58'd0,
                       read_shape[32], |(grp3_q & read_mask) ? esz_q[read_row] : 2'd0,
                       read_shape[31:0], |(grp0_q & read_mask) ? bases_q[read_row] : 80'd0};
  assign fp_ok_o = read_q && !load_q;
  assign ag_entry_o = read_q ? entry_q : '0;

  // Outstanding replies of the entry in the address generator and of the entry that gets a reply.
  logic [MW-1:0] run_count, fl_count;
  logic run_filled, run_empty;
  logic [ROWS-1:0] fl_other, reply_out;
  assign run_filled = |(fl_mask & run_mask);
  assign run_count = (run_q ? count_q[run_row] : '0) + {{(MW - 1) {1'b0}}, taken} -
                     {{(MW - 1) {1'b0}}, run_filled};
  assign run_empty = run_count == '0;
  assign fl_count = fl_on ? count_q[fl_row] : '0;
  assign fl_other = fl_mask & flying_q & ~run_mask;
  assign reply_out = fl_count == {{(MW - 1) {1'b0}}, 1'b1} ? fl_other : '0;

  // Outputs.
  assign go_live_o = go_live;
  assign go_arm_o = go_arm;
  assign {ck_set_o, ck_clr_o, ck_stale_o, ck_arm_o, ck_forget_o} = {ck_set_q, ck_clr_q, ck_stale_q, ck_arm_q, ck_forget_q};
  assign {ck_cta_o, ck_buf_o, ck_warp_o} = {ck_cta_q, ck_buf_q, ck_warp_q};
  assign freed_o = rel_q;
  assign freed_next_o = picked_slot | told_slot;
  assign wake_o = (wait_q | (waits ? wr_bit : '0)) & released;
  assign armed_o = armed_q & ~clr_mask & ~leave;
  assign open_o = open_d;
  assign moving_o = (moving | leave | (armed_q & clr_mask)) & ~fin;
  assign busy_o = run_q || read_q || |look_q || next_on_q || |rel_q || |done_q || |full_q ||
                  ck_set_q || ck_clr_q || ck_arm_q;

  // Next state.
  logic [ROWS-1:0] new_mask, killed, push_mask;
  logic [WARPS-1:0] asleep;
  logic go, born, told_op;
  assign go = wr_go_i && some;
  assign born = go_live && go;
  assign told_op = (go_live || go_arm) && go;
  assign push = |leave || born;
  assign push_mask = !push ? '0 : |leave ? leave : wr_mask;
  assign into_next = push && next_free && !queue_some;
  assign new_mask = write ? wr_mask : '0;
  assign killed = clr_mask & occupied;
  assign asleep = (wait_q & ~clr_warps) | (waits ? wr_bit : '0) | hit_bit;
  always_comb begin
    grp0_d = (grp0_q & ~clr_mask) | (put0 ? new_mask : '0);
    grp1_d = (grp1_q & ~clr_mask) | (put1 ? new_mask : '0);
    grp2_d = (grp2_q & ~clr_mask) | (put2 ? new_mask : '0);
    grp3_d = (grp3_q & ~clr_mask) | (put3 ? new_mask : '0);
    armed_d = armed_o | (go_arm && go ? wr_mask : '0);
    full_d = (full_q | (armed_q & all_in)) & ~clr_mask & ~leave;
    ready_d = (ready_q & ~next_mask) | push_mask;
    flying_d = flying_q & ~reply_out;
    done_d = (done_q | reply_out | (armed_q & clr_mask) | (dead ? next_mask : '0)) & ~fin;
    stale_d = (stale_q & ~fin) | killed;
    open_d = (opened | (collect ? wr_mask : '0)) & ~over;
    look_d = (look_q & ~view_slot) | (joins || force_on ? SLOT_0 << join_cta : '0) |
             (exit_on ? SLOT_0 << exit_cta_i : '0) | (|fin ? picked_slot : '0);
    rel_d = told_slot | (|over ? view_slot : '0) | (wk_on ? SLOT_0 << wk_cta_i : '0);
    ck_set_d = born || |leave;
    ck_clr_d = |fin;
    ck_stale_d = |(fin & stale_q);
    ck_arm_d = arms || (go_arm && go);
    ck_forget_d = |leave || ck_stale_d;
    {ck_cta_d, ck_buf_d} = arms || told_op ? {wr_cta_i, wr_buf_i} : {picked_cta, picked_buf};
    ck_warp_d = ck_arm_d ? wr_warp_i : '0;
    run_d = run_q;
    {run_cta_d, run_buf_d} = {run_cta_q, run_buf_q};
    head_d = head_q;
    tail_d = tail_q;
    queued_d = queued_q;
    next_on_d = next_on_q && !next_leaves;
    next_d = next_q;
    cta_d = cta_q | (clr_on ? SLOT_0 << clr_cta_i : '0);
    gone_d = (gone_q | exits) & ~clr_warps;
    wait_d = asleep & ~released & ~exits;
    if (run_q) begin
      if (aborts || finishes) begin
        run_d = 1'b0;
        if (run_empty) begin
          flying_d = flying_d & ~run_mask;
          done_d = done_d | run_mask;
        end
      end
    end else if (load_d) begin
      run_d = 1'b1;
      {run_cta_d, run_buf_d} = next_q;
      flying_d = flying_d | next_mask;
    end
    if (pop) begin
      head_d = head_q == LAST_ROW ? '0 : head_q + 1'b1;
      queued_d = queued_d & ~(ROW_0 << head_q);
      next_on_d = 1'b1;
      next_d = queue_q[head_q];
    end
    if (into_next) begin
      next_on_d = 1'b1;
      next_d = {ck_cta_d, ck_buf_d};
    end else if (push) begin
      tail_d = tail_q == LAST_ROW ? '0 : tail_q + 1'b1;
      queued_d = queued_d | (ROW_0 << tail_q);
    end
  end
  // Registers. Rows of arrays have no reset: grpN_q, flying_q, queued_q and cta_q say which rows are valid.
  always_ff @(posedge clk_i) begin
    if (write) begin
      if (put0) bases_q[wr_row] <= new_bases;
      if (put1) shape_q[wr_row] <= new_shape;
      if (put2) word_q[wr_row] <= new_word;
      if (put3) esz_q[wr_row] <= new_esz;
    end
    if (push && !into_next) queue_q[tail_q] <= {ck_cta_d, ck_buf_d};
    if (clr_on) warps_q[clr_cta_i] <= clr_warps_i;
    if (read_d) entry_q <= read_entry;
    if (run_q) count_q[run_row] <= run_count;
    else if (load_d) count_q[next_row] <= '0;
    if (|fl_other) count_q[fl_row] <= fl_count - 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int b = 0; b < BUFS; b++) arrived_q[b] <= '0;
    end else if (joins || force_on) begin
      arrived_q[joined_buf] <= joined;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {grp0_q, grp1_q, grp2_q, grp3_q} <= '0;
      {armed_q, full_q, ready_q, flying_q, done_q, open_q, stale_q} <= '0;
      {run_q, run_cta_q, run_buf_q, read_q, load_q, queued_q, head_q, tail_q, next_on_q, next_q, look_q} <= '0;
      {cta_q, gone_q, wait_q, rel_q} <= '0;
      {ck_set_q, ck_clr_q, ck_stale_q, ck_arm_q, ck_forget_q, ck_cta_q, ck_buf_q, ck_warp_q} <= '0;
    end else begin
      {grp0_q, grp1_q, grp2_q, grp3_q} <= {grp0_d, grp1_d, grp2_d, grp3_d};
      {armed_q, full_q, ready_q, flying_q, done_q} <= {armed_d, full_d, ready_d, flying_d, done_d};
      {open_q, stale_q} <= {open_d, stale_d};
      {run_q, run_cta_q, run_buf_q, read_q, load_q} <= {run_d, run_cta_d, run_buf_d, read_d, load_d};
      queued_q <= queued_d;
      {head_q, tail_q, next_on_q, next_q, look_q} <= {head_d, tail_d, next_on_d, next_d, look_d};
      {cta_q, gone_q, wait_q, rel_q} <= {cta_d, gone_d, wait_d, rel_d};
      {ck_set_q, ck_clr_q, ck_stale_q, ck_arm_q, ck_forget_q} <= {ck_set_d, ck_clr_d, ck_stale_d, ck_arm_d, ck_forget_d};
      {ck_cta_q, ck_buf_q, ck_warp_q} <= {ck_cta_d, ck_buf_d, ck_warp_d};
    end
  end

`ifdef FORMAL
  `include "d2ma_ctrl_array_props.svh"
`endif
endmodule
`undef NEEDS
