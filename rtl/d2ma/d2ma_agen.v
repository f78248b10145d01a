// SPDX-License-Identifier: Apache-2.0
//
// d2ma_agen: address generator of the D2MA engine (Jamshidi 2014, section 4.2). It walks one buffer
// at a time and requests its global segments; the constants of a halo have a port of their own. It
// adds and shifts only: no multiplier, no divider.
//
// Modes      unit stride (flat): one request per segment. Strided (flat, stride > 1): one element per
//            cycle, a request only when the segment changes. 2D: unit stride in each row. Halo: 2D
//            with hrows and hcols more on each side, and constants on the borders that `region` names.
//            Bank: max(4, element) bytes are skipped in shared memory after every hrows * NB words;
//            a skip may lie inside a request, whose req_saddr is always the address of its first byte.
// Latency    T0 start; first request at T1 (flat), T2 (2D) or T2 + hrows (halo: the set-up steps over
//            the rows above the tile, one per cycle, in global memory or, if they are constant, in
//            shared memory); then one request, or one strided element, per cycle. Constants begin one
//            cycle after the first request and pass a row without constants in one cycle. done_o
//            comes one cycle after the last request and the last constants were taken; at T1 if there
//            are no elements. busy_o is 1 from T1 to the cycle of done_o.
// Footprint  footprint_o is what was walked, valid with done_o; before, it is 65536, which no buffer
//            exceeds.
// Handshake  req_* and cst_* come from registers and are stable while valid and not ready.
//            start_i is ignored while busy_o is 1; the earliest start is the cycle after done_o.
// Abort      idle after the next edge, without done_o even in this cycle; beats start_i.
// Reset      synchronous, active low; idle. Every start writes the registers that have no reset.
// Idle       without start_i and busy_o nothing changes.
//
// The caller ensures that gbase is a multiple of the element size, that sbase is a multiple of the
// element size and of the skip, that sbase + footprint is at most 65536, and that a halo has at most
// 255 rows on each side (the controller refuses other buffers).
// assumption: region 0 and 10..15 mean 9 (no constants).
// assumption: outside of this contract addresses wrap at 64 and 16 bits, rows of a halo at 10 bits and
//       the bytes of a row at 17 bits; hrows counts modulo 256 in a halo.
// assumption: constants leave row by row: the part before the first load of the tile's first row; then
//       for each row the part where loads of a row without constant border would be (only in constant
//       rows), and the part from there to the same place of the next row.
// assumption: there is no previous-segment register as in the paper: an element requests its segment
//       exactly if the step from the previous element left that element's segment.

`include "needs.vh"

module d2ma_agen #(
    parameter int SEG = 128,  // bytes of a global segment: 8..128, a power of two, at most 4 * NB
    parameter int NB = 32     // banks of the shared memory: a power of two, 2..64
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
  localparam int XW = 16 - LB;         // a skip period of 2^16 bytes or more exceeds every buffer
  localparam logic [LS:0] SEGMENT = SEG[LS:0];

  `NEEDS(SEG >= 8 && SEG <= 128 && (1 << LS) == SEG, d2ma_agen_needs_seg_power_of_two_8_to_128)
  `NEEDS(NB >= 2 && NB <= 64 && (4 << $clog2(NB)) == 4 * NB, d2ma_agen_needs_nb_power_of_two_2_to_64)
  `NEEDS(SEG <= 4 * NB, d2ma_agen_needs_seg_at_most_4_nb)

  // Control.
  logic busy_q, busy_d;          // a buffer is being walked
  logic setup_q, setup_d;        // set-up of a matrix
  logic ld_on_q, ld_on_d;        // elements are left to load
  logic req_valid_q, req_valid_d;
  logic cst_on_q, cst_on_d;      // constants are left, or have not been looked for yet
  logic cst_valid_q, cst_valid_d;
  // Fields; only a start writes them.
  logic strided_q;               // one element per cycle; each is a row
  logic [1:0] esz_q;
  logic [15:0] hconst_q;
  logic [XW-1:0] hrows_q;        // bank: words per bank between skips, 0: no skips; halo: rows per side
  logic south_q;                 // rows below are constant
  logic west_q;                  // columns before are constant
  logic east_q;                  // columns after are constant
  logic some_q;                  // there are elements
  logic border_q;                // there are constants
  logic [16:0] row_q;            // bytes to load for each row; flat: for the buffer
  logic [15:0] mid_q;            // bytes of constants between two load rows
  // Loads.
  logic [63:0] a_q, a_d;         // global address of the request or element
  logic [LS:0] len_q, len_d;     // bytes of the request or element
  logic last_q, last_d;          // the request is the last of its row
  logic [15:0] saddr_q, saddr_d; // shared address of the request or element
  logic [16:0] rem_q, rem_d;     // bytes left in the row, this request included
  logic [15:0] rows_q, rows_d;   // load rows left, this one included
  logic [19:0] step_q, step_d;   // bytes to the next element or row; after the set-up, from the end of a row
  logic [LB-1:0] pos_q, pos_d;   // bytes into the line of one word in every bank; with constants: sbase_i, low bits
  logic [XW-1:0] line_q, line_d; // lines to the next skip, 0: no skip; with constants: sbase_i, high bits
  // Constants; the set-up counts the rows above with up_q.
  logic north_q, north_d;        // rows above are constant, and not all were walked
  logic [7:0] up_q, up_d;        // set-up: rows left; then: rows left above, or below
  logic [9:0] mids_q, mids_d;    // rows with loads that are left to walk
  logic cst_in_q, cst_in_d;      // the piece is where other rows have loads
  logic cst_final_q, cst_final_d;  // the piece ends the buffer
  logic cst_end_q, cst_end_d;    // the run is the last of its piece
  logic [15:0] cst_saddr_q, cst_saddr_d;
  logic [5:0] cst_len_q, cst_len_d;
  logic [16:0] cst_left_q, cst_left_d;  // bytes left in the piece, this run included; set-up: halo columns of a side

  // Decode of the fields.
  logic take, halo, matrix, empty, strided, north, south, west, east, border;
  logic north_mask, south_mask, west_mask, east_mask;
  logic [3:0] region_nr;
  logic [7:0] columns, lines;
  logic [15:0] width, height, pitch_elements;
  logic [18:0] step_b;
  logic [16:0] hcols_b, width_b, halo_b, row_b;
  logic [15:0] mid_b;
  logic [9:0] halo_rows, rows;
  logic [15:0] all_rows;
  assign take = start_i && !busy_q && !abort_i;
  assign {north_mask, south_mask, west_mask, east_mask, region_nr} = region_i;
  assign {lines, columns} = count_i;
  assign halo = mode_i == 2'd1;
  assign matrix = dim2_i || halo;
  assign pitch_elements = {stride_i[15:1], stride_i[0] || stride_i[15:1] == 15'd0};
  assign strided = !matrix && stride_i[15:1] != 15'd0;
  assign width = strided ? 16'd1 : {dim2_i ? 8'd0 : lines, columns};
  assign height = strided ? count_i : dim2_i ? {8'd0, lines} : 16'd1;
  assign empty = (columns == 8'd0 && (dim2_i || lines == 8'd0)) || (dim2_i && lines == 8'd0);
  assign north = halo && hrows_i[7:0] != 8'd0 &&
                 (north_mask || region_nr == 4'd1 || region_nr == 4'd2 || region_nr == 4'd3);
  assign south = halo && hrows_i[7:0] != 8'd0 &&
                 (south_mask || region_nr == 4'd6 || region_nr == 4'd7 || region_nr == 4'd8);
  assign west = halo && hcols_i != 16'd0 &&
                (west_mask || region_nr == 4'd1 || region_nr == 4'd4 || region_nr == 4'd6);
  assign east = halo && hcols_i != 16'd0 &&
                (east_mask || region_nr == 4'd3 || region_nr == 4'd5 || region_nr == 4'd8);
  assign border = !empty && (north || south || west || east);
  assign width_b = {1'b0, width} << esz_i;
  assign step_b = {3'd0, pitch_elements} << esz_i;
  assign hcols_b = halo ? {1'b0, hcols_i} << esz_i : 17'd0;
  assign halo_b = (west && east) ? 17'd0 : (west || east) ? hcols_b : {hcols_b[15:0], 1'b0};
  assign mid_b = (west && east) ? {hcols_b[14:0], 1'b0} : (west || east) ? hcols_b[15:0] : 16'd0;
  assign row_b = width_b + halo_b;
  assign halo_rows = (!halo || (north && south)) ? 10'd0
                   : (north || south) ? {2'd0, hrows_i[7:0]} : {1'b0, hrows_i[7:0], 1'b0};
  assign rows = height[9:0] + halo_rows;
  assign all_rows = {height[15:10], rows};
  logic [XW-1:0] words, hrows;
  logic [7:0] halo_up, halo_again;
  assign halo_up = halo ? hrows_i[7:0] : 8'd0;
  assign halo_again = hrows_q[7:0];
  assign words = (mode_i == 2'd2 && hrows_i >> XW == 16'd0) ? hrows_i[XW-1:0] : '0;
  assign hrows = halo ? {{(XW - 8) {1'b0}}, hrows_i[7:0]} : words;

  // A set-up step passes one row above the tile; the last one turns the step into that from the end of a row.
  logic up_global, up_shared, set_up, west_global, west_shared;
  assign up_global = setup_q && !abort_i && up_q != 8'd0 && !north_q;
  assign up_shared = setup_q && !abort_i && up_q != 8'd0 && north_q;
  assign set_up = setup_q && !abort_i && up_q == 8'd0;
  assign west_global = set_up && !west_q;
  assign west_shared = set_up && west_q;

  // A load step: the request is taken, or the element needs no request.
  logic ld_step, row_end, over, line_end, skip, at_end;
  logic [LB:0] pos_next;
  logic [LB-1:0] pos_rest;
  assign ld_step = ld_on_q && !setup_q && !abort_i && (req_ready_i || !req_valid_q);
  assign row_end = ld_step && last_q;
  assign over = last_q && rows_q == 16'd1;
  assign pos_next = {1'b0, pos_q} + {{(LB - LS) {1'b0}}, len_q};
  assign pos_rest = pos_next[LB-1:0];
  assign line_end = pos_next[LB] && !border_q;
  assign skip = line_end && line_q == {{(XW - 1) {1'b0}}, 1'b1};
  assign at_end = over && pos_rest == '0;  // a skip after the last byte is none

  // Bytes of a step; the last step of the set-up takes the bytes of a row off.
  logic [19:0] step_from, step_by;
  logic [19:0] step_sum;
  assign step_from = (setup_q || last_q) ? step_q : 20'd0;
  assign step_by = setup_q ? ~{3'd0, row_q} : {{(19 - LS) {1'b0}}, strided_q ? {(LS + 1) {1'b0}} : len_q};
  assign step_sum = step_from + step_by + {19'd0, setup_q};

  // Global address: one adder for the rows above, the first column and every step. The upper bits count up
  // or down by one.
  logic [63:0] a_next;
  logic [20:0] a_low;
  logic [19:0] a_by;
  logic [43:0] a_down;
  logic a_minus, a_carry;
  logic [LS-1:0] a_off;
  assign a_minus = up_global || west_global;
  assign a_by = up_global ? ~step_q
              : west_global ? ~{3'd0, cst_left_q}
              : ld_step ? step_sum : 20'd0;
  assign a_low = {1'b0, a_q[19:0]} + {1'b0, a_by} + {20'd0, a_minus};
  assign a_carry = a_low[20] != a_by[19];
  assign a_down = {44{a_by[19]}};
  assign a_next = {((a_q[63:20] ^ a_down) + {43'd0, a_carry}) ^ a_down, a_low[19:0]};
  assign a_off = take ? gbase_i[LS-1:0] : a_next[LS-1:0];

  // Does the step to the next element leave the segment? A carry into the segment's number tells.
  logic leaves;
  assign leaves = (|step_q[19:LS]) || a_next[LS] != a_q[LS];

  // Length of the next request: to the end of the segment or of the row.
  logic [16:0] rem_next;
  logic [LS:0] room, clip;
  logic row_ends;
  assign rem_next = take ? row_b
                  : (setup_q || last_q) ? row_q : rem_q - {{(16 - LS) {1'b0}}, len_q};
  assign room = SEGMENT - {1'b0, a_off};
  assign row_ends = rem_next[16:LS+1] == '0 && rem_next[LS:0] <= room;
  assign clip = row_ends ? rem_next[LS:0] : room;

  // Shared address: the rows above, the first column and every step. A row ends with constants; skips are elsewhere.
  logic [15:0] s_by, s_more, s_next;
  assign s_by = up_shared ? row_q[15:0]
              : west_shared ? cst_left_q[15:0]
              : ld_step ? {{(15 - LS) {1'b0}}, len_q} : 16'd0;
  assign s_more = ((up_shared || row_end) ? mid_q : 16'd0) |
                  ((ld_step && skip && !at_end) ? {12'd0, esz_q == 2'd3, esz_q != 2'd3, 2'd0} : 16'd0);
  assign s_next = saddr_q + s_by + s_more;

  // A constant step: the run is taken, or there was none. It goes on in the piece, or to the next one: where constant
  // rows have no loads, or from there to the same place of the next row.
  logic cst_step, cst_more, cst_in, next_row, no_loads, last_row;
  logic [15:0] cst_saddr_next, east_b;
  logic [16:0] cst_left_next;
  logic [5:0] cst_room, cst_clip;
  logic cst_ends;
  assign cst_step = cst_on_q && !setup_q && !abort_i && (cst_ready_i || !cst_valid_q);
  assign cst_more = !cst_end_q || cst_final_q;
  assign no_loads = north_q || mids_q == 10'd0;
  assign cst_in = !cst_more && !cst_in_q && no_loads;
  assign next_row = !cst_more && !cst_in;
  assign last_row = !north_q && (mids_q == 10'd0 ? up_q == 8'd1 : mids_q == 10'd1 && !south_q);
  assign east_b = !east_q ? 16'd0 : west_q ? {1'b0, mid_q[15:1]} : mid_q;
  assign cst_left_next = cst_more ? cst_left_q - {11'd0, cst_len_q}
                       : cst_in ? row_q : {1'b0, last_row ? east_b : mid_q};
  assign cst_saddr_next = cst_saddr_q + {10'd0, cst_len_q} +
                          ((next_row && !cst_in_q) ? row_q[15:0] : 16'd0);
  assign cst_room = 6'd32 - {1'b0, cst_saddr_next[4:0]};
  assign cst_ends = cst_left_next[16:6] == 11'd0 && cst_left_next[5:0] <= cst_room;
  assign cst_clip = cst_ends ? cst_left_next[5:0] : cst_room;

  logic [31:0] cst_word;
  assign cst_word = esz_q == 2'd0 ? {4{hconst_q[7:0]}}
                  : {esz_q == 2'd1 ? hconst_q : {16{hconst_q[15]}}, hconst_q};

  logic finished;
  logic [15:0] walked, walked_to;
  assign finished = busy_q && !ld_on_q && !cst_on_q;
  assign walked_to = border_q ? cst_saddr_q : saddr_q;
  assign walked = walked_to - (border_q ? {line_q, pos_q} : cst_saddr_q);

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
  assign footprint_o = finished ? {some_q && walked == 16'd0, walked} : 17'h10000;

  // Next state.
  always_comb begin
    busy_d = busy_q;
    setup_d = setup_q;
    ld_on_d = ld_on_q;
    req_valid_d = req_valid_q;
    cst_on_d = cst_on_q;
    cst_valid_d = cst_valid_q;
    a_d = a_next;
    len_d = len_q;
    last_d = last_q;
    saddr_d = s_next;
    rem_d = rem_q;
    rows_d = rows_q;
    step_d = step_q;
    pos_d = pos_q;
    line_d = line_q;
    north_d = north_q;
    up_d = up_q;
    mids_d = mids_q;
    cst_in_d = cst_in_q;
    cst_final_d = cst_final_q;
    cst_end_d = cst_end_q;
    cst_saddr_d = cst_saddr_q;
    cst_len_d = cst_len_q;
    cst_left_d = cst_left_q;

    if (abort_i) begin
      busy_d = 1'b0;
      setup_d = 1'b0;
      ld_on_d = 1'b0;
      req_valid_d = 1'b0;
      cst_on_d = 1'b0;
      cst_valid_d = 1'b0;
    end else if (take) begin
      busy_d = 1'b1;
      setup_d = matrix && !empty;
      ld_on_d = !empty;
      req_valid_d = !matrix && !empty;
      cst_on_d = border;
      a_d = gbase_i;
      saddr_d = sbase_i;
      rows_d = all_rows;
      step_d = {1'b0, step_b};
      {line_d, pos_d} = border ? sbase_i : {words, {LB{1'b0}}};
      north_d = north;
      up_d = halo_up;
      mids_d = rows;
      cst_in_d = 1'b0;
      cst_final_d = 1'b0;
      cst_end_d = !west;
      cst_saddr_d = sbase_i;
      cst_len_d = 6'd0;
      cst_left_d = hcols_b;
    end else if (setup_q) begin
      up_d = set_up ? halo_again : up_q - 8'd1;
      if (set_up) begin
        setup_d = 1'b0;
        req_valid_d = 1'b1;
        step_d = step_sum;
      end
    end else begin
      if (finished) busy_d = 1'b0;
      if (ld_step) begin
        ld_on_d = !over;
        req_valid_d = !over && (!strided_q || leaves);
        if (last_q) rows_d = rows_q - 16'd1;
        if (!border_q) pos_d = pos_rest;
        if (line_end && line_q != '0) line_d = skip ? hrows_q : line_q - 1'b1;
      end
      if (cst_step) begin
        cst_on_d = !(cst_end_q && cst_final_q);
        cst_valid_d = cst_left_next != 17'd0;
        cst_saddr_d = cst_saddr_next;
        cst_len_d = cst_clip;
        cst_left_d = cst_left_next;
        cst_end_d = cst_ends;
        if (cst_in) cst_in_d = 1'b1;
        if (next_row) begin
          cst_in_d = 1'b0;
          cst_final_d = last_row;
          if (north_q && up_q == 8'd1) north_d = 1'b0;
          if (no_loads) up_d = (north_q && up_q == 8'd1) ? halo_again : up_q - 8'd1;
          else mids_d = mids_q - 10'd1;
        end
      end
    end
    if (take || ld_step || set_up) begin
      rem_d = rem_next;
      len_d = clip;
      last_d = row_ends;
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
      hrows_q <= hrows;
      south_q <= south;
      west_q <= west;
      east_q <= east;
      some_q <= !empty;
      border_q <= border;
      row_q <= row_b;
      mid_q <= mid_b;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      setup_q <= 1'b0;
      ld_on_q <= 1'b0;
      req_valid_q <= 1'b0;
      cst_on_q <= 1'b0;
      cst_valid_q <= 1'b0;
      a_q <= 64'd0;
      len_q <= '0;
      saddr_q <= 16'd0;
      cst_saddr_q <= 16'd0;
      cst_len_q <= 6'd0;
    end else begin
      busy_q <= busy_d;
      setup_q <= setup_d;
      ld_on_q <= ld_on_d;
      req_valid_q <= req_valid_d;
      cst_on_q <= cst_on_d;
      cst_valid_q <= cst_valid_d;
      a_q <= a_d;
      len_q <= len_d;
      saddr_q <= saddr_d;
      cst_saddr_q <= cst_saddr_d;
      cst_len_q <= cst_len_d;
    end
  end

  always_ff @(posedge clk_i) begin
    last_q <= last_d;
    rem_q <= rem_d;
    rows_q <= rows_d;
    step_q <= step_d;
    pos_q <= pos_d;
    line_q <= line_d;
    north_q <= north_d;
    up_q <= up_d;
    mids_q <= mids_d;
    cst_in_q <= cst_in_d;
    cst_final_q <= cst_final_d;
    cst_end_q <= cst_end_d;
    cst_left_q <= cst_left_d;
  end

`ifdef FORMAL
  `include "d2ma_agen_props.svh"
`endif
endmodule
`undef NEEDS
