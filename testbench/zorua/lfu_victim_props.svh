// SPDX-License-Identifier: Apache-2.0
// Laws of lfu_victim, inside the module. They follow one set, any one, with a counter of its own.
// prove: bmc=4 induct=2 cover=12 N=3 EPOCH=2 FRESH=13
// prove: bmc=2 induct=2 N=5 EPOCH=5 FRESH=1
// prove-nightly: bmc=2 induct=2 N=20 EPOCH=5 FRESH=1
// prove-nightly: bmc=2 induct=2 N=1 EPOCH=3 FRESH=15
// equal: N=20 EPOCH=37 FRESH=9
// equal: N=48 EPOCH=2048 FRESH=0
// equal: N=1 EPOCH=2 FRESH=15
// equal-nightly: N=256 EPOCH=2048 FRESH=0

  localparam int IB = N <= 2 ? 1 : $clog2(N);
  (* anyconst *) logic [IB-1:0] f_set;
  logic f_started = 1'b0;
  logic f_was_reset, f_was_idle, f_ends;
  logic [3:0] f_count, f_half, f_now, f_victim;
  logic [EB-1:0] f_epoch;
  logic [N-1:0] f_ones;
  logic [31:0] f_run;
  assign f_run = {{(32 - RB) {1'b0}}, run_i} > EPOCH ? EPOCH : {{(32 - RB) {1'b0}}, run_i};
  assign f_ends = {{(32 - EB) {1'b0}}, epoch_q} + f_run >= EPOCH;
  assign f_half = f_ends ? f_count >> 1 : f_count;
  assign f_now = {eights_q[f_set], fours_q[f_set], twos_q[f_set], ones_q[f_set]};
  assign f_victim = {eights_q[set_o], fours_q[set_o], twos_q[set_o], ones_q[set_o]};
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && touch_i == '0 && !new_en_i && run_i == '0;
    f_epoch <= epoch_q;
    f_ones <= ones_q;
    // The counter of the set, as a number.
    if (!rst_ni) f_count <= 4'd0;
    else if (new_en_i && new_set_i == f_set) f_count <= BEGINS[3:0];
    else if (touch_i[f_set] && f_half != 4'd15) f_count <= f_half + 4'd1;
    else f_count <= f_half;
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - IB) {1'b0}}, f_set} < N);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // The counter counts the accesses, stays at its end, is halved with each epoch, and begins anew with an owner.
      assert (f_now == f_count);
      // Some victim is chosen if any set may be, and only a set that may be.
      if (may_i[f_set]) assert (valid_o);
      if (valid_o) assert ({{(32 - IB) {1'b0}}, set_o} < N && may_i[set_o] && uses_o == f_victim);
      if (!valid_o) assert (set_o == '0 && uses_o == 4'd0);
      // A set that is preferred goes before one that is not.
      if (may_i[f_set] && prefer_i[f_set]) assert (prefer_i[set_o]);
      // Of the others none has been used less, and none that was used as often has a lower number.
      if (may_i[f_set] && prefer_i[f_set] == prefer_i[set_o]) begin
        assert (uses_o <= f_count);
        if (uses_o == f_count) assert (set_o <= f_set);
      end
      // An idle tick changes nothing; a reset makes all counters 0.
      assert ({{(32 - EB) {1'b0}}, epoch_q} < EPOCH && !busy_o);
      if (f_was_idle && !f_was_reset) assert (epoch_q == f_epoch && ones_q == f_ones);
      if (f_was_reset) assert (epoch_q == '0 && (ones_q | twos_q | fours_q | eights_q) == '0);

      cover (f_count == 4'd15 && touch_i[f_set] && !f_ends);
      cover (f_ends && f_count == 4'd3);
      cover (valid_o && uses_o == 4'd2 && may_i[f_set] && set_o != f_set);
    end
  end
