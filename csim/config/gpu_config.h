/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU configuration: every parameter of the simulated GPU. config/parameters.def lists the GPU's own; a proposal
 * adds a table of its own (config/owner.h). configs/gpu/<name>.yaml sets them (nested keys are joined by
 * dots, `base: other` inherits), `--set key=value` overrides them. */
#ifndef TANDEM_CONFIG_GPU_CONFIG_H
#define TANDEM_CONFIG_GPU_CONFIG_H

#include "config/choices.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct err;

/* Maximum parameters of all proposals together. */
enum { GPU_CONFIG_OWNED = 256 };

struct gpu_config {
#define X(field, ...) int64_t field;
#define E(field, ...) int64_t field;
#include "config/parameters.def"
  int64_t owned[GPU_CONFIG_OWNED]; /* values of the proposals' parameters (config_owned) */
};

/* One row of the table, for loaders, listings and the effective configuration of a run. */
struct gpu_parameter {
  const char *key, *unit, *names, *sentence; /* names: "a|b" for a choice, else NULL */
  size_t offset;                             /* in struct gpu_config; in a row of an owner, in the owner's structure */
  int64_t default_value, min, max;
};
#define PARAMETER_INTEGER(type, field, key, default_value, min, max, unit, sentence) \
  {key, unit, NULL, sentence, offsetof(type, field), default_value, min, max},
#define PARAMETER_CHOICE(type, field, key, default_value, LIST, sentence) \
  {key, "", CHOICE_NAMES(LIST), sentence, offsetof(type, field), default_value, 0, -1},

/* Row number i, the GPU's own first, then those of the owners in the order in which they joined; NULL after the last
 * one. */
const struct gpu_parameter *gpu_parameter_at(unsigned i);
unsigned gpu_parameter_count(void);
/* Adds a name to the choice `key` and returns its value. A proposal uses it to add a pipeline, for example. */
int64_t gpu_parameter_add_choice(const char *key, const char *name);

void gpu_config_defaults(struct gpu_config *);
/* Loads `name` (a path, or NAME for `config_dir`/gpu/NAME.yaml) over *m, bases first. Errors name file:line and key. */
int gpu_config_load(struct gpu_config *m, const char *config_dir, const char *name, struct err *e);
/* Applies "key=value"; errors name its `origin` ("--set"). */
int gpu_config_set(struct gpu_config *m, const char *origin, const char *assignment, struct err *e);
/* Relations between parameters (power of two where needed, banks divisible by groups, ...). */
int gpu_config_check(const struct gpu_config *m, struct err *e);
/* Of a GPU of several modules: links that share the rate of numa.link_khz; link cycles of a hop, at least 2. */
int64_t gpu_config_links(const struct gpu_config *);
int64_t gpu_config_hop(const struct gpu_config *);
/* dram.scheduler names a policy that is a block: it has its own places, keeps rows itself and knows no refresh. */
static inline bool gpu_config_dram_by_block(const struct gpu_config *m) {
  return m->dram_scheduler == DRAM_BFIFO || m->dram_scheduler == DRAM_FR_FCFS_PLAIN;
}
/* Applies ideal.resources: with `unlimited`, queues, MSHRs and merges get the maxima of the table and a flit holds any
 * packet. Limits that remain: one segment per cycle and SM, one lookup per cycle and slice, the DRAM buses. The queue
 * of the load/store unit keeps its depth: it is in order, so in a deeper queue short loads would wait for long ones. A DRAM
 * scheduler that is a block keeps the places that its configuration gives it. */
void gpu_config_idealise(struct gpu_config *);
int64_t gpu_config_get(const struct gpu_config *m, const struct gpu_parameter *p);

/* For the reader of configuration files: the parameter `key`, or NULL. */
const struct gpu_parameter *gpu_config_find(const char *key);
/* Assigns a text; errors name its `place`. */
int gpu_config_assign(struct gpu_config *, const struct gpu_parameter *, const char *place, const char *text,
                      struct err *);
/* Sets the error for an unknown key; the message names the nearest known key. */
int gpu_config_unknown_key(const char *place, const char *key, struct err *);

/* Adds an owner's parameters and its check, which may be NULL; returns the place of the first value in `owned`. Called
 * by config_join. */
uint32_t gpu_parameters_join(const struct gpu_parameter *, uint32_t n,
                             int (*check)(const struct gpu_config *, struct err *));
int gpu_config_check_owned(const struct gpu_config *, struct err *); /* the checks of all owners */

#endif
