// SPDX-License-Identifier: Apache-2.0
//
// bkconf_accum: adds up the cycles that the subwarps of a shared memory instruction took in the
// memory stage (Gou & Gaydadjiev 2011, equations 4 and 5 and table 2) and hands the sum to the
// history cache. A subwarp with conflict degree cd takes ceil(cd / P) cycles; its issue slot, one
// cycle, is subtracted, so that an instruction without conflicts gives 0.
//
// Latency    up_* are valid in the cycle after the last subwarp, for one cycle; always accepted.
// Order      subwarps of two warps never interleave; gaps between them are legal. The first subwarp
//            after reset, after a flush or after a last subwarp begins a new sum.
// Range      a degree of 0 counts as 1. The sum saturates; S accesses to one bank in each of the
//            W / S subwarps stay below its limit.
// Flush      drops an unfinished sum and the subwarp of this cycle; up_* of this cycle stay valid.
// Reset      synchronous, active low; no unfinished sum.
// Idle       busy_o is 1 while an update is valid; an unfinished sum is state, not work.

`include "needs.vh"

module bkconf_accum #(
    parameter int W = 32,   // threads of a warp
    parameter int S = 8,    // SIMD lanes: threads of a subwarp
    parameter int P = 1,    // ports of a bank
    parameter int PCW = 14  // bits of an instruction's number
) (
    input  logic                   clk_i,
    input  logic                   rst_ni,
    input  logic                   flush_i,      // drop an unfinished sum
    // subwarps that leave the first memory stage
    input  logic                   sub_valid_i,  // a subwarp of a shared memory instruction
    input  logic                   sub_last_i,   // the warp's last subwarp
    input  logic [$clog2(S+1)-1:0] sub_cd_i,     // its conflict degree, 1..S
    input  logic [PCW-1:0]         sub_pc_i,     // the instruction
    // update of the history
    output logic                   up_valid_o,   // an execution has been measured
    output logic [PCW-1:0]         up_pc_o,      // the instruction
    output logic [$clog2(W)-1:0]   up_degree_o,  // cycles beyond its issue slots, saturated
    output logic                   busy_o        // an update is valid
);
  localparam int CW = $clog2(S + 1);
  localparam int DW = W <= 2 ? 1 : $clog2(W);
  localparam int PW = $clog2(P + 1);
  localparam int XW = (CW > DW ? (CW > PW ? CW : PW) : (DW > PW ? DW : PW)) + 1;
  localparam logic [XW-1:0] PORTS = P[XW-1:0];

  logic part_q, up_valid_q;
  logic [DW-1:0] acc_q, up_degree_q;
  logic [PCW-1:0] up_pc_q;

  `NEEDS(W >= 2, bkconf_accum_needs_w_at_least_2)
  `NEEDS(S >= 1 && W % (S < 1 ? 1 : S) == 0, bkconf_accum_needs_s_that_divides_w)
  `NEEDS(P >= 1, bkconf_accum_needs_p_at_least_1)

  // Decode: ceil(cd / P) - 1 is (cd - 1) / P.
  logic [XW-1:0] cd, beyond, sum;
  logic [DW-1:0] capped;
  assign cd = {{(XW - CW) {1'b0}}, sub_cd_i};
  assign beyond = (|sub_cd_i) ? (cd - 1'b1) / PORTS : '0;
  assign sum = {{(XW - DW) {1'b0}}, part_q ? acc_q : {DW{1'b0}}} + beyond;
  assign capped = (|sum[XW-1:DW]) ? {DW{1'b1}} : sum[DW-1:0];

  assign up_valid_o = up_valid_q;
  assign up_pc_o = up_pc_q;
  assign up_degree_o = up_degree_q;
  assign busy_o = up_valid_q;

  // Next state.
  logic part_now, up_valid_now, part_d, up_valid_d;
  assign part_now = sub_valid_i ? !sub_last_i : part_q;
  assign up_valid_now = sub_valid_i && sub_last_i;
  always_comb begin
    part_d = !flush_i && part_now;
    up_valid_d = !flush_i && up_valid_now;
  end

  // Registers.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      part_q <= 1'b0;
      up_valid_q <= 1'b0;
    end else begin
      part_q <= part_d;
      up_valid_q <= up_valid_d;
    end
    if (sub_valid_i) acc_q <= capped;
    if (up_valid_d) begin
      up_degree_q <= capped;
      up_pc_q <= sub_pc_i;
    end
    if (!rst_ni) begin
      up_degree_q <= '0;
      up_pc_q <= '0;
    end
  end

`ifdef FORMAL
  `include "bkconf_accum_props.svh"
`endif
endmodule
`undef NEEDS
