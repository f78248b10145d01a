/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters and counters of XMem. */
#ifndef TANDEM_SYSTEMS_XMEM_TABLES_H
#define TANDEM_SYSTEMS_XMEM_TABLES_H

#include "config/owner.h"

#define XMEM_UNITS(X) X(XMEM_UNIT_512, 512) X(XMEM_UNIT_1024, 1024)
enum { XMEM_UNITS(CHOICE_ID) };
#define XMEM_ID_BITS_LIST(X) X(XMEM_ID_BITS_8, 8) X(XMEM_ID_BITS_6, 6)
enum { XMEM_ID_BITS_LIST(CHOICE_ID) };
#define XMEM_HINT_MODES(X) X(XMEM_HINTS_ON, on) X(XMEM_HINTS_OFF, off) X(XMEM_HINTS_RANDOM, random)
enum { XMEM_HINT_MODES(CHOICE_ID) };
#define XMEM_PREFETCH_MAPS(X) X(XMEM_PREFETCH_EXACT, exact) X(XMEM_PREFETCH_STRIDE, stride)
enum { XMEM_PREFETCH_MAPS(CHOICE_ID) };

struct OWNED_VALUES xmem_parameters {
#define X(field, ...) int64_t field;
#define E(field, ...) int64_t field;
#include "systems/xmem/parameters.def"
};

struct OWNED_VALUES xmem_counters { /* of an SM */
#define X(name, ...) uint64_t name;
#include "systems/xmem/sm_counters.def"
};

struct OWNED_VALUES xmem_memory_counters {
#define X(name, ...) uint64_t name;
#include "systems/xmem/memory_counters.def"
};

extern struct config_owner xmem_owner;

static inline const struct xmem_parameters *xmem_parameters(const struct gpu_config *c) {
  return config_owned(c, &xmem_owner);
}
static inline struct xmem_counters *xmem_counters(const struct sm_counters *c) {
  return sm_counters_owned(c, &xmem_owner);
}
static inline struct xmem_memory_counters *xmem_memory_counters(const struct memory_counters *c) {
  return memory_counters_owned(c, &xmem_owner);
}

#endif
