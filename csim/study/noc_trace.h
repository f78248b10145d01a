/* SPDX-License-Identifier: Apache-2.0 */
/* Packets to be sent through a network, from a CSV file with the columns cycle, from, to and flits in any order, as tandem run --trace noc
 * writes it. Those of one producer are in order of their cycles. */
#ifndef TANDEM_STUDY_NOC_TRACE_H
#define TANDEM_STUDY_NOC_TRACE_H

#include "noc/network.h"

#include <stddef.h>

struct err;

struct noc_trace {
  struct packet_record *packet; /* by producer, then cycle; cycles from 0, that of the first packet */
  size_t n;
  uint64_t cycles, flits; /* the last packet's cycle + 1; of all packets */
};

/* For a network of n_in producers and n_out consumers. ERR_SYNTAX, ERR_VALUE: file, line and what is wrong. */
int noc_trace_load(struct noc_trace *, const char *path, uint32_t n_in, uint32_t n_out, struct err *);
void noc_trace_free(struct noc_trace *);

#endif
