// SPDX-License-Identifier: Apache-2.0
//
// d2ma_raw_compare: the read-after-write circuits of D2MA as the paper draws them (Jamshidi 2014, figure 7): for each buffer an
// adder and two comparators over fields of the buffer's entry. It exists for the comparison with table 3; the engine uses
// d2ma_raw_check, which also holds ranges and arrivals and answers for a warp's 32 addresses.
//
// Latency    combinational; no clock, no reset.
// Hit        a circuit hits if its entry is configured and base <= address < base + bytes. The bound has a bit more than an
//            address, so that a buffer may end with the shared memory.
// assumption: the number of bytes reaches the circuit ready; the paper draws no shift by the element size. With padding or a
//       halo it is too small, as in the paper (the engine takes the shared footprint).

`include "needs.vh"

module d2ma_raw_compare #(
    parameter int N = 32  // circuits, one for each entry, at least 1
) (
    input  logic [N-1:0]    configured_i,  // the entry is in use
    input  logic [N*16-1:0] base_i,        // shared byte address of the buffer, entry 0 lowest
    input  logic [N*16-1:0] bytes_i,       // bytes that its transfer moves
    input  logic [15:0]     addr_i,        // shared byte address of the access
    output logic [N-1:0]    hit_o          // the access touches the buffer
);
  `NEEDS(N >= 1, d2ma_raw_compare_needs_n_at_least_1)

  for (genvar n = 0; n < N; n++) begin : g_circuit
    logic [15:0] base, bytes;
    logic [16:0] bound;
    logic above, below;
    assign base = base_i[n*16+:16];
    assign bytes = bytes_i[n*16+:16];
    assign bound = {1'b0, base} + {1'b0, bytes};
    assign above = addr_i >= base;
    assign below = {1'b0, addr_i} < bound;
    assign hit_o[n] = configured_i[n] && (above && below);
  end

`ifdef FORMAL
  `include "d2ma_raw_compare_props.svh"
`endif
endmodule
`undef NEEDS
