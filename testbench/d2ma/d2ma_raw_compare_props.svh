// SPDX-License-Identifier: Apache-2.0
// Laws of d2ma_raw_compare, inside the module. One step proves a combinational cell.
// prove: bmc=1 cover=1 N=4
// prove: bmc=1 cover=1 N=1
// equal: N=32

  // An arbitrary entry.
  (* anyconst *) logic [4:0] f_n;
  logic [31:0] f_base, f_bytes, f_addr, f_apart;
  assign f_base = {16'd0, base_i[f_n*16+:16]};
  assign f_bytes = {16'd0, bytes_i[f_n*16+:16]};
  assign f_addr = {16'd0, addr_i};
  assign f_apart = f_addr - f_base;
  always_comb begin
    assume (f_n < N);
    // A circuit hits exactly if its entry is configured and the address is one of the buffer's bytes.
    assert (hit_o[f_n] == (configured_i[f_n] && f_apart < f_bytes));
    cover (hit_o[f_n] && f_apart == 32'd0 && f_bytes == 32'd1);
    cover (hit_o[f_n] && f_addr == 32'hffff && f_apart + 32'd1 == f_bytes);
    cover (!hit_o[f_n] && configured_i[f_n] && f_apart == f_bytes && f_bytes != 32'd0);
  end
