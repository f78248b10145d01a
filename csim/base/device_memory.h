/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated GPU's global memory: one sparse arena (reserved, touched on demand), with an allocator that knows
 * every allocation, so that a stray address is an error and not a crash. */
#ifndef TANDEM_BASE_DEVICE_MEMORY_H
#define TANDEM_BASE_DEVICE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

struct err;

/* Generic address map (ours): shared and local windows lie below global memory. */
#define GENERIC_SHARED_BASE UINT64_C(0x0000000001000000) /* 16 MiB window */
#define GENERIC_SHARED_END UINT64_C(0x0000000002000000)
#define GENERIC_PARAM_BASE UINT64_C(0x0000000008000000) /* of an entry; 64 KiB window */
#define GENERIC_PARAM_END UINT64_C(0x0000000008010000)
#define GENERIC_LOCAL_BASE UINT64_C(0x0000000010000000) /* 256 MiB window */
#define GENERIC_LOCAL_END UINT64_C(0x0000000020000000)
#define DEVICE_MEMORY_BASE UINT64_C(0x0000000200000000)

struct device_memory {
  uint8_t *bytes; /* host address of DEVICE_MEMORY_BASE */
  uint64_t end;   /* device address one past the highest allocation ever made; accesses lie in [BASE, end) */
  uint64_t limit; /* device address one past the arena */
  struct device_allocation *first; /* sorted by address; private */
  uint64_t allocated_bytes;
};

/* Reserves `bytes` of device memory (not touched until used). ERR_LIMIT if the host refuses. */
int device_memory_create(struct device_memory *, uint64_t bytes, struct err *);
void device_memory_destroy(struct device_memory *);
/* Allocates bytes >= 1, 256-byte aligned, zeroed on first touch only; 0 when out of memory. */
uint64_t device_memory_alloc(struct device_memory *, uint64_t bytes);
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
