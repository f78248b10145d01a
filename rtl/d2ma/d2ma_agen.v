// SPDX-License-Identifier: Apache-2.0
//
// d2ma_agen: address generator of the D2MA engine (Jamshidi 2014, section 4.2). It walks one buffer
// at a time and requests its global segments; the constants of a halo have a port of their own.
//
// Modes      unit stride (flat): one request per segment. Strided (flat, stride > 1): one element per
//            cycle, a request only when the segment changes. 2D: unit stride in each row. Halo: 2D
//            with hrows and hcols more on each side, and constants on the borders that `region` names.
//            Bank: max(4, element) bytes are skipped in shared memory after every hrows * NB words;
//            a skip may lie inside a request, whose req_saddr is always the address of its first byte.
// Latency    T0 start; first request at T1 (flat) or T3 (2D, halo: two set-up cycles for the row
//            products); then one request, or one strided element, per cycle. footprint_o is valid
//            with the first request. done_o comes one cycle after the last request and the last
//            constants were taken; at T1 if there are no elements. busy_o is 1 from T1 to the cycle
//            of done_o.
// Handshake  req_* and cst_* come from registers and are stable while valid and not ready.
//            start_i is ignored while busy_o is 1; the earliest start is the cycle after done_o.
// Abort      idle after the next edge, without done_o even in this cycle; beats start_i.
// Reset      synchronous, active low; idle. Every start writes the registers that have no reset.
// Idle       without start_i and busy_o nothing changes.
//
// The caller ensures that gbase is a multiple of the element size, that sbase is a multiple of the
// element size and of the skip, and that sbase + footprint is at most 65536 (the controller refuses
// other buffers).
// assumption: region 0 and 10..15 mean 9 (no constants).
// assumption: all elements and rows are counted, whatever the size. Addresses wrap at 64 and 16 bits,
//       footprint_o and the bytes of constants at 17 bits. The skips in footprint_o are those of the
//       buffer's size modulo 65536 (0 means 65536). A buffer that fits never wraps.
// assumption: constants that are contiguous in shared memory across the end of a row form one piece.
//       Pieces come in this order: before the first load, between load rows, after the last load. If
//       there are none before the first load, one cycle (T3) passes without cst_valid_o.
// assumption: there is no previous-segment register as in the paper: an element requests its segment
//       exactly if the step from the previous element left that element's segment.

`include "needs.vh"

module d2ma_agen #(
    parameter int SEG = 128,  // bytes of a global segment: 8..128, a power of two, at most 4 * NB
    parameter int NB = 32     // banks of the shared memory: a power of two, at least 2
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    // the buffer
    input  logic                     start_i,      // begin the buffer that the fields describe
    input  logic [63:0]              gbase_i,      // global byte address of element 0 / (0,0)
    input  logic [15:0]              sbase_i,      // shared byte address of the buffer
    input  logic [15:0]              count_i,      // elements; 2D, halo: {rows[15:8], columns[7:0]}
    input  logic [1:0]               esz_i,        // log2 of the element size in bytes
    input  logic [15:0]              stride_i,     // elements from element (row) to the next; 0 means 1
    input  logic                     dim2_i,       // the buffer is a matrix
    input  logic [1:0]               mode_i,       // 0 none, 1 halo, 2 bank padding; 3 means 0
    input  logic [15:0]              hrows_i,      // halo rows per side; bank: words per bank (0: none)
    input  logic [15:0]              hcols_i,      // halo columns per side
    input  logic [7:0]               region_i,     // [3:0] region 1..9, [7:4] borders {N,S,W,E}
    input  logic [15:0]              hconst_i,     // constant of the border, sign-extended
    // consumers
    input  logic                     req_ready_i,  // the request is taken in this cycle
    input  logic                     cst_ready_i,  // the constants are taken in this cycle
    input  logic                     abort_i,      // drop the buffer
    output logic                     busy_o,       // a buffer is being walked
    output logic                     done_o,       // pulse: all requests and constants were taken
    // segment requests
    output logic                     req_valid_o,  // a request waits
    output logic [63:0]              req_seg_o,    // segment-aligned global byte address
    output logic [$clog2(SEG)-1:0]   req_off_o,    // first byte wanted inside the segment
    output logic [$clog2(SEG):0]     req_len_o,    // bytes wanted; strided: of the first element
    output logic [15:0]              req_saddr_o,  // shared byte address of the first byte
    // constants
    output logic                     cst_valid_o,  // a run of constants waits
    output logic [15:0]              cst_saddr_o,  // shared byte address of the run
    output logic [5:0]               cst_len_o,    // bytes, 1..32, inside one 32-byte line
    output logic [63:0]              cst_data_o,   // the constant, replicated to 64 bits
    output logic [16:0]              footprint_o   // shared bytes spanned, skips included
);
  localparam int LS = $clog2(SEG);
  localparam int LB = $clog2(NB) + 2;  // log2 of the bytes of one word in every bank
  localparam int GW = 19 - LB;         // a skip period above 2^19 bytes exceeds every buffer
  localparam int XW = 16 - LB;
  localparam logic [LS:0] SEGMENT = SEG[LS:0];

  `NEEDS(SEG >= 8 && SEG <= 128 && (1 << LS) == SEG, d2ma_agen_needs_seg_power_of_two_8_to_128)
  `NEEDS(NB >= 2 && (4 << $clog2(NB)) == 4 * NB, d2ma_agen_needs_nb_power_of_two_at_least_2)
  `NEEDS(SEG <= 4 * NB, d2ma_agen_needs_seg_at_most_4_nb)

  // Control.
  logic busy_q, busy_d;          // a buffer is being walked
  logic setup1_q, setup1_d;      // T1 of a matrix
  logic setup2_q, setup2_d;      // T2 of a matrix
  logic ld_on_q, ld_on_d;        // elements are left to load
  logic req_valid_q, req_valid_d;
  logic cst_on_q, cst_on_d;      // constants are left, or have not been looked for yet
  logic cst_valid_q, cst_valid_d;
  // Fields; only a start writes them.
  logic strided_q;               // one element per cycle
  logic [1:0] esz_q;
  logic [15:0] hconst_q;
  logic [15:0] hr_q;             // halo rows per side
  logic [7:0] height_q;          // rows without the halo
  logic north_q;                 // rows above are constant
  logic south_q;                 // rows below are constant
  logic [16:0] pitch_q;          // shared bytes of a row, halo included
  logic [20:0] row_q;            // bytes to load for each row; flat: for the buffer
  logic [16:0] mid_q;            // bytes of constants between two load rows
  logic [GW-1:0] words_q;        // words per bank between skips; 0: no skips
  // Loads.
  logic [63:0] a_q, a_d;         // global address of the request or element
  logic [LS:0] len_q, len_d;     // bytes of the request or element
  logic [15:0] saddr_q, saddr_d; // shared address of the request or element
  logic [20:0] rem_q, rem_d;     // bytes left in the row, this request included
  logic [17:0] rows_q, rows_d;   // load rows left, this one included
  logic [21:0] step_q, step_d;   // bytes to the next element or row; from T3 on, counted from the end of a row
  logic [18:0] left_q, left_d;   // bytes to the next skip
  logic [16:0] foot_q, foot_d;
  // Constants.
  logic [15:0] cst_saddr_q, cst_saddr_d;
  logic [5:0] cst_len_q, cst_len_d;
  logic [16:0] cst_left_q, cst_left_d;  // bytes left in the piece, this run included
  logic [17:0] cst_mids_q, cst_mids_d;  // pieces between load rows that are left
  logic [16:0] cst_tail_q, cst_tail_d;  // bytes of the piece after the last load; 0 once it has begun
  logic [15:0] cst_last_q, cst_last_d;  // shared address of that last piece

  // Decode of the fields; held at 0 without start_i.
  logic take, halo, matrix, empty, strided, north, south, west, east;
  logic north_mask, south_mask, west_mask, east_mask;
  logic [3:0] region_nr;
  logic [15:0] width, pitch_elements, hr;
  logic [7:0] columns, lines, height;
  logic [20:0] width_b, hcols_b, row_b;
  logic [21:0] step_b;
  logic [17:0] rows;
  assign take = start_i && !busy_q && !abort_i;
  assign {north_mask, south_mask, west_mask, east_mask, region_nr} = region_i;
  assign {lines, columns} = count_i;
  always_comb begin
    halo = 1'b0;
    matrix = 1'b0;
    empty = 1'b0;
    strided = 1'b0;
    {north, south, west, east} = 4'd0;
    width = 16'd0;
    height = 8'd0;
    pitch_elements = 16'd0;
    hr = 16'd0;
    rows = 18'd0;
    width_b = 21'd0;
    hcols_b = 21'd0;
    row_b = 21'd0;
    step_b = 22'd0;
    if (start_i) begin
      halo = mode_i == 2'd1;
      matrix = dim2_i || halo;
      width = dim2_i ? {8'd0, columns} : count_i;
      height = dim2_i ? lines : 8'd1;
      empty = width == 16'd0 || height == 8'd0;
      pitch_elements = stride_i == 16'd0 ? 16'd1 : stride_i;
      strided = !matrix && pitch_elements != 16'd1;
      width_b = {5'd0, width} << esz_i;
      step_b = {6'd0, pitch_elements} << esz_i;
      if (halo) begin
        north = north_mask || region_nr == 4'd1 || region_nr == 4'd2 || region_nr == 4'd3;
        south = south_mask || region_nr == 4'd6 || region_nr == 4'd7 || region_nr == 4'd8;
        west = west_mask || region_nr == 4'd1 || region_nr == 4'd4 || region_nr == 4'd6;
        east = east_mask || region_nr == 4'd3 || region_nr == 4'd5 || region_nr == 4'd8;
        hr = hrows_i;
        hcols_b = {5'd0, hcols_i} << esz_i;
      end
      row_b = width_b + (west ? 21'd0 : hcols_b) + (east ? 21'd0 : hcols_b);
      rows = {10'd0, height} + (north ? 18'd0 : {2'd0, hr}) + (south ? 18'd0 : {2'd0, hr});
    end
  end
  logic [GW-1:0] words;
  assign words = (start_i && mode_i == 2'd2 && hrows_i >> GW == 16'd0) ? hrows_i[GW-1:0] : '0;

  // Row products: halo rows above the tile in global (T1) and in shared memory (T2); held at 0 in other cycles.
  logic [34:0] above, above_product;
  logic [18:0] above_pitch;
  logic [16:0] tile_product;
  logic [16:0] above_s, north_b, south_b, both_b, tile_s;
  assign above_pitch = setup1_q ? step_q[18:0] : {2'd0, pitch_q};
`ifndef FORMAL
  assign above_product = {19'd0, hr_q} * {16'd0, above_pitch};
  assign tile_product = {9'd0, height_q} * pitch_q;
`endif
  assign above = (setup1_q || setup2_q) ? above_product : 35'd0;
  assign above_s = above[16:0];
  assign north_b = north_q ? above_s : 17'd0;
  assign south_b = south_q ? above_s : 17'd0;
  assign both_b = {above_s[15:0], 1'b0};
  assign tile_s = setup1_q ? tile_product : 17'd0;

  // Skips inside the footprint: ((bytes - 1) >> LB) / words, computed only when a footprint is formed.
  logic [15:0] last_byte;
  logic [GW-1:0] divisor;
  logic [XW-1:0] skips;
  logic [GW:0] part;
  assign last_byte = (take ? width_b[15:0] : foot_q[15:0]) - 16'd1;
  assign divisor = take ? words : words_q;
  always_comb begin
    skips = '0;
    part = '0;
    if ((take || setup2_q) && divisor != '0) begin
      for (int i = XW - 1; i >= 0; i--) begin
        part = (part << 1) | {{GW{1'b0}}, last_byte[LB+i]};
        if (part >= {1'b0, divisor}) begin
          part = part - {1'b0, divisor};
          skips[i] = 1'b1;
        end
      end
    end
  end
  logic [16:0] skip_bytes;
  logic [1:0] esz_now;
  assign esz_now = take ? esz_i : esz_q;
  assign skip_bytes = esz_now == 2'd3 ? {{(14 - XW) {1'b0}}, skips, 3'd0}
                                      : {{(15 - XW) {1'b0}}, skips, 2'd0};

  // A load step: the request is taken, or the element needs no request.
  logic running, ld_step, row_end, skip, over;
  assign running = busy_q && !setup1_q && !setup2_q;
  assign ld_step = ld_on_q && running && !abort_i && (req_ready_i || !req_valid_q);
  assign row_end = rem_q == {{(20 - LS) {1'b0}}, len_q};
  assign over = row_end && rows_q == 18'd1;
  assign skip = words_q != '0 && {{(18 - LS) {1'b0}}, len_q} >= left_q;

  // Global address: one adder for the first column, the first row and every step.
  logic [21:0] a_step;
  logic [63:0] a_from, a_by, a_next;
  logic [LS-1:0] a_off;
  assign a_step = (strided_q ? 22'd0 : {{(21 - LS) {1'b0}}, len_q}) +
                  ((strided_q || row_end) ? step_q : 22'd0);
  assign a_from = take ? gbase_i : a_q;
  assign a_by = take ? -{43'd0, west ? 21'd0 : hcols_b}
              : setup1_q ? -{29'd0, north_q ? 35'd0 : above}
              : ld_step ? {{42{a_step[21]}}, a_step} : 64'd0;
  assign a_next = a_from + a_by;
  assign a_off = a_next[LS-1:0];

  // Does the step leave the segment?
  logic [21:0] reach;
  logic leaves;
  assign reach = {{(22 - LS) {1'b0}}, a_q[LS-1:0]} + step_q;
  assign leaves = reach >= {{(21 - LS) {1'b0}}, SEGMENT};

  // Length of the next request: to the end of the segment or of the row.
  logic [20:0] rem_next;
  logic [LS:0] room, clip;
  assign rem_next = take ? row_b
                  : !ld_step ? rem_q
                  : row_end ? row_q : rem_q - {{(20 - LS) {1'b0}}, len_q};
  assign room = SEGMENT - {1'b0, a_off};
  assign clip = rem_next < {{(20 - LS) {1'b0}}, room} ? rem_next[LS:0] : room;

  // A constant step: the run is taken, or none was found yet.
  logic cst_step, piece_end, to_mid, to_tail;
  logic [16:0] piece_left;
  logic [15:0] run_end;
  assign cst_step = cst_on_q && running && !abort_i && (cst_ready_i || !cst_valid_q);
  assign piece_left = cst_left_q - {11'd0, cst_len_q};
  assign piece_end = piece_left == 17'd0;
  assign to_mid = piece_end && cst_mids_q != 18'd0 && mid_q != 17'd0;
  assign to_tail = piece_end && !to_mid;
  assign run_end = cst_saddr_q + {10'd0, cst_len_q};

  logic [16:0] cst_left_next;
  logic [15:0] cst_saddr_next;
  logic [5:0] cst_room, cst_clip;
  assign cst_left_next = setup2_q ? cst_left_q + north_b
                       : to_mid ? mid_q
                       : to_tail ? cst_tail_q : piece_left;
  assign cst_saddr_next = setup2_q ? cst_saddr_q
                        : to_mid ? run_end + row_q[15:0]
                        : (to_tail && cst_tail_q != 17'd0) ? cst_last_q : run_end;
  assign cst_room = 6'd32 - {1'b0, cst_saddr_next[4:0]};
  assign cst_clip = cst_left_next < {11'd0, cst_room} ? cst_left_next[5:0] : cst_room;

  // Shared addresses and footprint, by phase.
  logic [15:0] first_s, last_s, load_s, tail_s, next_s, last_above;
  logic [16:0] foot_flat, foot_matrix, west_s, east_s, mid_s, pitch_s;
  assign west_s = west ? hcols_b[16:0] : 17'd0;
  assign east_s = east ? hcols_b[16:0] : 17'd0;
  assign mid_s = west_s + east_s;
  assign pitch_s = width_b[16:0] + {hcols_b[15:0], 1'b0};
  assign first_s = sbase_i + west_s[15:0];
  assign last_s = sbase_i - east_s[15:0];
  assign load_s = saddr_q + north_b[15:0];
  assign tail_s = cst_last_q + tile_s[15:0];
  assign last_above = south_q ? above_s[15:0] : both_b[15:0];
  assign next_s = saddr_q + {{(15 - LS) {1'b0}}, len_q} + (row_end ? mid_q[15:0] : 16'd0) +
                  (skip ? {12'd0, esz_q == 2'd3, esz_q != 2'd3, 2'd0} : 16'd0);
  assign foot_flat = width_b[16:0] + skip_bytes;
  assign foot_matrix = foot_q + both_b + skip_bytes;

  logic [31:0] cst_word;
  assign cst_word = esz_q == 2'd0 ? {4{hconst_q[7:0]}}
                  : {esz_q == 2'd1 ? hconst_q : {16{hconst_q[15]}}, hconst_q};

  logic finished;
  assign finished = running && !ld_on_q && !cst_on_q;

  assign busy_o = busy_q;
  assign done_o = finished && !abort_i;
  assign req_valid_o = req_valid_q;
  assign req_seg_o = {a_q[63:LS], {LS{1'b0}}};
  assign req_off_o = a_q[LS-1:0];
  assign req_len_o = len_q;
  assign req_saddr_o = saddr_q;
  assign cst_valid_o = cst_valid_q;
  assign cst_saddr_o = cst_saddr_q;
  assign cst_len_o = cst_len_q;
  assign cst_data_o = {esz_q == 2'd3 ? {32{hconst_q[15]}} : cst_word, cst_word};
  assign footprint_o = foot_q;

  // Next state.
  always_comb begin
    busy_d = busy_q;
    setup1_d = setup1_q;
    setup2_d = setup2_q;
    ld_on_d = ld_on_q;
    req_valid_d = req_valid_q;
    cst_on_d = cst_on_q;
    cst_valid_d = cst_valid_q;
    a_d = a_next;
    rem_d = rem_next;
    len_d = len_q;
    saddr_d = saddr_q;
    rows_d = rows_q;
    step_d = step_q;
    left_d = left_q;
    foot_d = foot_q;
    cst_saddr_d = cst_saddr_q;
    cst_len_d = cst_len_q;
    cst_left_d = cst_left_q;
    cst_mids_d = cst_mids_q;
    cst_tail_d = cst_tail_q;
    cst_last_d = cst_last_q;

    if (abort_i) begin
      a_d = a_q;
      busy_d = 1'b0;
      setup1_d = 1'b0;
      setup2_d = 1'b0;
      ld_on_d = 1'b0;
      req_valid_d = 1'b0;
      cst_on_d = 1'b0;
      cst_valid_d = 1'b0;
    end else if (take) begin
      busy_d = 1'b1;
      setup1_d = matrix && !empty;
      ld_on_d = !empty;
      req_valid_d = !matrix && !empty;
      cst_on_d = halo && !empty;
      len_d = strided ? {{LS{1'b0}}, 1'b1} << esz_i : clip;
      saddr_d = first_s;
      rows_d = matrix ? rows : 18'd1;
      step_d = step_b;
      left_d = {words, {LB{1'b0}}};
      foot_d = (matrix || empty) ? 17'd0 : foot_flat;
      cst_saddr_d = sbase_i;
      cst_len_d = 6'd0;
      cst_left_d = west_s;
      cst_mids_d = 18'd0;
      cst_tail_d = east_s;
      cst_last_d = last_s;
    end else if (setup1_q) begin
      setup1_d = 1'b0;
      setup2_d = 1'b1;
      foot_d = tile_s;
      cst_last_d = tail_s;
    end else if (setup2_q) begin
      setup2_d = 1'b0;
      req_valid_d = 1'b1;
      len_d = clip;
      step_d = step_q - {1'b0, row_q};
      saddr_d = load_s;
      foot_d = foot_matrix;
      cst_len_d = cst_clip;
      cst_left_d = cst_left_next;
      cst_valid_d = cst_left_next != 17'd0;
      cst_mids_d = rows_q - 18'd1;
      cst_tail_d = cst_tail_q + south_b;
      cst_last_d = cst_last_q + last_above;
    end else begin
      if (finished) busy_d = 1'b0;
      if (ld_step) begin
        ld_on_d = !over;
        req_valid_d = !over && (!strided_q || leaves);
        if (!strided_q) len_d = clip;
        saddr_d = next_s;
        if (row_end) rows_d = rows_q - 18'd1;
        left_d = left_q - {{(18 - LS) {1'b0}}, len_q} + (skip ? {words_q, {LB{1'b0}}} : 19'd0);
      end
      if (cst_step) begin
        cst_on_d = !(to_tail && cst_tail_q == 17'd0);
        cst_valid_d = cst_left_next != 17'd0;
        cst_saddr_d = cst_saddr_next;
        cst_len_d = cst_clip;
        cst_left_d = cst_left_next;
        if (to_mid) cst_mids_d = cst_mids_q - 18'd1;
        if (to_tail) cst_tail_d = 17'd0;
      end
    end
  end

  // Registers. Those without a reset are meaningless while busy_q is 0.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      esz_q <= 2'd0;
      hconst_q <= 16'd0;
    end else if (take) begin
      esz_q <= esz_i;
      hconst_q <= hconst_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      strided_q <= strided;
      hr_q <= hr;
      height_q <= height;
      north_q <= north;
      south_q <= south;
      pitch_q <= pitch_s;
      row_q <= row_b;
      mid_q <= mid_s;
      words_q <= words;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      setup1_q <= 1'b0;
      setup2_q <= 1'b0;
      ld_on_q <= 1'b0;
      req_valid_q <= 1'b0;
      cst_on_q <= 1'b0;
      cst_valid_q <= 1'b0;
      a_q <= 64'd0;
      len_q <= '0;
      saddr_q <= 16'd0;
      foot_q <= 17'd0;
      cst_saddr_q <= 16'd0;
      cst_len_q <= 6'd0;
    end else begin
      busy_q <= busy_d;
      setup1_q <= setup1_d;
      setup2_q <= setup2_d;
      ld_on_q <= ld_on_d;
      req_valid_q <= req_valid_d;
      cst_on_q <= cst_on_d;
      cst_valid_q <= cst_valid_d;
      a_q <= a_d;
      len_q <= len_d;
      saddr_q <= saddr_d;
      foot_q <= foot_d;
      cst_saddr_q <= cst_saddr_d;
      cst_len_q <= cst_len_d;
    end
  end

  always_ff @(posedge clk_i) begin
    rem_q <= rem_d;
    rows_q <= rows_d;
    step_q <= step_d;
    left_q <= left_d;
    cst_left_q <= cst_left_d;
    cst_mids_q <= cst_mids_d;
    cst_tail_q <= cst_tail_d;
    cst_last_q <= cst_last_d;
  end

`ifdef FORMAL
  `include "d2ma_agen_props.svh"
`endif
endmodule
`undef NEEDS
