// SPDX-License-Identifier: Apache-2.0
// Laws of elastic_mem_stage, inside the module. They follow two instructions with marked payloads, A
// and after it B, from EXE to the writeback: none is lost, duplicated or overtaken on its path. The
// induction covers runs of any length. The law of the distance is proved to a bounded depth, in the
// runs with PW = 2, whose stimulus keeps the distance.
// prove: bmc=8 induct=2 cover=14 M=2 N=1 S=4 P=1 Q=2 PW=3 VARIANT=2
// prove: bmc=6 induct=2 M=4 N=3 S=8 P=1 Q=4 PW=3 VARIANT=2
// prove: bmc=6 induct=2 M=1 N=0 S=4 P=3 Q=1 PW=3 VARIANT=2
// prove: bmc=6 induct=2 cover=10 M=3 N=1 S=4 P=2 Q=1 PW=3 VARIANT=1
// prove: bmc=6 induct=2 M=3 N=1 S=4 P=1 Q=1 PW=3 VARIANT=0
// prove: bmc=24 M=2 N=1 S=4 P=1 Q=2 PW=2 VARIANT=2
// prove: bmc=16 M=4 N=3 S=8 P=1 Q=4 PW=2 VARIANT=2
// equal: M=4 N=3 S=8 P=1 Q=4 PW=16 VARIANT=2
// equal: M=4 N=3 S=8 P=1 Q=4 PW=16 VARIANT=0
// equal: M=4 N=3 S=8 P=1 Q=4 PW=16 VARIANT=1
// equal-nightly: M=2 N=1 S=16 P=1 Q=2 PW=16 VARIANT=2
// equal-nightly: M=1 N=0 S=32 P=2 Q=1 PW=32 VARIANT=2
// equal-nightly: M=3 N=2 S=4 P=3 Q=0 PW=7 VARIANT=2
// equal-nightly: M=1 N=3 S=32 P=5 Q=4 PW=16 VARIANT=0
// equal-nightly: M=1 N=3 S=16 P=1 Q=0 PW=16 VARIANT=1
// equal-nightly: M=8 N=31 S=1 P=1 Q=16 PW=24 VARIANT=2

  // Scaffolding: the first cycle is a reset.
  logic f_started = 1'b0;
  logic f_was_reset, f_was_idle;
  logic f_taken;
  assign f_taken = exe_valid_i && !exe_stall_o;

  // A has payload 1, B payload 2; at any time at most one of each is in flight, and B only after A.
  localparam logic [PW-1:0] F_A = 1;
  localparam logic [PW-1:0] F_B = 2;
  localparam bit F_FOLLOWS = PW > 2;
  logic f_a_in, f_b_in, f_a_mem, f_b_mem, f_b_last;  // in flight; on the memory path; B is the younger one
  logic f_a_taken, f_b_taken, f_a_out, f_b_out;
  assign f_a_taken = f_taken && exe_payload_i == F_A;
  assign f_b_taken = f_taken && exe_payload_i == F_B;
  assign f_a_out = wb_valid_o && wb_src_o != '0 && wb_payload_o == F_A;
  assign f_b_out = wb_valid_o && wb_src_o != '0 && wb_payload_o == F_B;

  // The latches that hold A and B, as one vector along each path; the oldest latch is the highest bit.
  localparam int F_PATH = M + PRE_ROWS;
  logic [F_PATH-1:0] f_a_path, f_b_path, f_b_ahead;
  logic [NON_ROWS-1:0] f_a_non, f_b_non, f_b_non_ahead;
  logic [PRE_ROWS-1:0] f_pre_cd;  // the degree is not 0
  for (genvar i = 0; i < PRE_ROWS; i++) begin : g_f_pre
    assign f_pre_cd[i] = |pre_cd_q[i*CW+:CW];
    assign f_a_path[i] = pre_v_q[i] && pre_pay_q[i*PW+:PW] == F_A;
    assign f_b_path[i] = pre_v_q[i] && pre_pay_q[i*PW+:PW] == F_B;
  end
  for (genvar i = 0; i < M; i++) begin : g_f_mem
    assign f_a_path[PRE_ROWS+i] = mem_v_q[i] && mem_pay_q[i*PW+:PW] == F_A;
    assign f_b_path[PRE_ROWS+i] = mem_v_q[i] && mem_pay_q[i*PW+:PW] == F_B;
  end
  for (genvar i = 0; i < NON_ROWS; i++) begin : g_f_non
    assign f_a_non[i] = non_v_q[i] && non_pay_q[i*PW+:PW] == F_A;
    assign f_b_non[i] = non_v_q[i] && non_pay_q[i*PW+:PW] == F_B;
  end
  assign f_b_ahead = f_b_path & ~(f_a_path - 1'b1);        // B at or before A
  assign f_b_non_ahead = f_b_non & ~(f_a_non - 1'b1);

  // Cycles that MEM0 has held its access, at most 63.
  logic [5:0] f_stay;
  logic [31:0] f_served;
  assign f_served = {26'd0, f_stay} * PORTS;

  // The distance: warps of N + 1 instructions, all accesses or none, come back to back. f_debt: sum of a
  // warp's conflict degrees, less the cycles since the warp began.
  localparam int F_K = N + 1;
  logic [5:0] f_debt, f_now_cd;
  logic [3:0] f_slot;    // remaining subwarps of the warp
  logic f_warp_mem;
  assign f_now_cd = exe_cd_i == '0 ? 6'd1 : {{(6 - CW) {1'b0}}, exe_cd_i};

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !exe_valid_i && !icnt_valid_i && !busy_o;
    if (!f_started) assume (!rst_ni);
    if (!rst_ni) begin
      f_a_in <= 1'b0;
      f_b_in <= 1'b0;
    end else begin
      f_a_in <= (f_a_in || f_a_taken) && !f_a_out;
      f_b_in <= (f_b_in || f_b_taken) && !f_b_out;
    end
    if (f_a_taken) f_a_mem <= exe_mem;
    if (f_b_taken) f_b_mem <= exe_mem;
    if (f_a_taken) f_b_last <= 1'b0;
    else if (f_b_taken) f_b_last <= f_a_in;
    if (F_FOLLOWS && exe_valid_i) begin
      assume (exe_payload_i != F_A || !f_a_in);
      assume (exe_payload_i != F_B || !f_b_in);
    end
    if (enters) f_stay <= 6'd1;
    else if (f_stay != 6'd63) f_stay <= f_stay + 6'd1;
    if (!F_FOLLOWS) begin
      assume (!icnt_valid_i);
      assume (rst_ni != f_started);
      if (!rst_ni) begin
        f_debt <= '0;
        f_slot <= '0;
      end else begin
        assume (exe_valid_i || f_slot == '0);
        assume (f_slot == '0 || exe_is_mem_i == f_warp_mem);
        assume ({26'd0, f_now_cd} <= S);
        if (exe_valid_i && exe_is_mem_i && f_slot == '0) assume (f_debt == '0);
        if (exe_valid_i) begin
          f_slot <= f_slot == '0 ? N[3:0] : f_slot - 4'd1;
          f_warp_mem <= exe_is_mem_i;
        end
        if (exe_valid_i && exe_is_mem_i) f_debt <= f_debt + f_now_cd - 6'd1;
        else if (f_debt != '0) f_debt <= f_debt - 6'd1;
      end
    end
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // PREMEM and NONMEM hold at most their number of entries, filled from entry 0 on.
      assert ({{(32 - XW) {1'b0}}, pre_cnt_o} <= PRE);
      assert ({{(32 - NW) {1'b0}}, non_cnt_o} <= NON);
      assert ((pre_v_q & (pre_v_q + 1'b1)) == '0);
      if (VARIANT == 2) assert ((non_v_q & (non_v_q + 1'b1)) == '0);
      // A return takes the writeback in its cycle.
      if (icnt_valid_i) assert (wb_valid_o && wb_src_o == '0 && wb_payload_o == '0);
      // wb_lost_o is 1 only with a return and with an instruction in a latch or in EXE.
      if (wb_lost_o) assert (icnt_valid_i && (busy_o || exe_valid_i));
      // Without a return, an instruction is written back only from a valid latch or from EXE.
      if (wb_valid_o && !icnt_valid_i) assert (busy_o || f_taken);
      // EXE is held due to a return only if there is one; an empty pipeline takes every instruction.
      if (exe_stall_icnt_o) assert (icnt_valid_i && exe_stall_o);
      // A conflict in MEM0 holds EXE without a return too.
      if (exe_stall_o && exe_mem && mem_v_q[0] && left_over) assert (!exe_stall_icnt_o);
      if (exe_valid_i && !busy_o && !icnt_valid_i) assert (!exe_stall_o);
      if (!exe_valid_i) assert (!exe_stall_o);
      // An access stays in MEM0 as long as its conflict degree requires with P ports, and no longer unless
      // a return holds the stages below.
      if (mem_v_q[0]) assert (f_stay != '0 && left_q != '0 && cd_q != '0);
      assert ((pre_v_q & ~f_pre_cd) == '0);
      if (mem_v_q[0]) assert ({{(32 - CW) {1'b0}}, left_q} + f_served >= {{(32 - CW) {1'b0}}, cd_q} + PORTS);
      if (sub_valid_o) assert (f_served >= {{(32 - CW) {1'b0}}, sub_cd_o});
      if (mem_v_q[0] && left_over) assert ({{(32 - CW) {1'b0}}, left_q} + f_served == {{(32 - CW) {1'b0}}, cd_q} + PORTS);
      if (mem_v_q[0] && f_served >= {{(32 - CW) {1'b0}}, cd_q} && !icnt_valid_i) assert (sub_valid_o);
      // An instruction that was taken is in exactly one latch until it is written back, and A and B
      // are in no other.
      if (F_FOLLOWS) begin
        assert (f_a_in == (f_a_path != '0 || f_a_non != '0));
        assert (f_b_in == (f_b_path != '0 || f_b_non != '0));
        assert ((f_a_path & (f_a_path - 1'b1)) == '0 && (f_a_non & (f_a_non - 1'b1)) == '0);
        assert ((f_b_path & (f_b_path - 1'b1)) == '0 && (f_b_non & (f_b_non - 1'b1)) == '0);
        if (f_a_in) assert (f_a_mem ? f_a_non == '0 : f_a_path == '0);
        if (f_b_in) assert (f_b_mem ? f_b_non == '0 : f_b_path == '0);
        if (f_a_out) assert (f_a_in || f_a_taken);
        if (f_b_out) assert (f_b_in || f_b_taken);
        // An instruction taken later on the same path stays behind and is written back later.
        if (f_a_in && f_b_in && f_b_last && f_a_mem == f_b_mem) begin
          assert (f_b_ahead == '0 && f_b_non_ahead == '0);
          assert (!f_b_out);
        end
      end
      // EXE is never held if consecutive warps start as many cycles apart as the earlier one's conflict degrees add up to.
      if (!F_FOLLOWS && VARIANT == 2) assert (!exe_stall_o);
      // After a reset nothing is in flight; an idle cycle changes nothing.
      if (f_was_reset) assert (!busy_o);
      if (f_was_idle) assert (!busy_o);

      if (F_FOLLOWS) begin
        cover (f_a_in && f_b_in && f_b_last && f_a_mem && f_b_mem && f_a_out);
        cover (f_a_in && f_b_in && f_b_last && f_a_mem && !f_b_mem && f_b_out);
        cover (f_a_in && f_b_in && f_b_last && !f_a_mem && !f_b_mem && f_a_out);
        cover (exe_stall_icnt_o && !exe_is_mem_i);
        cover (sub_valid_o && sub_cd_o == {{(CW - 2) {1'b0}}, 2'd3} && f_stay > 6'd1);
        cover (mem_v_q[0] && left_over && icnt_valid_i);
        if (VARIANT == 2) begin
          cover (pre_cnt_o == N[XW-1:0] && pre_pop && exe_mem && !exe_stall_o);
          cover (non_cnt_o == Q[NW-1:0] && exe_stall_o && !exe_stall_icnt_o);
          cover (exe_to_wb);
        end
        if (VARIANT == 1) cover (collide && last_ready);
      end
      cover (f_was_idle);
      cover (f_was_reset);
    end
  end
