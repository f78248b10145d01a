/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a kernel CTA by CTA and compares the global bytes that it reads with the rows that the analysis made of its text
 * alone. The two share no code: the addresses are those of the executed instructions. */
#ifndef TANDEM_TEST_AFFINE_RIG_H
#define TANDEM_TEST_AFFINE_RIG_H

#include "kit/ptx_harness.h"
#include "ptx/affine_rows.h"

struct rig {
  struct harness h;
  const struct ptx_kernel *kernel;
  struct affine *analysis;
  struct affine_rows rows;
  struct affine_launch launch;
  uint32_t cta[3];
  uint64_t checked;    /* reads that lay in a row */
  uint64_t least, end; /* of what a CTA reads through indexes with rows */
  uint8_t *touched;    /* by byte of [touched_from, touched_from + touched_bytes), of one CTA; or NULL */
  uint64_t touched_from, touched_bytes;
};

static inline bool rig_has_rows(const struct rig *r, uint32_t index) {
  for (uint32_t i = 0; i < r->rows.n_refused; i++)
    if (r->rows.refused[i].index == index) return false;
  return r->analysis->index[index].class != AFFINE_NONE;
}

/* Equations (2) and (3) of the paper. */
static inline void rig_range(const struct rig *r, const struct affine_row *row, uint64_t *first, uint64_t *end) {
  int64_t least = row->min_offset, most = row->max_offset;
  for (uint32_t i = 0; i < 3; i++) {
    least += (int64_t)r->cta[i] * row->min_product[i];
    most += (int64_t)r->cta[i] * row->max_product[i];
  }
  *first = row->base + (uint64_t)(least * row->typesize);
  *end = row->base + (uint64_t)(most * row->typesize);
}

static inline bool rig_covers(const struct rig *r, uint32_t array, uint64_t address, uint32_t bytes) {
  for (uint32_t i = 0; i < r->rows.n; i++) {
    uint64_t first, end;
    if (r->rows.row[i].array != array) continue;
    rig_range(r, &r->rows.row[i].row, &first, &end);
    if (address >= first && address + bytes <= end) return true;
  }
  return false;
}

static inline void rig_access(void *self, const struct ptx_warp *w, const struct ptx_op *op,
                              const struct ptx_access *a) {
  struct rig *r = self;
  uint32_t at = (uint32_t)(op - r->kernel->ops), i = 0;
  while (i < r->analysis->n_loads && r->analysis->load[i].op != at) i++;
  if (i == r->analysis->n_loads || !rig_has_rows(r, r->analysis->load[i].index)) return;
  uint32_t array = r->analysis->index[r->analysis->load[i].index].array;
  (void)w;
  for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
    uint64_t address = a->address[lane];
    if (!(a->mask >> lane & 1) || !harness_at(&r->h, address, a->bytes)) continue;
    if (!rig_covers(r, array, address, a->bytes))
      fail_msg("%s: line %u, CTA (%u,%u,%u): the read of %u bytes at 0x%llx lies in no row", r->kernel->name, op->line,
               r->cta[0], r->cta[1], r->cta[2], a->bytes, (unsigned long long)address);
    r->checked++;
    if (address < r->least) r->least = address;
    if (address + a->bytes > r->end) r->end = address + a->bytes;
    for (uint32_t b = 0; r->touched && b < a->bytes; b++)
      if (address + b - r->touched_from < r->touched_bytes) r->touched[address + b - r->touched_from] = 1;
  }
}

static inline void rig_load(struct rig *r, const char *text) {
  memset(r, 0, sizeof *r);
  harness_open(&r->h);
  harness_load(&r->h, text, NULL);
  r->h.on_access = rig_access;
  r->h.self = r;
}

static inline void rig_launch(struct rig *r, const char *kernel, const struct affine_options *o, const uint32_t grid[3],
                              const uint32_t block[3], const void *params, const struct affine_rows_options *rows) {
  r->kernel = ptx_module_kernel(r->h.module, kernel);
  if (!r->kernel) fail_msg("no kernel %s", kernel);
  affine_rows_free(&r->rows);
  affine_free(r->analysis);
  r->analysis = affine_analyse(r->kernel, o);
  r->launch = (struct affine_launch){.params = params, .memory_bytes = 1 << 26};
  memcpy(r->launch.grid, grid, sizeof r->launch.grid);
  memcpy(r->launch.block, block, sizeof r->launch.block);
  affine_rows_make(r->analysis, &r->launch, rows, &r->rows);
}

/* Runs CTA r->cta of the launch; r->h.fault says whether a thread did something illegal. */
static inline void rig_run_cta(struct rig *r) {
  uint32_t bytes = r->kernel->shared_bytes;
  uint8_t *shared = calloc(1, bytes + 1);
  struct ptx_cta cta = {
    .kernel = r->kernel, .memory = &r->h.memory, .shared = shared, .shared_bytes = bytes, .params = r->launch.params};
  memcpy(cta.grid, r->launch.grid, sizeof cta.grid);
  memcpy(cta.block, r->launch.block, sizeof cta.block);
  memcpy(cta.index, r->cta, sizeof cta.index);
  r->least = UINT64_MAX;
  r->end = 0;
  r->h.fault[0] = 0;
  harness_cta(&r->h, &cta, (cta.block[0] * cta.block[1] * cta.block[2] + 31) / 32);
  free(shared);
}

/* All CTAs; stops at a fault. */
static inline void rig_run(struct rig *r) {
  r->checked = 0;
  for (r->cta[2] = 0; r->cta[2] < r->launch.grid[2]; r->cta[2]++)
    for (r->cta[1] = 0; r->cta[1] < r->launch.grid[1]; r->cta[1]++)
      for (r->cta[0] = 0; r->cta[0] < r->launch.grid[0]; r->cta[0]++) {
        rig_run_cta(r);
        if (r->h.fault[0]) return;
      }
}

static inline void rig_close(struct rig *r) {
  affine_rows_free(&r->rows);
  affine_free(r->analysis);
  harness_close(&r->h);
}

#endif
