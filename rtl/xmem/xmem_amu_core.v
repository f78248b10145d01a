// SPDX-License-Identifier: Apache-2.0
//
// xmem_amu_core: the atom management unit of XMem (Vijaykumar 2019, section 2.4) without its atom lookaside buffer
// (xmem_alb): command queue, mapping registers, the walk that writes a map into the atom address map (AAM), atom status
// table (AST), working sets, context, and the memory port.
//
// Commands   MAP and UNMAP walk planes, rows and pages. PAGE, WR and NEXT take 3 cycles per page; ASK and XLATE add the
//            translation of a new page, RD and DATA add a read before the write. A page that the previous row wrote with the
//            same units is skipped; a page that faults is dropped. Contiguous rows are walked as one row, contiguous planes
//            likewise. ACTIVATE and DEACTIVATE set a bit in one cycle and write its word through. PAGE_FREE unmaps page
//            START[39:12]. CONTEXT waits until every write has been reported, then reads the status table. Atom "none" (all
//            ones), dimension 0 and zero sizes have no effect.
// Order      commands are done in order. A page's update (bc_*) goes out after its write's acknowledgement. A read that
//            memory served before the write finds its miss still open in the ALB, which merges the update; a read served
//            later has seen the write. Up to 4 writes are outstanding; acknowledgements may come in any order, updates keep
//            the order of the writes.
// AAM        an entry is UNITS * IDW bits, unit 0 lowest, at AAM_BASE + ppn * (bytes of an entry). An entry has 8 or 4 bytes,
//            or 6 or 3 packed bytes if IDW is not 8; then a partial write of an entry reads it first. The memory port counts
//            bytes from mem_rq_addr_o on. Memory serves ids 12-15 to one address in the order in which it took them.
// Port       priority: ALB misses, words of the AST, the walk. A request that was not taken stays until it is taken.
// Context    before the first context, and while one is read, lookups return no atom and start no miss. Before the first
//            context, commands other than CONTEXT and PAGE_FREE are dropped. The core itself answers a lookup of another
//            context (side_q); a lookup that the ALB answers after a change of context returns no atom.
// HOME = 0   only CONTEXT is a command; status bits come by ai_*, page updates do not pass this block.
// Clock edge al_ready_i and fl_ready_i reach registers only.
// Reset      synchronous, active low: queue empty, no context, no atom active, working sets 0.
// Idle       busy_o: a command, a write not yet reported, a fill or an answer is in progress.

`include "needs.vh"

module xmem_amu_core #(
    parameter int PPN_W = 28,           // bits of a physical page number, at most 32
    parameter int UNITS = 8,            // units of a page: 2, 4 or 8
    parameter int IDW = 8,              // bits of an atom, 2 to 8
    parameter int NMISS = 8,            // misses of the ALB, at most 8
    parameter int TAGW = 10,            // {context, tag} of a lookup, at least 3
    parameter int HOME = 1,             // takes commands
    parameter int UNMAP_CHECK = 0,      // UNMAP leaves units of other atoms alone
    parameter int EDGE = 0,             // a unit counts if at least half of it is mapped
    parameter int ALB_FLUSH_ON_CTX = 1  // a new context flushes the ALB
) (
    input  logic                                        clk_i,
    input  logic                                        rst_ni,
    // commands
    input  logic                                        cmd_valid_i,     // a command arrives
    input  logic [2:0]                                  cmd_op_i,        // the operation
    input  logic [IDW-1:0]                              cmd_aid_i,       // atom of the command
    input  logic [1:0]                                  cmd_dim_i,       // dimensions of a map
    input  logic                                        reg_we_i,        // write a software register
    input  logic [2:0]                                  reg_sel_i,       // the register
    input  logic [63:0]                                 reg_data_i,      // value for the register
    // translation
    input  logic                                        mmu_rq_ready_i,  // the MMU takes the translation request
    input  logic                                        mmu_rs_valid_i,  // the translation is done
    input  logic                                        mmu_rs_fault_i,  // not mapped
    input  logic [PPN_W-1:0]                            mmu_rs_ppn_i,    // physical page of the translation
    // memory
    input  logic                                        mem_rq_ready_i,  // memory takes the access
    input  logic                                        mem_rs_valid_i,  // data or acknowledgement
    input  logic [3:0]                                  mem_rs_id_i,     // id of the access that is answered
    input  logic [63:0]                                 mem_rs_data_i,   // read data from the access's address on
    // lookups
    input  logic                                        lk_valid_i,      // a lookup arrives
    input  logic [TAGW-3:0]                             lk_tag_i,        // tag that the answer carries
    input  logic [1:0]                                  lk_ctx_i,        // context of the requester
    // the home unit's status bits, and reads of working sets
    input  logic                                        ai_valid_i,      // a bit changed
    input  logic [IDW-1:0]                              ai_aid_i,        // atom of the status bit
    input  logic                                        ai_val_i,        // new value of the status bit
    input  logic                                        ws_rd_en_i,      // read a working set
    input  logic [IDW-1:0]                              ws_rd_aid_i,     // atom whose working set is read
    // from the ALB
    input  logic                                        al_ready_i,      // the ALB takes a lookup
    input  logic                                        ar_valid_i,      // the ALB answers
    input  logic [TAGW-1:0]                             ar_tag_i,        // {context, tag}
    input  logic [IDW-1:0]                              ar_aid_i,        // atom of the ALB's answer
    input  logic                                        ar_hit_i,        // the ALB's lookup was a hit
    input  logic                                        ms_valid_i,      // the ALB requests a page's atoms
    input  logic [PPN_W-1:0]                            ms_ppn_i,        // page of the miss
    input  logic [(NMISS <= 2 ? 1 : $clog2(NMISS))-1:0] ms_id_i,         // number of the miss, returned with its fill
    input  logic                                        fl_ready_i,      // the ALB takes a page's atoms
    // commands, translation
    output logic                                        cmd_ready_o,     // room for a command
    output logic                                        mmu_rq_valid_o,  // translation request; stable until mmu_rq_ready
    output logic [35:0]                                 mmu_rq_vpn_o,    // virtual page to translate
    // memory
    output logic                                        mem_rq_valid_o,  // memory access; stable until mem_rq_ready
    output logic                                        mem_rq_we_o,     // the access is a write
    output logic [PPN_W+11:0]                           mem_rq_addr_o,   // physical byte address of the first byte
    output logic [63:0]                                 mem_rq_wdata_o,  // write data from the address on
    output logic [7:0]                                  mem_rq_wstrb_o,  // bytes of mem_rq_wdata that are written
    output logic [3:0]                                  mem_rq_id_o,     // 0 miss, 8 AST, 12 walk
    // lookups
    output logic                                        lk_open_o,       // the core accepts a lookup
    output logic                                        al_valid_o,      // the lookup is passed on to the ALB
    output logic                                        rs_valid_o,      // a lookup is answered; no back-pressure
    output logic [TAGW-3:0]                             rs_tag_o,        // tag of the answered lookup
    output logic [IDW-1:0]                              rs_aid_o,        // atom of the unit; all ones: none
    output logic                                        rs_active_o,     // that atom is active
    output logic                                        rs_hit_o,        // the ALB's lookup was a hit
    // to the other units and the cache policy
    output logic                                        bc_valid_o,      // page update for every ALB
    output logic [PPN_W-1:0]                            bc_ppn_o,        // page of the update
    output logic [UNITS-1:0]                            bc_mask_o,       // units of the page that changed
    output logic [IDW-1:0]                              bc_aid_o,        // atom that they belong to now
    output logic                                        ab_valid_o,      // a status bit changed, for the other units
    output logic [IDW-1:0]                              ab_aid_o,        // atom of the status bit
    output logic                                        ab_val_o,        // new value of the status bit
    output logic                                        atoms_changed_o, // pulse: a status bit changed
    output logic [23:0]                                 ws_rd_val_o,     // bytes mapped to the atom by this context
    // to the ALB
    output logic                                        flush_o,         // clear the ALB
    output logic                                        ms_ready_o,      // the ALB's request is taken
    output logic                                        fl_valid_o,      // a page's atoms
    output logic [(NMISS <= 2 ? 1 : $clog2(NMISS))-1:0] fl_id_o,         // the miss that the fill answers
    output logic [UNITS*IDW-1:0]                        fl_data_o,       // atoms of the page, unit 0 lowest
    output logic [31:0]                                 c_pages_o,       // page updates written
    output logic [31:0]                                 c_stall_o,       // cycles in which the map walk waited for the memory port or for acknowledgements
    output logic [1:0]                                  doing_o,         // 1 map 2 context 3 other
    output logic                                        busy_o           // work is in progress
);
  localparam int PA = PPN_W + 12;                         // bits of a physical address
  localparam int MW = NMISS <= 2 ? 1 : $clog2(NMISS);
  localparam int TW = TAGW - 2;
  localparam int DW = UNITS * IDW;                        // bits of an entry
  localparam int EB = (DW + 7) / 8;                       // bytes of an entry
  localparam int ATOMS = 1 << IDW;
  localparam int WORDS = ATOMS <= 64 ? 1 : ATOMS / 64;    // words of a status table
  localparam int WB = ATOMS < 64 ? ATOMS : 64;            // bits of such a word that are used
  localparam int XW = IDW < 6 ? IDW : 6;                  // bits of an index into a word
  localparam int NW = WORDS <= 2 ? 1 : $clog2(WORDS);     // bits of a word's number
  localparam int AW = 1 + $clog2(WORDS);                  // bits of the numbers 0..WORDS
  localparam int UW = $clog2(UNITS);
  localparam int SW = 12 - UW;                            // bits of a byte in a unit
  localparam int LB = EDGE != 0 ? 0 : SW;                 // bits of a last byte that do not count
  localparam int BW = HOME != 0 ? 48 : PA - 1;            // bits of a command's base
  localparam logic [IDW-1:0] NONE = {IDW{1'b1}};  // Yosys 0.23 takes '1 here for one bit
  localparam logic [UNITS-1:0] ALL = {UNITS{1'b1}};
  localparam logic [WB-1:0] BIT_0 = 1;
  localparam logic [WORDS-1:0] WORD_0 = 1;
  localparam logic [AW-1:0] LAST_WORD = WORDS[AW-1:0];
  localparam logic [PA-1:0] ENTRY = {{(PA - 4) {1'b0}}, EB[3:0]};
  localparam logic [7:0] ENTRY_BYTES = 8'hff >> (8 - EB);
  localparam logic [2:0] MAP = 3'd0, UNMAP = 3'd1, ACTIVATE = 3'd2, DEACTIVATE = 3'd3, CONTEXT = 3'd4,
                         FREE = 3'd5;
  localparam logic [3:0] SETUP = 4'd0, TOTAL = 4'd1, ROW = 4'd2, PAGE = 4'd3, ASK = 4'd4, XLATE = 4'd5,
                         RD = 4'd6, DATA = 4'd7, WR = 4'd8, NEXT = 4'd9, WS = 4'd10, STATUS = 4'd11;

  `NEEDS(PPN_W >= 1 && PPN_W <= 32, xmem_amu_core_needs_ppn_w_1_to_32)
  `NEEDS(UNITS == 2 || UNITS == 4 || UNITS == 8, xmem_amu_core_needs_units_2_4_or_8)
  `NEEDS(IDW >= 2 && IDW <= 8, xmem_amu_core_needs_idw_2_to_8)
  `NEEDS(NMISS >= 1 && NMISS <= 8, xmem_amu_core_needs_nmiss_1_to_8)
  `NEEDS(TAGW >= 3, xmem_amu_core_needs_tagw_at_least_3)

  // Registers that software writes. CTXPTR is kept as {word address, context}.
  logic [PA-1:0] aam_q;
  logic [PA-2:0] ctxp_q;
  logic [47:0] start_q;
  logic [31:0] lenx_q, leny_q, sizex_q, sizey_q, sizez_q;
  // Commands.
  logic [3:0] cmds_q;
  logic [1:0] head_q, tail_q;
  (* mem2reg *) logic [2:0] cop_q[0:3];
  (* mem2reg *) logic [IDW-1:0] caid_q[0:3];
  (* mem2reg *) logic [1:0] cdim_q[0:3];
  (* mem2reg *) logic [BW-1:0] cbase_q[0:3];
  (* mem2reg *) logic [31:0] clenx_q[0:3], cleny_q[0:3], csizex_q[0:3], csizey_q[0:3], csizez_q[0:3];
  // The walk.
  logic [0:0] walk_q, first_q, seen_q, fault_q, gap_q;
  logic [3:0] step_q;
  logic [32:0] area_q, total_q;
  logic [47:0] pitch_q, plane_q, row_q;
  logic [47-LB:0] last_q;
  logic [31:0] y_q, z_q;
  logic [35:0] vpn_q, seen_vpn_q;
  logic [PPN_W-1:0] ppn_q;
  logic [UNITS-1:0] mask_q, same_q;
  logic [DW-1:0] data_q;
  // Outstanding writes.
  logic [3:0] used_q, acked_q, paged_q;
  logic [1:0] wtail_q, whead_q;
  (* mem2reg *) logic [PPN_W-1:0] wppn_q[0:3];
  (* mem2reg *) logic [UNITS-1:0] wmask_q[0:3];
  (* mem2reg *) logic [IDW-1:0] waid_q[0:3];
  logic hold_q;
  // The context.
  logic ast_ok_q, load_q;
  logic [1:0] ctx_q;
  logic [PA-4:0] base_q;
  logic [AW-1:0] ask_q;
  logic [WORDS-1:0] got_q;
  (* mem2reg *) logic [WB-1:0] ast_q[0:WORDS-1], wsv_q[0:WORDS-1];
  logic [23:0] ws_q[0:ATOMS-1];
  // Answers and fills.
  logic side_q;
  logic [TW-1:0] side_tag_q;
  logic [7:0] fills_q;
  logic [2:0] fhead_q, ftail_q;
  (* mem2reg *) logic [MW-1:0] fid_q[0:7];
  (* mem2reg *) logic [DW-1:0] fdata_q[0:7];
  logic [31:0] pages_q, stall_q;

  // A unit with HOME = 0 has no walk and no writes.
  logic walking;
  logic [3:0] used, step;
  assign walking = HOME != 0 && walk_q;
  assign step = HOME != 0 ? step_q : SETUP;
  assign used = HOME != 0 ? used_q : '0;

  // The command at the head.
  logic head_on, on_map, begins, live, sets, frees, starts, switches, loaded, done, pop, accept;
  logic [2:0] op;
  logic [IDW-1:0] aid;
  logic [1:0] dim;
  logic [BW-1:0] base;
  logic [47:0] start;
  logic [31:0] lenx, leny, sizex, sizey, sizez;
  assign head_on = cmds_q[head_q];
  assign op = HOME != 0 ? cop_q[head_q] : CONTEXT;
  assign aid = HOME != 0 ? caid_q[head_q] : '0;
  assign dim = HOME != 0 ? cdim_q[head_q] : '0;
  assign base = cbase_q[head_q];
  assign start = {{(48 - BW) {1'b0}}, base};
  assign {lenx, leny} = HOME != 0 ? {clenx_q[head_q], cleny_q[head_q]} : '0;
  assign {sizex, sizey, sizez} = HOME != 0 ? {csizex_q[head_q], csizey_q[head_q], csizez_q[head_q]} : '0;
  assign on_map = op == MAP || op == UNMAP;
  assign begins = head_on && !walking && !load_q && op != CONTEXT;
  assign live = ast_ok_q && aid != NONE;
  assign sets = begins && (op == ACTIVATE || op == DEACTIVATE) && live;
  assign frees = op == FREE;
  assign starts = begins && on_map ? live && dim != 2'd0 && |sizex && (!dim[1] || |sizey) && (dim != 2'd3 || |sizez)
                                   : sets || frees;
  assign switches = head_on && op == CONTEXT && !load_q && used == '0;
  assign loaded = load_q && &got_q;
  assign accept = cmd_valid_i && cmd_ready_o && (HOME != 0 || cmd_op_i == CONTEXT);
  assign pop = done || (begins && !starts) || loaded;
  assign cmd_ready_o = !(&cmds_q);
  assign doing_o = !head_on ? 2'd0 : on_map ? 2'd1 : op == CONTEXT ? 2'd2 : 2'd3;

  // Words and bits of the status table.
  logic [6+NW-1:0] head_at, in_at, ar_at, ws_at;  // {word, bit}
  logic [IDW-1:0] in_aid, ws_aid;
  logic in_set, in_val, in_old, ast_load, ar_active, head_active;
  logic [WB-1:0] in_row, in_bit, ar_row, head_row;
  assign in_aid = HOME != 0 ? aid : ai_aid_i;
  assign in_set = HOME != 0 ? sets : ai_valid_i && !load_q && ai_aid_i != NONE;
  assign in_val = HOME != 0 ? op == ACTIVATE : ai_val_i;
  assign ws_aid = ws_rd_en_i ? ws_rd_aid_i : aid;
  assign head_at = {{(6 + NW - IDW) {1'b0}}, aid};
  assign in_at = {{(6 + NW - IDW) {1'b0}}, in_aid};
  assign ar_at = {{(6 + NW - IDW) {1'b0}}, ar_aid_i};
  assign ws_at = {{(6 + NW - IDW) {1'b0}}, ws_aid};
  assign in_row = ast_q[in_at[6+:NW]];
  assign ar_row = ast_q[ar_at[6+:NW]];
  assign head_row = ast_q[head_at[6+:NW]];
  assign in_bit = BIT_0 << in_at[XW-1:0];
  assign in_old = |(in_row & in_bit);
  assign ar_active = ar_row[ar_at[XW-1:0]];
  assign head_active = head_row[head_at[XW-1:0]];
  assign ast_load = mem_rs_valid_i && mem_rs_id_i[3:2] == 2'b10 && load_q && {1'b0, mem_rs_id_i[1:0]} < ask;
  assign ab_valid_o = HOME != 0 && sets;
  assign ab_aid_o = ab_valid_o ? aid : '0;
  assign ab_val_o = ab_valid_o && in_val;

  // The working set that is read or written.
  logic ws_write;
  logic [WB-1:0] ws_row;
  logic [23:0] ws_old, ws_new, ws_units;
  logic [24:0] ws_sum, ws_left, ws_bytes;
  assign ws_row = HOME != 0 ? wsv_q[ws_at[6+:NW]] : '0;
  assign ws_old = HOME != 0 && ws_row[ws_at[XW-1:0]] ? ws_q[ws_aid] : '0;
  assign ws_bytes = {1'b0, total_q[32:9]} + {24'd0, |total_q[8:0]};
  assign ws_units = ws_bytes[24] ? {24{1'b1}} : ws_bytes[23:0];
  assign ws_sum = {1'b0, ws_old} + {1'b0, ws_units};
  assign ws_left = {1'b0, ws_old} - {1'b0, ws_units};
  assign ws_new = op != MAP ? ws_left[23:0] & {24{!ws_left[24]}} : ws_sum[23:0] | {24{ws_sum[24]}};
  assign ws_write = walking && step == WS && !ws_rd_en_i;
  assign ws_rd_val_o = ws_rd_en_i ? ws_old : '0;
  assign atoms_changed_o = (in_set && in_old != in_val) || (ws_write && head_active) || loaded;

  // The walk: units of the page that the row touches.
  logic rows_join, planes_join, at_last, more_rows, more_planes, again;
  logic [11:0] lo, hi;
  logic [UNITS-1:0] units;
  logic [31:0] mul_a, mul_b, y_next, z_next;
  logic [63:0] product;
  logic [32:0] product_sat, run;
  logic [47:0] row_next, plane_next, last, last_next;
  if (EDGE != 0) begin : g_last assign last = last_q; end
  else begin : g_last assign last = {last_q, {SW{1'b1}}}; end
  assign last_next = row_q + {15'd0, run} - 1'b1;
  assign rows_join = dim[1] && sizex == lenx && !area_q[32];
  assign planes_join = rows_join && dim == 2'd3 && sizey == leny && !total_q[32];
  assign at_last = vpn_q == last[47:12];
  assign lo = first_q ? row_q[11:0] : 12'd0;
  assign hi = at_last ? last[11:0] : 12'hfff;
  xmem_page_units #(.UNITS(UNITS), .EDGE(EDGE)) u_units (.lo_i(lo), .hi_i(hi), .units_o(units));
  assign again = seen_q && vpn_q == seen_vpn_q;
  // One multiplier computes the bytes of a plane, the bytes of all planes and the distance between planes.
  assign mul_a = step == SETUP ? sizex : step == TOTAL ? area_q[31:0] : lenx;
  assign mul_b = step == SETUP ? sizey : step == TOTAL ? sizez : leny;
  assign product = {32'd0, mul_a} * {32'd0, mul_b};
  assign product_sat = |product[63:33] ? {33{1'b1}} : product[32:0];
  assign run = planes_join ? total_q : rows_join ? area_q : {1'b0, sizex};
  assign y_next = y_q + 1'b1;
  assign z_next = z_q + 1'b1;
  assign more_rows = dim[1] && !rows_join && y_next != sizey;
  assign more_planes = dim == 2'd3 && !planes_join && z_next != sizez;
  assign row_next = row_q + {16'd0, lenx};
  assign plane_next = plane_q + pitch_q;

  // The written data: the command's atom or none, in the units whose atom is replaced.
  logic by_read;
  logic [3:0] access;
  logic [UNITS-1:0] equal, wmask;
  logic [IDW-1:0] waid;
  logic [DW-1:0] wdata;
  assign wmask = UNMAP_CHECK != 0 ? mask_q & same_q : mask_q;
  assign waid = op == MAP ? aid : NONE;
  for (genvar i = 0; i < UNITS; i++) begin : g_unit
    assign equal[i] = mem_rs_data_i[i*IDW+:IDW] == aid;
    assign wdata[i*IDW+:IDW] = IDW == 8 || wmask[i] ? waid : data_q[i*IDW+:IDW];
  end

  // The memory port.
  logic sel_miss, own_word, own_walk, own, taken, by_entry;
  logic [2:0] ask;
  logic [3:0] wtail_bit;
  logic [PA-1:0] entry;
  logic [PA-4:0] word;
  logic [PPN_W-1:0] entry_ppn;
  assign ask = {{(3 - AW) {1'b0}}, ask_q};
  assign wtail_bit = 4'd1 << wtail_q;
  assign sel_miss = ms_valid_i && !hold_q;
  assign own_word = load_q && ask_q != LAST_WORD;
  assign own_walk = walking && (step == RD || step == WR || step == STATUS) && (used & wtail_bit) == '0;
  assign own = own_word || own_walk;
  assign taken = own && !sel_miss && mem_rq_ready_i;
  assign by_entry = sel_miss || step == RD || step == WR;
  assign entry_ppn = sel_miss || HOME == 0 ? ms_ppn_i : ppn_q;
  assign entry = aam_q + {12'd0, entry_ppn} * ENTRY;
  assign word = own_word || HOME == 0 ? base[PA-2:2] + {{(PA - 6) {1'b0}}, ask} : base_q + {{(PA - 3 - NW) {1'b0}}, head_at[6+:NW]};
  assign ms_ready_o = sel_miss && mem_rq_ready_i;
  assign mem_rq_valid_o = sel_miss || own;
  assign mem_rq_we_o = !sel_miss && own_walk && step != RD;
  assign mem_rq_addr_o = !mem_rq_valid_o ? '0 : by_entry && !(own_word && !sel_miss) ? entry : {word, 3'd0};
  assign mem_rq_wdata_o = !mem_rq_we_o ? '0 : step == WR ? {{(64 - DW) {1'b0}}, wdata} : {{(64 - WB) {1'b0}}, head_row};
  assign mem_rq_wstrb_o = !mem_rq_we_o ? '0 : step != WR ? 8'hff : IDW == 8 ? {{(8 - UNITS) {1'b0}}, wmask} : ENTRY_BYTES;
  assign mem_rq_id_o = sel_miss ? {{(4 - MW) {1'b0}}, ms_id_i} : own_word ? {2'b10, ask[1:0]} : own_walk ? {2'b11, wtail_q} : '0;

  // Writes that are acknowledged and reported.
  logic [3:0] whead_bit, new_write, acks;
  logic told;
  assign whead_bit = 4'd1 << whead_q;
  assign new_write = taken && mem_rq_we_o ? wtail_bit : '0;
  assign acks = mem_rs_valid_i && mem_rs_id_i[3:2] == 2'b11 ? (4'd1 << mem_rs_id_i[1:0]) & used : '0;
  assign told = HOME != 0 && |(used_q & acked_q & whead_bit) && !(|(paged_q & whead_bit) && gap_q);
  assign bc_valid_o = HOME != 0 && told && |(paged_q & whead_bit);
  assign {bc_ppn_o, bc_mask_o, bc_aid_o} =
      HOME != 0 && bc_valid_o ? {wppn_q[whead_q], wmask_q[whead_q], waid_q[whead_q]} : '0;

  // Lookups and fills.
  logic lk_ours, side_new, side_ready, side_busy, ar_ours, fill_push, fill_pop;
  assign side_ready = !ar_valid_i;
  logic [7:0] fhead_bit, ftail_bit;
  assign lk_ours = ast_ok_q && lk_ctx_i == ctx_q;
  assign al_valid_o = lk_valid_i && lk_open_o && lk_ours;
  // A lookup of another context waits here for a cycle without an answer from the ALB.
  assign side_new = lk_valid_i && al_ready_i && !lk_ours;
  pipe_buffer #(.W(TW)) u_side (
      .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(side_new), .in_data_i(lk_tag_i), .out_ready_i(side_ready),
      .in_ready_o(lk_open_o), .out_valid_o(side_q), .out_data_o(side_tag_q), .busy_o(side_busy)
  );
  assign ar_ours = ast_ok_q && ar_tag_i[TAGW-1-:2] == ctx_q;
  assign rs_valid_o = ar_valid_i || side_q;
  assign rs_tag_o = ar_valid_i ? ar_tag_i[TW-1:0] : side_tag_q;
  assign rs_aid_o = !rs_valid_o ? '0 : ar_valid_i && ar_ours ? ar_aid_i : NONE;
  assign rs_active_o = ar_valid_i && ar_ours && ar_aid_i != NONE && ar_active;
  assign rs_hit_o = ar_valid_i && ar_hit_i;
  assign fhead_bit = 8'd1 << fhead_q;
  assign ftail_bit = 8'd1 << ftail_q;
  assign fill_push = mem_rs_valid_i && !mem_rs_id_i[3] && {28'd0, mem_rs_id_i} < NMISS && (fills_q & ftail_bit) == '0;
  assign fl_valid_o = |(fills_q & fhead_bit);
  assign {fl_id_o, fl_data_o} = fl_valid_o ? {fid_q[fhead_q], fdata_q[fhead_q]} : '0;
  assign fill_pop = fl_valid_o && fl_ready_i;

  assign flush_o = ALB_FLUSH_ON_CTX != 0 && switches;
  assign mmu_rq_valid_o = walking && step == ASK;
  assign mmu_rq_vpn_o = mmu_rq_valid_o ? vpn_q : '0;
  assign c_pages_o = HOME != 0 ? pages_q : '0;
  assign c_stall_o = HOME != 0 ? stall_q : '0;
  assign busy_o = |cmds_q || |used || (HOME != 0 && gap_q) || |fills_q || side_busy;

  // The next state of the walk once the page's address is known, and the end of the walk.
  assign by_read = (UNMAP_CHECK != 0 && op == UNMAP) || (IDW != 8 && (step == PAGE ? units : mask_q) != ALL);
  assign access = by_read ? RD : WR;
  assign done = walking && (step == WR ? taken && frees : step == STATUS ? taken : ws_write);

  // Software registers and the command queue.
  xmem_amu_regs #(.PA(PA), .HOME(HOME)) u_regs (
      .clk_i(clk_i), .rst_ni(rst_ni), .we_i(reg_we_i), .sel_i(reg_sel_i), .data_i(reg_data_i), .aam_o(aam_q),
      .ctxp_o(ctxp_q), .start_o(start_q), .lenx_o(lenx_q), .leny_o(leny_q), .sizex_o(sizex_q), .sizey_o(sizey_q),
      .sizez_o(sizez_q)
  );
  always_ff @(posedge clk_i) if (accept) begin
    cbase_q[tail_q] <= HOME != 0 && cmd_op_i != CONTEXT ? start_q[BW-1:0] : {{(BW - PA + 1) {1'b0}}, ctxp_q};
    if (HOME != 0) begin
      cop_q[tail_q] <= cmd_op_i;
      caid_q[tail_q] <= cmd_aid_i;
      cdim_q[tail_q] <= cmd_dim_i;
      clenx_q[tail_q] <= lenx_q;
      cleny_q[tail_q] <= leny_q;
      csizex_q[tail_q] <= sizex_q;
      csizey_q[tail_q] <= sizey_q;
      csizez_q[tail_q] <= sizez_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {cmds_q, head_q, tail_q} <= '0;
    end else begin
      cmds_q <= (cmds_q & ~(pop ? 4'd1 << head_q : 4'd0)) | (accept ? 4'd1 << tail_q : 4'd0);
      head_q <= head_q + {1'b0, pop};
      tail_q <= tail_q + {1'b0, accept};
    end
  end

  // Registers of the walk.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || HOME == 0) begin
      {walk_q, first_q, seen_q, fault_q, step_q} <= '0;
      {area_q, total_q, pitch_q, plane_q, row_q, last_q} <= '0;
      {y_q, z_q, vpn_q, seen_vpn_q, ppn_q, mask_q, same_q, data_q} <= '0;
    end else if (walk_q) begin
      if (done) walk_q <= 1'b0;
      case (step_q)
        SETUP: begin
          area_q <= dim[1] ? product_sat : {1'b0, sizex};
          total_q <= dim[1] ? product_sat : {1'b0, sizex};
          step_q <= dim == 2'd3 ? TOTAL : ROW;
        end
        TOTAL: {step_q, total_q} <= {ROW, !area_q[32] ? product_sat : sizez == 32'd1 ? area_q : 33'h1ffffffff};
        ROW: begin
          pitch_q <= product[47:0];
          last_q <= last_next[47:LB];
          vpn_q <= row_q[47:12];
          first_q <= 1'b1;
          step_q <= PAGE;
        end
        PAGE: begin
          if (units == '0 || (again && units == mask_q)) begin
            step_q <= NEXT;
          end else begin
            mask_q <= units;
            if (UNMAP_CHECK != 0) same_q <= '1;
            seen_vpn_q <= vpn_q;
            seen_q <= again;
            step_q <= !again ? ASK : fault_q ? NEXT : access;
          end
        end
        ASK: if (mmu_rq_ready_i) step_q <= XLATE;
        XLATE: begin
          if (mmu_rs_valid_i) begin
            seen_q <= 1'b1;
            fault_q <= mmu_rs_fault_i;
            ppn_q <= mmu_rs_ppn_i;
            step_q <= mmu_rs_fault_i ? NEXT : access;
          end
        end
        RD: if (taken) step_q <= DATA;
        DATA: begin
          if (mem_rs_valid_i && mem_rs_id_i == {2'b11, wtail_q}) begin
            step_q <= WR;
            if (IDW != 8) data_q <= mem_rs_data_i[DW-1:0];
            if (UNMAP_CHECK != 0 && op == UNMAP) begin
              same_q <= equal;
              if ((mask_q & equal) == '0) step_q <= NEXT;
            end
          end
        end
        WR: if (taken) step_q <= NEXT;
        NEXT: begin
          if (!at_last) begin
            vpn_q <= vpn_q + 1'b1;
            first_q <= 1'b0;
            step_q <= PAGE;
          end else if (more_rows) begin
            y_q <= y_next;
            row_q <= row_next;
            step_q <= ROW;
          end else if (more_planes) begin
            z_q <= z_next;
            y_q <= '0;
            row_q <= plane_next;
            plane_q <= plane_next;
            step_q <= ROW;
          end else begin
            step_q <= WS;
          end
        end
        default: ;
      endcase
    end else if (begins) begin
      walk_q <= starts;
      row_q <= start;
      plane_q <= start;
      {y_q, z_q} <= '0;
      seen_q <= 1'b0;
      if (on_map) step_q <= SETUP;
      if (sets) step_q <= STATUS;
      if (frees) begin
        step_q <= WR;
        ppn_q <= start[PA-1:12];
        mask_q <= '1;
        if (UNMAP_CHECK != 0) same_q <= '1;
      end
    end
  end

  // Registers of the port.
  always_ff @(posedge clk_i) if (HOME != 0 && |new_write) begin
    wppn_q[wtail_q] <= ppn_q;
    wmask_q[wtail_q] <= wmask;
    waid_q[wtail_q] <= waid;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || HOME == 0) begin
      {used_q, acked_q, paged_q, wtail_q, whead_q, gap_q, pages_q, stall_q} <= '0;
    end else begin
      used_q <= (used_q & ~(told ? whead_bit : 4'd0)) | new_write;
      acked_q <= (acked_q | acks) & ~new_write;
      paged_q <= (paged_q & ~new_write) | (step_q == WR ? new_write : 4'd0);
      wtail_q <= wtail_q + {1'b0, |new_write};
      whead_q <= whead_q + {1'b0, told};
      gap_q <= bc_valid_o;
      if (|new_write && step_q == WR) pages_q <= pages_q + 1'b1;
      if (walk_q && (step_q == RD || step_q == WR || step_q == STATUS) && !taken) stall_q <= stall_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) hold_q <= rst_ni && own && !sel_miss && !mem_rq_ready_i;

  // Registers of the context.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {ast_ok_q, load_q, ctx_q, ask_q, got_q} <= '0;
    end else if (switches) begin
      ast_ok_q <= 1'b0;
      load_q <= 1'b1;
      ctx_q <= base[1:0];
      {ask_q, got_q} <= '0;
    end else if (load_q) begin
      if (taken) ask_q <= ask_q + 1'b1;
      if (ast_load) got_q <= got_q | WORD_0 << mem_rs_id_i[1:0];
      if (loaded) begin
        load_q <= 1'b0;
        ast_ok_q <= 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) base_q <= !rst_ni || HOME == 0 ? '0 : switches ? base[PA-2:2] : base_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int w = 0; w < WORDS; w++) ast_q[w] <= '0;
    end else if (ast_load) begin
      ast_q[mem_rs_id_i[NW-1:0]] <= mem_rs_data_i[WB-1:0];
    end else if (in_set) begin
      ast_q[in_at[6+:NW]] <= in_val ? in_row | in_bit : in_row & ~in_bit;
    end
  end
  always_ff @(posedge clk_i) if (HOME != 0) begin
    if (!rst_ni || (switches && base[1:0] != ctx_q)) begin
      for (int w = 0; w < WORDS; w++) wsv_q[w] <= '0;
    end else if (ws_write) begin
      wsv_q[head_at[6+:NW]] <= ws_row | BIT_0 << head_at[XW-1:0];
    end
  end
  always_ff @(posedge clk_i) if (HOME != 0 && ws_write) ws_q[aid] <= ws_new;

  // Registers of answers and fills.
  always_ff @(posedge clk_i) if (fill_push) begin
    fid_q[ftail_q] <= mem_rs_id_i[MW-1:0];
    fdata_q[ftail_q] <= mem_rs_data_i[DW-1:0];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {fills_q, fhead_q, ftail_q} <= '0;
    else begin
      fills_q <= (fills_q & ~(fill_pop ? fhead_bit : 8'd0)) | (fill_push ? ftail_bit : 8'd0);
      fhead_q <= fhead_q + {2'd0, fill_pop};
      ftail_q <= ftail_q + {2'd0, fill_push};
    end
  end

`ifdef FORMAL
  `include "xmem_amu_core_props.svh"
`endif
endmodule
`undef NEEDS
