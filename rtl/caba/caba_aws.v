// SPDX-License-Identifier: Apache-2.0
//
// caba_aws: the assist warp store of an SM: the instructions of every routine, and where each routine lies (Vijaykumar 2019, 5.3.3, figure
// 47: indexed by a subroutine's number, SR.ID, and an instruction's, Inst.ID; assumption: sizes, directory, ports and cycle behaviour).
//
// Latency    a read is sampled at the clock edge; its words are there in the next cycle, for one cycle. A read each cycle.
// Words      instruction `inst` of the routine and the one behind it, as far as the routine goes: n_o says how many. last_o: the routine's
//            last word is one of them. A routine that is not in the directory gives none.
// Banks      words of even and of odd number lie in an array each, so that any two neighbours are read at once by one port a bank.
// Loading    a word and a directory row a cycle. clear_en_i empties both; in one cycle the clearing comes first. A read of the same cycle
//            gives what was there before. A word inside a routine that was never loaded is 0.
// Caller     base + length is at most WORDS: the number of a word wraps. A row of length 0, or of a number beyond ROUTINES, is no routine.
// Reset      synchronous, active low: no word, no routine, no answer.
// Idle       busy_o: words are on the outputs, and leave.

`include "needs.vh"

module caba_aws #(
    parameter int WORDS = 512,   // instructions, a power of two, 4..512
    parameter int ROUTINES = 32  // rows of the directory, 1..32
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    // loading
    input  logic                     clear_en_i,  // every word and routine leaves
    input  logic                     ld_en_i,     // a word is loaded
    input  logic [$clog2(WORDS)-1:0] ld_at_i,     // its number
    input  logic [63:0]              ld_word_i,   // the instruction
    input  logic                     dir_en_i,    // a directory row is written
    input  logic [(ROUTINES <= 2 ? 1 : $clog2(ROUTINES))-1:0] dir_sr_i,  // of this routine
    input  logic [$clog2(WORDS)-1:0] dir_base_i,  // number of its first word
    input  logic [7:0]               dir_len_i,   // words; 0: no routine
    // reading
    input  logic                     rd_en_i,     // words are read
    input  logic [(ROUTINES <= 2 ? 1 : $clog2(ROUTINES))-1:0] rd_sr_i,  // of this routine
    input  logic [7:0]               rd_inst_i,   // number of the first one in it
    output logic [1:0]               n_o,         // words of the read before: 0, 1 or 2
    output logic                     last_o,      // the routine's last word is one of them
    output logic [63:0]              word0_o,     // the first; 0 without one
    output logic [63:0]              word1_o,     // the second; 0 without one
    output logic                     busy_o       // words are on the outputs
);
  localparam int AB = $clog2(WORDS);
  localparam int HALF = WORDS / 2;
  localparam int RB = ROUTINES <= 2 ? 1 : $clog2(ROUTINES);
  localparam int PAD = AB > 8 ? AB : 8;  // bits that hold a word's number and an instruction's
  localparam logic [31:0] LAST = ROUTINES - 1, ONE = 1;

  `NEEDS(WORDS >= 4 && WORDS <= 512 && WORDS == 1 << AB, caba_aws_needs_a_power_of_two_of_4_to_512_words)
  `NEEDS(ROUTINES >= 1 && ROUTINES <= 32, caba_aws_needs_routines_in_1_to_32)

  logic [63:0] even_q[0:HALF-1], odd_q[0:HALF-1];  // row r: word 2r, word 2r + 1
  logic [HALF-1:0] even_there_q, odd_there_q;      // they were loaded
  logic [ROUTINES-1:0] there_q;                    // routines of the directory
  (* mem2reg *) logic [AB-1:0] base_q[0:ROUTINES-1];
  (* mem2reg *) logic [7:0] len_q[0:ROUTINES-1];
  logic one_q, two_q, last_q;                      // words on the outputs
  logic [63:0] word0_q, word1_q;

  // The read: where its words lie, and how many there are.
  logic [32:0] there;  // there_q, and 0 for routines that do not exist
  logic [7:0] len, left;
  logic [PAD-1:0] sum;
  logic [AB-1:0] first, second;
  logic finds, reads;
  assign there = {{(33 - ROUTINES) {1'b0}}, there_q};
  assign finds = rd_en_i && there[{{(6 - RB) {1'b0}}, rd_sr_i}];
  assign len = len_q[rd_sr_i];
  assign left = {8{finds && len > rd_inst_i}} & (len - rd_inst_i);
  assign sum = {{(PAD - AB) {1'b0}}, base_q[rd_sr_i]} + {{(PAD - 8) {1'b0}}, rd_inst_i};
  assign reads = left != 8'd0;
  assign first = sum[AB-1:0];
  assign second = first + 1'b1;

  // The word of each bank.
  logic [AB-2:0] even_at, odd_at;
  logic [63:0] even_word, odd_word;
  assign even_at = second[AB-1:1];
  assign odd_at = first[AB-1:1];
  assign even_word = {64{even_there_q[even_at]}} & even_q[even_at];
  assign odd_word = {64{odd_there_q[odd_at]}} & odd_q[odd_at];

  // Loading.
  logic [AB-2:0] ld_row;
  logic [31:0] dir_sr;
  logic writes_dir, odd, is_odd, ld_even, ld_odd;
  logic [ROUTINES-1:0] mine, there_d;
  assign ld_row = ld_at_i[AB-1:1];
  assign odd = ld_at_i[0];
  assign is_odd = first[0];
  assign ld_even = ld_en_i && !odd;
  assign ld_odd = ld_en_i && odd;
  assign dir_sr = {{(32 - RB) {1'b0}}, dir_sr_i};
  assign writes_dir = dir_en_i && dir_sr <= LAST;
  assign mine = writes_dir ? ONE[ROUTINES-1:0] << dir_sr_i : '0;
  assign there_d = ((clear_en_i ? '0 : there_q) & ~mine) | (dir_len_i != 8'd0 ? mine : '0);

  assign n_o = {two_q, one_q & ~two_q};
  assign last_o = last_q;
  assign word0_o = one_q ? word0_q : '0;
  assign word1_o = two_q ? word1_q : '0;
  assign busy_o = one_q;
  logic unused;
  assign unused = &{1'b0, sum, second[0], ONE};

  // Registers. A word counts where its bank says that it was loaded, a directory row where there_q has a one.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {there_q, one_q, two_q, last_q} <= '0;
    end else begin
      there_q <= there_d;
      one_q <= reads;
      two_q <= left > 8'd1;
      last_q <= reads && left <= 8'd2;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_en_i) even_there_q <= '0;
    if (rst_ni && ld_even) even_there_q[ld_row] <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_en_i) odd_there_q <= '0;
    if (rst_ni && ld_odd) odd_there_q[ld_row] <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (ld_even) even_q[ld_row] <= ld_word_i;
    if (ld_odd) odd_q[ld_row] <= ld_word_i;
    if (writes_dir) begin
      base_q[dir_sr_i] <= dir_base_i;
      len_q[dir_sr_i] <= dir_len_i;
    end
    if (reads) begin
      word0_q <= is_odd ? odd_word : even_word;
      word1_q <= is_odd ? even_word : odd_word;
    end
  end

`ifdef FORMAL
  `include "caba_aws_props.svh"
`endif
endmodule
`undef NEEDS
