/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of 4 KB: which page frame of device memory holds which page of its addresses (mmu.frames). An address without a page
 * (local memory, or memory that was never allocated) is its own physical address. A page gets its frame when memory is allocated
 * and gives it back when the memory is freed; device_memory (device/device_memory.h) reports both, whoever allocates.
 *
 * assumption: allocations that share a page share its frame, which is chosen for the first of them and stays until the last of them
 * is freed. An allocation with a label shares no page. The allocator knows the label before it chooses pages
 * (Vijaykumar 2019, 2.2.2); page_table_set_labels says what labels mean. */
#ifndef TANDEM_MEM_PAGE_TABLE_H
#define TANDEM_MEM_PAGE_TABLE_H

#include "device/device_memory.h"
#include "mem/placement.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct address_map;
struct err;
struct gpu_config;

enum { PAGE_BITS = 12, PAGE_BYTES = 1 << PAGE_BITS };

/* Who is told that a frame is no longer used (a label address map forgets it). */
struct frame_listener {
  void (*freed)(void *self, uint64_t physical); /* of its first byte */
  void *self;
};

struct page_table_rest;
struct page_table {
  uint64_t translated; /* pages whose frame may be another one; 0: none (mmu.frames = identity) */
  uint64_t pages;
  uint32_t *frame; /* of each page, + 1; 0: none */
  struct page_table_rest *rest;
};

/* NULL: *e says why. ERR_VALUE: mmu.frames = placed, but the address map puts a page into several banks. */
struct page_table *page_table_create(const struct gpu_config *, const struct address_map *, struct err *);
void page_table_destroy(struct page_table *);

/* On the path of every request: inline. */
static inline uint64_t page_table_physical(const struct page_table *t, uint64_t address) {
  uint64_t page = (address - DEVICE_MEMORY_BASE) >> PAGE_BITS;
  if (page >= t->translated || !t->frame[page]) return address;
  return DEVICE_MEMORY_BASE + ((uint64_t)(t->frame[page] - 1) << PAGE_BITS | (address & (PAGE_BYTES - 1)));
}

/* The physical address, as the MMU answers an AMU. False: a fault, the page has no frame. */
bool page_table_walk(const struct page_table *, uint64_t address, uint64_t *physical);

/* Gives frames to the pages of [address, address + bytes) that have none. False: not enough frames; nothing has changed. */
bool page_table_allocate(struct page_table *, uint64_t address, uint64_t bytes, uint32_t label);
/* Takes the address and bytes of an earlier page_table_allocate. */
void page_table_free(struct page_table *, uint64_t address, uint64_t bytes);
/* With mmu.frames = placed, sets the labels in use. They decide where later pages go; no page moves. n <= PLACEMENT_LABELS. The pages
 * of a label with columns of its own take the next frame of each of these columns in turn; all other pages take any frame of the
 * columns that are left. When those have no free frame, a page takes any other. Without labels, and under the other policies,
 * this does nothing. */
void page_table_set_labels(struct page_table *, const struct placement_label *, uint32_t n);
const struct placement *page_table_placement(const struct page_table *); /* as set last */
/* With mmu.frames = placed: the bank column of a frame, for reports; bank column c is bank c / groups of group c % groups
 * (dram.bank_groups), so that neighbours lie in different groups. Else 0. */
uint32_t page_table_column(const struct page_table *, uint64_t physical);
void page_table_listen(struct page_table *, const struct frame_listener *); /* copied; NULL: nobody */
/* Calls page_table_allocate and page_table_free for a device memory. */
struct device_memory_observer page_table_observer(struct page_table *);

#endif
