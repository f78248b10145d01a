/* SPDX-License-Identifier: Apache-2.0 */
/* Designs ("d2ma_agen SEG=128 scale=45 power=saxpy_d2ma:sm0.d2ma.agen"): a block of the manifest, parameters, the node that areas
 * are scaled to, and the run and instance whose stimulus is used for power. With power= the arrays of the block are flip-flops.
 * With flip_flops=0 a block with memories is not mapped with flip-flops in their place as well; netlists=N is in place of --seeds, for a
 * block that takes minutes to map. With counts=1 the block is elaborated only, and its figures are those of synth_counts_json. */
#include "base/err.h"
#include "base/process.h"
#include "base/text.h"
#include "block/block.h"
#include "measure/sources.h"
#include "synth/certificate.h"
#include "synth/power.h"
#include "synth/synth.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct design {
  const struct block_desc *desc;
  int32_t params[BLOCK_PARAMS_MAX];
  unsigned scale;           /* nm; 0: none */
  unsigned netlists;        /* 0: as many as the options ask for */
  bool no_flip_flops;       /* memories are not mapped as flip-flops as well */
  bool counts;              /* only what elaboration counts: bits of registers and comparators */
  const struct source *run; /* whose activity determines the power; NULL: no power */
  char instance[128];
};

static int bad(const struct source *s, const char *word, const char *mend, struct err *e) {
  return err_set(e, ERR_VALUE, "%s: design %s: \"%s\": %s", s->place, s->name, word, mend);
}

/* "RUN:INSTANCE" */
static int read_power(const struct sources *all, const struct source *s, struct design *d, char *text, struct err *e) {
  char *colon = strchr(text, ':');
  if (!colon || !colon[1] || strpbrk(colon, "'*?[")) return bad(s, text, "write power=RUN:INSTANCE", e);
  *colon = 0;
  d->run = sources_find(all, text, strlen(text));
  if (d->run && d->run->kind != SOURCE_RUN) d->run = NULL;
  snprintf(d->instance, sizeof d->instance, "%s", colon + 1);
  return d->run ? 0 : bad(s, text, "power= names a run of this file, and there is no such run", e);
}

/* "WORD=NUMBER" */
static int read_number(const struct source *s, const char *word, const char *form, unsigned *number, struct err *e) {
  int64_t value;
  if (!text_to_int64(strchr(word, '=') + 1, &value) || value < 0 || value > INT32_MAX) {
    char mend[64];
    snprintf(mend, sizeof mend, "write %s", form);
    return bad(s, word, mend, e);
  }
  *number = (unsigned)value;
  return 0;
}

static int read_word(const struct sources *all, const struct source *s, struct design *d, char *word, struct err *e) {
  if (!strncmp(word, "power=", 6)) return read_power(all, s, d, word + 6, e);
  if (!strcmp(word, "counts=1")) {
    d->counts = true;
    return 0;
  }
  if (!strcmp(word, "flip_flops=0")) {
    d->no_flip_flops = true;
    return 0;
  }
  if (!strncmp(word, "scale=", 6)) return read_number(s, word, "scale=NUMBER", &d->scale, e);
  if (!strncmp(word, "netlists=", 9)) return read_number(s, word, "netlists=NUMBER", &d->netlists, e);
  return block_set_param_text(d->desc, word, d->params, e) ? err_prefix(e, "%s: design %s", s->place, s->name) : 0;
}

static int read_design(const struct sources *all, const struct sources_options *o, const struct source *s,
                       struct design *d, struct err *e) {
  char text[512], *rest = text, *word;
  memset(d, 0, sizeof *d);
  int status = source_arguments(all, o, s, text, sizeof text, e);
  if (status) return status;
  word = strtok_r(rest, " ", &rest);
  d->desc = word ? block_find(word) : NULL;
  if (!d->desc) return bad(s, word ? word : "", "there is no such block; tandem list blocks names them", e);
  block_default_params(d->desc, d->params);
  while (!status && (word = strtok_r(rest, " ", &rest))) status = read_word(all, s, d, word, e);
  if (!status && (status = block_check_params(d->desc, d->params, e)))
    err_prefix(e, "%s: design %s", s->place, s->name);
  return status;
}

/* Repeats the run with the instance recorded, unless an earlier recording is kept; another process may be making it now. */
static int record(const struct sources *all, const struct sources_options *o, const struct design *d, char *path,
                  size_t size, struct err *e) {
  char arguments[2 * SOURCES_PATH_BYTES], tandem[SOURCES_PATH_BYTES], folder[SOURCES_PATH_BYTES + 160],
    log[SOURCES_PATH_BYTES + 168], command[4 * SOURCES_PATH_BYTES];
  int status = process_own_path(tandem, sizeof tandem, e);
  if (status) return status;
  snprintf(folder, sizeof folder, "%s/%s.%s", o->out_dir, d->run->id, d->instance);
  snprintf(log, sizeof log, "%s.log", folder);
  snprintf(path, size, "%s/stimulus.%s.csv", folder, d->instance);
  if (o->progress && access(path, R_OK)) fprintf(stderr, "run %s with %s recorded\n", d->run->name, d->instance);
  status = source_arguments(all, o, d->run, arguments, sizeof arguments, e);
  if (status) return status;
  snprintf(command, sizeof command, "'%s' run --options-only %s --once --record '%s' --out '%s'", tandem, arguments,
           d->instance, folder);
  return process_shell(command, log, "recording", e);
}

static int add_power(struct synth *synth, const struct sources *all, const struct sources_options *o,
                     const struct design *d, json_t *row, struct err *e) {
  char path[2 * SOURCES_PATH_BYTES];
  int status = record(all, o, d, path, sizeof path, e);
  if (!status) status = synth_power(synth, 0, 0, row, path, 0, e);
  if (!status) json_object_set(row, "power", json_array_get(json_object_get(row, "power"), 0));
  return status;
}

static int synthesise(const struct sources *all, const struct sources_options *o, struct source *s, struct err *e) {
  struct design d;
  struct synth *synth = NULL;
  int status = read_design(all, o, s, &d, e);
  if (status) return status;
  if (!certificate_holds(d.desc, s->stale)) s->stale[sizeof s->stale - 1] = 0;
  struct synth_options options = {.seeds = d.netlists ? d.netlists : o->seeds,
                                  .memory_bits = d.run ? INT64_MAX : SYNTH_MEMORY_BITS,
                                  .scale = d.scale,
                                  .no_flip_flops = d.no_flip_flops,
                                  .progress = o->progress};
  status = synth_open(&synth, &options, e);
  if (!status && !d.counts) status = synth_add_library(synth, SYNTH_DEFAULT_LIBERTY, e);
  if (!status) status = synth_add_block(synth, d.desc, d.params, e);
  if (!status) status = d.counts ? synth_elaborate(synth, e) : synth_run(synth, e);
  if (!status) {
    json_t *rows = d.counts ? synth_counts_json(synth) : synth_json(synth);
    s->json = json_incref(json_array_get(rows, 0));
    json_decref(rows);
    if (d.run) status = add_power(synth, all, o, &d, s->json, e);
    const char *key = json_string_value(json_object_get(s->json, "key"));
    snprintf(s->id, sizeof s->id, "%s", key ? key : "");
  }
  synth_close(synth);
  return status;
}

int sources_do_designs(struct sources *all, const struct sources_options *o, struct err *e) {
  int status = 0;
  for (unsigned i = 0; i < all->n && !status; i++)
    if (all->list[i].kind == SOURCE_DESIGN && all->list[i].needed) status = synthesise(all, o, &all->list[i], e);
  return status;
}

int design_figure(const struct source *s, const char *key, struct figure *out, struct err *e) {
  char path[EXPRESSION_NAME_BYTES], *rest = path;
  snprintf(path, sizeof path, "%s", key);
  const json_t *at = s->json;
  for (char *step; at && (step = strsep(&rest, "."));) {
    const json_t *in = at;
    at = json_object_get(in, step);
    for (char *c = step; *c && !at; c++) /* names of expressions have no '-': paths.input_output */
      if (*c == '_') *c = '-', at = json_object_get(in, step);
  }
  if (json_is_object(at) && json_object_get(at, "median")) {
    struct band b = synth_band(at);
    *out = (struct figure){b.median, b.low, b.high};
    return 0;
  }
  if (!json_is_number(at))
    return err_set(e, ERR_VALUE, "%s: design %s has no figure \"%s\"; tandem synth BLOCK --json shows what there is",
                   s->place, s->name, key);
  out->value = out->low = out->high = json_number_value(at);
  return 0;
}
