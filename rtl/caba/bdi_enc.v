// SPDX-License-Identifier: Apache-2.0
//
// bdi_enc: compresses a cache line by a base and deltas (BDI; Vijaykumar 2019, 5.5.1; "five cycles" of the hardware baselines;
// assumption: what each stage does, the layout, which is that of bdi_dec, and the order in which codes are tried).
//
// Latency    five cycles, a line a cycle. Outputs are registers, or decode the code's.
// Codes      A code can hold a line if each of its lanes is a sign-extended delta of its size, or the base plus one; the lanes that need
//            the base have a mask bit of 1. Of the codes that can, and whose bytes are at most MOST, the first of 0, 1, 2, 5, 3, 6, 7, 4
//            is taken: bursts of 32 bytes do not fall in this order at 128 bytes. None: code 15, and the line leaves as it came.
// Base       BASE_MODE = 0: the first lane, as the thesis has it; the line itself holds it, so there is no register for it before the
//            code is known. 1: the first lane that is no delta by itself; 0 without one.
// Idle       a stage takes data only from a stage that has some; without lines in flight nothing changes.
// Reset      synchronous, clears the valid bits.

`include "needs.vh"

module bdi_enc #(
    parameter int LINE = 128,     // bytes of a line: 16, 32, 64 or 128
    parameter int MOST = 96,      // largest compressed line in bytes, 1..LINE
    parameter int BASE_MODE = 0   // 0: the base is the first lane; 1: the first lane that needs one
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    input  logic              in_valid_i, // a line comes
    input  logic [8*LINE-1:0] in_line_i,  // the line
    output logic              out_valid_o, // a line leaves: that of five cycles ago
    output logic [3:0]        enc_o,   // its code, 15: not compressed; 0 without a line
    output logic [7:0]        len_o,   // bytes of its image, 1..LINE; 0 without a line
    output logic [8*LINE-1:0] image_o, // its image: byte 0 is {algorithm 1, code}; bytes that no field has are 0
    output logic              busy_o   // a line is in flight
);
  localparam int LANES8 = LINE / 8, LANES4 = LINE / 4, LANES2 = LINE / 2;
  localparam int HEAD = 16;  // bytes before the deltas of 8-byte and 2-byte lanes; 12 before those of 4-byte lanes

  `NEEDS(LINE == 16 || LINE == 32 || LINE == 64 || LINE == 128, bdi_enc_needs_line_16_32_64_or_128)
  `NEEDS(MOST >= 1 && MOST <= LINE, bdi_enc_needs_most_in_1_to_line)
  `NEEDS(BASE_MODE == 0 || BASE_MODE == 1, bdi_enc_needs_base_mode_0_or_1)

  logic v1_q, v2_q, v3_q, v4_q, v5_q;
  assign busy_o = v1_q || v2_q || v3_q || v4_q || v5_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {v1_q, v2_q, v3_q, v4_q, v5_q} <= '0;
    else {v1_q, v2_q, v3_q, v4_q, v5_q} <= {in_valid_i, v1_q, v2_q, v3_q, v4_q};
  end

  // ---- 1: which lanes are deltas by themselves; zeros; one value ----
  logic [8*LINE-1:0] line1_q;
  logic [3*LANES8-1:0] small8_d, small8_1_q;  // deltas of 1, 2, 4 bytes
  logic [2*LANES4-1:0] small4_d, small4_1_q;  // of 1, 2 bytes
  logic [LANES2-1:0] small2_d, small2_1_q;
  logic zeros1_q, repeats1_q;
  // the low bits of a delta: the others are equal to its highest
  localparam logic [63:0] LOW1 = 64'h7f, LOW2 = 64'h7fff, LOW4 = 64'h7fff_ffff;
  logic [63:0] lane8;
  logic [31:0] lane4;
  logic [15:0] lane2;
  always_comb begin
    {small8_d, lane8} = '0;
    for (int i = 0; i < LANES8; i++) begin
      lane8 = in_line_i[64*i+:64];
      small8_d[i] = (lane8 | LOW1) == '1 || (lane8 & ~LOW1) == '0;
    end
    for (int i = 0; i < LANES8; i++) begin
      lane8 = in_line_i[64*i+:64];
      small8_d[LANES8+i] = (lane8 | LOW2) == '1 || (lane8 & ~LOW2) == '0;
    end
    for (int i = 0; i < LANES8; i++) begin
      lane8 = in_line_i[64*i+:64];
      small8_d[2*LANES8+i] = (lane8 | LOW4) == '1 || (lane8 & ~LOW4) == '0;
    end
  end
  always_comb begin
    {small4_d, lane4} = '0;
    for (int i = 0; i < LANES4; i++) begin
      lane4 = in_line_i[32*i+:32];
      small4_d[i] = (lane4 | 32'h7f) == '1 || (lane4 & ~32'h7f) == '0;
    end
    for (int i = 0; i < LANES4; i++) begin
      lane4 = in_line_i[32*i+:32];
      small4_d[LANES4+i] = (lane4 | 32'h7fff) == '1 || (lane4 & ~32'h7fff) == '0;
    end
  end
  always_comb begin
    {small2_d, lane2} = '0;
    for (int i = 0; i < LANES2; i++) begin
      lane2 = in_line_i[16*i+:16];
      small2_d[i] = (lane2 | 16'h7f) == '1 || (lane2 & ~16'h7f) == '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (in_valid_i) begin
      line1_q <= in_line_i;
      small8_1_q <= small8_d;
      small4_1_q <= small4_d;
      small2_1_q <= small2_d;
      zeros1_q <= in_line_i == '0;
      repeats1_q <= in_line_i == {LANES8{in_line_i[63:0]}};
    end
  end

  // ---- 2: the bases ----
  logic [8*LINE-1:0] line2_q;
  logic [3*LANES8-1:0] small8_2_q;
  logic [2*LANES4-1:0] small4_2_q;
  logic [LANES2-1:0] small2_2_q;
  logic zeros2_q, repeats2_q;
  logic [3*64-1:0] base8_2_q;
  logic [2*32-1:0] base4_2_q;
  logic [15:0] base2_2_q;
  if (BASE_MODE == 0) begin : g_first
    assign base8_2_q = {3{line2_q[63:0]}};
    assign base4_2_q = {2{line2_q[31:0]}};
    assign base2_2_q = line2_q[15:0];
  end else begin : g_needed
    logic [3*64-1:0] base8_d;
    logic [2*32-1:0] base4_d;
    logic [15:0] base2_d;
    // pick: the lowest lane that is no delta by itself
    for (genvar k = 0; k < 3; k++) begin : g_base8
      logic [LANES8-1:0] needs, pick;
      logic [63:0] base;
      assign needs = ~small8_1_q[k*LANES8+:LANES8];
      assign pick = needs & (~needs + 1'b1);
      always_comb begin
        base = '0;
        for (int i = 0; i < LANES8; i++) base = base | (line1_q[64*i+:64] & {64{pick[i]}});
      end
      assign base8_d[64*k+:64] = base;
    end
    for (genvar k = 0; k < 2; k++) begin : g_base4
      logic [LANES4-1:0] needs, pick;
      logic [31:0] base;
      assign needs = ~small4_1_q[k*LANES4+:LANES4];
      assign pick = needs & (~needs + 1'b1);
      always_comb begin
        base = '0;
        for (int i = 0; i < LANES4; i++) base = base | (line1_q[32*i+:32] & {32{pick[i]}});
      end
      assign base4_d[32*k+:32] = base;
    end
    logic [LANES2-1:0] pick;
    logic [15:0] base;
    assign pick = ~small2_1_q & (small2_1_q + 1'b1);
    always_comb begin
      base = '0;
      for (int i = 0; i < LANES2; i++) base = base | (line1_q[16*i+:16] & {16{pick[i]}});
    end
    assign base2_d = base;
    always_ff @(posedge clk_i) begin
      if (v1_q) begin
        base8_2_q <= base8_d;
        base4_2_q <= base4_d;
        base2_2_q <= base2_d;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (v1_q) begin
      line2_q <= line1_q;
      small8_2_q <= small8_1_q;
      small4_2_q <= small4_1_q;
      small2_2_q <= small2_1_q;
      zeros2_q <= zeros1_q;
      repeats2_q <= repeats1_q;
    end
  end

  // ---- 3: which codes can hold the line ----
  logic [8*LINE-1:0] line3_q;
  logic [3*LANES8-1:0] small8_3_q;
  logic [2*LANES4-1:0] small4_3_q;
  logic [LANES2-1:0] small2_3_q;
  logic zeros3_q, repeats3_q;
  logic [3*64-1:0] base8_3_q;
  logic [2*32-1:0] base4_3_q;
  logic [15:0] base2_3_q;
  logic [5:0] holds_d, holds3_q;  // codes 2 to 7
  // A code is out at its first group of lanes that it cannot hold: a simulation looks at no other group.
  localparam int GROUP8 = LANES8 < 4 ? LANES8 : 4, GROUP4 = LANES4 < 4 ? LANES4 : 4, GROUP2 = 8;
  for (genvar k = 0; k < 3; k++) begin : g_near8
    localparam logic [63:0] LOW = k == 0 ? LOW1 : k == 1 ? LOW2 : LOW4;
    logic holds;
    logic [63:0] base, diff;
    logic [LANES8-1:0] fits;
    assign base = base8_2_q[64*k+:64];
    assign fits = small8_2_q[k*LANES8+:LANES8];
    always_comb begin
      holds = 1'b1;
      diff = '0;
      for (int g = 0; g < LANES8; g = g + GROUP8)
        if (holds)
          for (int i = 0; i < GROUP8; i++) begin
            diff = line2_q[64*(g+i)+:64] - base;
            holds = holds && (fits[g+i] || (diff | LOW) == '1 || (diff & ~LOW) == 64'd0);
          end
    end
    assign holds_d[k] = holds;
  end
  for (genvar k = 0; k < 2; k++) begin : g_near4
    localparam logic [31:0] LOW = k == 0 ? 32'h7f : 32'h7fff;
    logic holds;
    logic [31:0] base, diff;
    logic [LANES4-1:0] fits;
    assign base = base4_2_q[32*k+:32];
    assign fits = small4_2_q[k*LANES4+:LANES4];
    always_comb begin
      holds = 1'b1;
      diff = '0;
      for (int g = 0; g < LANES4; g = g + GROUP4)
        if (holds)
          for (int i = 0; i < GROUP4; i++) begin
            diff = line2_q[32*(g+i)+:32] - base;
            holds = holds && (fits[g+i] || (diff | LOW) == '1 || (diff & ~LOW) == 32'd0);
          end
    end
    assign holds_d[3+k] = holds;
  end
  logic holds2;
  logic [15:0] diff2;
  always_comb begin
    holds2 = 1'b1;
    diff2 = '0;
    for (int g = 0; g < LANES2; g = g + GROUP2)
      if (holds2)
        for (int i = 0; i < GROUP2; i++) begin
          diff2 = line2_q[16*(g+i)+:16] - base2_2_q;
          holds2 = holds2 && (small2_2_q[g+i] || (diff2 | 16'h7f) == '1 || (diff2 & ~16'h7f) == '0);
        end
  end
  assign holds_d[5] = holds2;
  always_ff @(posedge clk_i) begin
    if (v2_q) begin
      line3_q <= line2_q;
      small8_3_q <= small8_2_q;
      small4_3_q <= small4_2_q;
      small2_3_q <= small2_2_q;
      zeros3_q <= zeros2_q;
      repeats3_q <= repeats2_q;
      holds3_q <= holds_d;
    end
  end
  if (BASE_MODE == 0) begin : g_first3
    assign base8_3_q = {3{line3_q[63:0]}};
    assign base4_3_q = {2{line3_q[31:0]}};
    assign base2_3_q = line3_q[15:0];
  end else begin : g_needed3
    always_ff @(posedge clk_i) begin
      if (v2_q) begin
        base8_3_q <= base8_2_q;
        base4_3_q <= base4_2_q;
        base2_3_q <= base2_2_q;
      end
    end
  end

  // ---- 4: the code, its base, and the lanes that need it ----
  localparam int LEN_B8D1 = HEAD + LANES8, LEN_B8D2 = HEAD + 2 * LANES8, LEN_B8D4 = HEAD + 4 * LANES8;
  localparam int LEN_B4D1 = 12 + LANES4, LEN_B4D2 = 12 + 2 * LANES4, LEN_B2D1 = HEAD + LANES2;
  // codes whose image is short enough
  localparam logic [7:0] SHORT = {LEN_B2D1 <= MOST, LEN_B4D2 <= MOST, LEN_B4D1 <= MOST, LEN_B8D4 <= MOST, LEN_B8D2 <= MOST,
                                  LEN_B8D1 <= MOST, HEAD <= MOST, 1'b1};
  logic [8*LINE-1:0] line4_q;
  logic [7:0] can;
  logic [3:0] code_d, code4_q;
  logic [63:0] base_d, base4b_q;
  logic [LANES2-1:0] adds_d, adds4_q;
  logic [3*LANES8-1:0] adds8;
  logic [2*LANES4-1:0] adds4;
  assign adds8 = ~small8_3_q;
  assign adds4 = ~small4_3_q;
  assign can = {holds3_q, repeats3_q, zeros3_q} & SHORT;
  assign code_d = can[0] ? 4'd0 : can[1] ? 4'd1 : can[2] ? 4'd2 : can[5] ? 4'd5 : can[3] ? 4'd3
                : can[6] ? 4'd6 : can[7] ? 4'd7 : can[4] ? 4'd4 : 4'd15;
  assign base_d = code_d == 4'd1   ? line3_q[63:0]
                  : code_d == 4'd2 ? base8_3_q[63:0]
                  : code_d == 4'd3 ? base8_3_q[127:64]
                  : code_d == 4'd4 ? base8_3_q[191:128]
                  : code_d == 4'd5 ? {32'd0, base4_3_q[31:0]}
                  : code_d == 4'd6 ? {32'd0, base4_3_q[63:32]}
                  : code_d == 4'd7 ? {48'd0, base2_3_q} : 64'd0;
  assign adds_d = code_d == 4'd2   ? {{LANES2 - LANES8{1'b0}}, adds8[0+:LANES8]}
                  : code_d == 4'd3 ? {{LANES2 - LANES8{1'b0}}, adds8[LANES8+:LANES8]}
                  : code_d == 4'd4 ? {{LANES2 - LANES8{1'b0}}, adds8[2*LANES8+:LANES8]}
                  : code_d == 4'd5 ? {{LANES2 - LANES4{1'b0}}, adds4[0+:LANES4]}
                  : code_d == 4'd6 ? {{LANES2 - LANES4{1'b0}}, adds4[LANES4+:LANES4]}
                  : code_d == 4'd7 ? ~small2_3_q : {LANES2{1'b0}};
  always_ff @(posedge clk_i) begin
    if (v3_q) begin
      line4_q <= line3_q;
      code4_q <= code_d;
      base4b_q <= base_d;
      adds4_q <= adds_d;
    end
  end

  // ---- 5: the image, by lanes of the code. Deltas of a line of 16 bytes may end behind it; such codes are not taken. ----
  localparam int WIDE = 8 * (LINE + HEAD);
  logic [WIDE-1:0] image;
  logic [32*LANES8-1:0] deltas8;
  logic [16*LANES4-1:0] deltas4;
  logic plain;
  logic [LANES8-1:0] mask8;
  logic [LANES4-1:0] mask4;
  logic [31:0] base_4;  // its 4, 2, 1 lowest bytes
  logic [15:0] base_2;
  logic [7:0] base_1;
  assign plain = code4_q[3];
  assign mask8 = adds4_q[LANES8-1:0];
  assign mask4 = adds4_q[LANES4-1:0];
  assign base_4 = base4b_q[31:0];
  assign base_2 = base4b_q[15:0];
  assign base_1 = base4b_q[7:0];
  always_comb begin
    image = '0;
    deltas8 = '0;
    deltas4 = '0;
    if (plain) begin
      image[8*LINE-1:0] = line4_q;
    end else begin
      image[15:0] = {12'd1, code4_q};
      if (code4_q == 4'd7) begin
        image[31:16] = base_2;
        image[64+:LANES2] = adds4_q;
        for (int i = 0; i < LANES2; i++) image[128+8*i+:8] = line4_q[16*i+:8] - (base_1 & {8{adds4_q[i]}});
      end else if (code4_q >= 4'd5) begin
        image[32+:LANES4] = mask4;
        image[95:64] = base_4;
        for (int i = 0; i < LANES4; i++) deltas4[16*i+:16] = line4_q[32*i+:16] - (base_2 & {16{mask4[i]}});
        if (code4_q == 4'd5) begin
          for (int i = 0; i < LANES4; i++) image[96+8*i+:8] = deltas4[16*i+:8];
        end else begin
          image[96+:16*LANES4] = deltas4;
        end
      end else if (code4_q != 4'd0) begin
        image[16+:LANES8] = mask8;
        image[127:64] = base4b_q;
        for (int i = 0; i < LANES8; i++) deltas8[32*i+:32] = line4_q[64*i+:32] - (base_4 & {32{mask8[i]}});
        if (code4_q == 4'd2) begin
          for (int i = 0; i < LANES8; i++) image[128+8*i+:8] = deltas8[32*i+:8];
        end else if (code4_q == 4'd3) begin
          for (int i = 0; i < LANES8; i++) image[128+16*i+:16] = deltas8[32*i+:16];
        end else if (code4_q == 4'd4) begin
          image[128+:32*LANES8] = deltas8;
        end
      end
    end
  end
  logic [8*LINE-1:0] image5_q;
  logic [3:0] code5_q;
  always_ff @(posedge clk_i) begin
    if (v4_q) begin
      image5_q <= image[8*LINE-1:0];
      code5_q <= code4_q;
    end
  end
  // the length, of the code: a register of its own would hold bits twice
  logic [7:0] len;
  assign len = code5_q == 4'd0   ? 8'd1
               : code5_q == 4'd1 ? HEAD[7:0]
               : code5_q == 4'd2 ? LEN_B8D1[7:0]
               : code5_q == 4'd3 ? LEN_B8D2[7:0]
               : code5_q == 4'd4 ? LEN_B8D4[7:0]
               : code5_q == 4'd5 ? LEN_B4D1[7:0]
               : code5_q == 4'd6 ? LEN_B4D2[7:0]
               : code5_q == 4'd7 ? LEN_B2D1[7:0] : LINE[7:0];
  assign out_valid_o = v5_q;
  assign enc_o = code5_q & {4{v5_q}};
  assign len_o = len & {8{v5_q}};
  assign image_o = image5_q & {8 * LINE{v5_q}};

`ifdef FORMAL
  `include "bdi_enc_props.svh"
`endif
endmodule
`undef NEEDS
