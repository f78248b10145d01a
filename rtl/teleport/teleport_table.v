// SPDX-License-Identifier: Apache-2.0
//
// teleport_table: TELEPORT's preload table at the dispatcher of thread blocks (Lashgar et al. 2018, section 3; assumption: stream
// and valid bits, snapshot, answers, ports and cycle behaviour). The host sets rows and flushes those of a stream; a launch takes a
// snapshot of its stream's rows, and for each of its thread blocks (CTAs) the snapshot's rows go to the range unit in table order.
//
// Set        takes the lowest free row. set_full_o: there is none. set_misfit_o: a field does not fit (WIDE=0) or typesize is 0 or
//            above 65535. Both are answered in the same cycle, and the row is ignored.
// Flush      the stream's rows leave. A row of the running snapshot is freed only when the launch ends or the next one begins.
// Launch     the snapshot is the stream's rows as they are before this cycle; flushes and sets of this cycle come after it.
// CTA        is taken at T0; from T1 on its rows are offered one at a time, the lowest first, each until row_ready_i. Lines and ends
//            of rows are reported back. When the last row has ended, a message with the number of lines is offered until it is
//            taken; then the next CTA is. A CTA without rows has its message at T1.
// Refused    a launch, and its end, count only while no CTA is walked (walking_o = 0); no CTA is taken in their cycle.
// Row        WIDE=1: 44 bytes: base 8, typesize 4, eight signed fields of 4; WIDE=0: 21 bytes: base 4, typesize 1, eight unsigned
//            fields of 2. Beside it a row has a stream and bits for use, snapshot, flush and walk.
// Out of range  assumption: events for stream STREAMS or above match no row; such a row is a misfit.
// Reset      synchronous, active low: no rows, no launch, no CTA.
// Idle       busy_o: a CTA is walked.

`include "needs.vh"

module teleport_table #(
    parameter int ROWS = 64,     // rows, 1..256
    parameter int STREAMS = 16,  // streams, 1..16
    parameter int WIDE = 1       // 1: 44-byte rows with signed fields of 32 bits; 0: 21-byte rows with unsigned fields of 16 bits
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
    // range unit
    input  logic        row_ready_i,     // the row is taken, the unit has three at most; sampled at the clock edge
    input  logic        line_taken_i,    // a line of the CTA has gone; sampled at the clock edge
    input  logic        row_end_i,       // the unit has ended a row; sampled at the clock edge
    output logic        row_valid_o,     // a row is offered
    output logic [63:0] row_base_o,      // the row: 0 without one
    output logic [15:0] row_typesize_o,
    output logic [95:0] row_minp_o,
    output logic [31:0] row_mino_o,
    output logic [95:0] row_maxp_o,
    output logic [31:0] row_maxo_o,
    output logic [15:0] row_x_o,         // index of the CTA
    output logic [15:0] row_y_o,
    output logic [15:0] row_z_o,
    // message
    input  logic        msg_ready_i,     // the message is taken; sampled at the clock edge
    output logic        msg_valid_o,     // every row of the CTA has ended
    output logic [15:0] msg_total_o,     // lines of the CTA, modulo 65536; 0 without a message
    output logic        busy_o           // a CTA is walked
);
  localparam int RW = ROWS <= 2 ? 1 : $clog2(ROWS);
  localparam int TW = STREAMS <= 2 ? 1 : $clog2(STREAMS);
  localparam int BB = WIDE != 0 ? 64 : 32;  // bits of a base
  localparam int SB = WIDE != 0 ? 32 : 8;   // bits of a typesize
  localparam int FB = WIDE != 0 ? 32 : 16;  // bits of a field
  localparam int RB = BB + SB + 8 * FB;

  `NEEDS(ROWS >= 1 && ROWS <= 256, teleport_table_needs_rows_in_1_to_256)
  `NEEDS(STREAMS >= 1 && STREAMS <= 16, teleport_table_needs_streams_in_1_to_16)
  `NEEDS(WIDE == 0 || WIDE == 1, teleport_table_needs_wide_0_or_1)

  logic [RB-1:0] row_q[0:ROWS-1];    // {maxo, maxp, mino, minp, typesize, base}
  (* mem2reg *) logic [ROWS-1:0] stream_q[0:TW-1];  // row b: bit b of every row's stream
  logic [ROWS-1:0] used_q, used_d;   // the row is taken
  logic [ROWS-1:0] snap_q, snap_d;   // it is in the snapshot
  logic [ROWS-1:0] gone_q, gone_d;   // it was flushed, but is in the snapshot
  logic [ROWS-1:0] walk_q, walk_d;   // it is still to be offered to the CTA
  logic on_q, on_d;                  // a CTA is walked
  logic [1:0] open_q, open_d;        // rows of the CTA that the unit has
  logic [15:0] total_q, total_d;     // lines of the CTA so far
  logic [15:0] x_q, y_q, z_q;

  // Set: does the row fit, and where does it go?
  logic [255:0] fields;
  logic [31:0] set_stream;
  logic [ROWS-1:0] free, place;
  logic take_row;
  logic [RB-1:0] set_row;
  assign fields = {set_maxo_i, set_maxp_i, set_mino_i, set_minp_i};
  assign set_stream = {{(32 - TW) {1'b0}}, set_stream_i};
  if (WIDE != 0) begin : g_fit
    assign set_misfit_o = set_valid_i && (set_typesize_i == 32'd0 || |set_typesize_i[31:16] || set_stream >= STREAMS);
    assign set_row = {fields, set_typesize_i, set_base_i};
  end else begin : g_fit
    logic [7:0] over;
    for (genvar f = 0; f < 8; f++) begin : g_field
      assign over[f] = |fields[f*32+16+:16];
      assign set_row[BB+SB+f*FB+:FB] = fields[f*32+:FB];
    end
    assign set_misfit_o = set_valid_i && (set_typesize_i == 32'd0 || |set_typesize_i[31:8] || |set_base_i[63:32] || |over ||
                                          set_stream >= STREAMS);
    assign set_row[BB+SB-1:0] = {set_typesize_i[SB-1:0], set_base_i[BB-1:0]};
  end
  assign free = ~used_q;
  assign place = free & -free;
  assign set_full_o = set_valid_i && free == '0;
  assign take_row = set_valid_i && !set_full_o && !set_misfit_o;

  // Flush and launch.
  logic [ROWS-1:0] flushed, launched;  // rows of the stream
  logic begins, ends;
  assign begins = launch_valid_i && !on_q;
  assign ends = end_valid_i && !on_q;
  always_comb begin : streams
    flushed = '0;
    launched = '0;
    if (flush_valid_i) begin
      flushed = '1;
      for (int b = 0; b < TW; b++) flushed = flushed & ~(stream_q[b] ^ {ROWS{flush_stream_i[b]}});
    end
    if (begins) begin
      launched = '1;
      for (int b = 0; b < TW; b++) launched = launched & ~(stream_q[b] ^ {ROWS{launch_stream_i[b]}});
    end
  end

  // Walk: the lowest row that is left.
  logic [ROWS-1:0] pick;
  logic [RW-1:0] number;
  logic [RB-1:0] row;
  logic goes, take_cta, tells;
  assign pick = walk_q & -walk_q;
  onehot_index #(.N(ROWS)) u_number (.onehot_i(pick), .index_o(number));
  assign row_valid_o = walk_q != '0;
  assign row = row_valid_o ? row_q[number] : '0;
  if (WIDE != 0) begin : g_wide
    logic unused;
    assign unused = &{1'b0, row[BB+SB-1:BB+16]};
    assign row_base_o = row[BB-1:0];
    assign row_typesize_o = row[BB+:16];
    assign {row_maxo_o, row_maxp_o, row_mino_o, row_minp_o} = row[RB-1:BB+SB];
  end else begin : g_wide
    logic [255:0] wide;
    for (genvar f = 0; f < 8; f++) begin : g_field
      assign wide[f*32+:32] = {16'd0, row[BB+SB+f*FB+:FB]};
    end
    assign row_base_o = {32'd0, row[BB-1:0]};
    assign row_typesize_o = {8'd0, row[BB+:SB]};
    assign {row_maxo_o, row_maxp_o, row_mino_o, row_minp_o} = wide;
  end
  assign {row_z_o, row_y_o, row_x_o} = row_valid_o ? {z_q, y_q, x_q} : 48'd0;
  assign msg_valid_o = on_q && !row_valid_o && open_q == 2'd0;
  assign msg_total_o = msg_valid_o ? total_q : 16'd0;
  assign cta_ready_o = !on_q && !launch_valid_i && !end_valid_i;
  assign walking_o = on_q;
  assign busy_o = on_q;
  assign goes = row_valid_o && row_ready_i;
  assign take_cta = cta_valid_i && cta_ready_o;
  assign tells = msg_valid_o && msg_ready_i;

  // Next state: launch or its end, then flush, then set.
  always_comb begin
    used_d = used_q;
    snap_d = snap_q;
    gone_d = gone_q;
    if (begins || ends) begin
      used_d = used_q & ~gone_q;
      snap_d = begins ? used_d & launched : '0;
      gone_d = '0;
    end
    gone_d = gone_d | (flushed & used_d & snap_d);
    used_d = used_d & ~(flushed & ~snap_d);
    if (take_row) used_d = used_d | place;
    walk_d = take_cta ? snap_q : goes ? walk_q & ~pick : walk_q;
    on_d = take_cta || (on_q && !tells);
    open_d = open_q + {1'b0, goes} - {1'b0, row_end_i && open_q != 2'd0};
    total_d = take_cta ? 16'd0 : total_q + {15'd0, line_taken_i && on_q};
  end

  // Registers. Rows count where used_q has a one.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {used_q, snap_q, gone_q, walk_q} <= '0;
      {on_q, open_q, total_q, x_q, y_q, z_q} <= '0;
    end else begin
      used_q <= used_d;
      snap_q <= snap_d;
      gone_q <= gone_d;
      walk_q <= walk_d;
      on_q <= on_d;
      open_q <= open_d;
      total_q <= total_d;
      if (take_cta) {z_q, y_q, x_q} <= {cta_z_i, cta_y_i, cta_x_i};
    end
  end
  for (genvar b = 0; b < TW; b++) begin : g_stream
    always_ff @(posedge clk_i) begin
      if (!rst_ni) stream_q[b] <= '0;
      else if (take_row) stream_q[b] <= (stream_q[b] & ~place) | (place & {ROWS{set_stream_i[b]}});
    end
  end
  logic [RW-1:0] place_number;
  onehot_index #(.N(ROWS)) u_place (.onehot_i(place), .index_o(place_number));
  always_ff @(posedge clk_i) begin
    if (take_row) row_q[place_number] <= set_row;
  end

`ifdef FORMAL
  `include "teleport_table_props.svh"
`endif
endmodule
`undef NEEDS
