// SPDX-License-Identifier: Apache-2.0
//
// bdi_dec: decompresses a cache line that is coded by base and deltas (BDI; Vijaykumar 2019, 5.5.1 and figure 48; assumption: the
// layout, of which the thesis shows one example). Combinational: "one cycle" of the hardware baselines.
//
// Codes      A line is read as lanes of 8, 4 or 2 bytes. A lane is its delta, sign-extended, plus the base where its mask bit is 1;
//            sums wrap. Bytes count from the lowest; byte 0 holds the algorithm and the code and is not read here.
//              0  all zeros
//              1  8 bytes at 8, repeated
//              2, 3, 4   lanes of 8 bytes: mask at 2, base at 8, deltas of 1, 2, 4 bytes at 16
//              5, 6      lanes of 4 bytes: mask at 4, base at 8, deltas of 1, 2 bytes at 12
//              7         lanes of 2 bytes: mask at 8, base at 2, deltas of 1 byte at 16
//              8 to 15   not compressed: the line leaves as it comes
// Small lines  With LINE below 32 some codes would need more bytes than a line has; those bytes count as 0.
// Reset      none: no state.

`include "needs.vh"

module bdi_dec #(
    parameter int LINE = 128  // bytes of a line: 16, 32, 64 or 128
) (
    input  logic [3:0]        enc_i,   // code of the line
    input  logic [8*LINE-1:0] image_i, // the compressed line, from its byte 0; bytes behind its end do not count
    output logic [8*LINE-1:0] line_o   // the line
);
  localparam int LANES8 = LINE / 8, LANES4 = LINE / 4, LANES2 = LINE / 2;
  localparam int HEAD = 16;  // bytes before the deltas of a line of 8-byte lanes

  `NEEDS(LINE == 16 || LINE == 32 || LINE == 64 || LINE == 128, bdi_dec_needs_line_16_32_64_or_128)

  // Deltas may end behind a small line.
  logic [8*(LINE+HEAD)-1:0] image;
  assign image = {{8 * HEAD{1'b0}}, image_i};

  logic [63:0] base8;
  logic [31:0] base4;
  logic [15:0] base2;
  assign base8 = image[8*8+:64];
  assign base4 = image[8*8+:32];
  assign base2 = image[8*2+:16];

  // Each code in its branch: a simulation works out the lanes of one.
  always_comb begin
    unique case (enc_i)
      4'd0: line_o = '0;
      4'd1: line_o = {LANES8{base8}};
      4'd2, 4'd3, 4'd4:
      for (int i = 0; i < LANES8; i++)
        line_o[64*i+:64] = (enc_i == 4'd2   ? {{56{image[8*(HEAD+i)+7]}}, image[8*(HEAD+i)+:8]}
                            : enc_i == 4'd3 ? {{48{image[8*(HEAD+2*i)+15]}}, image[8*(HEAD+2*i)+:16]}
                                            : {{32{image[8*(HEAD+4*i)+31]}}, image[8*(HEAD+4*i)+:32]}) +
                           (base8 & {64{image[8*2+i]}});
      4'd5, 4'd6:
      for (int i = 0; i < LANES4; i++)
        line_o[32*i+:32] = (enc_i == 4'd5 ? {{24{image[8*(12+i)+7]}}, image[8*(12+i)+:8]}
                                          : {{16{image[8*(12+2*i)+15]}}, image[8*(12+2*i)+:16]}) +
                           (base4 & {32{image[8*4+i]}});
      4'd7:
      for (int i = 0; i < LANES2; i++)
        line_o[16*i+:16] = {{8{image[8*(HEAD+i)+7]}}, image[8*(HEAD+i)+:8]} + (base2 & {16{image[8*8+i]}});
      default: line_o = image_i;
    endcase
  end

`ifdef FORMAL
  `include "bdi_dec_props.svh"
`endif
endmodule
`undef NEEDS
