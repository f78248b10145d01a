/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: a graph as text in the DOT language (https://graphviz.org/doc/info/lang.html). A node's name is its number in its graph;
 * the graphs of child and conditional nodes are clusters of their own, behind an edge without an arrow head. */
#include "api_node.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

struct dot {
  FILE *to;
  unsigned int flags, graphs; /* graphs so far: the number of the next */
};

static const char *name_of(CUgraphNodeType type) {
  switch (type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return "KERNEL";
    case CU_GRAPH_NODE_TYPE_MEMCPY: return "MEMCPY";
    case CU_GRAPH_NODE_TYPE_MEMSET: return "MEMSET";
    case CU_GRAPH_NODE_TYPE_HOST: return "HOST";
    case CU_GRAPH_NODE_TYPE_GRAPH: return "GRAPH";
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT: return "EVENT_WAIT";
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return "EVENT_RECORD";
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: return "MEM_ALLOC";
    case CU_GRAPH_NODE_TYPE_MEM_FREE: return "MEM_FREE";
    case CU_GRAPH_NODE_TYPE_CONDITIONAL: return "CONDITIONAL";
    default: return "EMPTY";
  }
}

static bool says(const struct dot *t, unsigned int flag) {
  return t->flags & (flag | CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE);
}

/* A name of PTX may hold characters that a quoted string of DOT does not hold as they are. */
static void quote(FILE *to, const char *text) {
  for (; *text; text++) fprintf(to, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
}

static void copy_label(const struct dot *t, const struct CUgraphNode_st *node) {
  if (node->rectangle) fprintf(t->to, "\\n%zu x %zu bytes", node->copy2d.WidthInBytes, node->copy2d.Height);
  else fprintf(t->to, "\\n%zu x %zu x %zu bytes", node->copy.WidthInBytes, node->copy.Height, node->copy.Depth);
}

static void label(const struct dot *t, const struct CUgraphNode_st *node) {
  const struct cuda_launch *l = &node->launch;
  fprintf(t->to, "%s", name_of(node->type));
  if (says(t, CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES)) fprintf(t->to, "\\n%p", (const void *)node);
  switch (node->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      fputs("\\n", t->to);
      quote(t->to, l->function->kernel->name);
      if (says(t, CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS))
        fprintf(t->to, "\\n<<<(%u,%u,%u),(%u,%u,%u),%u>>>", l->grid[0], l->grid[1], l->grid[2], l->block[0],
                l->block[1], l->block[2], l->shared);
      break;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      if (says(t, CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS)) copy_label(t, node);
      break;
    case CU_GRAPH_NODE_TYPE_MEMSET:
      if (says(t, CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS))
        fprintf(t->to, "\\n%#llx: %zu x %zu elements of %u bytes, %#x", (unsigned long long)node->fill.dst,
                node->fill.width, node->fill.height, node->fill.elementSize, node->fill.value);
      break;
    case CU_GRAPH_NODE_TYPE_HOST:
      if (says(t, CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS))
        fprintf(t->to, "\\nfunction %#" PRIxPTR ", data %p", (uintptr_t)node->host.fn, node->host.userData);
      break;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      if (says(t, CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS)) fprintf(t->to, "\\nevent %p", (const void *)node->event);
      break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      if (says(t, CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS | CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS))
        fprintf(t->to, "\\n%#llx, %zu bytes", (unsigned long long)node->memory->address, node->memory->bytes);
      break;
    default: break;
  }
}

static size_t number_of(CUgraph graph, const struct CUgraphNode_st *node) {
  size_t i = 0;
  for (CUgraphNode own = graph->first; own && own != node; own = own->next) i++;
  return i;
}

static void print(struct dot *t, CUgraph graph);

/* The graph inside of a node, and the edge to it. */
static void print_inner(struct dot *t, unsigned int outer, size_t node, CUgraph graph) {
  unsigned int inner = t->graphs;
  print(t, graph);
  if (graph->first)
    fprintf(t->to, "\"graph_%u_node_%zu\" -> \"graph_%u_node_0\" [style=dashed, arrowhead=none];\n", outer, node,
            inner);
}

static void print(struct dot *t, CUgraph graph) {
  unsigned int id = t->graphs++;
  size_t i = 0;
  fprintf(t->to, "subgraph cluster_%u {\nlabel=\"graph_%u\";\n", id, id);
  for (CUgraphNode node = graph->first; node; node = node->next, i++) {
    fprintf(t->to, "\"graph_%u_node_%zu\" [shape=%s, label=\"%zu\\n", id, i,
            node->type == CU_GRAPH_NODE_TYPE_KERNEL ? "octagon" : "box", i);
    label(t, node);
    fputs("\"];\n", t->to);
  }
  i = 0;
  for (CUgraphNode node = graph->first; node; node = node->next, i++)
    for (size_t k = 0; k < node->n_before; k++)
      fprintf(t->to, "\"graph_%u_node_%zu\" -> \"graph_%u_node_%zu\";\n", id, number_of(graph, node->before[k]), id, i);
  fputs("}\n", t->to);
  i = 0;
  for (CUgraphNode node = graph->first; node; node = node->next, i++) {
    if (node->type == CU_GRAPH_NODE_TYPE_GRAPH) print_inner(t, id, i, node->child);
    if (node->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
      for (uint32_t k = 0; k < node->choice.n; k++) print_inner(t, id, i, node->choice.body[k]);
  }
}

CUDA_API CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned int flags) {
  CUDA_CALL(false);
  if (!cuda_object(d, CUDA_GRAPH, graph) || !path || flags >= CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS << 1)
    return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  struct dot t = {fopen(path, "w"), flags, 0};
  if (!t.to) {
    struct err e = {0};
    err_set(&e, ERR_FILE, "cuGraphDebugDotPrint: cannot write '%s': %s", path, strerror(errno));
    return cuda_leave(cuda_complain(CUDA_ERROR_OPERATING_SYSTEM, &e));
  }
  fputs("digraph dot {\n", t.to);
  print(&t, graph);
  fputs("}\n", t.to);
  bool good = !ferror(t.to);
  good = !fclose(t.to) && good;
  return cuda_leave(good ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM);
}
