// SPDX-License-Identifier: Apache-2.0
//
// teleport_pend: the pending counters of an SM (Lashgar et al. 2018; assumption: the last message, ports and cycle behaviour). A
// thread block (CTA) that was placed in a slot is held until every line that was requested for it has come. The SM counts
// replies; one message after the last request brings the number of requests.
//
// Start      start_en_i holds slot start_slot_i: no reply yet, number unknown. A reply or message of the same cycle for the slot
//            counts for the CTA that starts.
// Replies    one a cycle, before or after the message. A reply for a slot that is not held is ignored.
// Message    the number of replies. A second message for a slot replaces the first.
// Activation activate_o has a one for each held slot whose replies are all here, in the cycle after the event that completed
//            it; the slot is then held no more. A start in that very cycle holds it anew.
// Out of range  assumption: events for slot SLOTS or above are ignored. The caller sends no more replies than the message says,
//            and at most 65535.
// Reset      synchronous, active low: no slot is held.
// Idle       busy_o: a slot is activated in this cycle. A slot that merely waits is not busy.

`include "needs.vh"

module teleport_pend #(
    parameter int SLOTS = 8  // CTA slots of the SM, 1..32
) (
    input  logic                                       clk_i,
    input  logic                                       rst_ni,
    // events
    input  logic                                       start_en_i,    // a CTA is placed and held
    input  logic [(SLOTS <= 2 ? 1 : $clog2(SLOTS))-1:0] start_slot_i, // its slot
    input  logic                                       reply_en_i,    // a line has come
    input  logic [(SLOTS <= 2 ? 1 : $clog2(SLOTS))-1:0] reply_slot_i, // slot of the CTA that waits for it
    input  logic                                       msg_en_i,      // the message after the last request
    input  logic [(SLOTS <= 2 ? 1 : $clog2(SLOTS))-1:0] msg_slot_i,   // slot of its CTA
    input  logic [15:0]                                msg_total_i,   // lines that were requested
    // CTAs
    output logic [SLOTS-1:0]                           activate_o,    // the CTA in this slot may run from the next cycle on
    output logic [SLOTS-1:0]                           held_o,        // the CTA in this slot waits
    output logic                                       busy_o         // a slot is activated
);
  localparam int SB = SLOTS <= 2 ? 1 : $clog2(SLOTS);

  `NEEDS(SLOTS >= 1 && SLOTS <= 32, teleport_pend_needs_slots_in_1_to_32)

  logic [SLOTS-1:0] held_q, known_q;
  logic [SLOTS*16-1:0] received_q, total_q;  // slot 0 lowest

  // Decode: what happens to each slot.
  logic [31:0] start_slot, reply_slot, msg_slot;
  logic [SLOTS-1:0] starts, replies, messages, complete;
  assign start_slot = {{(32 - SB) {1'b0}}, start_slot_i};
  assign reply_slot = {{(32 - SB) {1'b0}}, reply_slot_i};
  assign msg_slot = {{(32 - SB) {1'b0}}, msg_slot_i};
  for (genvar s = 0; s < SLOTS; s++) begin : g_slot
    assign starts[s] = start_en_i && start_slot == s;
    assign replies[s] = reply_en_i && reply_slot == s;
    assign messages[s] = msg_en_i && msg_slot == s;
    assign complete[s] = known_q[s] && received_q[s*16+:16] == total_q[s*16+:16];
  end
  assign activate_o = held_q & complete;
  assign held_o = held_q;
  assign busy_o = |activate_o;

  // Next state.
  logic [SLOTS-1:0] held_d, known_d;
  logic [SLOTS*16-1:0] received_d;
  always_comb begin
    held_d = (held_q & ~activate_o) | starts;
    known_d = ((known_q & ~starts & ~activate_o) | messages) & held_d;
    for (int s = 0; s < SLOTS; s++) begin
      received_d[s*16+:16] = starts[s] ? 16'd0 : received_q[s*16+:16];
      if (replies[s]) received_d[s*16+:16] = received_d[s*16+:16] + 16'd1;
    end
  end

  // Registers. A held slot's replies count, a known slot's total.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {held_q, known_q} <= '0;
    else {held_q, known_q} <= {held_d, known_d};
  end
  always_ff @(posedge clk_i) begin
    received_q <= received_d;
    for (int s = 0; s < SLOTS; s++) if (messages[s]) total_q[s*16+:16] <= msg_total_i;
  end

`ifdef FORMAL
  `include "teleport_pend_props.svh"
`endif
endmodule
`undef NEEDS
