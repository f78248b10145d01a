// SPDX-License-Identifier: Apache-2.0
//
// d2ma_engine: the D2MA engine of an SM (Jamshidi 2014, section 4): controllers, footprints, lane
// ranges, RAW checker, address generator and requests, joined. It has no register of its own; the
// headers of the parts describe their behaviour.
//
// Joined     an operation whose transfer is legal (wr_go_i) and that has elements reaches the checker in
//            the next cycle, with the range from its base to the end of shared memory; the range becomes
//            the footprint when that is known, and the CTA's waiting warps ask again.
// Accesses   at_* in one cycle, hit_o two cycles later. The caller then names the warp by wt_*. waits_o:
//            the access is squashed and asks again, and the warp waits unless it is released in this
//            cycle. A store waits only if the range that it hit is not known yet.
// Requests   taken_o in the cycle in which share_o and req_ready_i meet a request; replies in any order.
// Clock edge wr_go_i may depend on rd_entry_o, and req_mshr_i on taken_o; they reach registers only.
// Reset      synchronous, active low, in the parts.
// Idle       busy_o: one of the parts is busy.

module d2ma_engine #(
    parameter int CTAS = 8,    // CTA slots, at least 1
    parameter int BUFS = 4,    // buffers per CTA, at least 1
    parameter int WARPS = 48,  // hardware warps, at least 1
    parameter int MSHRS = 32,  // MSHRs of the SM, at least 1
    parameter int SEG = 128,   // bytes of a global segment
    parameter int NB = 32,     // banks of the shared memory
    parameter int LANES = 32   // lanes of a warp
) (
    input  logic                                         clk_i,
    input  logic                                         rst_ni,
    // the operation that issues
    input  logic                                          wr_en_i,       // DMA.CFG or DMA.EXEC
    input  logic [1:0]                                    wr_kind_i,     // 1 configure, 2 execute
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]     wr_cta_i,      // CTA slot of the warp
    input  logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]     wr_buf_i,      // buffer
    input  logic [(WARPS <= 2 ? 1 : $clog2(WARPS))-1:0]   wr_warp_i,     // hardware warp
    input  logic [3:0]                                    wr_grp_i,      // groups that the operation writes
    input  logic [172:0]                                  wr_data_i,     // values of those groups, at their bits
    input  logic                                          literal_i,     // paper-literal re-ignition
    input  logic                                          wr_go_i,       // the transfer is legal; sampled at the clock edge
    // launch, exits, watchdog
    input  logic                                          clr_cta_en_i,  // a CTA starts
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]     clr_cta_i,     // slot of that CTA
    input  logic [WARPS-1:0]                              clr_warps_i,   // hardware warps of that CTA
    input  logic                                          exit_en_i,     // a warp has ended
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]     exit_cta_i,    // CTA slot of the warp
    input  logic [(WARPS <= 2 ? 1 : $clog2(WARPS))-1:0]   exit_warp_i,   // the warp
    input  logic                                          force_en_i,    // all live warps arrive
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]     force_cta_i,   // at this entry
    input  logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]     force_buf_i,
    // shared accesses: at_* in one cycle, two cycles later wt_*
    input  logic                                          at_valid_i,    // a warp accesses shared memory
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]     at_cta_i,      // CTA slot of the warp
    input  logic [(WARPS <= 2 ? 1 : $clog2(WARPS))-1:0]   at_warp_i,     // hardware warp
    input  logic [LANES-1:0]                              at_mask_i,     // active lanes
    input  logic [LANES*16-1:0]                           at_addr_i,     // their shared byte addresses, lane 0 lowest
    input  logic [3:0]                                    at_last_i,     // bytes of a lane, less one
    input  logic                                          wt_en_i,       // the access is answered
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]     wt_cta_i,      // CTA slot of the warp
    input  logic [(WARPS <= 2 ? 1 : $clog2(WARPS))-1:0]   wt_warp_i,     // the warp
    input  logic                                          wt_store_i,    // it is a store
    // memory
    input  logic [$clog2(MSHRS+1)-1:0]                    free_i,        // free MSHRs
    input  logic [$clog2(MSHRS+1)-1:0]                    reserve_i,     // of which the load/store unit keeps
    input  logic                                          req_ready_i,   // the port is free
    input  logic [(MSHRS <= 2 ? 1 : $clog2(MSHRS))-1:0]   req_mshr_i,    // MSHR of the request; sampled at the clock edge
    input  logic                                          fill_en_i,     // a reply
    input  logic [(MSHRS <= 2 ? 1 : $clog2(MSHRS))-1:0]   fill_mshr_i,   // for this MSHR
    input  logic                                          cst_ready_i,   // the constants are taken
    // answer to the operation
    output logic [1:0]                                    wr_act_o,      // 0 nothing, 1 writes, 2 arrives, 3 waits
    output logic [172:0]                                  rd_entry_o,    // the entry after the write
    output logic                                          rd_some_o,     // it has elements
    output logic [CTAS*BUFS-1:0]                          full_cfg_o,    // groups 0 and 1 are written
    output logic                                          go_live_o,     // if wr_go and rd_some: it is ignited
    // what happens to entries
    output logic                                          ck_set_o,      // an entry is in flight
    output logic                                          ck_forget_o,   // with ck_set: it was armed
    output logic                                          ck_clr_o,      // an entry is done
    output logic                                          ck_stale_o,    // it was killed
    output logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]     ck_cta_o,      // CTA slot of the entry
    output logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]     ck_buf_o,
    output logic                                          known_o,       // the range of an entry becomes its footprint
    output logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]     known_cta_o,   // CTA slot of the entry
    output logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]     known_buf_o,
    output logic [16:0]                                   known_foot_o,  // shared bytes
    output logic                                          ag_start_o,    // the generator begins an entry
    output logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]     ag_cta_o,      // of ag_start
    output logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]     ag_buf_o,
    // segment requests
    output logic                                          req_valid_o,   // a request waits
    output logic                                          share_o,       // an MSHR is free for it
    output logic [63:0]                                   req_seg_o,     // global byte address
    output logic                                          taken_o,       // the request is taken
    // replies
    output logic                                          fill_drop_o,   // the reply is dropped
    output logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]     fill_cta_o,    // CTA slot of its entry
    output logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]     fill_buf_o,
    output logic [$clog2(SEG)-1:0]                        fill_off_o,    // first byte wanted inside the segment
    output logic [$clog2(SEG):0]                          fill_len_o,    // bytes wanted
    output logic [$clog2(SEG)-1:0]                        fill_step_o,   // bytes from element to element; 0: contiguous
    output logic [1:0]                                    fill_esz_o,    // log2 of the element size
    output logic [15:0]                                   fill_saddr_o,  // shared byte address
    output logic [$clog2(SEG)-1:0]                        fill_cut_o,    // bytes before a pad; 0: none inside
    output logic [15:0]                                   fill_next_o,   // shared byte address behind the pad
    // constants
    output logic                                          cst_valid_o,   // a run of constants waits
    output logic [15:0]                                   cst_saddr_o,   // shared byte address
    output logic [5:0]                                    cst_len_o,     // bytes
    output logic [63:0]                                   cst_data_o,    // the constant, replicated
    output logic [16:0]                                   footprint_o,   // shared bytes that the generator has walked
    // to the warp scheduler
    output logic                                          hit_o,         // the access touches a buffer
    output logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]     hit_buf_o,     // lowest such buffer
    output logic                                          waits_o,       // the access must wait
    output logic [CTAS-1:0]                               freed_o,       // CTAs released in this cycle
    output logic [CTAS-1:0]                               freed_next_o,  // CTAs to be released later
    output logic [WARPS-1:0]                              wake_o,        // waiting warps that are released
    output logic [CTAS*BUFS-1:0]                          armed_o,       // ARMED
    output logic [CTAS*BUFS-1:0]                          open_o,        // generation open
    output logic [CTAS*BUFS-1:0]                          moving_o,      // READY to DONE
    output logic                                          busy_o         // a part is busy
);
  localparam int CW = CTAS <= 2 ? 1 : $clog2(CTAS);
  localparam int BW = BUFS <= 2 ? 1 : $clog2(BUFS);
  localparam int WW = WARPS <= 2 ? 1 : $clog2(WARPS);

  logic go_arm, ck_arm, ag_abort, ag_done, ag_valid, ag_ready, fp_en, fp_ok, range_wr, range_known, ld_valid, hit_valid;
  logic [CW-1:0] fp_cta, range_cta, ld_cta;
  logic [BW-1:0] fp_buf, range_buf;
  logic [WW-1:0] ck_warp, ld_warp;
  logic [15:0] range_sbase, ld_lo, ld_hi, ag_saddr;
  logic [16:0] range_foot;
  logic [CTAS*BUFS-1:0] wide;
  logic [172:0] entry;
  logic [63:0] ag_seg;
  logic [$clog2(SEG)-1:0] ag_off;
  logic [$clog2(SEG):0] ag_len;
  logic done, ctrl_busy, foot_busy, lanes_busy, raw_busy, agen_busy, req_busy;
  assign busy_o = ctrl_busy || foot_busy || lanes_busy || raw_busy || agen_busy || req_busy;

  // The answer to an access: a store into a buffer is an error, and does not wait, once the range is known.
  logic [31:0] hit_row;
  logic wide_hit, passes;
  logic [CTAS*BUFS-1:0] hit_entry;
  assign hit_row = {{(32 - CW) {1'b0}}, wt_cta_i} * BUFS + {{(32 - BW) {1'b0}}, hit_buf_o};
  assign hit_entry = {{(CTAS * BUFS - 1) {1'b0}}, 1'b1} << hit_row;
  assign wide_hit = |(wide & hit_entry);
  assign passes = wt_store_i && !wide_hit;
  assign waits_o = wt_en_i && hit_valid && hit_o && !passes;

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
      .fl_en_i(fill_en_i),
      .fl_cta_i(fill_cta_o),
      .fl_buf_i(fill_buf_o),
      .wt_en_i(wt_en_i),
      .wt_cta_i(wt_cta_i),
      .wt_warp_i(wt_warp_i),
      .wt_hit_i(waits_o),
      .fp_en_i(fp_en),
      .fp_cta_i(fp_cta),
      .fp_buf_i(fp_buf),
      .wk_en_i(range_known),
      .wk_cta_i(range_cta),
      .ag_taken_i(taken_o),
      .ag_done_i(done),
      .wr_act_o(wr_act_o),
      .rd_entry_o(rd_entry_o),
      .full_cfg_o(full_cfg_o),
      .rd_some_o(rd_some_o),
      .go_live_o(go_live_o),
      .go_arm_o(go_arm),
      .ck_set_o(ck_set_o),
      .ck_clr_o(ck_clr_o),
      .ck_stale_o(ck_stale_o),
      .ck_arm_o(ck_arm),
      .ck_forget_o(ck_forget_o),
      .ck_cta_o(ck_cta_o),
      .ck_buf_o(ck_buf_o),
      .ck_warp_o(ck_warp),
      .ag_start_o(ag_start_o),
      .ag_abort_o(ag_abort),
      .ag_cta_o(ag_cta_o),
      .ag_buf_o(ag_buf_o),
      .fp_ok_o(fp_ok),
      .ag_entry_o(entry),
      .freed_o(freed_o),
      .freed_next_o(freed_next_o),
      .wake_o(wake_o),
      .armed_o(armed_o),
      .open_o(open_o),
      .moving_o(moving_o),
      .busy_o(ctrl_busy)
  );

  logic moves;
  assign moves = (go_live_o || go_arm) && wr_go_i && rd_some_o;
  d2ma_footprint #(
      .CTAS(CTAS),
      .BUFS(BUFS),
      .NB(NB)
  ) u_foot (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .wr_en_i(wr_en_i),
      .wr_cta_i(wr_cta_i),
      .wr_buf_i(wr_buf_i),
      .wr_go_i(moves),
      .wr_sbase_i(rd_entry_o[79:64]),
      .rd_ok_i(fp_ok),
      .sbase_i(entry[79:64]),
      .count_i(entry[95:80]),
      .esz_i(entry[113:112]),
      .dim2_i(entry[114]),
      .mode_i(entry[116:115]),
      .hrows_i(entry[132:117]),
      .hcols_i(entry[148:133]),
      .rd_en_o(fp_en),
      .rd_cta_o(fp_cta),
      .rd_buf_o(fp_buf),
      .ck_wr_o(range_wr),
      .ck_known_o(range_known),
      .ck_cta_o(range_cta),
      .ck_buf_o(range_buf),
      .ck_sbase_o(range_sbase),
      .ck_foot_o(range_foot),
      .wide_o(wide),
      .busy_o(foot_busy)
  );
  assign known_o = range_known;
  assign {known_cta_o, known_buf_o} = range_known ? {range_cta, range_buf} : '0;
  assign known_foot_o = range_known ? range_foot : '0;

  d2ma_lane_range #(
      .LANES(LANES),
      .CTAS(CTAS),
      .WARPS(WARPS)
  ) u_lanes (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .at_valid_i(at_valid_i),
      .at_cta_i(at_cta_i),
      .at_warp_i(at_warp_i),
      .at_mask_i(at_mask_i),
      .at_addr_i(at_addr_i),
      .at_last_i(at_last_i),
      .ld_valid_o(ld_valid),
      .ld_cta_o(ld_cta),
      .ld_warp_o(ld_warp),
      .ld_lo_o(ld_lo),
      .ld_hi_o(ld_hi),
      .busy_o(lanes_busy)
  );

  d2ma_raw_check #(
      .CTAS(CTAS),
      .BUFS(BUFS),
      .WARPS(WARPS)
  ) u_raw (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .wr_en_i(range_wr),
      .wr_cta_i(range_cta),
      .wr_buf_i(range_buf),
      .wr_sbase_i(range_sbase),
      .wr_foot_i(range_foot),
      .set_live_i(ck_set_o),
      .clr_live_i(ck_clr_o),
      .st_cta_i(ck_cta_o),
      .st_buf_i(ck_buf_o),
      .arm_wr_i(ck_arm),
      .arm_clr_i(ck_forget_o),
      .arm_cta_i(ck_cta_o),
      .arm_buf_i(ck_buf_o),
      .arm_warp_i(ck_warp),
      .ld_valid_i(ld_valid),
      .ld_cta_i(ld_cta),
      .ld_warp_i(ld_warp),
      .ld_lo_i(ld_lo),
      .ld_hi_i(ld_hi),
      .hit_valid_o(hit_valid),
      .hit_o(hit_o),
      .hit_buf_o(hit_buf_o),
      .busy_o(raw_busy)
  );

  d2ma_agen #(
      .SEG(SEG),
      .NB(NB)
  ) u_agen (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .start_i(ag_start_o),
      .gbase_i(entry[63:0]),
      .sbase_i(entry[79:64]),
      .count_i(entry[95:80]),
      .esz_i(entry[113:112]),
      .stride_i(entry[111:96]),
      .dim2_i(entry[114]),
      .mode_i(entry[116:115]),
      .hrows_i(entry[132:117]),
      .hcols_i(entry[148:133]),
      .region_i(entry[156:149]),
      .hconst_i(entry[172:157]),
      .req_ready_i(ag_ready),
      .cst_ready_i(cst_ready_i && !ag_abort),
      .abort_i(ag_abort),
      .busy_o(agen_busy),
      .done_o(ag_done),
      .req_valid_o(ag_valid),
      .req_seg_o(ag_seg),
      .req_off_o(ag_off),
      .req_len_o(ag_len),
      .req_saddr_o(ag_saddr),
      .cst_valid_o(cst_valid_o),
      .cst_saddr_o(cst_saddr_o),
      .cst_len_o(cst_len_o),
      .cst_data_o(cst_data_o),
      .footprint_o(footprint_o)
  );

  d2ma_requests #(
      .CTAS(CTAS),
      .BUFS(BUFS),
      .MSHRS(MSHRS),
      .SEG(SEG),
      .NB(NB)
  ) u_req (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .start_i(ag_start_o),
      .start_cta_i(ag_cta_o),
      .start_buf_i(ag_buf_o),
      .esz_i(entry[113:112]),
      .stride_i(entry[111:96]),
      .dim2_i(entry[114]),
      .mode_i(entry[116:115]),
      .hrows_i(entry[132:117]),
      .abort_i(ag_abort),
      .ag_valid_i(ag_valid),
      .ag_seg_i(ag_seg),
      .ag_off_i(ag_off),
      .ag_len_i(ag_len),
      .ag_saddr_i(ag_saddr),
      .ag_done_i(ag_done),
      .ag_ready_o(ag_ready),
      .free_i(free_i),
      .reserve_i(reserve_i),
      .req_ready_i(req_ready_i),
      .req_mshr_i(req_mshr_i),
      .share_o(share_o),
      .req_valid_o(req_valid_o),
      .req_seg_o(req_seg_o),
      .taken_o(taken_o),
      .done_o(done),
      .clr_cta_en_i(clr_cta_en_i),
      .clr_cta_i(clr_cta_i),
      .fill_en_i(fill_en_i),
      .fill_mshr_i(fill_mshr_i),
      .fill_drop_o(fill_drop_o),
      .fill_cta_o(fill_cta_o),
      .fill_buf_o(fill_buf_o),
      .fill_off_o(fill_off_o),
      .fill_len_o(fill_len_o),
      .fill_step_o(fill_step_o),
      .fill_esz_o(fill_esz_o),
      .fill_saddr_o(fill_saddr_o),
      .fill_cut_o(fill_cut_o),
      .fill_next_o(fill_next_o),
      .busy_o(req_busy)
  );

`ifdef FORMAL
  `include "d2ma_engine_props.svh"
`endif
endmodule
