// SPDX-License-Identifier: Apache-2.0
// Laws of bfifo_sched, inside the module, on small queues: one request is followed from its arrival to its last command.
// prove: bmc=5 induct=2 cover=9 NB=2 DEPTH=2 RW=2 TW=2 NCMD=2
// prove: bmc=4 induct=2 NB=3 DEPTH=3 RW=1 TW=1 NCMD=1
// prove-nightly: bmc=9 NB=2 DEPTH=2 RW=2 TW=2 NCMD=2
// prove-nightly: bmc=12 induct=2 NB=4 DEPTH=4 RW=3 TW=2 NCMD=2
// equal: NB=3 DEPTH=1 RW=5 TW=3 NCMD=1
// equal-nightly: NB=4 DEPTH=8 RW=12 TW=8 NCMD=2
// equal-nightly: NB=8 DEPTH=5 RW=12 TW=8 NCMD=3

  // Scaffolding: the first cycle is a reset; f_b is one arbitrary bank, f_a another; one arrival at f_b is followed.
  (* anyconst *) logic [BW-1:0] f_b, f_a;
  (* anyconst *) logic [TW-1:0] f_tag;
  (* anyconst *) logic [RW-1:0] f_row;
  (* anyseq *) logic f_choose;
  logic f_started = 1'b0;
  logic f_was_reset, f_was_idle, f_followed, f_gone;
  logic [7:0] f_before, f_had;  // older requests of the bank; column commands already given to the followed request
  logic [NB-1:0] f_open;
  logic [NB*RW-1:0] f_open_row;

  logic [31:0] f_count, f_head, f_head_a, f_slot;
  logic [RW-1:0] f_head_row;
  logic [SW-1:0] f_apart;
  logic f_open_b, f_hit, f_hit_a, f_takes, f_column;
  assign f_count = count_q[f_b*CW+:CW];
  assign f_head = head_q[f_b*PW+:PW];
  assign f_slot = f_head + f_before >= DEPTH ? f_head + f_before - DEPTH : f_head + f_before;
  assign f_head_row = rows_q[(f_b*DEPTH+f_head)*RW+:RW];
  assign f_open_b = open_q[f_b];
  assign f_hit = f_open_b && f_head_row == open_row_q[f_b*RW+:RW];
  assign f_hit_a = open_q[f_a] && head_rows[f_a*RW+:RW] == open_row_q[f_a*RW+:RW];
  // Ages come from the stored stamps, not from the choice's own inputs, so that a wrong choice of stamps is found.
  assign f_head_a = head_q[f_a*PW+:PW];
  assign f_apart = stamps_q[(f_a*DEPTH+f_head_a)*SW+:SW] - stamps_q[(f_b*DEPTH+f_head)*SW+:SW];
  assign f_takes = enq_valid_i && enq_ready_o && enq_bank_i == f_b;
  assign f_column = cmd_o == 2'd1 && cmd_bank_o == f_b;

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !enq_valid_i && !busy_o;
    f_open <= open_q;
    f_open_row <= open_row_q;
    assume (f_b < NB && f_a < NB);
    if (!f_started) assume (!rst_ni);
    if (!rst_ni) begin
      f_followed <= 1'b0;
      f_gone <= 1'b0;
    end else if (!f_followed) begin
      if (f_takes && f_choose && !f_gone && enq_tag_i == f_tag && enq_row_i == f_row) begin
        f_followed <= 1'b1;
        f_before <= f_count - pop[f_b];
        f_had <= '0;
      end
    end else if (f_column) begin
      if (f_before != '0) f_before <= f_before - pop[f_b];
      else begin
        f_had <= f_had + 1'b1;
        if (f_had == NCMD - 1) begin
          f_followed <= 1'b0;
          f_gone <= 1'b1;
        end
      end
    end
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // A column command goes to the open row of a bank, and the timing allows it.
      if (f_column) assert (f_hit && bank_can_col_i[f_b] && cmd_row_o == open_row_q[f_b*RW+:RW]);
      // ACT goes to a closed bank, for the row of its oldest request; PRE to a bank whose oldest request wants another row.
      if (cmd_o == 2'd2 && cmd_bank_o == f_b) assert (!f_open_b && bank_can_act_i[f_b] && cmd_row_o == f_head_row);
      if (cmd_o == 2'd3 && cmd_bank_o == f_b) assert (f_open_b && !f_hit && bank_can_pre_i[f_b]);
      // A command is for a bank that has requests.
      if (cmd_o != 2'd0 && cmd_bank_o == f_b) assert (f_count != 0);
      if (cmd_o != 2'd0) assert (cmd_bank_o < NB && busy_o);
      // Column commands have priority over ACT, and ACT over PRE; no command only if none is allowed.
      if (f_count != 0 && f_hit && bank_can_col_i[f_b]) assert (cmd_o == 2'd1);
      if (f_count != 0 && !f_open_b && bank_can_act_i[f_b]) assert (cmd_o == 2'd1 || cmd_o == 2'd2);
      if (f_count != 0 && f_open_b && !f_hit && bank_can_pre_i[f_b]) assert (cmd_o != 2'd0);
      // Of two heads that want the same kind of command the older one wins. (Exact for two banks: with more banks,
      // wrapped stamps may form a cycle, in which one head still wins.)
      if (NB == 2 && some[f_a] && some[f_b] && f_apart[SW-1] && f_apart[SW-2:0] != 0 && f_a != f_b) begin
        if (f_hit_a && bank_can_col_i[f_a]) assert (!f_column);
        if (!open_q[f_a] && bank_can_act_i[f_a] && cmd_o == 2'd2) assert (cmd_bank_o != f_b);
      end
      // Requests of the bank leave in order, each after NCMD column commands: the followed request is in its place, and
      // the bank's column commands are its own once no older request is left.
      if (f_followed) begin
        assert (f_before < f_count);
        assert (tags_q[(f_b*DEPTH+f_slot)*TW+:TW] == f_tag && rows_q[(f_b*DEPTH+f_slot)*RW+:RW] == f_row);
        if (f_before == '0) assert (f_had == done_q[f_b*DW+:DW]);
        if (f_before != '0) assert (f_had == '0);
        if (f_column && f_before == '0) assert (cmd_tag_o == f_tag && cmd_row_o == f_row);
      end
      // A request is taken if its FIFO has room; counts stay in range.
      if (enq_bank_i == f_b) assert (enq_ready_o == (f_count < DEPTH));
      assert (f_count <= DEPTH && f_head < DEPTH && done_q[f_b*DW+:DW] < NCMD);
      if (f_count == 0) assert (done_q[f_b*DW+:DW] == '0);
      if (f_count != 0) assert (busy_o);
      if (f_was_reset) assert (!busy_o && open_q == '0);
      // An idle cycle changes nothing.
      if (f_was_idle && !f_was_reset) assert (!busy_o && open_q == f_open && open_row_q == f_open_row);

      cover (f_gone);
      cover (f_followed && f_before != '0 && f_column);
      cover (cmd_o == 2'd3 && cmd_bank_o == f_b);
      cover (some[f_a] && some[f_b] && f_apart[SW-1] && f_a != f_b && f_hit_a && f_hit && bank_can_col_i[f_a]);
      cover (f_count == DEPTH && enq_valid_i && enq_bank_i == f_b);
      cover (f_was_idle && f_open != '0);
    end
  end
