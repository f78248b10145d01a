/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a launch, made from the kernel's PTX (Lashgar et al. 2018, section 2). The paper's analyser prints calls that are typed
 * into the program; here the driver makes the same rows at the launch, when parameters and sizes are known. */
#include "systems/teleport/driver.h"

#include "ptx/affine_rows.h"

#include <stdlib.h>

struct analysed {
  const struct ptx_kernel *kernel;
  struct affine *affine;
  bool named; /* what did not fit was named */
};

static struct {
  struct analysed *kernel;
  uint32_t n, size;
} cache;

static struct analysed *analysis_of(const struct ptx_kernel *k, bool loops) {
  for (uint32_t i = 0; i < cache.n; i++)
    if (cache.kernel[i].kernel == k) return &cache.kernel[i];
  if (cache.n == cache.size) {
    cache.size = cache.size ? 2 * cache.size : 16;
    cache.kernel = realloc(cache.kernel, cache.size * sizeof *cache.kernel);
    invariant(cache.kernel, "the host has no memory left for the analysis of kernels");
  }
  struct affine_options options = {.promote = loops};
  cache.kernel[cache.n] = (struct analysed){.kernel = k, .affine = affine_analyse(k, &options)};
  return &cache.kernel[cache.n++];
}

void teleport_forget_kernels(const struct ptx_module *m) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < cache.n; i++) {
    if (m && cache.kernel[i].kernel->module != m) cache.kernel[n++] = cache.kernel[i];
    else affine_free(cache.kernel[i].affine);
  }
  cache.n = n;
}

/* How many rows were left out, and the first of them by the line of PTX that reads it first. */
struct left_out {
  uint32_t full, misfit, first;
};

static void leave_out(struct left_out *l, uint32_t *count, const struct affine *a, const struct affine_made *made) {
  if (!l->full && !l->misfit) {
    uint32_t load = a->index[made->first_index].first_load;
    l->first = a->kernel->ops[a->load[load].op].line;
  }
  ++*count;
}

static void name_left_out(struct analysed *a, const struct left_out *l, uint32_t kept, uint32_t limit) {
  if (a->named || (!l->full && !l->misfit)) return;
  a->named = true;
  fprintf(
    stderr,
    "tandem: teleport: kernel '%s': %u rows kept, %u left out because teleport.rows = %u are taken, %u because a number does "
    "not fit; the first is of the read in PTX line %u (shown once a kernel; tandem analyse --rows lists all)\n",
    a->kernel->name, kept, l->full, limit, l->misfit, l->first);
}

uint32_t teleport_rows_of(const struct driver_launch *l, const struct driver_services *s, uint32_t limit,
                          struct teleport_row *rows) {
  struct teleport_controller *c = s->dispatch;
  struct analysed *a = analysis_of(l->kernel, c->p->loops != 0);
  struct affine_launch launch = {.params = l->params, .memory_bytes = (uint64_t)s->config->memory_mib << 20};
  for (int k = 0; k < 3; k++) launch.grid[k] = l->grid[k], launch.block[k] = l->block[k];
  struct affine_rows_options options = {.gap = c->p->tiles == TELEPORT_TILES_SPAN ? UINT64_MAX : 0};
  struct affine_rows made;
  struct left_out left = {0};
  uint32_t n = 0;
  uint64_t lines = 0;
  affine_rows_make(a->affine, &launch, &options, &made);
  for (uint32_t i = 0; i < made.n; i++) {
    struct teleport_row r;
    bool fits = teleport_row_from(&made.row[i].row, &r);
    if (fits && c->p->end == TELEPORT_END_INCLUSIVE) fits = teleport_row_extend(&r);
    uint64_t more = fits ? teleport_row_lines(&r, l->grid) : UINT64_MAX;
    fits = more <= TELEPORT_LINES_MAX - lines && r.typesize <= UINT16_MAX;
    if (!fits) leave_out(&left, &left.misfit, a->affine, &made.row[i]);
    else if (n == limit) leave_out(&left, &left.full, a->affine, &made.row[i]);
    if (!fits || n == limit) continue;
    lines += more;
    rows[n++] = r;
  }
  affine_rows_free(&made);
  c->n->teleport_rows_full += left.full;
  c->n->teleport_rows_misfit += left.misfit;
  name_left_out(a, &left, n, limit);
  return n;
}
