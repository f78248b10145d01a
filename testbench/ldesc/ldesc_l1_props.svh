// SPDX-License-Identifier: Apache-2.0
// Laws of ldesc_l1 that concern the parts together, from reset, by the ports alone. They follow one row, any one, and one way of the
// L1, any one. What each part is given is proved by equality.
// prove: bmc=5 ROWS=2 PAW=32 SETS=2 WAYS=2 TICKS=2 SLOTS=1 FIFO=1
// prove-nightly: bmc=8 cover=7 ROWS=2 PAW=32 SETS=2 WAYS=2 TICKS=2 SLOTS=2 FIFO=2
// equal: ROWS=3 PAW=32 SETS=8 WAYS=3 TICKS=5 SLOTS=3 FIFO=3
// equal: ROWS=1 PAW=32 SETS=2 WAYS=1 TICKS=1 SLOTS=1 FIFO=1
// equal-nightly: ROWS=16 PAW=48 SETS=64 WAYS=4 TICKS=64 SLOTS=8 FIFO=8

  localparam int WB = WAYS <= 2 ? 1 : $clog2(WAYS);
  (* anyconst *) logic [RB-1:0] f_row;
  (* anyconst *) logic [SB-1:0] f_set;
  (* anyconst *) logic [WB-1:0] f_way;
  logic f_started = 1'b0;
  logic f_was_reset;
  // The row as it was written.
  logic f_there, f_writes, f_inside;
  logic [PAW-8:0] f_base, f_limit;
  logic [1:0] f_insert, f_pf;
  logic f_some_pf;  // a miss had a prefetch mode since the reset
  assign f_writes = set_en_i && set_row_i == f_row;
  assign f_inside = f_there && at_en_i && at_addr_i[PAW-1:7] >= f_base && at_addr_i[PAW-1:7] < f_limit;
  // A miss that the row answers, in the last cycle and in the one before: the line after it is in the row.
  logic f_miss, f_due, f_next_inside, f_ends_row;
  logic [PAW-8:0] f_next, f_want, f_due_line;
  assign f_next = at_addr_i[PAW-1:7] + 1'b1;
  assign f_next_inside = f_next != '0 && f_next < f_limit;
  assign f_ends_row = set_en_i || clear_en_i;
  // The line in the way: a hit or a fill gave it class hard since the timer ended.
  logic f_hard;
  logic [1:0] f_class;
  logic f_hits, f_fills;
  assign f_class = insert_o == 2'd3 ? 2'd0 : insert_o;
  assign f_hits = hit_en_i && at_addr_i[7+:SB] == f_set && hit_way_i == f_way;
  assign f_fills = found_o && fill_set_i == f_set && victim_o == f_way;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_there <= rst_ni && (f_writes || (f_there && !clear_en_i));
    if (f_writes) {f_base, f_limit, f_insert, f_pf} <= {set_base_i, set_limit_i, set_insert_i, set_pf_i};
    f_some_pf <= rst_ni && (f_some_pf || (miss_en_i && (pf_o == 2'd1 || pf_o == 2'd2)));
    f_miss <= rst_ni && miss_en_i && f_inside && has_row_o && row_o == f_row && f_pf == 2'd1 && f_next_inside && !f_ends_row;
    f_want <= f_next;
    f_due <= rst_ni && f_miss && !pf_valid_o;
    f_due_line <= f_want;
    f_hard <= rst_ni && ((f_hits && f_class == 2'd2) || (f_fills ? fill_prio_i == 2'd2 : f_hard && !clears_o));
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - RB) {1'b0}}, f_row} < ROWS && {{(32 - WB) {1'b0}}, f_way} < WAYS);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // The answer of the row is its own: class and prefetch mode.
      if (has_row_o && row_o == f_row) assert (f_inside && insert_o == f_insert && pf_o == f_pf);
      if (f_inside) assert (has_row_o && row_o <= f_row);
      // A line whose class is hard, by a fill or by a hit in its row, leaves only if every line is hard pinned, or for an invalid way
      // of its own.
      if (f_fills && f_hard && valid_i[f_way]) assert (all_hard_o);
      // If every line may leave and is hard pinned, so is this one.
      if (all_hard_o && fill_set_i == f_set && valid_i[f_way] && !lock_i[f_way]) assert (f_hard);
      // A miss in a row of next lines gives the next line two cycles later, if the queue was empty.
      if (f_due) assert (pf_valid_o && pf_line_o == f_due_line);
      // Without a miss that prefetches nothing is offered, and the block is never busy.
      if (!f_some_pf) assert (!pf_valid_o && !lost_o && !busy_o);
      if (pf_valid_o || lost_o) assert (busy_o);
      if (f_was_reset) assert (!busy_o && !has_row_o && !all_hard_o);

      cover (f_due && pf_valid_o && row_o != '0);
      cover (all_hard_o && f_fills && f_hard);
      cover (f_hits && f_class == 2'd2 && f_fills && fill_prio_i == 2'd0);
    end
  end
