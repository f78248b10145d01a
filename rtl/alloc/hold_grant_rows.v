// SPDX-License-Identifier: Apache-2.0
//
// hold_grant_rows: checks for hold_grant_alloc whether a holder's packet belongs to the last DRAM row that its output
// passed.
//
// Row memory the last row of each bank of each controller behind the output (MODE 2, RMHG). A bank number of NB or more and,
//            with MCS > 1, a controller number of MCS or more match no row and are not recorded.
// Hashes     a hash of the row of the output's last packet (MODE 3, HMHG): the exclusive or of the row's pieces of HW bits.
//            Example: the 4-bit hash of row 0xABC is 0xD.
// Tick       only with adv_i. Reset: synchronous, active low: rows and hashes 0.

`include "needs.vh"

// always @*, because Icarus 11 loops forever in an always_comb that reads a variable that it also writes.
module hold_grant_rows #(
    parameter int I = 28,        // inputs
    parameter int O = 8,         // outputs
    parameter int MODE = 2,      // 2: row memory, 3: hashes; other modes: every packet matches
    parameter int HW = 4,        // bits of the hash
    parameter int NB = 4,        // banks of a controller
    parameter int MCS = 1,       // controllers behind an output
    parameter int WORDS = 4,     // words of the matrix (hold_grant_matrix)
    parameter int WORD = 64,     // bits of a word
    parameter int COL_BITS = 3,  // bits of an output's number
    parameter int ROW_BITS = 5   // bits of an input's number
) (
    input  logic                                    clk_i,
    input  logic                                    rst_ni,
    input  logic                                    adv_i,          // the grants take effect
    input  logic [I*12-1:0]                         row_i,          // DRAM row of the packet of each input
    input  logic [I*(NB <= 2 ? 1 : $clog2(NB))-1:0] bank_i,         // bank of its packet
    input  logic [I*3-1:0]                          mc_i,           // controller of its packet
    input  logic [WORDS*WORD-1:0]                   prev_words_i,   // pairs that hold
    input  logic [WORDS*WORD-1:0]                   grant_words_i,  // the grants
    input  logic [O-1:0]                            granted_i,      // the output has a grant
    output logic [O-1:0]                            match_o,        // the holder's packet belongs to the last row
    // registers
    output logic [O*NB*MCS*12-1:0]                  rows_o,         // last rows, by output, controller and bank
    output logic [O*HW-1:0]                         hashes_o        // the hashes, bit-sliced: bit b of all outputs, then bit b+1
);
  localparam int ROW_W = 1 << COL_BITS;
  localparam int ROWS_PER_WORD = WORD / ROW_W;
  localparam int WORD_ROW_BITS = $clog2(ROWS_PER_WORD);
  localparam int BANK_W = NB <= 2 ? 1 : $clog2(NB);
  localparam int ENTRIES = NB * MCS;  // rows remembered for an output
  localparam logic [WORD-1:0] COLUMN_0 = {ROWS_PER_WORD{{(ROW_W - 1) {1'b0}}, 1'b1}};  // output 0 of each row

  `NEEDS(I <= WORDS * ROWS_PER_WORD && O <= ROW_W, hold_grant_rows_needs_words_that_hold_the_matrix)

  if (MODE == 3) begin : g_hashes
    // Bit b of the hash of an output's holder, or of the input that the output grants, is an OR over the output's column.
    localparam int PIECES = (12 + HW - 1) / HW;
    localparam int PARTS = (HW + ROW_W - 1) / ROW_W;  // rows of the matrix that a hash fills
    logic [O*HW-1:0] hash_q, differ;
    logic [WORDS*PARTS*WORD-1:0] hashes;  // of all inputs, each at its row; part v of word w is at w*PARTS+v
    for (genvar i = 0; i < WORDS * ROWS_PER_WORD; i++) begin : g_input
      localparam int W = i / ROWS_PER_WORD;
      localparam int R = i % ROWS_PER_WORD;
      logic [PARTS*ROW_W-1:0] hash;
      if (i < I) begin : g_real
        for (genvar k = 0; k < PIECES; k++) begin : g_fold
          localparam int BITS = 12 - k * HW < HW ? 12 - k * HW : HW;
          logic [PARTS*ROW_W-1:0] piece, sum;
          if (PARTS * ROW_W == BITS) begin : g_piece
            assign piece = row_i[i*12+k*HW+:BITS];
          end else begin : g_piece
            assign piece = {{(PARTS * ROW_W - BITS) {1'b0}}, row_i[i*12+k*HW+:BITS]};
          end
          if (k == 0) begin : g_first
            assign sum = piece;
          end else begin : g_more
            assign sum = g_fold[k-1].sum ^ piece;
          end
        end
        assign hash = g_fold[PIECES-1].sum;
      end else begin : g_pad
        assign hash = '0;
      end
      for (genvar v = 0; v < PARTS; v++) begin : g_part
        assign hashes[(W*PARTS+v)*WORD+R*ROW_W+:ROW_W] = hash[v*ROW_W+:ROW_W];
      end
    end
    for (genvar b = 0; b < HW; b++) begin : g_bit
      // Bit b of each input's hash, repeated in all columns of its row.
      logic [WORDS*WORD-1:0] set;
      for (genvar w = 0; w < WORDS; w++) begin : g_word
        logic [WORD-1:0] moved, spread;
        assign moved = hashes[(w*PARTS+b/ROW_W)*WORD+:WORD] >> (b % ROW_W);
        always @* begin : spread_bit
          spread = moved & COLUMN_0;
          for (int k = 0; k < COL_BITS; k++) spread = spread | (spread << (1 << k));
        end
        assign set[w*WORD+:WORD] = spread;
      end
      logic [WORD-1:0] holder, winner;
      always @* begin : hash_of_holders
        holder = '0;
        for (int w = 0; w < WORDS; w++) holder = holder | (set[w*WORD+:WORD] & prev_words_i[w*WORD+:WORD]);
        for (int k = WORD_ROW_BITS - 1; k >= 0; k--) holder = holder | (holder >> (ROW_W << k));
      end
      always @* begin : hash_of_winners
        winner = '0;
        for (int w = 0; w < WORDS; w++) winner = winner | (set[w*WORD+:WORD] & grant_words_i[w*WORD+:WORD]);
        for (int k = WORD_ROW_BITS - 1; k >= 0; k--) winner = winner | (winner >> (ROW_W << k));
      end
      logic unused_bits;
      assign unused_bits = &{1'b0, holder, winner};
      assign differ[b*O+:O] = holder[O-1:0] ^ hash_q[b*O+:O];
      always_ff @(posedge clk_i) begin
        if (!rst_ni) hash_q[b*O+:O] <= '0;
        else if (adv_i) hash_q[b*O+:O] <= (hash_q[b*O+:O] & ~granted_i) | winner[O-1:0];
      end
    end
    always @* begin : compare
      match_o = '1;
      for (int b = 0; b < HW; b++) match_o = match_o & ~differ[b*O+:O];
    end
    assign hashes_o = hash_q;
    assign rows_o = '0;
  end else if (MODE == 2) begin : g_rows
    // Bit b of the number of an output's holder, or of the input that the output grants, is an OR over the output's column.
    logic [O*ENTRIES*12-1:0] row_q;
    for (genvar b = 0; b < ROW_BITS; b++) begin : g_bit
      // Rows of a word whose number has bit b set; for bits above WORD_ROW_BITS the word's number decides.
      localparam logic [6*64-1:0] LOWER = {
        64'h00000000ffffffff, 64'h0000ffff0000ffff, 64'h00ff00ff00ff00ff,
        64'h0f0f0f0f0f0f0f0f, 64'h3333333333333333, 64'h5555555555555555
      };
      localparam logic [WORD-1:0] ROWS_WITH_BIT =
          b < WORD_ROW_BITS ? ~LOWER[64*((COL_BITS+b)%6)+:WORD] : {WORD{1'b1}};
      logic [WORD-1:0] holder, winner;
      always @* begin : number_of_holders
        holder = '0;
        for (int w = 0; w < WORDS; w++)
          if (b < WORD_ROW_BITS || ((w >> (b - WORD_ROW_BITS)) & 1) == 1)
            holder = holder | (prev_words_i[w*WORD+:WORD] & ROWS_WITH_BIT);
        for (int k = WORD_ROW_BITS - 1; k >= 0; k--) holder = holder | (holder >> (ROW_W << k));
      end
      always @* begin : number_of_winners
        winner = '0;
        for (int w = 0; w < WORDS; w++)
          if (b < WORD_ROW_BITS || ((w >> (b - WORD_ROW_BITS)) & 1) == 1)
            winner = winner | (grant_words_i[w*WORD+:WORD] & ROWS_WITH_BIT);
        for (int k = WORD_ROW_BITS - 1; k >= 0; k--) winner = winner | (winner >> (ROW_W << k));
      end
      logic unused_bits;
      assign unused_bits = &{1'b0, holder, winner};
    end
    for (genvar o = 0; o < O; o++) begin : g_output
      logic [31:0] holder, winner;  // numbers of inputs
      for (genvar b = 0; b < 32; b++) begin : g_number
        if (b < ROW_BITS) begin : g_real
          assign holder[b] = g_bit[b].holder[o];
          assign winner[b] = g_bit[b].winner[o];
        end else begin : g_pad
          assign holder[b] = 1'b0;
          assign winner[b] = 1'b0;
        end
      end
      // The entry is selected by bank, and by controller if there are several.
      logic [31:0] held_bank, won_bank, held_mc, won_mc, held_at, won_at;
      logic held_known, won_known;
      assign held_bank = {{(32 - BANK_W) {1'b0}}, bank_i[holder*BANK_W+:BANK_W]};
      assign won_bank = {{(32 - BANK_W) {1'b0}}, bank_i[winner*BANK_W+:BANK_W]};
      assign held_mc = MCS == 1 ? 32'd0 : {29'd0, mc_i[holder*3+:3]};
      assign won_mc = MCS == 1 ? 32'd0 : {29'd0, mc_i[winner*3+:3]};
      assign held_known = held_bank < NB && held_mc < MCS;
      assign won_known = won_bank < NB && won_mc < MCS;
      assign held_at = held_known ? held_mc * NB + held_bank : 32'd0;
      assign won_at = won_mc * NB + won_bank;
      logic [ENTRIES*12-1:0] rows;
      assign rows = row_q[o*ENTRIES*12+:ENTRIES*12];
      assign match_o[o] = held_known && row_i[holder*12+:12] == rows[held_at*12+:12];
      always_ff @(posedge clk_i) begin
        if (!rst_ni) row_q[o*ENTRIES*12+:ENTRIES*12] <= '0;
        else if (adv_i && granted_i[o] && won_known) begin
          for (int e = 0; e < ENTRIES; e++)
            if (won_at == e) row_q[(o*ENTRIES+e)*12+:12] <= row_i[winner*12+:12];
        end
      end
    end
    assign rows_o = row_q;
    assign hashes_o = '0;
  end else begin : g_no_rows
    assign match_o = '1;
    assign rows_o = '0;
    assign hashes_o = '0;
  end

  // Signals that this mode does not need.
  logic unused;
  assign unused = &{1'b0, clk_i, rst_ni, adv_i, row_i, bank_i, mc_i, prev_words_i, grant_words_i, granted_i};
endmodule
`undef NEEDS
