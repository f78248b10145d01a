// SPDX-License-Identifier: Apache-2.0
//
// islip_alloc: iSLIP allocator (McKeown, "The iSLIP scheduling algorithm for input-queued switches", IEEE/ACM
// Transactions on Networking 7(2), 1999, section II). In each of ITER iterations every free, unmatched output grants
// the first unmatched requesting input at or after its grant pointer. Every input then accepts the first of its grants at
// or after its accept pointer.
//
// Latency    grant_o answers req_i in the same cycle. The host drops the granted request after the edge.
// Pointers   move past the partner, and only for a grant that was accepted in the first iteration. So the outputs'
//            pointers desynchronize, and an input that requests one output only gets it within I accepted grants.
// Tick       only with adv_i; without it nothing changes and the grants mean nothing.
// Reset      synchronous, active low: all pointers 0.
// Idle       a cycle without a request changes nothing: busy_o is always 0.

`include "needs.vh"

// always @*, because Icarus 11 loops forever in an always_comb that reads a variable that it also writes.
module islip_alloc #(
    parameter int I = 5,    // inputs, 1..32
    parameter int O = 5,    // outputs, 1..32
    parameter int ITER = 1  // iterations, at least 1
) (
    input  logic           clk_i,
    input  logic           rst_ni,
    // requests, one row per input
    input  logic [I*O-1:0] req_i,          // bit i*O+o: input i requests o
    input  logic [O-1:0]   out_free_i,     // the output takes a packet now
    input  logic           adv_i,          // the grants take effect
    // grants
    output logic [I*O-1:0] grant_o,        // at most one per row and per column
    output logic           grant_valid_o,  // there is a grant
    output logic           busy_o          // 1 if an idle tick would change state: always 0
);
  localparam int IW = I <= 2 ? 1 : $clog2(I);
  localparam int OW = O <= 2 ? 1 : $clog2(O);
  localparam logic [31:0] LAST_I = I - 1;
  localparam logic [31:0] LAST_O = O - 1;

  logic [O*IW-1:0] grant_ptr_q;   // input with the highest priority at each output
  logic [I*OW-1:0] accept_ptr_q;  // output with the highest priority at each input

  `NEEDS(I >= 1 && I <= 32, islip_alloc_needs_i_in_1_to_32)
  `NEEDS(O >= 1 && O <= 32, islip_alloc_needs_o_in_1_to_32)
  `NEEDS(ITER >= 1, islip_alloc_needs_iter_at_least_1)

  // Decode: requests by output.
  logic [O*I-1:0] columns;
  for (genvar o = 0; o < O; o++) begin : g_output
    logic [I-1:0] column;
    for (genvar i = 0; i < I; i++) begin : g_input
      assign column[i] = req_i[i*O+o];
    end
    assign columns[o*I+:I] = column & {I{out_free_i[o]}};
  end

  for (genvar k = 0; k < ITER; k++) begin : g_iteration
    // Inputs that earlier iterations matched.
    logic [I-1:0] taken;
    logic [O*I-1:0] earlier;  // the match so far, by output
    if (k == 0) begin : g_first
      assign taken = '0;
      assign earlier = '0;
    end else begin : g_later
      assign taken = g_iteration[k-1].taken_next;
      assign earlier = g_iteration[k-1].match;
    end
    // Each output grants the first requesting input.
    logic [O*I-1:0] grants, accepts, match;
    for (genvar o = 0; o < O; o++) begin : g_grant
      logic [I-1:0] asks;
      assign asks = columns[o*I+:I] & ~taken & {I{earlier[o*I+:I] == '0}};
      first_from #(.N(I)) u_first (.req_i(asks), .from_i(grant_ptr_q[IW*o+:IW]), .pick_o(grants[o*I+:I]));
    end
    // Each input accepts the first output that grants it.
    for (genvar i = 0; i < I; i++) begin : g_accept
      logic [O-1:0] offers, first;
      for (genvar o = 0; o < O; o++) begin : g_offer
        assign offers[o] = grants[o*I+i];
        assign accepts[o*I+i] = first[o];
      end
      first_from #(.N(O)) u_first (.req_i(offers), .from_i(accept_ptr_q[OW*i+:OW]), .pick_o(first));
    end
    assign match = earlier | accepts;
    logic [I-1:0] taken_next;
    always @* begin : who_is_matched
      taken_next = taken;
      for (int o = 0; o < O; o++) taken_next = taken_next | accepts[o*I+:I];
    end
  end

  // Answer.
  for (genvar o = 0; o < O; o++) begin : g_answer
    for (genvar i = 0; i < I; i++) begin : g_input
      assign grant_o[i*O+o] = g_iteration[ITER-1].match[o*I+i];
    end
  end
  assign grant_valid_o = |g_iteration[ITER-1].match;
  assign busy_o = 1'b0;

  // Next state: pointers move past the partner of the first iteration.
  for (genvar o = 0; o < O; o++) begin : g_grant_ptr
    logic [I-1:0] partner;
    logic [IW-1:0] number, next;
    assign partner = g_iteration[0].accepts[o*I+:I];
    onehot_index #(.N(I)) u_number (.onehot_i(partner), .index_o(number));
    assign next = number == LAST_I[IW-1:0] ? '0 : number + 1'b1;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) grant_ptr_q[o*IW+:IW] <= '0;
      else if (adv_i && |partner) grant_ptr_q[o*IW+:IW] <= next;
    end
  end
  for (genvar i = 0; i < I; i++) begin : g_accept_ptr
    logic [O-1:0] partner;
    logic [OW-1:0] number, next;
    for (genvar o = 0; o < O; o++) begin : g_partner
      assign partner[o] = g_iteration[0].accepts[o*I+i];
    end
    onehot_index #(.N(O)) u_number (.onehot_i(partner), .index_o(number));
    assign next = number == LAST_O[OW-1:0] ? '0 : number + 1'b1;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) accept_ptr_q[i*OW+:OW] <= '0;
      else if (adv_i && |partner) accept_ptr_q[i*OW+:OW] <= next;
    end
  end

`ifdef FORMAL
  `include "islip_alloc_props.svh"
`endif
endmodule
`undef NEEDS
