// SPDX-License-Identifier: Apache-2.0
// Laws of rr_arb, inside the module. N = 1 (width traps), 5 (not a power of two), 8 (the default).
// prove: bmc=20 induct=3 cover=12 N=8
// prove: bmc=20 induct=3 cover=12 N=5
// prove: bmc=8 induct=3 N=1
// equal: N=8
// equal: N=1
// equal: N=5
// equal: N=32

  // Scaffolding: the first cycle is a reset; `f_client` is one arbitrary client, fixed for the run.
  (* anyconst *) logic [PW-1:0] f_client;
  logic f_started = 1'b0;
  logic f_was_idle, f_was_held, f_was_reset;
  logic [PW-1:0] f_last_ptr;
  logic [PW:0] f_lost;      // accepted grants to others since f_client began to request
  logic [PW:0] f_distance;  // clients before f_client in the order of priority
  assign f_distance = f_client >= ptr_q ? {1'b0, f_client} - {1'b0, ptr_q}
                                        : {1'b0, f_client} + CLIENTS - {1'b0, ptr_q};

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_last_ptr <= ptr_q;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && req_i == '0;
    f_was_held <= rst_ni && !accept_i;
    if (!rst_ni || !req_i[f_client]) f_lost <= '0;
    else if (accept_i) f_lost <= grant_o[f_client] ? '0 : f_lost + 1'b1;
    assume ({1'b0, f_client} < CLIENTS);
    if (!f_started) assume (!rst_ni);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // At most one grant.
      assert ((grant_o & (grant_o - 1'b1)) == '0);
      // A grant goes only to a client that requests.
      assert ((grant_o & ~req_i) == '0);
      // Some request means some grant.
      assert (grant_o != '0 || req_i == '0);
      // The client with the priority wins if it requests.
      if (req_i[f_client] && f_client == ptr_q) assert (grant_o[f_client]);
      // No client between the priority and the winner requests.
      if (grant_o != '0 && !grant_o[f_client] && req_i[f_client] && f_client >= ptr_q)
        assert (f_client > index && index >= ptr_q);
      // The same with wrap-around: a client before the priority loses only to clients from the
      // priority on and to lower ones.
      if (grant_o != '0 && !grant_o[f_client] && req_i[f_client] && f_client < ptr_q)
        assert (index >= ptr_q || index < f_client);
      // The index is the number of the winner.
      if (grant_o != '0) assert (grant_o[index]);
      // The priority is the number of an existing client.
      assert ({1'b0, ptr_q} < CLIENTS);
      // Fewer than N accepted grants pass over a request that stays.
      assert (f_lost < CLIENTS);
      // The same as an invariant: each loss brings the priority nearer.
      assert (f_lost + f_distance < CLIENTS);
      // The priority does not move without accept.
      if (f_was_held) assert (ptr_q == f_last_ptr);
      // A cycle without a request changes nothing, since busy is never 1.
      if (f_was_idle) assert (ptr_q == f_last_ptr && !busy_o);
      // After a reset client 0 has the priority.
      if (f_was_reset) assert (ptr_q == '0);

      cover (req_i[f_client] && f_client == ptr_q && f_client != '0);
      cover (grant_o != '0 && !grant_o[f_client] && req_i[f_client] && f_client >= ptr_q);
      cover (grant_o != '0 && !grant_o[f_client] && req_i[f_client] && f_client < ptr_q);
      cover (f_lost == CLIENTS - 1'b1 && grant_o[f_client]);
      cover (f_was_held && f_last_ptr != '0);
      cover (f_was_idle && accept_i);
      cover (grant_o[0] && ptr_q != '0);
    end
  end
