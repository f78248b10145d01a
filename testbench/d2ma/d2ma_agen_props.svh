// SPDX-License-Identifier: Apache-2.0
// Laws of d2ma_agen, inside the module. The laws of the first part hold for buffers of every size
// (induction). The second part takes tiles of a few elements; SEG=8 splits them into several requests.
// prove: bmc=3 SEG=128 NB=32
// prove: bmc=5 SEG=8 NB=2
// prove-nightly: bmc=3 induct=2 SEG=128 NB=32
// prove-nightly: bmc=6 cover=10 SEG=8 NB=2
// prove-nightly: bmc=8 SEG=8 NB=2

  // Scaffolding: the buffer of the last start, decoded from the ports a second time; what was taken since.
  logic f_started = 1'b0;
  logic f_open;                        // a start was accepted, and the buffer is neither done nor aborted
  logic f_flat, f_empty, f_strided, f_border;
  logic [20:0] f_row_bytes, f_asked;   // bytes to load per row; bytes taken of this row
  logic [17:0] f_rows, f_rows_done;    // rows to load; rows loaded
  logic [63:0] f_next_a;               // global address of the next request or element
  logic [15:0] f_next_s;               // its shared address, without skips
  logic [21:0] f_pitch;                // bytes between elements or rows in global memory
  logic [16:0] f_between;              // bytes of constants between two rows
  logic [17:0] f_mids_done;            // pieces of constants between load rows begun
  logic [9:0] f_stop;                  // low bits of the end of this piece of constants
  logic f_tail;                        // the piece after the last load has begun
  logic f_first;                       // no segment requested yet
  logic [63:LS] f_segment;             // the last requested segment
  logic [2:0] f_age;                   // cycles since the start, at most 7

  logic f_halo, f_north, f_south, f_west, f_east, f_step, f_cst_step, f_row_over;
  logic [15:0] f_columns;
  logic [7:0] f_height;
  logic [20:0] f_hcols, f_row, f_taken;
  logic [21:0] f_gap, f_move;          // bytes from a row's end to the next row; bytes of this step
  assign f_halo = mode_i == 2'd1;
  assign f_north = region_i[7] || (region_i[3:0] >= 4'd1 && region_i[3:0] <= 4'd3);
  assign f_south = region_i[6] || (region_i[3:0] >= 4'd6 && region_i[3:0] <= 4'd8);
  assign f_west = region_i[5] || region_i[3:0] == 4'd1 || region_i[3:0] == 4'd4 ||
                  region_i[3:0] == 4'd6;
  assign f_east = region_i[4] || region_i[3:0] == 4'd3 || region_i[3:0] == 4'd5 ||
                  region_i[3:0] == 4'd8;
  assign f_columns = dim2_i ? {8'd0, count_i[7:0]} : count_i;
  assign f_height = dim2_i ? count_i[15:8] : 8'd1;
  assign f_hcols = f_halo ? {5'd0, hcols_i} << esz_i : 21'd0;
  assign f_row = ({5'd0, f_columns} << esz_i) + (f_halo && f_west ? 21'd0 : f_hcols) +
                 (f_halo && f_east ? 21'd0 : f_hcols);
  assign f_step = running && ld_on_q && (!req_valid_o || req_ready_i);
  assign f_cst_step = running && cst_on_q && (!cst_valid_o || cst_ready_i);
  assign f_taken = f_asked + {{(20 - LS) {1'b0}}, req_len_o};
  assign f_row_over = f_taken == f_row_bytes;
  assign f_gap = f_strided || f_flat ? f_pitch : f_pitch - {1'b0, f_row_bytes};
  assign f_move = (f_strided ? 22'd0 : {{(21 - LS) {1'b0}}, req_len_o}) +
                  (f_strided || f_row_over ? f_gap : 22'd0);

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    if (!f_started) assume (!rst_ni);
    if (!rst_ni || abort_i || done_o) f_open <= 1'b0;
    else if (start_i && !f_open) begin
      f_open <= 1'b1;
      f_flat <= !dim2_i && !f_halo;
      f_empty <= f_height == 8'd0 || f_columns == 16'd0;
      f_border <= f_halo;
      f_strided <= !dim2_i && !f_halo && stride_i > 16'd1;
      f_row_bytes <= f_row;
      f_rows <= {10'd0, f_height} + (f_halo && !f_north ? {2'd0, hrows_i} : 18'd0) +
                (f_halo && !f_south ? {2'd0, hrows_i} : 18'd0);
      f_asked <= 21'd0;
      f_rows_done <= 18'd0;
      f_next_a <= gbase_i;
      f_next_s <= sbase_i;
      f_pitch <= {6'd0, stride_i == 16'd0 ? 16'd1 : stride_i} << esz_i;
      f_between <= (f_halo && f_west ? f_hcols[16:0] : 17'd0) + (f_halo && f_east ? f_hcols[16:0] : 17'd0);
      f_first <= 1'b1;
      f_tail <= 1'b0;
      f_mids_done <= 18'd0;
      f_age <= 3'd1;
    end else if (f_open) begin
      if (f_age != 3'd7) f_age <= f_age + 3'd1;
      if (setup2_q) begin
        f_next_a <= a_q;
        f_next_s <= load_s;
        f_stop <= load_s[9:0];
      end
      if (f_cst_step && cst_left_q == {11'd0, cst_len_o}) begin
        if (f_mids_done + 18'd1 != f_rows && mid_q != 17'd0) begin
          f_mids_done <= f_mids_done + 18'd1;
          f_stop <= f_stop + f_row_bytes[9:0] + f_between[9:0];
        end else begin
          f_stop <= cst_last_q[9:0] + cst_tail_q[9:0];
          f_tail <= 1'b1;
        end
      end
      if (f_step) begin
        f_asked <= f_row_over ? 21'd0 : f_taken;
        if (f_row_over) f_rows_done <= f_rows_done + 18'd1;
        f_next_a <= f_next_a + {{42{f_move[21]}}, f_move};
        f_next_s <= f_next_s + {{(15 - LS) {1'b0}}, req_len_o} + (f_row_over ? f_between[15:0] : 16'd0);
        if (req_valid_o) begin
          f_first <= 1'b0;
          f_segment <= req_seg_o[63:LS];
        end
      end
    end
  end

  // The products. Full multipliers are too slow for solvers, so the laws of every size take the products
  // as free inputs and hold for any value. Small tiles use the true products, which have few bits.
  generate
    if (SEG == 8) begin : g_true_products
      assign above_product = {33'd0, hr_q[1:0]} * {28'd0, above_pitch[6:0]};
      assign tile_product = {15'd0, height_q[1:0]} * {10'd0, pitch_q[6:0]};
      always @(posedge clk_i) begin
        if (f_started && (setup1_q || setup2_q)) assert (hr_q < 16'd4 && above_pitch < 19'd128);
        if (f_started && setup1_q) assert (height_q < 8'd4 && pitch_q < 17'd128);
      end
    end else begin : g_any_products
      (* anyseq *) logic [34:0] any_above;
      (* anyseq *) logic [16:0] any_tile;
      assign above_product = any_above;
      assign tile_product = any_tile;
    end
  endgenerate

  generate
    if (SEG != 8) begin : g_every_size
      // Invariants of the registers, which the induction needs.
      always @(posedge clk_i) begin
        if (f_started) begin
          assert (busy_q == f_open);
          assert (setup1_q == (f_open && !f_flat && !f_empty && f_age == 3'd1));
          assert (setup2_q == (f_open && !f_flat && !f_empty && f_age == 3'd2));
          if (f_open) assert (f_age != 3'd0 && strided_q == f_strided && (!f_strided || f_flat));
          if (setup1_q || setup2_q) assert (ld_on_q && !req_valid_q && !cst_valid_q && f_rows_done == 18'd0);
          if (setup1_q || setup2_q) assert (step_q == f_pitch && rem_q == row_q && cst_len_q == 6'd0);
          if (ld_on_q || cst_on_q) assert (busy_q && !f_empty);
          if ((setup1_q || setup2_q) && !cst_on_q) assert (cst_left_q == 17'd0 && !north_q);
          if (req_valid_q) assert (ld_on_q);
          if (setup1_q || setup2_q) assert (!f_tail && f_mids_done == 18'd0);
          if (setup1_q || setup2_q) assert (rows_q == f_rows && cst_on_q == f_border);
          if ((setup1_q || setup2_q) && f_border) assert (cst_saddr_q[9:0] + cst_left_q[9:0] == saddr_q[9:0]);
          if (running && cst_on_q) begin
            assert (f_border && f_mids_done + cst_mids_q + 18'd1 == f_rows);
            if (f_tail) assert (cst_tail_q == 17'd0 && (mid_q == 17'd0 || cst_mids_q == 18'd0));
          end
          if (f_open && !f_empty) assert (f_rows != 18'd0);
          if (cst_valid_q) assert (cst_on_q && cst_left_q >= {11'd0, cst_len_q});
          if (running && cst_on_q && !cst_valid_q) assert (cst_len_q == 6'd0 && cst_left_q == 17'd0);
          if (f_open) assert (f_pitch[21:19] == 3'd0 && row_q <= 21'h180000 && row_q == f_row_bytes);
          if (f_open) assert (f_between == mid_q);
          if (f_open && f_flat) assert (f_rows == 18'd1 && mid_q == 17'd0 && row_q[20:19] == 2'd0);
          if (ld_on_q) begin
            assert (rem_q != 21'd0 && rows_q != 18'd0);
            assert (f_asked + rem_q == row_q && f_asked < row_q);
            assert (f_rows_done + rows_q == f_rows && f_rows_done < f_rows);
          end
          if (ld_on_q && !f_flat && running) assert (step_q == f_pitch - {1'b0, row_q});
          if (ld_on_q && f_flat) assert (step_q == f_pitch);
          if (ld_on_q && f_strided) begin
            assert (len_q == {{LS{1'b0}}, 1'b1} << esz_q);
            assert ((rem_q & ({{(20 - LS) {1'b0}}, len_q} - 21'd1)) == 21'd0);
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
          // If nothing is left, the buffer is done.
          if (running && !ld_on_q && !cst_on_q && !abort_i) assert (done_o);
          // Without elements: no request, no constants, done at T1.
          if (f_open && f_empty) assert (f_age == 3'd1 && !req_valid_o && !cst_valid_o && (done_o || abort_i));
          if (f_open && f_empty) assert (footprint_o == 17'd0);
          // The first request comes at T1 (flat) and T3 (2D, halo).
          if (f_open && !f_empty && f_age == (f_flat ? 3'd1 : 3'd3)) assert (req_valid_o);
          if (f_open && !f_flat && f_age < 3'd3) assert (!req_valid_o && !cst_valid_o);
          // Unit stride makes a request in every cycle, for all bytes up to the end of the segment or row.
          if (running && ld_on_q && !strided_q) begin
            assert (req_valid_o && req_len_o != '0);
            assert ({1'b0, req_off_o} + req_len_o <= SEGMENT && {{(20 - LS) {1'b0}}, req_len_o} <= rem_q);
            assert ({1'b0, req_off_o} + req_len_o == SEGMENT || {{(20 - LS) {1'b0}}, req_len_o} == rem_q);
          end
          // Strided: an element makes a request exactly if the last requested segment is not its own.
          if (strided_q && ld_on_q) assert (req_valid_o == (f_first || a_q[63:LS] != f_segment));
          // Each request continues where the last one ended, or one pitch after the start of the previous row.
          if (running && ld_on_q) begin
            assert ({req_seg_o[63:LS], req_off_o} == f_next_a);
            if (words_q == '0) assert (req_saddr_o == f_next_s);
          end
          // The requested bytes are the configured bytes: every row, in full.
          if (f_open && !f_empty && !ld_on_q) assert (f_rows_done == f_rows && f_asked == 21'd0);
          // A piece of constants ends where the next load row begins, and is output in full.
          if (running && cst_on_q) assert (cst_saddr_q[9:0] + cst_left_q[9:0] == f_stop);
          // Every piece of constants is output.
          if (running && !f_empty && f_border && !cst_on_q)
            assert (f_tail && (mid_q == 17'd0 || f_mids_done + 18'd1 == f_rows));
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
          if ($past(f_step && !abort_i) && ld_on_q)
            assert (rows_q < $past(rows_q) || (rows_q == $past(rows_q) && rem_q < $past(rem_q)));
          if ($past(cst_step) && cst_on_q)
            assert (cst_mids_q < $past(cst_mids_q) || (cst_tail_q == 17'd0 && $past(cst_tail_q != 17'd0)) ||
                    cst_left_q < $past(cst_left_q));
          // The footprint is stable while requests and constants leave.
          if ($past(running)) assert ($stable(footprint_o));
          // After an abort the block is idle.
          if ($past(abort_i)) assert (!busy_o && !req_valid_o && !cst_valid_o && !done_o);
          // A start while busy is ignored: the fields do not change.
          if ($past(busy_o && start_i)) assert ($stable({row_q, mid_q, words_q, esz_q, hconst_q, height_q}));
          // An idle cycle with busy = 0 changes nothing.
          if ($past(!busy_o && !start_i && !abort_i)) begin
            assert ($stable({busy_q, setup1_q, setup2_q, ld_on_q, req_valid_q, cst_on_q, cst_valid_q}));
            assert ($stable({strided_q, esz_q, hconst_q, hr_q, height_q, north_q, south_q}));
            assert ($stable({pitch_q, row_q, mid_q, words_q}));
            assert ($stable({a_q, len_q, saddr_q, rem_q, rows_q, step_q, left_q, foot_q}));
            assert ($stable({cst_saddr_q, cst_len_q, cst_left_q, cst_mids_q, cst_tail_q, cst_last_q}));
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

  // The antecedents of the laws above are reachable, even with small buffers.
  generate
    if (SEG == 8) begin : g_antecedents
      always @(posedge clk_i) begin
        if (f_started) begin
          cover (done_o && f_rows_done == 18'd2 && !f_flat);
          cover (done_o && f_empty);
          cover (strided_q && ld_on_q && !req_valid_o);
          cover (done_o && strided_q);
          cover (running && ld_on_q && !f_flat && f_rows_done != 18'd0 && f_asked != 21'd0);
          cover (skip && f_step && !strided_q);
          cover (cst_valid_o && cst_len_o == 6'd32 && cst_saddr_o[15:5] != sbase_i[15:5]);
        end
        if (f_started && $past(f_started && rst_ni)) begin
          cover ($past(req_valid_o && !req_ready_i && !abort_i) && f_rows_done == 18'd1);
          cover ($past(cst_valid_o && !cst_ready_i && !abort_i));
          cover ($past(abort_i && req_valid_o && cst_valid_o));
          cover ($past(busy_o && start_i && !done_o));
          cover ($past(!busy_o && !start_i && !abort_i) && a_q != 64'd0);
        end
        cover (f_started && $past(!rst_ni && req_valid_o));
      end
    end
  endgenerate

  // Small tiles: checks the results of the set-up cycles, on which the laws above rely, against the
  // products of the definition. Loads then fill rows of f_row_bytes one pitch apart, and constants fill
  // the bytes before, between and after them; so loaded bytes and constants together are the footprint.
  generate
    if (SEG == 8) begin : g_small
      logic [15:0] s, lines, above;  // of the start: shared address; halo rows; bytes of the halo rows
      logic [16:0] foot, moved;      // bytes of the tile; bytes taken by requests (bank)
      logic [9:0] first;             // global address of the first byte to load, low bits
      logic [16:0] lead, tail;       // bytes of constants before and after the load rows
      logic [15:0] f_pitch_e, asked, skipped;
      logic bank, wide;              // bank: there are skips; wide: after 16 bytes, not 8
      assign lines = f_halo ? hrows_i : 16'd0;
      assign f_pitch_e = f_columns + (f_halo ? {hcols_i[14:0], 1'b0} : 16'd0);
      assign above = lines[0] ? f_pitch_e << esz_i : 16'd0;
      assign asked = req_saddr_o - s;
      assign skipped = moved[15:0] >> (wide ? 4 : 3);

      always @(posedge clk_i) begin
        assume (f_columns <= (dim2_i || f_halo ? 16'd3 : 16'd7) && f_height <= 8'd2);
        assume (hcols_i <= 16'd1 && hrows_i <= 16'd2);
        assume (stride_i <= 16'd15 && (!f_halo || hrows_i <= 16'd1));
        if (start_i && !f_open) begin
          s <= sbase_i;
          foot <= (f_height[1:0] + {lines[1:0], 1'b0}) * f_pitch_e[3:0] << esz_i;
          first <= gbase_i[9:0] - (f_north || !lines[0] ? 10'd0 : stride_i == 16'd0 ? 10'd1 << esz_i
                                                        : stride_i[9:0] << esz_i) -
                   (f_west ? 10'd0 : f_hcols[9:0]);
          lead <= f_halo ? (f_north ? {1'b0, above} : 17'd0) + (f_west ? f_hcols[16:0] : 17'd0) : 17'd0;
          tail <= f_halo ? (f_south ? {1'b0, above} : 17'd0) + (f_east ? f_hcols[16:0] : 17'd0) : 17'd0;
          bank <= mode_i == 2'd2 && hrows_i != 16'd0;
          wide <= hrows_i == 16'd2;
          moved <= 17'd0;
        end else if (f_open && req_valid_o && req_ready_i) begin
          moved <= moved + {{(16 - LS) {1'b0}}, req_len_o};
        end
      end

      always @(posedge clk_i) begin
        if (f_started && f_open && !f_empty && !f_flat && f_age == 3'd3) begin
          // The first load and the constants are at the places that the halo gives; the last piece ends the tile.
          assert ({req_seg_o[9:LS], req_off_o} == first);
          assert (req_saddr_o[9:0] == s[9:0] + lead[9:0]);
          assert (cst_saddr_q == s && cst_left_q == lead && cst_tail_q == tail);
          assert (cst_last_q[9:0] == s[9:0] + foot[9:0] - tail[9:0]);
          if (!bank) assert (footprint_o == foot);
          cover (lead != 17'd0 && tail != 17'd0 && f_rows == 18'd2 && mid_q == 17'd0);
          cover (lead == 17'd0 && tail != 17'd0 && mid_q != 17'd0);
        end
        if (f_started && f_open && !f_empty && !f_strided && bank && esz_q != 2'd3) begin
          // Bank padding: 4 bytes after every 8 or 16.
          if (req_valid_o) assert (asked == moved[15:0] + (skipped << 2));
          if (f_flat) assert (footprint_o == {1'b0, row_q[15:0]} + ((row_q[16:0] - 17'd1 >> (wide ? 4 : 3)) << 2));
          if (!f_flat && running) assert (footprint_o == foot + ((foot - 17'd1 >> (wide ? 4 : 3)) << 2));
          cover (req_valid_o && skipped == 16'd1 && !wide && f_flat);
          cover (req_valid_o && skipped == 16'd1 && wide && f_flat);
        end
      end
    end
  endgenerate
