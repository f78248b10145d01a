// SPDX-License-Identifier: Apache-2.0
// Laws of ldt_lookup, inside the module. They follow one row, any one, from its writing on.
// prove: bmc=4 induct=2 cover=5 ROWS=3 PAW=12
// prove: bmc=3 induct=2 ROWS=16 PAW=48
// equal: ROWS=16 PAW=48
// equal: ROWS=5 PAW=40
// equal: ROWS=1 PAW=8

  (* anyconst *) logic [RB-1:0] f_row;
  logic f_started = 1'b0;
  logic f_was_reset, f_was_idle, f_valid;
  logic [LW-1:0] f_base, f_limit;
  logic [1:0] f_insert, f_pf;
  logic [ROWS-1:0] f_rows;
  logic f_set, f_inside;
  assign f_set = set_en_i && set_row_i == f_row;
  assign f_inside = f_valid && at_addr_i[PAW-1:7] >= f_base && at_addr_i[PAW-1:7] < f_limit;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !clear_en_i && !set_en_i && !at_en_i;
    f_rows <= valid_q;
    f_valid <= rst_ni && (f_set || (f_valid && !clear_en_i));
    if (f_set) begin
      {f_base, f_limit} <= {set_base_i, set_limit_i};
      {f_insert, f_pf} <= {set_insert_i, set_pf_i};
    end
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - RB) {1'b0}}, f_row} < ROWS);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // The row is there as it was written, until the table is cleared.
      assert (valid_q[f_row] == f_valid);
      if (f_valid) begin
        assert (base_q[f_row*LW+:LW] == f_base && limit_q[f_row*LW+:LW] == f_limit);
        assert (insert_q[f_row*2+:2] == f_insert && pf_q[f_row*2+:2] == f_pf);
      end
      // An address that the row has is answered by it or by a lower one; the answer is that of a row that has the address.
      if (at_en_i && f_inside) assert (hit_o && hit_row_o <= f_row);
      if (hit_o && hit_row_o == f_row) assert (f_inside && insert_o == f_insert && pf_o == f_pf);
      // A row that exists answers, and without one the answer is 0.
      if (hit_o) assert (at_en_i && {{(32 - RB) {1'b0}}, hit_row_o} < ROWS);
      if (!hit_o) assert (hit_row_o == '0 && insert_o == '0 && pf_o == '0);
      // An idle tick changes nothing; a reset leaves no row.
      assert (!busy_o);
      if (f_was_idle && !f_was_reset) assert (valid_q == f_rows);
      if (f_was_reset) assert (valid_q == '0);

      cover (hit_o && hit_row_o == 0 && f_inside && f_row != 0);
      cover (hit_o && hit_row_o == f_row && f_row != 0);
      cover (at_en_i && !hit_o && f_valid);
      cover (f_was_idle && f_valid);
    end
  end
