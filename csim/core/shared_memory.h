/* SPDX-License-Identifier: Apache-2.0 */
/* Bank conflicts of shared memory. */
#ifndef TANDEM_CORE_SHARED_MEMORY_H
#define TANDEM_CORE_SHARED_MEMORY_H

#include "ptx/ptx.h"

#include <stdint.h>

struct shared_cost {
  uint32_t cycles;    /* port cycles of the access, at least 1 */
  uint32_t conflicts; /* those due to bank conflicts */
};

/* `base`: hardware address of the CTA's slice. Word w of 4 bytes lies in bank w % banks, 1..64 banks. Lanes that read
 * or write the same word share it (broadcast); atomics on one word are serialised. Groups of `lanes` lanes (a power of
 * two up to 32) access the banks together. assumption: accesses of 8 and 16 bytes take 2 and 4 times as many phases,
 * with half and a quarter of the lanes each. */
struct shared_cost shared_cost(const struct ptx_access *access, uint32_t base, uint32_t banks, uint32_t lanes);

/* Conflict degree of each group of `lanes` lanes: the maximum over banks of distinct words accessed, at least 1.
 * literal: the maximum over banks of accesses, even to the same word (Gou and Gaydadjiev 2011, 3.1). */
void shared_degrees(const struct ptx_access *, uint32_t base, uint32_t banks, uint32_t lanes, bool literal,
                    uint8_t *degrees);

#endif
