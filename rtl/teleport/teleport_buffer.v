// SPDX-License-Identifier: Apache-2.0
//
// teleport_buffer: an SM's side of TELEPORT (Lashgar et al. 2018, section 3): the tag array of its data buffer and the pending
// counters of its thread blocks (CTAs), joined. One an SM. It has no register of its own; the headers of the parts describe their
// behaviour.
//
// Joined     a reply carries its line and the slot of the CTA that asked for it: the line goes into the tags and counts for the
//            slot, both in the cycle of the reply. A reply counts whether or not the line stays in the buffer.
// Reset      synchronous, active low, in the parts.
// Idle       busy_o: one of the parts is busy.

module teleport_buffer #(
    parameter int SETS = 4,  // sets of the buffer
    parameter int WAYS = 96, // ways of a set
    parameter int SLOTS = 8  // CTA slots of the SM
) (
    input  logic                                       clk_i,
    input  logic                                       rst_ni,
    // CTAs
    input  logic                                       start_en_i,    // a CTA is placed and held
    input  logic [(SLOTS <= 2 ? 1 : $clog2(SLOTS))-1:0] start_slot_i, // its slot
    input  logic                                       msg_en_i,      // the message after its last request
    input  logic [(SLOTS <= 2 ? 1 : $clog2(SLOTS))-1:0] msg_slot_i,   // slot of its CTA
    input  logic [15:0]                                msg_total_i,   // lines that were requested
    // replies
    input  logic                                       reply_valid_i, // a line arrives; always taken
    input  logic [(SLOTS <= 2 ? 1 : $clog2(SLOTS))-1:0] reply_slot_i, // slot of the CTA that asked for it
    input  logic [56:0]                                reply_line_i,  // its number: byte address / 128
    // demand accesses, capacity
    input  logic                                       inval_valid_i, // a line is written elsewhere
    input  logic [56:0]                                inval_line_i,  // its number
    input  logic                                       probe_valid_i, // a line is asked for
    input  logic [56:0]                                probe_line_i,  // its number
    input  logic                                       clear_i,       // every line leaves
    input  logic                                       limit_en_i,    // set the number of ways that may be used
    input  logic [$clog2(WAYS+1)-1:0]                  limit_i,       // that number
    output logic                                       inval_ready_o, // the invalidation is taken
    output logic                                       probe_ready_o, // the probe is taken
    // answers
    output logic [1:0]                                 answer_o,      // 0 none, 1 reply, 2 invalidation, 3 probe of the last cycle
    output logic                                       hit_o,         // its line was here
    output logic [(WAYS <= 2 ? 1 : $clog2(WAYS))-1:0]  way_o,         // way of the hit, or that the line takes
    output logic                                       placed_o,      // the line takes a way
    output logic                                       evict_valid_o, // a valid line leaves for it
    output logic [56:0]                                evict_line_o,  // number of that line
    output logic [SLOTS-1:0]                           activate_o,    // the CTA in this slot may run from the next cycle on
    output logic [SLOTS-1:0]                           held_o,        // the CTA in this slot waits
    output logic                                       busy_o         // a part is busy
);
  localparam int SB = SLOTS <= 2 ? 1 : $clog2(SLOTS);
  // What goes to the tags, and to the counters.
  logic [2:0] operations, events;
  logic [170:0] lines;
  logic [3*SB-1:0] slots;
  logic tags_busy, pend_busy;
  assign operations = {probe_valid_i, inval_valid_i, reply_valid_i};
  assign lines = {probe_line_i, inval_line_i, reply_line_i};
  assign events = {msg_en_i, reply_valid_i, start_en_i};
  assign slots = {msg_slot_i, reply_slot_i, start_slot_i};
  assign busy_o = tags_busy || pend_busy;

  teleport_tags #(
      .SETS(SETS),
      .WAYS(WAYS)
  ) u_tags (
      .clk_i,
      .rst_ni,
      .fill_valid_i(operations[0]),
      .fill_line_i(lines[56:0]),
      .inval_valid_i(operations[1]),
      .inval_line_i(lines[113:57]),
      .probe_valid_i(operations[2]),
      .probe_line_i(lines[170:114]),
      .clear_i,
      .limit_en_i,
      .limit_i,
      .inval_ready_o,
      .probe_ready_o,
      .answer_o,
      .hit_o,
      .way_o,
      .placed_o,
      .evict_valid_o,
      .evict_line_o,
      .busy_o(tags_busy)
  );

  teleport_pend #(
      .SLOTS(SLOTS)
  ) u_pend (
      .clk_i,
      .rst_ni,
      .start_en_i(events[0]),
      .start_slot_i(slots[0+:SB]),
      .reply_en_i(events[1]),
      .reply_slot_i(slots[SB+:SB]),
      .msg_en_i(events[2]),
      .msg_slot_i(slots[2*SB+:SB]),
      .msg_total_i,
      .activate_o,
      .held_o,
      .busy_o(pend_busy)
  );

`ifdef FORMAL
  `include "teleport_buffer_props.svh"
`endif
endmodule
