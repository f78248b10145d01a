// SPDX-License-Identifier: Apache-2.0
//
// matrix_alloc: separable input-first allocator of matrix arbiters (Dally & Towles, Principles and Practices of
// Interconnection Networks, 18.5 and 19.3). Each input chooses one of the free outputs that it requests, then each output
// chooses one of the inputs that chose it. An arbiter of n clients keeps one bit for each pair, n(n-1)/2 bits, that says
// which one goes first. The winner goes behind all others, so the least recently served client wins.
//
// Latency    grant_o answers req_i in the same cycle. The host drops the granted request after the edge.
// Commit     an input's arbiter moves only if the chosen output also grants the input.
// Fairness   an input that requests one output only loses to each other input at most once.
// Tick       only with adv_i; without it nothing changes and the grants mean nothing.
// Reset      synchronous, active low: lower numbers go first.
// Idle       a cycle without a request changes nothing: busy_o is always 0.

`include "needs.vh"

module matrix_alloc #(
    parameter int I = 5,  // inputs, 2..8
    parameter int O = 5   // outputs, 2..8
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
  // Pair (a, b), a < b, of an arbiter's clients has bit number b*(b-1)/2 + a; 1 says that b goes first.
  localparam int PO = O * (O - 1) / 2;
  localparam int PI = I * (I - 1) / 2;

  logic [I*PO-1:0] in_order_q;   // order of the outputs at each input
  logic [O*PI-1:0] out_order_q;  // order of the inputs at each output

  `NEEDS(I >= 2 && I <= 8, matrix_alloc_needs_i_in_2_to_8)
  `NEEDS(O >= 2 && O <= 8, matrix_alloc_needs_o_in_2_to_8)

  // Decode. Stage 1: each input chooses an output. Stage 2: each output chooses an input.
  logic [I*O-1:0] chosen, grants;
  for (genvar i = 0; i < I; i++) begin : g_input
    logic [O-1:0] asks;
    assign asks = req_i[i*O+:O] & out_free_i;
    for (genvar o = 0; o < O; o++) begin : g_output
      logic [O-1:0] ahead;  // outputs that go before this one here
      for (genvar p = 0; p < O; p++) begin : g_other
        if (p < o) begin : g_below
          assign ahead[p] = !in_order_q[i*PO+o*(o-1)/2+p];
        end else if (p > o) begin : g_above
          assign ahead[p] = in_order_q[i*PO+p*(p-1)/2+o];
        end else begin : g_self
          assign ahead[p] = 1'b0;
        end
      end
      assign chosen[i*O+o] = asks[o] && (asks & ahead) == '0;
    end
  end
  for (genvar o = 0; o < O; o++) begin : g_output
    logic [I-1:0] asks;
    for (genvar i = 0; i < I; i++) begin : g_input
      logic [I-1:0] ahead;  // inputs that go before this one here
      assign asks[i] = chosen[i*O+o];
      for (genvar p = 0; p < I; p++) begin : g_other
        if (p < i) begin : g_below
          assign ahead[p] = !out_order_q[o*PI+i*(i-1)/2+p];
        end else if (p > i) begin : g_above
          assign ahead[p] = out_order_q[o*PI+p*(p-1)/2+i];
        end else begin : g_self
          assign ahead[p] = 1'b0;
        end
      end
      assign grants[i*O+o] = asks[i] && (asks & ahead) == '0;
    end
  end

  // Answer.
  assign grant_o = grants;
  assign grant_valid_o = |grants;
  assign busy_o = 1'b0;

  // Next state: the winner goes behind all others.
  logic [I*PO-1:0] in_order_d;
  logic [O*PI-1:0] out_order_d;
  for (genvar i = 0; i < I; i++) begin : g_in_order
    logic [O-1:0] won;
    assign won = grants[i*O+:O];
    for (genvar b = 1; b < O; b++) begin : g_b
      for (genvar a = 0; a < b; a++) begin : g_a
        assign in_order_d[i*PO+b*(b-1)/2+a] = won[a] || (in_order_q[i*PO+b*(b-1)/2+a] && !won[b]);
      end
    end
  end
  for (genvar o = 0; o < O; o++) begin : g_out_order
    for (genvar b = 1; b < I; b++) begin : g_b
      for (genvar a = 0; a < b; a++) begin : g_a
        assign out_order_d[o*PI+b*(b-1)/2+a] =
            grants[a*O+o] || (out_order_q[o*PI+b*(b-1)/2+a] && !grants[b*O+o]);
      end
    end
  end

  // Registers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_order_q <= '0;
      out_order_q <= '0;
    end else if (adv_i) begin
      in_order_q <= in_order_d;
      out_order_q <= out_order_d;
    end
  end

`ifdef FORMAL
  `include "matrix_alloc_props.svh"
`endif
endmodule
`undef NEEDS
