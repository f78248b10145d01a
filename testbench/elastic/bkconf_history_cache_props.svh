// SPDX-License-Identifier: Apache-2.0
// Laws of bkconf_history_cache, inside the module. They follow one instruction from the ports only, and one set, both
// arbitrary and fixed for the run; so the induction covers all instructions and sets, and runs of any length.
// prove: bmc=5 induct=2 cover=10 PCW=4 SETS=2 WAYS=2 DW=2
// prove: bmc=4 induct=2 PCW=4 SETS=2 WAYS=4 DW=2
// prove: bmc=4 induct=2 PCW=4 SETS=4 WAYS=1 DW=2
// prove-nightly: cover=14 PCW=4 SETS=2 WAYS=4 DW=2
// prove-nightly: bmc=2 induct=2 PCW=14 SETS=256 WAYS=2 DW=5
// equal: PCW=6 SETS=4 WAYS=2 DW=5
// equal-nightly: PCW=9 SETS=16 WAYS=4 DW=4
// equal-nightly: PCW=16 SETS=64 WAYS=1 DW=8
// equal-nightly: PCW=11 SETS=2 WAYS=2 DW=5

  localparam int F_KEEPS = WAYS > 1 ? 1 : 0;  // other operations since the last use that surely do not evict it
  (* anyconst *) logic [PCW-1:0] f_pc;
  logic f_started = 1'b0;
  logic [SW-1:0] f_set;
  logic [TW-1:0] f_tag;
  assign f_set = f_pc[SW-1:0];
  assign f_tag = f_pc[PCW-1:SW];

  // The instruction's history from the ports: whether and with what degree it was updated since the last flush, and how
  // many other operations its set has had since its last use (a lookup counts as a use only if it must hit).
  logic f_have, f_lk, f_up, f_other_lk, f_other_up, f_stands;
  logic [DW-1:0] f_degree;
  logic [1:0] f_others;
  logic [2:0] f_more;
  assign f_lk = lk_valid_i && lk_pc_i == f_pc;
  assign f_up = up_valid_i && up_pc_i == f_pc;
  assign f_other_lk = lk_valid_i && lk_set_i == f_set && !f_lk && WAYS > 1;
  assign f_other_up = up_valid_i && up_set_i == f_set && !f_up;
  assign f_stands = f_have && f_others <= F_KEEPS;
  assign f_more = (f_lk && f_stands ? 3'd0 : {1'b0, f_others}) + f_other_lk + f_other_up;

  // The required answer to a lookup of the instruction, one cycle later.
  logic f_asked, f_must, f_may, f_was_lookup, f_was_flush, f_was_idle, f_was_reset, f_by_bypass, f_was_other;
  logic [DW-1:0] f_expect;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_flush <= rst_ni && flush_i;
    f_was_idle <= rst_ni && !busy_o && !flush_i && !lk_valid_i && !up_valid_i;
    f_was_lookup <= rst_ni && lk_valid_i;
    f_asked <= rst_ni && f_lk;
    f_must <= rst_ni && f_lk && !flush_i && (f_up || (f_stands && !(WAYS == 1 && f_other_up)));
    f_may <= rst_ni && f_lk && !flush_i && (f_up || f_have);
    f_expect <= f_up ? up_degree_i : f_degree;
    f_by_bypass <= f_up;
    f_was_other <= f_other_up;
    if (!rst_ni || flush_i) f_have <= 1'b0;
    else if (f_up) f_have <= 1'b1;
    if (f_up) f_degree <= up_degree_i;
    if (f_up) f_others <= '0;
    else f_others <= |f_more[2:1] ? 2'd2 : f_more[1:0];
    if (!f_started) assume (!rst_ni);
  end

  // Its set: the current state, and the state after the pending operations.
  logic [WAYS-1:0] f_val, f_next_val, f_mine, f_right;
  logic [WAYS*EW-1:0] f_row, f_next_row;
  logic f_writes;
  assign f_row = rows_q[f_set];
  assign f_writes = up_q && up_set == f_set;
  assign f_next_val = f_writes ? up_val_q | way : f_val;
  assign f_next_row = f_writes ? row : f_row;
  for (genvar w = 0; w < WAYS; w++) begin : g_f
    localparam int FIRST = w * SETS;
    logic [SETS-1:0] column;
    assign column = valid_q[FIRST+:SETS];
    assign f_val[w] = column[f_set];
    assign f_mine[w] = f_next_val[w] && f_next_row[w*EW+DW+:TW] == f_tag;
    assign f_right[w] = f_mine[w] && f_next_row[w*EW+:DW] == f_degree;
  end
  // The way that the next allocation in the full set would take.
  logic [WAYS-1:0] f_victim;
  if (WAYS == 1) begin : g_f_lru
    assign f_victim = 1'b1;
  end else begin : g_f_lru
    logic [LW-1:0] bits;
    assign bits = f_writes ? g_lru.up_used : g_lru.uses && lk_set == f_set ? g_lru.lk_used : lru_q[{ZEROS, f_set}*LW+:LW];
    if (WAYS == 2) assign f_victim = {bits[0], !bits[0]};
    else assign f_victim = bits[0] ? {bits[2], !bits[2], 2'b00} : {2'b00, bits[1], !bits[1]};
  end

  logic [SETS*WAYS-1:0] f_valid_last;
  logic [WAYS*EW-1:0] f_row_last;
  logic [LW-1:0] f_lru_last;
  always @(posedge clk_i) begin
    f_valid_last <= valid_q;
    f_row_last <= f_row;
    if (WAYS > 1) f_lru_last <= lru_q[{ZEROS, f_set}*LW+:LW];
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // An instruction hits with the degree written if no more than F_KEEPS other operations followed its last use.
      if (f_must && !flush_i) assert (rs_valid_o && lk_hit_o && lk_degree_o == f_expect);
      // Only an instruction updated since the last flush hits, with its last degree.
      if (f_asked && lk_hit_o) assert (f_may && lk_degree_o == f_expect);
      // The answer is that after the update of the lookup's own cycle: an entry that it evicts misses.
      if (f_asked && lk_hit_o) assert (f_mine != '0);
      // A miss answers 0.
      if (!lk_hit_o) assert (lk_degree_o == '0);
      // Each lookup is answered in the next cycle, and there is no other answer.
      assert (rs_valid_o == f_was_lookup);
      assert (ev_hit_o == lk_hit_o && ev_miss_o == (rs_valid_o && !lk_hit_o));
      if (lk_hit_o) assert (rs_valid_o);
      // A flush makes the pending answer a miss and stops the pending write.
      if (flush_i) assert (!lk_hit_o && !ev_alloc_o && !ev_evict_o);
      // A flush leaves no entry and no pending update; a lookup in its cycle misses.
      if (f_was_flush) assert (valid_q == '0 && !up_q && !lk_hit_o && !f_have);
      // A reset does the same.
      if (f_was_reset) assert (valid_q == '0 && !busy_o && !f_have);
      // No instruction is in two ways of a set.
      if (!flush_i) assert ((f_mine & (f_mine - 1'b1)) == '0);
      // An entry is evicted only from a full set, by an instruction that is not in it.
      if (ev_evict_o && f_writes) assert (&f_val && ev_alloc_o);
      // The ways of a set are filled in order, way 0 first.
      assert ((f_val & (f_val + 1'b1)) == '0);

      // Invariants that the induction needs. The pending operations have read the current state of their sets.
      if (f_writes) assert (up_val_q == f_val && (up_row_q == f_row || !f_val[0]));
      if (lk_q && lk_set == f_set) assert (lk_val_q == f_val && (lk_row_q == f_row || !f_val[0]));
      if (!flush_i) begin
        // An entry of the instruction holds its last degree, and there is one as long as it must hit.
        assert (f_mine == f_right);
        if (f_mine != '0) assert (f_have);
        if (f_have && f_others <= F_KEEPS) assert (f_mine != '0);
        // The entry used last is not the next victim.
        if (WAYS > 1 && f_have && f_others == 2'd0 && &f_next_val) assert ((f_mine & f_victim) == '0);
      end

      // An idle cycle with nothing pending changes nothing.
      if (f_was_idle) assert (!busy_o && valid_q == f_valid_last && f_row == f_row_last);
      if (f_was_idle && WAYS > 1) assert (lru_q[{ZEROS, f_set}*LW+:LW] == f_lru_last);

      cover (f_must && f_by_bypass && lk_hit_o);
      cover (f_must && !f_by_bypass && f_others == 2'd1 && &f_val);
      if (WAYS > 1) cover (f_must && f_was_other && &f_val && ev_evict_o);
      cover (f_asked && f_may && !lk_hit_o && !flush_i);
      cover (f_asked && f_may && flush_i);
      cover (f_was_flush && f_valid_last != '0 && rs_valid_o);
      cover (f_was_idle && f_have && f_val != '0);
      cover (f_writes && lk_q && lk_set == f_set && ev_evict_o);
    end
  end
