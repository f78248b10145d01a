// SPDX-License-Identifier: Apache-2.0
// Laws of d2ma_ctrl_array, inside the module. They follow one entry, one bit of it and one warp, each
// arbitrary and fixed for the run, from the ports only; so the induction covers all entries, bits and
// warps, and runs of any length. The environment is assumed to send a reply only for an outstanding
// request, to have no more requests than MSHRs, and to send a warp's operations only for its own CTA. The queue holds entries from
// three rows on.
// prove: bmc=2 induct=2 CTAS=2 BUFS=1 WARPS=2 MSHRS=2
// prove-nightly: bmc=2 induct=2 CTAS=3 BUFS=1 WARPS=1 MSHRS=1
// prove-nightly: bmc=2 induct=2 CTAS=1 BUFS=2 WARPS=2 MSHRS=2
// prove-nightly: cover=10 CTAS=2 BUFS=1 WARPS=2 MSHRS=2
// prove-nightly: bmc=5 CTAS=2 BUFS=2 WARPS=3 MSHRS=3
// equal: CTAS=2 BUFS=1 WARPS=2 MSHRS=2
// equal-nightly: CTAS=3 BUFS=2 WARPS=24 MSHRS=9

  (* anyconst *) logic [CW-1:0] f_cta;
  (* anyconst *) logic [BW-1:0] f_buf;
  (* anyconst *) logic [WW-1:0] f_warp;
  (* anyconst *) logic [7:0] f_bit;
  logic f_started = 1'b0;
  logic [RW-1:0] f_row;
  logic [ROWS-1:0] f_mask;
  assign f_row = row_of(f_cta, f_buf);
  assign f_mask = ROW_0 << f_row;

  // Events of the entry in this cycle.
  logic f_wr, f_clr, f_fill, f_load, f_running, f_taken, f_told, f_group;
  assign f_wr = wr_on && wr_cta_i == f_cta && wr_buf_i == f_buf;
  assign f_clr = clr_on && clr_cta_i == f_cta;
  assign f_fill = fl_on && fl_cta_i == f_cta && fl_buf_i == f_buf;
  assign f_load = load_d && next_row == f_row;
  assign f_running = run_q && run_row == f_row;
  assign f_taken = f_running && ag_taken_i && !f_clr;
  assign f_told = ck_cta_o == f_cta && ck_buf_o == f_buf;
  assign f_group = f_bit < 8'd80 ? wr_grp_i[0]
                 : f_bit < 8'd112 || f_bit == 8'd114 ? wr_grp_i[1]
                 : f_bit < 8'd114 ? wr_grp_i[3] : wr_grp_i[2];

  // The entry's bit, and the entry as the registers hold it.
  logic f_value, f_value_seen;
  logic [172:0] f_entry;
  logic [79:0] f_bases;
  logic [32:0] f_shape;
  logic [57:0] f_word;
  logic [1:0] f_esz;
  assign f_bases = grp0_q[f_row] ? bases_q[f_row] : '0;
  assign f_shape = grp1_q[f_row] ? shape_q[f_row] : '0;
  assign f_word = grp2_q[f_row] ? word_q[f_row] : '0;
  assign f_esz = grp3_q[f_row] ? esz_q[f_row] : '0;
  assign f_entry = {f_word, f_shape[32], f_esz, f_shape[31:0], f_bases};
  assign f_value_seen = f_wr && wr_act_o == 2'd1 && f_group ? wr_data_i[f_bit] : f_value && !f_clr;

  // Outstanding requests of the entry, membership of the warp in the entry's CTA, and its arrival.
  logic [7:0] f_out;
  logic f_member, f_gone, f_gone_seen, f_joined, f_joined_seen, f_opens, f_asks, f_forced, f_freed_due;
  assign f_gone_seen = f_gone || (exit_on && exit_warp_i == f_warp);
  assign f_asks = f_wr && wr_warp_i == f_warp;
  assign f_opens = f_wr && wr_act_o == 2'd1 && (wr_kind_i == 2'd1 || (wr_kind_i == 2'd2 && !literal_i));
  assign f_forced = force_on && force_cta_i == f_cta && force_buf_i == f_buf;
  assign f_joined_seen = f_opens ? f_asks
                       : f_joined || f_forced || (f_asks && wr_act_o == 2'd2 && ignition);

  logic [WARPS-1:0] f_wr_warps, f_force_warps;
  assign f_wr_warps = warps_q[wr_cta_i];
  assign f_force_warps = warps_q[force_cta_i];
  // One cycle later.
  logic f_was_reset, f_was_idle, f_was_woken, f_left, f_ended, f_went, f_armed, f_read, f_value_read;
  logic [11*ROWS-1:0] f_masks, f_masks_last;
  logic [172:0] f_entry_last;
  logic [WARPS-1:0] f_wait_last;
  assign f_masks = {grp0_q, grp1_q, grp2_q, grp3_q, armed_q, full_q, ready_q, flying_q, done_q, open_q, stale_q};
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !busy_o && !wr_en_i && !clr_cta_en_i && !exit_en_i && !force_en_i && !fl_en_i &&
                  !wt_en_i && !fp_en_i && !wk_en_i;
    f_was_woken <= rst_ni && freed_o[f_cta] && f_member;
    f_freed_due <= rst_ni && (((ck_clr_o || ck_forget_o) && ck_cta_o == f_cta) || (wk_en_i && wk_cta_i == f_cta));
    f_left <= rst_ni && |(leave & f_mask);
    f_ended <= rst_ni && |(fin & f_mask);
    f_went <= rst_ni && f_wr && go_live_o && wr_go_i && rd_some_o;
    f_armed <= rst_ni && f_wr && ((go_arm_o && wr_go_i && rd_some_o) || arms);
    f_read <= rst_ni && fp_on && fp_cta_i == f_cta && fp_buf_i == f_buf;
    f_value_read <= f_value && !f_clr;
    f_masks_last <= f_masks;
    f_entry_last <= f_entry;
    f_wait_last <= wait_q;
    if (!rst_ni) begin
      f_value <= 1'b0;
      f_out <= '0;
      f_member <= 1'b0;
      f_gone <= 1'b0;
      f_joined <= 1'b0;
    end else begin
      f_value <= f_value_seen;
      if (f_load) f_out <= '0;
      else f_out <= f_out + {7'd0, f_taken} - {7'd0, f_fill};
      if (f_clr) f_member <= clr_warps_i[f_warp];
      f_gone <= f_gone_seen && !(clr_on && clr_warps_i[f_warp]);
      f_joined <= f_joined_seen;
    end
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - CW) {1'b0}}, f_cta} < CTAS && {{(32 - BW) {1'b0}}, f_buf} < BUFS);
    assume ({{(32 - WW) {1'b0}}, f_warp} < WARPS);
    assume (f_bit < 8'd173);
    if (f_fill) assume (f_out != '0);
    if (f_taken) assume (f_out < MSHRS);
    // A warp is in one CTA only, and a slot whose CTA has ended makes no requests.
    if (f_member && wr_on && wr_cta_i != f_cta)
      assume (wr_warp_i != f_warp && !(cta_q[wr_cta_i] && f_wr_warps[f_warp]));
    if (f_member && clr_on && clr_cta_i != f_cta) assume (!clr_warps_i[f_warp]);
    if (f_member && force_on && force_cta_i != f_cta)
      assume (!(cta_q[force_cta_i] && f_force_warps[f_warp]));
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // An entry reads as it was last written since its CTA's launch, and so does one that starts or whose footprint is wanted.
      if (f_wr) assert (rd_entry_o[f_bit] == f_value_seen);
      if (load_q && f_running) assert (entry_q[f_bit] == f_value);
      if (fp_ok_o && f_read) assert (ag_entry_o[f_bit] == f_value_read);
      assert (f_entry[f_bit] == f_value);
      if (load_q) assert (read_q && run_q);
      // Each entry is in exactly one state; at most one entry is in the address generator.
      if (armed_q[f_row]) assert (open_q[f_row]);
      if (load_d) assert (!run_q);
      // The checker is told of one entry at a time: of an operation, an end, or a full entry, and of nothing else.
      assert (!(ck_set_o && ck_clr_o));
      assert ((fin & (fin - 1'b1)) == '0 && (leave & (leave - 1'b1)) == '0 && (fin == '0 || leave == '0));
      if (wr_en_i) assert (fin == '0 && leave == '0);
      assert ((ck_set_o && f_told) == (f_left || f_went));
      assert ((ck_clr_o && f_told) == f_ended);
      assert ((ck_arm_o && f_told) == f_armed);
      if (f_left) assert (ck_forget_o);
      if (|(fin & f_mask)) assert (done_q[f_row] && !f_clr && !moving_o[f_row] && !armed_o[f_row]);
      if (done_q[f_row] && !f_clr && |fin) assert ((fin & (f_mask - 1'b1)) != '0 || (fin & f_mask) != '0);
      // Done: not in the address generator and no reply outstanding.
      if (done_q[f_row]) assert (!f_running && f_out == '0);
      if (flying_q[f_row]) assert ({{(8 - MW) {1'b0}}, count_q[f_row]} == f_out);
      else assert (f_out == '0);
      if (flying_q[f_row] && !f_running) assert (f_out != '0);
      assert (f_out <= MSHRS);
      // An armed entry is ignited when every live warp has arrived, and not before.
      if (full_q[f_row] && f_member && !f_gone) assert (f_joined);
      if (|(leave & f_mask)) assert (full_q[f_row] && !f_clr);
      if (go_live_o && f_wr && f_member && !f_gone_seen && !f_clr && !literal_i && configured) assert (f_asks);
      if (open_q[f_row] && f_member && !f_gone) assert (arrived_q[f_buf][f_warp] == f_joined);
      if (cta_q[f_cta]) assert (warps_q[f_cta][f_warp] == f_member);
      else assert (!f_member);
      assert (gone_q[f_warp] == f_gone);
      // An entry without elements, or refused, is not ignited.
      if (f_went) assert (ck_set_o);
      if (f_wr && wr_act_o == 2'd1 && !(wr_go_i && rd_some_o)) assert (!push_mask[f_row] && !armed_d[f_row]);
      // A killed entry makes no further request.
      if (load_q && f_running) assert (!stale_q[f_row]);
      if (f_clr && f_running) assert (ag_abort_o && !ag_start_o);
      // An entry is not written while it is in flight or killed, and a warp that arrives a second time waits.
      if (f_wr && (stale_q[f_row] || (f_clr && occupied[f_row]))) assert (wr_act_o == 2'd3);
      if (f_wr && wr_act_o == 2'd1) assert (!occupied[f_row]);
      // No release is lost: a release wakes all waiting warps of its CTA, and they wait no more.
      if (f_freed_due) assert (freed_o[f_cta]);
      if (freed_o[f_cta] && f_member && (wait_q[f_warp] || (waits && wr_warp_i == f_warp))) assert (wake_o[f_warp]);
      if (f_was_woken) assert (!wait_q[f_warp]);
      // A generation ends only when its entry is idle and every live warp has arrived.
      if (open_q[f_row] && !open_o[f_row] && !f_clr)
        assert (!occupied[f_row] && !(f_member && !f_gone && !f_joined));
      // Who arrives makes its CTA be looked at.
      if (f_opens) assert (look_d[f_cta]);
      // An idle tick with busy = 0 changes nothing.
      if (f_was_idle) assert (f_masks == f_masks_last && f_entry == f_entry_last && wait_q == f_wait_last && !run_q);
      if (f_was_reset) assert (f_masks == '0 && !busy_o);

      cover (ck_set_o && ck_forget_o && f_told && f_member && f_joined);
      cover (f_ended && f_was_woken);
      cover (ck_clr_o && f_told && ck_stale_o);
      cover (f_was_woken && f_wait_last[f_warp]);
      cover (open_q[f_row] && !open_o[f_row] && !f_clr);
      cover (go_live_o && f_wr && configured && !literal_i);
      cover (f_was_idle && armed_q[f_row]);
      cover (ag_start_o && f_running && f_value);
      cover (fp_ok_o && f_read && f_value);
    end
  end

  // Every ready entry is in next_q or in the queue, once, and no other entry is; the places in use are those between head
  // and tail.
  for (genvar r = 0; r < ROWS; r++) begin : g_ready
    localparam logic [RW-1:0] ROW = r;
    logic [ROWS-1:0] f_slots;
    logic f_next;
    assign f_next = next_on_q && next_row == ROW;
    for (genvar i = 0; i < ROWS; i++) begin : g_slot
      logic [CW-1:0] f_slot_cta;
      logic [BW-1:0] f_slot_buf;
      assign {f_slot_cta, f_slot_buf} = queue_q[i];
      assign f_slots[i] = queued_q[i] && row_of(f_slot_cta, f_slot_buf) == ROW;
      always @(posedge clk_i)
        if (f_started && queued_q[i])
          assert ({{(32 - CW) {1'b0}}, f_slot_cta} < CTAS && {{(32 - BW) {1'b0}}, f_slot_buf} < BUFS);
    end
    always @(posedge clk_i)
      if (f_started) begin
        assert (ready_q[r] == (|f_slots || f_next) && (f_slots & (f_slots - 1'b1)) == '0 && !(|f_slots && f_next));
        assert ({2'b0, armed_q[r]} + {2'b0, ready_q[r]} + {2'b0, flying_q[r]} + {2'b0, done_q[r]} <= 3'd1);
        if (full_q[r]) assert (armed_q[r]);
        if (stale_q[r]) assert (occupied[r] && !armed_q[r] && !full_q[r]);
        if (run_mask[r]) assert (flying_q[r]);
      end
  end
  logic [RW:0] f_length;
  always_comb begin
    f_length = '0;
    for (int i = 0; i < ROWS; i++) f_length = f_length + {{RW{1'b0}}, queued_q[i]};
  end
  // The place `i` is in use exactly if it is one of the f_length places from head on.
  for (genvar i = 0; i < ROWS; i++) begin : g_place
    localparam logic [RW+1:0] PLACE = i;
    logic [RW+1:0] f_behind;
    assign f_behind = PLACE >= {2'b0, head_q} ? PLACE - {2'b0, head_q} : PLACE + ROWS - {2'b0, head_q};
    always @(posedge clk_i)
      if (f_started) assert (queued_q[i] == (f_behind < {1'b0, f_length}));
  end
  logic [RW+1:0] f_end;
  assign f_end = {2'b0, head_q} + {1'b0, f_length};
  always @(posedge clk_i) begin
    if (f_started) begin
      assert ({{(32 - RW) {1'b0}}, head_q} < ROWS && {{(32 - RW) {1'b0}}, tail_q} < ROWS);
      assert ({2'b0, tail_q} == (f_end >= ROWS ? f_end - ROWS : f_end));
      if (f_length != '0) assert (queued_q[head_q] && next_on_q);
      if (next_on_q) assert ({{(32 - CW) {1'b0}}, next_cta} < CTAS && {{(32 - BW) {1'b0}}, next_buf} < BUFS);
      assert ({{(32 - CW) {1'b0}}, run_cta_q} < CTAS && {{(32 - BW) {1'b0}}, run_buf_q} < BUFS);
      if (f_length == 1) assert (!queued_q[tail_q] || ROWS == 1);
    end
  end
