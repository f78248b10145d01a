// SPDX-License-Identifier: Apache-2.0
//
// hold_grant_matrix: the choice of hold_grant_alloc; combinational. Holds are granted first. Then each input picks one of the
// free outputs that it requests (stage 1), and each output picks one of the inputs that picked it (stage 2). Both stages are
// tournaments (tree_pick).
//
// Words      The matrix has a row of ROW_W bits for each input (O, rounded up to a power of two). ROWS_PER_WORD rows make a
//            word of WORD bits, at most 64; WORDS words hold all rows. All rows of a word are computed at once.

`include "needs.vh"

// always @*, because Icarus 11 loops forever in an always_comb that reads a variable that it also writes.
module hold_grant_matrix #(
    parameter int I = 28,         // inputs
    parameter int O = 8,          // outputs
    parameter int FAIR = 0,       // 1: an output's turn decides stage 2; 0: random bits do
    parameter int WORDS = 4,      // words of the matrix
    parameter int WORD = 64,      // bits of a word
    parameter int COL_BITS = 3,   // bits of an output's number
    parameter int ROW_BITS = 5,   // bits of an input's number
    parameter int RANDOM_W = 64   // random bits
) (
    input  logic [I*O-1:0]        req_i,          // bit i*O+o: input i requests o
    input  logic [O-1:0]          out_free_i,     // the output takes a packet now
    input  logic [O-1:0]          may_hold_i,     // the output's hold may be granted
    input  logic [WORDS*WORD-1:0] prev_words_i,   // pairs that hold
    input  logic [RANDOM_W-1:0]   random_i,       // random bits
    input  logic [O*ROW_BITS-1:0] turn_i,         // open choices that each output has made
    output logic [I*O-1:0]        grant_o,        // at most one per row and per column
    output logic [I*O-1:0]        hold_hit_o,     // granted because the pair was held
    output logic [WORDS*WORD-1:0] grant_words_o,  // grant_o as words
    output logic [O-1:0]          granted_o,      // the output has a grant
    output logic [O-1:0]          held_o          // the output grants its holder
);
  localparam int ROW_W = 1 << COL_BITS;
  localparam int ROWS_PER_WORD = WORD / ROW_W;
  localparam int WORD_ROW_BITS = $clog2(ROWS_PER_WORD);   // levels of stage 2 inside a word
  localparam int WORD_BITS = ROW_BITS - WORD_ROW_BITS;    // levels of stage 2 over the words
  // Element k = 0..5: the places, of 64, whose number has bit k clear.
  localparam logic [6*64-1:0] LOWER = {
    64'h00000000ffffffff, 64'h0000ffff0000ffff, 64'h00ff00ff00ff00ff,
    64'h0f0f0f0f0f0f0f0f, 64'h3333333333333333, 64'h5555555555555555
  };
  // Element k: the places, of 64, that represent a meeting of two groups of 2^k: the last place of each lower group.
  localparam logic [6*64-1:0] MEETING = {
    64'h0000000080000000, 64'h0000800000008000, 64'h0080008000800080,
    64'h0808080808080808, 64'h2222222222222222, 64'h5555555555555555
  };
  localparam logic [WORD-1:0] COLUMN_0 = {ROWS_PER_WORD{{(ROW_W - 1) {1'b0}}, 1'b1}};  // output 0 of each row

  `NEEDS(I <= WORDS * ROWS_PER_WORD && O <= ROW_W, hold_grant_matrix_needs_words_that_hold_the_matrix)

  // The outputs, repeated for each row of a word.
  logic [ROW_W-1:0] free_row, may_hold_row;
  logic [WORD-1:0] free, may_hold;
  if (ROW_W == O) begin : g_outputs
    assign free_row = out_free_i;
    assign may_hold_row = may_hold_i;
  end else begin : g_outputs
    assign free_row = {{(ROW_W - O) {1'b0}}, out_free_i};
    assign may_hold_row = {{(ROW_W - O) {1'b0}}, may_hold_i};
  end
  assign free = {ROWS_PER_WORD{free_row}};
  assign may_hold = {ROWS_PER_WORD{may_hold_row}};

  // The requests as words.
  logic [WORDS*WORD-1:0] req_words, hold_words, asks_words;
  if (ROW_W == O && I * O == WORDS * WORD) begin : g_requests
    assign req_words = req_i;
  end else if (ROW_W == O) begin : g_requests
    assign req_words = {{(WORDS * WORD - I * O) {1'b0}}, req_i};
  end else begin : g_requests
    for (genvar i = 0; i < WORDS * ROWS_PER_WORD; i++) begin : g_row
      if (i < I) begin : g_real
        assign req_words[i*ROW_W+:ROW_W] = {{(ROW_W - O) {1'b0}}, req_i[i*O+:O]};
      end else begin : g_pad
        assign req_words[i*ROW_W+:ROW_W] = '0;
      end
    end
  end

  // Outputs that grant their holder, repeated in every row.
  logic [WORD-1:0] held_columns;
  always @* begin : spread_held_columns
    held_columns = '0;
    for (int w = 0; w < WORDS; w++) held_columns = held_columns | hold_words[w*WORD+:WORD];
    for (int k = 0; k < WORD_ROW_BITS; k++)
      held_columns = held_columns | (held_columns << (ROW_W << k)) | (held_columns >> (WORD - (ROW_W << k)));
  end

  // Stage 2, by level: places of the input group that loses at its output if both groups have a candidate.
  logic [ROW_BITS*WORD-1:0] input_loses;
  for (genvar b = 0; b < ROW_BITS; b++) begin : g_level
    localparam int AT = ((ROW_W + 5) * b) % RANDOM_W;
    logic [ROW_W-1:0] lower_loses;
    if (FAIR != 0) begin : g_turn
      for (genvar o = 0; o < ROW_W; o++) begin : g_bit
        if (o < O) begin : g_real
          assign lower_loses[o] = turn_i[o*ROW_BITS+b];
        end else begin : g_pad
          assign lower_loses[o] = 1'b0;
        end
      end
    end else begin : g_random
      logic [RANDOM_W-1:0] rotated;
      assign rotated = (random_i >> AT) | (random_i << (RANDOM_W - AT));
      assign lower_loses = rotated[ROW_W-1:0];
      logic unused;
      assign unused = &{1'b0, rotated};
    end
    if (b < WORD_ROW_BITS) begin : g_in_word
      assign input_loses[b*WORD+:WORD] = {ROWS_PER_WORD{lower_loses}} ^ ~LOWER[64*(COL_BITS+b)+:WORD];
    end else begin : g_over_words
      assign input_loses[b*WORD+:WORD] = {ROWS_PER_WORD{lower_loses}};
    end
  end

  for (genvar w = 0; w < WORDS; w++) begin : g_word
    logic [WORD-1:0] req, prev, hold, held_rows, candidates, picked, best_of_word, grant;

    // A hold takes its row and its column: no other request there competes.
    assign req = req_words[w*WORD+:WORD] & free;
    assign prev = prev_words_i[w*WORD+:WORD];
    assign hold = (prev & req) & may_hold;
    assign hold_words[w*WORD+:WORD] = hold;
    always @* begin : spread_held_rows
      held_rows = hold;
      for (int k = COL_BITS - 1; k >= 0; k--) held_rows = held_rows | (held_rows >> (1 << k));
      held_rows = held_rows & COLUMN_0;
      for (int k = 0; k < COL_BITS; k++) held_rows = held_rows | (held_rows << (1 << k));
    end
    assign candidates = hold | (req & ~held_columns & ~held_rows);

    // Stage 1. A word has its own random bit for each meeting of each row: 1 means that the lower group loses if both groups
    // have a candidate.
    logic [RANDOM_W-1:0] coins;
    assign coins = random_i ^ ((random_i << (w + 1)) | (random_i >> (RANDOM_W - w - 1)));
    logic [COL_BITS*WORD-1:0] output_loses;
    always @* begin : losers_of_stage_1
      logic [WORD-1:0] lower;  // the lower groups that lose
      for (int b = 0; b < COL_BITS; b++) begin
        lower = coins[WORD-1:0] & MEETING[64*b+:WORD];
        for (int k = 0; k < COL_BITS; k++) if (k < b) lower = lower | (lower >> (1 << k));
        output_loses[b*WORD+:WORD] = (lower | (lower << (1 << b))) ^ ~LOWER[64*b+:WORD];
      end
    end
    logic [WORD-1:0] some_output;
    tree_pick #(.W(WORD), .FIRST(0), .LEVELS(COL_BITS)) u_stage_1 (
        .ask_i(candidates),
        .lose_i(output_loses),
        .pick_o(picked),
        .any_o(some_output)
    );

    // Stage 2 inside the word, ...
    tree_pick #(.W(WORD), .FIRST(COL_BITS), .LEVELS(WORD_ROW_BITS)) u_stage_2 (
        .ask_i(picked),
        .lose_i(input_loses[WORD_ROW_BITS*WORD-1:0]),
        .pick_o(best_of_word),
        .any_o(asks_words[w*WORD+:WORD])
    );

    // ... and over the words: a group of words has a candidate where one of its words has one.
    if (WORD_BITS == 0) begin : g_one_word
      assign grant = best_of_word;
    end else begin : g_words
      always @* begin : stage_2_over_words
        logic [WORD-1:0] lost, rivals;
        lost = '0;
        for (int b = 0; b < WORD_BITS; b++) begin
          rivals = '0;
          for (int s = 0; s < WORDS; s++)
            if ((s >> b) == ((w >> b) ^ 1)) rivals = rivals | asks_words[s*WORD+:WORD];
          lost = lost | (rivals & (input_loses[(WORD_ROW_BITS+b)*WORD+:WORD] ^ {WORD{((w >> b) & 1) == 1}}));
        end
        grant = best_of_word & ~lost;
      end
    end
    assign grant_words_o[w*WORD+:WORD] = grant;
    logic unused;
    assign unused = &{1'b0, coins, some_output};
  end

  // Answer.
  if (ROW_W == O) begin : g_answer
    assign grant_o = grant_words_o[I*O-1:0];
    assign hold_hit_o = hold_words[I*O-1:0];
  end else begin : g_answer
    for (genvar i = 0; i < I; i++) begin : g_row
      assign grant_o[i*O+:O] = grant_words_o[i*ROW_W+:O];
      assign hold_hit_o[i*O+:O] = hold_words[i*ROW_W+:O];
    end
  end
  logic [WORD-1:0] asked_columns;  // outputs that some input picked; each grants one of these inputs
  always @* begin : fold_asks
    asked_columns = '0;
    for (int w = 0; w < WORDS; w++) asked_columns = asked_columns | asks_words[w*WORD+:WORD];
  end
  assign granted_o = asked_columns[O-1:0];
  assign held_o = held_columns[O-1:0];
  logic unused;
  assign unused = &{1'b0, asked_columns, held_columns, turn_i, hold_words};
endmodule
`undef NEEDS
