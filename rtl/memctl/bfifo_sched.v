// SPDX-License-Identifier: Apache-2.0
//
// bfifo_sched: DRAM scheduler with one FIFO per bank (Yuan 2009, 4.1 and 4.5). Only the heads of the FIFOs compare
// their row with the open row of their bank. Among the commands that the heads need and the timing allows, column
// commands have priority over ACT, and ACT over PRE; among commands of one kind the oldest request wins.
//
// Latency    a request competes from the cycle after it was taken; the command is combinational and always taken,
//            the open row changes at the edge.
// Handshake  enq_ready_o says that the FIFO of enq_bank_i has room at the start of the cycle: a full FIFO that loses
//            its head in this cycle still refuses. One full FIFO does not block the others.
// Request    takes NCMD column commands; the last one frees the entry.
// Age        an arrival stamp, modulo twice the number of entries (rounded up to a power of two). The comparison is
//            exact among requests that arrived within half of that range.
// Out of range  assumption: enq_ready_o is 0 for a bank number of NB or more.
// Reset      synchronous, active low: FIFOs empty, all banks closed.
// Idle       busy_o is 1 while there is a request; rows stay open without one.

`include "needs.vh"

module bfifo_sched #(
    parameter int NB = 4,     // banks, 2..16
    parameter int DEPTH = 8,  // requests per bank, at least 1
    parameter int RW = 12,    // bits of a row
    parameter int TW = 8,     // bits of a tag
    parameter int NCMD = 2    // column commands per request, at least 1
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
  localparam int PW = DEPTH <= 2 ? 1 : $clog2(DEPTH);
  localparam int CW = $clog2(DEPTH + 1);
  localparam int SW = $clog2(NB * DEPTH) + 1;
  localparam int DW = NCMD <= 2 ? 1 : $clog2(NCMD);
  localparam int ROWS = NB * DEPTH;
  localparam logic [31:0] LAST_SLOT = DEPTH - 1;
  localparam logic [31:0] FULL = DEPTH;
  localparam logic [31:0] LAST_CMD = NCMD - 1;

  logic [ROWS*RW-1:0] rows_q;    // entry e of bank b is number b*DEPTH+e
  logic [ROWS*TW-1:0] tags_q;
  logic [ROWS*SW-1:0] stamps_q;
  logic [NB*PW-1:0] head_q;      // entry of the oldest request of a bank
  logic [NB*CW-1:0] count_q;     // requests of a bank
  logic [NB*DW-1:0] done_q;      // column commands already given to the head
  logic [NB-1:0] open_q;         // a row of the bank is open
  logic [NB*RW-1:0] open_row_q;  // the open row of the bank
  logic [SW-1:0] stamp_q;        // stamp of the next request

  `NEEDS(NB >= 2 && NB <= 16, bfifo_sched_needs_nb_in_2_to_16)
  `NEEDS(DEPTH >= 1, bfifo_sched_needs_depth_at_least_1)
  `NEEDS(RW >= 1, bfifo_sched_needs_rw_at_least_1)
  `NEEDS(TW >= 1, bfifo_sched_needs_tw_at_least_1)
  `NEEDS(NCMD >= 1, bfifo_sched_needs_ncmd_at_least_1)

  // Decode: the command that each head needs, if the timing allows it.
  logic [NB-1:0] some, wants_col, wants_act, wants_pre, last;
  logic [NB*RW-1:0] head_rows;
  logic [NB*TW-1:0] head_tags;
  logic [NB*SW-1:0] head_stamps;
  for (genvar b = 0; b < NB; b++) begin : g_head
    logic [DEPTH*RW-1:0] rows;
    logic [DEPTH*TW-1:0] tags;
    logic [DEPTH*SW-1:0] stamps;
    logic [31:0] at;
    logic hit;
    assign rows = rows_q[b*DEPTH*RW+:DEPTH*RW];
    assign tags = tags_q[b*DEPTH*TW+:DEPTH*TW];
    assign stamps = stamps_q[b*DEPTH*SW+:DEPTH*SW];
    assign at = {{(32 - PW) {1'b0}}, head_q[b*PW+:PW]};
    assign head_rows[b*RW+:RW] = rows[at*RW+:RW];
    assign head_tags[b*TW+:TW] = tags[at*TW+:TW];
    assign head_stamps[b*SW+:SW] = stamps[at*SW+:SW];
    assign some[b] = |count_q[b*CW+:CW];
    assign hit = open_q[b] && head_rows[b*RW+:RW] == open_row_q[b*RW+:RW];
    assign wants_col[b] = some[b] && hit && bank_can_col_i[b];
    assign wants_act[b] = some[b] && !open_q[b] && bank_can_act_i[b];
    assign wants_pre[b] = some[b] && open_q[b] && !hit && bank_can_pre_i[b];
    assign last[b] = done_q[b*DW+:DW] == LAST_CMD[DW-1:0];
  end

  // The kind of command with the highest priority, and the oldest head that wants it.
  logic [NB-1:0] wants, pick;
  logic any_col, any_act;
  assign any_col = |wants_col;
  assign any_act = |wants_act;
  assign wants = any_col ? wants_col : any_act ? wants_act : wants_pre;
  oldest_of #(.N(NB), .W(SW)) u_oldest (.valid_i(wants), .stamp_i(head_stamps), .pick_o(pick));

  // The command.
  logic [NB-1:0] pop;
  assign cmd_o = any_col ? 2'd1 : any_act ? 2'd2 : (|wants_pre) ? 2'd3 : 2'd0;
  assign busy_o = |some;
  always_comb begin : choose
    cmd_row_o = '0;
    cmd_tag_o = '0;
    for (int b = 0; b < NB; b++) begin
      cmd_row_o = cmd_row_o | (head_rows[b*RW+:RW] & {RW{pick[b]}});
      cmd_tag_o = cmd_tag_o | (head_tags[b*TW+:TW] & {TW{pick[b]}});
    end
  end
  onehot_index #(.N(NB)) u_bank (.onehot_i(pick), .index_o(cmd_bank_o));
  assign pop = pick & last & {NB{any_col}};

  // Arrival: whether each bank has room, and in which entry.
  logic [31:0] enq_bank;
  logic [NB-1:0] room, enq;
  assign enq_bank = {{(32 - BW) {1'b0}}, enq_bank_i};
  assign enq_ready_o = |room;
  assign enq = room & {NB{enq_valid_i}};

  // Registers, by bank.
  for (genvar b = 0; b < NB; b++) begin : g_bank
    logic [31:0] tail, sum;
    logic [PW-1:0] head;
    logic [CW-1:0] count;
    logic [DW-1:0] done;
    assign head = head_q[b*PW+:PW];
    assign count = count_q[b*CW+:CW];
    assign done = done_q[b*DW+:DW];
    assign room[b] = enq_bank == b && count != FULL[CW-1:0];
    assign sum = {{(32 - PW) {1'b0}}, head} + {{(32 - CW) {1'b0}}, count};
    assign tail = sum >= DEPTH ? sum - DEPTH : sum;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        rows_q[b*DEPTH*RW+:DEPTH*RW] <= '0;
        tags_q[b*DEPTH*TW+:DEPTH*TW] <= '0;
        stamps_q[b*DEPTH*SW+:DEPTH*SW] <= '0;
      end else if (enq[b]) begin
        for (int e = 0; e < DEPTH; e++) begin
          if (tail == e) begin
            rows_q[(b*DEPTH+e)*RW+:RW] <= enq_row_i;
            tags_q[(b*DEPTH+e)*TW+:TW] <= enq_tag_i;
            stamps_q[(b*DEPTH+e)*SW+:SW] <= stamp_q;
          end
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        head_q[b*PW+:PW] <= '0;
        count_q[b*CW+:CW] <= '0;
        done_q[b*DW+:DW] <= '0;
        open_q[b] <= 1'b0;
        open_row_q[b*RW+:RW] <= '0;
      end else begin
        if (pop[b]) head_q[b*PW+:PW] <= head == LAST_SLOT[PW-1:0] ? '0 : head + 1'b1;
        if (pop[b] ^ enq[b]) count_q[b*CW+:CW] <= pop[b] ? count - 1'b1 : count + 1'b1;
        if (pick[b] && any_col) done_q[b*DW+:DW] <= last[b] ? '0 : done + 1'b1;
        if (pick[b] && !any_col) open_q[b] <= any_act;
        if (pick[b] && !any_col && any_act) open_row_q[b*RW+:RW] <= head_rows[b*RW+:RW];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) stamp_q <= '0;
    else if (|enq) stamp_q <= stamp_q + 1'b1;
  end

`ifdef FORMAL
  `include "bfifo_sched_props.svh"
`endif
endmodule
`undef NEEDS
