// SPDX-License-Identifier: Apache-2.0
//
// xmem_alb: atom lookaside buffer of XMem (Vijaykumar 2019, 2.4.2; assumption: associativity, misses, interface and cycle
// behaviour). An entry holds the atoms of the units of one page; a lookup with a page number and a unit returns the unit's
// atom.
//
// Latency    a lookup taken at T0 reads its set, is compared at T1 and, on a hit, answered at T2; one lookup per cycle.
// Miss       at T1 the lookup allocates an entry of the miss table, which raises ms_valid_o at T2, or joins the entry of its
//            page; it waits in the entry's list. Misses are requested in order.
// Fill       goes to the drain register, merged with the updates that came while the miss was outstanding. It is written into
//            the first invalid way of its set, else the way that the tree names, as soon as the arrays are free (no lookup is
//            taken before). Its waiters are answered in order, one in each cycle without an answer to a hit. The entry is
//            freed when no lookup waits or joins; until then the page has no second miss.
// Update     T0 reads the set, T1 writes the mapped units wherever the page is: in a way, a miss or the drain register.
//            An update is never refused; updates must be at least two cycles apart, an earlier one is lost.
// Flush      nothing is valid from the next cycle on; outstanding misses answer the lookups that wait or join, and install
//            nothing. A lookup in T1 was taken before the flush and may hit.
// Priority   arrays: flush, update, fill, lookup. Answers: hit, waiter. A stream of hits delays the waiters of a fill, but
//            each fill takes one cycle from the lookups, in which at least one waiter is answered.
// Ready      lk_ready_o and fl_ready_o depend on flush_i and up_valid_i only; all other outputs depend on registers only.
// Out of range  assumption: fills that were not requested are taken and ignored.
// Reset      synchronous, active low: nothing valid, nothing outstanding, counters 0.
// Idle       busy_o is 1 while a lookup, an update, an answer or a miss is in progress.
//
// Arrays     one port: port_set reads a set or writes a way. Rows are numbered {set, way}, so that the ways of a set can be
//            one word with a write enable per way, or one macro per way; row_*_q are the output registers.

`include "needs.vh"

module xmem_alb #(
    parameter int PPN_W = 28,  // bits of a page number, at most 32
    parameter int SETS = 64,   // a power of two; 1: fully associative
    parameter int WAYS = 4,    // a power of two
    parameter int UNITS = 8,   // units per page, a power of two, 2..8
    parameter int IDW = 8,     // bits of an atom's number, 1..8
    parameter int NMISS = 8,   // outstanding misses, 2..8; twice as many lookups wait
    parameter int TAGW = 8     // bits of a requester's tag
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic                       flush_i,     // clear every entry
    // lookup
    input  logic                       lk_valid_i,  // a lookup arrives
    input  logic [PPN_W-1:0]           lk_ppn_i,    // physical page of the lookup
    input  logic [$clog2(UNITS)-1:0]   lk_sub_i,    // unit of the lookup inside the page
    input  logic [TAGW-1:0]            lk_tag_i,    // returned with the answer
    // update
    input  logic                       up_valid_i,  // an update: units were mapped; at least two cycles apart
    input  logic [PPN_W-1:0]           up_ppn_i,    // page of the update
    input  logic [UNITS-1:0]           up_mask_i,   // units of that page that were mapped
    input  logic [IDW-1:0]             up_aid_i,    // atom that they are mapped to; all ones: none
    // misses
    input  logic                       ms_ready_i,  // the request is taken
    input  logic                       fl_valid_i,  // a fill: the atoms of a page arrive
    input  logic [(NMISS <= 2 ? 1 : $clog2(NMISS))-1:0] fl_id_i,  // the request that the fill answers
    input  logic [UNITS*IDW-1:0]       fl_data_i,   // atoms of the page, unit 0 lowest
    output logic                       lk_ready_o,  // the lookup is taken
    // response
    output logic                       rs_valid_o,  // a lookup is answered
    output logic [TAGW-1:0]            rs_tag_o,    // tag of the answered lookup
    output logic [IDW-1:0]             rs_aid_o,    // atom of the unit
    output logic                       rs_hit_o,    // the lookup was a hit
    // request
    output logic                       ms_valid_o,  // request for a page's atoms; stable until taken
    output logic [PPN_W-1:0]           ms_ppn_o,    // page of the miss
    output logic [(NMISS <= 2 ? 1 : $clog2(NMISS))-1:0] ms_id_o,  // number of the miss, returned with its fill
    output logic                       fl_ready_o,  // the fill is taken
    // counters
    output logic [31:0]                c_lk_o,      // lookups taken
    output logic [31:0]                c_hit_o,     // lookups that hit
    output logic [31:0]                c_miss_o,    // lookups that missed
    output logic [31:0]                c_merge_o,   // lookups that missed and joined an outstanding miss
    output logic                       busy_o       // work is in progress
);
  localparam int SB = SETS <= 1 ? 0 : $clog2(SETS);
  localparam int WB = WAYS <= 1 ? 0 : $clog2(WAYS);
  localparam int XW = SB < 1 ? 1 : SB;    // bits of a set's number
  localparam int AW = SB + WB;            // bits of a row's number
  localparam int TW = PPN_W - SB;
  localparam int DW = UNITS * IDW;
  localparam int BW = $clog2(UNITS);
  localparam int MW = NMISS <= 2 ? 1 : $clog2(NMISS);
  localparam int NW = 2 * NMISS;          // waiters
  localparam int PW = $clog2(NW);
  localparam int NODES = WAYS < 2 ? 1 : WAYS - 1;
  localparam logic [31:0] LAST = NMISS - 1;
  localparam logic [MW-1:0] LAST_MISS = LAST[MW-1:0];

  `NEEDS(SETS >= 1 && (SETS & (SETS - 1)) == 0, xmem_alb_needs_sets_power_of_two)
  `NEEDS(WAYS >= 1 && (WAYS & (WAYS - 1)) == 0, xmem_alb_needs_ways_power_of_two)
  `NEEDS(SETS * WAYS >= 2, xmem_alb_needs_sets_times_ways_at_least_2)
  `NEEDS(PPN_W > SB && PPN_W <= 32, xmem_alb_needs_ppn_w_above_log2_of_sets_and_at_most_32)
  `NEEDS(UNITS == 2 || UNITS == 4 || UNITS == 8, xmem_alb_needs_units_2_4_or_8)
  `NEEDS(IDW >= 1 && IDW <= 8, xmem_alb_needs_idw_in_1_to_8)
  `NEEDS(NMISS >= 2 && NMISS <= 8, xmem_alb_needs_nmiss_in_2_to_8)
  `NEEDS(TAGW >= 1, xmem_alb_needs_tagw_at_least_1)

  // Arrays.
  logic [TW-1:0] tags_q [0:SETS*WAYS-1];
  logic [DW-1:0] data_q [0:SETS*WAYS-1];
  logic [SETS*WAYS-1:0] valid_q;
  logic [SETS*NODES-1:0] lru_q;  // a tree per set: node n at n - 1, nodes 2n and 2n + 1 below it; a bit points to the older half
  // Stage 1.
  logic lk_q, up_q;
  logic [PPN_W-1:0] ppn_q;
  logic [BW-1:0] sub_q;
  logic [TAGW-1:0] tag_q;
  logic [UNITS-1:0] mask_q;
  logic [IDW-1:0] aid_q;
  logic [WAYS-1:0] row_val_q;
  (* mem2reg *) logic [TW-1:0] row_tag_q [0:WAYS-1];
  (* mem2reg *) logic [DW-1:0] row_data_q [0:WAYS-1];
  // Misses.
  logic [NMISS-1:0] miss_q, sent_q, noinst_q, merged_q, some_q;
  logic [PPN_W-1:0] miss_ppn_q [0:NMISS-1];
  logic [UNITS-1:0] miss_mask_q [0:NMISS-1];
  logic [DW-1:0] miss_data_q [0:NMISS-1];
  logic [NMISS*PW-1:0] head_q, tail_q;
  logic [NMISS*MW-1:0] order_q;
  logic [MW-1:0] order_head_q, order_tail_q;
  // Waiters.
  logic [NW-1:0] wait_q;
  logic [NW*PW-1:0] next_q;
  logic [BW-1:0] wait_sub_q [0:NW-1];
  logic [TAGW-1:0] wait_tag_q [0:NW-1];
  // The fill that is being written and answered.
  logic drain_q, install_q;
  logic [MW-1:0] drain_id_q;
  logic [PPN_W-1:0] drain_ppn_q;
  logic [DW-1:0] drain_data_q;
  // Response and counters.
  logic rs_q, rs_hit_q;
  logic [TAGW-1:0] rs_tag_q;
  logic [IDW-1:0] rs_aid_q;
  logic [31:0] c_lk_q, c_hit_q, c_miss_q, c_merge_q;

  // Stage 0: who uses the arrays. A lookup needs miss space for itself and for the one in stage 1.
  logic [NMISS-1:0] miss_free;
  logic [NW-1:0] wait_free;
  logic room, take_lk, take_up, take_fl, install;
  assign miss_free = ~miss_q;
  assign wait_free = ~wait_q;
  assign room = |(miss_free & (miss_free - 1'b1)) && |(wait_free & (wait_free - 1'b1));
  assign lk_ready_o = !flush_i && !up_valid_i && !up_q && !install_q && room;
  assign take_lk = lk_valid_i && lk_ready_o;
  assign take_up = up_valid_i && !up_q;
  assign install = install_q && !lk_q && !up_q && !up_valid_i && !flush_i;

  logic [PPN_W-1:0] port_ppn;
  logic [XW-1:0] port_set;
  logic [TW-1:0] tag;
  assign port_ppn = up_q ? ppn_q : up_valid_i ? up_ppn_i : install_q ? drain_ppn_q : lk_ppn_i;
  assign tag = ppn_q[PPN_W-1:SB];
  if (SETS == 1) begin : g_set
    assign port_set = 1'b0;
  end else begin : g_set
    assign port_set = port_ppn[SB-1:0];
  end
  logic [WAYS-1:0] port_val;
  assign port_val = valid_q[port_set*WAYS+:WAYS];

  // Stage 1: the way and the miss that hold the page.
  logic [WAYS-1:0] hits;
  logic [NMISS-1:0] same, chosen;
  logic hit, lk_hit, lk_miss, joined;
  logic [DW-1:0] hit_data;
  for (genvar w = 0; w < WAYS; w++) begin : g_hit
    logic [DW-1:0] data;  // data of ways 0 to this one, 0 where they miss
    assign hits[w] = row_val_q[w] && row_tag_q[w] == tag;
    if (w == 0) assign data = row_data_q[w] & {DW{hits[w]}};
    else assign data = g_hit[w-1].data | (row_data_q[w] & {DW{hits[w]}});
  end
  assign hit_data = g_hit[WAYS-1].data;
  for (genvar m = 0; m < NMISS; m++) begin : g_same
    assign same[m] = miss_q[m] && miss_ppn_q[m] == ppn_q;
  end
  assign hit = |hits;
  assign joined = |same;
  assign lk_hit = lk_q && hit;
  assign lk_miss = lk_q && !hit;
  assign chosen = joined ? same : miss_free & -miss_free;

  logic [MW-1:0] miss_id;
  onehot_index #(.N(NMISS)) u_miss_id (.onehot_i(chosen), .index_o(miss_id));

  // A page's atoms after an update.
  logic [DW-1:0] mapped, units;
  assign mapped = {UNITS{aid_q}};
  always @* begin : mapped_units
    units = '0;
    if (up_q) for (int u = 0; u < UNITS; u++) units[u*IDW+:IDW] = {IDW{mask_q[u]}};
  end

  // Fill: the data of its miss, with the updates that the miss has collected.
  logic [(1<<MW)-1:0] open;
  logic [DW-1:0] fl_units, fl_data;
  logic [UNITS-1:0] fl_mask;
  logic fl_known;
  if ((1 << MW) == NMISS) assign open = miss_q & sent_q;
  else assign open = {{((1 << MW) - NMISS) {1'b0}}, miss_q & sent_q};
  assign fl_known = open[fl_id_i];
  assign fl_ready_o = !drain_q && !up_q && !flush_i;
  assign take_fl = fl_valid_i && fl_ready_o && fl_known;
  assign fl_mask = merged_q[fl_id_i] ? miss_mask_q[fl_id_i] : '0;
  always @* begin : merged_units
    fl_units = '0;
    if (fl_valid_i && |fl_mask) for (int u = 0; u < UNITS; u++) fl_units[u*IDW+:IDW] = {IDW{fl_mask[u]}};
  end
  assign fl_data = (fl_data_i & ~fl_units) | (miss_data_q[fl_id_i] & fl_units);

  // The way that the fill replaces, and the path through the tree to the way that is used.
  logic [WAYS-1:0] free, victim, write;
  assign free = ~port_val & (port_val + 1'b1);
  if (WAYS == 1) begin : g_lru
    assign victim = 1'b1;
  end else begin : g_lru
    logic [WAYS-2:0] tree, path, away;
    logic [WAYS-1:0] used;
    logic [XW-1:0] used_set;
    assign tree = lru_q[port_set*NODES+:NODES];
    assign used = install ? write : hits;
    if (SETS == 1) assign used_set = 1'b0;
    else assign used_set = install ? port_set : ppn_q[SB-1:0];
    logic [2*WAYS-1:1] old;  // nodes on the path to the oldest way; the ways are the leaves
    logic [2*WAYS-1:1] on;   // nodes on the path to the way used
    always @* begin : paths
      old = '0;
      on = '0;
      path = '0;
      away = '0;
      if (install_q) begin
        old[1] = 1'b1;
        for (int n = 1; n < WAYS; n++) begin
          old[2*n] = old[n] && !tree[n-1];
          old[2*n+1] = old[n] && tree[n-1];
        end
      end
      if (install_q || lk_q) begin
        on[2*WAYS-1:WAYS] = used;
        for (int n = WAYS - 1; n > 0; n--) begin
          on[n] = on[2*n] || on[2*n+1];
          path[n-1] = on[n];
          away[n-1] = on[2*n];
        end
      end
    end
    assign victim = old[2*WAYS-1:WAYS];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        lru_q <= '0;
      end else if (lk_hit || install) begin
        for (int n = 0; n < NODES; n++) if (path[n]) lru_q[used_set*NODES+n] <= away[n];
      end
    end
  end
  assign write = &port_val ? victim : free;

  // Answers: a hit, else the oldest waiter of the fill.
  logic draining, answer, emptied, done;
  logic [PW-1:0] place, first;
  logic [NW-1:0] place_bit;
  logic [NMISS-1:0] drain_bit;
  logic [BW-1:0] first_sub;
  assign place_bit = wait_free & -wait_free;
  onehot_index #(.N(NW)) u_place (.onehot_i(place_bit), .index_o(place));
  assign drain_bit = {{(NMISS - 1) {1'b0}}, 1'b1} << drain_id_q;
  assign draining = drain_q && some_q[drain_id_q];
  assign first = head_q[drain_id_q*PW+:PW];
  assign first_sub = wait_sub_q[first];
  assign answer = draining && !lk_hit;
  assign emptied = answer && first == tail_q[drain_id_q*PW+:PW];
  assign done = drain_q && !install_q && !draining && !(lk_miss && |(same & drain_bit));

  // Requests.
  logic [MW-1:0] order_id;
  logic ms_take;
  assign order_id = order_q[order_head_q*MW+:MW];
  assign ms_valid_o = |(miss_q & ~sent_q);
  assign ms_id_o = order_id & {MW{ms_valid_o}};
  assign ms_ppn_o = miss_ppn_q[order_id] & {PPN_W{ms_valid_o}};
  assign ms_take = ms_valid_o && ms_ready_i;

  assign rs_valid_o = rs_q;
  assign rs_tag_o = rs_tag_q;
  assign rs_aid_o = rs_aid_q;
  assign rs_hit_o = rs_hit_q;
  assign c_lk_o = c_lk_q;
  assign c_hit_o = c_hit_q;
  assign c_miss_o = c_miss_q;
  assign c_merge_o = c_merge_q;
  assign busy_o = lk_q || up_q || rs_q || |miss_q;

  // Registers: arrays.
  logic [WAYS-1:0] written;
  logic [DW-1:0] port_data;
  assign written = up_q ? hits : write & {WAYS{install}};
  assign port_data = up_q ? (hit_data & ~units) | (mapped & units) : drain_data_q;
  for (genvar w = 0; w < WAYS; w++) begin : g_way
    localparam logic [31:0] WAY = w;
    logic [AW-1:0] at;
    if (WAYS == 1) assign at = port_set;
    else if (SETS == 1) assign at = WAY[AW-1:0];
    else assign at = {port_set, WAY[WB-1:0]};
    always_ff @(posedge clk_i) begin
      if (take_lk || take_up) begin
        row_tag_q[w] <= tags_q[at];
        row_data_q[w] <= data_q[at];
      end
      if (install && write[w]) tags_q[at] <= drain_ppn_q[PPN_W-1:SB];
      if (written[w]) data_q[at] <= port_data;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) valid_q <= '0;
    else if (install) valid_q[port_set*WAYS+:WAYS] <= port_val | write;
  end

  // Stage 1.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      lk_q <= 1'b0;
      up_q <= 1'b0;
      ppn_q <= '0;
      row_val_q <= '0;
    end else begin
      lk_q <= take_lk;
      up_q <= take_up;
      if (take_lk || take_up) begin
        ppn_q <= port_ppn;
        row_val_q <= flush_i ? '0 : port_val;
      end
    end
    if (take_lk) begin
      sub_q <= lk_sub_i;
      tag_q <= lk_tag_i;
    end
    if (take_up) begin
      mask_q <= up_mask_i;
      aid_q <= up_aid_i;
    end
  end

  // Misses: allocated, requested, updated, freed.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      miss_q <= '0;
      sent_q <= '0;
      noinst_q <= '0;
      merged_q <= '0;
      order_q <= '0;
      order_head_q <= '0;
      order_tail_q <= '0;
    end else begin
      if (ms_take) begin
        sent_q[order_id] <= 1'b1;
        order_head_q <= order_head_q == LAST_MISS ? '0 : order_head_q + 1'b1;
      end
      if (lk_miss && !joined) begin
        miss_q[miss_id] <= 1'b1;
        sent_q[miss_id] <= 1'b0;
        noinst_q[miss_id] <= 1'b0;
        merged_q[miss_id] <= 1'b0;
        order_q[order_tail_q*MW+:MW] <= miss_id;
        order_tail_q <= order_tail_q == LAST_MISS ? '0 : order_tail_q + 1'b1;
      end
      if (up_q && joined) merged_q[miss_id] <= 1'b1;
      if (done) miss_q[drain_id_q] <= 1'b0;
      if (flush_i) noinst_q <= '1;
    end
    if (lk_miss && !joined) miss_ppn_q[miss_id] <= ppn_q;
    if (up_q && joined) begin
      if (merged_q[miss_id]) begin
        miss_mask_q[miss_id] <= miss_mask_q[miss_id] | mask_q;
        miss_data_q[miss_id] <= (miss_data_q[miss_id] & ~units) | (mapped & units);
      end else begin
        miss_mask_q[miss_id] <= mask_q;
        miss_data_q[miss_id] <= mapped;
      end
    end
  end

  // Waiters: one list per miss.
  logic alone;
  assign alone = !some_q[miss_id] || (emptied && drain_id_q == miss_id);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wait_q <= '0;
      some_q <= '0;
      next_q <= '0;
    end else begin
      if (answer) begin
        wait_q[first] <= 1'b0;
        if (emptied) some_q[drain_id_q] <= 1'b0;
      end
      if (lk_miss) begin
        wait_q[place] <= 1'b1;
        some_q[miss_id] <= 1'b1;
        if (!alone) next_q[tail_q[miss_id*PW+:PW]*PW+:PW] <= place;
      end
    end
    if (answer && !emptied) head_q[drain_id_q*PW+:PW] <= next_q[first*PW+:PW];
    if (lk_miss) begin
      if (alone) head_q[miss_id*PW+:PW] <= place;
      tail_q[miss_id*PW+:PW] <= place;
      wait_sub_q[place] <= sub_q;
      wait_tag_q[place] <= tag_q;
    end
  end

  // The fill.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      drain_q <= 1'b0;
      install_q <= 1'b0;
    end else begin
      if (take_fl) drain_q <= 1'b1;
      else if (done) drain_q <= 1'b0;
      if (take_fl) install_q <= !noinst_q[fl_id_i];
      else if (flush_i || install) install_q <= 1'b0;
    end
    if (take_fl) begin
      drain_id_q <= fl_id_i;
      drain_ppn_q <= miss_ppn_q[fl_id_i];
      drain_data_q <= fl_data;
    end else if (drain_q && up_q && |(same & drain_bit)) begin
      drain_data_q <= (drain_data_q & ~units) | (mapped & units);
    end
  end

  // Response and counters.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rs_q <= 1'b0;
      rs_hit_q <= 1'b0;
      rs_tag_q <= '0;
      rs_aid_q <= '0;
      c_lk_q <= '0;
      c_hit_q <= '0;
      c_miss_q <= '0;
      c_merge_q <= '0;
    end else begin
      rs_q <= lk_hit || answer;
      if (lk_hit) begin
        rs_hit_q <= 1'b1;
        rs_tag_q <= tag_q;
        rs_aid_q <= hit_data[sub_q*IDW+:IDW];
      end else if (answer) begin
        rs_hit_q <= 1'b0;
        rs_tag_q <= wait_tag_q[first];
        rs_aid_q <= drain_data_q[first_sub*IDW+:IDW];
      end
      if (take_lk) c_lk_q <= c_lk_q + 1'b1;
      if (lk_hit) c_hit_q <= c_hit_q + 1'b1;
      if (lk_miss) c_miss_q <= c_miss_q + 1'b1;
      if (lk_miss && joined) c_merge_q <= c_merge_q + 1'b1;
    end
  end

`ifdef FORMAL
  `include "xmem_alb_props.svh"
`endif
endmodule
`undef NEEDS
