// SPDX-License-Identifier: Apache-2.0
// Laws of xmem_alb, inside the module. They follow one unit of one page and one tag, arbitrary and fixed for the run, from
// the ports; so the induction covers all units and tags, and runs of any length. With three misses the induction takes more
// than ten minutes; these proofs take runs of eleven cycles instead, which reach every antecedent.
// prove: bmc=2 induct=2 PPN_W=2 SETS=2 WAYS=2 UNITS=2 IDW=1 NMISS=2 TAGW=1
// prove-nightly: bmc=2 induct=2 PPN_W=2 SETS=1 WAYS=2 UNITS=2 IDW=1 NMISS=2 TAGW=1
// prove-nightly: bmc=11 cover=11 PPN_W=2 SETS=2 WAYS=1 UNITS=2 IDW=1 NMISS=3 TAGW=1
// equal: PPN_W=2 SETS=2 WAYS=2 UNITS=2 IDW=1 NMISS=2 TAGW=1
// equal-nightly: PPN_W=9 SETS=2 WAYS=4 UNITS=4 NMISS=3 TAGW=10

  localparam int FB = 1 << IDW;
  (* anyconst *) logic [PPN_W-1:0] f_ppn;
  (* anyconst *) logic [BW-1:0] f_unit;
  (* anyconst *) logic [TAGW-1:0] f_tag;
  (* anyconst *) logic [IDW-1:0] f_first;  // memory's value at reset
  logic f_started = 1'b0;
  logic [TW-1:0] f_ptag;
  logic [XW-1:0] f_set;
  assign f_ptag = f_ppn[PPN_W-1:SB];
  if (SETS == 1) begin : g_f_set
    assign f_set = 1'b0;
  end else begin : g_f_set
    assign f_set = f_ppn[SB-1:0];
  end

  // The atom of the unit: as mapped last, and as mapped before. An update in the cycle after an update is ignored.
  logic f_up, f_up_mine, f_up_last, f_pend;
  logic [IDW-1:0] f_aid, f_prev, f_val;
  assign f_up = up_valid_i && !f_up_last;
  assign f_up_mine = f_up && up_ppn_i == f_ppn && up_mask_i[f_unit];
  assign f_val = f_pend ? f_prev : f_aid;  // the stored atom, while the update is not yet written

  // Requests: taken but not answered; of this page; taken since its last mapping. A request taken after an update reads the
  // mapped atom; an older one may read any atom.
  logic [NMISS-1:0] f_open, f_mine, f_fresh;
  logic f_ms, f_fl;
  assign f_ms = ms_valid_o && ms_ready_i;
  assign f_fl = fl_valid_i && fl_ready_o && f_known;
  logic [(1<<MW)-1:0] f_open_all;
  if ((1 << MW) == NMISS) assign f_open_all = f_open;
  else assign f_open_all = {{((1 << MW) - NMISS) {1'b0}}, f_open};
  logic f_known;
  assign f_known = f_open_all[fl_id_i];
  logic [IDW-1:0] f_fl_aid;
  assign f_fl_aid = fl_data_i[f_unit*IDW+:IDW];

  // Misses that were outstanding at the last flush; whether a newer miss has filled the page since.
  logic [NMISS-1:0] f_pre;
  logic f_may;

  // The lookup with the tag: its page and unit, its place, its possible answers.
  logic f_out, f_in_stage, f_in_list, f_in_answer, f_take, f_same, f_hit_may;
  logic [PW-1:0] f_place;
  logic [PPN_W-1:0] f_out_ppn;
  logic [BW-1:0] f_out_sub;
  logic [FB-1:0] f_allowed;
  assign f_take = lk_valid_i && lk_ready_o && lk_tag_i == f_tag;
  assign f_same = f_out_ppn == f_ppn && f_out_sub == f_unit;

  logic f_was_reset, f_was_idle, f_held, f_was_flush;
  logic [PPN_W-1:0] f_held_ppn;
  logic [MW-1:0] f_held_id;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_flush <= flush_i;
    f_was_idle <= rst_ni && !busy_o && !flush_i && !lk_valid_i && !up_valid_i && !fl_valid_i;
    f_held <= rst_ni && ms_valid_o && !ms_ready_i;
    f_held_ppn <= ms_ppn_o;
    f_held_id <= ms_id_o;
    f_up_last <= rst_ni && f_up;
    f_pend <= rst_ni && f_up_mine;
    if (f_up_mine) begin
      f_aid <= up_aid_i;
      f_prev <= f_aid;
    end
    if (!rst_ni) f_aid <= f_first;
    for (int m = 0; m < NMISS; m++) begin
      if (f_ms && ms_id_o == m) f_open[m] <= 1'b1;
      if (f_fl && fl_id_i == m) f_open[m] <= 1'b0;
      if (f_ms && ms_id_o == m) f_mine[m] <= ms_ppn_o == f_ppn;
      if (f_ms && ms_id_o == m) f_fresh[m] <= !f_up_mine;
      else if (f_up_mine) f_fresh[m] <= 1'b0;
      if (lk_miss && !joined && miss_id == m) f_pre[m] <= 1'b0;
    end
    if (flush_i) f_pre <= '1;
    if (flush_i) f_may <= 1'b0;
    else if (f_fl && f_mine[fl_id_i] && !f_pre[fl_id_i]) f_may <= 1'b1;
    if (!rst_ni) begin
      f_open <= '0;
      f_may <= 1'b0;
    end

    if (f_take) begin
      f_out_ppn <= lk_ppn_i;
      f_out_sub <= lk_sub_i;
      f_hit_may <= f_may;
      f_allowed <= {{(FB - 1) {1'b0}}, 1'b1} << f_aid;
    end else if (f_up_mine) begin
      f_allowed[up_aid_i] <= 1'b1;
    end
    if (f_take) f_out <= 1'b1;
    else if (rs_valid_o && rs_tag_o == f_tag) f_out <= 1'b0;
    f_in_stage <= f_take;
    f_in_list <= (f_in_stage && lk_miss) || (f_in_list && !(answer && first == f_place));
    f_in_answer <= (f_in_stage && lk_hit) || (f_in_list && answer && first == f_place);
    if (f_in_stage) f_place <= place;
    if (!rst_ni) {f_out, f_in_stage, f_in_list, f_in_answer} <= '0;

    if (!f_started) assume (!rst_ni);
    // The environment: memory returns the mapped atoms; a tag is not reused before its answer.
    if (f_fl && f_mine[fl_id_i] && f_fresh[fl_id_i]) assume (f_fl_aid == f_aid);
    if (f_out) assume (!(lk_valid_i && lk_tag_i == f_tag));
  end

  // The page in its set and among the misses; the unit's atom after the fill and the updates.
  logic [WAYS-1:0] f_way, f_way_right, f_row_right;
  logic [NMISS-1:0] f_miss, f_drained, f_covered, f_miss_right, f_list_right;
  logic [31:0] f_first_row;
  assign f_first_row = f_set * WAYS;
  for (genvar w = 0; w < WAYS; w++) begin : g_f_way
    logic [TW-1:0] row_tag;
    logic [DW-1:0] row_data;
    logic row_valid;
    assign row_valid = valid_q[f_first_row+w];
    assign row_tag = tags_q[f_first_row+w];
    assign row_data = data_q[f_first_row+w];
    assign f_way[w] = row_valid && row_tag == f_ptag;
    assign f_way_right[w] = row_data[f_unit*IDW+:IDW] == f_val;
    assign f_row_right[w] = row_val_q[w] == row_valid && (!row_valid || (row_tag_q[w] == row_tag && row_data_q[w] == row_data));
  end
  logic [NW*MW-1:0] f_owner;  // the list that each waiter's place is in, and the number of waiters before it
  logic [NW*(PW+1)-1:0] f_rank;
  logic [NMISS*(PW+1)-1:0] f_count;
  for (genvar m = 0; m < NMISS; m++) begin : g_f_miss
    logic [DW-1:0] data;
    logic [UNITS-1:0] mask;
    logic merged;
    assign data = miss_data_q[m];
    assign mask = miss_mask_q[m];
    assign merged = merged_q[m] && mask[f_unit];
    assign f_miss[m] = miss_q[m] && miss_ppn_q[m] == f_ppn;
    assign f_drained[m] = drain_q && drain_id_q == m;
    assign f_covered[m] = !sent_q[m] || f_fresh[m] || merged || f_pend;
    assign f_miss_right[m] = !merged || data[f_unit*IDW+:IDW] == f_val;
    // the list of a miss: the head has rank 0, the tail has the last rank, links connect consecutive ranks
    logic [PW:0] count;
    logic [NW-1:0] right;
    assign count = f_count[m*(PW+1)+:(PW+1)];
    for (genvar p = 0; p < NW; p++) begin : g_place
      logic [PW:0] rank, next_rank;
      logic [PW-1:0] next;
      logic mine;
      assign rank = f_rank[p*(PW+1)+:(PW+1)];
      assign next = next_q[p*PW+:PW];
      assign next_rank = f_rank[next*(PW+1)+:(PW+1)];
      assign mine = wait_q[p] && f_owner[p*MW+:MW] == m;
      assign right[p] = !mine || (rank < count && miss_q[m] && some_q[m] &&
          (rank == 0) == (head_q[m*PW+:PW] == p) && (rank + 1'b1 == count) == (tail_q[m*PW+:PW] == p) &&
          (rank + 1'b1 == count || (wait_q[next] && f_owner[next*MW+:MW] == m && next_rank == rank + 1'b1)));
    end
    logic [PW-1:0] head, tail;
    assign head = head_q[m*PW+:PW];
    assign tail = tail_q[m*PW+:PW];
    assign f_list_right[m] = &right && some_q[m] == (count != 0) &&
        (!some_q[m] || (wait_q[head] && f_owner[head*MW+:MW] == m && wait_q[tail] && f_owner[tail*MW+:MW] == m));
  end
  always @(posedge clk_i) begin
    for (int p = 0; p < NW; p++) begin
      if (answer && wait_q[p] && f_owner[p*MW+:MW] == drain_id_q) begin
        f_rank[p*(PW+1)+:(PW+1)] <= f_rank[p*(PW+1)+:(PW+1)] - 1'b1;
      end
    end
    for (int m = 0; m < NMISS; m++) begin
      f_count[m*(PW+1)+:(PW+1)] <= f_count[m*(PW+1)+:(PW+1)] + (lk_miss && miss_id == m) - (answer && drain_id_q == m);
    end
    if (lk_miss) begin
      f_owner[place*MW+:MW] <= miss_id;
      f_rank[place*(PW+1)+:(PW+1)] <= f_count[miss_id*(PW+1)+:(PW+1)] - (answer && drain_id_q == miss_id);
    end
    if (!rst_ni) f_count <= '0;
  end

  // Misses that are not yet requested are in the ring, each once.
  logic [NMISS-1:0] f_unsent, f_ring [0:NMISS];
  logic [NMISS:0] f_ring_right;
  assign f_unsent = miss_q & ~sent_q;
  assign f_ring[0] = '0;
  assign f_ring_right[0] = 1'b1;
  logic [31:0] f_pending;
  always @* begin : count_unsent
    f_pending = 0;
    for (int m = 0; m < NMISS; m++) f_pending = f_pending + f_unsent[m];
  end
  for (genvar k = 0; k < NMISS; k++) begin : g_f_ring
    logic [31:0] at;
    logic [MW-1:0] id;
    logic [NMISS-1:0] id_bit;
    assign at = order_head_q + k >= NMISS ? order_head_q + k - NMISS : order_head_q + k;
    assign id = order_q[at*MW+:MW];
    assign id_bit = {{(NMISS - 1) {1'b0}}, 1'b1} << id;
    assign f_ring[k+1] = f_ring[k] | (k < f_pending ? id_bit : '0);
    assign f_ring_right[k+1] = f_ring_right[k] && (k >= f_pending || (|(id_bit & f_unsent) && !(|(id_bit & f_ring[k]))));
  end

  logic [SETS*WAYS-1:0] f_valid_last;
  logic [SETS*NODES-1:0] f_lru_last;
  logic [2+TAGW+IDW-1:0] f_rs_last;
  logic [127:0] f_counters_last;
  logic [2*NMISS+2*MW-1:0] f_misses_last;
  always @(posedge clk_i) begin
    f_valid_last <= valid_q;
    f_lru_last <= lru_q;
    f_rs_last <= {rs_valid_o, rs_hit_o, rs_tag_o, rs_aid_o};
    f_counters_last <= {c_lk_o, c_hit_o, c_miss_o, c_merge_o};
    f_misses_last <= {miss_q, sent_q, order_head_q, order_tail_q};
  end

  logic f_stage_here;
  assign f_stage_here = (lk_q || up_q) && (SETS == 1 || ppn_q[XW-1:0] == f_set);
  always @(posedge clk_i) begin
    if (f_started) begin
      // An answer belongs to a lookup not yet answered, with an atom that its unit has had since the lookup started: a
      // lookup that starts after an update returns the mapped atom.
      if (rs_valid_o && rs_tag_o == f_tag) assert (f_out);
      if (rs_valid_o && rs_tag_o == f_tag && f_same) assert (f_allowed[rs_aid_o]);
      // No lookup is lost: it is in the pipeline, in the list of an outstanding miss of its page, or answered in this cycle.
      assert (f_out == (f_in_stage || f_in_list || f_in_answer));
      if (!busy_o) assert (!f_out);
      // A hit finds data of a request that was made after the last flush and filled before the lookup.
      if (rs_valid_o && rs_tag_o == f_tag && rs_hit_o && f_out_ppn == f_ppn) assert (f_hit_may);
      if (|f_way) assert (f_may);
      // A page is in at most one way and in at most one miss, and in both only while its waiters are answered.
      assert ((f_way & (f_way - 1'b1)) == '0);
      for (int m = 0; m < NMISS; m++) begin
        for (int o = 0; o < m; o++) assert (!(miss_q[m] && miss_q[o] && miss_ppn_q[m] == miss_ppn_q[o]));
      end
      if (|f_way) assert ((f_miss & ~f_drained) == '0 && !(|f_miss && install_q));
      // A request is stable until it is taken, and a page is not requested twice.
      if (f_held) assert (ms_valid_o && ms_ppn_o == f_held_ppn && ms_id_o == f_held_id);
      if (f_ms && ms_ppn_o == f_ppn) assert ((f_open & f_mine) == '0 && !f_open[ms_id_o]);
      // Every lookup counts as a hit or a miss when it leaves the comparison.
      assert (c_lk_o == c_hit_o + c_miss_o + lk_q);
      // No lookup is taken in the cycle of a flush or an update, and no fill in the cycle of a flush.
      if (flush_i) assert (!lk_ready_o && !fl_ready_o);
      if (up_valid_i || f_up_last) assert (!lk_ready_o);
      // A flush leaves no entry.
      if (f_was_flush || f_was_reset) assert (valid_q == '0 && !install_q);
      // An idle cycle with busy_o = 0 changes nothing.
      if (f_was_idle) begin
        assert (!busy_o && valid_q == f_valid_last && (WAYS == 1 || lru_q == f_lru_last));
        assert ({rs_valid_o, rs_hit_o, rs_tag_o, rs_aid_o} == f_rs_last);
        assert ({c_lk_o, c_hit_o, c_miss_o, c_merge_o} == f_counters_last);
        assert ({miss_q, sent_q, order_head_q, order_tail_q} == f_misses_last);
      end

      // Invariants that the induction needs. Updates are written in the cycle after they came.
      assert (up_q == f_up_last && !(lk_q && up_q));
      if (lk_q) assert (|wait_free && |miss_free);
      assert (f_pend == (up_q && ppn_q == f_ppn && mask_q[f_unit]));
      if (f_pend) assert (aid_q == f_aid);
      // The stored atom of the unit: in a way, in a miss, in the drain register.
      for (int w = 0; w < WAYS; w++) begin
        if (f_way[w]) assert (f_way_right[w]);
        if (f_stage_here) assert (f_row_right[w]);
      end
      for (int m = 0; m < NMISS; m++) begin
        assert (f_open[m] == (miss_q[m] && sent_q[m] && !f_drained[m]));
        if (f_open[m]) assert (f_mine[m] == f_miss[m]);
        if (f_miss[m] && !f_drained[m]) assert (f_covered[m] && f_miss_right[m]);
        if (miss_q[m]) assert (noinst_q[m] == f_pre[m]);
        assert (f_list_right[m]);
        // no lookup waits for a freed miss, and each miss has waiters until it drains
        if (miss_q[m] && !f_drained[m]) assert (some_q[m]);
      end
      if (drain_q) assert (miss_q[drain_id_q] && sent_q[drain_id_q] && miss_ppn_q[drain_id_q] == drain_ppn_q);
      if (drain_q) assert (drain_id_q < NMISS);
      if (drain_q && drain_ppn_q == f_ppn) assert (drain_data_q[f_unit*IDW+:IDW] == f_val);
      if (install_q) assert (drain_q && !f_pre[drain_id_q] && (drain_ppn_q != f_ppn || f_may));
      for (int p = 0; p < NW; p++) begin
        if (wait_q[p]) assert (f_owner[p*MW+:MW] < NMISS);
        for (int o = 0; o < p; o++) begin
          if (wait_q[p] && wait_q[o] && f_owner[p*MW+:MW] == f_owner[o*MW+:MW]) begin
            assert (f_rank[p*(PW+1)+:(PW+1)] != f_rank[o*(PW+1)+:(PW+1)]);
          end
        end
      end
      // The ring of requests.
      assert (&f_ring_right && order_head_q < NMISS && order_tail_q < NMISS);
      assert (order_tail_q == (order_head_q + f_pending >= NMISS ? order_head_q + f_pending - NMISS : order_head_q + f_pending));
      // The lookup with the tag is in its place and nowhere else.
      assert (f_in_stage == (lk_q && tag_q == f_tag) && f_in_answer == (rs_q && rs_tag_q == f_tag));
      for (int p = 0; p < NW; p++) assert ((wait_q[p] && wait_tag_q[p] == f_tag) == (f_in_list && f_place == p));
      assert (!(f_in_stage && f_in_list) && !(f_in_stage && f_in_answer) && !(f_in_list && f_in_answer));
      if (f_in_stage) assert (ppn_q == f_out_ppn && sub_q == f_out_sub);
      if (f_in_list) assert (f_place < NW && wait_q[f_place]);
      if (f_in_list) assert (wait_sub_q[f_place] == f_out_sub && miss_ppn_q[f_owner[f_place*MW+:MW]] == f_out_ppn);
      if ((f_in_stage || f_in_list) && f_same) assert (f_allowed[f_aid] && (!f_pend || f_allowed[f_prev]));
      if (f_in_stage && f_out_ppn == f_ppn && |f_way) assert (f_hit_may);

      // Updates: of an outstanding miss, of a fill that waits to be written, of the page whose waiters are answered.
      cover (f_pend && |(f_miss & f_open));
      cover (f_pend && install_q && drain_ppn_q == f_ppn);
      cover (f_pend && drain_q && !install_q && drain_ppn_q == f_ppn && some_q[drain_id_q]);
      // The lookup returns the second of two atoms that were mapped while it waited; it hits a mapped atom.
      cover (rs_valid_o && rs_tag_o == f_tag && f_same && !rs_hit_o && rs_aid_o != f_first);
      cover (rs_valid_o && rs_tag_o == f_tag && f_same && rs_hit_o && rs_aid_o != f_first);
      // A lookup joins a miss from before a flush, a miss that drains, and a miss that has lost its last waiter.
      cover (f_in_stage && lk_miss && joined && f_pre[miss_id]);
      cover (f_in_stage && lk_miss && |(same & drain_bit) && !some_q[drain_id_q]);
      cover (f_in_stage && lk_miss && |(same & drain_bit) && emptied);
      // A flush comes with a fill that waits to be written, with an offered fill, with all misses outstanding.
      cover (flush_i && install_q);
      cover (flush_i && fl_valid_i && |(f_open & f_mine) && f_known);
      cover (flush_i && &f_open);
      // A fill of a miss from before the flush; a page is evicted; an idle cycle with an entry.
      cover (drain_q && f_pre[drain_id_q] && drain_ppn_q == f_ppn && &some_q);
      cover (install && &port_val);
      cover (f_was_idle && |f_way);
    end
  end
