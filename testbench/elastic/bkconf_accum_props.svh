// SPDX-License-Identifier: Apache-2.0
// Laws of bkconf_accum, inside the module: a second, wider sum is computed from the ports only.
// prove: bmc=8 induct=2 cover=8 W=32 S=8 PCW=4
// prove: bmc=6 induct=2 cover=8 W=8 S=4 P=3 PCW=2
// prove: bmc=4 induct=2 W=32 S=32 P=2 PCW=2
// equal: W=32 S=8 P=1 PCW=14
// equal: W=32 S=32 P=1 PCW=14
// equal: W=32 S=16 P=2 PCW=14
// equal: W=24 S=6 P=3 PCW=5
// equal: W=64 S=64 P=8 PCW=16
// equal: W=2 S=1 P=4 PCW=1

  localparam logic [11:0] F_K = W / S;
  localparam logic [11:0] F_S = S;
  localparam logic [11:0] F_P = P;
  localparam logic [11:0] F_MOST = (1 << DW) - 1;
  logic f_started = 1'b0;
  logic [11:0] f_sum, f_now, f_cd, f_n, f_last_sum;
  logic f_legal, f_legal_now, f_last, f_was_flush, f_was_idle, f_was_reset, f_part_last;
  logic [PCW-1:0] f_pc;
  logic [DW-1:0] f_acc_last;

  // A subwarp's cycles by definition: the ports serve P accesses per cycle.
  assign f_cd = sub_cd_i == '0 ? 12'd1 : {{(12 - CW) {1'b0}}, sub_cd_i};
  assign f_now = (f_n == '0 ? 12'd0 : f_sum) + (f_cd + F_P - 12'd1) / F_P - 12'd1;
  assign f_legal_now = (f_n == '0 || f_legal) && f_cd <= F_S && f_n < F_K;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_flush <= rst_ni && flush_i;
    f_was_idle <= rst_ni && !busy_o && !flush_i && !sub_valid_i;
    f_last <= rst_ni && !flush_i && sub_valid_i && sub_last_i;
    f_part_last <= part_q;
    f_acc_last <= acc_q;
    if (sub_valid_i) begin
      f_sum <= f_now;
      f_legal <= f_legal_now;
      f_pc <= sub_pc_i;
    end
    if (!rst_ni || flush_i) f_n <= '0;
    else if (sub_valid_i) f_n <= sub_last_i ? 12'd0 : f_n + 12'd1;
    if (!f_started) assume (!rst_ni);
    // No instruction has more than 40 subwarps: the wide sum never wraps.
    if (sub_valid_i) assume (f_n < 12'd40);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // An update comes the cycle after the last subwarp and at no other time.
      assert (up_valid_o == f_last && busy_o == f_last);
      // Its degree is the sum over the subwarps of ceil(cd / P) - 1, or the limit.
      if (f_last) assert (up_degree_o == (f_sum < F_MOST ? f_sum : F_MOST) && up_pc_o == f_pc);
      // Degrees of 1..S in W / S subwarps never reach the limit.
      if (f_last && f_legal) assert (f_sum <= F_MOST && up_degree_o == f_sum && f_sum <= F_K * (F_S - 12'd1));
      // A flush or a reset clears everything.
      if (f_was_flush || f_was_reset) assert (!up_valid_o && !part_q);
      // An idle cycle changes nothing, in a gap between subwarps either.
      if (f_was_idle) assert (!busy_o && part_q == f_part_last && acc_q == f_acc_last);

      // Invariants that the induction needs.
      assert (part_q == (f_n != '0));
      assert (f_n <= 12'd40 && (f_n == '0 || f_sum <= f_n * 12'd64));
      if (part_q) assert (acc_q == (f_sum < F_MOST ? f_sum : F_MOST));
      if (f_n != '0 && f_legal) assert (f_sum <= f_n * (F_S - 12'd1) && f_n <= F_K);

      cover (f_last && f_legal && f_sum == F_K * ((F_S + F_P - 12'd1) / F_P - 12'd1));
      cover (f_last && f_sum > F_MOST);
      cover (f_was_flush && f_part_last);
      cover (f_was_idle && f_part_last);
    end
  end
