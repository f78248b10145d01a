// SPDX-License-Identifier: Apache-2.0
// Laws of map_table, inside the module. They follow one entry, any one, and one read port, any one, by the ports alone.
// prove: bmc=3 induct=2 cover=6 ROWS=4 SETS=3 PHYS_W=3 READS=3 BANKS=2
// prove: bmc=2 induct=2 ROWS=8 SETS=1 PHYS_W=7 READS=1 BANKS=1
// prove-nightly: bmc=2 induct=2 ROWS=16 SETS=5 PHYS_W=5 READS=4 BANKS=4
// prove-nightly: bmc=2 induct=2 ROWS=64 SETS=1 PHYS_W=7 READS=1 BANKS=1
// equal: ROWS=8 SETS=3 PHYS_W=5 READS=6 BANKS=2
// equal: ROWS=64 SETS=1 PHYS_W=7 READS=1 BANKS=1
// equal-nightly: ROWS=16 SETS=48 PHYS_W=7 READS=4 BANKS=1

  (* anyconst *) logic [RB-1:0] f_row;
  (* anyconst *) logic [SB-1:0] f_set;
  (* anyconst *) logic [2:0] f_port;
  logic f_started = 1'b0;
  logic f_was_reset, f_was_idle, f_mapped, f_reads, f_writes;
  logic [W-1:0] f_phys;
  logic [ENTRIES-1:0] f_valid;
  logic [31:0] f_at;
  assign f_at = {{(32 - SB) {1'b0}}, f_set} * ROWS + {{(32 - RB) {1'b0}}, f_row};
  assign f_writes = wr_en_i && wr_row_i == f_row && wr_set_i == f_set;
  // The port reads the entry, which is of its bank.
  assign f_reads = rd_en_i[f_port] && rd_row_i[f_port*HB+:HB] == f_row >> BB && rd_set_i[f_port*SB+:SB] == f_set &&
                   {{(32 - RB) {1'b0}}, f_row} % BANKS == {29'd0, f_port} % BANKS;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !wr_en_i;
    f_valid <= valid_q;
    // What was written last.
    f_mapped <= rst_ni && (f_writes ? wr_valid_i : f_mapped);
    if (f_writes && wr_valid_i) f_phys <= wr_phys_i;
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - SB) {1'b0}}, f_set} < SETS && {29'd0, f_port} < READS);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // An entry holds what was written last, whatever happens to others; a write is seen one cycle later.
      assert (valid_q[f_at] == f_mapped);
      if (f_mapped) assert (phys_q[f_at] == f_phys);
      if (f_reads) assert (rd_valid_o[f_port] == f_mapped && rd_phys_o[f_port*W+:W] == (f_mapped ? f_phys : '0));
      // A port that is not read, or reads a set that does not exist, gives nothing.
      if (!rd_en_i[f_port] || {{(32 - SB) {1'b0}}, rd_set_i[f_port*SB+:SB]} >= SETS)
        assert (!rd_valid_o[f_port] && rd_phys_o[f_port*W+:W] == '0);
      // An idle tick changes nothing; after a reset no entry is valid.
      assert (!busy_o);
      if (f_was_idle && !f_was_reset) assert (valid_q == f_valid);
      if (f_was_reset) assert (valid_q == '0);

      cover (f_reads && f_mapped && f_phys == '1 && !f_was_idle);
      cover (f_reads && f_mapped && f_writes && !wr_valid_i);
      cover (f_was_idle && f_mapped);
    end
  end
