// SPDX-License-Identifier: Apache-2.0
// Types and constants of ring_fifo.
package ring_pkg;
  typedef enum logic [1:0] {READ = 2'd0, WRITE = 2'd1, ATOMIC = 2'd2} kind_e;

  typedef struct packed {
    kind_e      kind;
    logic [5:0] tag;
    logic [7:0] data;
  } entry_t;

  typedef struct packed {
    logic   valid;
    entry_t entry;
  } push_t;

  function automatic logic parity(entry_t entry);
    return ^entry;
  endfunction
endpackage
