// SPDX-License-Identifier: Apache-2.0
//
// xmem_amu_regs: the registers of xmem_amu_core that software writes.
//
// Latency    a value written at T0 is read from T1 on.
// HOME = 0   only CTXPTR and AAM_BASE exist; the others read as 0.
// Reset      synchronous, active low: all 0.

module xmem_amu_regs #(
    parameter int PA = 40,   // bits of a physical address
    parameter int HOME = 1   // takes maps
) (
    input  logic          clk_i,
    input  logic          rst_ni,
    input  logic          we_i,     // write a register
    input  logic [2:0]    sel_i,    // the register: START, LENX, LENY, SIZEX, SIZEY, SIZEZ, CTXPTR, AAM_BASE
    input  logic [63:0]   data_i,   // its value
    output logic [PA-1:0] aam_o,    // byte address of the atom address map
    output logic [PA-2:0] ctxp_o,   // CTXPTR without its bit 2: {word address of the status table, context}
    output logic [47:0]   start_o,  // first byte of a map
    output logic [31:0]   lenx_o,   // bytes from row to row
    output logic [31:0]   leny_o,   // rows from plane to plane
    output logic [31:0]   sizex_o,  // bytes of a row
    output logic [31:0]   sizey_o,  // rows
    output logic [31:0]   sizez_o   // planes
);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aam_o <= '0;
      ctxp_o <= '0;
    end else if (we_i) begin
      if (sel_i == 3'd6) ctxp_o <= {data_i[PA-1:3], data_i[1:0]};
      if (sel_i == 3'd7) aam_o <= data_i[PA-1:0];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || HOME == 0) begin
      start_o <= '0;
      {lenx_o, leny_o, sizex_o, sizey_o, sizez_o} <= '0;
    end else if (we_i) begin
      case (sel_i)
        3'd0: start_o <= data_i[47:0];
        3'd1: lenx_o <= data_i[31:0];
        3'd2: leny_o <= data_i[31:0];
        3'd3: sizex_o <= data_i[31:0];
        3'd4: sizey_o <= data_i[31:0];
        3'd5: sizez_o <= data_i[31:0];
        default: ;
      endcase
    end
  end
endmodule
