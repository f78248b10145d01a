// SPDX-License-Identifier: Apache-2.0
//
// d2ma_footprint: the shared memory that a buffer spans, for the RAW checker, by shift and add. The
// checker needs the range when the buffer is ignited; the address generator knows it only at the end
// (Jamshidi 2014, section 4.3, says "bytes transferred", which is too little with a halo or padding).
// assumption: until the footprint is known, the range goes from the buffer's base to the end of shared
// memory.
//
// Operation  in the cycle after an operation that moves data (wr_en_i with wr_go_i) ck_wr_o writes that
//            wide range. The entry waits in pend_q; lowest number first it is chosen, read (rd_en_o, until
//            rd_ok_i), computed, and written again with its footprint.
// Latency    the second write comes 3 cycles after rd_ok_i, plus 1 for each further bit of the number of
//            rows, plus 16 - log2(4 * NB) with padding, plus 1 while a wide range is written.
// Again      an operation on the entry that is computed drops it; it waits again.
// Footprint  nothing: count elements; halo: (rows + 2 hrows) * (columns + 2 hcols) elements; bank:
//            max(4, element) bytes more after every hrows * NB words but the last. An entry without
//            elements (killed while it waits: its fields read as 0) spans nothing.
// Wide       wide_o: entries whose range is not known; it is 1 in the cycle of the second write, in
//            which the checker answers the last query that saw the wide range.
// Reset      synchronous, active low: nothing waits.
// Idle       busy_o: an entry waits or is computed, or a range is being written.
//
// assumption: outside of a legal buffer (rows of a halo below 1024, at most 65536 bytes) sums wrap at
//       10 bits of rows and 17 bits of bytes.

`include "needs.vh"

module d2ma_footprint #(
    parameter int CTAS = 8,  // CTA slots, at least 1
    parameter int BUFS = 4,  // buffers per CTA, at least 1
    parameter int NB = 32    // banks of the shared memory: a power of two, 2..64
) (
    input  logic                                       clk_i,
    input  logic                                       rst_ni,
    // the operation that issues
    input  logic                                       wr_en_i,     // a DMA operation
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]  wr_cta_i,    // on an entry of this CTA slot
    input  logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]  wr_buf_i,
    input  logic                                       wr_go_i,     // it moves data; sampled at the clock edge
    input  logic [15:0]                                wr_sbase_i,  // to this shared byte address; sampled at the clock edge
    // the entry that is read; all sampled at the clock edge
    input  logic                                       rd_ok_i,     // the fields are those of rd_*
    input  logic [15:0]                                sbase_i,     // shared byte address
    input  logic [15:0]                                count_i,     // elements; 2D, halo: {rows[15:8], columns[7:0]}
    input  logic [1:0]                                 esz_i,       // log2 of the element size in bytes
    input  logic                                       dim2_i,      // the buffer is a matrix
    input  logic [1:0]                                 mode_i,      // 0 none, 1 halo, 2 bank padding; 3 means 0
    input  logic [15:0]                                hrows_i,     // halo rows per side; bank: words per bank (0: none)
    input  logic [15:0]                                hcols_i,     // halo columns per side
    output logic                                       rd_en_o,     // read this entry
    output logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]  rd_cta_o,
    output logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]  rd_buf_o,
    // to the checker
    output logic                                       ck_wr_o,     // write the range of an entry
    output logic                                       ck_known_o,  // it is the footprint
    output logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]  ck_cta_o,    // CTA slot of the entry
    output logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]  ck_buf_o,
    output logic [15:0]                                ck_sbase_o,  // first shared byte
    output logic [16:0]                                ck_foot_o,   // bytes
    output logic [CTAS*BUFS-1:0]                       wide_o,      // entries whose range is not known
    output logic                                       busy_o       // there is work
);
  localparam int CW = CTAS <= 2 ? 1 : $clog2(CTAS);
  localparam int BW = BUFS <= 2 ? 1 : $clog2(BUFS);
  localparam int ROWS = CTAS * BUFS;
  localparam int LB = $clog2(NB) + 2;  // log2 of the bytes of one word in every bank
  localparam int XW = 16 - LB;         // bits of a number of lines; a period of 2^XW lines exceeds every buffer
  localparam logic [ROWS-1:0] ROW_0 = 1;
  localparam logic [3:0] LAST_STEP = XW[3:0] - 4'd1;
  localparam logic [2:0] READ = 3'd0, SCALE = 3'd1, MULTIPLY = 3'd2, DIVIDE = 3'd3, WRITE = 3'd4;

  `NEEDS(CTAS >= 1 && BUFS >= 1, d2ma_footprint_needs_parameters_at_least_1)
  `NEEDS(NB >= 2 && NB <= 64 && (4 << $clog2(NB)) == 4 * NB, d2ma_footprint_needs_nb_power_of_two_2_to_64)

  logic [ROWS-1:0] pend_q, pend_d;  // entries that wait
  // The wide range of the last operation.
  logic wide_on_q, wide_on_d;
  logic [CW-1:0] wide_cta_q;
  logic [BW-1:0] wide_buf_q;
  logic [15:0] wide_sbase_q;
  // The entry that is computed.
  logic on_q, on_d;          // an entry is read or computed
  logic loaded_q, loaded_d;  // its fields were read
  logic [2:0] phase_q, phase_d;
  logic [CW-1:0] cta_q;
  logic [BW-1:0] buf_q;
  logic [15:0] sbase_q;
  logic [1:0] esz_q;
  logic [XW-1:0] words_q;                // lines between skips; 0: no skips
  logic [17:0] width_q, width_d;         // elements, then bytes of a row, shifted left; then a skip, shifted right
  logic [9:0] rows_q, rows_d;            // rows, shifted right
  logic [16:0] sum_q, sum_d;             // bytes so far
  logic [XW-1:0] lines_q, lines_d;       // lines before the last byte, shifted left
  logic [XW-1:0] rest_q, rest_d;         // remainder
  logic [3:0] step_q, step_d;            // steps of the division left, less one

  // Decode.
  logic [31:0] wr_cta, wr_buf;
  logic go, choose, load, drop;
  logic [ROWS-1:0] go_mask, pend_first, own_mask;
  assign wr_cta = {{(32 - CW) {1'b0}}, wr_cta_i};
  assign wr_buf = {{(32 - BW) {1'b0}}, wr_buf_i};
  assign go = wr_en_i && wr_go_i && wr_cta < CTAS && wr_buf < BUFS;
  assign go_mask = go ? ROW_0 << (wr_cta * BUFS + wr_buf) : '0;
  assign pend_first = pend_q & -pend_q;
  assign own_mask = on_q ? ROW_0 << ({{(32 - CW) {1'b0}}, cta_q} * BUFS + {{(32 - BW) {1'b0}}, buf_q}) : '0;
  assign choose = !on_q && |pend_q;
  assign rd_en_o = on_q && phase_q == READ;
  assign load = rd_en_o && rd_ok_i;
  assign drop = |(go_mask & (own_mask | (choose ? pend_first : '0)));
  logic [BUFS-1:0] first_bufs;
  always_comb begin : fold_first
    first_bufs = '0;
    for (int c = 0; c < CTAS; c++) first_bufs = first_bufs | pend_first[c*BUFS+:BUFS];
  end
  logic [CW-1:0] first_cta;
  logic [BW-1:0] first_buf;
  onehot_index #(.N(ROWS), .GROUP(BUFS)) u_first_cta (.onehot_i(pend_first), .index_o(first_cta));
  onehot_index #(.N(BUFS)) u_first_buf (.onehot_i(first_bufs), .index_o(first_buf));
  assign rd_cta_o = rd_en_o ? cta_q : '0;
  assign rd_buf_o = rd_en_o ? buf_q : '0;

  // The fields as a width and a number of rows.
  logic halo, some;
  logic [7:0] lines, columns;
  logic [15:0] width;
  logic [17:0] full_width;
  logic [9:0] full_rows;
  logic [XW-1:0] words;
  assign {lines, columns} = count_i;
  assign halo = mode_i == 2'd1;
  assign width = {dim2_i ? 8'd0 : lines, columns};
  assign some = width != 16'd0 && !(dim2_i && lines == 8'd0);
  assign full_width = !some ? 18'd0 : {2'd0, width} + (halo ? {1'b0, hcols_i, 1'b0} : 18'd0);
  assign full_rows = {2'd0, dim2_i ? lines : 8'd1} + (halo ? {1'b0, hrows_i[7:0], 1'b0} : 10'd0);
  assign words = (mode_i == 2'd2 && hrows_i >> XW == 16'd0) ? hrows_i[XW-1:0] : '0;

  // A step of the division: how many skips lie before the last byte. The quotient's bits add skips at once.
  logic [XW:0] rest;
  logic [XW-1:0] less, left;
  logic fits;
  assign rest = {rest_q, lines_q[XW-1]};
  assign less = rest[XW-1:0] - words_q;
  assign fits = rest >= {1'b0, words_q};
  assign left = fits ? less : rest[XW-1:0];

  // A step of the multiplication, and the line of the last byte: a sum that ends with a line ends in the line before.
  logic [16:0] added, product;
  logic [XW-1:0] last_line;
  logic [17:0] width_up, width_down, skip;
  logic [9:0] rows_down;
  assign added = sum_q + width_q[16:0];
  assign product = rows_q[0] ? added : sum_q;
  assign last_line = product[LB-1:0] == '0 ? product[15:LB] - 1'b1 : product[15:LB];
  assign width_up = {width_q[16:0], 1'b0};
  assign width_down = {1'b0, width_q[17:1]};
  assign rows_down = {1'b0, rows_q[9:1]};
  assign skip = {14'd0, 4'd4 << (esz_q == 2'd3)} << (XW - 1);

  // Next state.
  logic writes;
  assign writes = on_q && phase_q == WRITE && !wide_on_q;
  assign wide_on_d = go;
  always_comb begin
    pend_d = (pend_q & ~(choose ? pend_first : '0)) | go_mask;
    phase_d = phase_q;
    width_d = width_q;
    rows_d = rows_q;
    sum_d = sum_q;
    lines_d = lines_q;
    rest_d = rest_q;
    step_d = step_q;
    on_d = (on_q || choose) && !writes && !drop;
    loaded_d = (loaded_q || load) && on_d;
    if (!on_q) begin
      phase_d = READ;
    end else begin
      case (phase_q)
        READ: begin
          if (load) phase_d = SCALE;
          width_d = full_width;
          rows_d = full_rows;
          sum_d = '0;
          lines_d = '0;
          rest_d = '0;
          step_d = LAST_STEP;
        end
        SCALE: begin
          width_d = width_q << esz_q;
          phase_d = MULTIPLY;
        end
        MULTIPLY: begin
          sum_d = product;
          width_d = width_up;
          rows_d = rows_down;
          if (rows_down == 10'd0) begin
            phase_d = words_q == '0 || product == '0 ? WRITE : DIVIDE;
            lines_d = last_line;
            width_d = skip;
          end
        end
        DIVIDE: begin
          if (fits) sum_d = added;
          rest_d = left;
          width_d = width_down;
          lines_d = lines_q << 1;
          step_d = step_q - 4'd1;
          if (step_q == 4'd0) phase_d = WRITE;
        end
        default: ;  // WRITE
      endcase
    end
  end

  // Outputs.
  assign ck_wr_o = wide_on_q || writes;
  assign ck_known_o = writes;
  assign ck_cta_o = wide_on_q ? wide_cta_q : writes ? cta_q : '0;
  assign ck_buf_o = wide_on_q ? wide_buf_q : writes ? buf_q : '0;
  assign ck_sbase_o = wide_on_q ? wide_sbase_q : writes ? sbase_q : '0;
  assign ck_foot_o = wide_on_q ? 17'h10000 - {1'b0, wide_sbase_q} : writes ? sum_q : '0;
  assign wide_o = pend_q | own_mask;
  assign busy_o = |pend_q || on_q || wide_on_q;

  // Registers.
  always_ff @(posedge clk_i) begin
    if (go) begin
      wide_cta_q <= wr_cta_i;
      wide_buf_q <= wr_buf_i;
      wide_sbase_q <= wr_sbase_i;
    end
    if (choose) begin
      cta_q <= first_cta;
      buf_q <= first_buf;
    end
    if (choose || on_q) phase_q <= phase_d;
    if (load) begin
      sbase_q <= sbase_i;
      esz_q <= esz_i;
      words_q <= words;
    end
    if (load || loaded_q) begin
      width_q <= width_d;
      rows_q <= rows_d;
      sum_q <= sum_d;
      lines_q <= lines_d;
      rest_q <= rest_d;
      step_q <= step_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {pend_q, wide_on_q, on_q, loaded_q} <= '0;
    end else begin
      {pend_q, wide_on_q, on_q, loaded_q} <= {pend_d, wide_on_d, on_d, loaded_d};
    end
  end

`ifdef FORMAL
  `include "d2ma_footprint_props.svh"
`endif
endmodule
`undef NEEDS
