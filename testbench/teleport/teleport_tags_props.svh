// SPDX-License-Identifier: Apache-2.0
// Laws of teleport_tags, inside the module. They follow one line, arbitrary and fixed for the run, from its fill on, and the order
// of use of two ways of one set. Pairs of ways are many, so the laws are there for few ways only. With two sets z3 needs more than
// ten minutes for the first step; what sets add, the index, is in the proof that model and RTL are equal, at 2 and 4 sets.
// prove: bmc=2 induct=2 SETS=1 WAYS=2
// prove-nightly: cover=8 SETS=1 WAYS=2
// prove-nightly: bmc=2 induct=2 SETS=1 WAYS=4
// equal: SETS=2 WAYS=2
// equal-nightly: SETS=1 WAYS=6
// equal-nightly: SETS=4 WAYS=4
// equal-nightly: SETS=2 WAYS=8

  if (WAYS <= 8) begin : f_small
  (* anyconst *) logic [56:0] f_line;
  (* anyconst *) logic [WB-1:0] f_a, f_b;  // two ways of set f_set
  (* anyconst *) logic [XW-1:0] f_set;
  logic f_started = 1'b0;
  logic f_here, f_was_reset, f_was_idle, f_later;  // f_later: way a was used later than way b
  logic [WB-1:0] f_way;
  logic [1:0] f_op;
  logic [56:0] f_of;
  logic [SETS*WAYS-1:0] f_valid_last;
  logic f_this, f_leaves, f_used_a, f_used_b, f_in_set;
  logic [LW-1:0] f_limit, f_next_limit;

  // Tags and ranks of the ways, as numbers.
  localparam logic [31:0] F_ALL = WAYS;
  logic [SETS*WAYS*TW-1:0] f_tags;
  logic [SETS*WAYS*WB-1:0] f_ranks;
  logic [SETS*WAYS-1:0] f_valid;
  for (genvar s = 0; s < SETS; s++) begin : f_g_set
    for (genvar w = 0; w < WAYS; w++) begin : f_g_way
      logic [TW-HALT-1:0] upper_bits;
      assign upper_bits = tags_q[s*WAYS+w];
      for (genvar b = 0; b < HALT; b++) assign f_tags[(s*WAYS+w)*TW+b] = halt_q[(s*HALT+b)*2+w/HW][w%HW];
      assign f_tags[(s*WAYS+w)*TW+HALT+:TW-HALT] = upper_bits;
      for (genvar b = 0; b < WB; b++) assign f_ranks[(s*WAYS+w)*WB+b] = rank_q[(s*WB+b)*2+w/HW][w%HW];
      assign f_valid[s*WAYS+w] = valid_q[s*2+w/HW][w%HW];
    end
  end
  logic [31:0] f_line_set, f_line_at, f_a_at, f_b_at;
  logic [TW-1:0] f_tag;
  assign f_tag = f_line[56-:TW];
  assign f_line_set = SETS == 1 ? 32'd0 : {{(32 - XW) {1'b0}}, f_line[XW-1:0]};
  assign f_line_at = f_line_set * WAYS + f_way;
  assign f_a_at = f_set * WAYS + f_a;
  assign f_b_at = f_set * WAYS + f_b;

  assign f_this = f_op != 2'd0 && f_of == f_line;
  assign f_in_set = f_op != 2'd0 && (SETS == 1 || f_of[XW-1:0] == f_set);
  assign f_used_a = f_in_set && (placed_o || (hit_o && f_op != INVALIDATE)) && way_o == f_a;
  assign f_used_b = f_in_set && (placed_o || (hit_o && f_op != INVALIDATE)) && way_o == f_b;
  assign f_next_limit = !limit_en_i ? f_limit : limit_i > F_ALL[LW-1:0] ? F_ALL[LW-1:0] : limit_i;
  assign f_leaves = clear_i || (evict_valid_o && evict_line_o == f_line) || (f_this && f_op == INVALIDATE);
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !busy_o && !fill_valid_i && !inval_valid_i && !probe_valid_i && !clear_i && !limit_en_i;
    f_valid_last <= f_valid;
    if (!rst_ni) begin
      f_here <= 1'b0;
      f_op <= 2'd0;
      f_limit <= F_ALL[LW-1:0];
      f_later <= f_a < f_b;
    end else begin
      f_op <= fill_valid_i ? 2'd1 : inval_valid_i ? 2'd2 : probe_valid_i ? 2'd3 : 2'd0;
      f_of <= fill_valid_i ? fill_line_i : inval_valid_i ? inval_line_i : probe_line_i;
      f_limit <= f_next_limit;
      if (f_this && placed_o) begin
        f_here <= !clear_i && way_o < f_next_limit;
        f_way <= way_o;
      end else if (f_leaves || f_way >= f_next_limit) begin
        f_here <= 1'b0;
      end
      if (f_used_a) f_later <= 1'b1;
      if (f_used_b) f_later <= 1'b0;
    end
    if (!f_started) assume (!rst_ni);
    assume (f_a < WAYS && f_b < WAYS && f_a != f_b && f_set < SETS);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // A line hits exactly if it was filled and has not been evicted, invalidated, cleared or taken back since.
      assert (answer_o == f_op);
      if (f_this) assert (hit_o == f_here && (!f_here || way_o == f_way));
      if (f_op == 2'd0) assert (!hit_o && !placed_o && !evict_valid_o && evict_line_o == '0 && way_o == '0);
      // One way hits.
      assert (({hit_high, hit_low} & ({hit_high, hit_low} - 1'b1)) == '0);
      // A fill takes a way if its line is not here; a line leaves only for it.
      assert (placed_o == (f_op == 2'd1 && !hit_o && f_limit != '0));
      if (evict_valid_o) assert (placed_o);
      // A line that is evicted was here, and in the way that the fill takes.
      if (evict_valid_o && evict_line_o == f_line) assert (f_here && way_o == f_way);
      if (placed_o && f_here && way_o == f_way && (SETS == 1 || f_of[XW-1:0] == f_line[XW-1:0]))
        assert (evict_valid_o && evict_line_o == f_line);
      // The way is below the limit: the lowest invalid one, else the one used the longest time ago.
      if (placed_o) assert (way_o < f_limit);
      if (placed_o && f_in_set && way_o == f_a) begin
        assert (evict_valid_o == f_valid[f_a_at]);
        if (!evict_valid_o && f_b < f_a) assert (f_valid[f_b_at]);
        if (evict_valid_o && f_b < f_limit) assert (f_valid[f_b_at] && !f_later);
      end
      // The ranks are a permutation in the order of use.
      assert (f_later == (f_ranks[f_a_at*WB+:WB] < f_ranks[f_b_at*WB+:WB]));
      for (int s = 0; s < SETS; s++)
        for (int w = 0; w < WAYS; w++) begin
          assert (f_ranks[(s*WAYS+w)*WB+:WB] < WAYS);
          for (int v = 0; v < w; v++) begin
            assert (f_ranks[(s*WAYS+w)*WB+:WB] != f_ranks[(s*WAYS+v)*WB+:WB]);
            // A line is here once.
            assert (!f_valid[s*WAYS+w] || !f_valid[s*WAYS+v] || f_tags[(s*WAYS+w)*TW+:TW] != f_tags[(s*WAYS+v)*TW+:TW]);
          end
          if (w >= f_limit) assert (!f_valid[s*WAYS+w]);
          if (s == f_line_set) assert ((f_valid[s*WAYS+w] && f_tags[(s*WAYS+w)*TW+:TW] == f_tag) == (f_here && f_way == w));
        end
      // A fill is taken before an invalidation, that before a probe.
      assert (inval_ready_o == !fill_valid_i && probe_ready_o == !(fill_valid_i || inval_valid_i));
      // Invariants.
      assert (limit_q == f_limit && f_limit <= WAYS && op_q == f_op && (f_op == 2'd0 || line_q == f_of));
      // An idle tick with busy = 0 changes nothing; a reset leaves no line.
      assert (busy_o == (f_op != 2'd0));
      if (f_was_idle && !f_was_reset) assert (!busy_o && f_valid == f_valid_last);
      if (f_was_reset) assert (f_valid == '0 && !busy_o);

      cover (f_this && hit_o && f_op == 2'd3);
      cover (f_this && f_op == 2'd1 && hit_o);
      cover (evict_valid_o && evict_line_o == f_line);
      cover (f_this && f_op == 2'd2 && hit_o);
      cover (f_here && limit_en_i && f_way >= f_next_limit && f_next_limit != '0);
      cover (f_here && clear_i);
      cover (placed_o && f_in_set && way_o == f_a && evict_valid_o && f_b < f_limit);
      cover (placed_o && f_in_set && way_o == f_a && !evict_valid_o && f_b < f_a);
      cover (f_op == 2'd1 && f_limit == '0);
      cover (f_was_idle && f_here);
    end
  end
  end
