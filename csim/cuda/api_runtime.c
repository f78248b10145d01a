/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: what kernels share with the host without a copy: the buffer of printf(), the heap of malloc(), the conditions of
 * graphs, and the memory that the CTAs of a cooperative grid meet at. All belong to the context. */
#include "api.h"

#include <stdlib.h>
#include <string.h>

enum { GRID_MEMORY_BYTES = 256 };

/* ---- printf: text waits until a call of the host that synchronises ---- */

/* assumption: a call takes as many bytes of the buffer as its text. When it is full, new text takes the place of the oldest calls. */
static void print(void *context, const char *text, size_t length) {
  struct cuda_prints *p = &((struct CUctx_st *)context)->prints;
  size_t limit = ((struct CUctx_st *)context)->limits[CU_LIMIT_PRINTF_FIFO_SIZE];
  if (length > limit) length = limit;
  while (p->length - p->first + length > limit) { /* a call's text ends with a 0 */
    p->first += strlen(p->text + p->first) + 1;
    p->lost++;
  }
  if (p->length + length + 1 > p->room) {
    memmove(p->text, p->text + p->first, p->length - p->first);
    p->length -= p->first;
    p->first = 0;
  }
  if (p->length + length + 1 > p->room) {
    size_t room = 2 * (p->length + length + 1);
    char *grown = realloc(p->text, room);
    if (!grown) return;
    p->text = grown;
    p->room = room;
  }
  memcpy(p->text + p->length, text, length);
  p->text[p->length + length] = 0;
  p->length += length + 1;
}

void cuda_flush_prints(CUcontext c) {
  struct cuda_prints *p = c ? &c->prints : NULL;
  if (!p || p->first == p->length) return;
  if (p->lost)
    fprintf(
      stderr,
      "tandem: the buffer of printf() was full: the first %llu calls are lost; make CU_LIMIT_PRINTF_FIFO_SIZE larger\n",
      (unsigned long long)p->lost);
  for (size_t at = p->first; at < p->length; at += strlen(p->text + at) + 1) fputs(p->text + at, stdout);
  fflush(stdout);
  p->first = p->length = 0;
  p->lost = 0;
}

/* ---- the heap: made when a kernel first asks for memory ---- */

static uint64_t allocate(void *context, uint64_t bytes) {
  struct CUctx_st *c = context;
  if (!c->heap.base && !c->heap_refused) {
    uint64_t size = c->limits[CU_LIMIT_MALLOC_HEAP_SIZE], base = device_memory_alloc(c->memory, size);
    c->heap_refused = !base || !device_heap_create(&c->heap, base, size);
  }
  return device_heap_allocate(&c->heap, bytes);
}

static bool release(void *context, uint64_t address) {
  return device_heap_release(&((struct CUctx_st *)context)->heap, address);
}

/* ---- conditions of graphs ---- */

static bool set_condition(void *context, uint64_t handle, uint32_t value) {
  for (struct cuda_condition *c = ((struct CUctx_st *)context)->conditions; c; c = c->next) {
    if ((uintptr_t)c != handle) continue;
    c->value = value;
    return true;
  }
  return false;
}

/* ---- all of a context ---- */

void cuda_runtime_begin(struct cuda_driver *d, CUcontext c) {
  c->memory = &d->sim->memory;
  c->runtime = (struct ptx_device_runtime){
    .context = c, .print = print, .allocate = allocate, .release = release, .set_condition = set_condition};
}

void cuda_runtime_end(CUcontext c) {
  if (c->heap.base) device_memory_free(c->memory, c->heap.base, NULL);
  if (c->grid_memory) device_memory_free(c->memory, c->grid_memory, NULL);
  device_heap_destroy(&c->heap);
  for (struct cuda_condition *next; c->conditions; c->conditions = next) {
    next = c->conditions->next;
    free(c->conditions);
  }
  free(c->prints.text);
  c->prints = (struct cuda_prints){0};
  c->grid_memory = 0;
  c->heap_refused = false;
}

/* By the convention of CUDA's cooperative groups: a word with the size, then the word of the barrier, which begins with 0. */
uint64_t cuda_grid_memory(CUcontext c) {
  if (!c->grid_memory) c->grid_memory = device_memory_alloc(c->memory, GRID_MEMORY_BYTES);
  uint32_t *words = c->grid_memory ? device_memory_at(c->memory, c->grid_memory, GRID_MEMORY_BYTES) : NULL;
  if (words) words[0] = GRID_MEMORY_BYTES;
  return c->grid_memory;
}
