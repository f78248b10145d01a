/* SPDX-License-Identifier: Apache-2.0 */
/* A load reads, for one CTA, an interval for each step of its outer strides: threads along the smallest stride read one
 * interval, or nearly so; those along larger strides, such as the rows of a tile, read others. The intervals of all loads
 * of an array that move alike with blockIdx are united: a halo joins the rows of its tile. */
#include "ptx/affine_rows.h"

#include "base/err.h"
#include "ptx/affine_launch.h"

#include <stdlib.h>
#include <string.h>

enum { PIECES_MAX = 4096 /* of a load; strides that would make more are spanned */ };

/* An interval of bytes, without the array's base. */
struct piece {
  uint32_t array, load;
  int64_t cta[3]; /* bytes by blockIdx */
  int64_t first, end;
  uint64_t content; /* divides everything but `first` and `end` */
};

struct maker {
  struct affine_parts *parts;
  struct launch_forms forms;
  uint64_t gap;
  struct piece *piece;
  size_t n, capacity;
  struct affine_rows *out;
  uint32_t row_capacity, refused_capacity;
};

const char *affine_refusal_sentence(enum affine_refusal why) {
  static const char *const sentences[] = {[AFFINE_DEGREE] = "blockIdx or threadIdx are multiplied with one another",
                                          [AFFINE_WRAPS] = "a number of fewer than 64 bits may wrap at this launch",
                                          [AFFINE_COUNT] = "this launch does not give the loop's number of iterations",
                                          [AFFINE_LARGE] = "a number needs more than 60 bits at this launch"};
  return sentences[why];
}

static void *grow(void *data, size_t n, size_t *capacity, size_t element) {
  if (n < *capacity) return data;
  *capacity = *capacity ? 2 * *capacity : 64;
  data = realloc(data, *capacity * element);
  invariant(data, "the host has no memory for the rows of a launch");
  return data;
}

static uint64_t magnitude(int64_t v) { return v < 0 ? 0 - (uint64_t)v : (uint64_t)v; }

/* ---- intervals ---- */

struct stride {
  int64_t by;
  uint64_t steps; /* beyond the first */
};

static int compare_strides(const void *a, const void *b) {
  uint64_t x = magnitude(((const struct stride *)a)->by), y = magnitude(((const struct stride *)b)->by);
  return x < y ? -1 : x > y;
}

static uint32_t find_strides(const struct linear *x, struct stride *stride) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < x->n; i++)
    if ((i < LINEAR_CTA || i >= LINEAR_LOOP) && x->factor[i] && x->most[i])
      stride[n++] = (struct stride){x->factor[i], x->most[i]};
  qsort(stride, n, sizeof *stride, compare_strides);
  return n;
}

/* Widens the interval by all steps of a stride. */
static void span(const struct stride *s, int64_t *first, int64_t *end) {
  int64_t whole = (int64_t)((uint64_t)s->by * s->steps);
  if (whole < 0) *first += whole;
  else *end += whole;
}

/* How many strides, from the smallest, lie within an interval: the first one; those whose steps leave no more than the
 * gap; and those that would make too many intervals. */
static uint32_t spanned(const struct maker *m, const struct stride *stride, uint32_t n, uint32_t bytes) {
  int64_t first = 0, end = bytes;
  uint32_t i = 0;
  for (; i < n; i++) {
    uint64_t length = (uint64_t)(end - first), by = magnitude(stride[i].by);
    if (i && by > length && by - length > m->gap) break;
    span(&stride[i], &first, &end);
  }
  for (; i < n; i++) {
    uint64_t pieces = 1;
    for (uint32_t k = i; k < n && pieces <= PIECES_MAX; k++)
      pieces = stride[k].steps >= PIECES_MAX ? PIECES_MAX + 1 : pieces * (stride[k].steps + 1);
    if (pieces <= PIECES_MAX) break;
  }
  return i;
}

static void add_pieces(struct maker *m, struct piece p, const struct stride *stride, uint32_t n) {
  if (!n) {
    m->piece = grow(m->piece, m->n, &m->capacity, sizeof *m->piece);
    m->piece[m->n++] = p;
    return;
  }
  for (uint64_t i = 0; i <= stride[n - 1].steps; i++) {
    add_pieces(m, p, stride, n - 1);
    p.first += stride[n - 1].by;
    p.end += stride[n - 1].by;
  }
}

static void add_load(struct maker *m, uint32_t load, const struct linear *x) {
  const struct affine *a = &m->parts->public;
  struct stride stride[LINEAR_OWN];
  uint32_t n = find_strides(x, stride), bytes = a->load[load].bytes, inner = spanned(m, stride, n, bytes);
  struct piece p = {.array = a->index[a->load[load].index].array,
                    .load = load,
                    .first = x->constant,
                    .end = x->constant + bytes,
                    .content = form_content(m->parts->address[load])};
  if (!p.content) p.content = bytes;
  memcpy(p.cta, x->factor + LINEAR_CTA, sizeof p.cta);
  for (uint32_t i = 0; i < inner; i++) span(&stride[i], &p.first, &p.end);
  add_pieces(m, p, stride + inner, n - inner);
}

static void refuse(struct maker *m, uint32_t index, enum affine_refusal why) {
  size_t capacity = m->refused_capacity;
  m->out->refused = grow(m->out->refused, m->out->n_refused, &capacity, sizeof *m->out->refused);
  m->refused_capacity = (uint32_t)capacity;
  m->out->refused[m->out->n_refused++] = (struct affine_refused){index, why};
}

/* All loads of the index, or none. */
static void add_index(struct maker *m, uint32_t index) {
  const struct affine *a = &m->parts->public;
  size_t before = m->n;
  for (uint32_t i = a->index[index].first_load; i < a->n_loads; i++) {
    struct linear x;
    enum affine_refusal why;
    if (a->load[i].index != index) continue;
    if (launch_address(&m->forms, m->parts->address[i], &x, &why)) {
      add_load(m, i, &x);
      continue;
    }
    m->n = before;
    refuse(m, index, why);
    return;
  }
}

/* ---- rows ---- */

static int compare_groups(const struct piece *a, const struct piece *b) {
  if (a->array != b->array) return a->array < b->array ? -1 : 1;
  for (uint32_t i = 0; i < 3; i++)
    if (a->cta[i] != b->cta[i]) return a->cta[i] < b->cta[i] ? -1 : 1;
  return 0;
}

static int compare_pieces(const void *a, const void *b) {
  const struct piece *x = a, *y = b;
  int order = compare_groups(x, y);
  if (order) return order;
  if (x->first != y->first) return x->first < y->first ? -1 : 1;
  return x->load < y->load ? -1 : x->load > y->load;
}

/* Loads of the pieces, each once; *index is the first index. */
static uint32_t count_loads(const struct maker *m, const struct piece *p, size_t n, uint8_t *seen, uint32_t *index) {
  const struct affine *a = &m->parts->public;
  uint32_t loads = 0;
  *index = UINT32_MAX;
  for (size_t i = 0; i < n; i++) {
    loads += !seen[p[i].load];
    seen[p[i].load] = 1;
    if (a->load[p[i].load].index < *index) *index = a->load[p[i].load].index;
  }
  for (size_t i = 0; i < n; i++) seen[p[i].load] = 0;
  return loads;
}

static uint64_t base_of(const struct maker *m, uint32_t array) {
  uint64_t base;
  memcpy(&base, m->forms.launch->params + m->parts->public.array[array].offset, sizeof base);
  return base;
}

static void add_row(struct maker *m, const struct piece *p, size_t n, int64_t end, uint8_t *seen) {
  uint64_t size = form_divisor(magnitude(p->first), magnitude(end));
  for (size_t i = 0; i < n; i++) size = form_divisor(size, p[i].content);
  for (uint32_t i = 0; i < 3; i++) size = form_divisor(size, magnitude(p->cta[i]));
  while (size > UINT32_MAX) size = size % 2 ? 1 : size / 2;
  struct affine_made made = {.row = {.base = base_of(m, p->array), .typesize = (uint32_t)size}, .array = p->array};
  for (uint32_t i = 0; i < 3; i++) made.row.min_product[i] = made.row.max_product[i] = p->cta[i] / (int64_t)size;
  made.row.min_offset = p->first / (int64_t)size;
  made.row.max_offset = end / (int64_t)size;
  made.n_loads = count_loads(m, p, n, seen, &made.first_index);
  size_t capacity = m->row_capacity;
  m->out->row = grow(m->out->row, m->out->n, &capacity, sizeof *m->out->row);
  m->row_capacity = (uint32_t)capacity;
  m->out->row[m->out->n++] = made;
}

/* One row for pieces that move alike and leave no more than the gap between them. */
static void unite(struct maker *m) {
  uint8_t *seen = calloc(m->parts->public.n_loads + 1, 1);
  invariant(seen, "the host has no memory for the rows of a launch");
  if (m->n) qsort(m->piece, m->n, sizeof *m->piece, compare_pieces);
  for (size_t i = 0, k; i < m->n; i = k) {
    int64_t end = m->piece[i].end;
    for (k = i + 1; k < m->n && !compare_groups(&m->piece[i], &m->piece[k]); k++) {
      if (m->piece[k].first > end && (uint64_t)(m->piece[k].first - end) > m->gap) break;
      if (m->piece[k].end > end) end = m->piece[k].end;
    }
    add_row(m, &m->piece[i], k - i, end, seen);
  }
  free(seen);
}

/* Most loads first; else in the order of the arrays and their addresses. */
static int compare_rows(const void *a, const void *b) {
  const struct affine_made *x = a, *y = b;
  if (x->n_loads != y->n_loads) return x->n_loads > y->n_loads ? -1 : 1;
  if (x->array != y->array) return x->array < y->array ? -1 : 1;
  for (uint32_t i = 0; i < 3; i++) {
    int64_t p = x->row.min_product[i] * x->row.typesize, q = y->row.min_product[i] * y->row.typesize;
    if (p != q) return p < q ? -1 : 1;
  }
  int64_t p = x->row.min_offset * x->row.typesize, q = y->row.min_offset * y->row.typesize;
  return p < q ? -1 : p > q;
}

void affine_rows_make(const struct affine *a, const struct affine_launch *launch, const struct affine_rows_options *o,
                      struct affine_rows *out) {
  struct maker m = {.parts = (struct affine_parts *)(uintptr_t)a, .gap = o->gap, .out = out};
  *out = (struct affine_rows){0};
  invariant(launch_forms_begin(&m.forms, m.parts, launch), "the host has no memory for the rows of a launch");
  for (uint32_t i = 0; i < a->n_indexes; i++)
    if (a->index[i].class != AFFINE_NONE) add_index(&m, i);
  unite(&m);
  if (out->n) qsort(out->row, out->n, sizeof *out->row, compare_rows);
  out->n_kept = o->limit && o->limit < out->n ? o->limit : out->n;
  launch_forms_end(&m.forms);
  free(m.piece);
}

void affine_rows_free(struct affine_rows *r) {
  free(r->row);
  free(r->refused);
  *r = (struct affine_rows){0};
}
