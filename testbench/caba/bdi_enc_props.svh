// SPDX-License-Identifier: Apache-2.0
// Laws of bdi_enc, inside the module. The lines go along in a pipeline of their own; the decompressor is the other block's. The pipeline
// keeps nothing for longer than five cycles. Of longer lines, that they come back: bdi_round_trip.v.
// prove: bmc=7 cover=7 LINE=16 MOST=16 BASE_MODE=0
// prove-nightly: bmc=7 LINE=16 MOST=16 BASE_MODE=1
// equal-nightly: LINE=16 MOST=16 BASE_MODE=0
// equal: LINE=16 MOST=16 BASE_MODE=1
// equal-nightly: LINE=32 MOST=28 BASE_MODE=1

  logic f_started = 1'b0;
  logic [8*LINE-1:0] f_line1, f_line2, f_line3, f_line4, f_line5, f_back;
  bdi_dec #(.LINE(LINE)) f_dec (.enc_i(enc_o), .image_i(image_o), .line_o(f_back));
  always_ff @(posedge clk_i) begin
    f_started <= 1'b1;
    f_line1 <= in_line_i;
    f_line2 <= f_line1;
    f_line3 <= f_line2;
    f_line4 <= f_line3;
    f_line5 <= f_line4;
    if (!f_started) assume (!rst_ni);
  end
  always_comb begin
    if (f_started && out_valid_o) begin
      // Nothing is lost.
      assert (f_back == f_line5);
      // A compressed image is short, says its code, and has nothing behind its end.
      assert (enc_o <= 4'd7 || enc_o == 4'd15);
      if (enc_o != 4'd15) begin
        assert ({24'd0, len_o} <= MOST);
        assert (image_o[7:0] == {4'd1, enc_o});
        assert (image_o >> {len_o, 3'd0} == '0);
      end else assert ({24'd0, len_o} == LINE);
      // Zeros and repeated values have their codes.
      assert ((enc_o == 4'd0) == (f_line5 == '0));
      if (f_line5 != '0 && MOST >= 16) assert ((enc_o == 4'd1) == (f_line5 == {LANES8{f_line5[63:0]}}));
    end
    if (f_started && !out_valid_o) assert (enc_o == '0 && len_o == '0 && image_o == '0);
    cover (f_started && out_valid_o && enc_o == 4'd5);
    cover (f_started && out_valid_o && enc_o == 4'd15 && v4_q);
  end
