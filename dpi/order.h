/* SPDX-License-Identifier: Apache-2.0 */
/* Which instance is evaluated after which: what the next one needs is asked for in time, since nothing of it is in the host's cache. It is
 * looked at now and then; where several threads simulate it may be wrong, and then costs time only. Private to dpi/. */
#ifndef TANDEM_DPI_ORDER_H
#define TANDEM_DPI_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stands first in what struct block.work points to. */
struct order {
  const void *next;            /* the same of the next instance, or of this one */
  const void *next_block;      /* its handle */
  const void *next_a, *next_b; /* and what it asks for besides */
};

/* In these cycles it is looked at. */
static inline bool order_is_noted(uint64_t cycle) { return cycle % 1024 < 2; }

/* The instance of `itself` is evaluated now. `block`: its handle; `a`, `b`: what it asks for. */
static inline void order_note(struct order **evaluated, struct order *itself, const void *block, const void *a,
                              const void *b) {
  struct order *before = __atomic_exchange_n(evaluated, itself, __ATOMIC_RELAXED);
  if (!before) return;
  __atomic_store_n(&before->next, itself, __ATOMIC_RELAXED);
  __atomic_store_n(&before->next_block, block, __ATOMIC_RELAXED);
  __atomic_store_n(&before->next_a, a, __ATOMIC_RELAXED);
  __atomic_store_n(&before->next_b, b, __ATOMIC_RELAXED);
}

/* It is about to be freed. */
static inline void order_forget(struct order **evaluated, struct order *itself) {
  __atomic_compare_exchange_n(evaluated, &itself, NULL, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static inline void order_prefetch_lines(const void *at) {
  __builtin_prefetch(at, 1);
  __builtin_prefetch((const char *)at + 64, 1);
}

/* Asks the host for two lines of each. */
static inline void order_prefetch(const struct order *o) {
  order_prefetch_lines(__atomic_load_n(&o->next, __ATOMIC_RELAXED));
  order_prefetch_lines(__atomic_load_n(&o->next_block, __ATOMIC_RELAXED));
}
static inline void order_prefetch_more(const struct order *o) {
  __builtin_prefetch(__atomic_load_n(&o->next_a, __ATOMIC_RELAXED), 1);
  const char *b = __atomic_load_n(&o->next_b, __ATOMIC_RELAXED);
  for (int line = 0; line < 3; line++) __builtin_prefetch(b + 64 * line, 1);
}

#endif
