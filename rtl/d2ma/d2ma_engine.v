// SPDX-License-Identifier: Apache-2.0
//
// d2ma_engine: the D2MA engine of an SM (Jamshidi 2014, section 4): controllers, RAW checker and
// address generator, joined. It has no register of its own; the headers of the parts describe their
// behaviour.
//
// Joined     an operation that is legal and not empty (wr_go_i, sampled at the clock edge) writes
//            its range into the checker in its own cycle and starts the address generator if that is
//            free. Taken requests, taken constants, done of the address generator and the answer of
//            the checker reach the controllers in the same cycle.
// Queries    ld_* in one cycle, hit_o in the next. The caller then names the warp again by wt_*; on a
//            hit its access is squashed unless it is a store.
// Clock edge wr_go_i and wr_foot_i may depend on rd_entry_o; they reach registers only.
// Reset      synchronous, active low, in the parts.
// Idle       busy_o: one of the parts is busy.

module d2ma_engine #(
    parameter int CTAS = 8,    // CTA slots, at least 1
    parameter int BUFS = 4,    // buffers per CTA, at least 1
    parameter int WARPS = 48,  // hardware warps, at least 1
    parameter int MSHRS = 32,  // requests in flight at most, at least 1
    parameter int SEG = 128,   // bytes of a global segment
    parameter int NB = 32      // banks of the shared memory
) (
    input  logic                                         clk_i,
    input  logic                                         rst_ni,
    // the operation that issues
    input  logic                                         wr_en_i,       // DMA.CFG or DMA.EXEC
    input  logic [1:0]                                   wr_kind_i,     // 1 configure, 2 execute
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    wr_cta_i,      // CTA slot of the warp
    input  logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    wr_buf_i,      // buffer
    input  logic [(WARPS <= 2 ? 1 : $clog2(WARPS))-1:0]  wr_warp_i,     // hardware warp
    input  logic [3:0]                                   wr_grp_i,      // groups that the operation writes
    input  logic [172:0]                                 wr_data_i,     // values of those groups, at their bits
    input  logic                                         literal_i,     // paper-literal re-ignition
    input  logic                                         wr_go_i,       // legal, not empty; sampled at the clock edge
    input  logic [16:0]                                  wr_foot_i,     // shared bytes that it spans; sampled at the clock edge
    // launch, exits, watchdog
    input  logic                                         clr_cta_en_i,  // a CTA starts
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    clr_cta_i,     // slot of that CTA
    input  logic [WARPS-1:0]                             clr_warps_i,   // hardware warps of that CTA
    input  logic                                         exit_en_i,     // a warp has ended
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    exit_cta_i,    // CTA slot of the warp
    input  logic [(WARPS <= 2 ? 1 : $clog2(WARPS))-1:0]  exit_warp_i,   // the warp
    input  logic                                         force_en_i,    // all live warps arrive
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    force_cta_i,   // at this entry
    input  logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    force_buf_i,
    // replies
    input  logic                                         fl_en_i,       // a reply was written
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    fl_cta_i,      // for this entry
    input  logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    fl_buf_i,
    input  logic                                         fl_long_i,     // the write takes a cycle longer
    // query: a warp accesses shared memory; a cycle later, wt_*
    input  logic                                         ld_valid_i,    // a warp accesses shared memory
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    ld_cta_i,      // CTA slot of the warp
    input  logic [(WARPS <= 2 ? 1 : $clog2(WARPS))-1:0]  ld_warp_i,     // hardware warp
    input  logic [15:0]                                  ld_lo_i,       // lowest shared byte
    input  logic [15:0]                                  ld_hi_i,       // highest shared byte
    input  logic                                         wt_en_i,       // the answer is for a load
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    wt_cta_i,      // of a warp of this CTA
    input  logic [(WARPS <= 2 ? 1 : $clog2(WARPS))-1:0]  wt_warp_i,     // the warp
    // consumers
    input  logic                                         req_ready_i,   // the request is taken
    input  logic                                         cst_ready_i,   // the constants are taken
    // answer to the operation
    output logic [1:0]                                   wr_act_o,      // 0 nothing, 1 writes, 2 arrives, 3 waits
    output logic [172:0]                                 rd_entry_o,    // the entry after the write
    output logic [CTAS*BUFS-1:0]                         full_cfg_o,    // groups 0 and 1 are written
    output logic                                         go_live_o,     // if wr_go_i: it is ignited
    // what happens to entries
    output logic                                         st_set_o,      // an entry leaves ARMED
    output logic                                         st_clr_o,      // an entry is done
    output logic                                         st_stale_o,    // that entry was killed
    output logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    st_cta_o,      // of go_live, st_set, st_clr
    output logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    st_buf_o,
    output logic                                         ag_start_o,    // the generator begins an entry
    output logic                                         go_start_o,    // if wr_go_i: it begins the entry
    output logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    ag_cta_o,      // of ag_start, go_start
    output logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    ag_buf_o,
    // segment requests
    output logic                                         req_valid_o,   // a request waits
    output logic [63:0]                                  req_seg_o,     // global byte address
    output logic [$clog2(SEG)-1:0]                       req_off_o,     // first byte wanted in it
    output logic [$clog2(SEG):0]                         req_len_o,     // bytes wanted
    output logic [15:0]                                  req_saddr_o,   // shared byte address
    // constants
    output logic                                         cst_valid_o,   // a run of constants waits
    output logic [15:0]                                  cst_saddr_o,   // shared byte address
    output logic [5:0]                                   cst_len_o,     // bytes
    output logic [63:0]                                  cst_data_o,    // the constant, replicated
    output logic [16:0]                                  footprint_o,   // shared bytes spanned
    // to the warp scheduler
    output logic                                         hit_o,         // the access must wait
    output logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    hit_buf_o,     // lowest buffer hit
    output logic [CTAS-1:0]                              freed_o,       // CTAs released in this cycle
    output logic [CTAS-1:0]                              freed_next_o,  // CTAs released in the next cycle
    output logic [WARPS-1:0]                             wake_o,        // waiting warps that are released
    output logic [CTAS*BUFS-1:0]                         armed_o,       // ARMED
    output logic [CTAS*BUFS-1:0]                         open_o,        // generation open
    output logic [CTAS*BUFS-1:0]                         moving_o,      // READY to DONE
    output logic                                         busy_o         // a part is busy
);
  localparam int CW = CTAS <= 2 ? 1 : $clog2(CTAS);
  localparam int BW = BUFS <= 2 ? 1 : $clog2(BUFS);

  logic go_arm, arm_wr, arm_clr, ag_abort, ag_taken, ag_done, hit_valid, wt_hit;
  logic [CW-1:0] arm_cta;
  logic [BW-1:0] arm_buf;
  logic [172:0] ag_entry;
  logic ctrl_busy, agen_busy, raw_busy;
  assign ag_taken = req_valid_o && req_ready_i;
  assign wt_hit = hit_valid && hit_o;
  assign busy_o = ctrl_busy || agen_busy || raw_busy;

  d2ma_ctrl_array #(
      .CTAS(CTAS),
      .BUFS(BUFS),
      .WARPS(WARPS),
      .MSHRS(MSHRS)
  ) u_ctrl (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .wr_en_i(wr_en_i),
      .wr_kind_i(wr_kind_i),
      .wr_cta_i(wr_cta_i),
      .wr_buf_i(wr_buf_i),
      .wr_warp_i(wr_warp_i),
      .wr_grp_i(wr_grp_i),
      .wr_data_i(wr_data_i),
      .literal_i(literal_i),
      .wr_go_i(wr_go_i),
      .clr_cta_en_i(clr_cta_en_i),
      .clr_cta_i(clr_cta_i),
      .clr_warps_i(clr_warps_i),
      .exit_en_i(exit_en_i),
      .exit_cta_i(exit_cta_i),
      .exit_warp_i(exit_warp_i),
      .force_en_i(force_en_i),
      .force_cta_i(force_cta_i),
      .force_buf_i(force_buf_i),
      .fl_en_i(fl_en_i),
      .fl_cta_i(fl_cta_i),
      .fl_buf_i(fl_buf_i),
      .fl_long_i(fl_long_i),
      .wt_en_i(wt_en_i),
      .wt_cta_i(wt_cta_i),
      .wt_warp_i(wt_warp_i),
      .wt_hit_i(wt_hit),
      .ag_taken_i(ag_taken),
      .ag_done_i(ag_done),
      .wr_act_o(wr_act_o),
      .rd_entry_o(rd_entry_o),
      .full_cfg_o(full_cfg_o),
      .go_live_o(go_live_o),
      .go_arm_o(go_arm),
      .go_start_o(go_start_o),
      .st_set_o(st_set_o),
      .st_clr_o(st_clr_o),
      .st_stale_o(st_stale_o),
      .st_cta_o(st_cta_o),
      .st_buf_o(st_buf_o),
      .arm_wr_o(arm_wr),
      .arm_clr_o(arm_clr),
      .arm_cta_o(arm_cta),
      .arm_buf_o(arm_buf),
      .ag_start_o(ag_start_o),
      .ag_abort_o(ag_abort),
      .ag_cta_o(ag_cta_o),
      .ag_buf_o(ag_buf_o),
      .ag_entry_o(ag_entry),
      .freed_o(freed_o),
      .freed_next_o(freed_next_o),
      .wake_o(wake_o),
      .armed_o(armed_o),
      .open_o(open_o),
      .moving_o(moving_o),
      .busy_o(ctrl_busy)
  );

  // An operation that moves data writes its range into the checker; the entry is live, or armed with its warp.
  logic goes_live, arms, checks_live, checks_arm;
  assign goes_live = go_live_o && wr_go_i;
  assign arms = go_arm && wr_go_i;
  assign checks_live = st_set_o || goes_live;
  assign checks_arm = arm_wr || arms;
  d2ma_raw_check #(
      .CTAS(CTAS),
      .BUFS(BUFS),
      .WARPS(WARPS)
  ) u_raw (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .wr_en_i(goes_live || arms),
      .wr_cta_i(wr_cta_i),
      .wr_buf_i(wr_buf_i),
      .wr_sbase_i(rd_entry_o[79:64]),
      .wr_foot_i(wr_foot_i),
      .set_live_i(checks_live),
      .clr_live_i(st_clr_o),
      .st_cta_i(st_cta_o),
      .st_buf_i(st_buf_o),
      .arm_wr_i(checks_arm),
      .arm_clr_i(arm_clr),
      .arm_cta_i(arm_cta),
      .arm_buf_i(arm_buf),
      .arm_warp_i(wr_warp_i),
      .ld_valid_i(ld_valid_i),
      .ld_cta_i(ld_cta_i),
      .ld_warp_i(ld_warp_i),
      .ld_lo_i(ld_lo_i),
      .ld_hi_i(ld_hi_i),
      .hit_valid_o(hit_valid),
      .hit_o(hit_o),
      .hit_buf_o(hit_buf_o),
      .busy_o(raw_busy)
  );

  logic begins;
  assign begins = ag_start_o || (go_start_o && wr_go_i);
  d2ma_agen #(
      .SEG(SEG),
      .NB(NB)
  ) u_agen (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .start_i(begins),
      .gbase_i(ag_entry[63:0]),
      .sbase_i(ag_entry[79:64]),
      .count_i(ag_entry[95:80]),
      .esz_i(ag_entry[113:112]),
      .stride_i(ag_entry[111:96]),
      .dim2_i(ag_entry[114]),
      .mode_i(ag_entry[116:115]),
      .hrows_i(ag_entry[132:117]),
      .hcols_i(ag_entry[148:133]),
      .region_i(ag_entry[156:149]),
      .hconst_i(ag_entry[172:157]),
      .req_ready_i(req_ready_i && !ag_abort),
      .cst_ready_i(cst_ready_i && !ag_abort),
      .abort_i(ag_abort),
      .busy_o(agen_busy),
      .done_o(ag_done),
      .req_valid_o(req_valid_o),
      .req_seg_o(req_seg_o),
      .req_off_o(req_off_o),
      .req_len_o(req_len_o),
      .req_saddr_o(req_saddr_o),
      .cst_valid_o(cst_valid_o),
      .cst_saddr_o(cst_saddr_o),
      .cst_len_o(cst_len_o),
      .cst_data_o(cst_data_o),
      .footprint_o(footprint_o)
  );

`ifdef FORMAL
  `include "d2ma_engine_props.svh"
`endif
endmodule
