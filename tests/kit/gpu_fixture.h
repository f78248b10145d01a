/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU around a kernel in PTX text, for tests of the SM and the GPU. */
#ifndef TANDEM_TESTS_GPU_FIXTURE_H
#define TANDEM_TESTS_GPU_FIXTURE_H

#include "gpu/gpu.h"
#include "kit/config.h"

#define PTX_HEADER ".version 7.0\n.target sm_70\n.address_size 64\n"

struct fixture {
  struct gpu_setup setup;
  struct device_memory memory;
  struct ptx_module *module;
  struct gpu *gpu;
  struct err e;
};

/* The GPU configuration `name` (NULL: the defaults), a small memory, then `settings` ("key=value ..."; NULL: none). The
 * protocol of the DRAM is checked. */
static inline void fixture_named(struct fixture *f, const char *name, const char *settings, uint32_t mib) {
  memset(f, 0, sizeof *f);
  f->setup.skip = true;
  f->setup.check_dram = true;
  config_begin(&f->setup.config, name);
  f->setup.config.memory_mib = (int32_t)mib;
  config_set_text(&f->setup.config, settings);
  if (device_memory_create(&f->memory, (uint64_t)mib << 20, &f->e)) fail_msg("%s", f->e.text);
}

static inline void fixture_config(struct fixture *f, const char *settings) {
  fixture_named(f, NULL, "sm.count=2", 16);
  config_set_text(&f->setup.config, settings);
}

static inline void fixture_load(struct fixture *f, const char *ptx) {
  const struct ptx_extension *extensions = f->setup.system ? f->setup.system->extensions : NULL;
  if (ptx_module_load("test.ptx", ptx, strlen(ptx), extensions, &f->memory, &f->module, &f->e))
    fail_msg("%s", f->e.text);
  f->gpu = gpu_create(&f->setup, &f->memory, &f->e);
  if (!f->gpu) fail_msg("%s", f->e.text);
}

static inline void fixture_start(struct fixture *f, const char *settings, const char *ptx) {
  fixture_config(f, settings);
  fixture_load(f, ptx);
}

static inline void fixture_end(struct fixture *f) {
  gpu_destroy(f->gpu);
  ptx_module_free(f->module);
  device_memory_destroy(&f->memory);
}

/* Zeroed words; *host points at them. */
static inline uint64_t fixture_words(struct fixture *f, uint32_t n, uint32_t **host) {
  uint64_t address = device_memory_alloc(&f->memory, (uint64_t)n * 4);
  assert_true(address != 0);
  *host = device_memory_at(&f->memory, address, (uint64_t)n * 4);
  return address;
}

static inline int fixture_try(struct fixture *f, uint32_t ctas, uint32_t threads, const void *params) {
  const uint32_t grid[3] = {ctas, 1, 1}, block[3] = {threads, 1, 1};
  f->e = (struct err){.code = ERR_NONE};
  return gpu_run(f->gpu, ptx_module_kernel_at(f->module, 0), grid, block, 0, params, &f->e);
}

static inline void fixture_run(struct fixture *f, uint32_t ctas, uint32_t threads, const void *params) {
  if (fixture_try(f, ctas, threads, params)) fail_msg("%s", f->e.text);
}

/* Sum over the SMs. */
static inline struct sm_counters fixture_counters(const struct fixture *f) {
  struct sm_counters sum = {0};
  for (uint32_t i = 0; i < gpu_sm_count(f->gpu); i++)
    counters_add((uint64_t *)&sum, (const uint64_t *)gpu_sm_counters(f->gpu, i), counter_table(COUNTERS_SM).n);
  return sum;
}

#endif
