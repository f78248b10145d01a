// SPDX-License-Identifier: Apache-2.0
// Laws of islip_alloc, inside the module. The proofs take one iteration, two, and as many as can add grants.
// prove: bmc=9 cover=5 I=3 O=2 ITER=1
// prove: bmc=5 induct=2 cover=5 I=3 O=2 ITER=2
// prove-nightly: bmc=2 induct=2 I=4 O=3 ITER=3
// prove-nightly: bmc=14 I=3 O=2 ITER=1
// prove-nightly: bmc=4 induct=2 cover=5 I=5 O=5 ITER=2
// equal: I=5 O=5 ITER=1
// equal: I=3 O=7 ITER=3
// equal: I=1 O=1 ITER=1
// equal-nightly: I=28 O=8 ITER=1

  // Scaffolding: the first cycle is a reset; (f_i, f_o) is one arbitrary pair, fixed for the run.
  (* anyconst *) logic [IW-1:0] f_i;
  (* anyconst *) logic [OW-1:0] f_o;
  logic f_started = 1'b0;
  logic f_was_reset, f_was_still, f_was_first, f_patient;
  logic [O*IW-1:0] f_grant_ptr;
  logic [I*OW-1:0] f_accept_ptr, f_asked;
  logic [7:0] f_wait;  // cycles in which the output was free and the patient input was not granted

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
    // Each input gets at most one grant.
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
    // Patient environment: a request stays until granted, every output is free and adv is always 1.
    f_patient <= (f_patient || !f_started || !rst_ni) && (f_req & ~req_i) == '0 && adv_i && &out_free_i;
    if (!rst_ni || !f_alone || !f_patient) f_wait <= '0;
    else f_wait <= f_pair ? '0 : f_wait + 1'b1;
    assume (f_i < I && f_o < O);
    if (!f_started) assume (!rst_ni);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // Each output gives at most one grant, only to a request and only if it is free.
      assert ((f_column & (f_column - 1'b1)) == '0);
      if (f_pair) assert (f_asks[f_o] && out_free_i[f_o]);
      assert (grant_valid_o == (grant_o != '0));
      // Some request for a free output means some grant.
      if (f_asks[f_o] && out_free_i[f_o]) assert (grant_valid_o);
      // An input that requests one free output only, which no other input requests, is granted it.
      if (f_alone && out_free_i[f_o] && (f_askers & (f_askers - 1'b1)) == '0) assert (f_pair);
      // min(I, O) iterations leave no pair that could still be matched.
      if (ITER >= I || ITER >= O)
        if (f_asks[f_o] && out_free_i[f_o]) assert (grant_o[f_i*O+:O] != '0 || f_column != '0);
      // Pointers are numbers of existing ports.
      assert (grant_ptr_q[f_o*IW+:IW] < I && accept_ptr_q[f_i*OW+:OW] < O);
      // After a reset all pointers are 0.
      if (f_was_reset) assert (grant_ptr_q == '0 && accept_ptr_q == '0);
      if (!f_was_reset) begin
        // Without adv or a request nothing changes.
        if (f_was_still) assert (grant_ptr_q == f_grant_ptr && accept_ptr_q == f_accept_ptr);
        // A pair of the first iteration gets the lowest priority at both ends.
        if (f_was_first) begin
          assert (grant_ptr_q[f_o*IW+:IW] == (f_i == I - 1 ? 0 : f_i + 1));
          assert (accept_ptr_q[f_i*OW+:OW] == (f_o == O - 1 ? 0 : f_o + 1));
        end
      end
      // If requests stay until granted, an input that requests one output only gets it within I * O cycles (proved for
      // the depth of the runs only, not by induction).
      if (ITER == 1) assert (f_wait < I * O);

      cover (f_pair && (!f_first || ITER == 1));
      cover (f_was_first && f_i == I - 1);
      cover (f_wait == 1);
      cover (f_was_still && f_grant_ptr != '0);
      cover (f_asks[f_o] && out_free_i[f_o] && f_column == '0);
    end
  end
