// SPDX-License-Identifier: Apache-2.0
//
// map_table: where a resource's logical sets lie (Vijaykumar 2019, 4.4.5: a table for registers, one for scratchpad, one for warp slots, each
// entry a physical set and a valid bit; assumption: ports, banks and cycle behaviour). Rows are warps or blocks.
//
// Latency    a read gives the entry before the clock edge, in its cycle. The write is sampled at the edge.
// Entry      valid: the set lies in the physical set of that number. Not valid: it lies in the swap space, or its row does not hold it:
//            an entry cannot say which. Whether a row holds a set follows from the phase of its warp.
// Banks      row r is in bank r % BANKS. Read port p sees bank p % BANKS alone and is given r / BANKS. So each scheduler's warps have ports of
//            their own, and no two reads wait for each other.
// Storage    the number of an entry is {set, row}: SETS need not be a power of two, and there is neither multiplier nor adder.
// Caller     a set beyond SETS reads as not valid; a write to it does nothing.
// Reset      synchronous, active low: no entry is valid.
// Idle       busy_o is 0: an idle tick changes nothing.

`include "needs.vh"

module map_table #(
    parameter int ROWS = 64,   // warps or blocks, a power of two, 4..128
    parameter int SETS = 16,   // logical sets of a row, 1..64
    parameter int PHYS_W = 9,  // bits of an entry with its valid bit, 2..10
    parameter int READS = 6,   // read ports, 1..8
    parameter int BANKS = 2    // a power of two, 1..4, fewer than ROWS
) (
    input  logic                                  clk_i,
    input  logic                                  rst_ni,
    input  logic [READS-1:0]                      rd_en_i,     // a port is read
    input  logic [READS*$clog2(ROWS/BANKS)-1:0]   rd_row_i,    // row / BANKS, port 0 lowest
    input  logic [READS*(SETS <= 2 ? 1 : $clog2(SETS))-1:0] rd_set_i,  // its logical set
    output logic [READS-1:0]                      rd_valid_o,  // the set lies in a physical one; 0 without rd_en_i
    output logic [READS*(PHYS_W-1)-1:0]           rd_phys_o,   // this one; 0 if not valid
    input  logic                                  wr_en_i,     // an entry is written; sampled at the clock edge
    input  logic [$clog2(ROWS)-1:0]               wr_row_i,    // its row
    input  logic [(SETS <= 2 ? 1 : $clog2(SETS))-1:0] wr_set_i,  // its logical set
    input  logic                                  wr_valid_i,  // it lies in a physical set
    input  logic [PHYS_W-2:0]                     wr_phys_i,   // this one
    output logic                                  busy_o       // 0
);
  localparam int RB = $clog2(ROWS);
  localparam int HB = $clog2(ROWS / BANKS);
  localparam int SB = SETS <= 2 ? 1 : $clog2(SETS);
  localparam int W = PHYS_W - 1;
  localparam int ENTRIES = ROWS * SETS;
  localparam int AB = $clog2(ENTRIES);
  localparam int BB = RB - HB;  // bits of a bank
  localparam logic [31:0] LAST = SETS - 1;

  `NEEDS(ROWS >= 4 && ROWS <= 128, map_table_needs_rows_in_4_to_128)
  `NEEDS(ROWS == 1 << RB, map_table_needs_rows_to_be_a_power_of_two)
  `NEEDS(SETS >= 1 && SETS <= 64, map_table_needs_sets_in_1_to_64)
  `NEEDS(ENTRIES <= 2048, map_table_needs_at_most_2048_entries)
  `NEEDS(PHYS_W >= 2 && PHYS_W <= 10, map_table_needs_phys_w_in_2_to_10)
  `NEEDS(READS >= 1 && READS <= 8, map_table_needs_reads_in_1_to_8)
  `NEEDS(BANKS >= 1 && BANKS <= 4 && BANKS != 3, map_table_needs_banks_to_be_1_or_2_or_4)
  `NEEDS(BANKS < ROWS, map_table_needs_fewer_banks_than_rows)

  logic [ENTRIES-1:0] valid_q;      // entries whose set lies in a physical one
  logic [W-1:0] phys_q[0:ENTRIES-1];  // this one

  // Reads.
  for (genvar p = 0; p < READS; p++) begin : g_read
    localparam int BANK = p % BANKS;
    logic [31:0] row, set, at;
    logic there, hit, unused;
    assign row = {{(32 - HB) {1'b0}}, rd_row_i[p*HB+:HB]} << BB | BANK;
    assign set = {{(32 - SB) {1'b0}}, rd_set_i[p*SB+:SB]};
    assign at = set << RB | row;
    assign there = LAST >= set;
    assign hit = rd_en_i[p] && there && valid_q[at[AB-1:0]];
    assign rd_valid_o[p] = hit;
    assign rd_phys_o[p*W+:W] = hit ? phys_q[at[AB-1:0]] : '0;
    assign unused = &{1'b0, at};
  end
  assign busy_o = 1'b0;

  // The write.
  logic [31:0] wr_set, wr_at;
  logic writes, maps, unmaps, unused;
  assign wr_set = {{(32 - SB) {1'b0}}, wr_set_i};
  assign wr_at = wr_set << RB | {{(32 - RB) {1'b0}}, wr_row_i};
  assign writes = wr_en_i && wr_set <= LAST;
  assign maps = writes && wr_valid_i;
  assign unmaps = writes && !wr_valid_i;
  assign unused = &{1'b0, wr_at};

  // Registers. A physical set counts where its valid bit is 1.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else if (maps || unmaps) valid_q[wr_at[AB-1:0]] <= maps;
  end
  always_ff @(posedge clk_i) begin
    if (maps) phys_q[wr_at[AB-1:0]] <= wr_phys_i;
  end

`ifdef FORMAL
  `include "map_table_props.svh"
`endif
endmodule
`undef NEEDS
