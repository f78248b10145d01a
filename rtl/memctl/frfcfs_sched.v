// SPDX-License-Identifier: Apache-2.0
//
// frfcfs_sched: first-ready first-come-first-served DRAM scheduler (Rixner et al., "Memory access scheduling", ISCA
// 2000; Yuan 2009, 4.2): every entry of the queue compares its row with the open row of its bank. The oldest request
// whose row is open and whose column command the timing allows goes first. If there is none, the oldest request goes
// whose bank has no request for its open row and may be activated or precharged now.
//
// Queue      in order of arrival: entry 0 is the oldest. When an entry leaves, the younger ones move down by one.
// Latency    a request competes from the cycle after it was taken; the command is combinational and always taken,
//            the open row changes at the edge.
// Handshake  enq_ready_o says that there is room at the start of the cycle: a full queue that loses an entry in this
//            cycle still refuses.
// Request    takes NCMD column commands; the last one frees the entry.
// Out of range  assumption: enq_ready_o is 0 for a bank number of NB or more.
// Reset      synchronous, active low: queue empty, all banks closed.
// Idle       busy_o is 1 while there is a request; rows stay open without one.

`include "needs.vh"

module frfcfs_sched #(
    parameter int NB = 4,   // banks, 1..16
    parameter int Q = 32,   // requests, 2..64
    parameter int RW = 12,  // bits of a row
    parameter int TW = 8,   // bits of a tag
    parameter int NCMD = 2  // column commands per request, at least 1
) (
    input  logic                                clk_i,
    input  logic                                rst_ni,
    // arriving request
    input  logic                                enq_valid_i,     // a request arrives
    input  logic [(NB <= 2 ? 1 : $clog2(NB))-1:0] enq_bank_i,    // bank of the request
    input  logic [RW-1:0]                       enq_row_i,       // row of the request
    input  logic [TW-1:0]                       enq_tag_i,       // tag of the request
    // commands that the timing allows, by bank
    input  logic [NB-1:0]                       bank_can_act_i,  // activate a row
    input  logic [NB-1:0]                       bank_can_pre_i,  // precharge
    input  logic [NB-1:0]                       bank_can_col_i,  // read or write a column
    output logic                                enq_ready_o,     // there is room: an arriving request is taken
    // command of this cycle
    output logic [1:0]                          cmd_o,           // 0 none, 1 column, 2 activate, 3 precharge
    output logic [(NB <= 2 ? 1 : $clog2(NB))-1:0] cmd_bank_o,    // bank of the command
    output logic [RW-1:0]                       cmd_row_o,       // row of the served request
    output logic [TW-1:0]                       cmd_tag_o,       // tag of the served request
    output logic                                busy_o           // the queue holds a request
);
  localparam int BW = NB <= 2 ? 1 : $clog2(NB);
  localparam int DW = NCMD <= 2 ? 1 : $clog2(NCMD);
  localparam int LEVELS = $clog2(Q);
  localparam logic [31:0] LAST_CMD = NCMD - 1;

  logic [Q-1:0] valid_q;         // entries in use: the lowest ones
  logic [Q*BW-1:0] banks_q;
  logic [Q*RW-1:0] rows_q;
  logic [Q*TW-1:0] tags_q;
  logic [Q*DW-1:0] done_q;       // column commands already given to the entry
  logic [NB-1:0] open_q;         // a row of the bank is open
  logic [NB*RW-1:0] open_row_q;  // the open row of the bank

  `NEEDS(NB >= 1 && NB <= 16, frfcfs_sched_needs_nb_in_1_to_16)
  `NEEDS(Q >= 2 && Q <= 64, frfcfs_sched_needs_q_in_2_to_64)
  `NEEDS(RW >= 1, frfcfs_sched_needs_rw_at_least_1)
  `NEEDS(TW >= 1, frfcfs_sched_needs_tw_at_least_1)
  `NEEDS(NCMD >= 1, frfcfs_sched_needs_ncmd_at_least_1)

  // The open row of each bank behind a 1; a closed bank has a 0 there.
  (* mem2reg *) logic [RW:0] open_row[0:(1<<BW)-1];
  for (genvar b = 0; b < 1 << BW; b++) begin : g_open_row
    if (b < NB) begin : g_bank
      assign open_row[b] = {open_q[b], open_row_q[b*RW+:RW]};
    end else begin : g_none
      assign open_row[b] = '0;
    end
  end

  // Ones in runs of `run`, each of which begins at a multiple of run * BW.
  function automatic logic [Q*BW-1:0] runs(input int run);
    for (int i = 0; i < Q * BW; i++) runs[i] = i % (run * BW) < run;
  endfunction

  // Decode: whether the row of each entry is open; its bank, one-hot; banks with a request for their open row.
  logic [Q-1:0] same, hits;
  logic [BW*Q-1:0] bank_bit;  // [bit of the bank's number][entry]
  logic [Q*NB-1:0] of_bank;   // [bank][entry]
  logic [NB-1:0] pending, can_row;
  for (genvar e = 0; e < Q; e++) begin : g_entry
    logic [RW:0] its;
    assign its = open_row[banks_q[e*BW+:BW]];
    assign same[e] = its[RW] && its[RW-1:0] == rows_q[e*RW+:RW];
  end
  assign hits = same & valid_q;
  // Bit k of the numbers lies at every BW-th bit of banks_q: neighbours move together, then pairs of them, then fours ...
  for (genvar k = 0; k < BW; k++) begin : g_bit
    for (genvar n = 0; n <= LEVELS; n++) begin : g_level
      localparam logic [Q*BW-1:0] RUNS = runs(1 << n);
      logic [Q*BW-1:0] gathered;
      if (n == 0) begin : g_first
        assign gathered = banks_q >> k & RUNS;
      end else begin : g_next
        assign gathered = (g_level[n-1].gathered | g_level[n-1].gathered >> (BW - 1 << n - 1)) & RUNS;
      end
    end
    assign bank_bit[k*Q+:Q] = g_level[LEVELS].gathered[Q-1:0];
    logic unused;
    assign unused = &{1'b0, g_level[LEVELS].gathered};
  end
  for (genvar b = 0; b < NB; b++) begin : g_of_bank
    localparam logic [31:0] NUMBER = b;
    for (genvar k = 0; k < BW; k++) begin : g_agree
      logic [Q-1:0] agree;
      if (k == 0) begin : g_first
        assign agree = NUMBER[k] ? bank_bit[k*Q+:Q] : ~bank_bit[k*Q+:Q];
      end else begin : g_next
        assign agree = g_agree[k-1].agree & (NUMBER[k] ? bank_bit[k*Q+:Q] : ~bank_bit[k*Q+:Q]);
      end
    end
    assign of_bank[b*Q+:Q] = g_agree[BW-1].agree;
    assign pending[b] = (of_bank[b*Q+:Q] & hits) != '0;
    assign can_row[b] = !pending[b] && (open_q[b] ? bank_can_pre_i[b] : bank_can_act_i[b]);
  end

  // Entries that may have their column command; entries that may have a row command, of banks without a request for their open row.
  logic [Q-1:0] of_col, of_row, ready_hits, ready_rows, wants, pick;
  always_comb begin
    of_col = '0;
    of_row = '0;
    for (int b = 0; b < NB; b++) begin
      of_col = of_col | (of_bank[b*Q+:Q] & {Q{bank_can_col_i[b]}});
      of_row = of_row | (of_bank[b*Q+:Q] & {Q{can_row[b]}});
    end
  end
  assign ready_hits = hits & of_col;
  assign ready_rows = valid_q & of_row;
  logic any_hit, any_row;
  assign any_hit = |ready_hits;
  assign any_row = |ready_rows;
  assign wants = any_hit ? ready_hits : ready_rows;
  assign pick = wants & -wants;

  // The command. Most groups of entries have no pick, and a simulation passes over them.
  localparam int GROUP = Q % 8 == 0 ? 8 : 1;
  logic [NB-1:0] picked_bank;
  logic picked_open, opens, picked_last;
  logic [DW-1:0] picked_done;
  for (genvar b = 0; b < NB; b++) begin : g_picked
    assign picked_bank[b] = |(of_bank[b*Q+:Q] & pick);
  end
  always_comb begin : choose
    cmd_row_o = '0;
    cmd_tag_o = '0;
    picked_done = '0;
    for (int g = 0; g < Q; g = g + GROUP)
      if (pick[g+:GROUP] != '0)
        for (int e = 0; e < GROUP; e++) begin
          cmd_row_o = cmd_row_o | (rows_q[(g+e)*RW+:RW] & {RW{pick[g+e]}});
          cmd_tag_o = cmd_tag_o | (tags_q[(g+e)*TW+:TW] & {TW{pick[g+e]}});
          picked_done = picked_done | (done_q[(g+e)*DW+:DW] & {DW{pick[g+e]}});
        end
  end
  onehot_index #(.N(NB)) u_bank (.onehot_i(picked_bank), .index_o(cmd_bank_o));
  assign picked_open = |(picked_bank & open_q);
  assign opens = ~picked_open;
  assign picked_last = picked_done == LAST_CMD[DW-1:0];
  assign cmd_o = any_hit ? 2'd1 : !any_row ? 2'd0 : picked_open ? 2'd3 : 2'd2;
  assign busy_o = valid_q[0];

  // Next state: entries above the one that leaves move down by one; the arrival goes behind the last.
  logic [31:0] enq_bank;
  logic leave, enq;
  logic [Q-1:0] moves, valid_left, write, valid_d;
  assign enq_bank = {{(32 - BW) {1'b0}}, enq_bank_i};
  assign enq_ready_o = !valid_q[Q-1] && enq_bank < NB;
  assign enq = enq_valid_i && enq_ready_o;
  assign leave = any_hit && picked_last;
  assign moves = leave ? ~(pick - 1'b1) : '0;  // entries from the one that leaves on
  assign valid_left = leave ? valid_q >> 1 : valid_q;
  assign write = enq ? ~valid_left & {valid_left[Q-2:0], 1'b1} : '0;
  assign valid_d = valid_left | write;

  // Registers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= valid_d;
  end
  always_ff @(posedge clk_i) begin
    if (any_hit && !picked_last) begin
      for (int e = 0; e < Q; e++) if (pick[e]) done_q[e*DW+:DW] <= picked_done + 1'b1;
    end
    if (leave) begin
      for (int e = 0; e < Q - 1; e++)
        if (moves[e]) begin
          banks_q[e*BW+:BW] <= banks_q[(e+1)*BW+:BW];
          rows_q[e*RW+:RW] <= rows_q[(e+1)*RW+:RW];
          tags_q[e*TW+:TW] <= tags_q[(e+1)*TW+:TW];
          done_q[e*DW+:DW] <= done_q[(e+1)*DW+:DW];
        end
    end
    if (enq) begin
      for (int e = 0; e < Q; e++)
        if (write[e]) begin
          banks_q[e*BW+:BW] <= enq_bank_i;
          rows_q[e*RW+:RW] <= enq_row_i;
          tags_q[e*TW+:TW] <= enq_tag_i;
          done_q[e*DW+:DW] <= '0;
        end
    end
  end
  for (genvar b = 0; b < NB; b++) begin : g_open
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        open_q[b] <= 1'b0;
        open_row_q[b*RW+:RW] <= '0;
      end else if (picked_bank[b] && !any_hit) begin
        open_q[b] <= opens;
        if (opens) open_row_q[b*RW+:RW] <= cmd_row_o;
      end
    end
  end

`ifdef FORMAL
  `include "frfcfs_sched_props.svh"
`endif
endmodule
`undef NEEDS
