/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated GPU's global memory: one sparse arena, reserved at once and populated on demand. Its allocator knows
 * every allocation, so a stray address is reported instead of crashing the simulator. */
#ifndef TANDEM_DEVICE_DEVICE_MEMORY_H
#define TANDEM_DEVICE_DEVICE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* Generic address map. assumption: shared and local windows lie below global memory. */
#define GENERIC_SHARED_BASE UINT64_C(0x0000000001000000) /* 16 MiB window */
#define GENERIC_SHARED_END UINT64_C(0x0000000002000000)
#define GENERIC_PARAM_BASE UINT64_C(0x0000000008000000) /* parameters of a kernel; 64 KiB window */
#define GENERIC_PARAM_END UINT64_C(0x0000000008010000)
#define GENERIC_LOCAL_BASE UINT64_C(0x0000000010000000) /* 256 MiB window */
#define GENERIC_LOCAL_END UINT64_C(0x0000000020000000)
#define DEVICE_MEMORY_BASE UINT64_C(0x0000000200000000)

/* The purpose of an allocation, interpreted by the page placement (mem/page_table.h). */
#define DEVICE_MEMORY_UNLABELLED UINT32_MAX

/* An observer is notified of every allocation. */
struct device_memory_observer {
  bool (*allocated)(void *self, uint64_t address, uint64_t bytes, uint32_t label); /* false: refused, out of memory */
  void (*freed)(void *self, uint64_t address, uint64_t bytes);
  /* A power of two; 0: 4096. With larger ones an allocation of a page or more begins with a page. */
  uint64_t page_bytes;
  void *self;
};

struct device_memory {
  uint8_t *bytes; /* host address of DEVICE_MEMORY_BASE */
  uint64_t end;   /* device address one past the highest allocation ever made; accesses lie in [BASE, end) */
  uint64_t limit; /* device address one past the arena */
  struct device_allocation *first; /* sorted by address; private */
  uint64_t allocated_bytes;
  struct device_memory_observer observer; /* private */
};

/* Reserves `bytes` of device memory (not touched until used). ERR_LIMIT if the host refuses. */
int device_memory_create(struct device_memory *, uint64_t bytes, struct err *);
void device_memory_destroy(struct device_memory *);
/* Allocates bytes >= 1, aligned to 256 bytes, which read as zeros; returns 0 when out of memory. */
uint64_t device_memory_alloc(struct device_memory *, uint64_t bytes);
/* The same in separate pages (device_memory_observer.page_bytes); the observer receives the label. */
uint64_t device_memory_alloc_labelled(struct device_memory *, uint64_t bytes, uint32_t label);
/* Sets the observer, replacing the previous one; NULL: none. It is notified of existing allocations in address order
 * and of later ones; destroying the memory does not count as freeing. False: it refused one and was removed. */
bool device_memory_observe(struct device_memory *, const struct device_memory_observer *);
/* Frees an address that alloc returned; ERR_VALUE otherwise. */
int device_memory_free(struct device_memory *, uint64_t address, struct err *);
/* Base and size of the allocation that holds `address`, or 0 bytes. */
uint64_t device_memory_find(const struct device_memory *, uint64_t address, uint64_t *base);

/* Host pointer of [address, address+bytes), or NULL when it leaves [BASE, end). Hot. */
static inline void *device_memory_at(const struct device_memory *m, uint64_t address, uint64_t bytes) {
  uint64_t offset = address - DEVICE_MEMORY_BASE, size = m->end - DEVICE_MEMORY_BASE;
  return offset < size && bytes <= size - offset ? m->bytes + offset : NULL;
}

#endif
