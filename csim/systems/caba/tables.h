/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters and counters of compressed lines. */
#ifndef TANDEM_SYSTEMS_CABA_TABLES_H
#define TANDEM_SYSTEMS_CABA_TABLES_H

#include "config/owner.h"

#define CABA_DESIGNS(X)          \
  X(CABA_HW_BDI_MEM, hw_bdi_mem) \
  X(CABA_HW_BDI, hw_bdi)         \
  X(CABA_IDEAL_BDI, ideal_bdi)   \
  X(CABA_CABA_BDI, caba_bdi)     \
  X(CABA_CABA_FPC, caba_fpc)     \
  X(CABA_CABA_C_PACK, caba_c_pack) X(CABA_CABA_BEST, caba_best) X(CABA_CABA_PROGRAM, caba_program)
enum { CABA_DESIGNS(CHOICE_ID) };
#define CABA_BASES(X) X(CABA_BASE_FIRST, first) X(CABA_BASE_OTHER, other)
enum { CABA_BASES(CHOICE_ID) };
#define CABA_REGISTERS(X) X(CABA_REGISTERS_CLASS, class) X(CABA_REGISTERS_SUM, sum)
enum { CABA_REGISTERS(CHOICE_ID) };
#define CABA_PARTIALS(X) X(CABA_PARTIAL_PLAIN, plain) X(CABA_PARTIAL_PACKED, packed)
enum { CABA_PARTIALS(CHOICE_ID) };
#define CABA_PARENTS(X) X(CABA_PARENT_YOUNGEST, youngest) X(CABA_PARENT_WRITER, writer)
enum { CABA_PARENTS(CHOICE_ID) };
#define CABA_VICTIMS(X) X(CABA_VICTIM_SPARED, spared) X(CABA_VICTIM_OLDEST, oldest)
enum { CABA_VICTIMS(CHOICE_ID) };
#define CABA_LOADS(X) X(CABA_LOAD_ASSIST, assist) X(CABA_LOAD_DIRECT, direct)
enum { CABA_LOADS(CHOICE_ID) };
#define CABA_REFUSES(X) X(CABA_REFUSED_SM, sm) X(CABA_REFUSED_NONE, none)
enum { CABA_REFUSES(CHOICE_ID) };
#define CABA_L2S(X) X(CABA_L2_PACKED, packed) X(CABA_L2_PLAIN, plain)
enum { CABA_L2S(CHOICE_ID) };

struct OWNED_VALUES caba_parameters {
#define X(field, ...) int64_t field;
#define E(field, ...) int64_t field;
#include "systems/caba/parameters.def"
};

struct OWNED_VALUES caba_sm_counters {
#define X(name, ...) uint64_t name;
#include "systems/caba/sm_counters.def"
};

struct OWNED_VALUES caba_memory_counters {
#define X(name, ...) uint64_t name;
#include "systems/caba/memory_counters.def"
};

/* Relative to the owner's first_stall, at which these classes continue enum stall. */
enum {
#define X(id, ...) id,
#include "systems/caba/stalls.def"
};

extern struct config_owner caba_owner;

static inline const struct caba_parameters *caba_parameters(const struct gpu_config *c) {
  return config_owned(c, &caba_owner);
}
static inline struct caba_sm_counters *caba_sm_counters(const struct sm_counters *c) {
  return sm_counters_owned(c, &caba_owner);
}
/* Bytes that a line of so many takes in a cache with more tags. */
static inline uint32_t caba_room(const struct caba_parameters *p, uint32_t bytes) {
  return (bytes + (uint32_t)p->segment - 1) / (uint32_t)p->segment * (uint32_t)p->segment;
}
/* Assist warps decompress. */
static inline bool caba_assists(const struct caba_parameters *p) { return p->design >= CABA_CABA_BDI; }
static inline struct caba_memory_counters *caba_memory_counters(const struct memory_counters *c) {
  return memory_counters_owned(c, &caba_owner);
}

#endif
