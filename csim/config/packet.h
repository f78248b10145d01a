/* SPDX-License-Identifier: Apache-2.0 */
/* The length of a packet on the links of a network. */
#ifndef TANDEM_CONFIG_PACKET_H
#define TANDEM_CONFIG_PACKET_H

#include <stdint.h>

enum { NOC_HEADER_BYTES = 8 }; /* address, kind and tag; a read request is nothing else */

/* Flits of a packet with so many bytes of data. */
static inline int64_t packet_flits(int64_t data_bytes, int64_t flit_bytes) {
  return (NOC_HEADER_BYTES + data_bytes + flit_bytes - 1) / flit_bytes;
}

#endif
