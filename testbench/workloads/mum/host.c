/* SPDX-License-Identifier: Apache-2.0 */
/* mum: longest matches of reads by the suffix tree of the reference, compared with a search in its sorted suffixes. */
#include <cuda.h>

#include "atoms.h"
#include "mum_args.h"
#include "mum_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(MUM_ATOMS);

enum { WIDTH = 1024 };

/* ---- the suffix tree (Ukkonen 1995), node 0 its root ---- */

struct tree {
  const uint8_t *text;
  uint32_t n, nodes, remainder, node, edge, length, link_from;
  uint32_t (*child)[4], *start, *end, *link;
};

static uint32_t new_node(struct tree *t, uint32_t start, uint32_t end) {
  t->start[t->nodes] = start;
  t->end[t->nodes] = end;
  return t->nodes++;
}

static void add_link(struct tree *t, uint32_t node) {
  if (t->link_from) t->link[t->link_from] = node;
  t->link_from = node;
}

/* True when the suffix is in the tree already. */
static int extend_once(struct tree *t, uint32_t i) {
  uint32_t letter = t->text[t->edge], next = t->child[t->node][letter];
  if (!next) {
    t->child[t->node][letter] = new_node(t, i, t->n);
    add_link(t, t->node);
    return 0;
  }
  if (t->text[t->start[next] + t->length] == t->text[i]) {
    t->length++;
    add_link(t, t->node);
    return 1;
  }
  uint32_t split = new_node(t, t->start[next], t->start[next] + t->length);
  t->child[t->node][letter] = split;
  t->child[split][t->text[i]] = new_node(t, i, t->n);
  t->start[next] += t->length;
  t->child[split][t->text[t->start[next]]] = next;
  add_link(t, split);
  return 0;
}

static void extend(struct tree *t, uint32_t i) {
  t->link_from = 0;
  t->remainder++;
  while (t->remainder) {
    if (!t->length) t->edge = i;
    uint32_t next = t->child[t->node][t->text[t->edge]];
    uint32_t end = next ? t->end[next] < i + 1 ? t->end[next] : i + 1 : 0, size = next ? end - t->start[next] : 0;
    if (next && t->length >= size) {
      t->edge += size;
      t->length -= size;
      t->node = next;
      continue;
    }
    if (extend_once(t, i)) return;
    t->remainder--;
    if (!t->node && t->length) {
      t->length--;
      t->edge = i - t->remainder + 1;
    } else {
      t->node = t->link[t->node];
    }
  }
}

static struct tree tree_of(const struct workload *w, const uint8_t *text, uint32_t n) {
  size_t most = 2 * (size_t)n + 2;
  struct tree t = {.text = text, .n = n, .nodes = 1};
  t.child = workload_alloc(w, most * sizeof *t.child);
  t.start = workload_alloc(w, most * 4);
  t.end = workload_alloc(w, most * 4);
  t.link = workload_alloc(w, most * 4);
  for (uint32_t i = 0; i < n; i++) extend(&t, i);
  return t;
}

/* ---- textures ---- */

/* `texels` elements of `channels` words, in rows of WIDTH. */
static CUtexObject texture_of(const struct workload *w, struct xmem *atoms, unsigned atom, const void *data,
                              size_t texels, unsigned channels) {
  size_t rows = (texels + WIDTH - 1) / WIDTH, pitch = (size_t)WIDTH * channels * 4, bytes = rows * pitch;
  CUDA_RESOURCE_DESC r;
  CUDA_TEXTURE_DESC desc;
  CUtexObject texture;
  void *padded = workload_alloc(w, bytes);
  memcpy(padded, data, texels * channels * 4);
  memset(&r, 0, sizeof r);
  memset(&desc, 0, sizeof desc);
  r.resType = CU_RESOURCE_TYPE_PITCH2D;
  r.res.pitch2D.devPtr = workload_upload_atom(w, atoms, atom, padded, bytes);
  r.res.pitch2D.format = CU_AD_FORMAT_UNSIGNED_INT32;
  r.res.pitch2D.numChannels = channels;
  r.res.pitch2D.width = WIDTH;
  r.res.pitch2D.height = rows;
  r.res.pitch2D.pitchInBytes = pitch;
  desc.flags = CU_TRSF_READ_AS_INTEGER;
  desc.addressMode[0] = desc.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
  WORKLOAD_PREPARE(w, cuTexObjectCreate(&texture, &r, &desc, NULL));
  free(padded);
  return texture;
}

/* ---- the other way: sorted suffixes ---- */

static const uint8_t *sorted_text;
static uint32_t sorted_n;

static uint32_t common(const uint8_t *a, uint32_t n_a, const uint8_t *b, uint32_t n_b) {
  uint32_t i = 0;
  while (i < n_a && i < n_b && a[i] == b[i]) i++;
  return i;
}

static int in_order(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  uint32_t i = common(sorted_text + x, sorted_n - x, sorted_text + y, sorted_n - y);
  if (x + i == sorted_n || y + i == sorted_n) return x > y ? -1 : 1;
  return sorted_text[x + i] < sorted_text[y + i] ? -1 : 1;
}

/* The longest piece of `read` that begins here and is in the text. */
static uint32_t longest(const uint32_t *order, const uint8_t *read, uint32_t length) {
  uint32_t low = 0, high = sorted_n, best = 0;
  while (low < high) {
    uint32_t middle = (low + high) / 2, at = order[middle];
    uint32_t i = common(sorted_text + at, sorted_n - at, read, length);
    if (i > best) best = i;
    if (i == length) return length;
    if (at + i == sorted_n || sorted_text[at + i] < read[i]) low = middle + 1;
    else high = middle;
  }
  return best;
}

/* ---- data ---- */

/* Reads are pieces of the reference in which about one letter in `errors` is another one. */
static void make_data(const struct workload *w, uint8_t *text, uint32_t n, uint8_t *read, uint32_t reads,
                      uint32_t length) {
  uint64_t seed = (uint64_t)workload_value(w, "seed"), errors = 20;
  for (uint32_t i = 0; i < n; i++) text[i] = workload_bits(seed, 1, i) >> 62 & 3;
  for (uint32_t r = 0; r < reads; r++) {
    uint32_t from = (uint32_t)(workload_bits(seed, 2, r) % (n - length + 1));
    for (uint32_t i = 0; i < length; i++) {
      uint64_t x = workload_bits(seed, 3, (uint64_t)r * length + i);
      read[(size_t)r * length + i] = (x >> 8) % errors ? text[from + i] : x & 3;
    }
  }
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("mum", argc, argv);
  uint32_t n = (uint32_t)workload_value(&w, "letters"), reads = (uint32_t)workload_value(&w, "reads");
  uint32_t length = (uint32_t)workload_value(&w, "length");
  uint32_t shortest = (uint32_t)workload_value(&w, "shortest"), starts = length - shortest + 1;
  size_t n_read = (size_t)reads * length, n_out = (size_t)reads * starts;
  if (length > n) workload_usage(&w, "length %u exceeds the %u letters of the reference", length, n);
  if (shortest > length) workload_usage(&w, "shortest=%u exceeds length=%u", shortest, length);
  uint8_t *text = workload_alloc(&w, n + 4), *read = workload_alloc(&w, n_read), *out = workload_alloc(&w, n_out);
  make_data(&w, text, n, read, reads, length);
  struct tree t = tree_of(&w, text, n);
  uint32_t(*edges)[4] = workload_alloc(&w, (size_t)t.nodes * sizeof *edges);
  for (uint32_t i = 0; i < t.nodes; i++) {
    edges[i][0] = t.start[i];
    edges[i][1] = t.end[i] - t.start[i];
    edges[i][2] = t.link[i];
  }

  CUfunction kernel = workload_open(&w, "mum_match");
  struct xmem atoms = workload_atoms(&w);
  CUtexObject t_reference = texture_of(&w, &atoms, MUM_REFERENCE, text, (n + 3) / 4, 1);
  CUtexObject t_children = texture_of(&w, &atoms, MUM_CHILDREN, t.child, t.nodes, 4);
  CUtexObject t_edges = texture_of(&w, &atoms, MUM_EDGES, edges, t.nodes, 4);
  CUdeviceptr d_read = workload_upload_atom(&w, &atoms, MUM_READ, read, n_read);
  CUdeviceptr d_out = workload_upload_atom(&w, &atoms, MUM_OUT, NULL, n_out);
  workload_launch(&w, kernel, (reads - 1) / 64 + 1, 64,
                  (void *[]){&reads, &length, &starts, &d_read, &t_reference, &t_children, &t_edges, &d_out});
  workload_download(&w, out, d_out, n_out);

  uint32_t *order = workload_alloc(&w, (size_t)n * 4);
  for (uint32_t i = 0; i < n; i++) order[i] = i;
  sorted_text = text;
  sorted_n = n;
  qsort(order, n, 4, in_order);
  struct workload_comparison comparison = {0};
  for (size_t i = 0; i < n_out; i++) {
    uint32_t from = (uint32_t)(i % starts);
    workload_compare_whole(&comparison, i, out[i], longest(order, read + i / starts * length + from, length - from));
  }
  char sizes[96];
  snprintf(sizes, sizeof sizes, "letters=%u reads=%u length=%u shortest=%u", n, reads, length, shortest);
  workload_close(&w);
  free(text), free(read), free(out), free(order), free(edges), free(t.child), free(t.start), free(t.end), free(t.link);
  return workload_verdict(&w, sizes, &comparison);
}
