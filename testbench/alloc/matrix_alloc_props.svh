// SPDX-License-Identifier: Apache-2.0
// Laws of matrix_alloc, inside the module.
// prove: bmc=5 induct=2 cover=5 I=3 O=2
// prove: bmc=2 induct=2 I=3 O=4
// prove-nightly: bmc=4 induct=2 I=5 O=5
// equal: I=3 O=2
// equal-nightly: I=5 O=5
// equal-nightly: I=4 O=5

  // Scaffolding: the first cycle is a reset; (f_i, f_o) is one arbitrary pair, f_j any other input.
  (* anyconst *) logic [2:0] f_i, f_j;
  (* anyconst *) logic [2:0] f_o;
  logic f_started = 1'b0;
  logic f_was_reset, f_was_still, f_was_granted;
  logic [I*PO-1:0] f_in_order;
  logic [O*PI-1:0] f_out_order;
  logic [7:0] f_lost;  // grants of the output to others since the input began to request it only

  // Whether a goes before b at the output. The order bits as vectors, so that a and b need not be constants.
  logic [O-1:0] f_asks;
  logic [I-1:0] f_askers, f_column, f_behind;
  logic f_alone, f_pair;
  logic [O*I*I-1:0] f_first;  // [o][a][b]: input a goes before b at output o
  assign f_asks = req_i[f_i*O+:O];
  assign f_alone = f_asks == {{(O - 1) {1'b0}}, 1'b1} << f_o;
  assign f_pair = grant_o[f_i*O+f_o];
  for (genvar o = 0; o < O; o++) begin : f_g_output
    for (genvar a = 0; a < I; a++) begin : f_g_a
      for (genvar b = 0; b < I; b++) begin : f_g_b
        if (a < b) begin : f_below
          assign f_first[(o*I+a)*I+b] = !out_order_q[o*PI+b*(b-1)/2+a];
        end else if (a > b) begin : f_above
          assign f_first[(o*I+a)*I+b] = out_order_q[o*PI+a*(a-1)/2+b];
        end else begin : f_self
          assign f_first[(o*I+a)*I+b] = 1'b0;
        end
      end
    end
  end
  for (genvar i = 0; i < I; i++) begin : f_g_input
    logic [O-1:0] row, asks;
    assign row = grant_o[i*O+:O];
    assign asks = req_i[i*O+:O] & out_free_i;
    assign f_askers[i] = req_i[i*O+f_o];
    assign f_column[i] = grant_o[i*O+f_o];
    assign f_behind[i] = f_first[(f_o*I+i)*I+f_i];  // goes before f_i
    // Each input gets at most one grant.
    always @(posedge clk_i) if (f_started) assert ((row & (row - 1'b1)) == '0);
  end
  logic [3:0] f_ahead;  // inputs before f_i
  always_comb begin
    f_ahead = '0;
    for (int i = 0; i < I; i++) f_ahead = f_ahead + {3'd0, f_behind[i]};
  end
  // The orders at the inputs are total too: a cyclic order of three outputs at f_i would leave no winner.
  logic [O*O-1:0] f_in_first;
  for (genvar a = 0; a < O; a++) begin : f_g_in_a
    for (genvar b = 0; b < O; b++) begin : f_g_in_b
      if (a < b) begin : f_below
        assign f_in_first[a*O+b] = !in_order_q[f_i*PO+b*(b-1)/2+a];
      end else if (a > b) begin : f_above
        assign f_in_first[a*O+b] = in_order_q[f_i*PO+a*(a-1)/2+b];
      end else begin : f_self
        assign f_in_first[a*O+b] = 1'b0;
      end
    end
  end
  for (genvar a = 0; a < O; a++) begin : f_g_total_a
    for (genvar b = 0; b < O; b++) begin : f_g_total_b
      for (genvar c = 0; c < O; c++) begin : f_g_total_c
        always @(posedge clk_i)
          if (f_started && f_in_first[a*O+b] && f_in_first[b*O+c]) assert (f_in_first[a*O+c]);
      end
    end
  end

  // The order of the inputs at the output is total.
  for (genvar a = 0; a < I; a++) begin : f_g_order_a
    for (genvar b = 0; b < I; b++) begin : f_g_order_b
      for (genvar c = 0; c < I; c++) begin : f_g_order_c
        always @(posedge clk_i)
          if (f_started && f_first[(f_o*I+a)*I+b] && f_first[(f_o*I+b)*I+c]) assert (f_first[(f_o*I+a)*I+c]);
      end
    end
  end

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_still <= rst_ni && (!adv_i || req_i == '0);
    f_was_granted <= rst_ni && adv_i && f_pair;
    f_in_order <= in_order_q;
    f_out_order <= out_order_q;
    if (!rst_ni || !f_alone) f_lost <= '0;
    else if (adv_i && f_column != '0) f_lost <= f_pair ? '0 : f_lost + 1'b1;
    assume (f_i < I && f_j < I && f_o < O);
    if (!f_started) assume (!rst_ni);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // Each output gives at most one grant, only to a request and only if it is free.
      assert ((f_column & (f_column - 1'b1)) == '0);
      if (f_pair) assert (f_asks[f_o] && out_free_i[f_o]);
      assert (grant_valid_o == (grant_o != '0));
      // A free output is granted if an input requests it and no other output; to that input if no other input requests it.
      if (f_alone && out_free_i[f_o]) assert (f_column != '0);
      if (f_alone && out_free_i[f_o] && (f_askers & (f_askers - 1'b1)) == '0) assert (f_pair);
      // A granted client goes behind all others.
      if (f_was_granted && f_i != f_j) assert (f_first[(f_o*I+f_j)*I+f_i]);
      // Without adv or a request nothing changes.
      if (f_was_still) assert (in_order_q == f_in_order && out_order_q == f_out_order);
      // After a reset lower numbers go first.
      if (f_was_reset) assert (in_order_q == '0 && out_order_q == '0);
      // An input that requests one output only loses to each other input at most once: each loss moves it forward.
      assert (f_lost + f_ahead < I);

      cover (f_was_granted && f_i == 0);
      cover (f_lost == I - 1);
      cover (f_was_still && f_out_order != '0);
      cover (f_alone && out_free_i[f_o] && !f_pair && f_column != '0);
    end
  end
