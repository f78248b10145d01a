/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: the objects that programs hold handles of. A handle is its object's address, and counts only while the object
 * is in a list. What was found last stands first, so that the few in use are found at once. */
#include "api.h"

#include <stdlib.h>
#include <string.h>

void *cuda_object_new(struct cuda_driver *d, enum cuda_kind kind, size_t bytes, CUcontext context) {
  struct cuda_object *o = calloc(1, bytes);
  if (!o) return NULL;
  o->next = d->objects[kind];
  o->context = context;
  d->objects[kind] = o;
  return o;
}

static struct cuda_object **find(struct cuda_driver *d, enum cuda_kind kind, const void *handle) {
  for (struct cuda_object **link = &d->objects[kind]; *link; link = &(*link)->next)
    if (*link == handle) return link;
  return NULL;
}

void *cuda_object(struct cuda_driver *d, enum cuda_kind kind, const void *handle) {
  struct cuda_object **link = handle ? find(d, kind, handle) : NULL, *o = link ? *link : NULL;
  if (!o) return NULL;
  *link = o->next;
  o->next = d->objects[kind];
  d->objects[kind] = o;
  return o;
}

void cuda_object_free(struct cuda_driver *d, enum cuda_kind kind, void *object) {
  struct cuda_object **link = find(d, kind, object);
  invariant(link, "an object that is freed is known");
  *link = (*link)->next;
  free(object);
}

/* Contexts stay: their handles are asked for later. Links hold text of their own (api_link.c). */
void cuda_objects_free(struct cuda_driver *d, CUcontext context) {
  static const enum cuda_kind kinds[] = {CUDA_STREAM, CUDA_EVENT, CUDA_LIBRARY};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    for (struct cuda_object **link = &d->objects[kinds[i]], *o; (o = *link);) {
      if (!context || o->context == context) {
        *link = o->next;
        free(o);
      } else {
        link = &o->next;
      }
    }
}

bool cuda_is_stream(struct cuda_driver *d, CUstream stream) {
  return !stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD || cuda_object(d, CUDA_STREAM, stream);
}

CUmodule *cuda_module_link(struct cuda_driver *d, CUmodule module) {
  for (CUmodule *link = &d->modules; *link; link = &(*link)->next)
    if (*link == module) return link;
  return NULL;
}
