// SPDX-License-Identifier: Apache-2.0
// Laws of md_cache, inside the module. They follow the bursts of one line, any one, as they were written last and as memory has them;
// and the order of use of two ways of its set.
// prove: bmc=3 induct=2 cover=7 SETS=2 WAYS=2 LINES=4 LW=5
// prove: bmc=2 induct=2 cover=9 SETS=2 WAYS=1 LINES=4 LW=5
// prove-nightly: bmc=2 induct=2 SETS=4 WAYS=4 LINES=8 LW=7
// prove-nightly: bmc=2 induct=2 SETS=2 WAYS=2 LINES=128 LW=16
// equal: SETS=2 WAYS=2 LINES=4 LW=5
// equal-nightly: SETS=2 WAYS=2 LINES=16 LW=8
// equal-nightly: SETS=4 WAYS=1 LINES=4 LW=7
// equal-nightly: SETS=4 WAYS=4 LINES=16 LW=10
// equal-nightly: SETS=2 WAYS=2 LINES=128 LW=16

  (* anyconst *) logic [LW-1:0] f_line;
  (* anyconst *) logic [1:0] f_first;  // its bursts at the beginning
  (* anyconst *) logic [WB-1:0] f_a, f_b;
  logic f_started = 1'b0;
  logic f_was_reset, f_waited, f_was_idle;
  logic [1:0] f_now, f_memory;  // as they were written last; as memory has them
  logic f_dirty;                // a write since the line was filled
  logic [MW-1:0] f_md, f_ev_line;
  logic [LB:0] f_place;
  logic f_here, f_later, f_uses_a, f_uses_b;
  logic [WB-1:0] f_way;  // of the line, where it is here
  logic [AW-1:0] f_row;
  logic [ROWS-1:0] f_valid, f_dirties;
  logic f_out;           // the line is offered to memory
  assign f_md = f_line[LW-1:LB];
  assign f_place = {f_line[LB-1:0], 1'b0};
  logic [XW-1:0] f_set;  // the line's
  logic [WAYS*WB-1:0] f_ranks;
  assign f_set = f_md[XW-1:0];
  assign f_ranks = set_q[f_set] ? rank_q[f_set] : start;
  logic [WAYS-1:0] f_has;
  for (genvar w = 0; w < WAYS; w++) begin : f_g
    assign f_has[w] = valid_q[f_md[XW-1:0]*WAYS+w] && tag_q[f_md[XW-1:0]*WAYS+w] == f_md[MW-1:XW];
  end
  always_comb begin
    f_way = '0;
    for (int w = 0; w < WAYS; w++) if (f_has[w]) f_way = w;
  end
  assign f_here = f_has != '0;
  assign f_row = f_md[XW-1:0] * WAYS + f_way;
  assign f_out = ev_valid_o && ev_line_o == f_md;
  assign f_uses_a = (hit_o || fills) && set == f_set && way == f_a;
  assign f_uses_b = (hit_o || fills) && set == f_set && way == f_b;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_waited <= rst_ni && ev_valid_o && !ev_ready_i;
    f_was_idle <= rst_ni && !rq_valid_i && !fill_valid_i;
    f_ev_line <= ev_line_o;
    f_valid <= valid_q;
    f_dirties <= dirty_q;
    if (!rst_ni) begin
      f_now <= f_first;
      f_memory <= f_first;
      f_dirty <= 1'b0;
      f_later <= f_a > f_b;
    end else begin
      if (asks && rq_line_i == f_line && hit_o && rq_write_i) f_now <= rq_bursts_i;
      if (f_out && ev_ready_i) f_memory <= ev_data_o[f_place+:2];
      if (asks && hit_o && rq_write_i && rq_line_i[LW-1:LB] == f_md) f_dirty <= 1'b1;
      else if (takes && fill_line_i == f_md && !f_here) f_dirty <= 1'b0;
      if (f_uses_a || f_uses_b) f_later <= f_uses_a;
    end
    if (!f_started) assume (!rst_ni);
    assume (f_a != f_b || WAYS == 1);
    assume ({{(32 - WB) {1'b0}}, f_a} < WAYS && {{(32 - WB) {1'b0}}, f_b} < WAYS);
    // A fill brings what memory has, and the caller writes an evicted line before it fetches the line again.
    if (fill_valid_i && fill_line_i == f_md) assume (fill_data_i[f_place+:2] == f_memory && !f_out);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // A hit gives what was written last.
      if (asks && rq_line_i == f_line) assert (hit_o == f_here && bursts_o == (f_here ? f_now : 2'd0));
      // No metadata is lost: what was written last is in the cache, on its way to memory, or there.
      assert ((f_has & (f_has - 1'b1)) == '0 && !(f_here && f_out));
      if (f_here) assert (data_q[f_row][f_place+:2] == f_now && dirty_q[f_row] == f_dirty);
      if (f_out) assert (ev_data_o[f_place+:2] == f_now);
      if (f_here ? !f_dirty : !f_out) assert (f_memory == f_now);
      // Only a line that was written goes to memory, and it is offered until it is taken.
      if (leaves && set == f_md[XW-1:0] && f_here && way == f_way) assert (f_dirty);
      if (f_waited && !f_was_reset) assert (ev_valid_o && ev_line_o == f_ev_line && !fill_ready_o);
      // A fill leaves other lines alone while the set has room; else the way that was used longest ago leaves.
      if (fills) assert (!valids[way] || all_valid);
      if (WAYS > 1 && fills && all_valid && set == f_set && way == f_a) assert (!f_later);
      if (WAYS > 1) assert ((f_ranks[f_a*WB+:WB] > f_ranks[f_b*WB+:WB]) == f_later);
      for (int w = 0; w < WAYS; w++) begin
        assert (f_ranks[w*WB+:WB] < WAYS);
        // Two ways of a set share neither a rank nor a tag: else the two that hit would be taken for a third.
        for (int v = 0; v < w; v++) begin
          assert (f_ranks[w*WB+:WB] != f_ranks[v*WB+:WB]);
          assert (!valid_q[f_set*WAYS+w] || !valid_q[f_set*WAYS+v] || tag_q[f_set*WAYS+w] != tag_q[f_set*WAYS+v]);
        end
      end
      assert (set_q[f_set] == (valid_q[f_set*WAYS+:WAYS] != '0));
      if (fills && set == f_set) assert (choice != '0);
      // A fill that is taken goes first, and brings its line.
      assert (rq_ready_o == !(fill_valid_i && fill_ready_o) && (!hit_o || (rq_valid_i && rq_ready_o)));
      // An idle tick changes nothing in the cache; a reset leaves no line.
      assert (busy_o == ev_valid_o);
      if (f_was_idle && !f_was_reset) assert (valid_q == f_valid && dirty_q == f_dirties);
      if (f_was_reset) assert (valid_q == '0 && !busy_o);

      cover (f_out && f_now != f_first);
      cover (f_here && f_now != f_memory && f_now != 2'd0 && bursts_o == f_now && asks && rq_line_i == f_line);
      if (WAYS == 1) cover (f_here && !f_dirty && f_now != f_first);
      cover (takes && fill_line_i == f_md && f_dirty && f_here && f_memory != f_now);
      if (WAYS > 1) cover (fills && all_valid && f_later && !leaves);
    end
  end
