// SPDX-License-Identifier: Apache-2.0
// Laws of onehot_index, inside the module. One step proves a combinational cell.
// prove: bmc=1 cover=1 N=8
// prove: bmc=1 cover=1 N=13 GROUP=4
// prove: bmc=1 N=1
// equal: N=8 GROUP=1
// equal: N=1 GROUP=1
// equal: N=13 GROUP=4
// equal: N=64 GROUP=3

  (* anyconst *) logic [6:0] f_k;  // one arbitrary input
  always_comb begin
    assume (f_k < N);
    // The index is the number of the only input that is 1, or 0 if no input is 1.
    if (onehot_i == {{(N - 1) {1'b0}}, 1'b1} << f_k) assert (index_o == f_k / GROUP);
    if (onehot_i == '0) assert (index_o == '0);
    cover (onehot_i == {1'b1, {(N - 1) {1'b0}}} && f_k == N - 1);
  end
