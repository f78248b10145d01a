// SPDX-License-Identifier: Apache-2.0
//
// bkconf_history_cache: bank-conflict history of the instructions of one core (Gou & Gaydadjiev
// 2011, section 4.2, table 2). Indexed by PC, it holds for each shared memory instruction the cycles
// that its last execution took beyond its issue slots; the warp scheduler keeps memory warps that
// many cycles away.
//
// Latency    a lookup sampled at T0 is answered at T1 (rs_valid_o); an update sampled at T0 reads
//            its set at T0 and writes at T1. One of each is accepted in every cycle.
// Same cycle a lookup sees the update of its own cycle and all earlier ones: the new degree, a hit
//            on a just allocated entry, a miss on a just evicted one.
// Placement  the way that holds the PC, else the lowest free way, else the least recently used one.
//            A lookup that hits and every write count as uses; in one cycle the lookup comes first.
//            assumption: four ways use the tree approximation of least recently used.
// Flush      clears everything in one cycle and drops the updates of this cycle and the previous one;
//            the lookup of this cycle and the answer of this cycle are misses.
// Reset      synchronous, active low; like a flush, with nothing pending.
// Idle       busy_o is 1 while an answer or a write is pending; valid entries alone are not busy.
//
// The paper's cache has no valid bits and no use bits: tags and degrees are SETS * WAYS *
// (PCW - log2 SETS + DW) bits, 704 bytes as published. Valid and use bits make it 800 bytes.
// Way 0 of a set is filled first, so valid_q[SETS-1:0] says which sets hold any entry.

`include "needs.vh"

module bkconf_history_cache #(
    parameter int PCW = 14,    // bits of an instruction's number
    parameter int SETS = 256,  // a power of two, at least 2
    parameter int WAYS = 2,    // 1, 2 or 4
    parameter int DW = 5       // bits of a degree
) (
    input  logic           clk_i,
    input  logic           rst_ni,
    input  logic           flush_i,      // clear everything
    // lookup
    input  logic           lk_valid_i,   // a shared memory instruction issues
    input  logic [PCW-1:0] lk_pc_i,      // number of that instruction
    // update
    input  logic           up_valid_i,   // an execution has been measured
    input  logic [PCW-1:0] up_pc_i,      // number of the measured instruction
    input  logic [DW-1:0]  up_degree_i,  // cycles it took beyond its issue slots
    // answer
    output logic           rs_valid_o,   // the lookup of the previous cycle is answered
    output logic           lk_hit_o,     // the instruction is known
    output logic [DW-1:0]  lk_degree_o,  // its last degree; 0 on a miss
    output logic           busy_o,       // an answer or a write is pending
    // events
    output logic           ev_hit_o,     // a lookup hit
    output logic           ev_miss_o,    // a lookup missed
    output logic           ev_alloc_o,   // an update takes a new entry
    output logic           ev_evict_o    // an update evicts an entry
);
  localparam int SW = SETS <= 2 ? 1 : $clog2(SETS);
  localparam int TW = PCW - SW;
  localparam logic [31-SW:0] ZEROS = '0;      // before a set: an index of 32 bits
  localparam int EW = TW + DW;                 // an entry: {tag, degree}
  localparam int LW = WAYS <= 2 ? 1 : WAYS - 1;  // use bits of a set

  logic [WAYS*EW-1:0] rows_q [0:SETS-1];
  logic [SETS*LW-1:0] lru_q;
  logic [SETS*WAYS-1:0] valid_q;
  logic lk_q, up_q;
  logic [PCW-1:0] lk_pc_q, up_pc_q;
  logic [DW-1:0] up_degree_q;
  logic [WAYS-1:0] lk_val_q, up_val_q, lk_val_d, up_val_d;
  logic [WAYS*EW-1:0] lk_row_q, up_row_q;

  `NEEDS(SETS >= 2 && (SETS & (SETS - 1)) == 0, bkconf_history_cache_needs_sets_power_of_two_at_least_2)
  `NEEDS(WAYS == 1 || WAYS == 2 || WAYS == 4, bkconf_history_cache_needs_ways_1_2_or_4)
  `NEEDS(PCW > SW, bkconf_history_cache_needs_pcw_above_log2_of_sets)
  `NEEDS(DW >= 1 && WAYS * EW <= 64, bkconf_history_cache_needs_dw_so_that_a_set_has_at_most_64_bits)

  // Decode, T1: the ways that hold the PC looked up and the PC updated.
  logic [SW-1:0] lk_set, up_set;
  logic [TW-1:0] lk_tag, up_tag;
  assign lk_set = lk_pc_q[SW-1:0];
  assign up_set = up_pc_q[SW-1:0];
  assign lk_tag = lk_pc_q[PCW-1:SW];
  assign up_tag = up_pc_q[PCW-1:SW];

  logic [WAYS-1:0] lk_same, up_same;
  logic [WAYS*DW-1:0] degrees;
  for (genvar w = 0; w < WAYS; w++) begin : g_way
    assign lk_same[w] = lk_val_q[w] && lk_row_q[w*EW+DW+:TW] == lk_tag;
    assign up_same[w] = up_val_q[w] && up_row_q[w*EW+DW+:TW] == up_tag;
    assign degrees[w*DW+:DW] = lk_row_q[w*EW+:DW] & {DW{seen[w]}};
  end

  // The way that the update takes. Use bits: the lookup's use comes first, then the write's.
  logic [WAYS-1:0] free, oldest, way;
  logic same_set, up_hit, up_full, up_empty, write;
  assign same_set = lk_q && lk_set == up_set;
  assign up_hit = |up_same;
  assign up_full = &up_val_q;
  assign up_empty = !up_val_q[0];
  assign write = up_q && !flush_i;
  assign free = ~up_val_q & (up_val_q + 1'b1);
  assign way = up_hit ? up_same : up_full ? oldest : free;

  if (WAYS == 1) begin : g_lru
    assign oldest = 1'b1;
  end else begin : g_lru
    logic uses;
    logic [LW-1:0] lk_used, up_lru, up_used;
    assign uses = lk_q && |lk_same && !flush_i;
    assign up_lru = uses && same_set ? lk_used : lru_q[{ZEROS, up_set}*LW+:LW];
    if (WAYS == 2) begin : g_two
      assign lk_used = lk_same[0];
      assign up_used = way[0];
      assign oldest = {up_lru, !up_lru};
    end else begin : g_four
      logic [2:1] lru;
      logic [2:0] last;
      assign lru = lru_q[{ZEROS, lk_set}*LW+1+:2];
      assign last = up_lru & {3{!up_empty}};
      assign lk_used = {|lk_same[3:2] ? lk_same[2] : lru[2],
                        |lk_same[1:0] ? lk_same[0] : lru[1], |lk_same[1:0]};
      assign up_used = {|way[3:2] ? way[2] : last[2], |way[1:0] ? way[0] : last[1], |way[1:0]};
      assign oldest = last[0] ? {last[2], !last[2], 2'b00} : {2'b00, last[1], !last[1]};
    end
    always_ff @(posedge clk_i) begin
      if (uses && !(write && same_set)) lru_q[{ZEROS, lk_set}*LW+:LW] <= lk_used;
      if (write) lru_q[{ZEROS, up_set}*LW+:LW] <= up_used;
    end
  end

  logic [WAYS*EW-1:0] row;
  for (genvar w = 0; w < WAYS; w++) begin : g_row
    assign row[w*EW+:EW] = way[w] ? {up_tag, up_degree_q} : up_row_q[w*EW+:EW] & {EW{!up_empty}};
  end

  // Answer, T1: the state after the update of the same cycle.
  logic own, hit;
  logic [WAYS-1:0] seen;
  logic [DW-1:0] degree;
  assign own = up_q && same_set && lk_tag == up_tag;
  assign seen = lk_same & ~(way & {WAYS{up_q && same_set}});
  assign hit = lk_q && !flush_i && (own || |seen);
  if (WAYS == 4) begin : g_degree
    assign degree = degrees[0+:DW] | degrees[DW+:DW] | degrees[2*DW+:DW] | degrees[3*DW+:DW];
  end else if (WAYS == 2) begin : g_degree
    assign degree = degrees[0+:DW] | degrees[DW+:DW];
  end else begin : g_degree
    assign degree = degrees;
  end
  assign rs_valid_o = lk_q;
  assign lk_hit_o = hit;
  assign lk_degree_o = (own ? up_degree_q : degree) & {DW{hit}};
  assign busy_o = lk_q || up_q;
  assign ev_hit_o = hit;
  assign ev_miss_o = lk_q && !hit;
  assign ev_alloc_o = write && !up_hit;
  assign ev_evict_o = ev_alloc_o && up_full;

  // Next state, T0: both sets as the write of this cycle leaves them.
  logic [SW-1:0] lk_set_i, up_set_i;
  logic lk_forward, up_forward;
  logic [WAYS-1:0] lk_valid, up_valid;
  assign lk_set_i = lk_pc_i[SW-1:0];
  assign up_set_i = up_pc_i[SW-1:0];
  assign lk_forward = write && lk_set_i == up_set;
  assign up_forward = write && up_set_i == up_set;
  for (genvar w = 0; w < WAYS; w++) begin : g_valid
    localparam int FIRST = w * SETS;
    logic [SETS-1:0] valid;
    assign valid = valid_q[FIRST+:SETS];
    assign lk_valid[w] = valid[lk_set_i];
    assign up_valid[w] = valid[up_set_i];
  end
  always_comb begin
    lk_val_d = lk_forward ? up_val_q | way : lk_valid;
    up_val_d = up_forward ? up_val_q | way : up_valid;
    if (flush_i) {lk_val_d, up_val_d} = '0;
  end

  // Registers. The rows are a memory with clocked reads; a read is forwarded the write of its own cycle.
  always_ff @(posedge clk_i) begin
    if (lk_valid_i) lk_row_q <= lk_forward ? row : rows_q[lk_set_i];
    if (up_valid_i) up_row_q <= up_forward ? row : rows_q[up_set_i];
    if (write) rows_q[up_set] <= row;
  end
  always_ff @(posedge clk_i) begin
    if (lk_valid_i) lk_pc_q <= lk_pc_i;
    if (up_valid_i) begin
      up_pc_q <= up_pc_i;
      up_degree_q <= up_degree_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) begin
      valid_q <= '0;
    end else if (write && !up_full) begin
      for (int w = 0; w < WAYS; w++) begin
        if (way[w]) valid_q[w*SETS+{ZEROS, up_set}] <= 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      lk_q <= 1'b0;
      up_q <= 1'b0;
      lk_val_q <= '0;
      up_val_q <= '0;
    end else begin
      lk_q <= lk_valid_i;
      up_q <= up_valid_i && !flush_i;
      if (lk_valid_i) lk_val_q <= lk_val_d;
      if (up_valid_i) up_val_q <= up_val_d;
    end
  end

`ifdef FORMAL
  `include "bkconf_history_cache_props.svh"
`endif
endmodule
`undef NEEDS
