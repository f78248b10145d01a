/* SPDX-License-Identifier: Apache-2.0 */
/* The stimulus file of the netlist replayer: a header, then for each row a netlist_row and in_words words of inputs. */
#ifndef TANDEM_DPI_NETLIST_REPLAY_H
#define TANDEM_DPI_NETLIST_REPLAY_H

#include <stdint.h>

struct netlist_header {
  uint64_t rows, in_words, out_words, out_bytes, nets, busy_bit;
  uint64_t from, to; /* the window whose toggles are counted */
  uint64_t hash_seed;
};

enum { NETLIST_RST_N = 1, NETLIST_IDLE = 2 /* nothing is requested */ };

struct netlist_row {
  uint64_t cycle;
  uint32_t cycles; /* in which these inputs stand */
  uint32_t flags;
};

#endif
