// SPDX-License-Identifier: Apache-2.0
// What tests/law/caba_round_trip.sh proves: a line that bdi_enc compresses comes back from bdi_dec. An output bit is 1 when four bytes of
// a line of one code do not: apart they are proved a hundred times as fast as together.
module bdi_round_trip #(
    parameter int LINE = 128,    // bytes of a line, as of bdi_enc
    parameter int MOST = 96,     // largest compressed line in bytes
    parameter int BASE_MODE = 0
) (
    input  logic              clk_i,
    input  logic              in_valid_i, // a line comes
    input  logic [8*LINE-1:0] in_line_i,  // the line
    output logic [4*LINE-1:0] lost_o      // bit code * LINE / 4 + n: bytes 4n to 4n + 3 of the line are lost
);
  logic reset_q = 1'b1;  // in the first cycle
  logic valid;
  logic [3:0] enc;
  logic [7:0] len;
  logic busy;
  logic [8*LINE-1:0] image, back, line1_q, line2_q, line3_q, line4_q, line5_q;
  bdi_enc #(.LINE(LINE), .MOST(MOST), .BASE_MODE(BASE_MODE)) u_enc (
      .clk_i, .rst_ni(!reset_q), .in_valid_i, .in_line_i, .out_valid_o(valid), .enc_o(enc), .len_o(len), .image_o(image), .busy_o(busy)
  );
  bdi_dec #(.LINE(LINE)) u_dec (.enc_i(enc), .image_i(image), .line_o(back));
  always_ff @(posedge clk_i) begin
    reset_q <= 1'b0;
    line1_q <= in_line_i;
    line2_q <= line1_q;
    line3_q <= line2_q;
    line4_q <= line3_q;
    line5_q <= line4_q;
  end
  always_comb begin
    lost_o = '0;
    for (int c = 0; c < 16; c++)
      for (int n = 0; n < LINE / 4; n++)
        lost_o[c*LINE/4+n] = !reset_q && valid && enc == c[3:0] && back[32*n+:32] != line5_q[32*n+:32];
  end
  logic unused;
  assign unused = &{1'b0, len, busy};
endmodule
