// SPDX-License-Identifier: Apache-2.0
// Laws of pf_agen, inside the module. They follow one row, any one, and the CTAs' tiles in it, from the ports; and one line of the
// queue, any one, from the miss that gave it on.
// prove: bmc=4 induct=2 SLOTS=2 ROWS=2 FIFO=2 PAW=32
// prove-nightly: bmc=4 induct=2 cover=7 SLOTS=3 ROWS=2 FIFO=2 PAW=32
// prove-nightly: bmc=3 induct=2 SLOTS=2 ROWS=3 FIFO=3 PAW=33
// prove-nightly: bmc=2 induct=2 SLOTS=5 ROWS=2 FIFO=2 PAW=32
// prove-nightly: bmc=3 induct=2 SLOTS=2 ROWS=16 FIFO=8 PAW=48
// equal: SLOTS=3 ROWS=3 FIFO=3 PAW=32
// equal: SLOTS=1 ROWS=1 FIFO=1 PAW=32
// equal-nightly: SLOTS=5 ROWS=3 FIFO=3 PAW=40
// equal-nightly: SLOTS=8 ROWS=16 FIFO=8 PAW=48

  (* anyconst *) logic [RB-1:0] f_row;
  logic f_started = 1'b0;
  logic f_was_reset, f_waited;
  logic [LW-1:0] f_last_line;
  // The row.
  logic f_valid;
  logic [LW-1:0] f_base, f_limit;
  logic [SLOTS*32-1:0] f_dist;
  // CTAs on the SM, and their tiles in the row.
  logic [SLOTS-1:0] f_held, f_stay, f_first;
  logic [SLOTS*16-1:0] f_tile;
  logic [3:0] f_n;
  logic [31:0] f_stride;
  // A miss of the row in stage 1.
  logic f_miss, f_any_miss;
  logic [PAW-1:0] f_at;
  logic [31:0] f_ahead;
  logic [PAW:0] f_sum;
  logic f_inside, f_takes;
  // A line of the queue, any one: how many lines go before it.
  (* anyseq *) logic f_pick;
  logic f_marked, f_takes_line;
  logic [3:0] f_before;
  logic [LW-1:0] f_line;
  logic [3:0] f_count;  // lines in the queue
  assign f_takes_line = pf_valid_o && pf_ready_i;
  always_comb begin
    f_n = '0;
    for (int s = 0; s < SLOTS; s++) begin
      f_first[s] = f_held[s];
      for (int t = 0; t < s; t++) if (f_held[t] && f_tile[t*16+:16] == f_tile[s*16+:16]) f_first[s] = 1'b0;
      f_n = f_n + {3'd0, f_first[s]};
    end
    f_stride = f_dist[31:0];
    for (int k = 1; k < SLOTS; k++) if (f_n == k + 1) f_stride = f_dist[k*32+:32];
    f_count = '0;
    for (int f = 0; f < FIFO; f++) f_count = f_count + {3'd0, line_valid_q[f]};
    f_stay = f_held;
    for (int s = 0; s < SLOTS; s++) if (end_en_i && end_slot == s) f_stay[s] = 1'b0;
  end
  assign f_takes = miss_en_i && f_valid && miss_row_i == f_row && (miss_pf_i == 2'd1 || miss_pf_i == 2'd2);
  assign f_sum = {1'b0, f_at} + {{(PAW - 31) {1'b0}}, f_ahead};
  assign f_inside = f_valid && !f_sum[PAW] && f_sum[PAW-1:7] >= f_base && f_sum[PAW-1:7] < f_limit;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_waited <= rst_ni && pf_valid_o && !pf_ready_i;
    f_last_line <= pf_line_o;
    f_valid <= rst_ni && ((set_en_i && set_row_i == f_row) || (f_valid && !clear_en_i));
    if (set_en_i && set_row_i == f_row) {f_base, f_limit, f_dist} <= {set_base_i, set_limit_i, set_dist_i};
    f_held <= rst_ni ? f_stay : '0;
    for (int s = 0; s < SLOTS; s++) begin
      if (rst_ni && start_en_i && start_slot == s && !f_stay[s]) begin
        f_held[s] <= 1'b1;
        f_tile[s*16+:16] <= start_tile_i[f_row*16+:16];
      end
    end
    f_miss <= rst_ni && f_takes;
    if (f_takes) begin
      f_at <= miss_addr_i;
      f_ahead <= miss_pf_i == 2'd1 ? 32'd128 : f_stride;
    end
    if (!rst_ni) begin
      f_marked <= 1'b0;
    end else if (f_pick && push && !f_marked) begin
      f_marked <= 1'b1;
      f_line <= line;
      f_before <= f_count - {3'd0, f_takes_line};
    end else if (f_marked && f_takes_line) begin
      if (f_before == 4'd0) f_marked <= 1'b0;
      f_before <= f_before - 1'b1;
    end
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - RB) {1'b0}}, f_row} < ROWS);
  end

  // The place of the line that is followed.
  logic [4:0] f_place, f_end;
  logic [FIFO-1:0] f_filled;
  assign f_place = {{(5 - FB) {1'b0}}, head_q} + {1'b0, f_before};
  assign f_end = {{(5 - FB) {1'b0}}, head_q} + {1'b0, f_count};
  always_comb begin
    for (int f = 0; f < FIFO; f++) f_filled[f] = (f >= head_q && f < f_end) || f + FIFO < f_end;
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // The row is as it was written, and n is the number of distinct tiles of the CTAs on the SM.
      assert (row_q[f_row] == f_valid && held_q == f_held);
      if (f_valid) assert (base_q[f_row] == f_base && limit_q[f_row] == f_limit && dist_q[f_row] == f_dist);
      for (int s = 0; s < SLOTS; s++) if (f_held[s]) assert (tile_q[s][f_row*16+:16] == f_tile[s*16+:16]);
      assert (n_q[f_row*4+:4] == f_n);
      // Stage 1 has the row's miss, and the distance for n.
      if (f_miss) assert (miss_q && from_q == f_row && at_q == f_at && ahead_q == f_ahead);
      if (miss_q && from_q == f_row) assert (f_miss);
      // A line that is queued is in its row; a miss gives one unless it is outside, is queued, or finds no place.
      if (push && from_q == f_row) assert (f_miss && f_inside && line == f_sum[PAW-1:7] && !lost_o);
      if (f_miss && f_inside && f_count < FIFO) assert (push || queued);
      if (lost_o && from_q == f_row) assert (f_miss && f_inside && f_count == FIFO);
      if (push && f_marked) assert (line != f_line);
      // The line that is followed comes after the lines that were before it, and is not lost.
      if (f_marked && f_before == 4'd0) assert (pf_valid_o && pf_line_o == f_line);
      if (f_waited && !f_was_reset) assert (pf_valid_o && pf_line_o == f_last_line);
      // Invariants of the queue: its lines lie from head to tail.
      assert (head_q < FIFO && tail_q < FIFO && f_filled == line_valid_q);
      assert (tail_q == (f_end >= FIFO ? f_end - FIFO : f_end));
      if (f_marked) assert (f_before < f_count && line_q[f_place >= FIFO ? f_place - FIFO : f_place] == f_line);
      // A block that is not busy has neither a miss nor a line; a reset leaves nothing.
      assert (busy_o == (miss_q || f_count != 4'd0));
      if (f_was_reset) assert (!busy_o && f_n == 4'd0 && held_q == '0 && row_q == '0);

      cover (f_n == SLOTS - 1 && held_q == '1 && f_miss);
      cover (f_marked && f_before != 4'd0 && f_line < f_last_line && f_waited);
      cover (lost_o && f_miss);
      cover (f_miss && f_inside && queued);
      cover (f_miss && !f_inside && f_valid && f_sum[PAW]);
    end
  end
