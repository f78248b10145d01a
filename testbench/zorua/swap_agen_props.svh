// SPDX-License-Identifier: Apache-2.0
// Laws of swap_agen, inside the module. They follow the bases and the command under way by the ports, and two sets, any ones, by their distance
// from the base. The multiplications here are the layout's; the block has none.
// prove: bmc=2 induct=2 cover=12 PAW=32 LW=4 LB=2 RSETS=4 SSETS=3
// prove: bmc=2 induct=2 PAW=32 LW=5 LB=3 RSETS=3 SSETS=5
// prove-nightly: bmc=2 induct=2 PAW=48 LW=64 LB=16 RSETS=16 SSETS=48
// prove-nightly: bmc=2 induct=2 PAW=40 LW=1 LB=1 RSETS=1 SSETS=1
// equal: PAW=48 LW=64 LB=16 RSETS=16 SSETS=48
// equal: PAW=40 LW=96 LB=32 RSETS=16 SSETS=48
// equal: PAW=32 LW=1 LB=1 RSETS=1 SSETS=1

  (* anyconst *) logic f_scratch;            // the kind of the two sets
  (* anyconst *) logic [OB-1:0] f_owner, f_other_owner;
  (* anyconst *) logic [SB-1:0] f_set, f_other_set;
  logic f_started = 1'b0;
  logic f_was_reset, f_was_idle, f_was_on, f_on, f_spill;
  logic [3*NB-1:0] f_base, f_bases;
  logic [NB-1:0] f_line, f_offer, f_first;
  logic [3:0] f_left;
  logic [31:0] f_owners, f_sets, f_lines, f_at, f_other_at;
  logic [63:0] f_distance;  // f_at, wider than any NB
  assign f_owners = f_scratch ? LB : LW;
  assign f_sets = f_scratch ? SSETS : RSETS;
  assign f_lines = f_scratch ? 32'd8 : 32'd4;
  assign f_at = ({{(32 - OB) {1'b0}}, f_owner} * f_sets + {{(32 - SB) {1'b0}}, f_set}) * f_lines;
  assign f_other_at = ({{(32 - OB) {1'b0}}, f_other_owner} * f_sets + {{(32 - SB) {1'b0}}, f_other_set}) * f_lines;
  assign f_distance = {32'd0, f_at};
  assign f_first = f_base[(f_scratch ? NB : 0)+:NB] + f_distance[NB-1:0];
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !base_en_i && !cmd_valid_i && !line_ready_i;
    f_was_on <= line_valid_o;
    f_offer <= line_o;
    f_bases <= base_q;
    if (!rst_ni) f_base <= '0;
    else if (base_en_i && base_kind_i != 2'd3) f_base[base_kind_i*NB+:NB] <= base_i;
    // What must be offered: lines of the set that was taken last.
    f_on <= rst_ni && (f_on ? !(line_ready_i && f_left == 4'd1) : cmd_valid_i);
    if (!f_on) begin
      f_spill <= cmd_spill_i;
      f_left <= cmd_kind_i == 2'd0 ? 4'd4 : cmd_kind_i == 2'd1 ? 4'd8 : 4'd1;
    end else if (line_ready_i) begin
      f_left <= f_left - 4'd1;
    end
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - OB) {1'b0}}, f_owner} < f_owners && {{(32 - OB) {1'b0}}, f_other_owner} < f_owners);
    assume ({{(32 - SB) {1'b0}}, f_set} < f_sets && {{(32 - SB) {1'b0}}, f_other_set} < f_sets);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // The bases are those that were written.
      assert (base_q == f_base);
      // A command is taken when no line is offered; its lines are offered from the next cycle on, as many as its kind has.
      assert (cmd_ready_o == !f_on && line_valid_o == f_on);
      assert (left_o == (f_on ? f_left : 4'd0) && spill_o == (f_on && f_spill));
      if (f_on) assert (f_left >= 4'd1 && f_left <= 4'd8);
      if (!f_on) assert (line_o == '0);
      // A set begins at its place in the layout.
      if (takes && cmd_kind_i == {1'b0, f_scratch} && cmd_owner_i == f_owner && cmd_set_i == f_set) assert (first == f_first);
      if (takes && cmd_kind_i[1]) assert (first == f_base[2*NB+:NB] + {{(NB - OB) {1'b0}}, cmd_owner_i});
      // Two sets of a kind share no line, and lie in the space of the kind.
      if (f_owner != f_other_owner || f_set != f_other_set)
        assert (f_at >= f_other_at + f_lines || f_other_at >= f_at + f_lines);
      assert (f_at + f_lines <= f_owners * f_sets * f_lines);
      // Lines follow each other; one stays until it is taken.
      if (f_on && f_was_on && !f_was_reset) assert (line_o == f_offer || line_o == f_offer + 1'b1);
      // An idle tick changes nothing; a reset leaves no line.
      assert (busy_o == f_on);
      if (f_was_idle && !f_was_reset) assert (base_q == f_bases && (!f_was_on || (f_on && line_o == f_offer)));
      if (f_was_reset) assert (!line_valid_o && base_q == '0);

      cover (takes && cmd_kind_i == 2'd1 && cmd_owner_i == f_owner && cmd_set_i == f_set && f_scratch && f_at != '0 && f_base != '0);
      cover (line_valid_o && left_o == 4'd1 && spill_o && f_was_on && line_o == f_offer + 1'b1);
      cover (f_was_idle && line_valid_o);
    end
  end
