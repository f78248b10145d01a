// SPDX-License-Identifier: Apache-2.0
//
// caba_awc: the assist warp controller of an SM: which events start an assist warp, which one is fetched next, and how many of low priority
// may run (Vijaykumar 2019, 5.3.3 and figure 47; assumption: sizes, table of triggers, queue, windows, ports and cycle behaviour).
//
// Trigger    the lowest row of the table that agrees in event, encoding (where the row's mask has ones) and PC names the routine. A cycle
//            takes one trigger: tr_taken_o says that it has, or will have, an entry of the AWT. None has if no row agrees. If an entry of
//            this warp and routine is active, the AWT is full, or others wait, then one of high priority waits, first in, first out, and
//            one of low priority is dropped and counted (drops_o, modulo 65,536). An entry that is freed is free from the next cycle on.
// Order      at a clock edge: a kill, the parent's exit (its entries of low priority leave), what was delivered, a branch, a routine that is
//            done; then the pick. A trigger of the cycle of a kill comes behind the kill.
// Pick       among entries that run, and are not picked in this cycle: high priority where the warp's instruction buffer is free; else low
//            priority if the low partition has room. One of low priority starts only while fewer than cap_o have. Round robin in each
//            class. pk_* name the pick in the next cycle, which is when the AWS samples it.
// Delivery   in the cycle behind pk_valid_o, if dl_ok_o: dl_n_i words went to the buffer, the last of them a branch (dl_br_i: the entry waits
//            for its target) or the routine's end (dl_end_i: the entry drains until done_*). Without dl_ok_o the words of the AWS do not
//            count: their entry was killed. The caller drops words of the cycle of a kill.
// Parent     stall_parent_o: warps with an entry or a waiting trigger of high priority. When such an entry is done, its load resumes: resume_*
//            in the next cycle, for one cycle.
// Throttle   cycles come in runs of one condition, as in othresh_ctl: run_i cycles, in each of which idle_slots_i issue slots of 2 were idle
//            (3 counts as 2) and the queue of the LSU was full or not. At the end of a window the cap is halved if fewer than 1/8 of the
//            slots were idle or the queue was full in more than half of the cycles, else it grows by 1, to CAP.
// Launch     clear_en_i: the table is empty, the window begins, the cap is CAP, drops are 0. Entries stay. It comes before cfg_* of its cycle.
// Reset      synchronous, active low: no entry, nothing waits; as a launch.
// Idle       busy_o: a pick, a delivery or a resumption is on the outputs, or the first trigger that waits can be taken.

`include "needs.vh"

module caba_awc #(
    parameter int AWT = 64,       // entries, a power of two, 2..64
    parameter int TRIG = 16,      // rows of the table of triggers, 1..16
    parameter int WAIT = 8,       // triggers that can wait, a power of two, 2..8
    parameter int WARPS = 48,     // warps, 1..64
    parameter int WINDOW = 1024,  // cycles, a power of two, 4..4096
    parameter int CAP = 16        // entries of low priority that may run, at most; 0..16
) (
    input  logic                   clk_i,
    input  logic                   rst_ni,
    input  logic                   clear_en_i,     // a launch begins
    input  logic                   cfg_en_i,       // a row of the table is written
    input  logic [(TRIG <= 2 ? 1 : $clog2(TRIG))-1:0] cfg_row_i,  // this one; one that does not exist is not
    input  logic [3:0]             cfg_event_i,    // kind of event
    input  logic [7:0]             cfg_enc_i,      // encoding
    input  logic [7:0]             cfg_enc_mask_i, // its bits that count
    input  logic [31:0]            cfg_pc_i,       // program counter
    input  logic                   cfg_pc_any_i,   // it does not count
    input  logic [4:0]             cfg_sr_i,       // routine
    input  logic                   cfg_high_i,     // its priority
    input  logic [47:0]            cfg_live_i,     // its 4 live-in registers, lowest first, and 2 live-out ones
    input  logic                   tr_valid_i,     // an event
    input  logic [3:0]             tr_event_i,     // its kind
    input  logic [7:0]             tr_enc_i,       // encoding of the line
    input  logic [31:0]            tr_pc_i,        // program counter of the instruction
    input  logic [5:0]             tr_warp_i,      // parent
    input  logic [31:0]            tr_mask_i,      // active lanes
    input  logic [39:0]            tr_arg_i,       // argument: the line's place or address
    output logic                   tr_ready_o,     // it is taken in or dropped; else it must come again
    output logic                   tr_taken_o,     // it starts an assist warp, now or later
    output logic                   tr_high_o,      // of high priority
    input  logic [WARPS-1:0]       ib_free_i,      // warps whose instruction buffer has room
    input  logic [1:0]             lp_free_i,      // free entries of the low partition
    output logic                   pk_valid_o,     // words are fetched
    output logic [4:0]             pk_sr_o,        // of this routine; this and the next ones are 0 without a pick
    output logic [7:0]             pk_inst_o,      // the first one's number
    output logic [5:0]             pk_warp_o,      // parent
    output logic                   pk_high_o,      // priority
    output logic [31:0]            pk_mask_o,      // active lanes
    output logic [47:0]            pk_live_o,      // live-in and live-out registers
    output logic [39:0]            pk_arg_o,       // argument
    output logic [$clog2(AWT)-1:0] pk_awt_o,       // entry
    output logic                   dl_ok_o,        // the words that come now count
    output logic [$clog2(AWT)-1:0] dl_awt_o,       // their entry; 0 without words
    input  logic [1:0]             dl_n_i,         // so many are taken
    input  logic                   dl_br_i,        // the last one is a branch
    input  logic                   dl_end_i,       // the last one is the routine's last
    input  logic                   br_valid_i,     // a branch is resolved
    input  logic [$clog2(AWT)-1:0] br_awt_i,       // of this entry
    input  logic [7:0]             br_tgt_i,       // its target
    input  logic                   done_valid_i,   // the last instruction of an entry that drains is done
    input  logic [$clog2(AWT)-1:0] done_awt_i,     // this one
    input  logic                   kill_valid_i,   // an assist warp is killed
    input  logic [5:0]             kill_warp_i,    // of this warp
    input  logic [4:0]             kill_sr_i,      // and routine
    input  logic                   exit_valid_i,   // a parent exits
    input  logic [5:0]             exit_warp_i,    // this one
    output logic [WARPS-1:0]       stall_parent_o, // warps that wait for an assist warp
    output logic                   resume_valid_o, // a load resumes
    output logic [39:0]            resume_arg_o,   // argument of its trigger; 0 without one
    input  logic [$clog2(WINDOW + 1)-1:0] run_i,   // cycles of this condition; more than WINDOW count as WINDOW
    input  logic [1:0]             idle_slots_i,   // idle issue slots in each
    input  logic                   lsu_full_i,     // the LSU's queue is full
    output logic [4:0]             cap_o,          // entries of low priority that may run
    output logic [15:0]            drops_o,        // triggers of low priority that were dropped
    output logic                   busy_o          // an idle tick changes state
);
  localparam int AB = $clog2(AWT);
  localparam int QB = $clog2(WAIT);
  localparam int TB = TRIG <= 2 ? 1 : $clog2(TRIG);
  localparam int WB = $clog2(WINDOW);
  localparam int RB = $clog2(WINDOW + 1);
  localparam int CYCLES = WINDOW, MOST = CAP;
  localparam int GROUP = AWT < 8 ? AWT : 8;  // entries that are searched together: most groups are empty, and a simulation passes over them
  localparam logic [31:0] LAST = TRIG - 1, ONE = 1;
  localparam logic [63:0] ONE64 = 64'd1;
  localparam logic [QB:0] FULL = WAIT[QB:0];

  `NEEDS(AWT >= 2 && AWT <= 64 && AWT == 1 << AB, caba_awc_needs_a_power_of_two_of_2_to_64_entries)
  `NEEDS(TRIG >= 1 && TRIG <= 16, caba_awc_needs_trig_in_1_to_16)
  `NEEDS(WAIT >= 2 && WAIT <= 8 && WAIT == 1 << QB, caba_awc_needs_wait_of_2_4_or_8)
  `NEEDS(WARPS >= 1 && WARPS <= 64, caba_awc_needs_warps_in_1_to_64)
  `NEEDS(WINDOW >= 4 && WINDOW <= 4096 && WINDOW == 1 << WB, caba_awc_needs_a_window_of_a_power_of_two_of_4_to_4096)
  `NEEDS(CAP >= 0 && CAP <= 16, caba_awc_needs_cap_in_0_to_16)

  // Number of the lowest one, by halves; 63 without a one.
  function automatic logic [5:0] lowest(input logic [63:0] of);
    logic [31:0] thirty_two;
    logic [15:0] sixteen;
    logic [7:0] eight;
    logic [3:0] four;
    logic [1:0] two;
    logic [5:0] n;
    n[5] = of[31:0] == '0;
    thirty_two = n[5] ? of[63:32] : of[31:0];
    n[4] = thirty_two[15:0] == '0;
    sixteen = n[4] ? thirty_two[31:16] : thirty_two[15:0];
    n[3] = sixteen[7:0] == '0;
    eight = n[3] ? sixteen[15:8] : sixteen[7:0];
    n[2] = eight[3:0] == '0;
    four = n[2] ? eight[7:4] : eight[3:0];
    n[1] = four[1:0] == '0;
    two = n[1] ? four[3:2] : four[1:0];
    n[0] = two == 2'b10 || two == 2'b00;
    lowest = n;
  endfunction

  // The AWT. Of an entry that is valid and neither runs nor drains a branch is not resolved.
  logic [AWT-1:0] valid_q, run_q, drain_q, high_q, started_q;
  logic [AWT*6-1:0] warp_q;
  logic [AWT*5-1:0] sr_q;
  logic [7:0] inst_q[0:AWT-1];
  logic [31:0] mask_q[0:AWT-1];
  logic [47:0] live_q[0:AWT-1];
  logic [39:0] arg_q[0:AWT-1];
  logic [AB-1:0] high_at_q, low_at_q, pk_awt_q, dl_awt_q;  // where the search begins; the pick and the delivery
  logic pk_q, dl_q, resume_q;
  logic [39:0] resume_arg_q;
  // The table.
  logic [TRIG-1:0] there_q, t_any_q, t_high_q;
  logic [TRIG*4-1:0] t_event_q;
  logic [TRIG*8-1:0] t_enc_q, t_enc_mask_q;
  logic [TRIG*32-1:0] t_pc_q;
  logic [TRIG*5-1:0] t_sr_q;
  logic [TRIG*48-1:0] t_live_q;
  // Triggers that wait: a place without a bit in wait_there_q was killed, or is empty.
  logic [WAIT-1:0] wait_there_q;
  logic [QB:0] wait_n_q;
  logic [QB-1:0] wait_head_q;
  logic [WAIT*6-1:0] wait_warp_q;
  logic [WAIT*5-1:0] wait_sr_q;
  logic [31:0] wait_mask_q[0:WAIT-1];
  logic [47:0] wait_live_q[0:WAIT-1];
  logic [39:0] wait_arg_q[0:WAIT-1];
  logic [15:0] drops_q;

  // The table: the lowest row that agrees.
  logic found, row_high;
  logic [4:0] row_sr;
  logic [47:0] row_live;
  always_comb begin
    {found, row_high, row_sr, row_live} = '0;
    if (tr_valid_i) begin
      for (int r = TRIG - 1; r >= 0; r--) begin
        if (there_q[r] && t_event_q[r*4+:4] == tr_event_i && ((t_enc_q[r*8+:8] ^ tr_enc_i) & t_enc_mask_q[r*8+:8]) == '0 &&
            (t_any_q[r] || t_pc_q[r*32+:32] == tr_pc_i))
          {found, row_high, row_sr, row_live} = {1'b1, t_high_q[r], t_sr_q[r*5+:5], t_live_q[r*48+:48]};
      end
    end
  end

  // The one trigger that can have an entry: the first that waits, else the new one.
  logic waits, head_there, active, can, head_takes, pops, asks, allocates, pushes, takes;
  logic [5:0] new_warp;
  logic [4:0] new_sr;
  logic [63:0] free;
  logic [5:0] slot6, pick6;
  logic [AB-1:0] slot;
  assign waits = wait_n_q != '0;
  assign head_there = wait_there_q[wait_head_q];
  assign new_warp = waits ? wait_warp_q[wait_head_q*6+:6] : tr_warp_i;
  assign new_sr = waits ? wait_sr_q[wait_head_q*5+:5] : row_sr;
  always_comb begin
    active = 1'b0;
    if (waits || found) begin
      for (int g = 0; g < AWT; g = g + GROUP)
        if (valid_q[g+:GROUP] != '0)
          for (int i = 0; i < GROUP; i++)
            if (valid_q[g+i] && warp_q[(g+i)*6+:6] == new_warp && sr_q[(g+i)*5+:5] == new_sr) active = 1'b1;
    end
  end
  always_comb begin
    free = '0;
    free[AWT-1:0] = ~valid_q;
  end
  assign slot6 = lowest(free);
  assign slot = slot6[AB-1:0];
  assign can = !active && valid_q != '1;
  assign pops = waits && (!head_there || can);
  assign tr_ready_o = wait_n_q != FULL;
  assign asks = found && tr_ready_o;
  assign allocates = asks && !waits && can;
  assign pushes = asks && row_high && !allocates;
  assign tr_taken_o = allocates || pushes;
  assign tr_high_o = asks && row_high;

  // Kills.
  logic [AWT-1:0] killed, kept;
  logic [WAIT-1:0] wait_killed;
  always_comb begin
    killed = '0;
    wait_killed = '0;
    if (kill_valid_i) begin
      for (int g = 0; g < AWT; g = g + GROUP)
        if (valid_q[g+:GROUP] != '0)
          for (int i = 0; i < GROUP; i++) killed[g+i] = warp_q[(g+i)*6+:6] == kill_warp_i && sr_q[(g+i)*5+:5] == kill_sr_i;
      for (int i = 0; i < WAIT; i++) wait_killed[i] = wait_warp_q[i*6+:6] == kill_warp_i && wait_sr_q[i*5+:5] == kill_sr_i;
    end
    if (exit_valid_i) begin
      for (int g = 0; g < AWT; g = g + GROUP)
        if (valid_q[g+:GROUP] != '0)
          for (int i = 0; i < GROUP; i++) if (!high_q[g+i] && warp_q[(g+i)*6+:6] == exit_warp_i) killed[g+i] = 1'b1;
    end
  end
  assign kept = valid_q & ~killed;
  assign head_takes = waits && head_there && can && !wait_killed[wait_head_q];
  assign takes = head_takes || allocates;

  // Delivery, branch, end: entries as they are before the pick.
  logic [AWT-1:0] entry_0, dl_at, br_at, done_at, stops, drains, resolved, freed, run_d;
  assign entry_0 = ONE64[AWT-1:0];
  assign dl_at = dl_q ? entry_0 << dl_awt_q : '0;
  assign br_at = br_valid_i ? entry_0 << br_awt_i : '0;
  assign done_at = done_valid_i ? entry_0 << done_awt_i : '0;
  assign stops = dl_br_i || dl_end_i ? dl_at : '0;
  assign drains = dl_end_i ? dl_at : '0;
  assign resolved = br_at & kept & ~run_q & ~drain_q;
  assign freed = done_at & kept & drain_q;
  assign run_d = ((run_q & ~stops) | resolved) & kept;

  // The pick.
  logic [63:0] ib_free, started64, pairs, fours, eights, chosen;
  logic [6:0] started_n;
  logic [AWT-1:0] high_ok, could, picked, highs, lows, later, from;
  logic pick_high, picks;
  logic [AB-1:0] pick;
  always_comb begin
    ib_free = '0;
    ib_free[WARPS-1:0] = ib_free_i;
    started64 = '0;
    started64[AWT-1:0] = started_q;
    high_ok = '0;
    if (ib_free_i != '0) begin
      for (int g = 0; g < AWT; g = g + GROUP)
        if (high_q[g+:GROUP] != '0)
          for (int i = 0; i < GROUP; i++) high_ok[g+i] = high_q[g+i] && ib_free[warp_q[(g+i)*6+:6]];
    end
    highs = could & high_ok;
    lows = lp_free_i == 2'd0 ? '0 : could & ~high_q & (started_q | {AWT{started_n < {2'd0, cap_q}}});
  end
  assign pairs = started64 - ((started64 >> 1) & 64'h5555_5555_5555_5555);
  assign fours = (pairs & 64'h3333_3333_3333_3333) + ((pairs >> 2) & 64'h3333_3333_3333_3333);
  assign eights = (fours + (fours >> 4)) & 64'h0f0f_0f0f_0f0f_0f0f;
  assign started_n = eights[6:0] + eights[14:8] + eights[22:16] + eights[30:24] + eights[38:32] + eights[46:40] + eights[54:48] +
                     eights[62:56];
  assign could = run_d & ~(pk_q ? entry_0 << pk_awt_q : '0);
  assign pick_high = highs != '0;
  assign from = pick_high ? highs : lows;
  assign later = from & ({AWT{1'b1}} << (pick_high ? high_at_q : low_at_q));
  assign picks = from != '0;
  always_comb begin
    chosen = '0;
    chosen[AWT-1:0] = later != '0 ? later : from;
  end
  assign pick6 = lowest(chosen);
  assign pick = pick6[AB-1:0];
  assign picked = picks ? entry_0 << pick : '0;

  // Windows. 16 bits hold the idle slots of two windows four times.
  logic [WB-1:0] cycle_q, full_q;
  logic [WB:0] idle_q;
  logic [4:0] cap_q;
  logic [15:0] run, sum, rest, part, idle, full, idle_rest;
  logic ends, is_tight;
  assign run = {{(16 - RB) {1'b0}}, run_i} > CYCLES[15:0] ? CYCLES[15:0] : {{(16 - RB) {1'b0}}, run_i};
  assign sum = {{(16 - WB) {1'b0}}, cycle_q} + run;
  assign ends = sum >= CYCLES[15:0];
  assign rest = ends ? sum - CYCLES[15:0] : 16'd0;
  assign part = run - rest;
  assign idle = {{(15 - WB) {1'b0}}, idle_q} + (idle_slots_i[1] ? part << 1 : idle_slots_i[0] ? part : 16'd0);
  assign idle_rest = idle_slots_i[1] ? rest << 1 : idle_slots_i[0] ? rest : 16'd0;
  assign full = {{(16 - WB) {1'b0}}, full_q} + (lsu_full_i ? part : 16'd0);
  assign is_tight = idle << 2 < CYCLES[15:0] || full << 1 > CYCLES[15:0];

  // Outputs.
  logic [63:0] stalls;
  always_comb begin
    stalls = '0;
    for (int g = 0; g < AWT; g = g + GROUP)
      if (high_q[g+:GROUP] != '0)
        for (int i = 0; i < GROUP; i++) stalls = stalls | (high_q[g+i] ? ONE64 << warp_q[(g+i)*6+:6] : 64'd0);
    for (int i = 0; i < WAIT; i++) stalls = stalls | (wait_there_q[i] ? ONE64 << wait_warp_q[i*6+:6] : 64'd0);
  end
  assign stall_parent_o = stalls[WARPS-1:0];
  assign pk_valid_o = pk_q;
  assign pk_sr_o = pk_q ? sr_q[pk_awt_q*5+:5] : '0;
  assign pk_inst_o = pk_q ? inst_q[pk_awt_q] : '0;
  assign pk_warp_o = pk_q ? warp_q[pk_awt_q*6+:6] : '0;
  assign pk_high_o = pk_q && high_q[pk_awt_q];
  assign pk_mask_o = pk_q ? mask_q[pk_awt_q] : '0;
  assign pk_live_o = pk_q ? live_q[pk_awt_q] : '0;
  assign pk_arg_o = pk_q ? arg_q[pk_awt_q] : '0;
  assign pk_awt_o = pk_q ? pk_awt_q : '0;
  assign dl_ok_o = dl_q;
  assign dl_awt_o = dl_q ? dl_awt_q : '0;
  assign resume_valid_o = resume_q;
  assign resume_arg_o = resume_q ? resume_arg_q : '0;
  assign cap_o = cap_q;
  assign drops_o = drops_q;
  assign busy_o = pk_q || dl_q || resume_q || pops;

  // Registers: the AWT. An entry's row counts while it is valid.
  logic [AWT-1:0] new_at;
  logic is_high;
  logic [WAIT-1:0] wait_0;
  logic [QB-1:0] tail;
  logic [31:0] cfg_row;
  logic writes_row;
  assign is_high = waits || row_high;
  assign new_at = takes ? entry_0 << slot : '0;
  assign wait_0 = ONE[WAIT-1:0];
  assign tail = wait_head_q + wait_n_q[QB-1:0];
  assign cfg_row = {{(32 - TB) {1'b0}}, cfg_row_i};
  assign writes_row = cfg_en_i && cfg_row <= LAST;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {valid_q, run_q, drain_q, high_q, started_q, high_at_q, low_at_q, pk_q, dl_q, resume_q} <= '0;
    end else begin
      valid_q <= (kept & ~freed) | new_at;
      run_q <= run_d | new_at;
      drain_q <= (drain_q | drains) & kept & ~freed;
      high_q <= (high_q & kept & ~freed) | (is_high ? new_at : '0);
      started_q <= (started_q & kept & ~freed) | (pick_high ? '0 : picked);
      if (picks && pick_high) high_at_q <= pick + 1'b1;
      if (picks && !pick_high) low_at_q <= pick + 1'b1;
      pk_q <= picks;
      dl_q <= pk_q && kept[pk_awt_q];
      resume_q <= (freed & high_q) != '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (dl_q) inst_q[dl_awt_q] <= inst_q[dl_awt_q] + {6'd0, dl_n_i};
    if (resolved != '0) inst_q[br_awt_i] <= br_tgt_i;
    if (takes) begin
      warp_q[slot*6+:6] <= new_warp;
      sr_q[slot*5+:5] <= new_sr;
      inst_q[slot] <= 8'd0;
      mask_q[slot] <= waits ? wait_mask_q[wait_head_q] : tr_mask_i;
      live_q[slot] <= waits ? wait_live_q[wait_head_q] : row_live;
      arg_q[slot] <= waits ? wait_arg_q[wait_head_q] : tr_arg_i;
    end
    if (picks) pk_awt_q <= pick;
    if (pk_q) dl_awt_q <= pk_awt_q;
    if (freed != '0) resume_arg_q <= arg_q[done_awt_i];
  end

  // Registers: triggers that wait, and the table.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {wait_there_q, wait_n_q, wait_head_q} <= '0;
    end else begin
      wait_there_q <= (wait_there_q & ~wait_killed & ~(pops ? wait_0 << wait_head_q : '0)) | (pushes ? wait_0 << tail : '0);
      wait_n_q <= wait_n_q + {{QB{1'b0}}, pushes} - {{QB{1'b0}}, pops};
      wait_head_q <= wait_head_q + {{(QB - 1) {1'b0}}, pops};
    end
    if (pushes) begin
      wait_warp_q[tail*6+:6] <= tr_warp_i;
      wait_sr_q[tail*5+:5] <= row_sr;
      wait_mask_q[tail] <= tr_mask_i;
      wait_live_q[tail] <= row_live;
      wait_arg_q[tail] <= tr_arg_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_en_i) there_q <= '0;
    if (rst_ni && writes_row) there_q[cfg_row_i] <= 1'b1;
    if (writes_row) begin
      t_event_q[cfg_row_i*4+:4] <= cfg_event_i;
      t_enc_q[cfg_row_i*8+:8] <= cfg_enc_i;
      t_enc_mask_q[cfg_row_i*8+:8] <= cfg_enc_mask_i;
      t_pc_q[cfg_row_i*32+:32] <= cfg_pc_i;
      t_any_q[cfg_row_i] <= cfg_pc_any_i;
      t_sr_q[cfg_row_i*5+:5] <= cfg_sr_i;
      t_high_q[cfg_row_i] <= cfg_high_i;
      t_live_q[cfg_row_i*48+:48] <= cfg_live_i;
    end
  end

  // Registers: the window.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_en_i) begin
      {cycle_q, idle_q, full_q, drops_q} <= '0;
      cap_q <= MOST[4:0];
    end else begin
      cycle_q <= ends ? rest[WB-1:0] : sum[WB-1:0];
      idle_q <= ends ? idle_rest[WB:0] : idle[WB:0];
      full_q <= ends ? (lsu_full_i ? rest[WB-1:0] : '0) : full[WB-1:0];
      if (ends) cap_q <= is_tight ? cap_q >> 1 : cap_q == MOST[4:0] ? cap_q : cap_q + 5'd1;
      drops_q <= drops_q + {15'd0, asks && !row_high && !allocates};
    end
  end
  logic unused;
  assign unused = &{1'b0, slot6, pick6, sum, rest, idle, full, idle_rest, stalls, eights, cfg_row, ONE};

`ifdef FORMAL
  `include "caba_awc_props.svh"
`endif
endmodule
`undef NEEDS
