/* SPDX-License-Identifier: Apache-2.0 */
/* GPU configurations, clocks and memory systems of tests; what cannot be had fails the test. */
#ifndef TANDEM_TESTS_KIT_CONFIG_H
#define TANDEM_TESTS_KIT_CONFIG_H

#include "base/err.h"
#include "config/gpu_config.h"
#include "kit/test.h"
#include "mem/memory_system.h"

/* Settings as a list of "key=value". */
#define SETTINGS(...) ((const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})

/* The defaults, and over them the GPU configuration `name` of configs/gpu (NULL: none). */
static inline void config_begin(struct gpu_config *m, const char *name) {
  struct err e;
  gpu_config_defaults(m);
  if (name && gpu_config_load(m, TANDEM_CONFIG_DIR, name, &e)) fail_msg("%s", e.text);
}

static inline void config_set(struct gpu_config *m, const char *const *settings) {
  struct err e;
  for (; settings && *settings; settings++)
    if (gpu_config_set(m, "test", *settings, &e)) fail_msg("%s", e.text);
}

/* The same from one text, "key=value key=value ..."; NULL: none. */
static inline void config_set_text(struct gpu_config *m, const char *settings) {
  char text[512], *rest = text;
  struct err e;
  snprintf(text, sizeof text, "%s", settings ? settings : "");
  for (char *one; (one = strtok_r(rest, " ", &rest));)
    if (gpu_config_set(m, "test", one, &e)) fail_msg("%s", e.text);
}

static inline void config_check(const struct gpu_config *m) {
  struct err e;
  if (gpu_config_check(m, &e)) fail_msg("%s", e.text);
}

/* All domains tick together, one tick a cycle. */
static inline void clocks_start_alike(struct clocks *c) { clocks_start(c, (uint64_t[]){1, 1, 1, 1}); }
static inline void clocks_start_of(struct clocks *c, const struct gpu_config *m) {
  clocks_start(c,
               (uint64_t[]){(uint64_t)m->core_khz, (uint64_t)m->noc_khz, (uint64_t)m->l2_khz, (uint64_t)m->dram_khz});
}
/* The tick after `now`, in every domain. */
static inline void clocks_pass(struct clocks *c, uint64_t now) {
  for (int d = 0; d < CLOCK_DOMAINS; d++) clocks_skip_until(c, (enum clock_domain)d, now + 1);
}

/* The memory system of a GPU configuration, its DRAM commands checked; the clocks have been started. */
static inline struct memory_system *checked_memory(const struct gpu_config *m, struct clocks *c) {
  struct err e;
  struct memory_system *memory = memory_create(m, c, NULL, false, &e);
  if (!memory || memory_check_protocol(memory, &e)) fail_msg("%s", e.text);
  return memory;
}

#endif
