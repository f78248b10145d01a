// SPDX-License-Identifier: Apache-2.0
// Laws of xmem_amu_core, inside the module. They follow one place of the outstanding writes, one place of the fill buffer and
// one virtual byte, arbitrary and fixed for the run; so the induction covers all of them, and runs of any length. The
// environment is assumed to keep a miss at ms_* until it is taken, and AAM_BASE unchanged while the unit is busy. The proof of
// xmem_alb says that a lookup after an update returns the updated atom, whatever misses are in flight. Together with the laws
// about updates here this means: a lookup that starts after a map has completed returns the mapped atom.
// prove: bmc=2 induct=2 PPN_W=4 IDW=8 UNITS=2 NMISS=2 TAGW=4 EDGE=1
// prove-nightly: bmc=2 induct=2 PPN_W=4 IDW=8 UNITS=2 NMISS=2 TAGW=4
// prove-nightly: bmc=2 induct=2 PPN_W=2 IDW=2 UNITS=2 NMISS=2 TAGW=3 UNMAP_CHECK=1
// prove-nightly: bmc=12 cover=18 PPN_W=2 IDW=2 UNITS=2 NMISS=2 TAGW=3
// equal: PPN_W=28 UNITS=4 IDW=6 NMISS=2 TAGW=10 HOME=0 UNMAP_CHECK=0 EDGE=0 ALB_FLUSH_ON_CTX=1
// equal-nightly: PPN_W=28 UNITS=4 IDW=6 NMISS=2 TAGW=10 HOME=1 UNMAP_CHECK=0 EDGE=0 ALB_FLUSH_ON_CTX=1
// equal-bugs: PPN_W=4 UNITS=4 IDW=4 NMISS=2 TAGW=4 HOME=1 UNMAP_CHECK=0 EDGE=0 ALB_FLUSH_ON_CTX=1

  (* anyconst *) logic [1:0] f_slot;
  (* anyconst *) logic [2:0] f_place;
  (* anyconst *) logic [47:0] f_va;
  logic f_started = 1'b0;

  // One cycle later.
  logic f_mem_waits, f_mmu_waits, f_ms_waits, f_was_idle, f_was_update;
  logic f_last_we;
  logic [PA-1:0] f_last_addr;
  logic [63:0] f_last_data;
  logic [7:0] f_last_strb;
  logic [3:0] f_last_id;
  logic [35:0] f_last_vpn;
  logic [PPN_W-1:0] f_last_ppn;
  logic [MW-1:0] f_last_miss;
  logic [95:0] f_regs, f_last_regs;
  assign f_regs = {cmds_q, head_q, tail_q, walk_q, used_q, acked_q, paged_q, wtail_q, whead_q, gap_q, hold_q, ast_ok_q, load_q,
                   ctx_q, side_q, fills_q, fhead_q, ftail_q, pages_q[15:0], stall_q[15:0], area_q[7:0]};

  // The write at the followed place, from the memory port, and whether memory has acknowledged it.
  logic f_write, f_paged, f_acked;
  logic [PA-1:0] f_addr;
  logic [63:0] f_data;
  logic [7:0] f_strb;
  assign f_write = mem_rq_valid_o && mem_rq_ready_i && mem_rq_we_o && mem_rq_id_o == {2'b11, f_slot};

  // Whether a context was loaded since the reset; a lookup that waits for its answer from the core; the fill at the followed
  // place.
  logic f_context, f_asked, f_filled;
  logic [TW-1:0] f_tag;
  logic [3:0] f_fill_id;
  logic [63:0] f_fill;

  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_mem_waits <= rst_ni && mem_rq_valid_o && !mem_rq_ready_i;
    f_mmu_waits <= rst_ni && mmu_rq_valid_o && !mmu_rq_ready_i;
    f_ms_waits <= rst_ni && ms_valid_i && !ms_ready_o;
    f_was_update <= rst_ni && bc_valid_o;
    f_was_idle <= rst_ni && !busy_o && !cmd_valid_i && !reg_we_i && !mmu_rs_valid_i && !mem_rs_valid_i && !lk_valid_i &&
                  !ai_valid_i && !ws_rd_en_i && !ar_valid_i && !ms_valid_i;
    {f_last_we, f_last_addr, f_last_data} <= {mem_rq_we_o, mem_rq_addr_o, mem_rq_wdata_o};
    {f_last_strb, f_last_id, f_last_vpn} <= {mem_rq_wstrb_o, mem_rq_id_o, mmu_rq_vpn_o};
    {f_last_ppn, f_last_miss, f_last_regs} <= {ms_ppn_i, ms_id_i, f_regs};
    if (f_write) begin
      {f_addr, f_data, f_strb} <= {mem_rq_addr_o, mem_rq_wdata_o, mem_rq_wstrb_o};
      f_paged <= step_q == WR;
      f_acked <= 1'b0;
    end else if (mem_rs_valid_i && mem_rs_id_i == {2'b11, f_slot}) begin
      f_acked <= 1'b1;
    end
    if (mem_rs_valid_i && !mem_rs_id_i[3] && {28'd0, mem_rs_id_i} < NMISS && ftail_q == f_place && !fills_q[f_place])
      {f_fill_id, f_fill} <= {mem_rs_id_i, mem_rs_data_i};
    f_context <= rst_ni && (f_context || loaded);
    f_asked <= rst_ni && ((lk_valid_i && lk_open_o && al_ready_i && !al_valid_o) || (f_asked && ar_valid_i));
    if (lk_valid_i && lk_open_o && al_ready_i && !al_valid_o) f_tag <= lk_tag_i;
    if (!f_started) assume (!rst_ni);
    if (f_ms_waits) assume (ms_valid_i && ms_ppn_i == f_last_ppn && ms_id_i == f_last_miss);
    if (busy_o || ms_valid_i) assume (!(reg_we_i && reg_sel_i == 3'd7));
  end

  // The queues: the places in use are those between head and tail.
  logic [7:0] f_used2, f_cmds2, f_used_turned, f_cmds_turned;
  logic [15:0] f_fills_turned;
  logic [2:0] f_out, f_queued;
  logic [3:0] f_buffered;
  assign f_used2 = {used_q, used_q};
  assign f_cmds2 = {cmds_q, cmds_q};
  assign f_used_turned = f_used2 >> whead_q;
  assign f_cmds_turned = f_cmds2 >> head_q;
  assign f_fills_turned = {fills_q, fills_q} >> fhead_q;
  assign f_out = {2'd0, used_q[0]} + {2'd0, used_q[1]} + {2'd0, used_q[2]} + {2'd0, used_q[3]};
  assign f_queued = {2'd0, cmds_q[0]} + {2'd0, cmds_q[1]} + {2'd0, cmds_q[2]} + {2'd0, cmds_q[3]};
  assign f_buffered = {3'd0, fills_q[0]} + {3'd0, fills_q[1]} + {3'd0, fills_q[2]} + {3'd0, fills_q[3]} +
                      {3'd0, fills_q[4]} + {3'd0, fills_q[5]} + {3'd0, fills_q[6]} + {3'd0, fills_q[7]};
  always @(posedge clk_i) begin
    if (f_started) begin
      assert ((f_used_turned[3:0] & (f_used_turned[3:0] + 1'b1)) == '0);
      assert ((f_cmds_turned[3:0] & (f_cmds_turned[3:0] + 1'b1)) == '0);
      assert ((f_fills_turned[7:0] & (f_fills_turned[7:0] + 1'b1)) == '0);
      assert (wtail_q == whead_q + f_out[1:0] && tail_q == head_q + f_queued[1:0] && ftail_q == fhead_q + f_buffered[2:0]);
      // One activity is in progress at a time, and it is that of the head.
      assert (!(walk_q && load_q));
      if (walk_q) assert (head_on && op <= FREE && op != CONTEXT && step_q <= STATUS);
      if (walk_q) assert ((step_q == STATUS) == (op == ACTIVATE || op == DEACTIVATE));
      if (walk_q && op == FREE) assert (step_q == WR);
      if (load_q) assert (head_on && op == CONTEXT && used_q == '0 && !ast_ok_q && ask <= WORDS);
      for (int k = 0; k < WORDS; k++) if (load_q && got_q[k]) assert (k < ask);
    end
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // A request is stable until it is taken.
      if (f_mem_waits)
        assert (mem_rq_valid_o && mem_rq_we_o == f_last_we && mem_rq_addr_o == f_last_addr && mem_rq_id_o == f_last_id &&
                mem_rq_wdata_o == f_last_data && mem_rq_wstrb_o == f_last_strb);
      if (f_mmu_waits) assert (mmu_rq_valid_o && mmu_rq_vpn_o == f_last_vpn);
      if (hold_q) assert (own);
      // A miss goes first, unless another access was already offered; ready reaches only the requester that is served.
      if (ms_valid_i && !hold_q) assert (mem_rq_valid_o && !mem_rq_we_o && !mem_rq_id_o[3] && !taken);
      // Each write is reported by one update after memory's acknowledgement, in the order of the writes, two cycles apart.
      if (f_write) assert (!used_q[f_slot]);
      if (used_q[f_slot]) assert (acked_q[f_slot] == f_acked && paged_q[f_slot] == f_paged);
      if (used_q[f_slot] && f_paged) begin
        assert (f_addr == aam_q + {12'd0, wppn_q[f_slot]} * ENTRY);
        if (IDW == 8) assert (f_strb == {{(8 - UNITS) {1'b0}}, wmask_q[f_slot]});
        for (int u = 0; u < UNITS; u++)
          if (wmask_q[f_slot][u]) assert (f_data[u*IDW+:IDW] == waid_q[f_slot]);
      end
      if (bc_valid_o && whead_q == f_slot)
        assert (f_acked && f_paged && bc_ppn_o == wppn_q[f_slot] && bc_mask_o == wmask_q[f_slot] && bc_aid_o == waid_q[f_slot]);
      if (bc_valid_o) assert (used_q[whead_q] && !f_was_update);
      assert (gap_q == f_was_update);
      if (used_q == '0) assert (!bc_valid_o);
      // A context begins only when every write has been reported.
      if (switches) assert (used_q == '0 && !walk_q);
      // Before the first context there is no walk and no read, and lookups return no atom.
      assert (f_context || !ast_ok_q);
      if (walk_q && on_map) assert (ast_ok_q);
      if (walk_q && step_q == STATUS) assert (ast_ok_q);
      if (!f_context) assert (!al_valid_o && !mmu_rq_valid_o && (!rs_valid_o || rs_aid_o == NONE));
      if (!f_context && mem_rq_valid_o && mem_rq_id_o[3:2] == 2'b11) assert (mem_rq_we_o && op == FREE);
      // The core answers every lookup that does not go to the ALB; every answer of the ALB is passed on with its tag.
      assert (side_q == f_asked && (!side_q || side_tag_q == f_tag));
      if (ar_valid_i) assert (rs_valid_o && rs_tag_o == ar_tag_i[TW-1:0]);
      if (side_q && !ar_valid_i) assert (rs_valid_o && rs_tag_o == f_tag && rs_aid_o == NONE);
      if (al_valid_o) assert (lk_ctx_i == ctx_q && ast_ok_q);
      if (rs_valid_o && rs_aid_o != NONE) assert (ast_ok_q && ar_valid_i && ar_tag_i[TAGW-1:TAGW-2] == ctx_q && rs_aid_o == ar_aid_i);
      if (rs_active_o) assert (rs_valid_o && rs_aid_o != NONE);
      // Data reach the ALB unchanged from memory.
      if (fills_q[f_place]) assert (fid_q[f_place] == f_fill_id[MW-1:0] && fdata_q[f_place] == f_fill[DW-1:0]);
      if (fl_valid_o && fhead_q == f_place) assert (fl_id_o == f_fill_id[MW-1:0] && fl_data_o == f_fill[DW-1:0]);
      // An idle tick with busy = 0 changes nothing.
      if (f_was_idle) assert (f_regs == f_last_regs && !busy_o);

      cover (bc_valid_o && whead_q == f_slot && f_slot == 2'd1);
      cover (f_mem_waits && f_last_we && ms_valid_i);
      cover (f_mmu_waits);
      cover (loaded);
      cover (side_q && ar_valid_i);
      cover (rs_active_o);
      cover (fills_q[f_place] && f_place == 3'd2);
      cover (f_was_idle && ast_ok_q);
      cover (switches && f_context);
    end
  end

  // The units of a page that are written are exactly those that the row touches.
  logic f_in_page;
  logic [47:0] f_rel, f_span;
  assign f_rel = f_va - row_q;
  assign f_span = last - row_q;
  assign f_in_page = f_va[47:12] == vpn_q && f_rel <= f_span;
  always @(posedge clk_i) begin
    if (f_started && walk_q && step_q >= PAGE && step_q <= NEXT && on_map) begin
      assert (vpn_q - row_q[47:12] <= last[47:12] - row_q[47:12]);
      assert (first_q == (vpn_q == row_q[47:12]));
      if (f_span < 48'h1_0000_0000 && step_q == PAGE && EDGE == 0) begin
        if (f_in_page) assert (units[f_va[11-:UW]]);
        // in a unit that is written, the first byte from lo on belongs to the row
        if (f_va[47:12] == vpn_q && units[f_va[11-:UW]] &&
            f_va[11:0] == (lo[11-:UW] == f_va[11-:UW] ? lo : {f_va[11-:UW], {SW{1'b0}}})) assert (f_in_page);
        cover (f_in_page && !units[0] && !at_last);
      end
    end
  end
