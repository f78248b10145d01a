/* SPDX-License-Identifier: Apache-2.0 */
/* The heap of malloc() and free() in kernels: a range of device memory, cut into grains. What is free is known to the host alone, so
 * that no store of a kernel can damage it. */
#ifndef TANDEM_CUDA_DEVICE_HEAP_H
#define TANDEM_CUDA_DEVICE_HEAP_H

#include <stdbool.h>
#include <stdint.h>

enum { DEVICE_HEAP_GRAIN = 16 /* bytes: the alignment that CUDA promises */ };

struct device_heap {
  uint64_t base;    /* device address; 0: there is no heap */
  uint32_t *length; /* of the block that begins at a grain: grains, and a bit that says that it is taken */
  uint32_t grains, next;
};

/* Makes a heap of the `bytes` at `base`. False: the host has no memory for its list. */
bool device_heap_create(struct device_heap *, uint64_t base, uint64_t bytes);
void device_heap_destroy(struct device_heap *);
/* The address of `bytes`, or 0: exhausted, or no bytes. The same calls give the same addresses in every run. */
uint64_t device_heap_allocate(struct device_heap *, uint64_t bytes);
/* False: the address is not one that was allocated. */
bool device_heap_release(struct device_heap *, uint64_t address);

#endif
