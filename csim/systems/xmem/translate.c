/* SPDX-License-Identifier: Apache-2.0 */
/* The attribute translator (Vijaykumar 2019, 2.4.2): translates the atoms' records into each component's private
 * table. */
#include "config/gpu_config.h"
#include "systems/xmem/segment.h"
#include "systems/xmem/tables.h"
#include "systems/xmem/xmem.h"

#include <string.h>

void xmem_translate(const struct gpu_config *m, const uint8_t *records, uint32_t n, struct xmem_tables *t) {
  memset(t, 0, sizeof *t);
  t->n = n < XMEM_IDS ? n : XMEM_IDS;
  for (uint32_t i = 0; i < t->n; i++) {
    const uint8_t *record = records + (size_t)i * XMEM_ATOM_BYTES;
    struct xmem_attributes a = xmem_attributes_of(record);
    if (record[ATOM_VERSION_AT] != ATOM_RECORD_VERSION) continue; /* unknown version: no attributes */
    bool regular = a.pattern == XMEM_PATTERN_REGULAR;
    int64_t step = a.stride < 0 ? -(int64_t)a.stride : a.stride;
    t->l2[i] = (struct xmem_l2_entry){.reuse = a.reuse, .bypass = !a.reuse && !regular};
    t->prefetch[i] = (struct xmem_prefetch_entry){
      .pattern = a.pattern, .degree = regular ? (uint8_t)xmem_parameters(m)->prefetch_degree : 0, .stride = a.stride};
    /* the same criterion as in page placement: a row holds at least eight accesses */
    t->memory[i] =
      (struct xmem_memory_entry){.row_local = regular && step <= m->dram_row_bytes / 8, .intensity = a.intensity};
    t->compression[i] = (uint8_t)(a.data & XMEM_TYPE_BITS);
  }
}
