// SPDX-License-Identifier: Apache-2.0
//
// xmem_amu: an atom management unit of XMem (Vijaykumar 2019, section 2.4) with its atom lookaside
// buffer, joined. It has no register of its own; the headers of the parts describe their behaviour.
//
// Joined     lookups of the current context go to the ALB with {context, tag} as their tag; answers
//            pass the status table. The home unit's ALB takes its own page updates; the ALBs of other
//            units take those from bi_*.
// Lookups    one per cycle; a hit is answered two cycles later.
// Reset      synchronous, active low, in the parts.
// Idle       busy_o: one of the parts is busy.

module xmem_amu #(
    parameter int PPN_W = 28,           // bits of a physical page number, at most 32
    parameter int SETS = 64,            // sets of the ALB
    parameter int WAYS = 4,             // ways of a set
    parameter int UNITS = 8,            // units of a page: 2, 4 or 8
    parameter int IDW = 8,              // bits of an atom, 2 to 8
    parameter int NMISS = 8,            // misses of the ALB, 2 to 8
    parameter int TAGW = 10,            // {context, tag} of a lookup, at least 3
    parameter int HOME = 1,             // takes commands
    parameter int UNMAP_CHECK = 0,      // UNMAP leaves units of other atoms alone
    parameter int EDGE = 0,             // a unit counts if at least half of it is mapped
    parameter int ALB_FLUSH_ON_CTX = 1  // a new context flushes the ALB
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    // commands
    input  logic                       cmd_valid_i,      // a command arrives
    input  logic [2:0]                 cmd_op_i,         // the operation
    input  logic [IDW-1:0]             cmd_aid_i,        // atom of the command
    input  logic [1:0]                 cmd_dim_i,        // dimensions of a map
    input  logic                       reg_we_i,         // write a software register
    input  logic [2:0]                 reg_sel_i,        // the register
    input  logic [63:0]                reg_data_i,       // value for the register; CTXPTR: byte address of the status table
    // translation
    input  logic                       mmu_rq_ready_i,   // the MMU takes the translation request
    input  logic                       mmu_rs_valid_i,   // the translation is done
    input  logic                       mmu_rs_fault_i,   // not mapped
    input  logic [PPN_W-1:0]           mmu_rs_ppn_i,     // physical page of the translation
    // memory
    input  logic                       mem_rq_ready_i,   // memory takes the access
    input  logic                       mem_rs_valid_i,   // data or acknowledgement
    input  logic [3:0]                 mem_rs_id_i,      // id of the access that is answered
    input  logic [63:0]                mem_rs_data_i,    // read data from the access's address on
    // lookups
    input  logic                       lk_valid_i,       // a lookup arrives
    input  logic [PPN_W+11:0]          lk_pa_i,          // physical address of the lookup
    input  logic [TAGW-3:0]            lk_tag_i,         // tag that the answer carries
    input  logic [1:0]                 lk_ctx_i,         // context of the requester
    // the home unit's updates, and reads of working sets
    input  logic                       bi_valid_i,       // a page's update
    input  logic [PPN_W-1:0]           bi_ppn_i,         // page of that update
    input  logic [UNITS-1:0]           bi_mask_i,        // units of the page that changed
    input  logic [IDW-1:0]             bi_aid_i,         // atom that they belong to now
    input  logic                       ai_valid_i,       // a status bit
    input  logic [IDW-1:0]             ai_aid_i,         // atom of the status bit
    input  logic                       ai_val_i,         // new value of the status bit
    input  logic                       ws_rd_en_i,       // read a working set
    input  logic [IDW-1:0]             ws_rd_aid_i,      // atom whose working set is read
    // commands, translation
    output logic                       cmd_ready_o,      // room for a command
    output logic                       mmu_rq_valid_o,   // translation request; stable until mmu_rq_ready, one outstanding
    output logic [35:0]                mmu_rq_vpn_o,     // virtual page to translate
    // memory
    output logic                       mem_rq_valid_o,   // memory access; stable until mem_rq_ready
    output logic                       mem_rq_we_o,      // the access is a write
    output logic [PPN_W+11:0]          mem_rq_addr_o,    // physical byte address of the first byte
    output logic [63:0]                mem_rq_wdata_o,   // write data from the address on
    output logic [7:0]                 mem_rq_wstrb_o,   // bytes of mem_rq_wdata that are written
    output logic [3:0]                 mem_rq_id_o,      // 0 miss, 8 AST, 12 walk
    // lookups
    output logic                       lk_ready_o,       // the lookup is taken
    output logic                       rs_valid_o,       // a lookup is answered; no back-pressure
    output logic [TAGW-3:0]            rs_tag_o,         // tag of the answered lookup
    output logic [IDW-1:0]             rs_aid_o,         // atom of the unit; all ones: none
    output logic                       rs_active_o,      // that atom is active
    output logic                       rs_hit_o,         // the ALB's lookup was a hit
    // to the other units and the cache policy
    output logic                       bc_valid_o,       // page update for every ALB, sent when its write is acknowledged
    output logic [PPN_W-1:0]           bc_ppn_o,         // page of the update
    output logic [UNITS-1:0]           bc_mask_o,        // units of the page that changed
    output logic [IDW-1:0]             bc_aid_o,         // atom that they belong to now
    output logic                       ab_valid_o,       // a status bit changed, for the other units
    output logic [IDW-1:0]             ab_aid_o,         // atom of the status bit
    output logic                       ab_val_o,         // new value of the status bit
    output logic                       atoms_changed_o,  // pulse: a status bit changed, a map of an active atom was completed
    output logic [23:0]                ws_rd_val_o,      // bytes mapped to the atom by this context, in units of 512 bytes
    output logic [31:0]                c_pages_o,        // page updates written
    output logic [31:0]                c_stall_o,        // cycles in which the map walk waited for the memory port or for acknowledgements
    output logic [31:0]                c_lk_o,           // lookups of the ALB
    output logic [31:0]                c_hit_o,          // lookups that hit
    output logic [31:0]                c_miss_o,         // lookups that missed
    output logic [31:0]                c_merge_o,        // lookups that missed and joined an outstanding miss
    output logic [1:0]                 doing_o,          // 1 map 2 context 3 other
    output logic                       busy_o            // a part is busy
);
  localparam int MW = NMISS <= 2 ? 1 : $clog2(NMISS);
  localparam int UW = $clog2(UNITS);

  logic al_ready, al_valid, lk_open, ar_valid, ar_hit, ms_valid, ms_ready, fl_valid, fl_ready, flush;
  logic core_busy, alb_busy;
  logic [TAGW-1:0] ar_tag;
  logic [IDW-1:0] ar_aid;
  logic [PPN_W-1:0] ms_ppn;
  logic [MW-1:0] ms_id, fl_id;
  logic [UNITS*IDW-1:0] fl_data;
  assign lk_ready_o = al_ready && lk_open;
  assign busy_o = core_busy || alb_busy;

  xmem_amu_core #(
      .PPN_W(PPN_W),
      .UNITS(UNITS),
      .IDW(IDW),
      .NMISS(NMISS),
      .TAGW(TAGW),
      .HOME(HOME),
      .UNMAP_CHECK(UNMAP_CHECK),
      .EDGE(EDGE),
      .ALB_FLUSH_ON_CTX(ALB_FLUSH_ON_CTX)
  ) u_core (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .cmd_valid_i(cmd_valid_i),
      .cmd_op_i(cmd_op_i),
      .cmd_aid_i(cmd_aid_i),
      .cmd_dim_i(cmd_dim_i),
      .reg_we_i(reg_we_i),
      .reg_sel_i(reg_sel_i),
      .reg_data_i(reg_data_i),
      .mmu_rq_ready_i(mmu_rq_ready_i),
      .mmu_rs_valid_i(mmu_rs_valid_i),
      .mmu_rs_fault_i(mmu_rs_fault_i),
      .mmu_rs_ppn_i(mmu_rs_ppn_i),
      .mem_rq_ready_i(mem_rq_ready_i),
      .mem_rs_valid_i(mem_rs_valid_i),
      .mem_rs_id_i(mem_rs_id_i),
      .mem_rs_data_i(mem_rs_data_i),
      .lk_valid_i(lk_valid_i),
      .lk_tag_i(lk_tag_i),
      .lk_ctx_i(lk_ctx_i),
      .ai_valid_i(ai_valid_i),
      .ai_aid_i(ai_aid_i),
      .ai_val_i(ai_val_i),
      .ws_rd_en_i(ws_rd_en_i),
      .ws_rd_aid_i(ws_rd_aid_i),
      .al_ready_i(al_ready),
      .ar_valid_i(ar_valid),
      .ar_tag_i(ar_tag),
      .ar_aid_i(ar_aid),
      .ar_hit_i(ar_hit),
      .ms_valid_i(ms_valid),
      .ms_ppn_i(ms_ppn),
      .ms_id_i(ms_id),
      .fl_ready_i(fl_ready),
      .cmd_ready_o(cmd_ready_o),
      .mmu_rq_valid_o(mmu_rq_valid_o),
      .mmu_rq_vpn_o(mmu_rq_vpn_o),
      .mem_rq_valid_o(mem_rq_valid_o),
      .mem_rq_we_o(mem_rq_we_o),
      .mem_rq_addr_o(mem_rq_addr_o),
      .mem_rq_wdata_o(mem_rq_wdata_o),
      .mem_rq_wstrb_o(mem_rq_wstrb_o),
      .mem_rq_id_o(mem_rq_id_o),
      .lk_open_o(lk_open),
      .al_valid_o(al_valid),
      .rs_valid_o(rs_valid_o),
      .rs_tag_o(rs_tag_o),
      .rs_aid_o(rs_aid_o),
      .rs_active_o(rs_active_o),
      .rs_hit_o(rs_hit_o),
      .bc_valid_o(bc_valid_o),
      .bc_ppn_o(bc_ppn_o),
      .bc_mask_o(bc_mask_o),
      .bc_aid_o(bc_aid_o),
      .ab_valid_o(ab_valid_o),
      .ab_aid_o(ab_aid_o),
      .ab_val_o(ab_val_o),
      .atoms_changed_o(atoms_changed_o),
      .ws_rd_val_o(ws_rd_val_o),
      .flush_o(flush),
      .ms_ready_o(ms_ready),
      .fl_valid_o(fl_valid),
      .fl_id_o(fl_id),
      .fl_data_o(fl_data),
      .c_pages_o(c_pages_o),
      .c_stall_o(c_stall_o),
      .doing_o(doing_o),
      .busy_o(core_busy)
  );

  logic up_valid;
  logic [PPN_W-1:0] up_ppn;
  logic [UNITS-1:0] up_mask;
  logic [IDW-1:0] up_aid;
  assign up_valid = HOME != 0 ? bc_valid_o : bi_valid_i;
  assign up_ppn = HOME != 0 ? bc_ppn_o : bi_ppn_i;
  assign up_mask = HOME != 0 ? bc_mask_o : bi_mask_i;
  assign up_aid = HOME != 0 ? bc_aid_o : bi_aid_i;
  xmem_alb #(
      .PPN_W(PPN_W),
      .SETS(SETS),
      .WAYS(WAYS),
      .UNITS(UNITS),
      .IDW(IDW),
      .NMISS(NMISS),
      .TAGW(TAGW)
  ) u_alb (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .flush_i(flush),
      .lk_valid_i(al_valid),
      .lk_ppn_i(lk_pa_i[PPN_W+11:12]),
      .lk_sub_i(lk_pa_i[11-:UW]),
      .lk_tag_i({lk_ctx_i, lk_tag_i}),
      .up_valid_i(up_valid),
      .up_ppn_i(up_ppn),
      .up_mask_i(up_mask),
      .up_aid_i(up_aid),
      .ms_ready_i(ms_ready),
      .fl_valid_i(fl_valid),
      .fl_id_i(fl_id),
      .fl_data_i(fl_data),
      .lk_ready_o(al_ready),
      .rs_valid_o(ar_valid),
      .rs_tag_o(ar_tag),
      .rs_aid_o(ar_aid),
      .rs_hit_o(ar_hit),
      .ms_valid_o(ms_valid),
      .ms_ppn_o(ms_ppn),
      .ms_id_o(ms_id),
      .fl_ready_o(fl_ready),
      .c_lk_o(c_lk_o),
      .c_hit_o(c_hit_o),
      .c_miss_o(c_miss_o),
      .c_merge_o(c_merge_o),
      .busy_o(alb_busy)
  );

`ifdef FORMAL
  `include "xmem_amu_props.svh"
`endif
endmodule
