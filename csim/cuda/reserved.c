/* SPDX-License-Identifier: Apache-2.0 */
#include "reserved.h"

struct cuda_physical *cuda_mapped_at(struct cuda_driver *d, uint64_t address) {
  for (struct cuda_object *o = d->objects[CUDA_PHYSICAL]; o; o = o->next) {
    struct cuda_physical *p = (struct cuda_physical *)o;
    if (p->at && address - p->at < p->bytes) return p;
  }
  return NULL;
}

bool cuda_is_accessible(struct cuda_driver *d, uint64_t address, size_t bytes) {
  bool reserved = false;
  for (struct cuda_object *o = d->objects[CUDA_RANGE]; o && !reserved; o = o->next) {
    struct cuda_allocation *a = ((struct cuda_range *)o)->allocation;
    reserved = address - a->start < a->bytes;
  }
  if (!reserved) return true;
  for (uint64_t end = address + bytes; address < end;) {
    struct cuda_physical *p = cuda_mapped_at(d, address);
    if (!p || !p->accessible) return false;
    address = p->at + p->bytes;
  }
  return true;
}
