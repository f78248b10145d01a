// SPDX-License-Identifier: Apache-2.0
// Laws of hold_grant_alloc, inside the module. The proofs take every mode at 3 x 2 (padded rows, one word), sizes that are not
// powers of two, and 9 x 8 (two words).
// prove: bmc=4 induct=2 cover=6 I=3 O=2 MODE=1
// prove: bmc=4 induct=2 cover=6 I=3 O=2 MODE=3
// prove: bmc=3 induct=2 I=3 O=2 MODE=2 NB=2 MCS=2
// prove: bmc=3 induct=2 I=3 O=3 MODE=0
// prove: bmc=4 induct=2 cover=8 I=3 O=2 MODE=1 MAXHOLD=1 GRACE=1
// prove: bmc=3 I=9 O=8 MODE=1
// prove-nightly: bmc=2 induct=2 I=5 O=4 MODE=1
// prove-nightly: bmc=2 induct=2 I=3 O=2 MODE=1 MAXHOLD=2 GRACE=1
// prove-nightly: bmc=6 I=3 O=2 MODE=2 NB=2 MCS=2
// prove-nightly: bmc=2 induct=2 I=4 O=5 MODE=3 HW=5 MAXHOLD=1
// prove-nightly: bmc=2 induct=2 I=5 O=4 MODE=2 NB=3 GRACE=2
// equal: I=5 O=4 MODE=3 HW=4 NB=4 SEED=77 MAXHOLD=0 GRACE=0 MCS=1
// equal: I=28 O=8 MODE=1 HW=4 NB=4 SEED=1 MAXHOLD=0 GRACE=0 MCS=1
// equal-nightly: I=8 O=28 MODE=0 HW=4 NB=4 SEED=1 MAXHOLD=0 GRACE=0 MCS=1
// equal-nightly: I=3 O=3 MODE=3 HW=5 NB=4 SEED=1 MAXHOLD=1 GRACE=1 MCS=1
// equal-nightly: I=6 O=7 MODE=2 HW=4 NB=4 SEED=1 MAXHOLD=5 GRACE=0 MCS=1

  // Scaffolding: the first cycle is a reset; (f_i, f_o) is one arbitrary pair, fixed for the run.
  (* anyconst *) logic [ROW_BITS-1:0] f_i;
  (* anyconst *) logic [COL_BITS-1:0] f_o;
  logic f_started = 1'b0;
  logic f_was_reset, f_was_still, f_was_idle;
  logic [I*O-1:0] f_prev, f_grant;
  logic [O-1:0] f_free;
  logic [RANDOM_W-1:0] f_lfsr;
  logic [15:0] f_streak;  // held grants in a row of the pair
  logic [15:0] f_wait;    // cycles in which the output was free and the patient input was not granted

  // The requests of input f_i, and whether it requests f_o only.
  logic [O-1:0] f_asks;
  logic [I-1:0] f_askers, f_column, f_holders;
  logic f_alone, f_pair, f_pair_held;
  assign f_asks = req_i[f_i*O+:O];
  assign f_alone = f_asks == {{(O - 1) {1'b0}}, 1'b1} << f_o;
  assign f_pair = grant_o[f_i*O+f_o];
  assign f_pair_held = hold_hit_o[f_i*O+f_o];
  for (genvar i = 0; i < I; i++) begin : f_g_input
    logic [O-1:0] row, prev;
    assign row = grant_o[i*O+:O];
    assign prev = prev_q[i*O+:O];
    assign f_askers[i] = req_i[i*O+f_o];
    assign f_column[i] = grant_o[i*O+f_o];
    assign f_holders[i] = prev_q[i*O+f_o];
    always @(posedge clk_i)
      if (f_started) begin
        // Each input gets at most one grant and holds at most one output.
        assert ((row & (row - 1'b1)) == '0);
        assert ((prev & (prev - 1'b1)) == '0);
      end
  end

  // The match of the pair, written as in the paper.
  logic [11:0] f_row;
  logic f_match;
  assign f_row = row_i[f_i*12+:12];
  if (MODE == 3) begin : f_g_hash
    logic [HW-1:0] hash, last;
    for (genvar b = 0; b < HW; b++) begin : f_g_bit
      logic [11:0] part;
      for (genvar k = 0; k < 12; k++) begin : f_g_part
        assign part[k] = k % HW == b && f_row[k];
      end
      assign hash[b] = ^part;
      assign last[b] = hash_q[b*O+f_o];
    end
    assign f_match = hash == last;
  end else if (MODE == 2) begin : f_g_row
    localparam int F_BANK_W = NB <= 2 ? 1 : $clog2(NB);
    logic [31:0] bank, mc;
    assign bank = bank_i[f_i*F_BANK_W+:F_BANK_W];
    assign mc = MCS == 1 ? 0 : mc_i[f_i*3+:3];
    assign f_match = bank < NB && mc < MCS && f_row == row_q[((f_o*MCS+mc)*NB+bank)*12+:12];
  end else begin : f_g_any
    assign f_match = MODE == 1;
  end
  logic f_tired;
  assign f_tired = FAIR && held_q[f_o*HELD_W+:HELD_W] == MAXHOLD;

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_still <= rst_ni && !adv_i;
    f_was_idle <= rst_ni && req_i == '0 && !busy_o;
    f_prev <= prev_q;
    f_grant <= grant_o;
    f_free <= rst_ni && adv_i ? out_free_i : '0;
    f_lfsr <= lfsr_q;
    if (!rst_ni) f_streak <= '0;
    else if (adv_i && f_pair) f_streak <= f_pair_held ? f_streak + 1'b1 : '0;
    else if (adv_i && (f_column != '0 || grant_o[f_i*O+:O] != '0)) f_streak <= '0;
    if (!rst_ni || !f_alone) f_wait <= '0;
    else if (adv_i && out_free_i[f_o]) f_wait <= f_pair ? '0 : f_wait + 1'b1;
    assume (f_i < I && f_o < O);
    if (!f_started) assume (!rst_ni);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // Each output gives at most one grant and has at most one holder.
      assert ((f_column & (f_column - 1'b1)) == '0);
      assert ((f_holders & (f_holders - 1'b1)) == '0);
      // A grant goes only to a request for a free output.
      if (f_pair) assert (f_asks[f_o] && out_free_i[f_o]);
      assert (grant_valid_o == (grant_o != '0));
      // A hold that is requested, matches and is below its limit is granted if its output is free; no other grant is a held one.
      assert (f_pair_held == (prev_q[f_i*O+f_o] && f_asks[f_o] && out_free_i[f_o] && f_match && !f_tired));
      if (f_pair_held) assert (f_pair);
      // A free output is granted, to some input, if an input requests it and no other output.
      if (f_alone && out_free_i[f_o]) assert (f_column != '0);
      // An input that requests one free output only, which no other input requests, is granted it.
      if (f_alone && out_free_i[f_o] && (f_askers & (f_askers - 1'b1)) == '0) assert (f_pair);
      // PIM keeps no holds; busy says that some pair is held.
      if (MODE == 0) assert (prev_q == '0 && hold_hit_o == '0 && !busy_o);
      assert (busy_o == (prev_q != '0));
      // The LFSR never stops.
      assert (lfsr_q != '0);
      // After a reset nothing is held.
      if (f_was_reset) assert (prev_q == '0 && f_streak == '0);
      if (!f_was_reset) begin
        // Nothing changes without adv, nor in an idle cycle without holders.
        if (f_was_still || f_was_idle) assert (prev_q == f_prev && lfsr_q == f_lfsr);
        // A granted pair holds.
        if (MODE != 0 && !f_was_still && f_grant[f_i*O+f_o]) assert (prev_q[f_i*O+f_o]);
        // A hold comes from a grant or from an earlier hold; a free output without a grant has no holder (GRACE 0).
        if (prev_q[f_i*O+f_o]) assert (f_grant[f_i*O+f_o] || f_prev[f_i*O+f_o]);
        // The hold of a busy output stays, unless its input is granted another output.
        if (f_prev[f_i*O+f_o] && !f_free[f_o] && f_grant[f_i*O+:O] == '0) assert (prev_q[f_i*O+f_o]);
        if (GRACE == 0 && f_free[f_o]) assert (prev_q[f_i*O+f_o] == (MODE != 0 && f_grant[f_i*O+f_o]));
      end
      // With MAXHOLD no pair is granted more than MAXHOLD times in a row as held.
      if (FAIR) begin
        if (prev_q[f_i*O+f_o]) assert (held_q[f_o*HELD_W+:HELD_W] == f_streak);
        if (!prev_q[f_i*O+f_o]) assert (f_streak == '0 || GRACE == 0 || f_streak <= MAXHOLD);
        assert (f_streak <= MAXHOLD);
        assert (held_q[f_o*HELD_W+:HELD_W] <= MAXHOLD);
        if (f_holders == '0) assert (held_q[f_o*HELD_W+:HELD_W] == '0);
        // An input that keeps requesting gets its output within the bound ...
        assert (f_wait < (MAXHOLD + 1) << ROW_BITS);
        // ... because each open choice brings its turn nearer, and at most MAXHOLD held grants lie between two of them.
        assert (f_wait + f_rest < (MAXHOLD + 1) << ROW_BITS);
      end

      cover (f_pair_held && grant_o != hold_hit_o);
      cover (f_pair && !f_pair_held && (prev_q[f_i*O+f_o] || !(MODE > 1 || FAIR)));
      cover (f_alone && out_free_i[f_o] && !f_pair && f_column != '0);
      cover (prev_q[f_i*O+f_o] && f_asks[f_o] && !out_free_i[f_o]);
      cover (f_was_idle && f_lfsr != '0);
      cover (f_was_still && f_prev != '0);
      cover (!FAIR || f_wait == MAXHOLD + 2);
      cover (MODE < 2 || (prev_q[f_i*O+f_o] && f_asks[f_o] && out_free_i[f_o] && !f_match));
    end
  end

  // Bound on further losses of the patient input: the remaining held grants, then one choice and MAXHOLD held grants for each
  // turn before its own.
  logic [ROW_BITS-1:0] f_turns;
  logic [15:0] f_rest;
  assign f_turns = f_i - turn_q[f_o*ROW_BITS+:ROW_BITS];
  assign f_rest = (f_holders != '0 ? MAXHOLD - held_q[f_o*HELD_W+:HELD_W] : 0) + f_turns * (MAXHOLD + 1);
