// SPDX-License-Identifier: Apache-2.0
//
// ldesc_l1: the Locality Descriptor beside an SM's L1 (Vijaykumar 2019, 3.4.2 to 3.4.4): policy table, priorities of lines and prefetch
// engine, joined. One an SM. It has no register of its own; the headers of the parts describe their behaviour.
//
// Joined     a row goes to the table and to the prefetch engine in the same cycle. The address that L1 looks up goes to the table; its
//            answer is there in the same cycle, before L1 knows of a hit. At the clock edge a hit raises the line in the address' set
//            to the class of its row, and a miss goes to the prefetch engine with its row and prefetch mode. A hit and a miss are
//            those of the address of this cycle; without one they change nothing.
// Fill       beside a lookup, of any set: the victim follows from the priorities before the clock edge. Its class is that with which
//            its miss was answered; L1 keeps it with the miss.
// Reset      synchronous, active low, in the parts.
// Idle       busy_o: the prefetch engine is busy.

module ldesc_l1 #(
    parameter int ROWS = 16,   // rows of the table
    parameter int PAW = 48,    // bits of an address
    parameter int SETS = 64,   // sets of the L1, a power of two
    parameter int WAYS = 4,    // ways of a set
    parameter int TICKS = 64,  // ticks until every line is normal again
    parameter int SLOTS = 8,   // CTA slots of the SM
    parameter int FIFO = 8     // lines that the prefetch engine holds
) (
    input  logic                                            clk_i,
    input  logic                                            rst_ni,
    // driver
    input  logic                                            clear_en_i,   // every row leaves
    input  logic                                            set_en_i,     // a row is written
    input  logic [(ROWS <= 2 ? 1 : $clog2(ROWS))-1:0]       set_row_i,    // its number; the lowest has the highest priority
    input  logic [PAW-8:0]                                  set_base_i,   // its first line
    input  logic [PAW-8:0]                                  set_limit_i,  // the line behind its last one
    input  logic [1:0]                                      set_insert_i, // 0 normal, 1 soft pin, 2 hard pin, 3 bypass
    input  logic [1:0]                                      set_pf_i,     // prefetch: 0 off, 1 next line, 2 stride
    input  logic [SLOTS*32-1:0]                             set_dist_i,   // bytes ahead for 1, 2, .. SLOTS active tiles, 1 lowest
    // CTAs
    input  logic                                            start_en_i,   // a CTA comes
    input  logic [(SLOTS <= 2 ? 1 : $clog2(SLOTS))-1:0]     start_slot_i, // its slot
    input  logic [ROWS*16-1:0]                              start_tile_i, // its tile in each row, row 0 lowest
    input  logic                                            end_en_i,     // a CTA leaves
    input  logic [(SLOTS <= 2 ? 1 : $clog2(SLOTS))-1:0]     end_slot_i,   // its slot
    // lookup
    input  logic                                            at_en_i,      // L1 looks up an address
    input  logic [PAW-1:0]                                  at_addr_i,    // byte address
    input  logic                                            hit_en_i,     // it is there
    input  logic [(WAYS <= 2 ? 1 : $clog2(WAYS))-1:0]       hit_way_i,    // in this way
    input  logic                                            miss_en_i,    // it is not: a demand miss
    output logic                                            has_row_o,    // a row has the address
    output logic [(ROWS <= 2 ? 1 : $clog2(ROWS))-1:0]       row_o,        // that row, or 0
    output logic [1:0]                                      insert_o,     // its insertion class, or 0
    output logic [1:0]                                      pf_o,         // its prefetch mode, or 0
    // fill
    input  logic                                            fill_en_i,    // a line wants a way
    input  logic [$clog2(SETS)-1:0]                         fill_set_i,   // of this set
    input  logic [WAYS-1:0]                                 valid_i,      // its ways that hold a line
    input  logic [WAYS-1:0]                                 lock_i,       // its ways that are reserved
    input  logic [WAYS*(WAYS <= 2 ? 1 : $clog2(WAYS))-1:0]  lru_i,        // rank of each way, way 0 lowest; 0: least recently used
    input  logic [1:0]                                      fill_prio_i,  // class of the line
    output logic                                            found_o,      // it gets a way
    output logic [(WAYS <= 2 ? 1 : $clog2(WAYS))-1:0]       victim_o,     // that way; 0 without one
    output logic                                            all_hard_o,   // every way that may leave is hard pinned
    // timer
    input  logic                                            tick_en_i,    // one tick
    output logic                                            clears_o,     // every line is normal after this cycle
    // prefetches
    input  logic                                            pf_ready_i,   // the line is taken; sampled at the clock edge
    output logic                                            pf_valid_o,   // a line is offered
    output logic [PAW-8:0]                                  pf_line_o,    // byte address / 128; 0 without a line
    output logic                                            lost_o,       // a line is dropped because the queue is full
    output logic                                            busy_o        // a part is busy
);
  localparam int RB = ROWS <= 2 ? 1 : $clog2(ROWS);
  localparam int SB = $clog2(SETS);
  // What the driver writes, for the prefetch engine; what L1 says of the address of this cycle; the classes of a fill and of a hit; and
  // what the engine is to prefetch after a miss.
  logic [1:0] rows, outcome;  // {set, clear}; {miss, hit}
  logic [SB-1:0] at_set;
  logic [3:0] classes;        // {fill, hit}
  logic [RB+1:0] order;       // {row, mode}
  logic table_busy, prio_busy, engine_busy;
  assign rows = {set_en_i, clear_en_i};
  assign outcome = {miss_en_i, hit_en_i};
  assign at_set = at_addr_i[7+:SB];
  assign classes = {fill_prio_i, insert_o};
  assign order = {row_o, pf_o};
  assign busy_o = table_busy || prio_busy || engine_busy;

  ldt_lookup #(
      .ROWS(ROWS),
      .PAW(PAW)
  ) u_table (
      .clk_i,
      .rst_ni,
      .clear_en_i,
      .set_en_i,
      .set_row_i,
      .set_base_i,
      .set_limit_i,
      .set_insert_i,
      .set_pf_i,
      .at_en_i,
      .at_addr_i,
      .hit_o(has_row_o),
      .hit_row_o(row_o),
      .insert_o,
      .pf_o,
      .busy_o(table_busy)
  );

  l1_victim_prio #(
      .SETS(SETS),
      .WAYS(WAYS),
      .TICKS(TICKS)
  ) u_prio (
      .clk_i,
      .rst_ni,
      .fill_en_i,
      .set_i(fill_set_i),
      .valid_i,
      .lock_i,
      .lru_i,
      .fill_prio_i(classes[3:2]),
      .found_o,
      .victim_o,
      .all_hard_o,
      .hit_en_i(outcome[0]),
      .hit_set_i(at_set),
      .hit_way_i,
      .hit_prio_i(classes[1:0]),
      .tick_en_i,
      .clears_o,
      .busy_o(prio_busy)
  );

  pf_agen #(
      .SLOTS(SLOTS),
      .ROWS(ROWS),
      .FIFO(FIFO),
      .PAW(PAW)
  ) u_engine (
      .clk_i,
      .rst_ni,
      .clear_en_i(rows[0]),
      .set_en_i(rows[1]),
      .set_row_i,
      .set_base_i,
      .set_limit_i,
      .set_dist_i,
      .start_en_i,
      .start_slot_i,
      .start_tile_i,
      .end_en_i,
      .end_slot_i,
      .miss_en_i(outcome[1]),
      .miss_addr_i(at_addr_i),
      .miss_row_i(order[2+:RB]),
      .miss_pf_i(order[1:0]),
      .pf_ready_i,
      .pf_valid_o,
      .pf_line_o,
      .lost_o,
      .busy_o(engine_busy)
  );

`ifdef FORMAL
  `include "ldesc_l1_props.svh"
`endif
endmodule
