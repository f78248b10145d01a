/* SPDX-License-Identifier: Apache-2.0 */
#include "blocktest/drive_run.h"

#include "base/out_file.h"
#include "block/own.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

struct printer {
  const struct stimulus *s;
  FILE *f;
  size_t hidden; /* reset rows before the file's first */
};

/* Values as CSV; "-" for an output that does not count in this cycle. */
static void print_fields(FILE *f, const struct block_desc *desc, const struct block_field *fields, uint32_t n,
                         const int32_t *params, const uint8_t *values) {
  for (uint32_t i = 0; i < n; i++) {
    if (fields == desc->out && !block_output_counts(desc, &fields[i], values)) {
      fprintf(f, ",-");
      continue;
    }
    char text[STIMULUS_TEXT];
    stimulus_print_value(values + fields[i].offset, fields[i].width(params), text, sizeof text);
    fprintf(f, ",%s", text);
  }
}

static bool print_row(void *self, size_t i, const struct stimulus_row *row, const struct block *b) {
  const struct printer *p = self;
  const struct block_desc *desc = p->s->desc;
  if (i < p->hidden) return true;
  fprintf(p->f, "%" PRIu64 ",%d", row->cycle, (int)row->rst_n);
  print_fields(p->f, desc, desc->in, desc->n_in, p->s->params, row->in);
  print_fields(p->f, desc, desc->out, desc->n_out, p->s->params, b->out);
  fputc('\n', p->f);
  return true;
}

int drive_run(const struct stimulus *s, enum block_engine engine, FILE *out, struct divergence *first, bool *diverged,
              struct err *e) {
  struct stimulus longer;
  struct printer p = {.s = s, .f = out, .hidden = s->has_rst_n || s->desc->no_reset ? 0 : STIMULUS_RESET_ROWS};
  fprintf(out, "cycle,rst_n");
  for (uint32_t i = 0; i < s->desc->n_in; i++) fprintf(out, ",%s", s->desc->in[i].name);
  for (uint32_t i = 0; i < s->desc->n_out; i++) fprintf(out, ",%s", s->desc->out[i].name);
  fputc('\n', out);
  struct replay r = {.engine = engine, .state_every = 1, .row = print_row, .self = &p};
  if (s->has_rst_n || s->desc->no_reset) return replay_run(&r, s, first, diverged, e);
  int status = stimulus_with_reset(s, &longer, e);
  if (!status) status = replay_run(&r, &longer, first, diverged, e);
  if (first && *diverged) first->path = s->desc->name;
  stimulus_free(&longer);
  return status;
}

/* ---- vectors ---- */

static void print_hex(FILE *f, const uint8_t *bytes, uint32_t n) {
  for (uint32_t i = n; i-- > 0;) fprintf(f, "%02x", bytes[i]);
}

static bool print_vector(void *self, size_t i, const struct stimulus_row *row, const struct block *b) {
  const struct printer *p = self;
  (void)i;
  fprintf(p->f, "%016" PRIx64 "%08x", replay_state_digest(b), (unsigned)row->rst_n);
  print_hex(p->f, row->in, p->s->desc->in_bytes);
  print_hex(p->f, b->out, p->s->desc->out_bytes);
  fputc('\n', p->f);
  return true;
}

int drive_vectors(const struct stimulus *s, const char *path, struct err *e) {
  struct out_file o;
  int status = out_file_open(&o, path, e);
  if (status) return status;
  struct printer p = {.s = s, .f = o.f};
  struct replay r = {.engine = ENGINE_C, .row = print_vector, .self = &p};
  bool diverged;
  status = replay_run(&r, s, NULL, &diverged, e);
  if (status) out_file_abandon(&o);
  return status ? status : out_file_commit(&o, e);
}

/* ---- planted bugs ---- */

int planted_bug_find(const struct block_desc *desc, const char *name, uint32_t *bug, char *rtl, size_t size,
                     struct err *e) {
  if (desc->own) snprintf(rtl, size, "%s", desc->own->bug_arguments);
  else snprintf(rtl, size, "%s/%s_bugs.v", rtl_paths_default().generated, desc->name);
  for (uint32_t i = 0; i < desc->n_bugs; i++) {
    if (strcmp(desc->bugs[i].name, name)) continue;
    *bug = i + 1;
    if (desc->own && *desc->own->bug_problem) return err_set(e, ERR_VALUE, "%s", desc->own->bug_problem);
    if (access(rtl, R_OK)) return err_set(e, ERR_FILE, "%s is missing; build the project again", rtl);
    return 0;
  }
  return err_set(e, ERR_VALUE, "the block %s has no planted bug '%s'; see mutants: in %s", desc->name, name,
                 desc->own ? desc->own->manifest : "configs/blocks.yaml");
}
