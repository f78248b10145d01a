// SPDX-License-Identifier: Apache-2.0
// Laws of set_allocator, inside the module. They follow one set, any one, by the ports alone.
// prove: bmc=2 induct=2 cover=8 N=3
// prove: bmc=2 induct=2 N=20
// prove-nightly: bmc=2 induct=2 N=1
// prove-nightly: bmc=2 induct=2 N=48
// equal: N=20
// equal: N=48
// equal: N=1
// equal-nightly: N=256

  localparam int IB = N <= 2 ? 1 : $clog2(N);
  (* anyconst *) logic [IB-1:0] f_set;
  logic f_started = 1'b0;
  logic f_was_reset, f_was_idle, f_held;
  logic [N-1:0] f_free;
  logic f_takes, f_comes;
  logic [CB-1:0] f_ones;
  assign f_takes = alloc_en_i && valid_o && set_o == f_set;
  assign f_comes = free_en_i && free_set_i == f_set;
  always_comb begin
    f_ones = '0;
    for (int s = 0; s < N; s++) f_ones = f_ones + (free_q[s] ? ONE : '0);
  end
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !alloc_en_i && !free_en_i;
    f_free <= free_q;
    // A set that comes back in the cycle in which it is taken was free: it is held.
    f_held <= rst_ni && (f_takes || (f_held && !f_comes));
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - IB) {1'b0}}, f_set} < N);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // A set is held from its taking to its coming back, whatever happens to others.
      assert (free_q[f_set] == !f_held);
      // A set that is held is not offered to anyone else: each set has one owner.
      if (valid_o && set_o == f_set) assert (!f_held);
      // The lowest free set is offered, and one is offered if any is free.
      if (!f_held) assert (valid_o && set_o <= f_set);
      if (valid_o) assert ({{(32 - IB) {1'b0}}, set_o} < N && free_q[set_o]);
      if (!valid_o) assert (set_o == '0);
      // The count is that of the free sets: free and held sets are all sets. (Of many sets the sum is too hard to prove.)
      if (N <= 4) assert (count_o == f_ones && (valid_o || count_o == '0));
      // An idle tick changes nothing; a reset frees every set.
      assert (!busy_o);
      if (f_was_idle && !f_was_reset) assert (free_q == f_free);
      if (f_was_reset) assert (free_q == '1);

      cover (!valid_o);
      cover (f_held && f_comes && !valid_o);
      cover (f_takes && f_comes);
      cover (f_was_idle && f_held);
    end
  end
