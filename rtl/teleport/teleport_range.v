// SPDX-License-Identifier: Apache-2.0
//
// teleport_range: the 128-byte lines that a thread block (CTA) reads by one row of TELEPORT's table (Lashgar et al. 2018,
// equations 2 and 3; assumption: ports and cycle behaviour). The row is a range of bytes whose ends are linear in the block's
// index:
//   min = base + typesize * (bx * minp[0] + by * minp[1] + bz * minp[2] + mino), max likewise; max is exclusive.
//
// Latency    T0 takes a row, T1 multiplies by the index and adds (six products of 32 x 16 bits), T2 scales and adds the base
//            (two products), from T3 on one line a cycle, in ascending order. The paper's twelve ALUs are T1.
// Lines      a line moves on when it is valid and out_ready_i is 1, and is stable until then. last_o comes with the final line.
// Empty      max <= min (as unsigned addresses): no line; last_o for one cycle, with line_valid_o = 0, whatever out_ready_i is.
// Next row   OVERLAP=0: is taken at the earliest in the cycle in which the row ends. OVERLAP=1: T0, T1 and T3 have a row each, so
//            that rows of one line follow each other every cycle. Rows never interleave: their lines come in the order of the
//            rows. row_ready_o depends on out_ready_i in the same cycle.
// WIDE=1     fields are signed, 32 bits; sums of 50 bits hold every value; scale and base wrap at 64 bits. err_o is 0.
// WIDE=0     fields are unsigned, their low 16 bits. A product or sum above 2^31 - 1 makes the row empty: err_o with last_o.
// Reset      synchronous, active low: no row.
// Idle       busy_o: a row is held, from its taking to its end.

`include "needs.vh"

module teleport_range #(
    parameter int WIDE = 1,    // 1: signed fields of 32 bits; 0: unsigned fields of 16 bits
    parameter int OVERLAP = 0  // 1: up to three rows are held; 0: one
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    // row
    input  logic        row_valid_i,   // a row is offered
    input  logic [63:0] base_i,        // byte address of the array
    input  logic [15:0] typesize_i,    // bytes of an element
    input  logic [95:0] minp_i,        // elements by which the range's start moves with bx, by, bz; bx lowest
    input  logic [31:0] mino_i,        // first element of block (0, 0, 0)
    input  logic [95:0] maxp_i,        // elements by which the range's end moves with bx, by, bz; bx lowest
    input  logic [31:0] maxo_i,        // element behind the last one of block (0, 0, 0)
    input  logic [15:0] bx_i,          // index of the block
    input  logic [15:0] by_i,          // its y
    input  logic [15:0] bz_i,          // its z
    input  logic        out_ready_i,   // the line is taken
    output logic        row_ready_o,   // the row is taken
    // lines
    output logic        line_valid_o,  // a line is offered
    output logic [63:0] line_addr_o,   // byte address of the line, a multiple of 128; 0 without a line
    output logic        last_o,        // the row's final line, or the row is empty
    output logic        err_o,         // with last: the row is empty because a product or sum is too large
    output logic        busy_o         // a row is held
);
  localparam int FW = WIDE != 0 ? 32 : 16;  // bits of a field
  localparam int SW = WIDE != 0 ? 50 : 34;  // bits of a sum of three products and an offset
  localparam int BW = WIDE != 0 ? 64 : 32;  // bits of a base
  localparam int ZW = WIDE != 0 ? 16 : 8;   // bits of a typesize
  localparam int AW = WIDE != 0 ? 64 : 42;  // bits of an address: of BW + SW * ZW at most

  `NEEDS(WIDE == 0 || WIDE == 1, teleport_range_needs_wide_0_or_1)
  `NEEDS(OVERLAP == 0 || OVERLAP == 1, teleport_range_needs_overlap_0_or_1)

  logic held_q, summed_q, lines_q;  // a row as it was taken; one whose sums are known; one whose addresses are known
  logic [BW-1:0] base_q;
  logic [ZW-1:0] size_q;
  logic [FW-1:0] minx_q, miny_q, minz_q, mino_q;
  logic [FW-1:0] maxx_q, maxy_q, maxz_q, maxo_q;
  logic [15:0] bx_q, by_q, bz_q;
  logic [SW-1:0] minsum_q, maxsum_q;
  logic [BW-1:0] base2_q;           // of the row whose sums are known
  logic [ZW-1:0] size2_q;
  logic [AW-1:0] min_q, max_q;      // min moves on from line to line
  logic [0:0] large_q;              // a sum of the row whose addresses are known is too large

  if (WIDE == 0) begin : g_narrow
    logic unused;
    assign unused = &{1'b0, base_i[63:BW], typesize_i[15:ZW], minp_i, maxp_i, mino_i[31:FW], maxo_i[31:FW]};
  end

  // T1: sums of products.
  logic [SW-1:0] minsum, maxsum;
  logic [3*FW-1:0] minp, maxp;
  logic [47:0] index;
  assign minp = {minz_q, miny_q, minx_q};
  assign maxp = {maxz_q, maxy_q, maxx_q};
  assign index = {bz_q, by_q, bx_q};
  for (genvar k = 0; k < 3; k++) begin : g_product
    logic signed [FW:0] low, high;
    logic signed [16:0] times;
    logic signed [SW-1:0] min_term, max_term;
    assign low = {WIDE != 0 && minp[k*FW+FW-1], minp[k*FW+:FW]};
    assign high = {WIDE != 0 && maxp[k*FW+FW-1], maxp[k*FW+:FW]};
    assign times = {1'b0, index[k*16+:16]};
    assign min_term = low * times;
    assign max_term = high * times;
  end
  assign minsum = g_product[0].min_term + {{(SW - FW) {WIDE != 0 && mino_q[FW-1]}}, mino_q} +
                  g_product[1].min_term + g_product[2].min_term;
  assign maxsum = g_product[0].max_term + {{(SW - FW) {WIDE != 0 && maxo_q[FW-1]}}, maxo_q} +
                  g_product[1].max_term + g_product[2].max_term;

  // T2: bytes from the base on.
  logic signed [SW:0] first, behind;
  logic signed [ZW:0] size;
  logic signed [AW-1:0] first_bytes, behind_bytes;
  logic [AW-1:0] base2, min, max;
  assign first = {WIDE != 0 && minsum_q[SW-1], minsum_q};
  assign behind = {WIDE != 0 && maxsum_q[SW-1], maxsum_q};
  assign size = {1'b0, size2_q};
  assign first_bytes = first * size;
  assign behind_bytes = behind * size;
  assign base2 = {{(AW - BW) {1'b0}}, base2_q};
  assign min = first_bytes + base2;
  assign max = behind_bytes + base2;

  // T3 and later: lines.
  logic empty, goes, ends, take, sums, scales;
  logic [AW-1:0] final_byte;
  logic unused_low;
  logic [AW-8:0] line, final_line, next_line;
  assign err_o = lines_q && large_q;
  assign final_byte = max_q - 1'b1;
  assign line = min_q[AW-1:7];
  assign final_line = final_byte[AW-1:7];
  assign unused_low = &{1'b0, final_byte[6:0]};
  assign next_line = line + 1'b1;
  assign empty = max_q <= min_q || err_o;
  assign line_valid_o = lines_q && !empty;
  assign line_addr_o = line_valid_o ? {{(64 - AW) {1'b0}}, line, 7'd0} : '0;
  assign last_o = lines_q && (empty || line == final_line);
  assign goes = line_valid_o && out_ready_i;
  assign ends = last_o && (empty || out_ready_i);
  assign scales = summed_q && (!lines_q || ends);
  assign sums = held_q && (!summed_q || scales);
  assign row_ready_o = OVERLAP != 0 ? !held_q || sums : !busy_o || ends;
  assign take = row_valid_i && row_ready_o;
  assign busy_o = held_q || summed_q || lines_q;

  // Next state.
  logic held_d, summed_d, lines_d;
  always_comb begin
    held_d = take || (held_q && !sums);
    summed_d = sums || (summed_q && !scales);
    lines_d = scales || (lines_q && !ends);
  end

  // Registers. What is multiplied has a reset, so that it always counts: the products of model and RTL have equal factors even
  // without a row.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {held_q, summed_q, lines_q} <= '0;
      {base_q, size_q, bx_q, by_q, bz_q} <= '0;
      {minx_q, miny_q, minz_q, mino_q} <= '0;
      {maxx_q, maxy_q, maxz_q, maxo_q} <= '0;
      {minsum_q, maxsum_q} <= '0;
    end else begin
      {held_q, summed_q, lines_q} <= {held_d, summed_d, lines_d};
      if (take) begin
        {base_q, size_q, bx_q, by_q, bz_q} <= {base_i[BW-1:0], typesize_i[ZW-1:0], bx_i, by_i, bz_i};
        {minx_q, miny_q, minz_q, mino_q} <= {minp_i[0+:FW], minp_i[32+:FW], minp_i[64+:FW], mino_i[0+:FW]};
        {maxx_q, maxy_q, maxz_q, maxo_q} <= {maxp_i[0+:FW], maxp_i[32+:FW], maxp_i[64+:FW], maxo_i[0+:FW]};
      end
      if (sums) {minsum_q, maxsum_q} <= {minsum, maxsum};
    end
  end
  if (OVERLAP != 0) begin : g_second
    always_ff @(posedge clk_i) begin
      if (!rst_ni) {base2_q, size2_q} <= '0;
      else if (sums) {base2_q, size2_q} <= {base_q, size_q};
    end
  end else begin : g_second
    assign base2_q = base_q;
    assign size2_q = size_q;
  end
  if (WIDE == 0) begin : g_large
    always_ff @(posedge clk_i) begin
      if (scales) large_q <= |minsum_q[SW-1:31] || |maxsum_q[SW-1:31];
    end
  end else begin : g_large
    assign large_q = 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (scales) {min_q, max_q} <= {min, max};
    else if (goes) min_q <= {next_line, 7'd0};
  end

`ifdef FORMAL
  `include "teleport_range_props.svh"
`endif
endmodule
`undef NEEDS
