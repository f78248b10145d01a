// SPDX-License-Identifier: Apache-2.0
//
// hold_grant_alloc: separable input-first allocator whose grants hold (Yuan 2009, 4.2 to 4.5). Each
// cycle it matches inputs to free outputs: at most one grant a row and a column of the request
// matrix. A pair granted before and asked for again is granted before all others (a hold), so that
// a core's stream of packets reaches a memory controller unbroken.
//
// Modes      0 PIM: no memory. 1 HG: holds while the request lasts. 2 RMHG: and the row is the last
//            row that the output passed of that bank (and controller). 3 HMHG: and the hash of the
//            row is that of the output's last packet. A match is good for one packet.
// Latency    grant_o answers req_i in the same cycle. The host drops the granted request and the
//            output's out_free_i after the edge.
// Choice     stage 1, each input one output; stage 2, each output one input of those that chose it.
//            Both are trees of pairs; an LFSR bit decides between the two halves of a node if both
//            ask. ours: a rotated priority would give a requester the whole gap before it, so of
//            two neighbours among 28 one would win 27 times of 28. Stage 1 has its own bit for each
//            node of each input, stage 2 a slice of one bit a level for each output.
// Holding    for each free output prev becomes the grant; a busy output keeps its holder, unless
//            that input is granted another output. GRACE free cycles without a grant are forgiven.
// MAXHOLD    after that many held grants in a row the pair must win like others once. ours: outputs
//            then count their open choices, and the count takes the place of the LFSR slice, so
//            that an input that keeps asking for one output gets it within
//            (MAXHOLD + 1) * 2^bits(I) cycles in which that output is free. 0: off.
// Tick       only with adv_i; without it nothing changes and the grants mean nothing.
// Strangers  a bank at or above NB or (MCS > 1) a controller at or above MCS matches no row and is not noted.
// Reset      synchronous, active low: nothing held, rows and hashes 0, LFSR seeded.
// Idle       busy_o is 1 while something is held; without a request and a hold nothing changes.

`include "needs.vh"

// always @*: Icarus 11 wakes an always_comb that reads what it writes by its own writes, without end.
module hold_grant_alloc #(
    parameter int I = 28,       // inputs, at least 1
    parameter int O = 8,        // outputs, at least 1
    parameter int MODE = 1,     // 0 PIM, 1 HG, 2 RMHG, 3 HMHG
    parameter int HW = 4,       // bits of the row's hash (HMHG), 1..12
    parameter int NB = 4,       // banks of a controller (RMHG), at least 1
    parameter int SEED = 1,     // of the LFSR, at least 1
    parameter int MAXHOLD = 0,  // held grants in a row; 0: any number
    parameter int GRACE = 0,    // free cycles without a grant that a hold survives
    parameter int MCS = 1       // controllers behind an output (RMHG): 1 in a crossbar; 1..8
) (
    input  logic                                   clk_i,
    input  logic                                   rst_ni,
    // requests, one row an input
    input  logic [I*O-1:0]                         req_i,         // bit i*O+o: input i asks for o
    input  logic [I*12-1:0]                        row_i,         // DRAM row of its packet
    input  logic [I*(NB <= 2 ? 1 : $clog2(NB))-1:0] bank_i,       // bank of its packet
    input  logic [I*3-1:0]                         mc_i,          // controller of its packet
    input  logic [O-1:0]                           out_free_i,    // the output takes a packet now
    input  logic                                   adv_i,         // the grants count
    // grants
    output logic [I*O-1:0]                         grant_o,       // at most one a row and a column
    output logic                                   grant_valid_o, // some grant
    output logic [I*O-1:0]                         hold_hit_o,    // granted because held
    output logic                                   busy_o         // something is held
);
  // Rows of the matrix are padded to F bits, G of them are a chunk of W bits, N chunks hold all.
  localparam int LF = O <= 2 ? 1 : $clog2(O);
  localparam int LI = I <= 2 ? 1 : $clog2(I);
  localparam int LG = LF + LI <= 6 ? LI : 6 - LF;
  localparam int LN = LI - LG;
  localparam int F = 1 << LF;
  localparam int G = 1 << LG;
  localparam int W = F * G;
  localparam int N = (I + G - 1) / G;
  localparam int LW = W < 16 ? 16 : W;
  localparam int BW = NB <= 2 ? 1 : $clog2(NB);
  localparam int ROWS = O * NB * MCS;
  localparam int HCW = MAXHOLD < 2 ? 1 : $clog2(MAXHOLD + 1);
  localparam int GCW = GRACE < 2 ? 1 : $clog2(GRACE + 1);
  localparam bit FAIR = MODE > 0 && MAXHOLD > 0;
  localparam bit PATIENT = MODE > 0 && GRACE > 0;
  // Of 64 positions those whose number has bit k clear, k = 0..5.
  localparam logic [6*64-1:0] LOW = {
    64'h00000000ffffffff, 64'h0000ffff0000ffff, 64'h00ff00ff00ff00ff,
    64'h0f0f0f0f0f0f0f0f, 64'h3333333333333333, 64'h5555555555555555
  };
  // Of 64 positions those that stand for a node above pairs of 2^k: the last of its lower half.
  localparam logic [6*64-1:0] NODE = {
    64'h0000000080000000, 64'h0000800000008000, 64'h0080008000800080,
    64'h0808080808080808, 64'h2222222222222222, 64'h5555555555555555
  };
  localparam logic [W-1:0] COLUMN_0 = {G{{(F - 1) {1'b0}}, 1'b1}};  // output 0 of each row
  // Feedback of an LFSR of greatest period: 16 (16,15,13,4), 32 (32,22,2,1), 64 (64,63,61,60).
  localparam logic [63:0] TAPS_ALL = LW == 16 ? 64'hd008 : LW == 32 ? 64'h80200003 : 64'hd800000000000000;
  localparam logic [LW-1:0] TAPS = TAPS_ALL[LW-1:0];
  localparam logic [31:0] SEED_WORD = SEED;
  // Spread over all bits: from a state of few ones it takes such an LFSR long to get away.
  localparam logic [31:0] SEED_HIGH = SEED_WORD * 32'h9e3779b9;
  localparam logic [31:0] SEED_LOW = SEED_WORD * 32'h85ebca6b;
  localparam logic [63:0] SEED_ALL = {SEED_HIGH, SEED_LOW} ^ 64'hc2b2ae3d27d4eb4e | 64'd1;

  logic [LW-1:0] lfsr_q, lfsr_d;
  logic [I*O-1:0] prev_q;                                            // MODE > 0
  logic [ROWS*12-1:0] row_q;                                         // MODE 2
  logic [O*HW-1:0] hash_q;                                           // MODE 3
  logic [O*HCW-1:0] held_q;                                          // MAXHOLD > 0
  logic [O*LI-1:0] turn_q;                                           // MAXHOLD > 0
  logic [O*GCW-1:0] grace_q;                                         // GRACE > 0

  `NEEDS(I >= 1 && I <= 32, hold_grant_alloc_needs_i_in_1_to_32)
  `NEEDS(O >= 1 && O <= 32, hold_grant_alloc_needs_o_in_1_to_32)
  `NEEDS(MODE >= 0 && MODE <= 3, hold_grant_alloc_needs_mode_in_0_to_3)
  `NEEDS(HW >= 1 && HW <= 12, hold_grant_alloc_needs_hw_in_1_to_12)
  `NEEDS(NB >= 1, hold_grant_alloc_needs_nb_at_least_1)
  `NEEDS(SEED >= 1, hold_grant_alloc_needs_seed_at_least_1)
  `NEEDS(MAXHOLD >= 0, hold_grant_alloc_needs_maxhold_at_least_0)
  `NEEDS(GRACE >= 0, hold_grant_alloc_needs_grace_at_least_0)
  `NEEDS(MCS >= 1 && MCS <= 8, hold_grant_alloc_needs_mcs_in_1_to_8)

  // Decode: which holds stand.
  logic [O-1:0] match, tired, may_hold;  // the held packet is of the row; MAXHOLD says no
  logic [F-1:0] free, holdable;
  logic [W-1:0] free_all, holdable_all;
  assign may_hold = out_free_i & match & ~tired;
  if (F == O) begin : g_free
    assign free = out_free_i;
    assign holdable = may_hold;
  end else begin : g_free
    assign free = {{(F - O) {1'b0}}, out_free_i};
    assign holdable = {{(F - O) {1'b0}}, may_hold};
  end
  assign free_all = {G{free}};
  assign holdable_all = {G{holdable}};

  logic [N*W-1:0] hold_bus, prev_bus, asks_bus, grant_bus, next_bus;
  logic [W-1:0] given_up;  // columns whose holder ends unless granted again

  // Columns with a hold, in every row.
  logic [W-1:0] held_columns;
  always @* begin : smear_holds
    held_columns = '0;
    for (int c = 0; c < N; c++) held_columns = held_columns | hold_bus[c*W+:W];
    for (int k = 0; k < LG; k++)
      held_columns = held_columns | (held_columns << (F << k)) | (held_columns >> (W - (F << k)));
  end

  // Slices of stage 2, one bit a level and output: a bit of 1 says that the lower half loses if both ask.
  logic [LI*W-1:0] slices;
  for (genvar b = 0; b < LI; b++) begin : g_slice
    localparam int AT = ((F + 5) * b) % LW;
    logic [F-1:0] bits;
    if (FAIR) begin : g_turn
      for (genvar o = 0; o < F; o++) begin : g_bit
        if (o < O) begin : g_real
          assign bits[o] = turn_q[o*LI+b];
        end else begin : g_pad
          assign bits[o] = 1'b0;
        end
      end
    end else begin : g_lfsr
      logic [LW-1:0] turned;
      assign turned = (lfsr_q >> AT) | (lfsr_q << (LW - AT));
      assign bits = turned[F-1:0];
      logic unused;
      assign unused = &{1'b0, turned};
    end
    if (b < LG) begin : g_in_chunk
      assign slices[b*W+:W] = {G{bits}} ^ ~LOW[64*(LF+b)+:W];
    end else begin : g_over_chunks
      assign slices[b*W+:W] = {G{bits}};
    end
  end

  // The matrix, a chunk at a time.
  for (genvar c = 0; c < N; c++) begin : g_chunk
    localparam int R = I - c * G < G ? I - c * G : G;  // rows here
    logic [W-1:0] req, prev, hold, held_rows, cand, pick, chosen, asks, grant, granted_rows, prev_d;

    // Requests for free outputs; padded.
    if (F == O && R == G) begin : g_req
      assign req = req_i[c*W+:W] & free_all;
    end else if (F == O) begin : g_req
      assign req = {{(W - R * F) {1'b0}}, req_i[c*W+:R*F]} & free_all;
    end else begin : g_req
      for (genvar r = 0; r < G; r++) begin : g_row
        if (r < R) begin : g_real
          assign req[r*F+:F] = {{(F - O) {1'b0}}, req_i[(c*G+r)*O+:O] & out_free_i};
        end else begin : g_pad
          assign req[r*F+:F] = '0;
        end
      end
    end
    if (F == O && R == G) begin : g_prev
      assign prev = prev_q[c*W+:W];
    end else if (F == O) begin : g_prev
      assign prev = {{(W - R * F) {1'b0}}, prev_q[c*W+:R*F]};
    end else begin : g_prev
      for (genvar r = 0; r < G; r++) begin : g_row
        if (r < R) begin : g_real
          assign prev[r*F+:F] = {{(F - O) {1'b0}}, prev_q[(c*G+r)*O+:O]};
        end else begin : g_pad
          assign prev[r*F+:F] = '0;
        end
      end
    end

    // A hold takes its row and its column: the others there may not ask.
    assign hold = (prev & (* comparator *) req) & holdable_all;
    assign hold_bus[c*W+:W] = hold;
    assign prev_bus[c*W+:W] = prev;
    always @* begin : smear_held
      held_rows = hold;
      for (int k = LF - 1; k >= 0; k--) held_rows = held_rows | (held_rows >> (1 << k));
      held_rows = held_rows & COLUMN_0;
      for (int k = 0; k < LF; k++) held_rows = held_rows | (held_rows << (1 << k));
    end
    assign cand = hold | (req & ~held_columns & ~held_rows);

    // Stage 1. `any` says of each group of 2^b outputs whether one of them asks; where its sibling's
    // does too, the node's bit says who loses.
    logic [LW-1:0] nodes;
    assign nodes = lfsr_q ^ ((lfsr_q << (c + 1)) | (lfsr_q >> (LW - c - 1)));
    logic unused_nodes;
    assign unused_nodes = &{1'b0, nodes};
    always @* begin : stage_1
      logic [W-1:0] any, sibling, lost, low;
      any = cand;
      lost = '0;
      for (int b = 0; b < LF; b++) begin
        low = nodes[W-1:0] & NODE[64*b+:W];
        for (int k = 0; k < LF; k++) if (k < b) low = low | (low >> (1 << k));
        sibling = ((any >> (1 << b)) & LOW[64*b+:W]) | ((any & LOW[64*b+:W]) << (1 << b));
        lost = lost | (sibling & ((low | (low << (1 << b))) ^ ~LOW[64*b+:W]));
        any = any | sibling;
      end
      pick = cand & ~lost;
    end

    // Stage 2, the same over the inputs of the chunk with the slices of the outputs ...
    always @* begin : stage_2
      logic [W-1:0] lost, sibling;
      asks = pick;
      lost = '0;
      for (int b = 0; b < LG; b++) begin
        sibling = ((asks >> (F << b)) & LOW[64*(LF+b)+:W]) | ((asks & LOW[64*(LF+b)+:W]) << (F << b));
        lost = lost | (sibling & slices[b*W+:W]);
        asks = asks | sibling;
      end
      chosen = pick & ~lost;
    end
    assign asks_bus[c*W+:W] = asks;

    // ... and over the chunks, a group of which asks where one of its chunks does.
    if (LN == 0) begin : g_one_chunk
      assign grant = chosen;
    end else begin : g_chunks
      always @* begin : stage_2_chunks
        logic [W-1:0] lost, others;
        lost = '0;
        for (int b = 0; b < LN; b++) begin
          others = '0;
          for (int s = 0; s < N; s++)
            if ((s >> b) == ((c >> b) ^ 1)) others = others | asks_bus[s*W+:W];
          lost = lost | (others & (slices[(LG+b)*W+:W] ^ {W{((c >> b) & 1) == 1}}));
        end
        grant = chosen & ~lost;
      end
    end
    assign grant_bus[c*W+:W] = grant;

    // Answer.
    if (F == O) begin : g_out
      assign grant_o[c*W+:R*F] = grant[R*F-1:0];
      assign hold_hit_o[c*W+:R*F] = hold[R*F-1:0];
    end else begin : g_out
      for (genvar r = 0; r < R; r++) begin : g_row
        assign grant_o[(c*G+r)*O+:O] = grant[r*F+:O];
        assign hold_hit_o[(c*G+r)*O+:O] = hold[r*F+:O];
      end
    end

    // Next holders: a free output's is the input granted, or nobody; one whose input was granted
    // another output has none.
    always @* begin : smear_grants
      granted_rows = grant;
      for (int k = LF - 1; k >= 0; k--) granted_rows = granted_rows | (granted_rows >> (1 << k));
      granted_rows = granted_rows & COLUMN_0;
      for (int k = 0; k < LF; k++) granted_rows = granted_rows | (granted_rows << (1 << k));
    end
    assign prev_d = grant | (prev & ~given_up & ~granted_rows);
    assign next_bus[c*W+:W] = prev_d;
  end
  assign grant_valid_o = |grant_bus;
  assign busy_o = |prev_bus;

  // Outputs granted, held, and with a holder after the tick.
  logic [F-1:0] granted, held, holds_next;
  logic [W-1:0] columns, next_columns;
  always @* begin : fold_asks
    columns = '0;
    for (int c = 0; c < N; c++) columns = columns | asks_bus[c*W+:W];
  end
  always @* begin : fold_holders
    next_columns = '0;
    for (int c = 0; c < N; c++) next_columns = next_columns | next_bus[c*W+:W];
    for (int k = LG - 1; k >= 0; k--) next_columns = next_columns | (next_columns >> (F << k));
  end
  assign granted = columns[F-1:0];
  assign held = held_columns[F-1:0];
  assign holds_next = next_columns[F-1:0];

  if (MODE == 3) begin : g_hashes
    // A row's hash is the exclusive or of its pieces of HW bits: four bits of 0xABC are 0xD. Bit b of the
    // hash of the input that holds an output, and of the one granted, is an or over its column; the register
    // keeps bit b of all outputs together.
    localparam int P = (12 + HW - 1) / HW;
    localparam int V = (HW + F - 1) / F;
    logic [HW*O-1:0] differ;
    logic [N*V*W-1:0] codes;  // hashes in the places of the rows of a chunk, F bits at a time
    for (genvar c = 0; c < N; c++) begin : g_chunk
      for (genvar r = 0; r < G; r++) begin : g_row
        logic [V*F-1:0] code;
        if (c * G + r < I) begin : g_real
          for (genvar k = 0; k < P; k++) begin : g_fold
            localparam int B = 12 - k * HW < HW ? 12 - k * HW : HW;
            logic [V*F-1:0] x;
            if (V * F == B) begin : g_piece
              assign x = row_i[(c*G+r)*12+k*HW+:B];
            end else begin : g_piece
              assign x = {{(V * F - B) {1'b0}}, row_i[(c*G+r)*12+k*HW+:B]};
            end
            logic [V*F-1:0] sum;
            if (k == 0) begin : g_first
              assign sum = x;
            end else begin : g_more
              assign sum = g_fold[k-1].sum ^ x;
            end
          end
          assign code = g_fold[P-1].sum;
        end else begin : g_pad
          assign code = '0;
        end
        for (genvar v = 0; v < V; v++) begin : g_part
          assign codes[(c*V+v)*W+r*F+:F] = code[v*F+:F];
        end
      end
    end
    for (genvar b = 0; b < HW; b++) begin : g_bit
      // For one rank the bit of every row, on all its columns.
      logic [N*W-1:0] set;
      for (genvar c = 0; c < N; c++) begin : g_chunk
        logic [W-1:0] piece, spread;
        assign piece = codes[(c*V+b/F)*W+:W] >> (b % F);
        always @* begin : smear
          spread = piece & COLUMN_0;
          for (int k = 0; k < LF; k++) spread = spread | (spread << (1 << k));
        end
        assign set[c*W+:W] = spread;
      end
      logic [W-1:0] holder, winner;
      always @* begin : hash_of_holders
        holder = '0;
        for (int c = 0; c < N; c++) holder = holder | (set[c*W+:W] & prev_bus[c*W+:W]);
        for (int k = LG - 1; k >= 0; k--) holder = holder | (holder >> (F << k));
      end
      always @* begin : hash_of_winners
        winner = '0;
        for (int c = 0; c < N; c++) winner = winner | (set[c*W+:W] & grant_bus[c*W+:W]);
        for (int k = LG - 1; k >= 0; k--) winner = winner | (winner >> (F << k));
      end
      logic unused_bits;
      assign unused_bits = &{1'b0, holder, winner};
      assign differ[b*O+:O] = holder[O-1:0] ^ (* comparator *) hash_q[b*O+:O];
      always_ff @(posedge clk_i) begin
        if (!rst_ni) hash_q[b*O+:O] <= '0;
        else if (adv_i) hash_q[b*O+:O] <= (hash_q[b*O+:O] & ~granted[O-1:0]) | winner[O-1:0];
      end
    end
    always @* begin : compare
      match = '1;
      for (int b = 0; b < HW; b++) match = match & ~differ[b*O+:O];
    end
  end else if (MODE == 2) begin : g_rows
    // The row, bank and controller of the input that holds an output, and of the one granted, by number.
    for (genvar b = 0; b < LI; b++) begin : g_bit
      localparam logic [W-1:0] ROWS_1 = b < LG ? ~LOW[64*((LF+b)%6)+:W] : {W{1'b1}};
      logic [W-1:0] holder, winner;
      always @* begin : number_of_holders
        holder = '0;
        for (int c = 0; c < N; c++)
          if (b < LG || ((c >> (b - LG)) & 1) == 1) holder = holder | (prev_bus[c*W+:W] & ROWS_1);
        for (int k = LG - 1; k >= 0; k--) holder = holder | (holder >> (F << k));
      end
      always @* begin : number_of_winners
        winner = '0;
        for (int c = 0; c < N; c++)
          if (b < LG || ((c >> (b - LG)) & 1) == 1) winner = winner | (grant_bus[c*W+:W] & ROWS_1);
        for (int k = LG - 1; k >= 0; k--) winner = winner | (winner >> (F << k));
      end
      logic unused_bits;
      assign unused_bits = &{1'b0, holder, winner};
    end
    for (genvar o = 0; o < O; o++) begin : g_output
      logic [31:0] h, w;
      for (genvar b = 0; b < 32; b++) begin : g_index
        if (b < LI) begin : g_real
          assign h[b] = g_bit[b].holder[o];
          assign w[b] = g_bit[b].winner[o];
        end else begin : g_pad
          assign h[b] = 1'b0;
          assign w[b] = 1'b0;
        end
      end
      // The entry: bank, and controller where there are several.
      logic [31:0] h_bank, w_bank, h_mc, w_mc, h_at, w_at;
      logic h_known, w_known;
      assign h_bank = {{(32 - BW) {1'b0}}, bank_i[h*BW+:BW]};
      assign w_bank = {{(32 - BW) {1'b0}}, bank_i[w*BW+:BW]};
      assign h_mc = MCS == 1 ? 32'd0 : {29'd0, mc_i[h*3+:3]};
      assign w_mc = MCS == 1 ? 32'd0 : {29'd0, mc_i[w*3+:3]};
      assign h_known = h_bank < NB && h_mc < MCS;
      assign w_known = w_bank < NB && w_mc < MCS;
      assign h_at = h_known ? h_mc * NB + h_bank : 32'd0;
      assign w_at = w_mc * NB + w_bank;
      logic [NB*MCS*12-1:0] rows;
      assign rows = row_q[o*NB*MCS*12+:NB*MCS*12];
      assign match[o] = h_known && row_i[h*12+:12] == rows[h_at*12+:12];
      always_ff @(posedge clk_i) begin
        if (!rst_ni) row_q[o*NB*MCS*12+:NB*MCS*12] <= '0;
        else if (adv_i && granted[o] && w_known) begin
          for (int e = 0; e < NB * MCS; e++)
            if (w_at == e) row_q[(o*NB*MCS+e)*12+:12] <= row_i[w*12+:12];
        end
      end
    end
  end else begin : g_no_rows
    assign match = '1;
  end
  if (MODE != 2) begin : g_no_row_memory
    assign row_q = '0;
  end
  if (MODE != 3) begin : g_no_hash_memory
    assign hash_q = '0;
  end

  // Held grants in a row, open choices made.
  if (FAIR) begin : g_fair
    localparam logic [31:0] LIMIT = MAXHOLD;
    for (genvar o = 0; o < O; o++) begin : g_output
      logic [HCW-1:0] count, count_d;
      logic [LI-1:0] turn_d;
      logic open_choice, turns, forget;
      assign count = held_q[o*HCW+:HCW];
      assign tired[o] = count == LIMIT[HCW-1:0];
      assign open_choice = granted[o] && !held[o];
      assign turns = !held[o] && granted[o];
      assign forget = open_choice || !holds_next[o];
      assign count_d = forget ? '0 : granted[o] ? count + 1'b1 : count;
      assign turn_d = turns ? turn_q[o*LI+:LI] + 1'b1 : turn_q[o*LI+:LI];
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          held_q[o*HCW+:HCW] <= '0;
          turn_q[o*LI+:LI] <= '0;
        end else if (adv_i) begin
          held_q[o*HCW+:HCW] <= count_d;
          turn_q[o*LI+:LI] <= turn_d;
        end
      end
    end
  end else begin : g_unfair
    assign tired = '0;
    assign held_q = '0;
    assign turn_q = '0;
  end

  // Free cycles without a grant that a holder has been forgiven.
  if (PATIENT) begin : g_patient
    localparam logic [31:0] LIMIT = GRACE;
    logic [F-1:0] ends;
    for (genvar o = 0; o < O; o++) begin : g_output
      logic [GCW-1:0] count, count_d;
      logic forget;
      assign count = grace_q[o*GCW+:GCW];
      assign ends[o] = free[o] && (granted[o] || count == LIMIT[GCW-1:0]);
      assign forget = granted[o] || !holds_next[o];
      assign count_d = forget ? '0 : free[o] ? count + 1'b1 : count;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) grace_q[o*GCW+:GCW] <= '0;
        else if (adv_i) grace_q[o*GCW+:GCW] <= count_d;
      end
    end
    for (genvar o = O; o < F; o++) begin : g_pad
      assign ends[o] = 1'b0;
    end
    assign given_up = {G{ends}};
  end else begin : g_impatient
    assign given_up = free_all;
    assign grace_q = '0;
  end

  // The LFSR steps when somebody asks and the grants count.
  assign lfsr_d = {lfsr_q[LW-2:0], ^(lfsr_q & TAPS)};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) lfsr_q <= SEED_ALL[LW-1:0];
    else if (adv_i && (|req_i)) lfsr_q <= lfsr_d;
  end

  // Holders.
  if (MODE == 0) begin : g_no_holders
    assign prev_q = '0;
  end else begin : g_holders
    for (genvar c = 0; c < N; c++) begin : g_chunk
      localparam int R = I - c * G < G ? I - c * G : G;
      if (F == O) begin : g_flat
        always_ff @(posedge clk_i) begin
          if (!rst_ni) prev_q[c*W+:R*F] <= '0;
          else if (adv_i) prev_q[c*W+:R*F] <= next_bus[c*W+:R*F];
        end
      end else begin : g_padded
        for (genvar r = 0; r < R; r++) begin : g_row
          always_ff @(posedge clk_i) begin
            if (!rst_ni) prev_q[(c*G+r)*O+:O] <= '0;
            else if (adv_i) prev_q[(c*G+r)*O+:O] <= next_bus[c*W+r*F+:O];
          end
        end
      end
    end
  end

  // What a mode or a size does not need.
  logic unused;
  assign unused = &{1'b0, row_i, bank_i, mc_i, row_q, hash_q, held_q, turn_q, grace_q, holds_next, held, granted, next_bus, free_all,
                     columns, next_columns};

`ifdef FORMAL
  `include "hold_grant_alloc_props.svh"
`endif
endmodule
`undef NEEDS
