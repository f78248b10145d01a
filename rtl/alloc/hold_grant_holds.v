// SPDX-License-Identifier: Apache-2.0
//
// hold_grant_holds: which input holds which output in hold_grant_alloc, and for how long.
//
// Holders    a free output's next holder is the input that is granted now, or none; a busy output keeps its holder, unless
//            that input is granted another output.
// MAXHOLD    a counter for each output counts held grants in a row; at the limit the hold may not be granted. A second
//            counter counts the output's open choices (its turn), which then decides stage 2.
// GRACE      a counter for each output counts the free cycles without a grant that the hold has survived.
// Tick       only with adv_i. Reset: synchronous, active low: no holds, all counts 0.

`include "needs.vh"

module hold_grant_holds #(
    parameter int I = 28,        // inputs
    parameter int O = 8,         // outputs
    parameter int MEMORY = 1,    // 0: no holds
    parameter int MAXHOLD = 0,   // held grants in a row; 0: any number
    parameter int GRACE = 0,     // free cycles without a grant that a hold survives
    parameter int WORDS = 4,     // words of the matrix (hold_grant_matrix)
    parameter int WORD = 64,     // bits of a word
    parameter int COL_BITS = 3,  // bits of an output's number
    parameter int ROW_BITS = 5   // bits of an input's number
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic                  adv_i,          // the grants take effect
    input  logic [O-1:0]          out_free_i,     // the output takes a packet now
    input  logic [WORDS*WORD-1:0] grant_words_i,  // the grants
    input  logic [O-1:0]          granted_i,      // the output has a grant
    input  logic [O-1:0]          held_i,         // the output grants its holder
    output logic [WORDS*WORD-1:0] prev_words_o,   // pairs that hold, as words
    output logic [O-1:0]          tired_o,        // MAXHOLD forbids to grant the hold
    // registers
    output logic [I*O-1:0]        prev_o,         // pairs that hold, bit i*O+o
    output logic [O*(MAXHOLD<2?1:$clog2(MAXHOLD+1))-1:0] held_count_o,  // held grants in a row
    output logic [O*ROW_BITS-1:0] turn_o,         // open choices made
    output logic [O*(GRACE<2?1:$clog2(GRACE+1))-1:0] grace_o            // free cycles survived
);
  localparam int ROW_W = 1 << COL_BITS;
  localparam int ROWS_PER_WORD = WORD / ROW_W;
  localparam int HELD_W = MAXHOLD < 2 ? 1 : $clog2(MAXHOLD + 1);
  localparam int GRACE_W = GRACE < 2 ? 1 : $clog2(GRACE + 1);
  localparam logic [WORD-1:0] COLUMN_0 = {ROWS_PER_WORD{{(ROW_W - 1) {1'b0}}, 1'b1}};  // output 0 of each row

  `NEEDS(I <= WORDS * ROWS_PER_WORD && O <= ROW_W, hold_grant_holds_needs_words_that_hold_the_matrix)

  // Pairs that hold, as words.
  if (ROW_W == O && I * O == WORDS * WORD) begin : g_prev
    assign prev_words_o = prev_o;
  end else if (ROW_W == O) begin : g_prev
    assign prev_words_o = {{(WORDS * WORD - I * O) {1'b0}}, prev_o};
  end else begin : g_prev
    for (genvar i = 0; i < WORDS * ROWS_PER_WORD; i++) begin : g_row
      if (i < I) begin : g_real
        assign prev_words_o[i*ROW_W+:ROW_W] = {{(ROW_W - O) {1'b0}}, prev_o[i*O+:O]};
      end else begin : g_pad
        assign prev_words_o[i*ROW_W+:ROW_W] = '0;
      end
    end
  end

  // Next holders.
  logic [O-1:0] ends, holds_next;  // ends: the hold ends unless granted again; holds_next: the output has a holder after the tick
  logic [ROW_W-1:0] ends_row;
  logic [WORDS*WORD-1:0] next_words;
  if (ROW_W == O) begin : g_ends
    assign ends_row = ends;
  end else begin : g_ends
    assign ends_row = {{(ROW_W - O) {1'b0}}, ends};
  end
  for (genvar w = 0; w < WORDS; w++) begin : g_word
    logic [WORD-1:0] grant, prev, granted_rows;
    assign grant = grant_words_i[w*WORD+:WORD];
    assign prev = prev_words_o[w*WORD+:WORD];
    always @* begin : spread_granted_rows
      granted_rows = grant;
      for (int k = COL_BITS - 1; k >= 0; k--) granted_rows = granted_rows | (granted_rows >> (1 << k));
      granted_rows = granted_rows & COLUMN_0;
      for (int k = 0; k < COL_BITS; k++) granted_rows = granted_rows | (granted_rows << (1 << k));
    end
    assign next_words[w*WORD+:WORD] = grant | (prev & ~{ROWS_PER_WORD{ends_row}} & ~granted_rows);
  end
  logic [WORD-1:0] next_columns;
  always @* begin : fold_next
    next_columns = '0;
    for (int w = 0; w < WORDS; w++) next_columns = next_columns | next_words[w*WORD+:WORD];
    for (int k = $clog2(ROWS_PER_WORD) - 1; k >= 0; k--) next_columns = next_columns | (next_columns >> (ROW_W << k));
  end
  assign holds_next = next_columns[O-1:0];

  if (MEMORY == 0) begin : g_no_holders
    assign prev_o = '0;
  end else begin : g_holders
    logic [I*O-1:0] prev_q, prev_d;
    if (ROW_W == O) begin : g_next
      assign prev_d = next_words[I*O-1:0];
    end else begin : g_next
      for (genvar i = 0; i < I; i++) begin : g_row
        assign prev_d[i*O+:O] = next_words[i*ROW_W+:O];
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) prev_q <= '0;
      else if (adv_i) prev_q <= prev_d;
    end
    assign prev_o = prev_q;
  end

  // Held grants in a row, open choices made.
  if (MEMORY != 0 && MAXHOLD > 0) begin : g_fair
    localparam logic [31:0] LIMIT = MAXHOLD;
    logic [O*HELD_W-1:0] held_q;
    logic [O*ROW_BITS-1:0] turn_q;
    for (genvar o = 0; o < O; o++) begin : g_output
      logic [HELD_W-1:0] count, count_d;
      logic [ROW_BITS-1:0] turn_d;
      logic open_choice, turns, forget;
      assign count = held_q[o*HELD_W+:HELD_W];
      assign tired_o[o] = count == LIMIT[HELD_W-1:0];
      assign open_choice = granted_i[o] && !held_i[o];
      assign turns = !held_i[o] && granted_i[o];
      assign forget = open_choice || !holds_next[o];
      assign count_d = forget ? '0 : granted_i[o] ? count + 1'b1 : count;
      assign turn_d = turns ? turn_q[o*ROW_BITS+:ROW_BITS] + 1'b1 : turn_q[o*ROW_BITS+:ROW_BITS];
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          held_q[o*HELD_W+:HELD_W] <= '0;
          turn_q[o*ROW_BITS+:ROW_BITS] <= '0;
        end else if (adv_i) begin
          held_q[o*HELD_W+:HELD_W] <= count_d;
          turn_q[o*ROW_BITS+:ROW_BITS] <= turn_d;
        end
      end
    end
    assign held_count_o = held_q;
    assign turn_o = turn_q;
  end else begin : g_unfair
    assign tired_o = '0;
    assign held_count_o = '0;
    assign turn_o = '0;
  end

  // Free cycles without a grant that the hold has survived.
  if (MEMORY != 0 && GRACE > 0) begin : g_patient
    localparam logic [31:0] LIMIT = GRACE;
    logic [O*GRACE_W-1:0] grace_q;
    for (genvar o = 0; o < O; o++) begin : g_output
      logic [GRACE_W-1:0] count, count_d;
      logic forget;
      assign count = grace_q[o*GRACE_W+:GRACE_W];
      assign ends[o] = out_free_i[o] && (granted_i[o] || count == LIMIT[GRACE_W-1:0]);
      assign forget = granted_i[o] || !holds_next[o];
      assign count_d = forget ? '0 : out_free_i[o] ? count + 1'b1 : count;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) grace_q[o*GRACE_W+:GRACE_W] <= '0;
        else if (adv_i) grace_q[o*GRACE_W+:GRACE_W] <= count_d;
      end
    end
    assign grace_o = grace_q;
  end else begin : g_impatient
    assign ends = out_free_i;
    assign grace_o = '0;
  end

  // Signals that this mode or size does not need.
  logic unused;
  assign unused = &{1'b0, clk_i, rst_ni, adv_i, granted_i, held_i, holds_next, next_words, next_columns};
endmodule
`undef NEEDS
