/* SPDX-License-Identifier: Apache-2.0 */
/* Between the CUDA driver and a proposal that has calls of its own for host programs. The driver (csim/cuda, above this folder) hands
 * its services down; the proposal hands up its entry points and what it does when modules, launches and contexts come and go. */
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
  CUcontext context; /* in which it was loaded */
  struct ptx_module *ptx;
};

struct driver_services {
  /* Takes the driver's lock; leave releases it. Not CUDA_SUCCESS: the call must leave with that result. */
  CUresult (*enter)(void);
  CUresult (*leave)(CUresult);
  /* Prints the sentence on standard error; returns `result`. */
  CUresult (*complain)(CUresult result, const struct err *);
  /* False: no such module is loaded. */
  bool (*module)(CUmodule, struct driver_module *);
  /* Device memory; with a label, in pages of its own (mem/page_table.h). NULL: no label. */
  CUresult (*allocate)(size_t bytes, const uint32_t *label, CUdeviceptr *);
  /* Lets simulated time go on until what was asked of the agent is done; 0, or an error code. */
  int (*settle)(struct err *);
  /* The proposal's part beyond the SMs; NULL when the proposal is not switched on. */
  void *agent;
  struct page_table *pages;
  struct device_memory *memory;
  const struct gpu_config *config;
};

/* The names that cuGetProcAddress finds. */
struct driver_entry {
  const char *name; /* NULL ends the list */
  void (*function)(void);
};

/* Of a proposal (system_ops.driver). All but `entries` and `start` are called only when the proposal is switched on. */
struct driver_hooks {
  const struct driver_entry *entries;
  /* cuInit: the services, which stay valid until the program ends. */
  void (*start)(const struct driver_services *);
  int (*load)(const struct driver_module *, struct err *); /* ERR_LIMIT: no room; others: a bad image */
  void (*unload)(const struct driver_module *);
  int (*launch)(CUcontext, struct err *); /* before a kernel of a module of that context */
  void (*forget)(CUcontext);              /* the context ends; NULL: all do */
};

#endif
