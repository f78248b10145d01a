/* SPDX-License-Identifier: Apache-2.0 */
/* The attribute translator of the home partition: reads the attributes of a context's atoms from memory, 8 bytes per
 * access. assumption: once an atom's bytes have arrived, it takes 4 cycles to write all private tables. */
#include "systems/xmem/agent_internal.h"
#include "systems/xmem/segment.h"

enum { TAG = 1 << 30, CYCLES_AN_ATOM = 4 };

static uint64_t table_of(const struct xmem_agent *a) {
  return a->storage.context_base + (uint64_t)a->context * CONTEXT_BYTES + GAT_OFFSET;
}

void translator_start(struct xmem_agent *a) {
  struct translator *t = &a->translator;
  uint32_t atoms = a->atoms[a->context];
  *t = (struct translator){.atoms = atoms, .words = (atoms * XMEM_ATOM_BYTES + 7) / 8, .busy = true};
}

static bool has_arrived(const struct translator *t, uint32_t atom) {
  uint32_t last = ((atom + 1) * XMEM_ATOM_BYTES - 1) / 8;
  for (uint32_t word = atom * XMEM_ATOM_BYTES / 8; word <= last; word++)
    if (!t->got[word]) return false;
  return true;
}

/* assumption: with xmem.hints = random every attribute is random, but the pattern is valid and the stride stays in a
 * page. */
static void randomise(struct xmem_agent *a, uint8_t *records, uint32_t n) {
  for (uint32_t i = 0; i < n * XMEM_ATOM_BYTES; i++) records[i] = (uint8_t)rng_u32(&a->random);
  for (uint32_t i = 0; i < n; i++) {
    uint8_t *record = records + (size_t)i * XMEM_ATOM_BYTES;
    record[8] %= 3;
    record[10] &= 3;
    record[11] = record[12] = 0;
    record[ATOM_VERSION_AT] = ATOM_RECORD_VERSION;
  }
}

static void finish(struct xmem_agent *a) {
  uint8_t records[XMEM_IDS * XMEM_ATOM_BYTES] = {0};
  uint32_t n = a->translator.atoms;
  for (uint32_t i = 0; i < n * XMEM_ATOM_BYTES; i++)
    records[i] = (uint8_t)storage_read(&a->storage, table_of(a) + i, 1);
  if (a->p->hints == XMEM_HINTS_RANDOM) randomise(a, records, n = n ? a->none : 0);
  xmem_translate(a->config, records, n, &a->tables);
  a->tables_in = true;
  a->translator.busy = false;
  a->count->xmem_atoms += a->translator.atoms;
  a->count->xmem_attribute_bytes += (uint64_t)a->translator.atoms * XMEM_ATOM_BYTES;
}

void translator_cycle(struct xmem_agent *a) {
  struct translator *t = &a->translator;
  if (!t->busy) return;
  while (t->asked < t->words && t->out < GAT_READS) {
    if (!a->s.access(a->s.memory, table_of(a) + 8 * t->asked, false, TAG | t->asked)) break;
    t->asked++;
    t->out++;
  }
  if (t->done < t->atoms && t->next <= a->cycle && has_arrived(t, t->done)) {
    t->done++;
    t->next = a->cycle + CYCLES_AN_ATOM;
  }
  /* the tables of the other partitions are one bus latency away */
  if (t->done == t->atoms && a->cycle >= t->next + a->bus_latency) finish(a);
}

void translator_answered(struct xmem_agent *a, uint32_t word) {
  a->translator.got[word] = 1;
  a->translator.out--;
}
