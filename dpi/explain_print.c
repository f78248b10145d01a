/* SPDX-License-Identifier: Apache-2.0 */
#include "explain_print.h"

#include <inttypes.h>
#include <string.h>

enum { PLACE_TEXT = 1200, SOURCE_TEXT = 100 };

static const char *register_name(const struct block_field *f) { return f->rtl ? f->rtl : f->name; }

static void print_first(FILE *f, const struct explanation *x) {
  const struct difference *d = x->first;
  if (!d->is_register) {
    fprintf(f, "  first: port %s, cycle %" PRIu64 "; no register differs before\n", d->field->name, d->cycle);
  } else if (x->failing) {
    fprintf(f, "  first: register %s", register_name(d->field));
    if (d->field->depth) fprintf(f, " row %u", d->row);
    fprintf(f, ", by the clock edge that ends cycle %" PRIu64 "\n", x->failing->cycle);
  } else {
    fprintf(f, "  first: register %s, before the first cycle\n", register_name(d->field));
  }
}

static void print_chain(FILE *f, const struct explanation *x) {
  if (x->n_chain < 2) return;
  fprintf(f, "  from the port back:\n");
  for (uint32_t i = 0; i < x->n_chain; i++) {
    char place[PLACE_TEXT];
    explain_place(x, x->chain[i].file, x->chain[i].line, place, sizeof place);
    fprintf(f, "  %10" PRIu64 "  %-24s %s\n", x->chain[i].cycle, x->chain[i].name, place);
  }
}

static void print_suspects(FILE *f, const struct explanation *x) {
  const struct suspects *s = &x->suspects;
  if (!s->n) return;
  fprintf(f, "  suspects in cycle %" PRIu64 " (%u stimuli beside it agree, %u do not):\n", x->failing->cycle,
          s->passing, s->failing);
  for (uint32_t i = 0; i < s->n && i < SUSPECTS_SHOWN; i++) {
    const struct suspect *p = &s->list[i];
    char place[PLACE_TEXT], source[SOURCE_TEXT], name[100];
    explain_place(x, p->file, p->line, place, sizeof place);
    explain_source(x, p->file, p->line, source, sizeof source);
    snprintf(name, sizeof name, "%s%s = %s", p->name, p->next ? " (next)" : "", p->value);
    fprintf(f, "  %3u %-28s %s  %s\n", i + 1, name, place, source);
  }
}

void explain_print(FILE *f, const struct explanation *x) {
  if (!x->s) return;
  fprintf(f, "\nwhy:\n");
  if (!x->first) {
    fprintf(
      f,
      "  not known: run again from its first cycle, the recording shows no difference; the cause lies before it, in a\n"
      "  register that did not count then\n");
    return;
  }
  print_first(f, x);
  if (*x->missing) fprintf(f, "  no suspects: %s\n", x->missing);
  else if (x->suspects.n && !x->suspects.reproduced)
    fprintf(f, "  a row that did not count differed before: look also at what wrote it\n");
  print_chain(f, x);
  print_suspects(f, x);
}

static json_t *place_json(const struct explanation *x, const char *file, uint32_t line) {
  char place[PLACE_TEXT];
  explain_place(x, file, line, place, sizeof place);
  return json_string(place);
}

json_t *explain_json(const struct explanation *x) {
  json_t *chain = json_array(), *suspects = json_array(), *j = json_object();
  for (uint32_t i = 0; i < x->n_chain; i++)
    json_array_append_new(chain,
                          json_pack("{s:I, s:s, s:o}", "cycle", (json_int_t)x->chain[i].cycle, "name", x->chain[i].name,
                                    "place", place_json(x, x->chain[i].file, x->chain[i].line)));
  for (uint32_t i = 0; i < x->suspects.n; i++) {
    const struct suspect *p = &x->suspects.list[i];
    json_array_append_new(suspects,
                          json_pack("{s:s, s:o, s:s, s:b, s:f, s:f, s:f, s:i}", "name", p->name, "place",
                                    place_json(x, p->file, p->line), "value", p->value, "next", p->next, "mends",
                                    p->mends, "cleared", p->cleared, "covers", p->covers, "depth", (int)p->depth));
  }
  if (x->first) {
    json_object_set_new(j, "first",
                        json_string(x->first->is_register ? register_name(x->first->field) : x->first->field->name));
    json_object_set_new(j, "register", json_boolean(x->first->is_register));
  }
  if (x->failing) json_object_set_new(j, "cycle", json_integer((json_int_t)x->failing->cycle));
  json_object_set_new(j, "missing", json_string(x->missing));
  json_object_set_new(j, "chain", chain);
  json_object_set_new(j, "suspects", suspects);
  return j;
}
