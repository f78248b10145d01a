// SPDX-License-Identifier: Apache-2.0
// Laws of teleport_pend, inside the module. They follow one slot, arbitrary and fixed for the run, and count its events at the
// ports. The environment is assumed to send one message for a CTA, and no more replies than it says.
// prove: bmc=4 induct=2 SLOTS=3
// prove-nightly: bmc=8 induct=2 cover=8 SLOTS=3
// prove-nightly: bmc=4 induct=2 SLOTS=8
// equal: SLOTS=8
// equal-nightly: SLOTS=1
// equal-nightly: SLOTS=5
// equal-nightly: SLOTS=32

  (* anyconst *) logic [SB-1:0] f_slot;
  logic f_started = 1'b0;
  logic f_was_reset, f_was_idle, f_waits, f_told, f_activated, f_complete, f_last_reply;
  logic [15:0] f_replies, f_total;
  logic [SLOTS-1:0] f_held;
  logic f_start, f_reply, f_message, f_pulse;
  assign f_start = start_en_i && start_slot_i == f_slot;
  assign f_reply = reply_en_i && reply_slot_i == f_slot;
  assign f_message = msg_en_i && msg_slot_i == f_slot;
  assign f_pulse = activate_o[f_slot];
  always @(posedge clk_i) begin
    f_started <= 1'b1;
    f_was_reset <= !rst_ni;
    f_was_idle <= rst_ni && !busy_o && !start_en_i && !reply_en_i && !msg_en_i;
    f_held <= held_o;
    f_last_reply <= rst_ni && f_reply && f_waits;
    if (!rst_ni) begin
      f_waits <= 1'b0;
      f_told <= 1'b0;
      f_activated <= 1'b0;
      f_replies <= '0;
    end else if (f_start) begin
      f_waits <= 1'b1;
      f_told <= f_message;
      f_activated <= 1'b0;
      f_replies <= {15'd0, f_reply};
      if (f_message) f_total <= msg_total_i;
    end else begin
      if (f_pulse) begin
        f_waits <= 1'b0;
        f_activated <= 1'b1;
      end
      if (f_waits && f_reply) f_replies <= f_replies + 16'd1;
      if (f_waits && f_message) begin
        f_told <= 1'b1;
        f_total <= msg_total_i;
      end
    end
    if (!f_started) assume (!rst_ni);
    assume ({{(32 - SB) {1'b0}}, f_slot} < SLOTS);
    // No more replies than requests, one message.
    if (f_message && !f_start) assume (!f_told && msg_total_i >= f_replies + {15'd0, f_reply});
    if (f_message && f_start) assume (msg_total_i >= {15'd0, f_reply});
    if (f_reply && !f_start) assume (f_waits && !f_pulse && f_replies != 16'hffff && !(f_told && f_replies == f_total));
  end
  assign f_complete = f_told && f_replies == f_total;

  always @(posedge clk_i) begin
    if (f_started) begin
      // A slot is held from its start to its activation.
      assert (held_o[f_slot] == f_waits);
      // It is activated once, when its number is known and as many replies have come: not before its last reply.
      assert (f_pulse == (f_waits && f_complete));
      if (f_activated) assert (!f_pulse);
      assert (busy_o == (activate_o != '0));
      if (f_pulse) assert (!f_activated && f_replies == f_total);
      // Replies never outnumber requests.
      if (f_waits && f_told) assert (f_replies <= f_total);
      // Invariants.
      assert (known_q[f_slot] == (f_waits && f_told));
      if (f_waits) assert (received_q[f_slot*16+:16] == f_replies);
      if (f_waits && f_told) assert (total_q[f_slot*16+:16] == f_total);
      assert (!(f_waits && f_activated));
      // An idle tick with busy = 0 changes nothing; a reset leaves no slot held.
      if (f_was_idle && !f_was_reset) assert (!busy_o && held_o == f_held);
      if (f_was_reset) assert (held_o == '0 && !busy_o);

      // The message comes last, a reply comes last, there is no reply at all; two slots at once; a start in the same cycle.
      cover (f_pulse && f_replies == 16'd2 && !f_last_reply);
      cover (f_pulse && f_replies == 16'd2 && f_last_reply);
      cover (f_pulse && f_total == 16'd0);
      cover (f_pulse && (activate_o & (activate_o - 1'b1)) != '0);
      cover (f_pulse && f_start);
      cover (f_activated);
      cover (f_was_idle && f_waits);
    end
  end
