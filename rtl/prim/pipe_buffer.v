// SPDX-License-Identifier: Apache-2.0
//
// pipe_buffer: one-entry buffer between a producer and a consumer, with valid/ready handshakes; passes one entry per cycle.
//
// Latency    data taken at T0 is offered from T1 on.
// Handshake  a full buffer takes new data only in a cycle in which the old data leaves, so in_ready_o depends on out_ready_i
//            in the same cycle. out_data_o stays the same while out_valid_o && !out_ready_i.
// Reset      synchronous, active low: empty. The data has no reset.
// Idle       busy_o is out_valid_o: data waits.

`include "needs.vh"

module pipe_buffer #(
    parameter int W = 8  // bits of the data, at least 1
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    // producer
    input  logic         in_valid_i,   // the producer offers data; it is taken only with in_ready_o
    input  logic [W-1:0] in_data_i,    // the data
    // consumer
    input  logic         out_ready_i,  // the consumer takes the offered data
    output logic         in_ready_o,   // there is room: empty, or the old data leaves in this cycle
    output logic         out_valid_o,  // data is offered
    output logic [W-1:0] out_data_o,   // the data; 0 while nothing is offered
    output logic         busy_o        // data waits
);
  `NEEDS(W >= 1, pipe_buffer_needs_w_at_least_1)

  logic full_q, full_d, take;
  logic [W-1:0] data_q;
  assign in_ready_o = !full_q || out_ready_i;
  assign take = in_valid_i && in_ready_o;
  assign full_d = (full_q && !out_ready_i) || take;
  assign out_valid_o = full_q;
  assign out_data_o = data_q & {W{full_q}};
  assign busy_o = full_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) full_q <= 1'b0;
    else full_q <= full_d;
    if (take) data_q <= in_data_i;
  end

`ifdef FORMAL
  `include "pipe_buffer_props.svh"
`endif
endmodule
`undef NEEDS
