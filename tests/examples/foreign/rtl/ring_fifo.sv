// SPDX-License-Identifier: Apache-2.0
// A FIFO of entries in the style of another house: a package imported in the header, structures and a packed array of them as
// ports and registers, an asynchronous reset that is active high, pointers in a module of their own.
module ring_fifo
  import ring_pkg::*;
#(
    parameter int unsigned Depth = 4,
    parameter kind_e       Drop  = ATOMIC  // pushes of this kind are dropped
) (
    input  logic                       clk,
    input  logic                       arst,
    input  push_t                      push,
    output logic                       full,
    input  logic                       pop,
    output logic                       empty,
    output entry_t                     head,
    output logic                       head_parity,
    output logic [1:0][$clog2(Depth+1)-1:0] levels,  // [0] entries, [1] free places
    output logic                       scan_out,
    input  logic                       scan_in
);
  localparam int unsigned Bits = Depth > 1 ? $clog2(Depth) : 1;
  localparam int unsigned LevelBits = $clog2(Depth + 1);

  entry_t [Depth-1:0]   ring_q;
  logic [LevelBits-1:0] level_q;
  logic [Bits-1:0] write_at, read_at;

  wire take = push.valid && !full && push.entry.kind != Drop;
  wire give = pop && !empty;

  ring_pointer #(.Depth(Depth)) i_write (.clk, .arst, .step(take), .at(write_at));
  ring_pointer #(.Depth(Depth)) i_read (.clk, .arst, .step(give), .at(read_at));

  always_ff @(posedge clk or posedge arst) begin
    if (arst) level_q <= '0;
    else level_q <= level_q + LevelBits'(take) - LevelBits'(give);
  end

  // no reset: what lies outside of the ring is meaningless
  always_ff @(posedge clk) if (take) ring_q[write_at] <= push.entry;

  assign full = level_q == LevelBits'(Depth);
  assign empty = level_q == '0;
  assign head = ring_q[read_at];
  assign head_parity = parity(head);
  assign levels[0] = level_q;
  assign levels[1] = LevelBits'(Depth) - level_q;
  assign scan_out = scan_in;
endmodule
