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
// States     idle; ARMED: ignited, waits until every live warp has arrived; READY: in the queue; RUN:
//            in the address generator; DRAIN: replies are outstanding; DONE: not yet reported to the
//            checker. RUN and DRAIN are flying_q.
// Operation  wr_act_o and rd_entry_o (the entry as the operation leaves it) are combinational; the
//            caller then sets wr_go_i if the transfer is legal and not empty. go_live_o, go_arm_o and
//            go_start_o say what happens in this cycle if wr_go_i is 1.
// Generation the first arrival at an entry opens it; it ends when the entry is idle and every live
//            warp has arrived. A warp that arrives a second time waits. literal_i: any warp refills
//            an idle entry, and no warp waits.
// Release    a CTA is released when an entry leaves ARMED or is done (effective one cycle later), or
//            when a generation ends. A release beats setting a wait bit in its cycle. wake_o names
//            the warps that waited.
// Ports      one entry per cycle is reported to the checker by st_*: first that of an operation, then
//            an entry that is done, then one at which all warps have arrived; lowest number first.
//            arm_* likewise.
// Looks      arrivals of one CTA are checked per cycle, in this priority: that of the operation, the
//            watchdog, the ended warp, the entry that is done, the lowest CTA left over (look_q).
// Same cycle order of effects: launch of a CTA, reply, exit, operation, reports, start of the address
//            generator. An operation beats force_en_i.
// Launch     clr_cta_en_i: groups count as unwritten, generations are dropped; entries in flight
//            become stale: they make no further request and end without a transfer. They can be
//            configured again only after that end.
// Out of range  numbers beyond the parameters have no effect.
// Reset      synchronous, active low: all idle, nothing written, no CTA.
// Idle       busy_o: an entry or CTA is still to be reported, released, started or checked, or the
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
    input  logic                                         wr_go_i,       // legal, not empty; sampled at the clock edge
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
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    fl_cta_i,      // for this entry
    input  logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    fl_buf_i,
    input  logic                                         fl_long_i,     // the write takes a cycle longer
    // answers of the checker
    input  logic                                         wt_en_i,       // an answer comes
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    wt_cta_i,      // to a warp of this CTA
    input  logic [(WARPS <= 2 ? 1 : $clog2(WARPS))-1:0]  wt_warp_i,     // the warp
    input  logic                                         wt_hit_i,      // the warp must wait; sampled at the clock edge
    // the address generator
    input  logic                                         ag_taken_i,    // a request was taken; sampled at the clock edge
    input  logic                                         ag_done_i,     // the generator is done; sampled at the clock edge
    // answer to the operation
    output logic [1:0]                                   wr_act_o,      // 0 nothing, 1 writes, 2 arrives, 3 waits
    output logic [172:0]                                 rd_entry_o,    // the entry after the write
    output logic [CTAS*BUFS-1:0]                         full_cfg_o,    // groups 0 and 1 are written
    output logic                                         go_live_o,     // if wr_go_i: it is ignited
    output logic                                         go_arm_o,      // if wr_go_i: it is armed
    output logic                                         go_start_o,    // if wr_go_i: it starts in this cycle
    // to the checker
    output logic                                         st_set_o,      // an entry leaves ARMED
    output logic                                         st_clr_o,      // an entry is done
    output logic                                         st_stale_o,    // that entry was killed
    output logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    st_cta_o,      // of go_live, st_set, st_clr
    output logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    st_buf_o,
    output logic                                         arm_wr_o,      // the warp arrives at an ARMED entry
    output logic                                         arm_clr_o,     // arrivals are forgotten
    output logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    arm_cta_o,     // of go_arm, arm_wr, arm_clr
    output logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    arm_buf_o,
    // to the address generator
    output logic                                         ag_start_o,    // the generator begins an entry
    output logic                                         ag_abort_o,    // the generator drops its entry
    output logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    ag_cta_o,      // of ag_start, go_start
    output logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    ag_buf_o,
    output logic [172:0]                                 ag_entry_o,
    // to the warp scheduler
    output logic [CTAS-1:0]                              freed_o,       // CTAs released in this cycle
    output logic [CTAS-1:0]                              freed_next_o,  // CTAs released in the next cycle
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
  logic [ROWS-1:0] armed_q, armed_d, ready_q, ready_d, flying_q, flying_d, done_q, done_d;
  logic [ROWS-1:0] open_q, open_d, stale_q, stale_d;
  (* mem2reg *) logic [MW-1:0] count_q[0:ROWS-1];  // outstanding replies
  logic run_q, run_d;
  logic [RW-1:0] run_row_q, run_row_d;  // entry in the address generator
  (* mem2reg *) logic [CW+BW-1:0] queue_q[0:ROWS-1];  // READY entries in order of ignition
  logic [ROWS-1:0] queued_q, queued_d;
  logic [RW-1:0] head_q, head_d, tail_q, tail_d;
  // Warps.
  (* mem2reg *) logic [WARPS-1:0] warps_q[0:CTAS-1];    // warps of the CTA
  logic [CTAS-1:0] cta_q, cta_d;
  logic [WARPS-1:0] gone_q, gone_d;                     // warps that have ended
  (* mem2reg *) logic [WARPS-1:0] arrived_q[0:BUFS-1];  // warps that have joined the open generation
  logic [WARPS-1:0] wait_q, wait_d;
  logic rel_q, rel_d;  // a CTA is to be released
  logic [CW-1:0] rel_cta_q, rel_cta_d;
  logic [CTAS-1:0] look_q, look_d;  // CTAs whose arrivals are still to be checked

  // Decode: numbers extended to 32 bits, so that row numbers cannot overflow; numbers out of range are masked.
  logic [31:0] wr_cta, wr_buf, wr_warp, clr_cta, force_cta, force_buf, fl_cta, fl_buf, wt_cta, wt_warp;
  logic [31:0] exit_cta, exit_warp;
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
  logic wr_on, clr_on, force_on, fl_on, wt_on, exit_on;
  assign wr_on = wr_en_i && wr_cta < CTAS && wr_buf < BUFS && wr_warp < WARPS;
  assign clr_on = clr_cta_en_i && clr_cta < CTAS;
  assign force_on = force_en_i && !wr_en_i && force_cta < CTAS && force_buf < BUFS;
  assign fl_on = fl_en_i && fl_cta < CTAS && fl_buf < BUFS;
  assign wt_on = wt_en_i && wt_cta < CTAS && wt_warp < WARPS;
  assign exit_on = exit_en_i && exit_cta < CTAS && exit_warp < WARPS;
  function automatic logic [RW-1:0] row_of(input logic [CW-1:0] cta, input logic [BW-1:0] b);
    logic [31:0] sum;
    sum = {{(32 - CW) {1'b0}}, cta} * BUFS + {{(32 - BW) {1'b0}}, b};
    row_of = sum < ROWS ? sum[RW-1:0] : '0;
  endfunction
  logic [RW-1:0] wr_row, fl_row;
  logic [ROWS-1:0] wr_mask, fl_mask, clr_mask, run_mask;
  assign wr_row = row_of(wr_cta_i, wr_buf_i);
  assign fl_row = row_of(fl_cta_i, fl_buf_i);
  assign wr_mask = wr_on ? ROW_0 << wr_row : '0;
  assign fl_mask = fl_on ? ROW_0 << fl_row : '0;
  assign clr_mask = clr_on ? CTA_0 << clr_cta * BUFS : '0;
  assign run_mask = run_q ? ROW_0 << run_row_q : '0;
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

  // Entries that are done in this cycle.
  logic [ROWS-1:0] reply_out, done_seen, done_first;
  logic [MW-1:0] fl_count;
  logic fl_last;
  assign fl_count = fl_on ? count_q[fl_row] : '0;
  assign fl_last = fl_count == {{(MW - 1) {1'b0}}, 1'b1};
  assign reply_out = fl_last ? fl_mask & flying_q & ~run_mask : '0;
  assign done_seen = (done_q | (fl_long_i ? '0 : reply_out)) & ~clr_mask;
  assign done_first = done_seen & -done_seen;

  // The CTA whose arrivals are checked.
  logic joins, view;
  logic [CTAS-1:0] look_first, view_slot;
  logic [CW-1:0] done_cta, look_cta, view_cta;
  assign joins = arrive || collect;
  assign look_first = look_q & -look_q;
  onehot_index #(.N(ROWS), .GROUP(BUFS)) u_done_cta (.onehot_i(done_first), .index_o(done_cta));
  onehot_index #(.N(CTAS)) u_look_cta (.onehot_i(look_first), .index_o(look_cta));
  assign view = joins || force_on || exit_on || |done_seen || |look_q;
  assign view_cta = joins ? wr_cta_i : force_on ? force_cta_i : exit_on ? exit_cta_i
                  : |done_seen ? done_cta : look_cta;
  assign view_slot = view ? SLOT_0 << view_cta : '0;

  // The generations of that CTA that every live warp has joined.
  logic [WARPS-1:0] view_warps, live_all, joined;
  logic [BW-1:0] joined_buf;
  logic [BUFS-1:0] complete;
  logic [ROWS-1:0] all_in, full;
  logic alone, go_live, go_arm;
  assign view_warps = !view ? '0
                    : clr_on && clr_cta_i == view_cta ? clr_warps
                    : cta_q[view_cta] ? warps_q[view_cta] : '0;
  assign live_all = ~(gone_q | exits);
  assign alone = ~|(view_warps & live_all & ~wr_bit);
  assign go_live = write && ignition && (literal_i || (configure && !configured) || alone);
  assign go_arm = write && ignition && !go_live;
  assign joined_buf = wr_en_i ? wr_buf_i : force_buf_i;
  assign joined = joins ? (collect ? wr_arrived & ~view_warps : wr_arrived) | wr_bit
                : force_on ? arrived_q[force_buf_i] | view_warps : '0;
  for (genvar b = 0; b < BUFS; b++) begin : g_buf
    localparam logic [BW-1:0] NUMBER = b;
    logic [WARPS-1:0] missing;
    assign missing = live_all & ~((joins || force_on) && joined_buf == NUMBER ? joined : arrived_q[b]);
    assign complete[b] = ~|(view_warps & missing);
  end
  // A shift to the CTA's place, because a simulator would build {CTAS{complete}} bit by bit. The top bit stays 0.
  logic [ROWS:0] placed;
  assign placed = {{(ROWS - BUFS + 1) {1'b0}}, complete} << {{(32 - CW) {1'b0}}, view_cta} * BUFS;
  assign all_in = view && !placed[ROWS] ? placed[ROWS-1:0] : '0;
  assign full = armed_q & ~clr_mask & all_in;

  // The one entry that the checker's state port reports.
  logic op_leaves, st_free, arm_free, arms;
  logic [ROWS-1:0] fins, fin, leaves, leave, picked;
  assign op_leaves = arrive && |(full & wr_mask);
  assign arms = arrive && |(armed_q & wr_mask) && !op_leaves;
  assign st_free = !go_live && !op_leaves;
  assign arm_free = !go_arm && !arms && !op_leaves;
  assign fins = st_free ? (arm_free ? done_seen : done_seen & ~stale_q) : '0;
  assign fin = fins & -fins;
  assign leaves = op_leaves ? wr_mask : (st_free && arm_free && ~|fin) ? full : '0;
  assign leave = leaves & -leaves;
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

  // Generations that end, and the CTAs that are released.
  logic [ROWS-1:0] opened, over;
  logic over_now;
  logic [WARPS-1:0] released, hit_bit;
  assign opened = open_q & ~clr_mask;
  assign over = opened & all_in & (~occupied | fin) & ~(write ? wr_mask : '0);
  assign over_now = |(over & ~occupied);
  assign freed_o = (rel_q ? SLOT_0 << rel_cta_q : '0) | (over_now ? view_slot : '0);
  assign freed_next_o = |picked ? SLOT_0 << picked_cta : '0;
  assign released = (rel_q && cta_q[rel_cta_q] ? warps_q[rel_cta_q] : '0) | (over_now ? view_warps : '0);
  assign hit_bit = wt_on && wt_hit_i ? WARP_0 << wt_warp_i : '0;

  // The address generator gets the head of the queue or, if the queue is empty, the entry that becomes ready now.
  logic ag_free, queue_some, pop, dead, direct, go_start;
  logic [CW-1:0] head_cta, start_cta;
  logic [BW-1:0] head_buf, start_buf;
  logic [RW-1:0] start_row;
  logic [ROWS-1:0] pop_mask, push_mask;
  logic aborts, taken, finishes;
  assign aborts = |(run_mask & clr_mask);
  assign ag_free = !run_q;
  assign queue_some = queued_q[head_q];
  assign {head_cta, head_buf} = queue_q[head_q];
  assign pop = ag_free && queue_some;
  assign pop_mask = pop ? ROW_0 << start_row : '0;
  assign dead = |(pop_mask & (stale_q | clr_mask));
  assign direct = ag_free && !queue_some && |leave;
  assign go_start = ag_free && !queue_some && go_live;
  assign {start_cta, start_buf} = pop ? {head_cta, head_buf}
                                : go_live ? {wr_cta_i, wr_buf_i} : {picked_cta, picked_buf};
  assign start_row = row_of(start_cta, start_buf);
  assign ag_start_o = (pop && !dead) || direct;
  assign ag_abort_o = aborts;
  assign taken = ag_taken_i && run_q && !aborts;
  assign finishes = ag_done_i && run_q && !aborts;

  // The entry that starts.
  logic [ROWS-1:0] start_mask;
  assign start_mask = ag_start_o ? ROW_0 << start_row : '0;
  logic [32:0] start_shape;
  assign start_shape = |(grp1_q & start_mask) ? shape_q[start_row] : '0;
  assign ag_entry_o = ag_start_o
                    ? {|(grp2_q & start_mask) ? word_q[start_row] : 58'd0,
                       start_shape[32], |(grp3_q & start_mask) ? esz_q[start_row] : 2'd0,
                       start_shape[31:0], |(grp0_q & start_mask) ? bases_q[start_row] : 80'd0}
                    : go_start ? rd_entry_o : '0;

  // Outstanding replies of the entry in the address generator and of the entry that gets a reply.
  logic [MW-1:0] run_count;
  logic run_filled, run_empty;
  assign run_filled = |(fl_mask & run_mask);
  assign run_count = (run_q ? count_q[run_row_q] : '0) + {{(MW - 1) {1'b0}}, taken} -
                     {{(MW - 1) {1'b0}}, run_filled};
  assign run_empty = run_count == '0;

  // Outputs.
  assign go_live_o = go_live;
  assign go_arm_o = go_arm;
  assign go_start_o = go_start;
  assign st_set_o = |leave;
  assign st_clr_o = |fin;
  assign st_stale_o = |(fin & stale_q);
  assign arm_wr_o = arms;
  assign arm_clr_o = st_set_o || st_stale_o;
  assign {st_cta_o, st_buf_o} = go_live ? {wr_cta_i, wr_buf_i} : {picked_cta, picked_buf};
  assign {arm_cta_o, arm_buf_o} = (go_arm || arms) ? {wr_cta_i, wr_buf_i}
                                : arm_clr_o ? {picked_cta, picked_buf} : '0;
  assign {ag_cta_o, ag_buf_o} = (ag_start_o || go_start) ? {start_cta, start_buf} : '0;
  assign wake_o = (wait_q | (waits ? wr_bit : '0)) & released;
  assign armed_o = armed_q & ~clr_mask & ~leave;
  assign open_o = open_d;
  assign moving_o = (moving | leave | (armed_q & clr_mask)) & ~fin;
  assign busy_o = run_q || |look_q || queue_some || rel_q || |done_q;

  // Next state.
  logic [ROWS-1:0] new_mask, killed;
  logic [WARPS-1:0] asleep;
  logic born, starts, push;
  assign born = go_live && wr_go_i;
  assign starts = ag_start_o || (go_start && wr_go_i);
  assign push = (|leave && !direct) || (born && !go_start);
  assign push_mask = !push ? '0 : |leave ? leave : wr_mask;
  assign new_mask = write ? wr_mask : '0;
  assign killed = clr_mask & occupied;
  assign asleep = (wait_q & ~clr_warps) | (waits ? wr_bit : '0) | hit_bit;
  always_comb begin
    grp0_d = (grp0_q & ~clr_mask) | (put0 ? new_mask : '0);
    grp1_d = (grp1_q & ~clr_mask) | (put1 ? new_mask : '0);
    grp2_d = (grp2_q & ~clr_mask) | (put2 ? new_mask : '0);
    grp3_d = (grp3_q & ~clr_mask) | (put3 ? new_mask : '0);
    armed_d = armed_o | (go_arm && wr_go_i ? wr_mask : '0);
    ready_d = (ready_q & ~pop_mask) | push_mask;
    flying_d = flying_q & ~reply_out;
    done_d = (done_q | reply_out | (armed_q & clr_mask)) & ~fin;
    stale_d = (stale_q & ~fin) | killed;
    open_d = (opened | (collect ? wr_mask : '0)) & ~over;
    look_d = (look_q & ~view_slot) | (|(full & ~leave) ? view_slot : '0) |
             (write && ignition && !wr_go_i ? SLOT_0 << wr_cta_i : '0) |
             (exit_on ? SLOT_0 << exit_cta_i & ~view_slot : '0) |
             (|fin ? freed_next_o & ~view_slot : '0);
    rel_d = st_set_o || st_clr_o;
    rel_cta_d = picked_cta;
    run_d = run_q;
    run_row_d = run_row_q;
    head_d = head_q;
    tail_d = tail_q;
    queued_d = queued_q;
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
    end else if (starts) begin
      run_d = 1'b1;
      run_row_d = start_row;
      flying_d = flying_d | (ROW_0 << start_row);
    end
    if (pop) begin
      head_d = head_q == LAST_ROW ? '0 : head_q + 1'b1;
      queued_d = queued_d & ~(ROW_0 << head_q);
      if (dead) done_d = done_d | pop_mask;
    end
    if (push) begin
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
    if (push) queue_q[tail_q] <= |leave ? {picked_cta, picked_buf} : {wr_cta_i, wr_buf_i};
    if (clr_on) warps_q[clr_cta_i] <= clr_warps_i;
    if (run_q) count_q[run_row_q] <= run_count;
    else if (starts) count_q[start_row] <= '0;
    if (|(fl_mask & flying_q & ~run_mask)) count_q[fl_row] <= fl_count - 1'b1;
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
      {armed_q, ready_q, flying_q, done_q, open_q, stale_q} <= '0;
      {run_q, run_row_q, queued_q, head_q, tail_q, look_q} <= '0;
      {cta_q, gone_q, wait_q, rel_q, rel_cta_q} <= '0;
    end else begin
      {grp0_q, grp1_q, grp2_q, grp3_q} <= {grp0_d, grp1_d, grp2_d, grp3_d};
      {armed_q, ready_q, flying_q, done_q} <= {armed_d, ready_d, flying_d, done_d};
      {open_q, stale_q} <= {open_d, stale_d};
      {run_q, run_row_q, queued_q} <= {run_d, run_row_d, queued_d};
      {head_q, tail_q, look_q} <= {head_d, tail_d, look_d};
      {cta_q, gone_q, wait_q, rel_q, rel_cta_q} <= {cta_d, gone_d, wait_d, rel_d, rel_cta_d};
    end
  end

`ifdef FORMAL
  `include "d2ma_ctrl_array_props.svh"
`endif
endmodule
`undef NEEDS
