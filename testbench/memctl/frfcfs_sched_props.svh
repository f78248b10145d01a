// SPDX-License-Identifier: Apache-2.0
// Laws of frfcfs_sched, inside the module, on small queues: one request is followed from its arrival to its last command.
// prove: bmc=4 induct=2 cover=7 NB=2 Q=3 RW=1 TW=1 NCMD=1
// prove: bmc=4 induct=2 NB=2 Q=3 RW=2 TW=1 NCMD=2
// prove-nightly: bmc=8 cover=9 NB=2 Q=3 RW=2 TW=2 NCMD=2
// prove-nightly: bmc=2 induct=2 NB=3 Q=4 RW=1 TW=1 NCMD=1
// prove-nightly: bmc=2 induct=2 NB=4 Q=8 RW=3 TW=2 NCMD=2
// equal-nightly: NB=3 Q=5 RW=4 TW=3 NCMD=1
// equal-nightly: NB=1 Q=2 RW=12 TW=8 NCMD=3

  // Scaffolding: the first cycle is a reset; f_e is one arbitrary entry, f_g an older one; one arrival is followed.
  (* anyconst *) logic [5:0] f_e, f_g;
  (* anyconst *) logic [TW-1:0] f_tag;
  (* anyconst *) logic [RW-1:0] f_row;
  (* anyconst *) logic [BW-1:0] f_bank;
  (* anyseq *) logic f_choose;
  logic f_started = 1'b0;
  logic f_was_reset, f_was_idle, f_was_pre, f_was_act, f_followed, f_gone;
  logic [7:0] f_at, f_had;  // entry of the followed request; column commands already given to it
  logic [NB-1:0] f_open;
  logic [NB*RW-1:0] f_open_row;
  logic [BW-1:0] f_cmd_bank;
  logic [RW-1:0] f_cmd_row;

  // The state of entries f_e and f_g, in the plain form of the definition.
  logic [BW-1:0] f_bank_e, f_bank_g;
  logic f_hit_e, f_hit_g, f_row_e, f_row_g;
  assign f_bank_e = banks_q[f_e*BW+:BW];
  assign f_bank_g = banks_q[f_g*BW+:BW];
  assign f_hit_e = valid_q[f_e] && open_q[f_bank_e] && rows_q[f_e*RW+:RW] == open_row_q[f_bank_e*RW+:RW];
  assign f_hit_g = valid_q[f_g] && open_q[f_bank_g] && rows_q[f_g*RW+:RW] == open_row_q[f_bank_g*RW+:RW];
  // Whether some entry of f_e's bank, of f_g's bank, wants the open row.
  logic [Q-1:0] f_pending_e, f_pending_g;
  for (genvar e = 0; e < Q; e++) begin : f_g_entry
    logic hit;
    assign hit = valid_q[e] && open_q[banks_q[e*BW+:BW]] &&
                 rows_q[e*RW+:RW] == open_row_q[banks_q[e*BW+:BW]*RW+:RW];
    assign f_pending_e[e] = hit && banks_q[e*BW+:BW] == f_bank_e;
    assign f_pending_g[e] = hit && banks_q[e*BW+:BW] == f_bank_g;
    // The bank of an entry in use exists, and the entry still has commands to come.
    always @(posedge clk_i) if (f_started && valid_q[e]) assert (banks_q[e*BW+:BW] < NB && done_q[e*DW+:DW] < NCMD);
  end
  assign f_row_e = valid_q[f_e] && f_pending_e == '0 && (open_q[f_bank_e] ? bank_can_pre_i[f_bank_e] : bank_can_act_i[f_bank_e]);
  assign f_row_g = valid_q[f_g] && f_pending_g == '0 && (open_q[f_bank_g] ? bank_can_pre_i[f_bank_g] : bank_can_act_i[f_bank_g]);

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !enq_valid_i && !busy_o;
    f_was_pre <= rst_ni && cmd_o == 2'd3;
    f_was_act <= rst_ni && cmd_o == 2'd2;
    f_cmd_bank <= cmd_bank_o;
    f_cmd_row <= cmd_row_o;
    f_open <= open_q;
    f_open_row <= open_row_q;
    assume (f_e < Q && f_g < f_e && f_bank < NB);
    if (!f_started) assume (!rst_ni);
    if (!rst_ni) begin
      f_followed <= 1'b0;
      f_gone <= 1'b0;
    end else if (!f_followed) begin
      if (enq && f_choose && !f_gone && enq_tag_i == f_tag && enq_row_i == f_row && enq_bank_i == f_bank) begin
        f_followed <= 1'b1;
        f_had <= '0;
        for (int e = 0; e < Q; e++) if (write[e]) f_at <= e;
      end
    end else begin
      if (leave && (pick & ({Q{1'b1}} >> (Q - f_at))) != '0) f_at <= f_at - 1'b1;
      if (pick[f_at] && any_hit) begin
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
      // The oldest ready hit wins: with a ready hit at f_g, no younger entry gets the command, and it is a column command.
      if (f_hit_g && bank_can_col_i[f_bank_g]) assert (cmd_o == 2'd1 && !pick[f_e]);
      // A column command goes to an entry whose row is open, and the timing allows it.
      if (pick[f_e] && cmd_o == 2'd1)
        assert (f_hit_e && bank_can_col_i[f_bank_e] && cmd_bank_o == f_bank_e && cmd_row_o == rows_q[f_e*RW+:RW] &&
                cmd_tag_o == tags_q[f_e*TW+:TW]);
      // ACT goes to a closed bank, PRE to a bank whose open row no entry wants.
      if (pick[f_e] && cmd_o == 2'd2) assert (valid_q[f_e] && !open_q[f_bank_e] && bank_can_act_i[f_bank_e]);
      if (pick[f_e] && cmd_o == 2'd3) assert (f_row_e && open_q[f_bank_e]);
      if (pick[f_e] && cmd_o != 2'd0) assert (cmd_bank_o == f_bank_e);
      // The oldest of the entries that need a row command gets it, unless there is a ready hit.
      if (f_row_g) assert (cmd_o != 2'd0 && (cmd_o == 2'd1 || !pick[f_e]));
      // At most one entry is picked per cycle.
      assert ((pick & (pick - 1'b1)) == '0 && (cmd_o == 2'd0) == (pick == '0));
      // The entries in use are the lowest ones.
      assert ((valid_q & (valid_q + 1'b1)) == '0);
      // The followed request is in its place until it has had all its commands.
      if (f_followed) begin
        assert (f_at < Q && valid_q[f_at]);
        assert (tags_q[f_at*TW+:TW] == f_tag && rows_q[f_at*RW+:RW] == f_row && banks_q[f_at*BW+:BW] == f_bank);
        assert (done_q[f_at*DW+:DW] == f_had && f_had < NCMD);
        if (pick[f_at] && cmd_o == 2'd1) assert (cmd_tag_o == f_tag && cmd_row_o == f_row && cmd_bank_o == f_bank);
      end
      // A request is taken if there is room.
      if (enq_bank_i < NB) assert (enq_ready_o == !(&valid_q));
      if (f_was_reset) assert (!busy_o && open_q == '0);
      if (!f_was_reset) begin
        // PRE closes the bank, ACT opens the row of the request; an idle cycle changes nothing.
        if (f_was_pre) assert (!open_q[f_cmd_bank]);
        if (f_was_act) assert (open_q[f_cmd_bank] && open_row_q[f_cmd_bank*RW+:RW] == f_cmd_row);
        if (f_was_idle) assert (!busy_o && open_q == f_open && open_row_q == f_open_row);
      end

      cover (f_gone);
      cover (pick[f_e] && cmd_o == 2'd1 && valid_q[f_g] && !f_hit_g);
      cover (pick[f_e] && cmd_o == 2'd3);
      cover (f_hit_g && bank_can_col_i[f_bank_g] && f_hit_e && bank_can_col_i[f_bank_e] && f_bank_e != f_bank_g);
      cover (valid_q[f_e] && open_q[f_bank_e] && !f_hit_e && bank_can_pre_i[f_bank_e] && f_pending_e != '0 && cmd_o == 2'd0);
      cover (&valid_q && enq_valid_i);
    end
  end
