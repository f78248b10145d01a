/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the driver API: graphs of work, and streams whose calls are captured into one.
 *
 * A graph is a list of nodes in the order of their making; a node knows those it comes after. Streams are synchronous, so that
 * a launch of a graph executes its nodes one after another, each behind those it depends on, with the calls of the API. */
#ifndef TANDEM_CUDA_API_NODE_H
#define TANDEM_CUDA_API_NODE_H

#include "api.h"

/* The launch of a kernel: checked, its parameters copied. */
struct cuda_launch {
  CUfunction function;
  uint32_t grid[3], block[3], shared;
  bool cooperative;
  void **pointers; /* to each parameter; malloc, and holds `params` */
  uint8_t *params;
};

/* ---- api_launch.c ---- */

CUresult cuda_launch_run(struct cuda_driver *, const struct cuda_launch *, CUstream);
/* Fills `l` from what a program passes to a launch; on success the caller frees l->pointers. */
CUresult cuda_launch_prepare(struct cuda_driver *, const CUDA_KERNEL_NODE_PARAMS *, bool cooperative,
                             struct cuda_launch *l);

struct CUgraphNode_st {
  CUgraphNode next; /* in its graph */
  CUgraph graph;
  CUgraphNode origin; /* of a copy: the node it is copied from */
  CUgraphNode made;   /* while a graph is copied: the copy */
  CUgraphNodeType type;
  CUgraphNode *before; /* malloc */
  size_t n_before;
  bool rectangle; /* a copy of cuMemcpy2D */
  bool done;      /* for the search of an order */
  bool disabled;  /* of an executable graph: does nothing */
  union {
    struct cuda_launch launch;
    CUDA_MEMCPY3D copy;
    CUDA_MEMCPY2D copy2d;
    CUDA_MEMSET_NODE_PARAMS fill;
    CUDA_HOST_NODE_PARAMS host;
    CUgraph child;
    struct cuda_graph_memory *memory;
    CUevent event; /* as the program said: it may have been destroyed */
    struct {
      struct cuda_condition *condition;
      CUgraphConditionalNodeType kind;
      uint32_t n;
      CUgraph *body; /* malloc, `n` */
    } choice;
  };
};
struct CUgraph_st {
  struct cuda_object object;
  CUgraphNode first, last;
  size_t n;
  bool owned;             /* by a node or an executable graph */
  struct cuda_held *held; /* references to objects of the program (api_user_object.c) */
};
struct CUgraphExec_st {
  struct cuda_object object;
  CUgraph graph;            /* a copy, its nodes in an order of execution */
  unsigned long long flags; /* as the program said */
};

/* The references of one graph to one object of the program. */
struct cuda_held {
  struct cuda_held *next;
  CUuserObject user;
  uint64_t count;
};
/* Gives references back; the last one's end is that of the call under way. */
void cuda_user_give_back(struct cuda_driver *, CUuserObject, uint64_t count);
/* The link to what the graph holds of an object; it points to NULL: nothing. */
struct cuda_held **cuda_graph_held(CUgraph, const struct CUuserObject_st *);
/* The graph has so many references more, which are counted already; false: no memory is left. */
bool cuda_graph_hold(CUgraph, CUuserObject, uint64_t count);
/* A copy of a graph refers to what the graph does; false: no memory is left. */
bool cuda_graph_hold_all(CUgraph to, const struct CUgraph_st *from);
void cuda_graph_drop_all(struct cuda_driver *, CUgraph);

/* ---- api_capture.c ---- */

/* A node that the captured stream adds, behind all that it has added; NULL: no memory is left, or the capture is invalid. */
CUgraphNode cuda_capture_node(struct cuda_driver *, CUstream, CUgraphNodeType);

/* The same, of a node that allocates or frees memory. */
CUresult cuda_capture_memory(struct cuda_driver *, CUstream, CUgraphNodeType, struct cuda_graph_memory *);

/* ---- api_graph.c ---- */

/* The graph that has the node, if the handle is one; else NULL. */
CUgraph cuda_graph_of(const struct cuda_driver *, CUgraphNode);
/* Whether a node can fill like this: elements of 1, 2 or 4 bytes. */
bool cuda_graph_can_fill(const CUDA_MEMSET_NODE_PARAMS *);
/* Makes a node behind others of the same graph. */
CUresult cuda_graph_add(struct cuda_driver *, CUgraphNode *, CUgraph, CUgraphNodeType, const CUgraphNode *before,
                        size_t n);

/* The node of a copied graph that was copied from this one, or NULL. */
CUgraphNode cuda_graph_copy_of(CUgraph, CUgraphNode origin);
/* A copy, owned, its nodes in an order of execution. NULL: no memory is left, or the nodes depend on each other in a circle. */
CUgraph cuda_graph_copy(struct cuda_driver *, CUgraph);
/* CUDA_ERROR_NOT_SUPPORTED, with the sentence. */
CUresult cuda_graph_no_second_memory(void);

/* ---- api_node.c ---- */

/* Takes the node out of its graph. */
void cuda_node_remove(struct cuda_driver *, CUgraphNode);

bool cuda_graph_has_memory(CUgraph);
/* A launch allocates it; CUDA_ERROR_INVALID_VALUE: it is allocated. */
CUresult cuda_graph_memory_take(struct cuda_driver *, struct cuda_graph_memory *);
/* Frees what the graph's nodes have allocated. */
void cuda_graph_memory_give_all(struct cuda_driver *, CUgraph);

/* Room for the parameters of a launch, with a pointer to each; false: no memory is left. */
bool cuda_launch_room(const struct ptx_kernel *, struct cuda_launch *);
bool cuda_launch_copy(struct cuda_launch *to, const struct cuda_launch *from);

/* A node behind `before`; NULL: no memory is left. */
CUgraphNode cuda_node_new(CUgraph, CUgraphNodeType, const CUgraphNode *before, size_t n);
bool cuda_node_after(CUgraphNode, CUgraphNode before);     /* adds a dependency; false: no memory is left */
bool cuda_node_not_after(CUgraphNode, CUgraphNode before); /* removes a dependency; false: there is none */
void cuda_graph_free(struct cuda_driver *, CUgraph);
/* Frees `n` graphs and their array. */
void cuda_graphs_free(struct cuda_driver *, CUgraph *, uint32_t n);

#endif
