// SPDX-License-Identifier: Apache-2.0
// Laws of teleport_range, inside the module. They count the rows that the unit holds and follow one of them, any one, from its
// taking to its end: its age, the rows before it and its lines; equations 2 and 3 are worked out by shifts and adds. Products of
// any factors are too much for the solver: the laws look at all bases and fields, but only at bx = 0 and 32768 and at typesize 0
// and 1. That model and RTL multiply alike is proved for all factors.
// prove: bmc=4 WIDE=0
// prove-nightly: bmc=5 induct=2 cover=8 WIDE=1 OVERLAP=1
// prove-nightly: bmc=5 induct=2 cover=8 WIDE=0 OVERLAP=1
// prove-nightly: bmc=3 induct=2 cover=7 WIDE=1
// prove-nightly: bmc=3 induct=2 cover=7 WIDE=0
// equal: WIDE=1
// equal-nightly: WIDE=0
// equal-nightly: WIDE=1 OVERLAP=1
// equal: WIDE=0 OVERLAP=1

  localparam logic [1:0] F_ROWS = OVERLAP != 0 ? 2'd3 : 2'd1;
  (* anyseq *) logic f_choose;  // the row that is taken is followed
  logic f_started = 1'b0;
  logic f_was_reset, f_was_idle, f_waited, f_waited_last, f_taken_last;
  logic [1:0] f_rows;           // rows in the unit
  logic f_mine;                 // the followed row is one of them
  logic [1:0] f_before;         // rows before it
  logic [1:0] f_age;            // cycles since it was taken, at most 3
  logic [63:0] f_base, f_waited_addr, f_lines;
  logic [15:0] f_size;
  logic [47:0] f_index;
  logic [3*FW-1:0] f_minp, f_maxp;
  logic [FW-1:0] f_mino, f_maxo;
  logic f_take, f_end, f_line, f_due;
  logic [1:0] f_stage;          // of the followed row: 1 as it was taken, 2 sums, 3 addresses
  assign f_take = row_valid_i && row_ready_o;
  assign f_line = line_valid_o && out_ready_i;
  assign f_end = last_o && (!line_valid_o || out_ready_i);
  assign f_due = f_mine && f_before == 2'd0;
  assign f_stage = f_age > 2'd3 - f_before ? 2'd3 - f_before : f_age;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !busy_o && !row_valid_i;
    f_waited <= rst_ni && line_valid_o && !out_ready_i;
    f_waited_last <= last_o;
    f_waited_addr <= line_addr_o;
    f_taken_last <= rst_ni && f_line && !last_o;
    if (!rst_ni) begin
      f_rows <= 2'd0;
      f_mine <= 1'b0;
    end else begin
      f_rows <= f_rows + {1'b0, f_take} - {1'b0, f_end};
      if (f_mine) begin
        if (f_end && f_due) f_mine <= 1'b0;
        if (f_end && !f_due) f_before <= f_before - 2'd1;
        if (f_line && f_due) f_lines <= f_lines + 64'd1;
        if (f_age != 2'd3) f_age <= f_age + 2'd1;
      end else if (f_take && f_choose) begin
        f_mine <= 1'b1;
        f_before <= f_rows - {1'b0, f_end};
        f_age <= 2'd1;
        f_lines <= '0;
        f_base <= WIDE != 0 ? base_i : {32'd0, base_i[31:0]};
        f_size <= WIDE != 0 ? typesize_i : {8'd0, typesize_i[7:0]};
        f_index <= {bz_i, by_i, bx_i};
        f_minp <= {minp_i[64+:FW], minp_i[32+:FW], minp_i[0+:FW]};
        f_maxp <= {maxp_i[64+:FW], maxp_i[32+:FW], maxp_i[0+:FW]};
        f_mino <= mino_i[FW-1:0];
        f_maxo <= maxo_i[FW-1:0];
      end
    end
    if (!f_started) assume (!rst_ni);
  end

  // Equations 2 and 3: signed fields and 50 bits, or unsigned fields and 34 bits. The sums are compared when they are new, and
  // kept for the addresses.
  logic [SW-1:0] f_minsum, f_maxsum;
  always @(posedge clk_i) if (f_mine && f_stage == 2'd2) {f_minsum, f_maxsum} <= {minsum_q, maxsum_q};
  for (genvar e = 0; e < 2; e++) begin : f_g_end
    logic [3*FW-1:0] per;
    logic [FW-1:0] offset;
    logic [SW-1:0] x, y, z, o, sum, known;
    logic [63:0] elements, address;
    assign per = e == 0 ? f_minp : f_maxp;
    assign offset = e == 0 ? f_mino : f_maxo;
    assign x = {{(SW - FW) {WIDE != 0 && per[FW-1]}}, per[FW-1:0]};
    assign y = {{(SW - FW) {WIDE != 0 && per[2*FW-1]}}, per[2*FW-1:FW]};
    assign z = {{(SW - FW) {WIDE != 0 && per[3*FW-1]}}, per[3*FW-1:2*FW]};
    assign o = {{(SW - FW) {WIDE != 0 && offset[FW-1]}}, offset};
    assign sum = (f_index[0] ? x : '0) + (f_index[15] ? x << 15 : '0) +
                 (f_index[16] ? y : '0) + (f_index[32] ? z : '0) + o;
    assign known = e == 0 ? f_minsum : f_maxsum;
    assign elements = {{(64 - SW) {WIDE != 0 && known[SW-1]}}, known};
    assign address = f_base + (f_size[0] ? elements : '0) + (f_size[2] ? elements << 2 : '0);
  end
  localparam logic [47:0] F_INDEX = 48'h8000;  // ones that an index may have
  localparam logic [15:0] F_SIZE = 16'd1;
  always @(posedge clk_i) begin
    assume (({bz_i, by_i, bx_i} & ~F_INDEX) == '0 && (typesize_i & ~F_SIZE) == '0);
    if (f_started && f_mine) assert ((f_index & ~F_INDEX) == '0 && (f_size & ~F_SIZE) == '0);
  end
  // The range, as it is in the first cycle of its lines, which is compared with the equations; f_seen: of an earlier cycle.
  logic [63:0] f_min, f_max, f_min_seen, f_max_seen, f_at, f_final;
  logic f_out, f_first, f_was_out, f_large, f_empty;
  assign f_out = f_mine && f_stage == 2'd3;
  assign f_first = f_out && !f_was_out;
  assign f_min = f_first ? min_q : f_min_seen;
  assign f_max = f_first ? max_q : f_max_seen;
  always @(posedge clk_i) begin
    f_was_out <= rst_ni && f_out && !f_end;
    f_min_seen <= f_min;
    f_max_seen <= f_max;
  end
  assign f_large = WIDE == 0 && (f_minsum >= 34'h80000000 || f_maxsum >= 34'h80000000);
  assign f_empty = f_max <= f_min || f_large;
  assign f_final = (f_max - 64'd1) >> 7;
  assign f_at = (f_min >> 7) + f_lines;  // number of the line that is due

  always @(posedge clk_i) begin
    if (f_started) begin
      // The rows that are held were taken and have not ended; there is room for one or three.
      assert ({1'b0, held_q} + {1'b0, summed_q} + {1'b0, lines_q} == f_rows && f_rows <= F_ROWS);
      assert (busy_o == (f_rows != 2'd0));
      assert (row_ready_o == (f_rows != F_ROWS || f_end));
      // The followed row is the oldest but f_before; the oldest one has its sums after a cycle, its addresses after two.
      if (f_mine) begin
        assert (f_before < f_rows && f_age != 2'd0);
        if (f_stage == 2'd1) assert (held_q && f_before == {1'b0, summed_q} + {1'b0, lines_q});
        if (f_stage == 2'd2) assert (summed_q && f_before == {1'b0, lines_q});
        if (f_stage == 2'd3) assert (lines_q && f_due);
        // The row and its sums are those that were given.
        if (f_stage == 2'd1) begin
          assert (base_q == f_base && size_q == f_size && index == f_index);
          assert (minp == f_minp && maxp == f_maxp && mino_q == f_mino && maxo_q == f_maxo);
        end
        if (f_stage == 2'd2) begin
          assert (base2_q == f_base && size2_q == f_size);
          assert (minsum_q == f_g_end[0].sum && maxsum_q == f_g_end[1].sum);
        end
        if (f_stage != 2'd3) assert (f_lines == '0 && !f_was_out);
      end
      if (f_was_out) assert (f_out);
      if (f_first) assert (min_q == f_g_end[0].address && max_q == f_g_end[1].address && f_lines == '0);
      // Nothing comes out of an oldest row before its third cycle, and then a line is due in each cycle.
      if (!lines_q) assert (!line_valid_o && !last_o && !err_o && line_addr_o == '0);
      if (f_out) begin
        assert (max_q == f_max && large_q == f_large);
        assert (err_o == f_large);
        // An empty row: last without a line.
        if (f_empty) assert (!line_valid_o && last_o && f_end && f_lines == '0);
        // Lines in order, from the range's first to its last: (max - 1) / 128 - min / 128 + 1 of them.
        if (!f_empty) begin
          assert (line_valid_o && line_addr_o == {f_at[56:0], 7'd0});
          assert (f_at <= f_final && last_o == (f_at == f_final));
          if (last_o) assert (f_lines + 64'd1 == f_final - (f_min >> 7) + 64'd1);
          assert (min_q == (f_lines == '0 ? f_min : {f_at[56:0], 7'd0}));
        end
      end
      if (f_mine) assert (f_lines < 64'h200000000000000);
      // A line is stable until it is taken, and the next one follows at once.
      if (f_waited && !f_was_reset) assert (line_valid_o && line_addr_o == f_waited_addr && last_o == f_waited_last);
      if (f_taken_last && !f_was_reset) assert (line_valid_o && line_addr_o == f_waited_addr + 64'd128);
      // An idle tick with busy = 0 changes nothing, and a reset leaves no row.
      if (f_was_idle || f_was_reset) assert (!busy_o && row_ready_o);

      cover (f_waited && f_waited_last && f_end);
      cover (f_taken_last && last_o && f_take);
      cover (f_first && f_empty && !out_ready_i && f_take);
      if (OVERLAP != 0) cover (f_out && last_o && f_lines == '0 && f_rows == 2'd3 && f_take);
      if (WIDE == 0) cover (err_o && last_o);
      if (WIDE != 0) cover (f_out && line_valid_o && f_minsum[SW-1]);
      cover (f_was_idle);
    end
  end
