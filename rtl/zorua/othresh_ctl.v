// SPDX-License-Identifier: Apache-2.0
//
// othresh_ctl: how much of each resource of an SM may lie in the swap space (Vijaykumar 2019, 4.4.4, Algorithm 3 and Table 5; assumption:
// one percentage for all resources, its limits, rounding, the start of a launch, ports and cycle behaviour). One an SM.
//
// Latency    thresholds are those before the clock edge; all inputs are sampled at the edge.
// Cycles     come in runs of one condition: run_i cycles in which issue_valid_i, pipe_stall_i and all_wait_mem_i are the same, so that
//            cycles of an SM that waits can be skipped. 0: no cycle; more than EPOCH count as EPOCH. A run of a + b cycles does what a run
//            of a cycles and one of b cycles do.
// Counters   c_idle counts cycles in which nothing is issued though the pipeline is not stalled, c_mem those in which every warp waits for
//            memory. A cycle may be both. They begin at 0 in each epoch.
// Epoch      after EPOCH cycles the changes since the last epoch are compared: if that of c_idle is larger by more than DELTA, the
//            percentage rises by STEP, and if that of c_mem is, it falls by STEP. It stays within 0..100.
// Units      a threshold is the nearest whole number of sets, halves up. The table of the percentages is made at elaboration.
// Launch     start_en_i: the percentage is START, the counters of this and of the last epoch are 0. The run of that cycle is lost.
// Reset      synchronous, active low: as a launch.
// Idle       busy_o is 0: an idle tick changes nothing.

`include "needs.vh"

module othresh_ctl #(
    parameter int REGS = 256,    // register sets, 1..512
    parameter int SCRATCH = 48,  // scratchpad sets, 1..128
    parameter int SLOTS = 48,    // warp slots, 1..128
    parameter int EPOCH = 2048,  // cycles of an epoch, 2..4096
    parameter int DELTA = 16,    // smallest difference that changes nothing more, 0..255
    parameter int START = 10,    // percent at a launch, 0..100
    parameter int STEP = 4       // percent, 1..100
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    input  logic                         start_en_i,      // a launch begins
    input  logic [$clog2(EPOCH + 1)-1:0] run_i,           // cycles of this condition; 0: none
    input  logic                         issue_valid_i,   // an instruction is issued
    input  logic                         pipe_stall_i,    // the pipeline is stalled
    input  logic                         all_wait_mem_i,  // every warp waits for memory, or its pipeline is stalled
    output logic [$clog2(REGS + 1)-1:0]  thresh_regs_o,   // register sets that may be swapped
    output logic [$clog2(SCRATCH + 1)-1:0] thresh_scratch_o,  // scratchpad sets
    output logic [$clog2(SLOTS + 1)-1:0] thresh_slots_o,  // warp slots
    output logic                         busy_o           // 0
);
  localparam int EB = $clog2(EPOCH);
  localparam int RB = $clog2(EPOCH + 1);
  localparam int TR = $clog2(REGS + 1);
  localparam int TS = $clog2(SCRATCH + 1);
  localparam int TT = $clog2(SLOTS + 1);
  localparam int CYCLES = EPOCH;
  localparam int FIRST = START;
  localparam int MORE = STEP;
  localparam int APART = DELTA;

  `NEEDS(REGS >= 1 && REGS <= 512, othresh_ctl_needs_regs_in_1_to_512)
  `NEEDS(SCRATCH >= 1 && SCRATCH <= 128, othresh_ctl_needs_scratch_in_1_to_128)
  `NEEDS(SLOTS >= 1 && SLOTS <= 128, othresh_ctl_needs_slots_in_1_to_128)
  `NEEDS(EPOCH >= 2 && EPOCH <= 4096, othresh_ctl_needs_epoch_in_2_to_4096)
  `NEEDS(DELTA >= 0 && DELTA <= 255, othresh_ctl_needs_delta_in_0_to_255)
  `NEEDS(START >= 0 && START <= 100, othresh_ctl_needs_start_in_0_to_100)
  `NEEDS(STEP >= 1 && STEP <= 100, othresh_ctl_needs_step_in_1_to_100)

  logic [6:0] percent_q, percent_d;
  logic [EB-1:0] epoch_q, epoch_d;        // cycles of this epoch so far
  logic [EB-1:0] idle_q, idle_d;          // of them, c_idle
  logic [EB-1:0] mem_q, mem_d;            // and c_mem
  logic [RB-1:0] idle_prev_q, mem_prev_q; // of the last epoch

  // The run: cycles that belong to this epoch, and the rest, which begin the next one. 14 bits hold two epochs and DELTA.
  logic [13:0] run, sum, part, rest, idle, mem;
  logic is_idle, ends;
  assign run = {{(14 - RB) {1'b0}}, run_i} > CYCLES[13:0] ? CYCLES[13:0] : {{(14 - RB) {1'b0}}, run_i};
  assign sum = {{(14 - EB) {1'b0}}, epoch_q} + run;
  assign ends = sum >= CYCLES[13:0];
  assign rest = ends ? sum - CYCLES[13:0] : 14'd0;
  assign part = run - rest;
  assign is_idle = !issue_valid_i && !pipe_stall_i;
  assign idle = {{(14 - EB) {1'b0}}, idle_q} + (is_idle ? part : 14'd0);
  assign mem = {{(14 - EB) {1'b0}}, mem_q} + (all_wait_mem_i ? part : 14'd0);

  // The end of an epoch. d_idle - d_mem > DELTA, without signs: (idle + mem_prev) - (mem + idle_prev) > DELTA.
  logic [13:0] for_more, for_less;
  logic rises, falls;
  logic [7:0] raised;
  assign for_more = idle + {{(14 - RB) {1'b0}}, mem_prev_q};
  assign for_less = mem + {{(14 - RB) {1'b0}}, idle_prev_q};
  assign rises = ends && for_more > for_less + APART[13:0];
  assign falls = ends && for_less > for_more + APART[13:0];
  assign raised = {1'b0, percent_q} + MORE[7:0];
  assign percent_d = rises ? (raised > 8'd100 ? 7'd100 : raised[6:0]) :
                     falls ? (percent_q < MORE[6:0] ? 7'd0 : percent_q - MORE[6:0]) : percent_q;
  assign epoch_d = ends ? rest[EB-1:0] : sum[EB-1:0];
  assign idle_d = ends ? (is_idle ? rest[EB-1:0] : '0) : idle[EB-1:0];
  assign mem_d = ends ? (all_wait_mem_i ? rest[EB-1:0] : '0) : mem[EB-1:0];

  // Thresholds: bit b of the threshold at percentage p is bit p of a constant. Percentages above 100 do not occur.
  for (genvar b = 0; b < TR; b++) begin : g_regs
    logic [127:0] regs;
    for (genvar p = 0; p < 128; p++) begin : g_percent
      localparam int UNITS = (p * REGS + 50) / 100;
      assign regs[p] = UNITS[b];
    end
    assign thresh_regs_o[b] = regs[percent_q];
  end
  for (genvar b = 0; b < TS; b++) begin : g_scratch
    logic [127:0] scratch;
    for (genvar p = 0; p < 128; p++) begin : g_percent
      localparam int UNITS = (p * SCRATCH + 50) / 100;
      assign scratch[p] = UNITS[b];
    end
    assign thresh_scratch_o[b] = scratch[percent_q];
  end
  for (genvar b = 0; b < TT; b++) begin : g_slots
    logic [127:0] slots;
    for (genvar p = 0; p < 128; p++) begin : g_percent
      localparam int UNITS = (p * SLOTS + 50) / 100;
      assign slots[p] = UNITS[b];
    end
    assign thresh_slots_o[b] = slots[percent_q];
  end
  assign busy_o = 1'b0;
  logic unused;
  assign unused = &{1'b0, idle, mem, sum, rest};

  // Registers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_en_i) begin
      percent_q <= FIRST[6:0];
      {epoch_q, idle_q, mem_q, idle_prev_q, mem_prev_q} <= '0;
    end else begin
      percent_q <= percent_d;
      epoch_q <= epoch_d;
      idle_q <= idle_d;
      mem_q <= mem_d;
      if (ends) begin
        idle_prev_q <= idle[RB-1:0];
        mem_prev_q <= mem[RB-1:0];
      end
    end
  end

`ifdef FORMAL
  `include "othresh_ctl_props.svh"
`endif
endmodule
`undef NEEDS
