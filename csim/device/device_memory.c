/* SPDX-License-Identifier: Apache-2.0 */
#include "device/device_memory.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGNMENT = 256, HOST_PAGE = 4096, HOST_LARGE_PAGE = 1 << 21, DEVICE_PAGE = 4096 };

struct device_allocation {
  uint64_t address, bytes; /* bytes as requested; the occupied space is rounded up to `grain` */
  uint32_t grain, label;
  struct device_allocation *next;
};

/* What the address and the space of an allocation are multiples of. */
static uint32_t grain_of(const struct device_memory *m, uint64_t bytes, uint32_t label) {
  uint64_t page = m->observer.page_bytes ? m->observer.page_bytes : DEVICE_PAGE;
  return label != DEVICE_MEMORY_UNLABELLED || (page > DEVICE_PAGE && bytes >= page) ? (uint32_t)page : ALIGNMENT;
}

static uint64_t rounded(uint64_t bytes, uint64_t grain) { return (bytes + grain - 1) & ~(grain - 1); }

int device_memory_create(struct device_memory *m, uint64_t bytes, struct err *e) {
  *m = (struct device_memory){.end = DEVICE_MEMORY_BASE, .limit = DEVICE_MEMORY_BASE};
  if (bytes == 0 || bytes > UINT64_C(1) << 46)
    return err_set(e, ERR_LIMIT, "device memory of %llu bytes: ask for 1 byte to 64 TiB", (unsigned long long)bytes);
  bytes = (bytes + HOST_PAGE - 1) & ~(uint64_t)(HOST_PAGE - 1);
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  /* Maps device addresses to equal host addresses if the host allows it: managed memory has one address for both. */
  void *wanted = (void *)(uintptr_t)DEVICE_MEMORY_BASE;
  void *p = mmap(wanted, bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, -1, 0);
  if (p == MAP_FAILED) p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (p == MAP_FAILED)
    return err_set(e, ERR_LIMIT,
                   "the host refuses to reserve %llu bytes of device memory: make the device memory smaller",
                   (unsigned long long)bytes);
  m->bytes = p;
  m->limit = DEVICE_MEMORY_BASE + bytes;
  return 0;
}

void device_memory_destroy(struct device_memory *m) {
  while (m->first) {
    struct device_allocation *a = m->first;
    m->first = a->next;
    free(a);
  }
  if (m->bytes) munmap(m->bytes, m->limit - DEVICE_MEMORY_BASE);
  *m = (struct device_memory){.end = DEVICE_MEMORY_BASE, .limit = DEVICE_MEMORY_BASE};
}

/* Large pages of the host for an allocation that fills one: a new page costs the host a fault, as much as hundreds of simulated
 * instructions. A host without them takes small ones. */
static void ask_for_large_pages(const struct device_memory *m, uint64_t address, uint64_t bytes) {
  if (bytes < HOST_LARGE_PAGE) return;
  uintptr_t start = (uintptr_t)m->bytes, limit = start + (uintptr_t)(m->limit - DEVICE_MEMORY_BASE);
  uintptr_t from = start + (uintptr_t)(address - DEVICE_MEMORY_BASE), to = rounded(from + bytes, HOST_LARGE_PAGE);
  from &= ~(uintptr_t)(HOST_LARGE_PAGE - 1);
  if (from < start) from = start;
  if (to > limit) to = limit;
  madvise((void *)from, to - from, MADV_HUGEPAGE);
}

/* First fit in address order: allocations of a deterministic program get deterministic addresses. */
static uint64_t allocate(struct device_memory *m, uint64_t bytes, uint32_t label) {
  uint32_t grain = grain_of(m, bytes, label);
  if (bytes == 0 || bytes > m->limit - DEVICE_MEMORY_BASE) return 0;
  uint64_t at = DEVICE_MEMORY_BASE;
  struct device_allocation **link = &m->first;
  for (; *link; link = &(*link)->next) {
    if ((*link)->address >= at && (*link)->address - at >= rounded(bytes, grain)) break;
    at = rounded((*link)->address + rounded((*link)->bytes, (*link)->grain), grain);
  }
  if (at > m->limit || m->limit - at < bytes) return 0;
  struct device_allocation *a = malloc(sizeof *a);
  if (!a) return 0;
  if (m->observer.allocated && !m->observer.allocated(m->observer.self, at, bytes, label)) {
    free(a);
    return 0;
  }
  *a = (struct device_allocation){.address = at, .bytes = bytes, .grain = grain, .label = label, .next = *link};
  *link = a;
  ask_for_large_pages(m, at, bytes);
  if (at + bytes > m->end) m->end = at + bytes;
  m->allocated_bytes += bytes;
  return at;
}

uint64_t device_memory_alloc(struct device_memory *m, uint64_t bytes) {
  return allocate(m, bytes, DEVICE_MEMORY_UNLABELLED);
}

uint64_t device_memory_alloc_labelled(struct device_memory *m, uint64_t bytes, uint32_t label) {
  return allocate(m, bytes, label);
}

bool device_memory_observe(struct device_memory *m, const struct device_memory_observer *o) {
  m->observer = (struct device_memory_observer){0};
  if (!o) return true;
  for (const struct device_allocation *a = m->first; a; a = a->next)
    if (!o->allocated(o->self, a->address, a->bytes, a->label)) return false;
  m->observer = *o;
  return true;
}

/* Returns whole pages to the host (they then read as zero) and clears the partial pages at the ends, so every
 * allocation starts as zeros, reused or not. */
static void clear(struct device_memory *m, uint64_t address, uint64_t bytes) {
  uint8_t *from = m->bytes + (address - DEVICE_MEMORY_BASE), *to = from + bytes;
  uint8_t *page_from = m->bytes + ((from - m->bytes + HOST_PAGE - 1) & ~(HOST_PAGE - 1L));
  uint8_t *page_to = m->bytes + ((to - m->bytes) & ~(HOST_PAGE - 1L));
  if (page_from >= page_to || madvise(page_from, (size_t)(page_to - page_from), MADV_DONTNEED) != 0) {
    memset(from, 0, bytes);
    return;
  }
  memset(from, 0, (size_t)(page_from - from));
  memset(page_to, 0, (size_t)(to - page_to));
}

int device_memory_free(struct device_memory *m, uint64_t address, struct err *e) {
  for (struct device_allocation **link = &m->first; *link; link = &(*link)->next) {
    struct device_allocation *a = *link;
    if (a->address > address) break;
    if (a->address != address) continue;
    if (m->observer.freed) m->observer.freed(m->observer.self, a->address, a->bytes);
    clear(m, address, a->bytes);
    m->allocated_bytes -= a->bytes;
    *link = a->next;
    free(a);
    return 0;
  }
  return err_set(e, ERR_VALUE, "0x%llx is no device allocation: free exactly what alloc returned, once",
                 (unsigned long long)address);
}

uint64_t device_memory_find(const struct device_memory *m, uint64_t address, uint64_t *base) {
  for (const struct device_allocation *a = m->first; a && a->address <= address; a = a->next) {
    if (address - a->address >= a->bytes) continue;
    if (base) *base = a->address;
    return a->bytes;
  }
  return 0;
}
