/* SPDX-License-Identifier: Apache-2.0 */
/* A difference of two runs as tables and as JSON. */
#include "base/json_out.h"
#include "report/diff.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_BYTES = 256 };

static const char *const nouns[DIFF_SCOPES] = {"configuration keys", "statistics", "statistics of launches",
                                               "statistics of SMs"};
static const char *const keys[DIFF_SCOPES] = {"configuration", "statistics", "launches", "sms"};

static void value_text(const json_t *j, char *out) {
  char *text = j ? json_dumps(j, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
  const char *bare = json_string_value(j);
  snprintf(out, VALUE_BYTES, "%s", bare ? bare : text ? text : "-");
  free(text);
}

static void relative_text(const struct diff_item *d, char *out, size_t size) {
  if (!d->number) snprintf(out, size, "%s", "");
  else if (isinf(d->relative)) snprintf(out, size, "from 0");
  else snprintf(out, size, "%+.2f %%", 100 * d->relative);
}

static int width_of(const struct diff_list *list, uint32_t n) {
  int width = 12;
  for (uint32_t i = 0; i < n; i++)
    if ((int)strlen(list->item[i].name) > width) width = (int)strlen(list->item[i].name);
  return width;
}

static void print_list(const struct diff_list *list, const char *noun, uint32_t most, bool changes, FILE *f) {
  uint32_t n = most && list->n > most ? most : list->n;
  fprintf(f, "\n%s: %u of %u differ\n", noun, list->n, list->compared);
  if (!list->n) return;
  int width = width_of(list, n);
  fprintf(f, "  %-*s %14s %14s%s\n", width, "", "A", "B", changes ? "         change     relative" : "");
  for (uint32_t i = 0; i < n; i++) {
    const struct diff_item *d = &list->item[i];
    char a[VALUE_BYTES], b[VALUE_BYTES], change[24] = "", relative[24];
    value_text(d->of[0], a);
    value_text(d->of[1], b);
    relative_text(d, relative, sizeof relative);
    if (d->number) snprintf(change, sizeof change, "%+" PRId64, d->change);
    if (changes && d->number) fprintf(f, "  %-*s %14s %14s %14s %12s\n", width, d->name, a, b, change, relative);
    else fprintf(f, "  %-*s %14s %14s\n", width, d->name, a, b);
  }
  if (n < list->n) fprintf(f, "  and %u more; --top 0 lists all\n", list->n - n);
}

static void print_event(const struct event_line *v, char side, bool there, FILE *f) {
  if (!there) {
    fprintf(f, "  %c: no such event\n", side);
    return;
  }
  fprintf(f, "  %c: launch %" PRIu64 ", CTA %" PRIu64 " on SM %" PRIu64 ", %s", side, v->launch, v->cta, v->sm,
          event_what_names[v->what]);
  if (v->what == EVENT_IS_COPY || v->what == EVENT_IS_BARRIER) fprintf(f, " %" PRIu64, v->tile);
  fprintf(f, ": cycles %" PRIu64 " to %" PRIu64, v->begin, v->end);
  if (v->what == EVENT_IS_COPY) fprintf(f, ", addresses until %" PRIu64, v->agen_end);
  fprintf(f, " (events.csv:%u)\n", v->line);
}

void diff_print(const struct diff *d, uint32_t most, FILE *f) {
  const struct diff_event *v = &d->event;
  char title[2][256];
  for (int side = 0; side < 2; side++) {
    run_file_title(d->run[side], title[side], sizeof title[side]);
    fprintf(f, "%c  %s: %s, %s\n", "AB"[side], d -> dir[side], title[side], d -> verdict[side]);
  }
  for (int i = 0; i < DIFF_SCOPES; i++) print_list(&d->list[i], nouns[i], most, i != DIFF_CONFIG, f);
  if (!v->compared) {
    fprintf(f, "\nevents: not compared; both runs need --events\n");
  } else if (!v->differs) {
    fprintf(f, "\nevents: the same\n");
  } else {
    fprintf(f, "\nfirst differing event: core cycle %" PRIu64 "\n", v->cycle);
    for (int side = 0; side < 2; side++) print_event(&v->line[side], "AB"[side], v -> has[side], f);
  }
}

/* ---- JSON ---- */

static json_t *list_json(const struct diff_list *list) {
  json_t *j = json_array();
  for (uint32_t i = 0; i < list->n; i++) {
    const struct diff_item *d = &list->item[i];
    json_t *a = d->of[0] ? json_deep_copy(d->of[0]) : json_null(),
           *b = d->of[1] ? json_deep_copy(d->of[1]) : json_null();
    json_t *row = json_pack("{s:s, s:o, s:o}", "name", d->name, "a", a, "b", b);
    if (d->number) {
      json_object_set_new(row, "change", json_integer((json_int_t)d->change));
      json_object_set_new(row, "relative", isinf(d->relative) ? json_null() : json_real(d->relative));
    }
    json_array_append_new(j, row);
  }
  return j;
}

static json_t *event_json(const struct event_line *v) {
  return json_pack("{s:I, s:I, s:I, s:I, s:s, s:I, s:I, s:I, s:I, s:i}", "launch", (json_int_t)v->launch, "sm",
                   (json_int_t)v->sm, "cta", (json_int_t)v->cta, "slot", (json_int_t)v->slot, "what",
                   event_what_names[v->what], "tile", (json_int_t)v->tile, "begin", (json_int_t)v->begin, "agen_end",
                   (json_int_t)v->agen_end, "end", (json_int_t)v->end, "line", (int)v->line);
}

static json_t *first_event_json(const struct diff_event *v) {
  if (!v->differs) return json_null();
  return json_pack("{s:I, s:o, s:o}", "cycle", (json_int_t)v->cycle, "a",
                   v->has[0] ? event_json(&v->line[0]) : json_null(), "b",
                   v->has[1] ? event_json(&v->line[1]) : json_null());
}

void diff_print_json(const struct diff *d, bool results_only, FILE *f) {
  json_t *j = json_pack("{s:s, s:s, s:b, s:[s, s]}", "a", d->dir[0], "b", d->dir[1], "same",
                        !diff_differs(d, results_only), "verdicts", d->verdict[0], d->verdict[1]);
  for (int i = 0; i < DIFF_SCOPES; i++) json_object_set_new(j, keys[i], list_json(&d->list[i]));
  json_object_set_new(j, "events_compared", json_boolean(d->event.compared));
  json_object_set_new(j, "first_event", first_event_json(&d->event));
  json_out(j, "diff/1", 10, f);
  json_decref(j);
}
