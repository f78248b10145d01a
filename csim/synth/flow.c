/* SPDX-License-Identifier: Apache-2.0 */
#include "synth/synth.h"

#include "base/err.h"
#include "base/place.h"
#include "base/process.h"
#include "base/text.h"
#include "synth/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int synth_open(struct synth **out, const struct synth_options *options, struct err *e) {
  struct synth *s = calloc(1, sizeof *s);
  *out = s;
  if (!s) return err_set(e, ERR_LIMIT, "out of memory");
  s->options = *options;
  if (options->seeds < 1 || options->seeds > SYNTH_SEEDS_MAX)
    return err_set(e, ERR_USAGE, "%u netlists: outside 1..%d", options->seeds, SYNTH_SEEDS_MAX);
  snprintf(s->source, sizeof s->source, "%s", place_data());
  snprintf(s->cache, sizeof s->cache, "%.900s/synth", place_cache());
  return process_make_folders(s->cache, "set TANDEM_CACHE to a writable folder", e);
}

static void free_set(struct synth_set *set) {
  for (unsigned k = 0; set->netlists && k < set->n; k++) json_decref(set->netlists[k].facts);
  free(set->netlists);
}

void synth_close(struct synth *s) {
  if (!s) return;
  synth_work_close(s);
  for (unsigned i = 0; i < s->n_sets; i++) free_set(&s->sets[i]);
  for (unsigned i = 0; i < s->n_designs; i++) free(s->designs[i].files);
  for (unsigned i = 0; i < s->n_extra; i++) free_set(&s->extra[i]);
  for (unsigned i = 0; i < s->n_libs; i++) liberty_free(&s->libs[i]);
  free(s->sets);
  free(s->extra);
  free(s);
}

int synth_add_library(struct synth *s, const char *path, struct err *e) {
  if (s->n_libs == SYNTH_LIBRARIES_MAX) return err_set(e, ERR_LIMIT, "more than %d libraries", SYNTH_LIBRARIES_MAX);
  return liberty_read(&s->libs[s->n_libs++], path, s->cache, e);
}

static int new_design(struct synth *s, struct synth_design **d, struct err *e) {
  if (s->n_designs == SYNTH_DESIGNS_MAX) return err_set(e, ERR_LIMIT, "more than %d designs", SYNTH_DESIGNS_MAX);
  *d = &s->designs[s->n_designs++];
  return 0;
}

int synth_add_block(struct synth *s, const struct block_desc *desc, const int32_t *params, struct err *e) {
  struct synth_design *d;
  int status = new_design(s, &d, e);
  if (status) return status;
  snprintf(d->name, sizeof d->name, "%s", desc->name);
  d->desc = desc;
  d->n_params = desc->n_params;
  for (unsigned i = 0; i < desc->n_params; i++) {
    snprintf(d->params[i].name, sizeof d->params[i].name, "%s", desc->params[i].name);
    d->params[i].value = params[i];
  }
  return synth_design_files(s, d, NULL, e);
}

int synth_add_file(struct synth *s, const char *file, const char *top, const struct synth_param *params,
                   unsigned n_params, struct err *e) {
  struct synth_design *d;
  int status = new_design(s, &d, e);
  if (status) return status;
  if (n_params > BLOCK_PARAMS_MAX) return err_set(e, ERR_LIMIT, "more than %d parameters", BLOCK_PARAMS_MAX);
  snprintf(d->name, sizeof d->name, "%s", top);
  d->n_params = n_params;
  for (unsigned i = 0; i < n_params; i++) d->params[i] = params[i];
  return synth_design_files(s, d, file, e);
}

static unsigned memory_bits(const struct synth *s, const struct synth_design *d) {
  unsigned bits = 0;
  for (unsigned i = 0; i < d->n_memories; i++)
    if (synth_is_memory(s, &d->memories[i])) bits += d->memories[i].rows * d->memories[i].width;
  return bits;
}

/* Makes a set of netlists for each design and library; of a design with memories also the netlist with flip-flops instead. */
static int plan_sets(struct synth *s, struct err *e) {
  size_t n = (size_t)s->n_designs * s->n_libs;
  s->sets = calloc(n + 1, sizeof *s->sets);
  s->extra = calloc(n + 1, sizeof *s->extra);
  if (!s->sets || !s->extra) return err_set(e, ERR_LIMIT, "out of memory");
  for (unsigned i = 0; i < s->n_designs; i++)
    for (unsigned k = 0; k < s->n_libs; k++) {
      const struct synth_design *d = &s->designs[i];
      struct synth_set *set = &s->sets[s->n_sets++];
      *set =
        (struct synth_set){.design = d, .lib = &s->libs[k], .n = s->options.seeds, .cut = synth_has_memories(s, d)};
      if (!set->cut || s->options.no_flip_flops || memory_bits(s, d) > SYNTH_FLIP_FLOPS_MAX) continue;
      set->flip_flops = &s->extra[s->n_extra++];
      *set->flip_flops = (struct synth_set){.design = d, .lib = &s->libs[k], .n = 1};
    }
  return 0;
}

int synth_elaborate(struct synth *s, struct err *e) {
  int status = synth_tools_find(s, e);
  if (!status) status = synth_work_open(s, e);
  for (unsigned i = 0; i < s->n_designs && !status; i++) status = synth_design_elaborate(s, &s->designs[i], e);
  synth_work_close(s);
  for (unsigned i = 0; i < s->n_designs && !status; i++) status = synth_check_counts(&s->designs[i], e);
  return status;
}

int synth_run(struct synth *s, struct err *e) {
  int status = synth_tools_find(s, e);
  if (!status) status = synth_work_open(s, e);
  for (unsigned i = 0; i < s->n_designs && !status; i++) status = synth_design_elaborate(s, &s->designs[i], e);
  if (!status) status = plan_sets(s, e);
  if (!status) status = synth_sets_run(s, e);
  synth_work_close(s);
  if (!status) status = synth_check(s, e);
  return status;
}
