// SPDX-License-Identifier: Apache-2.0
// Laws of xmem_amu that concern the parts together. They follow one unit of one page and the lookups with one tag, arbitrary
// and fixed for the run, from reset, with a memory whose answers come in any order and at any time. Laws for runs of any length
// are proved for the parts. With HOME=0 the home unit is the environment: it writes memory at any time and reports by bi_*
// afterwards. Software is assumed to use one context and not to reuse a tag before its answer; maps are short.
// prove: bmc=11 HOME=0 PPN_W=1 SETS=1 WAYS=2 IDW=2 UNITS=2 NMISS=2 TAGW=3
// prove-nightly: bmc=17 cover=17 HOME=0 PPN_W=1 SETS=1 WAYS=2 IDW=2 UNITS=2 NMISS=2 TAGW=3
// prove-nightly: bmc=11 PPN_W=1 SETS=1 WAYS=2 IDW=2 UNITS=2 NMISS=2 TAGW=3
// equal-nightly: PPN_W=9 SETS=2 WAYS=4 UNITS=4 IDW=6 NMISS=2 TAGW=10 HOME=0

  localparam int FB = (UNITS * IDW + 7) / 8;  // bytes of an entry
  (* anyconst *) logic [PPN_W-1:0] f_ppn;
  (* anyconst *) logic [UW-1:0] f_sub;
  (* anyconst *) logic [TAGW-3:0] f_tag;
  (* anyconst *) logic [IDW-1:0] f_init;
  logic f_started = 1'b0;

  // The unit's atom in memory, and a write of it that no update has reported yet.
  logic [IDW-1:0] f_atom, f_written;
  logic f_untold, f_write, f_told, f_was_update;
  (* anyseq *) logic f_home_writes;
  (* anyseq *) logic [IDW-1:0] f_home_atom;
  logic [PPN_W+11:0] f_entry;
  assign f_entry = {12'd0, f_ppn} * FB[3:0];
  assign f_written = HOME != 0 ? mem_rq_wdata_o[f_sub*IDW+:IDW] : f_home_atom;
  assign f_write = HOME == 0 ? f_home_writes && !f_untold
                 : mem_rq_valid_o && mem_rq_ready_i && mem_rq_we_o && !(&mem_rq_wstrb_o) && mem_rq_addr_o == f_entry &&
                   f_written != f_atom;
  assign f_told = HOME == 0 ? bi_valid_i && bi_ppn_i == f_ppn && bi_mask_i[f_sub] : bc_valid_o && bc_ppn_o == f_ppn && bc_mask_o[f_sub];

  // Outstanding answers of memory, by id, and the data that a read of the page saw.
  logic [15:0] f_owes, f_mine, f_takes, f_gives;
  logic [16*IDW-1:0] f_saw;
  assign f_takes = mem_rq_valid_o && mem_rq_ready_i ? 16'd1 << mem_rq_id_o : '0;
  assign f_gives = mem_rs_valid_i ? 16'd1 << mem_rs_id_i : '0;

  // The lookup with the tag: whether it is of the unit, started in a loaded context, with no write since.
  logic f_wait, f_exact, f_accept, f_answer, f_context, f_last_switch;
  assign f_accept = lk_valid_i && lk_ready_o && lk_tag_i == f_tag;
  assign f_answer = rs_valid_o && rs_tag_o == f_tag;

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    if (!rst_ni) begin
      f_atom <= f_init;
      {f_untold, f_owes, f_wait, f_exact, f_context, f_last_switch} <= '0;
    end else begin
      if (f_write) f_atom <= f_written;
      f_untold <= f_write || (f_untold && !f_told);
      f_owes <= (f_owes & ~f_gives) | f_takes;
      f_mine <= (f_mine & ~f_takes) | (mem_rq_addr_o == f_entry && !mem_rq_we_o && mem_rq_id_o[3:2] != 2'b10 ? f_takes : '0);
      for (int k = 0; k < 16; k++) if (f_takes[k]) f_saw[k*IDW+:IDW] <= f_atom;
      f_wait <= f_accept || (f_wait && !f_answer);
      f_last_switch <= doing_o == 2'd2;
      f_context <= doing_o != 2'd2 && (f_context || f_last_switch);
      if (f_accept)
        f_exact <= f_context && doing_o != 2'd2 && !f_untold && !f_write && lk_pa_i[PPN_W+11:12] == f_ppn && lk_pa_i[11-:UW] == f_sub;
      else if (f_write || doing_o == 2'd2) f_exact <= 1'b0;
    end
    assume (rst_ni == f_started);
    // memory answers only outstanding accesses
    if (mem_rs_valid_i) assume (f_owes[mem_rs_id_i]);
    if (mem_rs_valid_i && f_mine[mem_rs_id_i]) assume (mem_rs_data_i[f_sub*IDW+:IDW] == f_saw[mem_rs_id_i*IDW+:IDW]);
    // software: the atom address map is at 0 (8-byte writes go to the status table, elsewhere); maps are short, of one dimension
    if (reg_we_i) assume (reg_sel_i != 3'd7 && !(reg_sel_i == 3'd6 && reg_data_i[1:0] != '0));
    if (reg_we_i && reg_sel_i < 3'd6) assume (reg_data_i < 64'd8192);
    if (cmd_valid_i) assume (cmd_dim_i <= 2'd1);
    // the home unit reports its writes, updates at least two cycles apart
    f_was_update <= bi_valid_i;
    if (bi_valid_i) assume (HOME == 0 && !f_was_update);
    if (HOME == 0 && f_told) assume (f_untold && bi_aid_i == f_atom);
    // lookups
    if (f_wait && lk_valid_i) assume (lk_tag_i != f_tag);
    if (lk_valid_i) assume (lk_ctx_i == 2'd0);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // Every answer belongs to a lookup, and every lookup is answered.
      if (f_answer) assert (f_wait);
      if (!busy_o) assert (!f_wait);
      // A lookup that starts after a map has completed returns the mapped atom.
      if (f_answer && f_exact && !f_write) assert (rs_aid_o == f_atom);
      if (!busy_o && HOME != 0) assert (!f_untold);
      // The atom "none" is never active.
      if (rs_active_o) assert (rs_valid_o && rs_aid_o != {IDW{1'b1}});
      // Before a context is loaded, lookups return no atom.
      if (rs_valid_o && rs_aid_o != {IDW{1'b1}}) assert (f_context || f_last_switch);

      cover (f_answer && f_exact && rs_hit_o && f_atom != f_init && rs_aid_o != {IDW{1'b1}});
      cover (f_answer && f_exact && !rs_hit_o);
      cover (f_told && f_wait && !f_exact);
    end
  end
