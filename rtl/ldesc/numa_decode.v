// SPDX-License-Identifier: Apache-2.0
//
// numa_decode: the module (zone) whose memory has an address, and the address there, for memory that is interleaved over several
// GPU modules (Vijaykumar 2019, 3.4.5: a "modified decoder"; assumption: ports, and that b comes with the address). The zone's bits
// start at bit 7 + b of the address; b is chosen for each data structure, so that a piece of it lies in one zone. Combinational.
//
// Zone       bits 7 + b and up of the address: interleaving from 128 bytes (b = 0) to 64 KB (b = 9). A larger b counts as 9: pages
//            then place data.
// Address    lpa_o, the address without these bits. Two addresses with different b can share zone and local address, unless all of an
//            aligned piece of 128 * 2^b * ZONES bytes has one b; who gives out physical memory must see to that.
// Reset      none: no state.

`include "needs.vh"

module numa_decode #(
    parameter int PAW = 48,  // bits of a physical address, 20..48
    parameter int ZONES = 4  // modules: 2, 4 or 8
) (
    input  logic [PAW-1:0]               pa_i,    // physical byte address
    input  logic [3:0]                   b_i,     // lowest bit of the zone, less 7: 0..9
    output logic [$clog2(ZONES)-1:0]     zone_o,  // the module
    output logic [PAW-$clog2(ZONES)-1:0] lpa_o  // byte address in its memory
);
  localparam int ZB = $clog2(ZONES);
  localparam int FIRST = 7;   // lowest bit that the zone may start at: lines of 128 bytes stay whole
  localparam int STARTS = 10;

  `NEEDS(PAW >= 20 && PAW <= 48, numa_decode_needs_paw_in_20_to_48)
  `NEEDS(ZONES == 2 || ZONES == 4 || ZONES == 8, numa_decode_needs_zones_2_4_or_8)

  // above[k]: the zone starts above bit 7 + k, so that this bit stays where it is.
  logic [STARTS-1:0] above, starts;
  for (genvar k = 0; k < STARTS - 1; k++) begin : g_start
    assign above[k] = b_i > k;
  end
  assign above[STARTS-1] = 1'b0;
  assign starts = ~above & {above[STARTS-2:0], 1'b1};

  // The zone: one start of ten.
  always_comb begin
    zone_o = '0;
    for (int k = 0; k < STARTS; k++) zone_o = zone_o | (pa_i[FIRST+k+:ZB] & {ZB{starts[k]}});
  end

  // The local address: what lies above the zone's bits moves down.
  assign lpa_o[FIRST-1:0] = pa_i[FIRST-1:0];
  for (genvar k = 0; k < STARTS - 1; k++) begin : g_bit
    assign lpa_o[FIRST+k] = above[k] ? pa_i[FIRST+k] : pa_i[FIRST+k+ZB];
  end
  assign lpa_o[PAW-ZB-1:FIRST+STARTS-1] = pa_i[PAW-1:FIRST+STARTS-1+ZB];

`ifdef FORMAL
  `include "numa_decode_props.svh"
`endif
endmodule
`undef NEEDS
