// SPDX-License-Identifier: Apache-2.0
//
// oldest_of: picks the valid client with the oldest arrival stamp; among equal stamps the lowest number wins.
//
// Latency    combinational; no clock, no reset.
// Stamps     count arrivals and wrap: stamp a is older than stamp b if a - b, as a W-bit two's complement number, is
//            negative. This is the true order among stamps less than 2^(W-1) apart. For any stamps there is exactly one
//            winner, because each client is compared with the oldest client of lower number.

`include "needs.vh"

module oldest_of #(
    parameter int N = 4,  // clients, at least 1
    parameter int W = 6   // bits of a stamp, at least 2
) (
    input  logic [N-1:0]   valid_i,  // clients that compete
    input  logic [N*W-1:0] stamp_i,  // their arrival stamps, client 0 lowest
    output logic [N-1:0]   pick_o    // the oldest of them; among equal stamps the lowest number
);
  `NEEDS(N >= 1, oldest_of_needs_n_at_least_1)
  `NEEDS(W >= 2, oldest_of_needs_w_at_least_2)

  logic [N-1:0] leads;  // the client is older than every valid client with a lower number
  for (genvar n = 0; n < N; n++) begin : g_client
    logic [W-1:0] stamp, best;  // best: the oldest stamp of clients 0..n
    logic lead;
    assign stamp = stamp_i[n*W+:W];
    if (n == 0) begin : g_first
      assign lead = valid_i[n];
      assign best = stamp;
    end else begin : g_more
      logic [W-1:0] apart;
      assign apart = stamp - g_client[n-1].best;
      assign lead = valid_i[n] && (valid_i[n-1:0] == '0 || apart[W-1]);
      assign best = lead ? stamp : g_client[n-1].best;
    end
    assign leads[n] = lead;
    logic unused;
    assign unused = &{1'b0, best};
    assign pick_o[n] = lead && (leads >> (n + 1)) == '0;
  end

`ifdef FORMAL
  `include "oldest_of_props.svh"
`endif
endmodule
`undef NEEDS
