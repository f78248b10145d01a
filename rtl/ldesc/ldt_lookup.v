// SPDX-License-Identifier: Apache-2.0
//
// ldt_lookup: the policy table beside an SM's L1: ranges of addresses, each with an insertion class and a prefetch mode (Vijaykumar
// 2019, 3.4.2 to 3.4.4; assumption: rows, widths, ports and cycle behaviour). The driver fills it before a launch, the structure of
// the highest priority in row 0.
//
// Latency    an address and its answer in the same cycle, beside the tags of the L1. One address a cycle.
// Range      rows cover whole lines of 128 bytes: [base, limit). The lowest row that has the address wins. Without one the answer is 0:
//            normal insertion, no prefetch.
// Filling    clear_en_i empties the table, set_en_i writes a row; in one cycle the clearing comes first. Lookups see both from the next
//            cycle on. A row that does not exist is not written.
// Reset      synchronous, active low: no row.
// Idle       busy_o is 0: an idle tick changes nothing.

`include "needs.vh"

module ldt_lookup #(
    parameter int ROWS = 16,  // rows, 1..16
    parameter int PAW = 48    // bits of an address, 8..48
) (
    input  logic                                     clk_i,
    input  logic                                     rst_ni,
    // driver
    input  logic                                     clear_en_i,   // every row leaves
    input  logic                                     set_en_i,     // a row is written
    input  logic [(ROWS <= 2 ? 1 : $clog2(ROWS))-1:0] set_row_i,   // its number; the lowest has the highest priority
    input  logic [PAW-8:0]                           set_base_i,   // its first line
    input  logic [PAW-8:0]                           set_limit_i,  // the line behind its last one
    input  logic [1:0]                               set_insert_i, // 0 normal, 1 soft pin, 2 hard pin, 3 bypass
    input  logic [1:0]                               set_pf_i,     // prefetch: 0 off, 1 next line, 2 stride
    // lookup
    input  logic                                     at_en_i,      // an address is looked up
    input  logic [PAW-1:0]                           at_addr_i,    // byte address
    output logic                                     hit_o,        // a row has it
    output logic [(ROWS <= 2 ? 1 : $clog2(ROWS))-1:0] hit_row_o,       // that row, or 0
    output logic [1:0]                               insert_o,     // its insertion class, or 0
    output logic [1:0]                               pf_o,         // its prefetch mode, or 0
    output logic                                     busy_o        // 0
);
  localparam int RB = ROWS <= 2 ? 1 : $clog2(ROWS);
  localparam int LW = PAW - 7;  // bits of a line's number

  `NEEDS(ROWS >= 1 && ROWS <= 16, ldt_lookup_needs_rows_in_1_to_16)
  `NEEDS(PAW >= 8 && PAW <= 48, ldt_lookup_needs_paw_in_8_to_48)

  logic [ROWS-1:0] valid_q;
  logic [ROWS*LW-1:0] base_q, limit_q;  // row 0 lowest
  logic [ROWS*2-1:0] insert_q, pf_q;

  // Lookup.
  logic [LW-1:0] line;
  logic [ROWS-1:0] has, first, wins;
  logic unused;
  assign line = at_addr_i[PAW-1:7];
  assign unused = &{1'b0, at_addr_i[6:0]};
  for (genvar r = 0; r < ROWS; r++) begin : g_row
    assign has[r] = valid_q[r] && line >= base_q[r*LW+:LW] && line < limit_q[r*LW+:LW];
  end
  assign first = has & -has;
  assign wins = at_en_i ? first : '0;
  assign hit_o = wins != '0;
  onehot_index #(.N(ROWS)) u_row (.onehot_i(wins), .index_o(hit_row_o));
  always_comb begin
    insert_o = '0;
    pf_o = '0;
    for (int r = 0; r < ROWS; r++) begin
      insert_o = insert_o | (insert_q[r*2+:2] & {2{wins[r]}});
      pf_o = pf_o | (pf_q[r*2+:2] & {2{wins[r]}});
    end
  end
  assign busy_o = 1'b0;

  // Filling.
  logic [31:0] set_row;
  logic [ROWS-1:0] written, kept, valid_d;
  assign set_row = {{(32 - RB) {1'b0}}, set_row_i};
  for (genvar r = 0; r < ROWS; r++) begin : g_set
    assign written[r] = set_en_i && set_row == r;
  end
  assign kept = clear_en_i ? '0 : valid_q;
  assign valid_d = kept | written;

  // Registers. A row counts where valid_q has a one.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= valid_d;
  end
  always_ff @(posedge clk_i) begin
    for (int r = 0; r < ROWS; r++) begin
      if (written[r]) begin
        base_q[r*LW+:LW] <= set_base_i;
        limit_q[r*LW+:LW] <= set_limit_i;
        insert_q[r*2+:2] <= set_insert_i;
        pf_q[r*2+:2] <= set_pf_i;
      end
    end
  end

`ifdef FORMAL
  `include "ldt_lookup_props.svh"
`endif
endmodule
`undef NEEDS
