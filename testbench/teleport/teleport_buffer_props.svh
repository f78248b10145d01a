// SPDX-License-Identifier: Apache-2.0
// Laws of teleport_buffer that concern the parts together, from reset. They follow one slot and one line, arbitrary and fixed for
// the run.
// prove: bmc=5 SETS=1 WAYS=2 SLOTS=2
// prove-nightly: bmc=8 cover=7 SETS=1 WAYS=2 SLOTS=2
// equal: SETS=1 WAYS=2 SLOTS=2
// equal-nightly: SETS=4 WAYS=4 SLOTS=8

  (* anyconst *) logic f_slot;
  (* anyconst *) logic [56:0] f_line;
  logic f_started = 1'b0;
  logic f_none;  // no way may be used
  logic f_waits, f_told, f_came, f_was_reset;
  logic f_absent;  // the line has not come since a reset or its invalidation
  logic f_gone;    // so it was when a probe of it was taken
  logic [15:0] f_replies, f_total;
  logic f_start, f_reply, f_message;
  assign f_start = start_en_i && start_slot_i == f_slot;
  assign f_reply = reply_valid_i && reply_slot_i == f_slot;
  assign f_message = msg_en_i && msg_slot_i == f_slot;
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_came <= rst_ni && reply_valid_i && reply_line_i == f_line && !clear_i && !limit_en_i;
    f_gone <= rst_ni && probe_valid_i && probe_ready_o && probe_line_i == f_line && f_absent;
    if (!rst_ni) f_absent <= 1'b1;
    else if (reply_valid_i) f_absent <= f_absent && reply_line_i != f_line;
    else if (inval_valid_i && inval_ready_o && inval_line_i == f_line) f_absent <= 1'b1;
    if (!rst_ni) begin
      {f_waits, f_told, f_none} <= '0;
      f_replies <= '0;
    end else begin
      if (f_start) begin
        f_waits <= 1'b1;
        f_told <= f_message;
        f_replies <= {15'd0, f_reply};
      end else begin
        if (activate_o[f_slot]) f_waits <= 1'b0;
        if (f_waits && f_reply) f_replies <= f_replies + 16'd1;
        if (f_waits && f_message) f_told <= 1'b1;
      end
      if (f_message) f_total <= msg_total_i;
      if (limit_en_i) f_none <= limit_i == '0;
    end
    if (!f_started) assume (!rst_ni);
    if (f_message) assume (!f_told || f_start);
  end

  always @(posedge clk_i) begin
    if (f_started) begin
      // A reply counts for its slot, whether or not its line stays; the CTA is activated when all have come.
      assert (held_o[f_slot] == f_waits);
      assert (activate_o[f_slot] == (f_waits && f_told && f_replies == f_total));
      // A reply goes into the tags: it is answered in the next cycle.
      assert (answer_o == 2'd1 || !f_came);
      if (f_came && !f_none) assert (hit_o || placed_o);
      // A line that has not come, or was invalidated, is not found.
      if (f_gone) assert (!hit_o);
      // A reply goes before an invalidation and a probe.
      if (reply_valid_i) assert (!probe_ready_o && !inval_ready_o);
      assert (busy_o == (answer_o != 2'd0 || activate_o != '0));
      if (f_was_reset) assert (!busy_o && held_o == '0);

      cover (activate_o[f_slot] && f_replies == 16'd2);
      cover (f_came && placed_o);
      cover (f_came && hit_o);
    end
  end
