// SPDX-License-Identifier: Apache-2.0
// Laws of bdi_dec, inside the module. One step proves a combinational cell. One lane, any one, is followed.
// prove: bmc=1 LINE=16
// prove-nightly: bmc=1 cover=1 LINE=32
// prove-nightly: bmc=1 cover=1 LINE=128
// equal: LINE=16
// equal-nightly: LINE=32
// equal-nightly: LINE=128

  (* anyconst *) logic [6:0] f_byte;   // any byte of the line
  logic [5:0] f_lane2;
  logic [4:0] f_lane4;
  logic [3:0] f_lane8;
  assign f_lane8 = f_byte[6:3];
  assign f_lane4 = f_byte[6:2];
  assign f_lane2 = f_byte[6:1];
  logic [8*LINE-1:0] f_masks8, f_masks4, f_masks2, f_at8, f_at4, f_at2, f_delta8, f_delta4, f_delta2;
  assign f_masks8 = image_i >> 16;
  assign f_masks4 = image_i >> 32;
  assign f_masks2 = image_i >> 64;
  assign f_at8 = line_o >> {f_lane8, 6'd0};
  assign f_at4 = line_o >> {f_lane4, 5'd0};
  assign f_at2 = line_o >> {f_lane2, 4'd0};
  assign f_delta8 = (image_i >> 128) >> {f_lane8, 3'd0};
  assign f_delta4 = (image_i >> 96) >> {f_lane4, 3'd0};
  assign f_delta2 = (image_i >> 128) >> {f_lane2, 3'd0};
  logic f_inside;
  assign f_inside = {25'd0, f_byte} < LINE;
  always_comb begin
    if (enc_i == 4'd0) assert (line_o == '0);
    if (enc_i == 4'd1 && f_inside) assert (f_at8[63:0] == image_i[127:64]);
    if (enc_i > 4'd7) assert (line_o == image_i);
    // A lane without the base is its delta, whatever the base; one with it differs from the delta by the base.
    if (enc_i == 4'd2 && f_inside && !f_masks8[f_lane8]) assert (f_at8[63:0] == {{56{f_delta8[7]}}, f_delta8[7:0]});
    if (enc_i == 4'd2 && f_inside && f_masks8[f_lane8]) assert (f_at8[63:0] - image_i[127:64] == {{56{f_delta8[7]}}, f_delta8[7:0]});
    if (enc_i == 4'd5 && f_inside && !f_masks4[f_lane4]) assert (f_at4[31:0] == {{24{f_delta4[7]}}, f_delta4[7:0]});
    if (enc_i == 4'd5 && f_inside && f_masks4[f_lane4]) assert (f_at4[31:0] - image_i[95:64] == {{24{f_delta4[7]}}, f_delta4[7:0]});
    if (enc_i == 4'd7 && f_inside && !f_masks2[f_lane2]) assert (f_at2[15:0] == {{8{f_delta2[7]}}, f_delta2[7:0]});
    if (enc_i == 4'd7 && f_inside && f_masks2[f_lane2]) assert (f_at2[15:0] - image_i[31:16] == {{8{f_delta2[7]}}, f_delta2[7:0]});
    cover (enc_i == 4'd3 && line_o[63:0] == 64'h8001_d000 && line_o[127:64] == 64'hffff_ffff_ffff_ffff);
    cover (enc_i == 4'd6 && line_o == {LANES4{32'h8000_0000}});
  end
