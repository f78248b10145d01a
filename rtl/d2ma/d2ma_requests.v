// SPDX-License-Identifier: Apache-2.0
//
// d2ma_requests: the requests of the D2MA engine on their way to memory and back (Jamshidi 2014,
// section 4.2: each of the SM's MSHRs, which the engine shares with the load/store unit, gets a shared
// address). A request of the address generator waits in a register, leaves when an MSHR and the port
// are free, and its reply says where the bytes of the segment go. assumption: besides the shared address
// an MSHR needs its entry, which bytes of the segment are wanted, and where a pad divides them; the
// paper has 16 bits per MSHR. Adds and compares only: no multiplier, no divider.
//
// Requests   a request is taken from the generator in one cycle and waits from the next on. A strided
//            one whose segment may hold further elements is open: it counts one element per cycle, as
//            the generator walks them, and waits from the cycle in which the generator shows its next
//            request or its end. It is taken when share_o and req_ready_i are 1, and then belongs to MSHR
//            req_mshr_i, which is sampled at the clock edge.
// Share      share_o: a request waits, and more MSHRs are free than the load/store unit keeps for itself.
// Pads       bytes to the next pad are counted down as in the generator. A group between pads has at
//            least SEG bytes, so a request has at most one pad inside.
// End        done_o in the cycle in which the generator has ended and its last request is taken.
// Replies    fill_* are combinational: fill_len_o bytes from byte fill_off_o of the segment go to shared
//            address fill_saddr_o; with a step, they are elements fill_step_o bytes apart, packed. If
//            fill_cut_o is not 0, only that many bytes go there, the others to fill_next_o, and the
//            write takes a second cycle. fill_drop_o: the CTA was killed, nothing is written.
// Kills      clr_cta_en_i: replies for that CTA are dropped, also that of this cycle. abort_i: the
//            waiting request is dropped, without done_o.
// Reset      synchronous, active low: no requests.
// Idle       busy_o: a request waits, or an end is to be reported. MSHRs in use are not busy.
//
// The caller starts a buffer only after done_o or abort_i of the previous one, keeps the generator's
// contract, and sends replies only for MSHRs in use.

`include "needs.vh"

module d2ma_requests #(
    parameter int CTAS = 8,    // CTA slots, at least 1
    parameter int BUFS = 4,    // buffers per CTA, at least 1
    parameter int MSHRS = 32,  // MSHRs of the SM, at least 1
    parameter int SEG = 128,   // bytes of a global segment: 8..128, a power of two, at most 4 * NB
    parameter int NB = 32      // banks of the shared memory: a power of two, 2..64
) (
    input  logic                                         clk_i,
    input  logic                                         rst_ni,
    // the buffer that the generator begins
    input  logic                                         start_i,       // begin
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    start_cta_i,   // CTA slot of the entry
    input  logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    start_buf_i,
    input  logic [1:0]                                   esz_i,         // log2 of the element size in bytes
    input  logic [15:0]                                  stride_i,      // elements from element to element; 0 means 1
    input  logic                                         dim2_i,        // the buffer is a matrix
    input  logic [1:0]                                   mode_i,        // 0 none, 1 halo, 2 bank padding; 3 means 0
    input  logic [15:0]                                  hrows_i,       // bank: words per bank between pads (0: none)
    input  logic                                         abort_i,       // the generator drops its buffer
    // the generator
    input  logic                                         ag_valid_i,    // a request
    input  logic [63:0]                                  ag_seg_i,      // segment-aligned global byte address
    input  logic [$clog2(SEG)-1:0]                       ag_off_i,      // first byte wanted inside the segment
    input  logic [$clog2(SEG):0]                         ag_len_i,      // bytes wanted; strided: of the first element
    input  logic [15:0]                                  ag_saddr_i,    // shared byte address of the first byte
    input  logic                                         ag_done_i,     // all requests were taken
    output logic                                         ag_ready_o,    // the request is taken
    // to memory
    input  logic [$clog2(MSHRS+1)-1:0]                   free_i,        // free MSHRs
    input  logic [$clog2(MSHRS+1)-1:0]                   reserve_i,     // of which the load/store unit keeps
    input  logic                                         req_ready_i,   // the port is free
    input  logic [(MSHRS <= 2 ? 1 : $clog2(MSHRS))-1:0]  req_mshr_i,    // the MSHR of a request; sampled at the clock edge
    output logic                                         share_o,       // an MSHR is free for it
    output logic                                         req_valid_o,   // a request waits
    output logic [63:0]                                  req_seg_o,     // segment-aligned global byte address
    output logic                                         taken_o,       // the request is taken
    output logic                                         done_o,        // the generator has ended, all requests are taken
    // replies
    input  logic                                         clr_cta_en_i,  // a CTA starts: its predecessor is dead
    input  logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    clr_cta_i,     // slot of that CTA
    input  logic                                         fill_en_i,     // a reply
    input  logic [(MSHRS <= 2 ? 1 : $clog2(MSHRS))-1:0]  fill_mshr_i,   // for this MSHR
    output logic                                         fill_drop_o,   // it is dropped
    output logic [(CTAS <= 2 ? 1 : $clog2(CTAS))-1:0]    fill_cta_o,    // CTA slot of its entry
    output logic [(BUFS <= 2 ? 1 : $clog2(BUFS))-1:0]    fill_buf_o,
    output logic [$clog2(SEG)-1:0]                       fill_off_o,    // first byte wanted inside the segment
    output logic [$clog2(SEG):0]                         fill_len_o,    // bytes wanted
    output logic [$clog2(SEG)-1:0]                       fill_step_o,   // bytes from element to element; 0: contiguous
    output logic [1:0]                                   fill_esz_o,    // log2 of the element size in bytes
    output logic [15:0]                                  fill_saddr_o,  // shared byte address of the first byte
    output logic [$clog2(SEG)-1:0]                       fill_cut_o,    // bytes before a pad; 0: no pad inside
    output logic [15:0]                                  fill_next_o,   // shared byte address behind the pad
    output logic                                         busy_o         // a request waits, or an end
);
  localparam int CW = CTAS <= 2 ? 1 : $clog2(CTAS);
  localparam int BW = BUFS <= 2 ? 1 : $clog2(BUFS);
  localparam int MW = MSHRS <= 2 ? 1 : $clog2(MSHRS);
  localparam int LS = $clog2(SEG);
  localparam int LB = $clog2(NB) + 2;  // log2 of the bytes of one word in every bank
  localparam int XW = 16 - LB;         // a pad period of 2^16 bytes or more exceeds every buffer
  localparam int RB = CW + BW + 16 + LS + (LS + 1) + LS + LS + 2;  // bits of a row
  localparam logic [MSHRS-1:0] MSHR_0 = 1;

  `NEEDS(CTAS >= 1 && BUFS >= 1 && MSHRS >= 1, d2ma_requests_needs_parameters_at_least_1)
  `NEEDS(SEG >= 8 && SEG <= 128 && (1 << LS) == SEG, d2ma_requests_needs_seg_power_of_two_8_to_128)
  `NEEDS(NB >= 2 && NB <= 64 && (4 << $clog2(NB)) == 4 * NB, d2ma_requests_needs_nb_power_of_two_2_to_64)
  `NEEDS(SEG <= 4 * NB, d2ma_requests_needs_seg_at_most_4_nb)

  // The buffer.
  logic [CW-1:0] cta_q;
  logic [BW-1:0] buf_q;
  logic [1:0] esz_q;
  logic [LS-1:0] step_q;        // strided, with several elements in a segment: bytes from element to element
  logic [XW-1:0] words_q;       // lines between pads; 0: no pads
  logic [15:0] left_q, left_d;  // bytes to the next pad
  logic edge_q, edge_d;         // the last byte lies before a pad
  logic ended_q, ended_d;       // the generator has ended
  // The request that waits.
  logic hold_q, hold_d;
  logic open_q, open_d;         // further elements may follow
  logic [63-LS:0] seg_q, seg_d;
  logic [LS-1:0] off_q, off_d, cut_q, cut_d;
  logic [LS:0] len_q, len_d;
  logic [15:0] saddr_q, saddr_d;
  // MSHRs: {cta, buf, saddr, off, len, step, cut, esz}
  (* mem2reg *) logic [RB-1:0] row_q[0:MSHRS-1];
  logic [MSHRS-1:0] used_q, used_d, drop_q, drop_d;

  // The buffer's fields: a stride of a segment or more has one element per request.
  logic matrix;
  logic [15:0] stride;
  logic [18:0] step_b;
  logic [XW-1:0] words;
  assign matrix = dim2_i || mode_i == 2'd1;
  assign stride = matrix || stride_i <= 16'd1 ? 16'd0 : stride_i;
  assign step_b = {3'd0, stride} << esz_i;
  assign words = mode_i == 2'd2 && hrows_i >> XW == 16'd0 ? hrows_i[XW-1:0] : '0;

  // The request that waits: closed, taken, or replaced by the generator's next.
  logic waits, leaves, accept, walk;
  assign waits = hold_q && (!open_q || ag_valid_i || ag_done_i);
  assign share_o = waits && free_i > reserve_i;
  assign leaves = share_o && req_ready_i && !abort_i;
  assign ag_ready_o = (leaves || !hold_q) && !abort_i;
  assign accept = ag_valid_i && ag_ready_o;
  logic [63-LS:0] ag_segment;
  logic [LS-1:0] left_low, len_low;
  logic unused_seg;
  assign ag_segment = ag_seg_i[63:LS];
  assign left_low = left_q[LS-1:0];
  assign len_low = len_q[LS-1:0];
  assign unused_seg = &{1'b0, ag_seg_i[LS-1:0]};
  assign walk = hold_q && open_q && !ag_valid_i && !ag_done_i;

  // Bytes to the next pad, after the bytes that the generator passes in this cycle.
  logic [LS:0] passed;
  logic [16:0] behind;
  logic [15:0] behind_low, again;
  logic over, at_pad;
  assign passed = accept ? ag_len_i : {{LS{1'b0}}, 1'b1} << esz_q;
  assign behind = {1'b0, left_q} - {{(16 - LS) {1'b0}}, passed};
  assign over = behind[16];
  assign at_pad = behind == 17'd0;
  assign behind_low = behind[15:0];
  assign again = behind_low + {words_q, {LB{1'b0}}};

  // The row of the reply.
  logic [31:0] fill_mshr, req_mshr;
  logic fill_on;
  logic [RB-1:0] row;
  logic [MSHRS-1:0] fill_mask, req_mask, dead_mask;
  logic [15:0] pad;
  assign fill_mshr = {{(32 - MW) {1'b0}}, fill_mshr_i};
  assign req_mshr = {{(32 - MW) {1'b0}}, req_mshr_i};
  assign fill_mask = fill_en_i && fill_mshr < MSHRS ? MSHR_0 << fill_mshr_i : '0;
  assign req_mask = leaves && req_mshr < MSHRS ? MSHR_0 << req_mshr_i : '0;
  assign fill_on = |(fill_mask & used_q);
  assign row = fill_on ? row_q[fill_mshr_i] : '0;
  assign {fill_cta_o, fill_buf_o, fill_saddr_o, fill_off_o, fill_len_o, fill_step_o, fill_cut_o, fill_esz_o} = row;
  assign pad = fill_esz_o == 2'd3 ? 16'd8 : 16'd4;
  assign fill_next_o = fill_on ? fill_saddr_o + {{(16 - LS) {1'b0}}, fill_cut_o} + pad : '0;
  assign fill_drop_o = |(fill_mask & used_q & (drop_q | dead_mask));
  for (genvar m = 0; m < MSHRS; m++) begin : g_dead
    logic [RB-1:0] entry;
    logic unused;
    assign entry = row_q[m];
    assign dead_mask[m] = clr_cta_en_i && entry[RB-1-:CW] == clr_cta_i;
    assign unused = &{1'b0, entry};
  end

  // Outputs.
  assign req_valid_o = waits;
  assign req_seg_o = hold_q ? {seg_q, {LS{1'b0}}} : '0;
  assign taken_o = leaves;
  assign done_o = (ended_q || ag_done_i) && (!hold_q || leaves) && !abort_i;
  assign busy_o = hold_q || ended_q;

  // Next state.
  always_comb begin
    hold_d = (hold_q && !leaves) || accept;
    open_d = accept ? step_q != '0 : open_q && !ag_valid_i && !ag_done_i;
    ended_d = (ended_q || ag_done_i) && !done_o;
    seg_d = seg_q;
    off_d = off_q;
    len_d = len_q;
    saddr_d = saddr_q;
    cut_d = cut_q;
    left_d = left_q;
    edge_d = edge_q;
    if (accept) begin
      seg_d = ag_segment;
      off_d = ag_off_i;
      len_d = ag_len_i;
      saddr_d = ag_saddr_i;
      cut_d = words_q != '0 && over ? left_low : '0;
    end else if (walk) begin
      len_d = len_q + passed;
      if (words_q != '0 && edge_q) cut_d = len_low;
    end
    if (accept || walk) begin
      left_d = over ? again : behind_low;
      edge_d = at_pad;
    end
    used_d = (used_q & ~fill_mask) | req_mask;
    drop_d = (drop_q | dead_mask) & ~req_mask;
    if (start_i) begin
      left_d = {words, {LB{1'b0}}};
      edge_d = 1'b0;
    end
    if (abort_i) begin
      hold_d = 1'b0;
      open_d = 1'b0;
      ended_d = 1'b0;
    end
  end

  // Registers. used_q says which rows are valid.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {cta_q, buf_q, esz_q, step_q, words_q, left_q, edge_q} <= '0;
    end else begin
      if (start_i) begin
        cta_q <= start_cta_i;
        buf_q <= start_buf_i;
        esz_q <= esz_i;
        step_q <= |step_b[18:LS] ? '0 : step_b[LS-1:0];
        words_q <= words;
      end
      left_q <= left_d;
      edge_q <= edge_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (accept || walk) begin
      seg_q <= seg_d;
      off_q <= off_d;
      len_q <= len_d;
      saddr_q <= saddr_d;
      cut_q <= cut_d;
    end
    if (leaves && req_mshr < MSHRS) row_q[req_mshr_i] <= {cta_q, buf_q, saddr_q, off_q, len_q, step_q, cut_q, esz_q};
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {ended_q, hold_q, open_q, used_q, drop_q} <= '0;
    end else begin
      {ended_q, hold_q, open_q} <= {ended_d, hold_d, open_d};
      {used_q, drop_q} <= {used_d, drop_d & used_d};
    end
  end

`ifdef FORMAL
  `include "d2ma_requests_props.svh"
`endif
endmodule
`undef NEEDS
