/* SPDX-License-Identifier: Apache-2.0 */
#include "report/run_file.h"

#include "base/err.h"
#include "base/text.h"

#include <errno.h>
#include <string.h>

json_t *run_file_load(const char *dir, struct err *e) {
  char path[RUN_PATH_BYTES];
  json_error_t problem;
  snprintf(path, sizeof path, "%s/run.json", dir);
  json_t *run = json_load_file(path, 0, &problem);
  if (!run && problem.line < 0) err_set(e, ERR_FILE, "there is no %s; name the --out folder of a run", path);
  else if (!run) err_set(e, ERR_SYNTAX, "%s:%d: %s; run the workload again", path, problem.line, problem.text);
  return run;
}

uint64_t run_file_number(const json_t *object, const char *key) {
  return (uint64_t)json_integer_value(json_object_get(object, key));
}

void run_file_title(const json_t *run, char *out, size_t size) {
  const json_t *config = json_object_get(run, "config");
  const char *workload = json_string_value(json_object_get(config, "workload"));
  const char *system = json_string_value(json_object_get(config, "system"));
  snprintf(out, size, "%s%s%s", workload && *workload ? workload : "program", system ? ", system " : "",
           system ? system : "");
}

/* ---- events.csv ---- */

const char *const event_what_names[EVENT_WHATS] = {"cta", "copy", "compute", "barrier"};

enum { LAUNCH, SM, CTA, SLOT, WHAT, TILE, BEGIN, AGEN_END, END, COLUMNS };

static bool parse(char *text, struct event_line *event) {
  char *rest = text, *column[COLUMNS];
  int64_t value[COLUMNS];
  for (int i = 0; i < COLUMNS; i++) {
    column[i] = strsep(&rest, i + 1 < COLUMNS ? "," : "\n");
    if (!column[i]) return false;
    bool none = i == WHAT || (i == AGEN_END && !*column[i]);
    value[i] = 0;
    if (!none && (!text_to_int64(column[i], &value[i]) || value[i] < 0)) return false;
  }
  uint8_t what = 0;
  while (what < EVENT_WHATS && strcmp(event_what_names[what], column[WHAT]) != 0) what++;
  *event = (struct event_line){.launch = (uint64_t)value[LAUNCH],
                               .sm = (uint64_t)value[SM],
                               .cta = (uint64_t)value[CTA],
                               .slot = (uint64_t)value[SLOT],
                               .tile = (uint64_t)value[TILE],
                               .begin = (uint64_t)value[BEGIN],
                               .agen_end = (uint64_t)(what == EVENT_IS_COPY ? value[AGEN_END] : value[BEGIN]),
                               .end = (uint64_t)value[END],
                               .what = what};
  return what < EVENT_WHATS && event->begin <= event->end && event->agen_end >= event->begin &&
         event->agen_end <= event->end;
}

int event_file_open(struct event_file *v, const char *dir, struct err *e) {
  *v = (struct event_file){.line = 0};
  snprintf(v->path, sizeof v->path, "%s/events.csv", dir);
  v->f = fopen(v->path, "r");
  if (v->f) return 0;
  return err_set(e, ERR_FILE, "cannot read %s: %s; run the workload with --events", v->path, strerror(errno));
}

int event_file_next(struct event_file *v, struct event_line *event, bool *more, struct err *e) {
  char text[256];
  do *more = fgets(text, sizeof text, v->f);
  while (*more && !v->line++); /* the first line is the heading */
  if (!*more) return 0;
  if (!parse(text, event))
    return err_set(e, ERR_SYNTAX, "%s:%u: no event; run the workload with --events again", v->path, v->line);
  event->line = v->line;
  return 0;
}

void event_file_close(struct event_file *v) {
  if (v->f) fclose(v->f);
  v->f = NULL;
}
