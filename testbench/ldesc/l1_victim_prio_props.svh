// SPDX-License-Identifier: Apache-2.0
// Laws of l1_victim_prio, inside the module. They follow two ways of one set, any ones, by the ports alone.
// prove: bmc=2 induct=2 cover=5 SETS=2 WAYS=2 TICKS=2
// prove: bmc=2 induct=2 SETS=2 WAYS=3 TICKS=5
// prove-nightly: bmc=2 induct=2 SETS=4 WAYS=1 TICKS=1
// prove-nightly: bmc=2 induct=2 cover=7 SETS=2 WAYS=4 TICKS=2
// prove-nightly: bmc=2 induct=2 SETS=4 WAYS=4 TICKS=64
// equal: SETS=64 WAYS=4 TICKS=64
// equal: SETS=8 WAYS=3 TICKS=5
// equal: SETS=2 WAYS=1 TICKS=1
// equal-nightly: SETS=64 WAYS=8 TICKS=1024

  (* anyconst *) logic [$clog2(SETS)-1:0] f_set;
  (* anyconst *) logic [WB-1:0] f_a, f_b;
  logic f_started = 1'b0;
  logic f_was_reset, f_was_idle;
  logic [1:0] f_prio_a, f_prio_b, f_last_a;
  logic [10:0] f_ticks;  // since the timer began
  logic f_ends, f_asked, f_may_a, f_may_b;
  logic [WAYS-1:0] f_open, f_empty;
  logic [2*WAYS-1:0] f_row;
  assign f_row = prio_q[f_set];
  // The priority of a way after this cycle: the timer, then the fill, then the hit.
  function automatic logic [1:0] f_class(input logic [1:0] prio);
    f_class = prio == 2'd3 ? 2'd0 : prio;
  endfunction
  function automatic logic [1:0] f_next(input logic [1:0] prio, input logic ends, input logic fill, input logic [1:0] to,
                                        input logic hit, input logic [1:0] by);
    f_next = ends ? 2'd0 : prio;
    if (fill) f_next = f_class(to);
    if (hit && f_class(by) > f_next) f_next = f_class(by);
  endfunction
  assign f_ends = tick_en_i && f_ticks == TICKS - 1;
  assign f_open = ~lock_i;
  assign f_empty = ~lock_i & ~valid_i;
  assign f_asked = fill_en_i && set_i == f_set;
  assign f_may_a = valid_i[f_a] && !lock_i[f_a];
  assign f_may_b = valid_i[f_b] && !lock_i[f_b];
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !fill_en_i && !hit_en_i && !tick_en_i;
    f_last_a <= f_prio_a;
    if (!rst_ni) begin
      f_ticks <= '0;
      f_prio_a <= 2'd0;
      f_prio_b <= 2'd0;
    end else begin
      if (tick_en_i) f_ticks <= f_ends ? '0 : f_ticks + 1'b1;
      f_prio_a <= f_next(f_prio_a, f_ends, found_o && set_i == f_set && victim_o == f_a, fill_prio_i,
                         hit_en_i && hit_set_i == f_set && hit_way_i == f_a, hit_prio_i);
      f_prio_b <= f_next(f_prio_b, f_ends, found_o && set_i == f_set && victim_o == f_b, fill_prio_i,
                         hit_en_i && hit_set_i == f_set && hit_way_i == f_b, hit_prio_i);
    end
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - WB) {1'b0}}, f_a} < WAYS && {{(32 - WB) {1'b0}}, f_b} < WAYS);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // A fill gets a way exactly if some way is not locked. It exists, and is not locked.
      assert (found_o == (fill_en_i && f_open != '0));
      if (found_o) assert ({{(32 - WB) {1'b0}}, victim_o} < WAYS && !lock_i[victim_o]);
      if (!found_o) assert (victim_o == '0 && !all_hard_o);
      // An invalid way comes first, the lowest of them.
      if (found_o && f_empty != '0) assert (!valid_i[victim_o] && !all_hard_o);
      if (found_o && f_empty != '0 && f_empty[f_a]) assert (victim_o <= f_a);
      // All are hard pinned exactly if no line that may leave has a lower priority; then the lowest way that is not locked leaves.
      if (f_asked && all_hard_o && f_may_a) assert (f_prio_a == 2'd2 && victim_o <= f_a);
      if (f_asked && found_o && f_empty == '0 && !all_hard_o && victim_o == f_a) assert (f_prio_a < 2'd2);
      // Way 0 leaves if every line is hard pinned and none is locked.
      if (all_hard_o && !lock_i[0]) assert (victim_o == '0);
      // Otherwise no line of a lower priority, and of its own priority none that was used longer ago, is in the set.
      if (f_asked && found_o && f_empty == '0 && !all_hard_o && victim_o == f_a && f_may_b) begin
        assert (f_prio_a <= f_prio_b);
        if (f_prio_a == f_prio_b) begin
          assert (lru_i[f_a*WB+:WB] <= lru_i[f_b*WB+:WB]);
          if (lru_i[f_a*WB+:WB] == lru_i[f_b*WB+:WB]) assert (f_a <= f_b);
        end
      end
      // The timer ends with the last of TICKS ticks.
      assert (clears_o == f_ends && f_ticks < TICKS && {{(11 - TB) {1'b0}}, timer_q} == f_ticks);
      // Priorities follow timer, fills and hits.
      assert (f_row[2*f_a+:2] == f_prio_a && f_row[2*f_b+:2] == f_prio_b);
      assert (f_prio_a != 2'd3 && f_prio_b != 2'd3 && (f_a != f_b || f_prio_a == f_prio_b));
      // An idle tick changes nothing; a reset leaves every line normal.
      assert (!busy_o);
      if (f_was_idle && !f_was_reset) assert (f_prio_a == f_last_a);
      if (f_was_reset) assert (f_row == '0 && timer_q == '0);

      cover (f_asked && all_hard_o && lock_i == '0);
      cover (f_asked && found_o && f_empty == '0 && victim_o == f_a && f_prio_a == 2'd1 && f_prio_b == 2'd2 && f_may_b);
      cover (f_asked && found_o && f_empty == '0 && victim_o == f_a && f_may_b && f_a != f_b && f_prio_a == f_prio_b);
      cover (clears_o && f_prio_a == 2'd2);
      cover (clears_o && found_o && set_i == f_set);
      cover (fill_en_i && !found_o);
      cover (f_was_idle && f_prio_a == 2'd1);
    end
  end
