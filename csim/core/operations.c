/* SPDX-License-Identifier: Apache-2.0 */
#include "core/operations.h"

#include "core/sm_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* As it is kept: the SM notes many more than anyone reads. */
struct noted {
  uint64_t cycle;
  uint32_t pc, cta[3];
  uint16_t warp;
  uint8_t hardware, lanes;
};

struct sm_operations {
  uint64_t n, launch; /* operations so far; those before this launch */
  uint32_t mask;      /* slots of the ring, a power of two, less 1 */
  struct noted ring[];
};

enum { NOTES_AHEAD = 4 }; /* whose memory is asked for when one is written: the ring is larger than the host's caches */

int sm_record_operations(struct sm *sm, uint32_t kept, struct err *e) {
  uint32_t slots = SM_OPERATIONS_SHOWN;
  while (slots < kept) slots *= 2;
  sm->operations = calloc(1, sizeof *sm->operations + slots * sizeof *sm->operations->ring);
  if (sm->operations) sm->operations->mask = slots - 1;
  return sm->operations ? 0 : err_set(e, ERR_LIMIT, "%s: the host has no memory left for its operations", sm->path);
}

void sm_operations_launch(struct sm *sm) { sm->operations->launch = sm->operations->n; }

void sm_operations_note(struct sm *sm, uint32_t w, uint32_t mask) {
  struct sm_operations *o = sm->operations;
  const struct sm_warp *warp = sm->warp[w];
  struct noted *to = &o->ring[o->n++ & o->mask];
  __builtin_prefetch(to + NOTES_AHEAD, 1);
  to->cycle = *sm->now;
  to->pc = (uint32_t)(warp->op - sm->kernel_ops);
  to->warp = (uint16_t)warp->f.index;
  to->hardware = (uint8_t)w;
  to->lanes = mask == UINT32_MAX ? WARP_LANES : (uint8_t)__builtin_popcount(mask);
  memcpy(to->cta, sm->cta[warp->cta].f.index, sizeof to->cta);
}

uint32_t sm_operations(const struct sm *sm, uint64_t cycle, struct sm_operation *out, uint32_t max) {
  const struct sm_operations *o = sm->operations;
  uint32_t found = 0;
  if (!o) return 0;
  uint64_t oldest = o->n > o->mask ? o->n - o->mask - 1 : 0;
  if (oldest < o->launch) oldest = o->launch;
  for (uint64_t i = o->n; i-- > oldest && found < max;) {
    const struct noted *from = &o->ring[i & o->mask];
    if (from->cycle > cycle) continue;
    out[found] = (struct sm_operation){.number = i + 1,
                                       .cycle = from->cycle,
                                       .pc = from->pc,
                                       .warp = from->warp,
                                       .hardware = from->hardware,
                                       .lanes = from->lanes};
    memcpy(out[found++].cta, from->cta, sizeof from->cta);
  }
  return found;
}

/* A call of an extension function: clang writes its name on a line of its own. */
static const char *extension_text(const struct ptx_kernel *k, uint32_t pc) {
  const char *text = ptx_op_text(k, pc);
  bool alone = !strcmp(text, "call.uni ") || !strcmp(text, "call.uni");
  return alone ? ptx_module_line(k->module, k->ops[pc].line + 1) : text;
}

void sm_operation_print(const struct sm *sm, const struct sm_operation *o, FILE *f) {
  const struct ptx_kernel *k = sm->launch.kernel;
  const char *text = ptx_op_text(k, o->pc), *file = ptx_module_file(k->module), *base = strrchr(file, '/');
  fprintf(f, "%s#%" PRIu64 "  cycle %" PRIu64 "  warp %u of CTA (%u,%u,%u)  %s:%u  ", sm->path, o->number, o->cycle,
          o->warp, o->cta[0], o->cta[1], o->cta[2], base ? base + 1 : file, k->ops[o->pc].line);
  bool extension = k->ops[o->pc].class == PTX_EXTENSION;
  if (extension) text = extension_text(k, o->pc);
  fprintf(f, "%.*s\n", (int)strcspn(text, extension ? ",(;" : "\n"), text);
}
