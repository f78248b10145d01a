/* SPDX-License-Identifier: Apache-2.0 */
#include "blocktest/profile_file.h"

#include "base/out_file.h"
#include "base/text.h"
#include "base/yaml_tree.h"
#include "stimulus.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

enum { TEXT_BYTES = 600, CYCLES_MAX = 1000000000 };

/* ---- writing ---- */

static void print_chance(FILE *f, uint32_t chance) {
  char text[20];
  int n = snprintf(text, sizeof text, chance % PROFILE_ALWAYS ? "0.%06u" : "%u",
                   chance % PROFILE_ALWAYS ? chance : chance / PROFILE_ALWAYS);
  while (chance % PROFILE_ALWAYS && text[n - 1] == '0') text[--n] = 0;
  fputs(text, f);
}

static void print_input(FILE *f, const struct profile *p, const struct block_field *field,
                        const struct profile_input *i) {
  char text[TEXT_BYTES];
  if (i->kind == PROFILE_RATE) {
    fprintf(f, "{rises: "), print_chance(f, i->rises);
    fprintf(f, ", falls: "), print_chance(f, i->falls);
  } else {
    fprintf(f, "{change: "), print_chance(f, i->change);
  }
  if (i->kind == PROFILE_RANDOM) fprintf(f, ", random: true");
  if (i->kind == PROFILE_VALUES) {
    fprintf(f, ", values: {");
    for (uint32_t k = 0; k < i->n; k++) {
      stimulus_print_value(i->value[k].bytes, field->width(p->params), text, sizeof text);
      fprintf(f, "%s%s: %u", k ? ", " : "", text, i->value[k].weight);
    }
    fprintf(f, "}, others: %u", i->others);
  }
  fputc('}', f);
}

void profile_print_phase(const struct profile *p, const struct profile_phase *phase, FILE *f) {
  unsigned n = 0;
  fprintf(f, "%u cycles, seed %" PRIu64, phase->cycles, phase->seed);
  for (uint32_t k = 0; k < p->desc->n_in; k++) {
    if (phase->input[k].kind == PROFILE_DRIVER) continue;
    fprintf(f, "%s%s ", n++ ? ", " : "; ", p->desc->in[k].name);
    print_input(f, p, &p->desc->in[k], &phase->input[k]);
  }
}

static void print_phase(FILE *f, const struct profile *p, const struct profile_phase *phase) {
  char name[PROFILE_NAME_BYTES];
  unsigned n = 0;
  snprintf(name, sizeof name, "%s", phase->name);
  for (char *c = name; *c; c++)
    if (*c == '"' || *c == '\\' || !isprint((unsigned char)*c)) *c = '\'';
  fprintf(f, "  - name: \"%s\"\n    seed: %" PRIu64 "\n    cycles: %u\n", name, phase->seed, phase->cycles);
  for (uint32_t k = 0; k < p->desc->n_in; k++) {
    if (phase->input[k].kind == PROFILE_DRIVER) continue;
    fprintf(f, "%s      %s: ", n++ ? "" : "    inputs:\n", p->desc->in[k].name);
    print_input(f, p, &p->desc->in[k], &phase->input[k]);
    fputc('\n', f);
  }
}

int profile_write(const struct profile *p, const char *path, struct err *e) {
  struct out_file o;
  int status = out_file_open(&o, path, e);
  if (status) return status;
  fprintf(
    o.f,
    "# A profile of stimulus (docs/coverage.md). Inputs that a phase does not name are those of the block's own stimulus.\n");
  fprintf(o.f, "block: %s\nparams: {", p->desc->name);
  for (uint32_t i = 0; i < p->desc->n_params; i++)
    fprintf(o.f, "%s%s: %d", i ? ", " : "", p->desc->params[i].name, p->params[i]);
  fprintf(o.f, "}\nphases:\n");
  for (unsigned i = 0; i < p->n; i++) print_phase(o.f, p, &p->phase[i]);
  return out_file_commit(&o, e);
}

/* ---- reading ---- */

struct reader {
  struct profile *p;
  struct yaml_tree *tree;
};

/* Of the value of `key`, which may be absent. */
static int read_number(const struct reader *r, yaml_at map, const char *key, uint64_t least, uint64_t most,
                       uint64_t *out, struct err *e) {
  char place[YAML_PLACE_BYTES];
  int64_t n;
  yaml_at at = yaml_get(r->tree, map, key);
  const char *text = yaml_text(at);
  if (!at) return 0;
  if (!text || !text_to_int64(text, &n) || n < 0 || (uint64_t)n < least || (uint64_t)n > most)
    return err_set(e, ERR_VALUE, "%s: %s: '%s' is no whole number in %" PRIu64 "..%" PRIu64,
                   yaml_place(r->tree, at, place), key, text ? text : "a list", least, most);
  *out = (uint64_t)n;
  return 0;
}

/* "0", "1", "0.25": at most six digits behind the point. */
static bool parse_chance(const char *text, uint32_t *out) {
  uint32_t value = 0, digit = PROFILE_ALWAYS;
  if ((text[0] != '0' && text[0] != '1') || (text[1] && text[1] != '.')) return false;
  value = text[0] == '1' ? PROFILE_ALWAYS : 0;
  for (const char *c = text[1] ? text + 2 : text + 1; *c; c++) {
    if (*c < '0' || *c > '9' || digit == 1) return false;
    digit /= 10;
    value += digit * (uint32_t)(*c - '0');
  }
  *out = value;
  return value <= PROFILE_ALWAYS;
}

static int read_chance(const struct reader *r, yaml_at map, const char *key, uint32_t *out, struct err *e) {
  char place[YAML_PLACE_BYTES];
  yaml_at at = yaml_get(r->tree, map, key);
  const char *text = yaml_text(at);
  if (text && parse_chance(text, out)) return 0;
  return err_set(e, ERR_VALUE, "%s: %s: '%s' is no chance from 0 to 1 with at most six digits behind the point",
                 yaml_place(r->tree, at ? at : map, place), key, text ? text : "");
}

static int read_values(const struct reader *r, yaml_at map, const struct block_field *f, struct profile_input *i,
                       struct err *e) {
  char place[YAML_PLACE_BYTES];
  uint64_t others = 0;
  uint32_t width = f->width(r->p->params);
  yaml_at values = yaml_get(r->tree, map, "values");
  int status = read_number(r, map, "others", 0, UINT32_MAX, &others, e);
  i->others = (uint32_t)others;
  for (size_t k = 0; k < yaml_size(r->tree, values) && !status; k++) {
    const char *text;
    uint64_t weight = 0;
    yaml_at at = yaml_entry(r->tree, values, k, &text);
    if (k == PROFILE_VALUES_MAX)
      return err_set(e, ERR_VALUE, "%s: more than %d values", yaml_place(r->tree, at, place), PROFILE_VALUES_MAX);
    if (stimulus_parse_value(text, width, i->value[k].bytes, f->slot))
      return err_set(e, ERR_VALUE, "%s: '%s' is no value of %s, which has %u bits", yaml_place(r->tree, at, place),
                     text, f->name, width);
    status = read_number(r, values, text, 1, UINT32_MAX, &weight, e);
    i->value[k].weight = (uint32_t)weight;
    i->n++;
  }
  if (!status && !i->n && !i->others)
    return err_set(e, ERR_VALUE, "%s: no values, and no others", yaml_place(r->tree, map, place));
  return status;
}

static int read_input(const struct reader *r, yaml_at map, const struct block_field *f, struct profile_input *i,
                      struct err *e) {
  static const char *const keys[] = {"rises", "falls", "change", "values", "others", "random", NULL};
  char place[YAML_PLACE_BYTES];
  int status = yaml_check_keys(r->tree, map, f->name, keys, e);
  if (status) return status;
  bool rate = yaml_get(r->tree, map, "rises"), values = yaml_get(r->tree, map, "values"),
       random = yaml_get(r->tree, map, "random");
  if (rate + values + random != 1)
    return err_set(e, ERR_VALUE, "%s: %s: write {rises:, falls:}, {change:, values:} or {change:, random: true}",
                   yaml_place(r->tree, map, place), f->name);
  i->kind = rate ? PROFILE_RATE : values ? PROFILE_VALUES : PROFILE_RANDOM;
  if (rate && f->width(r->p->params) != 1)
    return err_set(e, ERR_VALUE, "%s: %s has %u bits, so it does not rise and fall; write {change:, values:}",
                   yaml_place(r->tree, map, place), f->name, f->width(r->p->params));
  if (rate) status = read_chance(r, map, "rises", &i->rises, e);
  if (rate && !status) return read_chance(r, map, "falls", &i->falls, e);
  if (!status) status = read_chance(r, map, "change", &i->change, e);
  return !status && values ? read_values(r, map, f, i, e) : status;
}

static int read_phase(const struct reader *r, yaml_at map, struct err *e) {
  static const char *const keys[] = {"name", "seed", "cycles", "inputs", NULL};
  char place[YAML_PLACE_BYTES];
  const struct block_desc *desc = r->p->desc;
  const char *name;
  uint64_t cycles = 4096;
  struct profile_phase *phase = profile_add(r->p);
  if (!phase)
    return err_set(e, ERR_VALUE, "%s: more than %d phases", yaml_place(r->tree, map, place), PROFILE_PHASES_MAX);
  int status = yaml_check_keys(r->tree, map, "a phase", keys, e);
  if (!status) status = read_number(r, map, "seed", 0, INT64_MAX, &phase->seed, e);
  if (!status) status = read_number(r, map, "cycles", 1, CYCLES_MAX, &cycles, e);
  phase->cycles = (uint32_t)cycles;
  name = yaml_text(yaml_get(r->tree, map, "name"));
  snprintf(phase->name, sizeof phase->name, "%s", name ? name : "");
  yaml_at inputs = yaml_get(r->tree, map, "inputs");
  for (size_t i = 0; i < yaml_size(r->tree, inputs) && !status; i++) {
    yaml_at input = yaml_entry(r->tree, inputs, i, &name);
    const struct block_field *f = block_field_find(desc->in, desc->n_in, name);
    if (!f)
      return err_set(e, ERR_VALUE, "%s: %s has no input '%s'; tandem list blocks %s names them",
                     yaml_place(r->tree, input, place), desc->name, name, desc->name);
    status = read_input(r, input, f, &phase->input[f - desc->in], e);
  }
  return status;
}

static int read_root(const struct reader *r, const char *path, struct err *e) {
  static const char *const keys[] = {"block", "params", "phases", NULL};
  char place[YAML_PLACE_BYTES];
  yaml_at root = yaml_tree_root(r->tree), phases = yaml_get(r->tree, root, "phases");
  const char *block;
  int status = yaml_check_keys(r->tree, root, "a profile", keys, e);
  if (!status) status = yaml_need_text(r->tree, root, "block", 1, &block, e);
  if (status) return status;
  if (strcmp(block, r->p->desc->name) != 0)
    return err_set(e, ERR_VALUE, "%s: a profile of %s, not of %s", yaml_place(r->tree, root, place), block,
                   r->p->desc->name);
  for (size_t i = 0; i < yaml_size(r->tree, phases) && !status; i++)
    status = read_phase(r, yaml_entry(r->tree, phases, i, NULL), e);
  if (!status && !r->p->n) return err_set(e, ERR_VALUE, "%s: no phases", path);
  return status;
}

int profile_read(struct profile *p, const struct block_desc *desc, const int32_t *params, const char *path,
                 struct err *e) {
  struct reader r = {.p = p};
  int status = profile_init(p, desc, params, e);
  if (!status) status = yaml_tree_open(&r.tree, path, e);
  if (status) return status;
  status = read_root(&r, path, e);
  yaml_tree_close(r.tree);
  return status;
}
