// SPDX-License-Identifier: Apache-2.0
// Laws of teleport_table, inside the module. They follow one row, arbitrary and fixed for the run, and what a CTA is given. The
// environment is assumed to report the end of a row only while it has one, and to have three at most.
// prove: bmc=4 induct=2 ROWS=2 STREAMS=2 WIDE=0
// prove-nightly: bmc=2 induct=2 cover=9 ROWS=3 STREAMS=2 WIDE=0
// prove-nightly: bmc=2 induct=2 ROWS=2 STREAMS=3 WIDE=1
// prove-nightly: bmc=2 induct=2 ROWS=8 STREAMS=4 WIDE=0
// equal: ROWS=3 STREAMS=2 WIDE=0
// equal-nightly: ROWS=2 STREAMS=3 WIDE=1
// equal-nightly: ROWS=4 STREAMS=16 WIDE=1
// equal-nightly: ROWS=8 STREAMS=16 WIDE=1

  (* anyconst *) logic [RW-1:0] f_row;
  logic f_started = 1'b0;
  // The row as it was set: taken, flushed since, in the snapshot, still to be walked.
  logic f_was_reset, f_was_idle, f_held, f_live, f_snap, f_walk, f_on;
  logic [1:0] f_unit;  // rows that the range unit has
  logic [TW-1:0] f_stream;
  logic [RB-1:0] f_fields;
  logic [15:0] f_lines, f_x, f_y, f_z;
  logic [RW-1:0] f_last_row;  // the row that the CTA was given last
  logic f_some;               // it was given one
  logic f_offered, f_told;
  logic [RW-1:0] f_offered_row;
  logic [4*ROWS-1:0] f_state;
  logic [TW-1:0] f_stream_of;  // as the table has it
  for (genvar b = 0; b < TW; b++) begin : f_g_stream
    logic [ROWS-1:0] plane;
    assign plane = stream_q[b];
    assign f_stream_of[b] = plane[f_row];
  end
  logic f_set, f_flush, f_begin, f_end, f_take, f_goes, f_mine;
  assign f_set = set_valid_i && !set_full_o && !set_misfit_o && place[f_row];
  assign f_flush = flush_valid_i && flush_stream_i == f_stream;
  assign f_begin = launch_valid_i && !walking_o;
  assign f_end = end_valid_i && !walking_o;
  assign f_take = cta_valid_i && cta_ready_o;
  assign f_goes = row_valid_o && row_ready_i;
  assign f_mine = row_valid_o && pick[f_row];
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !busy_o && !set_valid_i && !flush_valid_i && !launch_valid_i && !end_valid_i && !cta_valid_i;
    f_state <= {used_q, snap_q, gone_q, walk_q};
    f_offered <= rst_ni && row_valid_o && !row_ready_i;
    f_offered_row <= number;
    f_told <= rst_ni && msg_valid_o && !msg_ready_i;
    if (!rst_ni) begin
      {f_held, f_live, f_snap, f_walk, f_on, f_unit, f_some} <= '0;
    end else begin
      // Launch or end, then flush, then set.
      if (f_begin || f_end) f_snap <= f_begin && f_live && f_stream == launch_stream_i;
      f_live <= f_set || (f_live && !f_flush);
      f_held <= f_set || (f_live && !f_flush) ||
                (f_begin || f_end ? f_begin && f_live && f_stream == launch_stream_i : f_snap);
      if (f_set) begin
        f_stream <= set_stream_i;
        f_fields <= set_row;
      end
      if (f_take) f_walk <= f_snap;
      else if (f_goes && f_mine) f_walk <= 1'b0;
      if (f_take) {f_x, f_y, f_z} <= {cta_x_i, cta_y_i, cta_z_i};
      f_on <= f_take || (f_on && !(msg_valid_o && msg_ready_i));
      f_unit <= f_unit + {1'b0, f_goes} - {1'b0, row_end_i};
      f_lines <= f_take ? 16'd0 : f_lines + {15'd0, line_taken_i};
      if (f_take) f_some <= 1'b0;
      else if (f_goes) begin
        f_some <= 1'b1;
        f_last_row <= number;
      end
    end
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - RW) {1'b0}}, f_row} < ROWS);
    if (row_end_i || line_taken_i) assume (f_unit != 2'd0);
    if (row_ready_i) assume (f_unit != 2'd3 || row_end_i);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // A row is taken if one is free and it fits; it goes to a free row, which is no row of a running launch.
      assert (set_full_o == (set_valid_i && &used_q));
      if (set_valid_i && set_typesize_i == 32'd0) assert (set_misfit_o);
      if (set_valid_i && set_stream_i < STREAMS && set_typesize_i != 32'd0 && WIDE != 0 && set_typesize_i < 32'h10000)
        assert (!set_misfit_o);
      if (WIDE == 0 && set_valid_i && !set_misfit_o)
        assert (set_base_i < 64'h1_0000_0000 && set_typesize_i < 32'd256 && set_mino_i < 32'h10000 && set_maxo_i < 32'h10000 &&
                set_minp_i[31:0] < 32'h10000 && set_maxp_i[95:64] < 32'h10000);
      if (f_set) assert (!f_live && !f_snap);
      assert (used_q[f_row] == f_held && (f_live || f_snap) == f_held);
      // Flush touches its stream alone, and no running launch.
      assert (snap_q[f_row] == f_snap && gone_q[f_row] == (f_snap && !f_live));
      if (f_held) assert (row_q[f_row] == f_fields && f_stream_of == f_stream);
      // Each row of the snapshot is offered once to each CTA, in table order, as it was set.
      assert (walk_q[f_row] == f_walk && (!f_walk || (f_snap && f_on)));
      if (f_mine) begin
        assert (f_walk && number == f_row);
        assert (row_base_o[31:0] == f_fields[31:0] && row_typesize_o[7:0] == f_fields[BB+:8]);
        assert (row_minp_o[15:0] == f_fields[BB+SB+:16] && row_maxo_o[15:0] == f_fields[RB-FB+:16]);
        assert (row_x_o == f_x && row_y_o == f_y && row_z_o == f_z);
      end
      if (f_on) assert ({x_q, y_q, z_q} == {f_x, f_y, f_z});
      if (row_valid_o) assert (pick != '0 && (pick & (pick - 1'b1)) == '0 && f_on);
      if (row_valid_o && f_some) assert (number > f_last_row);
      if (f_some && f_on) assert (f_last_row < ROWS && !(f_walk && f_row <= f_last_row));
      if (f_on && f_some && f_snap && f_row > f_last_row) assert (f_walk);
      if (f_on && !f_some) assert (f_walk == f_snap);
      // An offered row, a message, stays until it is taken.
      if (f_offered && !f_was_reset) assert (row_valid_o && number == f_offered_row);
      if (f_told && !f_was_reset) assert (msg_valid_o);
      // The message comes when every row has ended, and says how many lines there were.
      assert (walking_o == f_on && open_q == f_unit && (f_unit == 2'd0 || f_on));
      if (msg_valid_o) assert (f_on && f_unit == 2'd0 && !f_walk && msg_total_o == f_lines);
      if (f_on && walk_q == '0 && f_unit == 2'd0) assert (msg_valid_o);
      if (f_on) assert (total_q == f_lines);
      assert (busy_o == f_on);
      // An idle tick with busy = 0 changes nothing; a reset leaves no row.
      if (f_was_idle && !f_was_reset) assert (!busy_o && {used_q, snap_q, gone_q, walk_q} == f_state);
      if (f_was_reset) assert (used_q == '0 && !walking_o && !busy_o);

      cover (msg_valid_o && f_some && f_lines == 16'd2);
      cover (msg_valid_o && !f_some);
      if (ROWS > 1) cover (f_unit == 2'd2 && row_end_i);
      cover (f_mine && f_some);
      cover (f_mine && !f_live);
      cover (f_set && f_some);
      cover (set_full_o);
      cover (f_offered && f_mine);
      cover (f_was_idle && f_held);
    end
  end
