/* SPDX-License-Identifier: Apache-2.0 */
/* Interface between the CUDA driver and a proposal with host calls of its own. The driver (csim/cuda, above this
 * folder) passes its services to the proposal; the proposal gives the driver its entry points and its hooks for
 * modules, launches and contexts. */
#ifndef TANDEM_SYSTEMS_DRIVER_H
#define TANDEM_SYSTEMS_DRIVER_H

#include "config/gpu_config.h"
#include "device/device_memory.h"
#include "mem/page_table.h"
#include "ptx/ptx.h"

#include <cuda.h>
#include <stdbool.h>
#include <stdint.h>

struct err;

/* A loaded module. */
struct driver_module {
  CUcontext context; /* that loaded it */
  struct ptx_module *ptx;
};

/* A launch that is about to be simulated. */
struct driver_launch {
  CUcontext context; /* of the kernel's module */
  CUstream stream;
  const struct ptx_kernel *kernel;
  const uint32_t *grid, *block; /* three each */
  const uint8_t *params;        /* kernel->param_bytes */
};

struct driver_services {
  /* Takes the driver's lock; leave() releases it. On a result other than CUDA_SUCCESS the call returns that result. */
  CUresult (*enter)(void);
  CUresult (*leave)(CUresult);
  /* Prints the sentence on standard error; returns `result`. */
  CUresult (*complain)(CUresult result, const struct err *);
  /* False: no such module is loaded. */
  bool (*module)(CUmodule, struct driver_module *);
  /* Allocates device memory. With a label the allocation gets pages of its own (mem/page_table.h); NULL: no label. */
  CUresult (*allocate)(size_t bytes, const uint32_t *label, CUdeviceptr *);
  /* Simulates until the agent and CTA dispatch have finished everything requested of them; returns 0 or an error code. */
  int (*settle)(struct err *);
  /* The proposal's memory agent; NULL when the proposal is not switched on. */
  void *agent;
  void *dispatch;        /* its CTA dispatch policy, likewise, or NULL */
  const char *decisions; /* file that gets what the proposal's driver decides, a line of JSON a launch; or NULL */
  struct page_table *pages;
  struct device_memory *memory;
  const struct gpu_config *config;
};

/* The names that cuGetProcAddress finds. */
struct driver_entry {
  const char *name; /* NULL ends the list */
  void (*function)(void);
};

/* Hooks of a proposal (system_ops.driver). All but `entries` and `start` are called only when the proposal is on, and may be NULL. */
struct driver_hooks {
  const struct driver_entry *entries;
  /* Called by cuInit. The services stay valid until the program ends. */
  void (*start)(const struct driver_services *);
  int (*load)(const struct driver_module *, struct err *); /* ERR_LIMIT: no room; others: a bad image */
  void (*unload)(const struct driver_module *);
  int (*launch)(const struct driver_launch *, struct err *);
  void (*forget)(CUcontext); /* the context ends; NULL: all do */
};

#endif
