// SPDX-License-Identifier: Apache-2.0
// Laws of d2ma_agen, inside the module. The laws of the first part hold for buffers of every size
// (induction), and so do those of bank padding (SEG=16). The last part takes tiles of a few elements; SEG=8 splits them into
// several requests.
// prove: bmc=2 induct=2 cover=8 SEG=16 NB=4
// prove: bmc=4 SEG=128 NB=32
// prove: bmc=5 SEG=8 NB=2
// prove-nightly: bmc=2 induct=2 SEG=128 NB=32
// equal: SEG=32 NB=32
// equal-nightly: SEG=128 NB=32
// equal-nightly: SEG=64 NB=16

  // Scaffolding: the buffer of the last start, decoded from the ports a second time; what was taken since.
  logic f_started = 1'b0;
  logic f_open;                        // a start was accepted, and the buffer is neither done nor aborted
  logic f_flat, f_empty, f_strided, f_above_const, f_west_const, f_mixed, f_bank;
  logic [16:0] f_row_bytes, f_asked;   // bytes to load per row; bytes taken of this row
  logic [15:0] f_rows, f_rows_done;    // rows to load; rows loaded
  logic [63:0] f_next_a;               // global address of the next request or element
  logic [15:0] f_next_s;               // its shared address, without skips
  logic [19:0] f_pitch;                // bytes between elements or rows in global memory
  logic [15:0] f_between;              // bytes of constants between two rows
  logic [16:0] f_side;                 // bytes of the halo columns of one side
  logic [7:0] f_up;                    // rows above the tile that the set-up has not passed
  logic f_set_up;                      // the set-up is over
  logic f_first;                       // no segment requested yet
  logic [63:LS] f_segment;             // the last requested segment

  logic f_halo, f_north, f_south, f_west, f_east, f_is_strided, f_step, f_row_over;
  logic [15:0] f_columns, f_height;
  logic [18:0] f_hcols, f_width;
  logic [20:0] f_pitch_s;
  logic [16:0] f_row, f_taken;
  logic [19:0] f_gap, f_move;          // bytes from a row's end to the next row; bytes of this step
  assign f_halo = mode_i == 2'd1;
  assign f_north = f_halo && (region_i[7] || (region_i[3:0] >= 4'd1 && region_i[3:0] <= 4'd3));
  assign f_south = f_halo && (region_i[6] || (region_i[3:0] >= 4'd6 && region_i[3:0] <= 4'd8));
  assign f_west = f_halo && (region_i[5] || region_i[3:0] == 4'd1 || region_i[3:0] == 4'd4 ||
                             region_i[3:0] == 4'd6);
  assign f_east = f_halo && (region_i[4] || region_i[3:0] == 4'd3 || region_i[3:0] == 4'd5 ||
                             region_i[3:0] == 4'd8);
  assign f_is_strided = !dim2_i && !f_halo && stride_i > 16'd1;
  assign f_columns = f_is_strided ? 16'd1 : dim2_i ? {8'd0, count_i[7:0]} : count_i;
  assign f_height = f_is_strided ? count_i : dim2_i ? {8'd0, count_i[15:8]} : 16'd1;
  assign f_width = {3'd0, f_columns} << esz_i;
  assign f_hcols = f_halo ? {3'd0, hcols_i} << esz_i : 19'd0;
  assign f_pitch_s = {2'd0, f_width} + {1'b0, f_hcols, 1'b0};
  assign f_row = f_width[16:0] + (f_west ? 17'd0 : f_hcols[16:0]) + (f_east ? 17'd0 : f_hcols[16:0]);
  assign f_step = f_set_up && ld_on_q && (!req_valid_o || req_ready_i);
  assign f_taken = f_asked + {{(16 - LS) {1'b0}}, req_len_o};
  assign f_row_over = f_taken == f_row_bytes;
  assign f_gap = f_strided || f_flat ? f_pitch : f_pitch - {3'd0, f_row_bytes};
  assign f_move = (f_strided ? 20'd0 : {{(19 - LS) {1'b0}}, req_len_o}) +
                  (f_strided || f_row_over ? f_gap : 20'd0);

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    if (!f_started) assume (!rst_ni);
    // What the caller ensures: elements are aligned, a row fits, and a halo has few rows.
    assume ((gbase_i[2:0] & ~(3'd7 << esz_i)) == 3'd0);
    assume (f_pitch_s <= 21'd65536);
    assume (!f_halo || hrows_i < 16'd256);
    if (!rst_ni || abort_i || done_o) f_open <= 1'b0;
    else if (start_i && !f_open) begin
      f_open <= 1'b1;
      f_flat <= !dim2_i && !f_halo;
      f_empty <= (dim2_i && count_i[15:8] == 8'd0) || (dim2_i ? count_i[7:0] == 8'd0 : count_i == 16'd0);
      f_strided <= f_is_strided;
      f_bank <= mode_i == 2'd2 && hrows_i != 16'd0;
      f_above_const <= f_north;
      f_west_const <= f_west;
      f_mixed <= ((f_north || f_south) && hrows_i != 16'd0) || ((f_west || f_east) && hcols_i != 16'd0);
      f_row_bytes <= f_row;
      f_rows <= f_height + (f_halo && !f_north ? hrows_i : 16'd0) + (f_halo && !f_south ? hrows_i : 16'd0);
      f_asked <= 17'd0;
      f_rows_done <= 16'd0;
      f_next_a <= gbase_i;
      f_next_s <= sbase_i;
      f_pitch <= {4'd0, stride_i == 16'd0 ? 16'd1 : stride_i} << esz_i;
      f_between <= (f_west ? f_hcols[15:0] : 16'd0) + (f_east ? f_hcols[15:0] : 16'd0);
      f_side <= f_hcols[16:0];
      f_up <= f_halo ? hrows_i[7:0] : 8'd0;
      f_set_up <= !dim2_i && !f_halo;
      f_first <= 1'b1;
    end else if (f_open && !f_set_up) begin
      if (f_up != 8'd0) begin
        f_up <= f_up - 8'd1;
        if (f_above_const) f_next_s <= f_next_s + f_row_bytes[15:0] + f_between;
        else f_next_a <= f_next_a - {44'd0, f_pitch};
      end else begin
        f_set_up <= 1'b1;
        if (f_west_const) f_next_s <= f_next_s + f_side[15:0];
        else f_next_a <= f_next_a - {47'd0, f_side};
      end
    end else if (f_step) begin
      f_asked <= f_row_over ? 17'd0 : f_taken;
      if (f_row_over) f_rows_done <= f_rows_done + 16'd1;
      f_next_a <= f_next_a + {{44{f_move[19]}}, f_move};
      f_next_s <= f_next_s + {{(15 - LS) {1'b0}}, req_len_o} + (f_row_over ? f_between : 16'd0);
      if (req_valid_o) begin
        f_first <= 1'b0;
        f_segment <= req_seg_o[63:LS];
      end
    end
  end

  generate
    if (SEG != 8 && SEG != 16) begin : g_every_size
      // Invariants of the registers, which the induction needs.
      always @(posedge clk_i) begin
        if (f_started) begin
          assert (busy_q == f_open);
          assert (setup_q == (f_open && !f_empty && !f_set_up));
          if (f_open) assert (strided_q == f_strided && (!f_strided || f_flat) && border_q == (f_mixed && !f_empty));
          if (f_open) assert (!f_flat || (f_set_up && !f_mixed));
          if (setup_q) assert (ld_on_q && !req_valid_q && !cst_valid_q && f_rows_done == 16'd0 && f_asked == 17'd0);
          if (setup_q) assert (step_q == f_pitch && rem_q == row_q && cst_left_q == f_side && up_q == f_up);
          if (setup_q) assert (west_q == (f_west_const && f_side != 17'd0) && a_q == f_next_a && saddr_q == f_next_s);
          if (setup_q && f_up != 8'd0) assert (north_q == f_above_const);
          if (ld_on_q || cst_on_q) assert (busy_q && !f_empty);
          if (req_valid_q) assert (ld_on_q);
          if (cst_on_q) assert (border_q);
          if (f_open && !f_empty) assert (f_rows != 16'd0 && f_row_bytes != 17'd0);
          if (f_open) assert (f_pitch[19] == 1'b0 && row_q <= 17'h10000 && row_q == f_row_bytes && some_q == !f_empty);
          if (f_open) assert (f_between == mid_q && f_side <= 17'h8000 && {1'b0, f_between} + f_row_bytes <= 17'h10000);
          if (f_open && f_strided) assert (row_q == 17'd1 << esz_q);
          if (f_open && !f_bank && !border_q) assert (line_q == '0);
          if (f_open && f_bank) assert (mid_q == 16'd0 && !f_mixed);
          if (f_open && f_flat) assert (mid_q == 16'd0 && (f_strided || f_rows == 16'd1));
          if (cst_valid_q) assert (cst_on_q && cst_len_q != 6'd0);
          if (cst_on_q && !setup_q && !cst_valid_q) assert (cst_len_q == 6'd0);
          if (cst_on_q && setup_q) assert (cst_len_q == 6'd0 && cst_end_q == !west_q && !cst_final_q);
          if (cst_on_q && !setup_q && !cst_valid_q && cst_final_q) assert (cst_end_q && cst_left_q == 17'd0);
          if (cst_on_q && !setup_q && cst_end_q && cst_valid_q) assert (cst_left_q == {11'd0, cst_len_q});
          if (cst_on_q && !setup_q && !cst_end_q) assert (cst_left_q > {11'd0, cst_len_q});
          if (ld_on_q) begin
            assert (rem_q != 17'd0 && rows_q != 16'd0);
            assert (f_asked + rem_q == row_q && f_asked < row_q);
            assert (f_rows_done + rows_q == f_rows && f_rows_done < f_rows);
            if (!setup_q) assert (last_q == (rem_q == {{(16 - LS) {1'b0}}, len_q}));
            if (!setup_q) assert (step_q == f_gap);
            if (f_strided) assert (f_asked == 17'd0 && ((a_q[2:0] | step_q[2:0]) & ~(3'd7 << esz_q)) == 3'd0);
          end
        end
      end

      // Laws within one cycle.
      always @(posedge clk_i) begin
        if (f_started) begin
          // Busy from the cycle after the start to the cycle of done, and only then.
          assert (busy_o == f_open);
          // Done comes only while a buffer is open, and closes it: once per start.
          if (done_o) assert (f_open && !req_valid_o && !cst_valid_o && !abort_i);
          // If nothing is left, the buffer is done; the footprint is known then, and before it is the largest.
          if (f_open && !ld_on_q && !cst_on_q && !abort_i) assert (done_o);
          if (!done_o && !abort_i) assert (footprint_o == 17'h10000);
          // Without elements: no request, no constants, done at T1.
          if (f_open && f_empty) assert (!req_valid_o && !cst_valid_o && (done_o || abort_i) && footprint_o == 17'd0);
          // A request waits from the end of the set-up on: at T1 if flat; else later by 1 and the rows above.
          if (f_open && !f_empty && f_set_up && !f_strided && ld_on_q) assert (req_valid_o);
          if (f_open && !f_set_up) assert (!req_valid_o && !cst_valid_o);
          // Unit stride makes a request in every cycle, for all bytes up to the end of the segment or row.
          if (f_set_up && ld_on_q) begin
            assert (req_len_o != '0);
            assert ({1'b0, req_off_o} + req_len_o <= SEGMENT || f_strided);
            assert ({{(16 - LS) {1'b0}}, req_len_o} <= rem_q);
            assert ({1'b0, req_off_o} + req_len_o == SEGMENT || {{(16 - LS) {1'b0}}, req_len_o} == rem_q);
          end
          // Strided: an element makes a request exactly if the last requested segment is not its own.
          if (strided_q && ld_on_q && f_open && f_asked == 17'd0)
            assert (req_valid_o == (f_first || a_q[63:LS] != f_segment));
          // Each request continues where the last one ended, or one pitch after the start of the previous row.
          if (f_set_up && ld_on_q) begin
            assert ({req_seg_o[63:LS], req_off_o} == f_next_a);
            if (!f_bank) assert (req_saddr_o == f_next_s);
          end
          // The requested bytes are the configured bytes: every row, in full.
          if (f_open && !f_empty && !ld_on_q) assert (f_rows_done == f_rows && f_asked == 17'd0);
          // Constants carry hconst, sign-extended to the element.
          if (esz_q == 2'd3) assert (cst_data_o == {{48{hconst_q[15]}}, hconst_q});
          if (esz_q == 2'd2) assert (cst_data_o == {2{{16{hconst_q[15]}}, hconst_q}});
          if (esz_q == 2'd1) assert (cst_data_o == {4{hconst_q}});
          if (esz_q == 2'd0) assert (cst_data_o == {8{hconst_q[7:0]}});
          // A run of constants has 1..32 bytes in one line.
          if (cst_valid_o) assert (cst_len_o != 6'd0 && {1'b0, cst_saddr_o[4:0]} + cst_len_o <= 6'd32);
        end
      end

      // Laws between consecutive cycles.
      always @(posedge clk_i) begin
        if (f_started && $past(f_started) && $past(rst_ni)) begin
          // A request is never lost or changed while it waits.
          if ($past(req_valid_o && !req_ready_i && !abort_i))
            assert (req_valid_o && $stable({req_seg_o, req_off_o, req_len_o, req_saddr_o}));
          // A run of constants is never lost or changed while it waits.
          if ($past(cst_valid_o && !cst_ready_i && !abort_i))
            assert (cst_valid_o && $stable({cst_saddr_o, cst_len_o, cst_data_o}));
          // Each step brings the end nearer.
          if ($past(setup_q && !abort_i)) assert (!setup_q || up_q < $past(up_q));
          if ($past(f_step && !abort_i) && ld_on_q)
            assert (rows_q < $past(rows_q) || (rows_q == $past(rows_q) && rem_q < $past(rem_q)));
          // After an abort the block is idle.
          if ($past(abort_i)) assert (!busy_o && !req_valid_o && !cst_valid_o && !done_o);
          // A start while busy is ignored: the fields do not change.
          if ($past(busy_o && start_i)) assert ($stable({row_q, mid_q, hrows_q, esz_q, hconst_q, strided_q, border_q}));
          // An idle cycle with busy = 0 changes nothing.
          if ($past(!busy_o && !start_i && !abort_i)) begin
            assert ($stable({busy_q, setup_q, ld_on_q, req_valid_q, cst_on_q, cst_valid_q}));
            assert ($stable({strided_q, esz_q, hconst_q}));
            assert ($stable({hrows_q, south_q, west_q, east_q, some_q, border_q, row_q, mid_q}));
            assert ($stable({a_q, len_q, last_q, saddr_q, rem_q, rows_q, step_q, pos_q, line_q}));
            assert ($stable({north_q, up_q, mids_q}));
            assert ($stable({cst_in_q, cst_final_q, cst_end_q, cst_saddr_q, cst_len_q, cst_left_q}));
            assert ($stable({req_seg_o, req_off_o, req_len_o, req_saddr_o, footprint_o}));
            assert ($stable({cst_saddr_o, cst_len_o, cst_data_o}));
            assert (!busy_o && !done_o && !req_valid_o && !cst_valid_o);
          end
        end
        // A reset leaves the block idle.
        if (f_started && $past(!rst_ni)) assert (!busy_o && !done_o && !req_valid_o && !cst_valid_o);
      end
    end
  endgenerate

  // Bank padding, for buffers of every size: the shared address of each request, and the footprint, by a count of the bytes
  // that are left to the next skip. SEG=16 splits a line of NB words where a buffer does not begin with a segment.
  generate
    if (SEG == 16) begin : g_skips
      logic skips, final_request, ends_line;
      logic [15:0] base, at, period, until_skip;  // bytes from skip to skip; bytes left to the next one
      logic [15:0] taken, pad;                    // by this request
      assign taken = {{(15 - LS) {1'b0}}, len_q};
      assign final_request = f_row_over && f_rows_done + 16'd1 == f_rows;
      assign ends_line = skips && taken >= until_skip;
      // A skip comes before the next byte, if there is one.
      assign pad = !ends_line || (final_request && taken == until_skip) ? 16'd0 : esz_q == 2'd3 ? 16'd8 : 16'd4;

      always @(posedge clk_i) begin
        assume (mode_i == 2'd2);
        if (start_i && !f_open && !abort_i) begin
          base <= sbase_i;
          at <= sbase_i;
          skips <= hrows_i != 16'd0 && hrows_i < 16'd1 << XW;
          period <= hrows_i << LB;
          until_skip <= hrows_i << LB;
        end else if (f_open && f_step) begin
          at <= at + taken + pad;
          until_skip <= until_skip - taken + (ends_line ? period : 16'd0);
        end
      end

      always @(posedge clk_i) begin
        if (f_started && f_open) begin
          // Each request goes to the byte after the last one, after a skip if one is due.
          if (req_valid_o) assert (req_saddr_o == at);
          // The footprint ends with the last byte.
          if (done_o) assert (footprint_o[15:0] == at - base);
          cover (req_valid_o && ends_line && f_rows_done != 16'd0);
        end
      end

      // Invariants of the registers, which the induction needs.
      always @(posedge clk_i) begin
        if (f_started) begin
          assert (busy_q == f_open);
          if (req_valid_q) assert (ld_on_q);
          if (ld_on_q) assert (f_open && !f_empty);
          if (f_open) assert ((!f_strided || f_flat) && (!f_flat || f_set_up));
          assert (!cst_on_q && !cst_valid_q);
          assert (setup_q == (f_open && !f_empty && !f_set_up));
          if (f_open) assert (!border_q && mid_q == 16'd0 && !west_q && some_q == !f_empty);
          if (setup_q) assert (!north_q && up_q == 8'd0 && f_up == 8'd0 && ld_on_q && !req_valid_q);
          if (f_open) assert (saddr_q == at && cst_saddr_q == base);
          if (f_open) assert (f_between == 16'd0 && row_q == f_row_bytes && strided_q == f_strided);
          if (ld_on_q && skips) begin
            assert ({hrows_q, {LB{1'b0}}} == period);
            assert (line_q != '0 && {line_q, {LB{1'b0}}} == until_skip + {{XW{1'b0}}, pos_q});
            assert (until_skip <= period && until_skip != 16'd0);
          end
          if (ld_on_q && !skips) assert (line_q == '0);
          if (ld_on_q) begin
            assert (rem_q != 17'd0 && rows_q != 16'd0 && len_q != '0 && len_q <= SEGMENT);
            assert (f_asked + rem_q == row_q && f_asked < row_q);
            assert (f_rows_done + rows_q == f_rows && f_rows_done < f_rows);
            if (!setup_q) assert (last_q == (rem_q == {1'b0, taken}));
            if (setup_q) assert (rem_q == row_q && f_asked == 17'd0);
            else assert ({1'b0, taken} <= rem_q);
            // an element is never cut: it is aligned
            if (f_strided) assert (f_asked == 17'd0 && last_q && row_q == 17'd1 << esz_q);
            if (f_strided) assert (((a_q[2:0] | step_q[2:0]) & ~(3'd7 << esz_q)) == 3'd0);
          end
        end
      end
    end
  endgenerate

  // Small tiles: any one element of the buffer, halo included, is loaded or constant as the definition says, comes from
  // its place, goes to its place, and does so once. The solver chooses the element.
  generate
    if (SEG == 8) begin : g_small
      (* anyconst *) logic [2:0] row, column;
      logic [3:0] height, width, index;  // of the buffer, halo included; number of the element
      logic [9:0] s, to, from;           // low bits: shared address of the buffer, places of the element
      logic [9:0] foot, asked, skipped, stride, moved;  // moved: bytes taken by requests (bank)
      logic [9:0] loads_at, writes_at;   // bytes from the start of the request, of the constants, to the element
      logic constant, inside, bank, wide, written, loads_it, writes_it;
      logic [2:0] lines, sides, columns;
      assign lines = f_halo ? {2'd0, hrows_i[0]} : 3'd0;
      assign sides = f_halo ? {2'd0, hcols_i[0]} : 3'd0;
      assign columns = dim2_i ? {1'b0, count_i[1:0]} : count_i[2:0];
      assign stride = (stride_i == 16'd0 ? 10'd1 : {6'd0, stride_i[3:0]}) << esz_i;
      assign loads_at = to - req_saddr_o[9:0];
      assign writes_at = to - cst_saddr_o[9:0];
      assign loads_it = req_valid_o && req_ready_i && loads_at < {{(9 - LS) {1'b0}}, req_len_o};
      assign writes_it = cst_valid_o && cst_ready_i && writes_at < {4'd0, cst_len_o};
      assign asked = req_saddr_o[9:0] - s;
      assign skipped = moved >> (wide ? 4 : 3);
      assign to = s + ({6'd0, index} << esz_q);
      assign foot = {6'd0, height} * {6'd0, width} << esz_q;
      assign inside = f_open && !f_empty && !f_strided && !bank && {1'b0, row} < height && {1'b0, column} < width;

      always @(posedge clk_i) begin
        assume (f_columns <= (dim2_i || f_halo ? 16'd2 : 16'd7) && (!dim2_i || count_i < 16'h0300));
        assume (!f_is_strided || count_i < 16'd8);
        assume (hcols_i <= 16'd1 && hrows_i <= 16'd2 && (!f_halo || hrows_i <= 16'd1));
        assume (stride_i <= 16'd15 && row < 3'd4);
        if (start_i && !f_open) begin
          s <= sbase_i[9:0];
          height <= {2'd0, dim2_i ? count_i[9:8] : 2'd1} + {lines, 1'b0};
          width <= {1'b0, columns} + {sides, 1'b0};
          index <= {2'd0, row[1:0]} * ({1'b0, columns} + {sides, 1'b0}) + {1'b0, column};
          from <= gbase_i[9:0] - (lines[0] ? stride : 10'd0) + (row[0] ? stride : 10'd0) +
                  (row[1] ? {stride[8:0], 1'b0} : 10'd0) + (({7'd0, column} - {7'd0, sides}) << esz_i);
          constant <= (f_north && row < lines) || (f_south && row >= {1'b0, dim2_i ? count_i[9:8] : 2'd1} + lines) ||
                      (f_west && column < sides) || (f_east && column >= columns + sides);
          bank <= mode_i == 2'd2 && hrows_i != 16'd0;
          wide <= hrows_i == 16'd2;
          moved <= 10'd0;
          written <= 1'b0;
        end else if (f_open) begin
          if (req_valid_o && req_ready_i) moved <= moved + {{(9 - LS) {1'b0}}, req_len_o};
          if (loads_it || writes_it) written <= 1'b1;
        end
      end

      always @(posedge clk_i) begin
        if (f_started && inside) begin
          if (loads_it) assert (!written && !constant && !writes_it);
          if (loads_it) assert (a_q[9:0] + loads_at == from);
          if (writes_it) assert (!written && constant);
          if (done_o) assert (written && footprint_o == {7'd0, foot});
          cover (done_o && constant && width == 4'd3 && height == 4'd3);
          cover (writes_it && row == 3'd2);
        end
        if (f_started && f_open && !f_empty && !f_strided && bank && esz_q != 2'd3) begin
          // Bank padding: 4 bytes after every 8 or 16.
          if (req_valid_o) assert (asked == moved + (skipped << 2));
          if (done_o && f_flat) assert (footprint_o[9:0] == moved + ((moved - 10'd1 >> (wide ? 4 : 3)) << 2));
          cover (req_valid_o && skipped == 10'd1 && !wide && f_flat);
          cover (req_valid_o && skipped == 10'd1 && wide && f_flat);
        end
      end

      // The antecedents of the laws above are reachable, even with small buffers.
      always @(posedge clk_i) begin
        if (f_started) begin
          cover (done_o && f_rows_done == 16'd2 && !f_flat);
          cover (done_o && f_empty);
          cover (strided_q && ld_on_q && !req_valid_o);
          cover (done_o && strided_q);
          cover (f_set_up && ld_on_q && !f_flat && f_rows_done != 16'd0 && f_asked != 17'd0);
          cover (skip && f_step && !strided_q);
        end
        if (f_started && $past(f_started && rst_ni)) begin
          cover ($past(req_valid_o && !req_ready_i && !abort_i) && f_rows_done == 16'd1);
          cover ($past(cst_valid_o && !cst_ready_i && !abort_i));
          cover ($past(abort_i && req_valid_o && cst_valid_o));
          cover ($past(busy_o && start_i && !done_o));
          cover ($past(!busy_o && !start_i && !abort_i) && a_q != 64'd0);
        end
        cover (f_started && $past(!rst_ni && req_valid_o));
      end
    end
  endgenerate
