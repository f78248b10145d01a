// SPDX-License-Identifier: Apache-2.0
//
// rr_arb: round-robin arbiter over N clients (Dally & Towles, Principles and Practices of
// Interconnection Networks, section 18.5).
//
// Latency    grant_o answers req_i in the same cycle.
// Handshake  accept_i says that the grant of this cycle is taken; the priority moves only then, to
//            the client after the granted one. accept_i reaches the register only, never an output,
//            so it may depend on grant_o. It is ignored in a cycle without a request.
// Fairness   a client that keeps its request wins within N accepted grants.
// Reset      synchronous, active low; client 0 has the highest priority.
// Idle       a cycle without a request changes nothing: busy_o is always 0.

`include "needs.vh"

module rr_arb #(
    parameter int N = 8  // clients, at least 1
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    // request and answer
    input  logic [N-1:0] req_i,     // request, one bit per client
    input  logic         accept_i,  // the grant of this cycle is taken; sampled at the clock edge
    output logic [N-1:0] grant_o,   // at most one bit, only where requested
    output logic         busy_o     // 1 if an idle tick would change state: always 0
);
  localparam int PW = N <= 2 ? 1 : $clog2(N);
  localparam logic [PW:0] CLIENTS = N[PW:0];

  logic [PW-1:0] ptr_q, ptr_d;

  `NEEDS(N >= 1, rr_arb_needs_n_at_least_1)

  // Decode: the first request at or after the priority, and its number.
  logic [N-1:0] grant;
  logic [PW-1:0] index;
  first_from #(.N(N)) u_pick (.req_i(req_i), .from_i(ptr_q), .pick_o(grant));
  onehot_index #(.N(N)) u_index (.onehot_i(grant), .index_o(index));
  assign grant_o = grant;
  assign busy_o = 1'b0;

  // Next state.
  logic granted, at_last;
  logic [PW:0] after;
  logic [PW-1:0] successor;
  assign granted = |req_i;
  assign after = {1'b0, index} + 1'b1;
  assign at_last = after == CLIENTS;
  assign successor = at_last ? '0 : after[PW-1:0];

  always_comb begin
    ptr_d = ptr_q;
    if (accept_i && granted) ptr_d = successor;
  end

  // Registers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ptr_q <= '0;
    else ptr_q <= ptr_d;
  end

`ifdef FORMAL
  `include "rr_arb_props.svh"
`endif
endmodule
`undef NEEDS
