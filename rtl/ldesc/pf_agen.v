// SPDX-License-Identifier: Apache-2.0
//
// pf_agen: the prefetch engine of an SM's L1: each demand miss of a structure that is to be prefetched gives the address of one line
// (Vijaykumar 2019, 3.4.4, "guided prefetching"; assumption: which tiles are active, sizes, ports and cycle behaviour). The driver
// writes a row here when it writes that row of ldt_lookup, which finds a miss' row and its prefetch mode.
//
// Latency    two stages: a miss chooses its distance, and in the next cycle the address is added up, checked and queued. A line that
//            was queued is offered from the cycle after that on. One miss a cycle.
// Distance   next line: 128 bytes. Stride: dist[n] of the row, where n is its number of active tiles. The driver works the distances
//            out, so there is no divider. No active tile counts as one.
// Tiles      assumption: a tile of threads (C-Tile) is active while a CTA of it is on the SM. start_en_i brings a CTA's tile for each
//            row. n changes at starts and ends only: a start adds one if no other CTA on the SM is of its tile, an end takes one away
//            if none is left. In one cycle the end comes first; a start in a slot that is taken, and an end in one that is not, are
//            ignored.
// Dropped    a line outside of its row, [base, limit); a line that the queue has; and a line for which the queue had no place before
//            the cycle (lost_o). Lines that the L1 or its MSHRs have are dropped there.
// Filling    clear_en_i empties the rows, set_en_i writes one; in one cycle the clearing comes first. Both count from the next cycle on,
//            also for a miss that is in the first stage. Lines that are queued stay, and so do tiles.
// Widths     assumption: the bounds lie here a second time, so that the table beside the tags need not bring them out.
// Reset      synchronous, active low: no row, no CTA, no line.
// Idle       busy_o: a miss is in the first stage, or a line waits.

`include "needs.vh"

module pf_agen #(
    parameter int SLOTS = 8,  // CTA slots of the SM, 1..8
    parameter int ROWS = 16,  // rows, 1..16
    parameter int FIFO = 8,   // lines that the queue holds, 1..8
    parameter int PAW = 48    // bits of an address, 32..48
) (
    input  logic                                       clk_i,
    input  logic                                       rst_ni,
    // driver
    input  logic                                       clear_en_i,    // every row leaves
    input  logic                                       set_en_i,      // a row is written
    input  logic [(ROWS <= 2 ? 1 : $clog2(ROWS))-1:0]  set_row_i,     // its number
    input  logic [PAW-8:0]                             set_base_i,    // its first line
    input  logic [PAW-8:0]                             set_limit_i,   // the line behind its last one
    input  logic [SLOTS*32-1:0]                        set_dist_i,    // bytes ahead for 1, 2, .. SLOTS active tiles, 1 lowest
    // CTAs
    input  logic                                       start_en_i,    // a CTA comes
    input  logic [(SLOTS <= 2 ? 1 : $clog2(SLOTS))-1:0] start_slot_i, // its slot
    input  logic [ROWS*16-1:0]                         start_tile_i,  // its tile in each row, row 0 lowest
    input  logic                                       end_en_i,      // a CTA leaves
    input  logic [(SLOTS <= 2 ? 1 : $clog2(SLOTS))-1:0] end_slot_i,   // its slot
    // misses
    input  logic                                       miss_en_i,     // a demand miss of the L1
    input  logic [PAW-1:0]                             miss_addr_i,   // byte address
    input  logic [(ROWS <= 2 ? 1 : $clog2(ROWS))-1:0]  miss_row_i,    // its row
    input  logic [1:0]                                 miss_pf_i,     // 1 next line, 2 stride; 0 and 3: no prefetch
    // prefetches
    input  logic                                       pf_ready_i,    // the line is taken; sampled at the clock edge
    output logic                                       pf_valid_o,    // a line is offered
    output logic [PAW-8:0]                             pf_line_o,     // byte address / 128; 0 without a line
    output logic                                       lost_o,        // a line is dropped because the queue is full
    output logic                                       busy_o         // a miss is in the first stage, or a line waits
);
  localparam int RB = ROWS <= 2 ? 1 : $clog2(ROWS);
  localparam int SB = SLOTS <= 2 ? 1 : $clog2(SLOTS);
  localparam int FB = FIFO <= 2 ? 1 : $clog2(FIFO);
  localparam int LW = PAW - 7;  // bits of a line's number
  localparam int LAST = FIFO - 1;

  `NEEDS(SLOTS >= 1 && SLOTS <= 8, pf_agen_needs_slots_in_1_to_8)
  `NEEDS(ROWS >= 1 && ROWS <= 16, pf_agen_needs_rows_in_1_to_16)
  `NEEDS(FIFO >= 1 && FIFO <= 8, pf_agen_needs_fifo_in_1_to_8)
  `NEEDS(PAW >= 32 && PAW <= 48, pf_agen_needs_paw_in_32_to_48)

  logic [ROWS-1:0] row_q, row_d;           // rows that were written
  (* mem2reg *) logic [LW-1:0] base_q[0:ROWS-1], limit_q[0:ROWS-1];
  logic [SLOTS*32-1:0] dist_q[0:ROWS-1];
  logic [SLOTS-1:0] held_q;                // slots that have a CTA
  (* mem2reg *) logic [ROWS*16-1:0] tile_q[0:SLOTS-1];   // its tiles
  logic [ROWS*4-1:0] n_q, n_d;             // active tiles of each row, row 0 lowest
  logic miss_q;                            // stage 1 has a miss
  logic [PAW-1:0] at_q;                    // its address
  logic [31:0] ahead_q;                    // how far ahead, bytes
  logic [RB-1:0] from_q;                   // its row
  logic [FIFO-1:0] line_valid_q, line_valid_d;
  (* mem2reg *) logic [LW-1:0] line_q[0:FIFO-1];
  logic [FB-1:0] head_q, tail_q;           // the oldest line; the next place

  // Rows.
  logic [31:0] set_row;
  logic [ROWS-1:0] written;
  logic [2**RB-1:0] there;  // row_q, and 0 for rows that do not exist
  assign set_row = {{(32 - RB) {1'b0}}, set_row_i};
  for (genvar r = 0; r < 2 ** RB; r++) begin : g_row
    if (r < ROWS) begin : g_there
      assign written[r] = set_en_i && set_row == r;
      assign there[r] = row_q[r];
    end else begin : g_there
      assign there[r] = 1'b0;
    end
  end
  assign row_d = (clear_en_i ? '0 : row_q) | written;

  // Tiles: the end, then the start.
  logic [31:0] start_slot, end_slot;
  logic [SLOTS-1:0] ends, stay, starts;
  logic [ROWS*16-1:0] end_tile;
  logic fewer, more;  // the tile that ends is the last of its number, the one that starts the first
  assign start_slot = {{(32 - SB) {1'b0}}, start_slot_i};
  assign end_slot = {{(32 - SB) {1'b0}}, end_slot_i};
  for (genvar s = 0; s < SLOTS; s++) begin : g_slot
    assign ends[s] = end_en_i && end_slot == s && held_q[s];
    assign starts[s] = start_en_i && start_slot == s && !stay[s];
  end
  assign stay = held_q & ~ends;
  always_comb begin : tiles
    n_d = n_q;
    end_tile = '0;
    fewer = 1'b0;
    more = 1'b0;
    if (ends != '0) begin
      end_tile = tile_q[end_slot_i];
      for (int r = 0; r < ROWS; r++) begin
        fewer = 1'b1;
        for (int s = 0; s < SLOTS; s++) if (stay[s] && tile_q[s][r*16+:16] == end_tile[r*16+:16]) fewer = 1'b0;
        n_d[r*4+:4] = n_d[r*4+:4] - {3'd0, fewer};
      end
    end
    if (starts != '0) begin
      for (int r = 0; r < ROWS; r++) begin
        more = 1'b1;
        for (int s = 0; s < SLOTS; s++) if (stay[s] && tile_q[s][r*16+:16] == start_tile_i[r*16+:16]) more = 1'b0;
        n_d[r*4+:4] = n_d[r*4+:4] + {3'd0, more};
      end
    end
  end

  // Stage 1: how far ahead.
  logic takes;
  logic [31:0] n, stride, ahead;
  logic [SLOTS*32-1:0] dists;
  assign takes = miss_en_i && there[miss_row_i] && (miss_pf_i == 2'd1 || miss_pf_i == 2'd2);
  assign n = {28'd0, n_q[miss_row_i*4+:4]};
  always_comb begin : distance
    dists = '0;
    stride = '0;
    if (takes) begin
      dists = dist_q[miss_row_i];
      for (int k = 0; k < SLOTS; k++) if (n == k + 1 || (k == 0 && n == 32'd0)) stride = dists[k*32+:32];
    end
  end
  assign ahead = miss_pf_i == 2'd1 ? 32'd128 : stride;

  // Stage 2: the line, if it is in its row and new.
  logic [PAW:0] sum;
  logic [LW-1:0] line;
  logic fits, queued, full, wanted, push, pop, unused;
  assign sum = {1'b0, at_q} + {{(PAW - 31) {1'b0}}, ahead_q};
  assign line = sum[PAW-1:7];
  assign unused = &{1'b0, sum[6:0]};
  assign fits = there[from_q] && !sum[PAW] && line >= base_q[from_q] && line < limit_q[from_q];
  always_comb begin
    queued = 1'b0;
    if (miss_q) for (int f = 0; f < FIFO; f++) queued = queued | (line_valid_q[f] && line_q[f] == line);
  end
  assign full = line_valid_q == '1;
  assign wanted = miss_q && fits && !queued;
  assign push = wanted && !full;
  assign lost_o = wanted && full;

  // Queue.
  assign pf_valid_o = line_valid_q[head_q];
  assign pf_line_o = pf_valid_o ? line_q[head_q] : '0;
  assign pop = pf_valid_o && pf_ready_i;
  assign busy_o = miss_q || pf_valid_o;
  for (genvar f = 0; f < FIFO; f++) begin : g_line
    localparam logic [31:0] PLACE = f;
    assign line_valid_d[f] = (push && tail_q == PLACE[FB-1:0]) || (line_valid_q[f] && !(pop && head_q == PLACE[FB-1:0]));
  end

  // Registers. A row counts where row_q has a one, a CTA's tiles where held_q has, a line where line_valid_q has.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {row_q, held_q, n_q, miss_q, line_valid_q, head_q, tail_q} <= '0;
    end else begin
      row_q <= row_d;
      held_q <= stay | starts;
      n_q <= n_d;
      miss_q <= takes;
      line_valid_q <= line_valid_d;
      if (pop) head_q <= head_q == LAST[FB-1:0] ? '0 : head_q + 1'b1;
      if (push) tail_q <= tail_q == LAST[FB-1:0] ? '0 : tail_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (written != '0) begin
      base_q[set_row_i] <= set_base_i;
      limit_q[set_row_i] <= set_limit_i;
      dist_q[set_row_i] <= set_dist_i;
    end
    if (starts != '0) tile_q[start_slot_i] <= start_tile_i;
    if (takes) begin
      at_q <= miss_addr_i;
      ahead_q <= ahead;
      from_q <= miss_row_i;
    end
    if (push) line_q[tail_q] <= line;
  end

`ifdef FORMAL
  `include "pf_agen_props.svh"
`endif
endmodule
`undef NEEDS
