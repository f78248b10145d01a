// SPDX-License-Identifier: Apache-2.0
//
// xmem_page_units: the units of a page that a range of bytes touches or, with EDGE, at least half covers; combinational.

module xmem_page_units #(
    parameter int UNITS = 8,  // units of a page: 2, 4 or 8
    parameter int EDGE = 0    // 1: a unit counts if at least half of it lies in the range
) (
    input  logic [11:0]      lo_i,    // first byte of the range in the page
    input  logic [11:0]      hi_i,    // last byte, not below the first
    output logic [UNITS-1:0] units_o  // the units
);
  localparam int UW = $clog2(UNITS);
  localparam int SW = 12 - UW;  // bits of a byte in a unit
  localparam logic [UNITS-1:0] ALL = {UNITS{1'b1}};  // Yosys 0.23 takes '1 here for one bit
  localparam logic [SW-1:0] HALF = {1'b1, {(SW - 1) {1'b0}}};
  localparam logic [UNITS-1:0] UNIT_0 = 1;

  logic [UW-1:0] from, to;
  logic [UNITS-1:0] touched, edges, bit_from, bit_to;
  logic few_from, few_to;  // less than half of the first unit, of the last unit, is covered
  assign from = lo_i[11-:UW];
  assign to = hi_i[11-:UW];
  assign touched = (ALL << from) & (ALL >> ~to);
  assign bit_from = UNIT_0 << from;
  assign bit_to = UNIT_0 << to;
  assign few_from = lo_i[SW-1:0] > HALF;
  assign few_to = hi_i[SW-1:0] < HALF - 1'b1;
  // Both ends in one unit: the bytes between them decide.
  assign edges = from != to ? (few_from ? bit_from : '0) | (few_to ? bit_to : '0)
               : {1'b0, hi_i[SW-1:0]} + 1'b1 < {1'b0, lo_i[SW-1:0]} + {1'b0, HALF} ? bit_from : '0;
  assign units_o = EDGE != 0 ? touched & ~edges : touched;
endmodule
