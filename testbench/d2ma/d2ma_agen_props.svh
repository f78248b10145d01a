// SPDX-License-Identifier: Apache-2.0
// Laws of d2ma_agen, inside the module. Those of the first part hold for buffers of every size
// (induction). The second part follows any one byte of small tiles; SEG=8 makes a few bytes several
// requests.
// prove: bmc=10 induct=2 cover=10 SEG=128 NB=32
// prove: bmc=16 cover=12 SEG=8 NB=2

  // Scaffolding: what a start asks for, read from the ports once more; what was taken since.
  logic f_started = 1'b0;
  logic f_open;                        // accepted, and neither done nor dropped since
  logic f_flat, f_empty, f_strided;
  logic [20:0] f_row_bytes, f_asked;   // bytes to load a row; taken of this row
  logic [17:0] f_rows, f_rows_done;    // rows to load; loaded
  logic [63:0] f_row_a;                // where this row begins, in global memory
  logic [15:0] f_row_s;                // and in shared memory, skips left out
  logic [21:0] f_pitch;                // bytes between elements or rows in global memory
  logic [15:0] f_pitch_s;              // bytes between rows in shared memory
  logic f_first;                       // no segment asked for yet
  logic [63:LS] f_segment;             // the last one asked for
  logic [2:0] f_age;                   // cycles since the start, at most 7

  logic f_halo, f_north, f_south, f_west, f_east, f_step, f_row_over;
  logic [15:0] f_columns;
  logic [7:0] f_height;
  logic [20:0] f_hcols, f_taken;
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
  assign f_step = running && ld_on_q && (!req_valid_o || req_ready_i);
  assign f_taken = f_asked + {{(20 - LS) {1'b0}}, req_len_o};
  assign f_row_over = f_taken == f_row_bytes;

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    if (!f_started) assume (!rst_ni);
    if (!rst_ni || abort_i || done_o) f_open <= 1'b0;
    else if (start_i && !f_open) begin
      f_open <= 1'b1;
      f_flat <= !dim2_i && !f_halo;
      f_empty <= f_height == 8'd0 || f_columns == 16'd0;
      f_strided <= !dim2_i && !f_halo && stride_i > 16'd1;
      f_row_bytes <= ({5'd0, f_columns} << esz_i) + (f_halo && f_west ? 21'd0 : f_hcols) +
                     (f_halo && f_east ? 21'd0 : f_hcols);
      f_rows <= {10'd0, f_height} + (f_halo && !f_north ? {2'd0, hrows_i} : 18'd0) +
                (f_halo && !f_south ? {2'd0, hrows_i} : 18'd0);
      f_asked <= 21'd0;
      f_rows_done <= 18'd0;
      f_row_a <= gbase_i;
      f_row_s <= sbase_i;
      f_pitch <= {6'd0, stride_i == 16'd0 ? 16'd1 : stride_i} << esz_i;
      f_pitch_s <= (f_columns << esz_i) + {f_hcols[14:0], 1'b0};
      f_first <= 1'b1;
      f_age <= 3'd1;
    end else if (f_open) begin
      if (f_age != 3'd7) f_age <= f_age + 3'd1;
      if (setup2_q) begin
        f_row_a <= a_q;
        f_row_s <= load_s;
      end
      if (f_step) begin
        f_asked <= f_row_over ? 21'd0 : f_taken;
        if (f_row_over) f_rows_done <= f_rows_done + 18'd1;
        if (f_row_over || f_strided) f_row_a <= f_row_a + {42'd0, f_pitch};
        if (f_row_over) f_row_s <= f_row_s + f_pitch_s;
        if (req_valid_o) begin
          f_first <= 1'b0;
          f_segment <= req_seg_o[63:LS];
        end
      end
    end
  end

  // What else holds of the registers, so that the laws carry over from cycle to cycle.
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
      if (cst_valid_q) assert (cst_on_q && cst_left_q >= {11'd0, cst_len_q});
      if (running && cst_on_q && !cst_valid_q) assert (cst_len_q == 6'd0 && cst_left_q == 17'd0);
      if (f_open) assert (f_pitch[21:19] == 3'd0 && row_q <= 21'h180000 && row_q == f_row_bytes);
      if (f_open) assert (f_pitch_s == row_q[15:0] + mid_q[15:0]);
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

  // Laws of one cycle.
  always @(posedge clk_i) begin
    if (f_started) begin
      // Busy from the cycle after the start to the cycle of done, and only then.
      assert (busy_o == f_open);
      // Done comes while a buffer is open, which it closes: once a start.
      if (done_o) assert (f_open && !req_valid_o && !cst_valid_o && !abort_i);
      // With nothing left the buffer is done.
      if (running && !ld_on_q && !cst_on_q && !abort_i) assert (done_o);
      // Without elements: no request, no constants, done at T1.
      if (f_open && f_empty) assert (f_age == 3'd1 && !req_valid_o && !cst_valid_o && (done_o || abort_i));
      if (f_open && f_empty) assert (footprint_o == 17'd0);
      // The first request comes at T1 (flat) and T3 (2D, halo).
      if (f_open && !f_empty && f_age == (f_flat ? 3'd1 : 3'd3)) assert (req_valid_o);
      if (f_open && !f_flat && f_age < 3'd3) assert (!req_valid_o && !cst_valid_o);
      // Unit stride asks in every cycle, for all that the segment and the row allow.
      if (running && ld_on_q && !strided_q) begin
        assert (req_valid_o && req_len_o != '0);
        assert ({1'b0, req_off_o} + req_len_o <= SEGMENT && {{(20 - LS) {1'b0}}, req_len_o} <= rem_q);
        assert ({1'b0, req_off_o} + req_len_o == SEGMENT || {{(20 - LS) {1'b0}}, req_len_o} == rem_q);
      end
      // Strided: an element asks exactly if the segment asked for last is not its own.
      if (strided_q && ld_on_q) assert (req_valid_o == (f_first || a_q[63:LS] != f_segment));
      // Each request continues where the last one ended, and rows lie one pitch apart.
      if (running && ld_on_q) begin
        assert ({req_seg_o[63:LS], req_off_o} == f_row_a + (strided_q ? 64'd0 : {43'd0, f_asked}));
        if (words_q == '0) assert (req_saddr_o == f_row_s + f_asked[15:0]);
      end
      // The bytes requested are the bytes configured: every row in full, every row there is.
      if (f_open && !f_empty && !ld_on_q) assert (f_rows_done == f_rows && f_asked == 21'd0);
      // A run of constants has 1..32 bytes in one line.
      if (cst_valid_o) assert (cst_len_o != 6'd0 && {1'b0, cst_saddr_o[4:0]} + cst_len_o <= 6'd32);

      cover (done_o && f_rows_done == 18'd2 && !f_flat);
      cover (done_o && f_empty);
      cover (f_open && f_empty && !f_flat);
      cover (f_open && !f_empty && !f_flat && f_age == 3'd3);
      cover (strided_q && ld_on_q && !req_valid_o);
      cover (strided_q && req_valid_o && !f_first);
      cover (done_o && strided_q);
      cover (running && ld_on_q && !f_flat && f_rows_done != 18'd0 && f_asked != 21'd0);
      cover (skip && f_step && !strided_q);
      cover (cst_valid_o && cst_len_o == 6'd32 && cst_saddr_o[15:5] != sbase_i[15:5]);
      cover (cst_on_q && !ld_on_q && running && cst_mids_q != 18'd0);
    end
  end

  // Laws from one cycle to the next.
  always @(posedge clk_i) begin
    if (f_started && $past(f_started) && $past(rst_ni)) begin
      // A request is never lost or changed while it waits.
      if ($past(req_valid_o && !req_ready_i && !abort_i))
        assert (req_valid_o && $stable({req_seg_o, req_off_o, req_len_o, req_saddr_o}));
      // Nor are constants.
      if ($past(cst_valid_o && !cst_ready_i && !abort_i))
        assert (cst_valid_o && $stable({cst_saddr_o, cst_len_o, cst_data_o}));
      // Each step brings the end nearer.
      if ($past(f_step && !abort_i) && ld_on_q)
        assert (rows_q < $past(rows_q) || (rows_q == $past(rows_q) && rem_q < $past(rem_q)));
      if ($past(cst_step) && cst_on_q)
        assert (cst_mids_q < $past(cst_mids_q) || (cst_tail_q == 17'd0 && $past(cst_tail_q != 17'd0)) ||
                cst_left_q < $past(cst_left_q));
      // The footprint stands still while requests and constants leave.
      if ($past(running)) assert ($stable(footprint_o));
      // After an abort the block is idle.
      if ($past(abort_i)) assert (!busy_o && !req_valid_o && !cst_valid_o && !done_o);
      // A start while busy is ignored: the fields stand.
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
      cover ($past(req_valid_o && !req_ready_i && !abort_i) && f_rows_done == 18'd1);
      cover ($past(cst_valid_o && !cst_ready_i && !abort_i));
      cover ($past(abort_i && req_valid_o && cst_valid_o));
      cover ($past(busy_o && start_i && !done_o));
      cover ($past(!busy_o && !start_i && !abort_i) && a_q != 64'd0);
    end
    // A reset leaves the block idle.
    if (f_started && $past(!rst_ni)) assert (!busy_o && !done_o && !req_valid_o && !cst_valid_o);
    cover (f_started && $past(!rst_ni && req_valid_o));
  end

  // Small tiles: what becomes of byte f_b of element (f_r, f_c), any one of them.
  generate
    if (SEG == 8) begin : g_small
      (* anyconst *) logic [2:0] f_r;
      (* anyconst *) logic [2:0] f_c;
      (* anyconst *) logic [2:0] f_b;
      logic [9:0] g;            // its global address, the end that is not carried through
      logic [15:0] s;           // its shared address, skips left out
      logic is_const, bank, wide;  // wide: a skip after 16 bytes, not 8
      logic [16:0] foot;        // of the tile
      logic [16:0] moved;       // bytes taken by requests and constants
      logic [2:0] writes;       // of the byte
      logic [15:0] base;
      logic [2:0] pitch, height;  // elements, halo included
      logic [2:0] lines, ld;
      logic in_load, in_const;
      logic [15:0] asked, skipped, into_load, into_const;
      assign pitch = f_columns[2:0] + (f_halo ? {hcols_i[1:0], 1'b0} : 3'd0);
      assign lines = f_halo ? hrows_i[2:0] : 3'd0;
      assign height = f_height[2:0] + {lines[1:0], 1'b0};
      assign ld = stride_i == 16'd0 ? 3'd1 : stride_i[2:0];
      assign into_load = s - req_saddr_o;
      assign into_const = s - cst_saddr_o;
      assign in_load = req_valid_o && req_ready_i && into_load < {{(15 - LS) {1'b0}}, req_len_o};
      assign in_const = cst_valid_o && cst_ready_i && into_const < {10'd0, cst_len_o};
      assign asked = req_saddr_o - base;
      assign skipped = moved[15:0] >> (wide ? 4 : 3);

      always @(posedge clk_i) begin
        assume (f_columns <= 16'd3 && f_height <= 8'd2 && hcols_i <= 16'd1 && hrows_i <= 16'd2);
        assume (!f_halo || hrows_i <= 16'd1);
        assume (esz_i <= 2'd1 && stride_i <= 16'd6);
        if (!f_started) assume (!setup1_q && !setup2_q && hr_q == 16'd0 && pitch_q == 17'd0);
        if (!f_started) assume (step_q == 22'd0 && height_q == 8'd0 && words_q == '0);
        if (start_i && !f_open) begin
          assume (f_r < height && f_c < pitch && f_b < (3'd1 << esz_i));
          g <= gbase_i[9:0] + {7'd0, f_b} + (({7'd0, f_r} - {7'd0, lines}) * {7'd0, ld} + {7'd0, f_c} -
                                             (f_halo ? hcols_i[9:0] : 10'd0) << esz_i);
          s <= sbase_i + ({13'd0, f_r} * {13'd0, pitch} + {13'd0, f_c} << esz_i) + {13'd0, f_b};
          is_const <= f_halo && ((f_north && f_r < lines) || (f_south && f_r >= height - lines) ||
                                 (f_west && {13'd0, f_c} < hcols_i) ||
                                 (f_east && {13'd0, f_c} >= hcols_i + f_columns));
          foot <= {14'd0, height} * {14'd0, pitch} << esz_i;
          base <= sbase_i;
          bank <= mode_i == 2'd2 && hrows_i != 16'd0;
          wide <= hrows_i == 16'd2;
          moved <= 17'd0;
          writes <= 3'd0;
        end else if (f_open) begin
          moved <= moved + (req_valid_o && req_ready_i ? {{(16 - LS) {1'b0}}, req_len_o} : 17'd0)
                         + (cst_valid_o && cst_ready_i ? {11'd0, cst_len_o} : 17'd0);
          writes <= writes + {2'd0, in_load} + {2'd0, in_const};
        end
      end

      always @(posedge clk_i) begin
        if (f_started && f_open && !f_empty && !f_strided && !bank) begin
          // Loads and constants together are the footprint.
          if (done_o) assert (footprint_o == foot && moved == foot);
          // The byte is written exactly once.
          assert (writes <= 3'd1);
          if (done_o) assert (writes == 3'd1);
          // By a constant where the border is constant, else from its place in the matrix.
          if (in_load) assert (!is_const && {req_seg_o[9:LS], req_off_o} + into_load[9:0] == g);
          if (in_const) assert (is_const);
          cover (done_o && is_const && f_r != 3'd0 && foot > 17'd16);
          cover (in_const && in_load == 1'b0 && req_valid_o);
          cover (in_load && into_load != 16'd0 && f_r == 3'd2);
        end
        if (f_started && f_open && !f_empty && !f_strided && bank) begin
          // Bank padding: 4 bytes (elements up to 4 bytes) after every 8 or 16 bytes.
          if (req_valid_o) assert (asked == moved[15:0] + (skipped << 2));
          if (done_o) assert (moved == foot);
          if (done_o) assert (footprint_o == foot + ((foot - 17'd1 >> (wide ? 4 : 3)) << 2));
          cover (req_valid_o && skipped == 16'd1 && wide == 1'b0 && !f_flat);
          cover (done_o && footprint_o == foot + 17'd4);
        end
      end
    end
  endgenerate
