// SPDX-License-Identifier: Apache-2.0
// Laws of islip_alloc, inside the module: one iteration, two, and as many as can help.
// prove: bmc=9 cover=5 I=3 O=2 ITER=1
// prove: bmc=5 induct=2 cover=5 I=3 O=2 ITER=2
// prove-nightly: bmc=2 induct=2 I=4 O=3 ITER=3
// prove-nightly: bmc=14 I=3 O=2 ITER=1
// prove-nightly: bmc=4 induct=2 cover=5 I=5 O=5 ITER=2

  // Scaffolding: the first cycle is a reset; (f_i, f_o) is any one pair, fixed for the run.
  (* anyconst *) logic [IW-1:0] f_i;
  (* anyconst *) logic [OW-1:0] f_o;
  logic f_started = 1'b0;
  logic f_was_reset, f_was_still, f_was_first, f_patient;
  logic [O*IW-1:0] f_grant_ptr;
  logic [I*OW-1:0] f_accept_ptr, f_asked;
  logic [7:0] f_wait;  // cycles in which the output was free and the patient input had no luck

  logic [O-1:0] f_asks;
  logic [I-1:0] f_askers, f_column;
  logic f_alone, f_pair, f_first;
  assign f_asks = req_i[f_i*O+:O];
  assign f_alone = f_asks == {{(O - 1) {1'b0}}, 1'b1} << f_o;
  assign f_pair = grant_o[f_i*O+f_o];
  assign f_first = g_iteration[0].accepts[f_o*I+f_i];
  logic [I*O-1:0] f_req;
  for (genvar i = 0; i < I; i++) begin : f_g_input
    logic [O-1:0] row;
    assign row = grant_o[i*O+:O];
    assign f_askers[i] = req_i[i*O+f_o];
    assign f_column[i] = grant_o[i*O+f_o];
    // At most one grant of an input.
    always @(posedge clk_i) if (f_started) assert ((row & (row - 1'b1)) == '0);
  end

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_still <= rst_ni && (!adv_i || req_i == '0);
    f_was_first <= rst_ni && adv_i && f_first;
    f_grant_ptr <= grant_ptr_q;
    f_accept_ptr <= accept_ptr_q;
    f_req <= rst_ni ? req_i & ~(adv_i ? grant_o : '0) : '0;
    // A patient world: whoever asks keeps asking until granted, every output is free and every cycle counts.
    f_patient <= (f_patient || !f_started || !rst_ni) && (f_req & ~req_i) == '0 && adv_i && &out_free_i;
    if (!rst_ni || !f_alone || !f_patient) f_wait <= '0;
    else f_wait <= f_pair ? '0 : f_wait + 1'b1;
    assume (f_i < I && f_o < O);
    if (!f_started) assume (!rst_ni);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // At most one grant of an output; only where asked and free.
      assert ((f_column & (f_column - 1'b1)) == '0);
      if (f_pair) assert (f_asks[f_o] && out_free_i[f_o]);
      assert (grant_valid_o == (grant_o != '0));
      // Some request for a free output means some grant.
      if (f_asks[f_o] && out_free_i[f_o]) assert (grant_valid_o);
      // Nobody but an input that asks alone for what nobody else asks for: granted.
      if (f_alone && out_free_i[f_o] && (f_askers & (f_askers - 1'b1)) == '0) assert (f_pair);
      // As many iterations as the shorter side has ports leave no pair that could still be matched.
      if (ITER >= I || ITER >= O)
        if (f_asks[f_o] && out_free_i[f_o]) assert (grant_o[f_i*O+:O] != '0 || f_column != '0);
      // Pointers name a port.
      assert (grant_ptr_q[f_o*IW+:IW] < I && accept_ptr_q[f_i*OW+:OW] < O);
      // After a reset everyone begins with port 0.
      if (f_was_reset) assert (grant_ptr_q == '0 && accept_ptr_q == '0);
      if (!f_was_reset) begin
        // Without adv or a request nothing changes.
        if (f_was_still) assert (grant_ptr_q == f_grant_ptr && accept_ptr_q == f_accept_ptr);
        // A pair of the first iteration goes behind all others, at both ends.
        if (f_was_first) begin
          assert (grant_ptr_q[f_o*IW+:IW] == (f_i == I - 1 ? 0 : f_i + 1));
          assert (accept_ptr_q[f_i*OW+:OW] == (f_o == O - 1 ? 0 : f_o + 1));
        end
      end
      // Where requests stay until granted, whoever asks one output alone gets it within I * O cycles (as far as the
      // runs go: no induction).
      if (ITER == 1) assert (f_wait < I * O);

      cover (f_pair && (!f_first || ITER == 1));
      cover (f_was_first && f_i == I - 1);
      cover (f_wait == 1);
      cover (f_was_still && f_grant_ptr != '0);
      cover (f_asks[f_o] && out_free_i[f_o] && f_column == '0);
    end
  end
