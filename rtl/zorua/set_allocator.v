// SPDX-License-Identifier: Apache-2.0
//
// set_allocator: which physical sets of a resource of an SM are free: of registers, scratchpad or warp slots (Vijaykumar 2019, 4.4.5;
// assumption: free vector, order, ports and cycle behaviour). One for each resource.
//
// Latency    the set that is offered, and the number of free sets, are those before the clock edge. All inputs are sampled at the edge.
// Offer      valid_o: some set is free; set_o: the lowest of them. Whoever takes it sets alloc_en_i; without an offer that does nothing.
// Free       free_en_i gives the set free_set_i back; one a cycle. It can be offered from the next cycle on. A set that is free already, or
//            does not exist, changes nothing.
// Reset      synchronous, active low: every set is free.
// Idle       busy_o is 0: an idle tick changes nothing.

`include "needs.vh"

module set_allocator #(
    parameter int N = 256  // sets, 1..512
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    output logic                              valid_o,     // some set is free
    output logic [(N <= 2 ? 1 : $clog2(N))-1:0] set_o,     // the lowest free set; 0 without one
    output logic [$clog2(N + 1)-1:0]          count_o,     // free sets
    input  logic                              alloc_en_i,  // the offered set is taken; sampled at the clock edge
    input  logic                              free_en_i,   // a set is given back; sampled at the clock edge
    input  logic [(N <= 2 ? 1 : $clog2(N))-1:0] free_set_i,  // this one
    output logic                              busy_o       // 0
);
  localparam int CB = $clog2(N + 1);
  localparam int SETS = N;
  localparam logic [CB-1:0] ONE = 1;
  localparam logic [N-1:0] SET_0 = 1;

  `NEEDS(N >= 1 && N <= 512, set_allocator_needs_n_in_1_to_512)

  logic [N-1:0] free_q, free_d;
  logic [CB-1:0] count_q, count_d;

  // The lowest free set.
  logic [N-1:0] place;
  lowest_set #(.N(N)) u_lowest (.of_i(free_q), .some_o(valid_o), .place_o(place), .index_o(set_o));
  assign count_o = count_q;
  assign busy_o = 1'b0;

  // Sets that come back.
  logic [N-1:0] back;
  logic taken;
  assign back = free_en_i ? (SET_0 << free_set_i) & ~free_q : '0;
  assign taken = alloc_en_i && valid_o;
  assign free_d = (free_q & ~(taken ? place : '0)) | back;
  assign count_d = count_q + (back != '0 ? ONE : '0) - (taken ? ONE : '0);

  // Registers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      free_q <= '1;
      count_q <= SETS[CB-1:0];
    end else begin
      free_q <= free_d;
      count_q <= count_d;
    end
  end

`ifdef FORMAL
  `include "set_allocator_props.svh"
`endif
endmodule
`undef NEEDS
