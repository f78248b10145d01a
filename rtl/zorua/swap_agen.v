// SPDX-License-Identifier: Apache-2.0
//
// swap_agen: where a set of an SM's resource lies in the swap space in memory, line by line (Vijaykumar 2019, 4.4.5: a base register for each
// resource, the logical set and the warp or block; assumption: layout, ports and cycle behaviour). One an SM.
//
// Latency    a command is taken if cmd_ready_o; its first line is offered in the next cycle, and each line until line_ready_i. All inputs
//            are sampled at the clock edge. No command is taken in the cycle of a last line: one cycle between commands has no line.
// Kinds      0: a register set of a warp, 4 lines of 128 bytes (128 registers). 1: a scratchpad set of a block, 8 lines. 2 and 3: the
//            state of a warp, 1 line; there is no set.
// Layout     line = base of the kind + (owner * sets of an owner + set) * lines of a set. The number of sets is a constant, so that this is
//            shifts and additions: one shift for 16 sets, two for 48.
// Bases      line numbers (byte address / 128), one a kind, written at any time: a command that is taken in the same cycle has the old one,
//            a command under way keeps its addresses. The source's sketch has the number of the SM as an input; assumption: the driver
//            gives each SM its own bases, so that neither the number of SMs nor their stride is wired in.
// Caller     gives owners and sets that exist; others lie in another owner's space, or behind the space of the kind.
// Reset      synchronous, active low: every base is 0, no command is under way.
// Idle       busy_o: a line is offered.

`include "needs.vh"

module swap_agen #(
    parameter int PAW = 48,    // bits of a byte address, 32..48
    parameter int LW = 64,     // logical warps, 1..128
    parameter int LB = 16,     // logical blocks, 1..64
    parameter int RSETS = 16,  // register sets of a warp, 1..64
    parameter int SSETS = 48   // scratchpad sets of a block, 1..64
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    // bases
    input  logic             base_en_i,    // a base is written
    input  logic [1:0]       base_kind_i,  // of this kind; 3: of none
    input  logic [PAW-8:0]   base_i,       // byte address / 128
    // command
    input  logic             cmd_valid_i,  // a set is to be moved
    input  logic [1:0]       cmd_kind_i,   // 0 registers, 1 scratchpad, 2 and 3 state of a warp
    input  logic             cmd_spill_i,  // 1: to memory, 0: from memory
    input  logic [(LW > LB ? (LW <= 2 ? 1 : $clog2(LW)) : (LB <= 2 ? 1 : $clog2(LB)))-1:0] cmd_owner_i,  // warp, or block
    input  logic [(RSETS > SSETS ? (RSETS <= 2 ? 1 : $clog2(RSETS)) : (SSETS <= 2 ? 1 : $clog2(SSETS)))-1:0] cmd_set_i,  // its set
    output logic             cmd_ready_o,  // the command is taken
    // lines
    output logic             line_valid_o, // a line is offered; stable until line_ready_i
    output logic [PAW-8:0]   line_o,       // byte address / 128; 0 without a line
    output logic             spill_o,      // it is written; 0 without a line
    output logic [3:0]       left_o,       // lines of the set that are left, this one included; 0 without a line
    input  logic             line_ready_i, // the line is taken
    output logic             busy_o        // a line is offered
);
  localparam int OB = LW > LB ? (LW <= 2 ? 1 : $clog2(LW)) : (LB <= 2 ? 1 : $clog2(LB));
  localparam int SB = RSETS > SSETS ? (RSETS <= 2 ? 1 : $clog2(RSETS)) : (SSETS <= 2 ? 1 : $clog2(SSETS));
  localparam int NB = PAW - 7;  // bits of a line's number

  `NEEDS(PAW >= 32 && PAW <= 48, swap_agen_needs_paw_in_32_to_48)
  `NEEDS(LW >= 1 && LW <= 128, swap_agen_needs_lw_in_1_to_128)
  `NEEDS(LB >= 1 && LB <= 64, swap_agen_needs_lb_in_1_to_64)
  `NEEDS(RSETS >= 1 && RSETS <= 64, swap_agen_needs_rsets_in_1_to_64)
  `NEEDS(SSETS >= 1 && SSETS <= 64, swap_agen_needs_ssets_in_1_to_64)

  logic [3*NB-1:0] base_q;    // of each kind, registers lowest
  logic on_q, on_d;           // a line is offered
  logic [NB-1:0] line_q;
  logic [3:0] left_q;
  logic spill_q;

  // The first line of the command's set: 20 bits hold the largest distance from the base, for an owner and a set of any bits.
  logic [19:0] owner, set, registers, scratch, distance;
  logic [NB-1:0] base, first;
  logic [3:0] lines;
  logic is_scratch, is_state;
  assign owner = {{(20 - OB) {1'b0}}, cmd_owner_i};
  assign set = {{(20 - SB) {1'b0}}, cmd_set_i};
  assign is_scratch = cmd_kind_i == 2'd1;
  assign is_state = cmd_kind_i[1];
  localparam logic [31:0] OF_WARP = RSETS;
  localparam logic [31:0] OF_BLOCK = SSETS;
  always_comb begin
    registers = set;
    scratch = set;
    for (int k = 0; k < 7; k++) begin
      if (OF_WARP[k]) registers = registers + (owner << k);
      if (OF_BLOCK[k]) scratch = scratch + (owner << k);
    end
  end
  assign distance = is_state ? owner : is_scratch ? scratch << 3 : registers << 2;
  assign base = is_state ? base_q[2*NB+:NB] : is_scratch ? base_q[NB+:NB] : base_q[NB-1:0];
  assign first = base + {{(NB - 20) {1'b0}}, distance};
  assign lines = is_state ? 4'd1 : is_scratch ? 4'd8 : 4'd4;

  // Handshakes.
  logic takes, moves;
  assign cmd_ready_o = !on_q;
  assign takes = cmd_valid_i && cmd_ready_o;
  assign moves = line_valid_o && line_ready_i;
  assign on_d = takes || (on_q && !(moves && left_q == 4'd1));
  assign line_valid_o = on_q;
  assign line_o = on_q ? line_q : '0;
  assign spill_o = on_q && spill_q;
  assign left_o = on_q ? left_q : 4'd0;
  assign busy_o = on_q;

  // Registers. A line's address, number and direction count where on_q is 1.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      base_q <= '0;
      on_q <= 1'b0;
    end else begin
      on_q <= on_d;
      for (int k = 0; k < 3; k++) if (base_en_i && {30'd0, base_kind_i} == k) base_q[k*NB+:NB] <= base_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (takes) begin
      line_q <= first;
      left_q <= lines;
      spill_q <= cmd_spill_i;
    end else if (moves) begin
      line_q <= line_q + 1'b1;
      left_q <= left_q - 4'd1;
    end
  end

`ifdef FORMAL
  `include "swap_agen_props.svh"
`endif
endmodule
`undef NEEDS
