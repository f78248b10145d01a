// SPDX-License-Identifier: Apache-2.0
//
// hold_grant_alloc: separable input-first allocator whose grants hold (Yuan 2009, 4.2 to 4.5). Each cycle it matches inputs
// to free outputs, at most one grant in each row and each column of the request matrix. A pair (input, output) that was
// granted before and is requested again has priority over all others (a hold), so that a core's stream of packets reaches
// a memory controller without interruption.
//
// Parts      hold_grant_matrix (the choice), hold_grant_holds (which input holds which output, and for how long),
//            hold_grant_rows (whether the holder's packet belongs to the last DRAM row), lfsr (random bits).
// Modes      0 PIM: no holds. 1 HG: a hold lasts while the request does. 2 RMHG: as HG, but only while the packets belong
//            to the last row that the output passed for that bank (and controller). 3 HMHG: as RMHG, but it compares a hash
//            of the row with that of the output's last packet. A match is valid for one packet.
// Latency    grant_o answers req_i in the same cycle. The host drops the granted request and the output's out_free_i after
//            the edge.
// Choice     stage 1: each input picks one output; stage 2: each output picks one of the inputs that picked it. Both are
//            knock-out tournaments; where both groups of a meeting have a candidate, a random bit decides. Assumption:
//            random bits, not a rotating priority. A rotating priority gives a requester the turns of all idle inputs before
//            it: if two neighbours of 28 inputs compete, one wins 27 of 28 times. Stage 1 has a random bit for each meeting
//            of each input, stage 2 has one for each level of each output.
// Holding    the next holder of a free output is the input that is granted now, or none; a busy output keeps its holder,
//            unless that input is granted another output. A hold survives GRACE free cycles without a grant.
// MAXHOLD    after MAXHOLD held grants in a row the pair competes once like all others; 0: no limit. Assumption: with a
//            limit, each output counts its open choices, and the count replaces the random bits of stage 2. An input that
//            keeps requesting one output then gets it within (MAXHOLD + 1) * 2^bits(I) cycles in which that output is free.
// Tick       only with adv_i; without it nothing changes and the grants mean nothing.
// Range      a bank number of NB or more and, with MCS > 1, a controller number of MCS or more match no row and are not
//            recorded.
// Reset      synchronous, active low: nothing held, rows and hashes 0, LFSR seeded.
// Idle       busy_o is 1 while something is held; without a request and a hold nothing changes.

`include "needs.vh"

module hold_grant_alloc #(
    parameter int I = 28,       // inputs, at least 1
    parameter int O = 8,        // outputs, at least 1
    parameter int MODE = 1,     // 0 PIM, 1 HG, 2 RMHG, 3 HMHG
    parameter int HW = 4,       // bits of the row's hash (HMHG), 1..12
    parameter int NB = 4,       // banks of a controller (RMHG), at least 1
    parameter int SEED = 1,     // seed of the LFSR, at least 1
    parameter int MAXHOLD = 0,  // held grants in a row; 0: any number
    parameter int GRACE = 0,    // free cycles without a grant that a hold survives
    parameter int MCS = 1       // controllers behind an output (RMHG): 1 in a crossbar; 1..8
) (
    input  logic                                   clk_i,
    input  logic                                   rst_ni,
    // requests, one row per input
    input  logic [I*O-1:0]                         req_i,         // bit i*O+o: input i requests o
    input  logic [I*12-1:0]                        row_i,         // DRAM row of its packet
    input  logic [I*(NB <= 2 ? 1 : $clog2(NB))-1:0] bank_i,       // bank of its packet
    input  logic [I*3-1:0]                         mc_i,          // controller of its packet
    input  logic [O-1:0]                           out_free_i,    // the output takes a packet now
    input  logic                                   adv_i,         // the grants take effect
    // grants
    output logic [I*O-1:0]                         grant_o,       // at most one per row and per column
    output logic                                   grant_valid_o, // there is a grant
    output logic [I*O-1:0]                         hold_hit_o,    // granted because the pair was held
    output logic                                   busy_o         // some pair is held
);
  // The matrix as words of at most 64 bits: hold_grant_matrix.v.
  localparam int COL_BITS = O <= 2 ? 1 : $clog2(O);
  localparam int ROW_BITS = I <= 2 ? 1 : $clog2(I);
  localparam int WORD = COL_BITS + ROW_BITS <= 6 ? 1 << (COL_BITS + ROW_BITS) : 64;
  localparam int ROWS_PER_WORD = WORD >> COL_BITS;
  localparam int WORDS = (I + ROWS_PER_WORD - 1) / ROWS_PER_WORD;
  localparam int RANDOM_W = WORD < 16 ? 16 : WORD;
  localparam int HELD_W = MAXHOLD < 2 ? 1 : $clog2(MAXHOLD + 1);
  localparam int GRACE_W = GRACE < 2 ? 1 : $clog2(GRACE + 1);
  localparam bit FAIR = MODE > 0 && MAXHOLD > 0;

  `NEEDS(I >= 1 && I <= 32, hold_grant_alloc_needs_i_in_1_to_32)
  `NEEDS(O >= 1 && O <= 32, hold_grant_alloc_needs_o_in_1_to_32)
  `NEEDS(MODE >= 0 && MODE <= 3, hold_grant_alloc_needs_mode_in_0_to_3)
  `NEEDS(HW >= 1 && HW <= 12, hold_grant_alloc_needs_hw_in_1_to_12)
  `NEEDS(NB >= 1, hold_grant_alloc_needs_nb_at_least_1)
  `NEEDS(SEED >= 1, hold_grant_alloc_needs_seed_at_least_1)
  `NEEDS(MAXHOLD >= 0, hold_grant_alloc_needs_maxhold_at_least_0)
  `NEEDS(GRACE >= 0, hold_grant_alloc_needs_grace_at_least_0)
  `NEEDS(MCS >= 1 && MCS <= 8, hold_grant_alloc_needs_mcs_in_1_to_8)

  // Registers of the parts.
  logic [RANDOM_W-1:0] lfsr_q;
  logic [I*O-1:0] prev_q;           // MODE > 0
  logic [O*NB*MCS*12-1:0] row_q;    // MODE 2
  logic [O*HW-1:0] hash_q;          // MODE 3
  logic [O*HELD_W-1:0] held_q;      // MAXHOLD > 0
  logic [O*ROW_BITS-1:0] turn_q;    // MAXHOLD > 0
  logic [O*GRACE_W-1:0] grace_q;    // GRACE > 0

  // The choice.
  logic [O-1:0] match, tired, may_hold, granted, held;
  logic [WORDS*WORD-1:0] prev_words, grant_words;
  assign may_hold = out_free_i & match & ~tired;
  hold_grant_matrix #(
      .I(I),
      .O(O),
      .FAIR(FAIR ? 1 : 0),
      .WORDS(WORDS),
      .WORD(WORD),
      .COL_BITS(COL_BITS),
      .ROW_BITS(ROW_BITS),
      .RANDOM_W(RANDOM_W)
  ) u_matrix (
      .req_i(req_i),
      .out_free_i(out_free_i),
      .may_hold_i(may_hold),
      .prev_words_i(prev_words),
      .random_i(lfsr_q),
      .turn_i(turn_q),
      .grant_o(grant_o),
      .hold_hit_o(hold_hit_o),
      .grant_words_o(grant_words),
      .granted_o(granted),
      .held_o(held)
  );
  assign grant_valid_o = |grant_words;
  assign busy_o = |prev_words;

  // Which input holds which output.
  hold_grant_holds #(
      .I(I),
      .O(O),
      .MEMORY(MODE),
      .MAXHOLD(MAXHOLD),
      .GRACE(GRACE),
      .WORDS(WORDS),
      .WORD(WORD),
      .COL_BITS(COL_BITS),
      .ROW_BITS(ROW_BITS)
  ) u_holds (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .adv_i(adv_i),
      .out_free_i(out_free_i),
      .grant_words_i(grant_words),
      .granted_i(granted),
      .held_i(held),
      .prev_words_o(prev_words),
      .tired_o(tired),
      .prev_o(prev_q),
      .held_count_o(held_q),
      .turn_o(turn_q),
      .grace_o(grace_q)
  );

  // Which holders' packets belong to the last row of their output.
  hold_grant_rows #(
      .I(I),
      .O(O),
      .MODE(MODE),
      .HW(HW),
      .NB(NB),
      .MCS(MCS),
      .WORDS(WORDS),
      .WORD(WORD),
      .COL_BITS(COL_BITS),
      .ROW_BITS(ROW_BITS)
  ) u_rows (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .adv_i(adv_i),
      .row_i(row_i),
      .bank_i(bank_i),
      .mc_i(mc_i),
      .prev_words_i(prev_words),
      .grant_words_i(grant_words),
      .granted_i(granted),
      .match_o(match),
      .rows_o(row_q),
      .hashes_o(hash_q)
  );

  // The random bits change in a cycle with a request in which the grants take effect.
  logic random_step, random_busy;
  assign random_step = adv_i && (|req_i);
  lfsr #(.W(RANDOM_W), .SEED(SEED)) u_lfsr (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .step_i(random_step),
      .state_o(lfsr_q),
      .busy_o(random_busy)
  );

  // Used in waves and digests only, or not needed by this mode.
  logic unused;
  assign unused = &{1'b0, random_busy, prev_q, row_q, hash_q, held_q, grace_q};

`ifdef FORMAL
  `include "hold_grant_alloc_props.svh"
`endif
endmodule
`undef NEEDS
