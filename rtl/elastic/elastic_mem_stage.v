// SPDX-License-Identifier: Apache-2.0
//
// elastic_mem_stage: the pipeline after the last EXE latch of an in-order core: M memory stages, the
// queues around them and the writeback selection (Gou & Gaydadjiev 2011, sections 3.1 and 3.2,
// figures 4 to 6). A memory access stays in MEM0 for ceil(cd / P) cycles.
//
// VARIANT 0  unified: all instructions pass MEM0..MEM[M-1] in order; a stalled stage holds all earlier ones.
//         1  split: instructions without memory access pass M parallel stages; if both paths reach
//            the writeback together, the parallel stages and the front end are held.
//         2  elastic: NONMEM has Q entries, each of which (and EXE) may go to the writeback when it
//            is free; in PREMEM, with N entries, memory accesses wait for MEM0.
// Latency    outputs are combinational; wb_* describes the instruction or return that enters the
//            writeback latch at the end of the cycle, sub_* the access that leaves MEM0 then.
// Order      stages are evaluated oldest first, so a latch freed in a cycle is refilled in that cycle; an
//            instruction moves one stage per cycle. Writeback priority: interconnect return, MEM[M-1], the
//            oldest of NONMEM, EXE. MEM0 priority: the oldest of PREMEM, EXE. assumption: these
//            priorities, because the numbers of figure 6 are lost.
// Handshake  exe_stall_o = 1: the instruction in EXE is not taken; the caller holds it and all earlier
//            stages, or withdraws it. exe_stall_icnt_o = 1: the instruction would have been taken
//            without icnt_valid_i.
// Range      exe_cd_i = 0 counts as 1; it is ignored if exe_is_mem_i is 0.
// Queues     shift when they take an entry: entry 0 is the youngest, so each select needs only a valid
//            bit and its neighbour. Variants without a queue have no registers for it.
// Reset      synchronous, active low: nothing is in flight.
// Idle       busy_o is 1 while any latch is valid.

`include "needs.vh"

module elastic_mem_stage #(
    parameter int M = 4,        // memory stages, at least 1
    parameter int N = 3,        // PREMEM entries; with ceil(warp / S) - 1 one warp alone never stalls
    parameter int S = 8,        // SIMD lanes, the largest conflict degree
    parameter int P = 1,        // ports of a bank, at least 1
    parameter int Q = 4,        // NONMEM entries; with Q = M NONMEM never stalls (equation 2)
    parameter int PW = 16,      // payload bits
    parameter int VARIANT = 2   // 0 unified, 1 split, 2 elastic
) (
    input  logic                                              clk_i,
    input  logic                                              rst_ni,
    // the last EXE latch
    input  logic                                              exe_valid_i,   // holds an instruction
    input  logic                                              exe_is_mem_i,  // it accesses memory
    input  logic [$clog2(S+1)-1:0]                            exe_cd_i,      // conflict degree
    input  logic [PW-1:0]                                     exe_payload_i, // its payload
    input  logic                                              icnt_valid_i,  // a return takes the writeback
    output logic                                              exe_stall_o,   // EXE is not taken
    output logic                                              exe_stall_icnt_o, // due to the return
    // writeback
    output logic                                              wb_valid_o,    // writeback is used
    output logic [$clog2(M+Q+3)-1:0]                          wb_src_o,      // 0 return, 1 MEM,
                                                                             // 2+i NONMEM i, else EXE
    output logic [PW-1:0]                                     wb_payload_o,  // 0 for a return
    output logic                                              wb_lost_o,     // a return displaced one
    // MEM0
    output logic                                              sub_valid_o,   // an access leaves MEM0
    output logic [$clog2(S+1)-1:0]                            sub_cd_o,      // its conflict degree
    output logic [PW-1:0]                                     sub_payload_o,
    // occupancy
    output logic [$clog2(N+2)-1:0]                            pre_cnt_o,     // entries of PREMEM
    output logic [$clog2(M+Q+1)-1:0]                          non_cnt_o,     // entries of NONMEM
    output logic                                              busy_o         // a latch is valid
);
  localparam int CW = $clog2(S + 1);
  localparam int WW = $clog2(M + Q + 3);
  localparam int NW = $clog2(M + Q + 1);
  localparam int XW = $clog2(N + 2);
  localparam int PRE = VARIANT == 2 ? N : 0;
  localparam int NON = VARIANT == 2 ? Q : VARIANT == 1 ? M : 0;
  localparam int PRE_ROWS = PRE > 0 ? PRE : 1;
  localparam int NON_ROWS = NON > 0 ? NON : 1;
  localparam logic [31:0] PORTS = P;
  localparam logic [CW-1:0] STEP = PORTS[CW-1:0];
  localparam logic [WW-1:0] SRC_MEM = 1;
  localparam logic [31:0] SRC_EXE = 2 + NON;
  localparam logic [WW-1:0] SRC_NON = 2;

  `NEEDS(M >= 1, elastic_mem_stage_needs_m_at_least_1)
  `NEEDS(N >= 0, elastic_mem_stage_needs_n_at_least_0)
  `NEEDS(S >= 1 && S <= 32, elastic_mem_stage_needs_s_1_to_32)
  `NEEDS(P >= 1, elastic_mem_stage_needs_p_at_least_1)
  `NEEDS(Q >= 0, elastic_mem_stage_needs_q_at_least_0)
  `NEEDS(PW >= 1, elastic_mem_stage_needs_pw_at_least_1)
  `NEEDS(VARIANT >= 0 && VARIANT <= 2, elastic_mem_stage_needs_variant_0_to_2)

  logic [M-1:0] mem_v_q, mem_v_d;       // memory stages, bit 0 is MEM0
  logic [M*PW-1:0] mem_pay_q;
  logic [CW-1:0] cd_q, left_q, left_d;  // of MEM0: conflict degree, remaining accesses
  logic [NON_ROWS-1:0] non_v_q;         // NONMEM, entry 0 next to EXE
  logic [NON_ROWS*PW-1:0] non_pay_q;
  logic [PRE_ROWS-1:0] pre_v_q;         // PREMEM, entry 0 next to EXE
  logic [PRE_ROWS*PW-1:0] pre_pay_q;
  logic [PRE_ROWS*CW-1:0] pre_cd_q;

  // Decode: which instructions are ready and where there is room. `_no`: the same without the return.
  logic exe_mem, exe_non, first_ready, last_ready, left_over, last_stuck;
  assign exe_mem = exe_valid_i && (exe_is_mem_i || VARIANT == 0);
  assign exe_non = exe_valid_i && !exe_mem;
  assign left_over = {{(32 - CW) {1'b0}}, left_q} > PORTS;
  assign first_ready = mem_v_q[0] && !left_over;
  assign last_ready = mem_v_q[M-1] && (M > 1 || !left_over);
  assign last_stuck = last_ready && icnt_valid_i;

  // Memory stages move unless the last one is stuck; in the elastic variant, stages above a free one still move.
  logic [M-1:0] go;
  logic in_ok, in_ok_no;  // MEM0 takes an access; would take it without the return
  assign go[M-1] = last_ready && !icnt_valid_i;
  for (genvar i = 0; i < M - 1; i++) begin : g_go
    logic ready, gap;  // gap: there is a free stage below
    assign ready = i == 0 ? first_ready : mem_v_q[i];
    assign gap = VARIANT == 2 && !(&mem_v_q[M-1:i+1]);
    assign go[i] = ready && (gap || !last_stuck);
  end
  assign in_ok = (!mem_v_q[0] || go[0]) && (VARIANT == 2 || !last_stuck);
  assign in_ok_no = !mem_v_q[0] || first_ready;

  // NONMEM.
  logic non_any, non_last, non_full, collide, collide_no, exe_to_wb, slot;
  logic [NON_ROWS-1:0] non_oldest, non_last_or_oldest;
  assign slot = !icnt_valid_i && !last_ready;  // the writeback is free for an instruction without memory access
  assign non_last = NON > 0 && non_v_q[NON_ROWS-1];
  assign non_any = NON > 0 && |non_v_q;
  assign non_full = NON == 0 || (&non_v_q);
  assign non_oldest = non_v_q & ~(non_v_q >> 1);
  assign collide = VARIANT == 1 && non_last && !slot;
  assign collide_no = VARIANT == 1 && non_last && last_ready;
  assign exe_to_wb = VARIANT == 2 && exe_non && slot && !non_any;

  // PREMEM.
  logic pre_any, pre_full, pre_pop, take_mem;
  logic [PRE_ROWS-1:0] pre_oldest;
  assign pre_any = PRE > 0 && |pre_v_q;
  assign pre_full = PRE == 0 || (&pre_v_q);
  assign pre_oldest = pre_v_q & ~(pre_v_q >> 1);
  assign pre_pop = pre_any && in_ok;

  // EXE: whether its instruction is taken, and where it goes.
  logic mem_ok, mem_ok_no, non_ok, non_ok_no, stall;
  assign mem_ok = (in_ok || !pre_full) && !collide;
  assign mem_ok_no = (in_ok_no || !pre_full) && !collide_no;
  assign non_ok = VARIANT == 1 ? !collide : !non_full || slot;
  assign non_ok_no = VARIANT == 1 ? !collide_no : !non_full || !last_ready;
  assign take_mem = exe_mem && in_ok && !pre_any && !collide;
  assign stall = exe_mem ? !mem_ok : exe_non && !non_ok;
  assign exe_stall_o = stall;
  assign exe_stall_icnt_o = stall && (exe_mem ? mem_ok_no : non_ok_no);

  // Writeback. The entries are padded so that the index has the width of wb_src_o.
  logic wb_non;
  logic [PW-1:0] non_pay, last_pay;
  logic [WW-1:0] non_index;
  onehot_index #(.N(1 << WW)) u_non_index (
      .onehot_i({{((1 << WW) - NON_ROWS) {1'b0}}, non_last_or_oldest}),
      .index_o(non_index)
  );
  assign non_last_or_oldest = VARIANT == 1 ? ~({NON_ROWS{1'b1}} >> 1) : non_oldest;
  assign last_pay = mem_pay_q[M*PW-1:(M-1)*PW];
  assign non_pay = non_pay_q[non_index*PW+:PW];
  assign wb_non = slot && (VARIANT == 1 ? non_last : non_any);
  assign wb_lost_o = icnt_valid_i && (last_ready || (VARIANT == 1 ? non_last : non_any) ||
                                      (VARIANT == 2 && exe_non));
  always_comb begin
    wb_valid_o = 1'b1;
    wb_src_o = '0;
    wb_payload_o = '0;
    if (icnt_valid_i) begin
      wb_valid_o = 1'b1;
    end else if (last_ready) begin
      wb_src_o = SRC_MEM;
      wb_payload_o = last_pay;
    end else if (wb_non) begin
      wb_src_o = non_index + SRC_NON;
      wb_payload_o = non_pay;
    end else if (exe_to_wb) begin
      wb_src_o = SRC_EXE[WW-1:0];
      wb_payload_o = exe_payload_i;
    end else begin
      wb_valid_o = 1'b0;
    end
  end

  // The access that leaves MEM0; occupancy.
  assign sub_valid_o = go[0];
  assign sub_cd_o = go[0] ? cd_q : '0;
  assign sub_payload_o = go[0] ? mem_pay_q[PW-1:0] : '0;
  always_comb begin
    non_cnt_o = '0;
    for (int i = 0; i < NON; i++) non_cnt_o = non_cnt_o + {{(NW - 1) {1'b0}}, non_v_q[i]};
    pre_cnt_o = '0;
    for (int i = 0; i < PRE; i++) pre_cnt_o = pre_cnt_o + {{(XW - 1) {1'b0}}, pre_v_q[i]};
  end
  assign busy_o = |mem_v_q || non_any || pre_any;

  // Next state of MEM0.
  logic enters, serves_on;
  logic [CW-1:0] exe_cd, new_cd;
  logic [PW-1:0] new_pay;
  logic [XW-1:0] pre_index;
  logic [PW-1:0] pre_pay;
  logic [CW-1:0] pre_cd;
  onehot_index #(.N(1 << XW)) u_pre_index (
      .onehot_i({{((1 << XW) - PRE_ROWS) {1'b0}}, pre_oldest}),
      .index_o(pre_index)
  );
  assign pre_pay = pre_pay_q[pre_index*PW+:PW];
  assign pre_cd = pre_cd_q[pre_index*CW+:CW];
  assign exe_cd = exe_is_mem_i && (|exe_cd_i) ? exe_cd_i : {{(CW - 1) {1'b0}}, 1'b1};
  assign serves_on = mem_v_q[0] && left_over;
  assign enters = pre_pop || take_mem;
  assign new_cd = pre_pop ? pre_cd : exe_cd;
  assign new_pay = pre_pop ? pre_pay : exe_payload_i;
  always_comb begin
    left_d = left_q;
    if (enters) left_d = new_cd;
    else if (serves_on) left_d = left_q - STEP;
  end
  assign mem_v_d[0] = enters || (mem_v_q[0] && !go[0]);
  for (genvar i = 1; i < M; i++) begin : g_mem_v
    assign mem_v_d[i] = go[i-1] || (mem_v_q[i] && !go[i]);
  end

  // Registers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mem_v_q <= '0;
      cd_q <= '0;
      left_q <= '0;
    end else begin
      mem_v_q <= mem_v_d;
      left_q <= left_d;
      if (enters) cd_q <= new_cd;
    end
    if (enters) mem_pay_q[PW-1:0] <= new_pay;
    for (int i = 1; i < M; i++) if (go[i-1]) mem_pay_q[i*PW+:PW] <= mem_pay_q[(i-1)*PW+:PW];
  end

  // Queues: they shift when they take an entry; the oldest entry leaves.
  generate
    if (NON == 0) begin : g_no_non
      assign non_v_q = '0;
      assign non_pay_q = '0;
    end else begin : g_non
      logic [NON-1:0] left_non, non_v_d;
      logic take_non;
      assign take_non = exe_non && non_ok && !exe_to_wb;
      assign left_non = wb_non ? non_v_q & ~non_oldest : non_v_q;
      assign non_v_d = VARIANT == 1 ? (collide ? non_v_q : (non_v_q << 1) | {{(NON-1){1'b0}}, take_non})
                     : take_non ? (left_non << 1) | {{(NON-1){1'b0}}, 1'b1} : left_non;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          non_v_q <= '0;
          non_pay_q <= '0;
        end else begin
          non_v_q <= non_v_d;
          if (take_non || (VARIANT == 1 && non_any && !collide)) begin
            non_pay_q[PW-1:0] <= exe_payload_i;
            for (int i = 1; i < NON; i++) non_pay_q[i*PW+:PW] <= non_pay_q[(i-1)*PW+:PW];
          end
        end
      end
    end
    if (PRE == 0) begin : g_no_pre
      assign pre_v_q = '0;
      assign pre_pay_q = '0;
      assign pre_cd_q = '0;
    end else begin : g_pre
      logic [PRE-1:0] left_pre;
      logic take_pre;
      assign take_pre = exe_mem && mem_ok && !take_mem;
      assign left_pre = pre_pop ? pre_v_q & ~pre_oldest : pre_v_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          pre_v_q <= '0;
          pre_pay_q <= '0;
          pre_cd_q <= '0;
        end else if (take_pre) begin
          pre_v_q <= (left_pre << 1) | {{(PRE-1){1'b0}}, 1'b1};
          pre_pay_q[PW-1:0] <= exe_payload_i;
          pre_cd_q[CW-1:0] <= exe_cd;
          for (int i = 1; i < PRE; i++) begin
            pre_pay_q[i*PW+:PW] <= pre_pay_q[(i-1)*PW+:PW];
            pre_cd_q[i*CW+:CW] <= pre_cd_q[(i-1)*CW+:CW];
          end
        end else begin
          pre_v_q <= left_pre;
        end
      end
    end
  endgenerate

`ifdef FORMAL
  `include "elastic_mem_stage_props.svh"
`endif
endmodule
`undef NEEDS
