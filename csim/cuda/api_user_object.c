/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: objects of the program that live as long as graphs refer to them. The call that gives the last reference back runs the
 * destructor itself, at its end and without the lock (CUDA does so at some later time, in a thread of its own). */
#include "api_node.h"

#include <stdlib.h>

CUDA_API CUresult cuUserObjectCreate(CUuserObject *user, void *data, CUhostFn destroy, unsigned int references,
                                     unsigned int flags) {
  CUDA_CALL(false);
  if (!user || !destroy || !references || flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  struct cuda_dead *dead = calloc(1, sizeof *dead);
  CUuserObject u = dead ? cuda_object_new(d, CUDA_USER_OBJECT, sizeof *u, NULL) : NULL;
  if (!u) {
    free(dead);
    return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  }
  *dead = (struct cuda_dead){NULL, destroy, data};
  u->dead = dead;
  u->references = references;
  *user = u;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuUserObjectRetain(CUuserObject user, unsigned int count) {
  CUDA_CALL(false);
  if (!count || !cuda_object(d, CUDA_USER_OBJECT, user)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  user->references += count;
  return cuda_leave(CUDA_SUCCESS);
}

/* References that graphs hold are not the caller's to give. */
static uint64_t held_by_graphs(const struct cuda_driver *d, const struct CUuserObject_st *user) {
  uint64_t n = 0;
  for (struct cuda_object *o = d->objects[CUDA_GRAPH]; o; o = o->next)
    for (const struct cuda_held *h = ((CUgraph)(void *)o)->held; h; h = h->next)
      if (h->user == user) n += h->count;
  return n;
}

CUDA_API CUresult cuUserObjectRelease(CUuserObject user, unsigned int count) {
  CUDA_CALL(false);
  if (!count || !cuda_object(d, CUDA_USER_OBJECT, user)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (count > user->references - held_by_graphs(d, user)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  cuda_user_give_back(d, user, count);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject user, unsigned int count, unsigned int flags) {
  CUDA_CALL(false);
  if (!cuda_object(d, CUDA_GRAPH, graph) || !cuda_object(d, CUDA_USER_OBJECT, user))
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  bool move = flags == CU_GRAPH_USER_OBJECT_MOVE;
  if (!count || flags > CU_GRAPH_USER_OBJECT_MOVE) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (move && count > user->references - held_by_graphs(d, user)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  if (!cuda_graph_hold(graph, user, count)) return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  if (!move) user->references += count;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject user, unsigned int count) {
  CUDA_CALL(false);
  if (!count || !cuda_object(d, CUDA_GRAPH, graph) || !cuda_object(d, CUDA_USER_OBJECT, user))
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  struct cuda_held **link = cuda_graph_held(graph, user), *h = *link;
  if (!h || h->count < count) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  h->count -= count;
  if (!h->count) {
    *link = h->next;
    free(h);
  }
  cuda_user_give_back(d, user, count);
  return cuda_leave(CUDA_SUCCESS);
}
