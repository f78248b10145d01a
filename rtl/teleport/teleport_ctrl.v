// SPDX-License-Identifier: Apache-2.0
//
// teleport_ctrl: TELEPORT's controller at the dispatcher of thread blocks (Lashgar et al. 2018, section 3): the preload table and the
// range unit, joined. One a GPU. It has no register of its own; the headers of the parts describe their behaviour.
//
// Joined     a thread block (CTA) is taken; its rows go to the range unit one after the other; their lines come out, each until
//            line_ready_i, then a message with their number until msg_ready_i. Strictly serial: the next CTA is taken after the
//            message.
// Rate       a line a cycle while line_ready_i is 1; OVERLAP=0: two cycles without a line between rows; a narrow row whose sum is
//            too large has no line: err_o.
// Reset      synchronous, active low, in the parts.
// Idle       busy_o: one of the parts is busy.

module teleport_ctrl #(
    parameter int ROWS = 64,     // rows of the table
    parameter int STREAMS = 16,  // streams
    parameter int WIDE = 1,      // 1: signed fields of 32 bits; 0: unsigned fields of 16 bits
    parameter int OVERLAP = 0    // 1: the range unit holds up to three rows of a CTA; 0: one
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    // host
    input  logic        set_valid_i,     // set a row
    input  logic [(STREAMS <= 2 ? 1 : $clog2(STREAMS))-1:0] set_stream_i,  // its stream
    input  logic [63:0] set_base_i,      // byte address of the array
    input  logic [31:0] set_typesize_i,  // bytes of an element
    input  logic [95:0] set_minp_i,      // elements by which the start moves with bx, by, bz; bx lowest
    input  logic [31:0] set_mino_i,      // first element of block (0, 0, 0)
    input  logic [95:0] set_maxp_i,      // elements by which the end moves with bx, by, bz; bx lowest
    input  logic [31:0] set_maxo_i,      // element behind the last one of block (0, 0, 0)
    input  logic        flush_valid_i,   // flush a stream's rows
    input  logic [(STREAMS <= 2 ? 1 : $clog2(STREAMS))-1:0] flush_stream_i,
    output logic        set_full_o,      // no row is free: the row is ignored
    output logic        set_misfit_o,    // a field does not fit: the row is ignored
    // launch
    input  logic        launch_valid_i,  // a kernel of a stream begins
    input  logic [(STREAMS <= 2 ? 1 : $clog2(STREAMS))-1:0] launch_stream_i,
    input  logic        end_valid_i,     // it ends
    // CTA
    input  logic        cta_valid_i,     // a CTA is offered
    input  logic [15:0] cta_x_i,         // its index
    input  logic [15:0] cta_y_i,
    input  logic [15:0] cta_z_i,
    output logic        cta_ready_o,     // the CTA is taken
    output logic        walking_o,       // a CTA is walked
    // lines and message
    input  logic        line_ready_i,    // the line is taken
    input  logic        msg_ready_i,     // the message is taken; sampled at the clock edge
    output logic        line_valid_o,    // a line is offered
    output logic [63:0] line_addr_o,     // its byte address
    output logic        row_last_o,      // a row ends with this line, or has none
    output logic        err_o,           // with row_last: it has none because a sum is too large
    output logic        msg_valid_o,     // every line of the CTA has gone
    output logic [15:0] msg_total_o,     // their number
    output logic        busy_o           // a part is busy
);
  logic row_valid, row_ready, line_taken, row_end, table_busy, range_busy;
  logic [63:0] base;
  logic [15:0] typesize, x, y, z;
  logic [95:0] minp, maxp;
  logic [31:0] mino, maxo;
  // A row and its block's index on their way to the range unit.
  logic [383:0] row;
  assign row = {z, y, x, maxo, maxp, mino, minp, typesize, base};
  assign line_taken = line_valid_o && line_ready_i;
  assign row_end = row_last_o && (!line_valid_o || line_ready_i);
  assign busy_o = table_busy || range_busy;

  teleport_table #(
      .ROWS(ROWS),
      .STREAMS(STREAMS),
      .WIDE(WIDE)
  ) u_table (
      .clk_i,
      .rst_ni,
      .set_valid_i,
      .set_stream_i,
      .set_base_i,
      .set_typesize_i,
      .set_minp_i,
      .set_mino_i,
      .set_maxp_i,
      .set_maxo_i,
      .flush_valid_i,
      .flush_stream_i,
      .set_full_o,
      .set_misfit_o,
      .launch_valid_i,
      .launch_stream_i,
      .end_valid_i,
      .cta_valid_i,
      .cta_x_i,
      .cta_y_i,
      .cta_z_i,
      .cta_ready_o,
      .walking_o,
      .row_ready_i(row_ready),
      .line_taken_i(line_taken),
      .row_end_i(row_end),
      .row_valid_o(row_valid),
      .row_base_o(base),
      .row_typesize_o(typesize),
      .row_minp_o(minp),
      .row_mino_o(mino),
      .row_maxp_o(maxp),
      .row_maxo_o(maxo),
      .row_x_o(x),
      .row_y_o(y),
      .row_z_o(z),
      .msg_ready_i,
      .msg_valid_o,
      .msg_total_o,
      .busy_o(table_busy)
  );

  teleport_range #(
      .WIDE(WIDE),
      .OVERLAP(OVERLAP)
  ) u_range (
      .clk_i,
      .rst_ni,
      .row_valid_i(row_valid),
      .base_i(row[63:0]),
      .typesize_i(row[79:64]),
      .minp_i(row[175:80]),
      .mino_i(row[207:176]),
      .maxp_i(row[303:208]),
      .maxo_i(row[335:304]),
      .bx_i(row[351:336]),
      .by_i(row[367:352]),
      .bz_i(row[383:368]),
      .out_ready_i(line_ready_i),
      .row_ready_o(row_ready),
      .line_valid_o(line_valid_o),
      .line_addr_o(line_addr_o),
      .last_o(row_last_o),
      .err_o(err_o),
      .busy_o(range_busy)
  );

`ifdef FORMAL
  `include "teleport_ctrl_props.svh"
`endif
endmodule
