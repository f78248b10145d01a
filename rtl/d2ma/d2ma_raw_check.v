// SPDX-License-Identifier: Apache-2.0
//
// d2ma_raw_check: read-after-write checker of the D2MA engine (Jamshidi 2014, section 4.3, figure
// 7). For each of BUFS buffers of CTAS CTA slots it holds the range of shared memory that the buffer
// fills, whether the fill is in flight (live), and which warps have re-ignited it and wait for the
// others (arrived). A shared access of warp w of a CTA hits an entry of that CTA if it overlaps the
// range and the entry is live or w has arrived at it.
//
// Latency    a query is answered in the next cycle (hit_valid_o, hit_o, hit_buf_o).
// Same cycle a query sees what its own cycle sets (range, live bit, arrival bit) and does not see
//            what its own cycle clears (live bit, arrival bits): both err on the safe side.
//            assumption: the range and the arrivals, which the paper does not have.
// Ties       set_live_i beats clr_live_i; arm_clr_i beats arm_wr_i, whose arrival is dropped.
// Range      [wr_sbase_i, wr_sbase_i + wr_foot_i), with an end of at most 65536; an entry with
//            footprint 0 never hits. A live entry may get a range inside its old one: at ignition the
//            footprint is not known, and the range goes to the end of shared memory. Out of contract:
//            a sum of more than 17 bits wraps; another range of a live entry replaces the old one.
// Out of range  assumption: a CTA slot, buffer or warp number beyond the parameters writes nothing
//            and hits nothing (a warp number beyond WARPS still hits live entries).
// Reset      synchronous, active low: nothing live, nothing arrived, every range empty.
// Idle       busy_o is 1 while an answer is valid; stored entries alone are not busy.

`include "needs.vh"

module d2ma_raw_check #(
    parameter int CTAS = 8,   // CTA slots, at least 1
    parameter int BUFS = 4,   // buffers per CTA, at least 1
    parameter int WARPS = 48  // hardware warps, at least 1
) (
    input  logic                                         clk_i,
    input  logic                                         rst_ni,
    // write the range of an entry
    input  logic                                         wr_en_i,     // of a live entry only to shrink it
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    wr_cta_i,    // CTA slot
    input  logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    wr_buf_i,    // buffer
    input  logic [15:0]                                  wr_sbase_i,  // first shared byte
    input  logic [16:0]                                  wr_foot_i,   // bytes; 0: no range
    // in flight or arrived
    input  logic                                         set_live_i,  // in flight; beats clr_live_i
    input  logic                                         clr_live_i,  // has arrived
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    st_cta_i,    // CTA slot of both
    input  logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    st_buf_i,    // buffer of both
    // arrivals of warps at an entry that waits for others
    input  logic                                         arm_wr_i,    // warp arm_warp_i has arrived
    input  logic                                         arm_clr_i,   // forget all; beats arm_wr_i
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    arm_cta_i,   // CTA slot of both
    input  logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    arm_buf_i,   // buffer of both
    input  logic [(WARPS <= 2 ? 1 : $clog2(WARPS))-1:0]  arm_warp_i,  // hardware warp
    // query
    input  logic                                         ld_valid_i,  // a warp accesses shared memory
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    ld_cta_i,    // CTA slot of the warp
    input  logic [(WARPS <= 2 ? 1 : $clog2(WARPS))-1:0]  ld_warp_i,   // hardware warp
    input  logic [15:0]                                  ld_lo_i,     // lowest shared byte touched
    input  logic [15:0]                                  ld_hi_i,     // highest shared byte touched
    // answer
    output logic                                         hit_valid_o, // the previous cycle's query is answered
    output logic                                         hit_o,       // the access must wait
    output logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    hit_buf_o,   // lowest buffer hit, or 0
    output logic                                         busy_o       // an answer is valid
);
  localparam int CW = CTAS <= 2 ? 1 : $clog2(CTAS);
  localparam int BW = BUFS <= 2 ? 1 : $clog2(BUFS);
  localparam int WW = WARPS <= 2 ? 1 : $clog2(WARPS);
  localparam int ROWS = CTAS * BUFS;
  localparam int RW = ROWS <= 2 ? 1 : $clog2(ROWS);
  localparam logic [ROWS-1:0] ROW_0 = 1;
  localparam logic [WARPS-1:0] WARP_0 = 1;

  // Rows are arrays, so that a simulator writes one row per cycle and copies nothing else.
  (* mem2reg *) logic [15:0] start_q[0:ROWS-1];
  (* mem2reg *) logic [16:0] end_q[0:ROWS-1];
  (* mem2reg *) logic [WARPS-1:0] arrived_q[0:ROWS-1];
  logic [ROWS-1:0] ranged_q, ranged_d;  // the row has a range that is not empty
  logic [ROWS-1:0] armed_q, armed_d;    // the row has arrivals
  logic [ROWS-1:0] live_q, live_d;
  logic hit_valid_q, hit_valid_d, hit_q, hit_d;
  logic [BW-1:0] hit_buf_q, hit_buf_d;

  `NEEDS(CTAS >= 1 && BUFS >= 1 && WARPS >= 1, d2ma_raw_check_needs_parameters_at_least_1)

  // Decode: numbers extended to 32 bits, so that row numbers cannot overflow; numbers out of range are masked.
  logic [31:0] wr_cta, wr_buf, st_cta, st_buf, arm_cta, arm_buf, arm_warp, ld_cta, ld_warp;
  assign wr_cta = {{(32 - CW) {1'b0}}, wr_cta_i};
  assign wr_buf = {{(32 - BW) {1'b0}}, wr_buf_i};
  assign st_cta = {{(32 - CW) {1'b0}}, st_cta_i};
  assign st_buf = {{(32 - BW) {1'b0}}, st_buf_i};
  assign arm_cta = {{(32 - CW) {1'b0}}, arm_cta_i};
  assign arm_buf = {{(32 - BW) {1'b0}}, arm_buf_i};
  assign arm_warp = {{(32 - WW) {1'b0}}, arm_warp_i};
  assign ld_cta = {{(32 - CW) {1'b0}}, ld_cta_i};
  assign ld_warp = {{(32 - WW) {1'b0}}, ld_warp_i};

  logic wr_go, set_go, clr_go, arm_go, ld_known, ld_warp_known;
  assign wr_go = wr_en_i && wr_cta < CTAS && wr_buf < BUFS;
  assign set_go = set_live_i && st_cta < CTAS && st_buf < BUFS;
  assign clr_go = clr_live_i && st_cta < CTAS && st_buf < BUFS;
  assign arm_go = (arm_wr_i || arm_clr_i) && arm_cta < CTAS && arm_buf < BUFS;
  assign ld_known = ld_cta < CTAS;
  assign ld_warp_known = ld_warp < WARPS;

  logic [31:0] wr_row, st_row, arm_row;
  assign wr_row = wr_cta * BUFS + wr_buf;
  assign st_row = st_cta * BUFS + st_buf;
  assign arm_row = arm_cta * BUFS + arm_buf;

  logic wr_some;
  logic [16:0] wr_end;
  assign wr_some = (|wr_foot_i);
  assign wr_end = {1'b0, wr_sbase_i} + wr_foot_i;

  logic [ROWS-1:0] set_mask, clr_mask, wr_mask, arm_row_mask;
  logic [WARPS-1:0] arm_mask, arm_before;
  assign set_mask = set_go ? ROW_0 << st_row : '0;
  assign clr_mask = clr_go ? ROW_0 << st_row : '0;
  assign wr_mask = wr_go ? ROW_0 << wr_row : '0;
  assign arm_row_mask = arm_go ? ROW_0 << arm_row : '0;
  assign arm_mask = WARP_0 << arm_warp;
  assign arm_before = |(armed_q & arm_row_mask) ? arrived_q[arm_row[RW-1:0]] : '0;

  // The entries of the querying CTA, with what this cycle sets; then compare.
  logic [ROWS-1:0] live_seen;
  logic [BUFS-1:0] lives, ranges, arms;
  logic [31:0] ld_row;
  assign ld_row = ld_known ? ld_cta * BUFS : '0;
  assign live_seen = live_q | set_mask;
  assign lives = live_seen[ld_row+:BUFS];
  assign ranges = ranged_q[ld_row+:BUFS];
  assign arms = armed_q[ld_row+:BUFS];

  logic wr_same_cta, arm_same_warp;
  assign wr_same_cta = wr_go && wr_cta_i == ld_cta_i;
  assign arm_same_warp = arm_go && !arm_clr_i && arm_cta_i == ld_cta_i && arm_warp_i == ld_warp_i;

  logic [BUFS-1:0] hits, first_hit;
  for (genvar b = 0; b < BUFS; b++) begin : g_entry
    localparam logic [BW-1:0] NUMBER = b;
    logic written, some, armed, meets;
    logic [15:0] first;
    logic [16:0] past;
    logic [WARPS-1:0] arrivals;
    assign written = wr_same_cta && wr_buf_i == NUMBER;
    assign some = written ? wr_some : ranges[b];
    assign first = written ? wr_sbase_i : start_q[ld_row+b];
    assign past = written ? wr_end : end_q[ld_row+b];
    assign arrivals = arrived_q[ld_row+b];
    assign armed = (arms[b] && arrivals[ld_warp[WW-1:0]]) || (arm_same_warp && arm_buf_i == NUMBER);
    assign meets = some && {1'b0, ld_lo_i} < past && ld_hi_i >= first;
    assign hits[b] = meets && (lives[b] || (ld_warp_known && armed));
  end
  assign first_hit = hits & -hits;

  // Answer to the query of the previous cycle.
  assign hit_valid_o = hit_valid_q;
  assign hit_o = hit_q;
  assign hit_buf_o = hit_buf_q;
  assign busy_o = hit_valid_q;

  // Next state.
  logic [BW-1:0] first_buf;
  onehot_index #(.N(BUFS)) u_first_buf (.onehot_i(first_hit), .index_o(first_buf));
  assign hit_buf_d = first_buf & {BW{hit_d}};
  always_comb begin
    live_d = (live_q & ~clr_mask) | set_mask;
    ranged_d = wr_some ? ranged_q | wr_mask : ranged_q & ~wr_mask;
    armed_d = arm_clr_i ? armed_q & ~arm_row_mask : armed_q | arm_row_mask;
    hit_valid_d = ld_valid_i;
    hit_d = ld_valid_i && ld_known && |hits;
  end

  // Registers. Rows have no reset: ranged_q and armed_q say which rows are valid.
  always_ff @(posedge clk_i) begin
    if (wr_go) begin
      start_q[wr_row[RW-1:0]] <= wr_sbase_i;
      end_q[wr_row[RW-1:0]] <= wr_end;
    end
    if (arm_go) arrived_q[arm_row[RW-1:0]] <= arm_before | arm_mask;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ranged_q <= '0;
      armed_q <= '0;
      live_q <= '0;
      hit_valid_q <= 1'b0;
      hit_q <= 1'b0;
      hit_buf_q <= '0;
    end else begin
      ranged_q <= ranged_d;
      armed_q <= armed_d;
      live_q <= live_d;
      hit_valid_q <= hit_valid_d;
      hit_q <= hit_d;
      hit_buf_q <= hit_buf_d;
    end
  end

`ifdef FORMAL
  `include "d2ma_raw_check_props.svh"
`endif
endmodule
`undef NEEDS
