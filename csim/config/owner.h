/* SPDX-License-Identifier: Apache-2.0 */
/* Owners: each proposal owns its parameters, counters, checks and stall classes. It describes them in one structure and
 * registers it with config_join; they are then listed, set, checked, counted and written like the GPU's own. The
 * proposals of this tree join before main(); a shared object joins when it is loaded, before the first GPU is
 * created. */
#ifndef TANDEM_CONFIG_OWNER_H
#define TANDEM_CONFIG_OWNER_H

#include "config/counters.h"
#include "config/gpu_config.h"
#include "config/stalls.h"

struct config_owner {
  const char *name;                       /* of the proposal; as a rule the prefix of its keys */
  const struct gpu_parameter *parameters; /* int64_t values; `offset`: in the structure that config_owned returns */
  const struct counter_row *sm_counters, *memory_counters;
  const struct stall_class *stalls;
  uint32_t n_parameters, n_sm_counters, n_memory_counters, n_stalls;
  /* Checks relations of its parameters, with each other and with the GPU's; may be NULL. Called by gpu_config_check. */
  int (*check)(const struct gpu_config *, struct err *);
  /* Indices of its first values; set by config_join. */
  uint32_t first_parameter, first_sm_counter, first_memory_counter, first_stall;
};

/* An owner's structure of values overlays an array of integers; may_alias tells the compiler:
 * struct OWNED_VALUES name {...}. */
#define OWNED_VALUES __attribute__((may_alias))

/* Initialises a table of the structure and its length: OWNER_TABLE(parameters, an array). */
#define OWNER_TABLE(member, array) .member = array, .n_##member = sizeof array / sizeof *array

/* Adds the owner's tables to the program's. Aborts if the name has joined before or a table is full. */
void config_join(struct config_owner *);

/* The owner's parameter values and counters, as the structures generated from its tables. As with strchr, the caller
 * may write through the result only if the argument is writable. */
static inline const void *config_owned(const struct gpu_config *c, const struct config_owner *o) {
  return &c->owned[o->first_parameter];
}
static inline void *sm_counters_owned(const struct sm_counters *c, const struct config_owner *o) {
  return (void *)(uintptr_t)&c->owned[o->first_sm_counter];
}
static inline void *memory_counters_owned(const struct memory_counters *c, const struct config_owner *o) {
  return (void *)(uintptr_t)&c->owned[o->first_memory_counter];
}

#endif
