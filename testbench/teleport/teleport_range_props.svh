// SPDX-License-Identifier: Apache-2.0
// Laws of teleport_range, inside the module. They rebuild from the ports the row that is held, its age and its lines, and work out
// equations 2 and 3 by shifts and adds. Products of any factors are too much for the solver: the laws look at all bases and
// fields, but only at bx = 0 and 32768 and at typesize 0 and 1. That model and RTL multiply alike is proved for all factors.
// prove: bmc=3 WIDE=0
// prove-nightly: bmc=3 induct=2 cover=7 WIDE=1
// prove-nightly: bmc=3 induct=2 cover=7 WIDE=0
// equal: WIDE=1
// equal: WIDE=0

  logic f_started = 1'b0;
  logic f_held, f_was_reset, f_was_idle, f_waited, f_waited_last, f_taken_last;
  logic [2:0] f_age;  // cycles since the row was taken, at most 4
  logic [63:0] f_base, f_waited_addr, f_lines, f_first;
  logic [15:0] f_size;
  logic [47:0] f_index;
  logic [3*FW-1:0] f_minp, f_maxp;
  logic [FW-1:0] f_mino, f_maxo;
  logic f_take, f_end, f_line;
  assign f_take = row_valid_i && row_ready_o;
  assign f_line = line_valid_o && out_ready_i;
  assign f_end = last_o && (!line_valid_o || out_ready_i);
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !busy_o && !row_valid_i;
    f_waited <= rst_ni && line_valid_o && !out_ready_i;
    f_waited_last <= last_o;
    f_waited_addr <= line_addr_o;
    f_taken_last <= rst_ni && f_line && !last_o;
    if (!rst_ni) begin
      f_held <= 1'b0;
    end else begin
      f_held <= f_take || (f_held && !f_end);
      if (f_take) begin
        f_age <= 3'd1;
        f_lines <= '0;
        f_base <= base_i;
        f_size <= typesize_i;
        f_index <= {bz_i, by_i, bx_i};
        f_minp <= {minp_i[64+:FW], minp_i[32+:FW], minp_i[0+:FW]};
        f_maxp <= {maxp_i[64+:FW], maxp_i[32+:FW], maxp_i[0+:FW]};
        f_mino <= mino_i[FW-1:0];
        f_maxo <= maxo_i[FW-1:0];
      end else begin
        if (f_age != 3'd4) f_age <= f_age + 3'd1;
        if (f_line) f_lines <= f_lines + 64'd1;
      end
    end
    if (!f_started) assume (!rst_ni);
  end

  // Equations 2 and 3: signed fields and 50 bits, or unsigned fields and 34 bits.
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
    assign known = e == 0 ? minsum_q : maxsum_q;
    assign elements = {{(64 - SW) {WIDE != 0 && known[SW-1]}}, known};
    assign address = f_base + (f_size[0] ? elements : '0) + (f_size[2] ? elements << 2 : '0);
  end
  localparam logic [47:0] F_INDEX = 48'h8000;  // ones that an index may have
  localparam logic [15:0] F_SIZE = 16'd1;
  always @(posedge clk_i) begin
    assume (({bz_i, by_i, bx_i} & ~F_INDEX) == '0 && (typesize_i & ~F_SIZE) == '0);
    if (f_started && f_held) assert ((f_index & ~F_INDEX) == '0 && (f_size & ~F_SIZE) == '0);
  end
  // The range, as it is in the first cycle of its lines, which is compared with the equations; f_seen: of an earlier cycle.
  logic [63:0] f_min, f_max, f_min_seen, f_max_seen, f_at, f_final;
  logic f_large, f_empty, f_third;
  assign f_third = f_held && f_age == 3'd3;
  assign f_min = f_third ? min_q : f_min_seen;
  assign f_max = f_third ? max_q : f_max_seen;
  always @(posedge clk_i) begin
    f_min_seen <= f_min;
    f_max_seen <= f_max;
  end
  assign f_large = WIDE == 0 && (minsum_q >= 34'h80000000 || maxsum_q >= 34'h80000000);
  assign f_empty = f_max <= f_min || f_large;
  assign f_final = (f_max - 64'd1) >> 7;
  assign f_at = (f_min >> 7) + f_lines;  // number of the line that is due

  always @(posedge clk_i) begin
    if (f_started) begin
      // A row is held from its taking to its end; the next one is taken at its end at the earliest.
      assert (busy_o == f_held && held_q == f_held);
      if (!f_held) assert (!summed_q && !lines_q);
      assert (row_ready_o == (!f_held || f_end));
      // The row and its sums are those that were given.
      if (f_held) begin
        assert (base_q == f_base && size_q == f_size && index == f_index);
        assert (minp == f_minp && maxp == f_maxp && mino_q == f_mino && maxo_q == f_maxo);
        assert (f_age != 3'd0 && f_age <= 3'd4);
        assert (summed_q == (f_age >= 3'd2) && lines_q == (f_age >= 3'd3));
      end
      if (f_held && f_age == 3'd2) assert (minsum_q == f_g_end[0].sum && maxsum_q == f_g_end[1].sum);
      if (f_third) assert (min_q == f_g_end[0].address && max_q == f_g_end[1].address);
      // Nothing comes out before the third cycle after the taking, and then a line is due in each cycle.
      if (!f_held || f_age < 3'd3) assert (!line_valid_o && !last_o && !err_o && line_addr_o == '0);
      if (f_held && f_age >= 3'd3) begin
        assert (max_q == f_max);
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
        if (f_age == 3'd3) assert (f_lines == '0);
      end
      if (f_held) assert (f_lines < 64'h200000000000000);
      if (f_held && f_age < 3'd3) assert (f_lines == '0);
      // A line is stable until it is taken, and the next one follows at once.
      if (f_waited && !f_was_reset) assert (line_valid_o && line_addr_o == f_waited_addr && last_o == f_waited_last);
      if (f_taken_last && !f_was_reset) assert (line_valid_o && line_addr_o == f_waited_addr + 64'd128);
      // An idle tick with busy = 0 changes nothing, and a reset leaves no row.
      if (f_was_idle || f_was_reset) assert (!busy_o && row_ready_o);

      cover (f_waited && f_waited_last && f_end);
      cover (f_taken_last && last_o && f_take);
      cover (f_held && f_age == 3'd3 && f_empty && !out_ready_i && f_take);
      if (WIDE == 0) cover (err_o && last_o);
      if (WIDE != 0) cover (line_valid_o && minsum_q[SW-1]);
      cover (f_was_idle);
    end
  end
