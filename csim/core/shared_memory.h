/* SPDX-License-Identifier: Apache-2.0 */
/* Bank conflicts of shared memory. */
#ifndef TANDEM_CORE_SHARED_MEMORY_H
#define TANDEM_CORE_SHARED_MEMORY_H

#include "ptx/ptx.h"

#include <stdint.h>

struct shared_cost {
  uint32_t cycles;    /* that the access keeps the port, at least 1 */
  uint32_t conflicts; /* of these, because of bank conflicts */
};

/* `base`: hardware address of the CTA's slice. Word w of 4 bytes lies in bank w % banks, 1..64
 * banks. Lanes that read or write the same word share it (broadcast); atomics on one word take
 * turns. `lanes` (a power of two up to 32) meet at a time. assumption: accesses of 8 and 16 bytes go in 2
 * and 4 times as many phases, with half and a quarter of the lanes each. */
struct shared_cost shared_cost(const struct ptx_access *access, uint32_t base, uint32_t banks, uint32_t lanes);

/* Conflict degree of each part of `lanes` lanes: the most words of one bank that they touch, at least 1; literal: the most
 * accesses to one bank, also if of one word (Gou and Gaydadjiev 2011, 3.1). */
void shared_degrees(const struct ptx_access *, uint32_t base, uint32_t banks, uint32_t lanes, bool literal,
                    uint8_t *degrees);

#endif
