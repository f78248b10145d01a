// SPDX-License-Identifier: Apache-2.0
//
// like_arbiter: round-robin arbiter.
//
// Latency    grant_o is combinational in ask_i; the priority moves at the end of a cycle with a grant.
// Handshake  a grant counts in its cycle; a client that still asks competes again.
// Reset      synchronous, active low; client 0 has the highest priority.

module like_arbiter #(
    parameter int N = 4  // clients, at least 2
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic [N-1:0] ask_i,    // requests, one bit per client
    output logic [N-1:0] grant_o,  // at most one bit, only where a client asks
    output logic         busy_o    // 1 if an idle tick would change state: always 0
);
  logic [N-1:0] first_q, first_d;

  // Decode: the first request at or after the client with the highest priority, in two turns.
  wire [2*N-1:0] twice = {ask_i, ask_i};
  wire [2*N-1:0] found = twice & ~(twice - {{N{1'b0}}, first_q});
  assign grant_o = found[2*N-1:N] | found[N-1:0];
  assign busy_o = 1'b0;

  // Next state.
  always_comb begin
    first_d = first_q;
    if (|grant_o) first_d = {grant_o[N-2:0], grant_o[N-1]};
  end

  // Registers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) first_q <= {{N - 1{1'b0}}, 1'b1};
    else first_q <= first_d;
  end

`ifdef FORMAL
  `include "like_arbiter_props.svh"
`endif
endmodule
