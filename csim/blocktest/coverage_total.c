/* SPDX-License-Identifier: Apache-2.0 */
#include "blocktest/coverage_total.h"

#include "base/json_out.h"
#include "base/out_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

json_t *coverage_total_new(void) { return json_pack("{s:{}}", "blocks"); }

/* The object `key` of an object; made if it is not there. */
static json_t *object_in(json_t *in, const char *key) {
  json_t *found = json_object_get(in, key);
  if (found) return found;
  json_object_set_new(in, key, json_object());
  return json_object_get(in, key);
}

static uint64_t number(const json_t *object, const char *key) {
  return (uint64_t)json_integer_value(json_object_get(object, key));
}

static void set_number(json_t *object, const char *key, uint64_t value) {
  json_object_set_new(object, key, json_integer((json_int_t)value));
}

/* A block of a total, with no stimuli yet if it is new. */
static json_t *block_in(json_t *total, const char *name) {
  json_t *block = object_in(object_in(total, "blocks"), name);
  if (json_object_size(block)) return block;
  set_number(block, "cycles", 0);
  json_object_set_new(block, "stimuli", json_array());
  json_object_set_new(block, "points", json_object());
  return block;
}

/* A point that no run reaches at one parameter set may be reached at another: only where nothing speaks against it, it is one of those. */
static void add_point(json_t *points, const char *name, const json_t *more) {
  json_t *point = json_object_get(points, name);
  if (!point) {
    json_object_set_new(points, name, json_deep_copy(more));
    return;
  }
  const json_t *never = json_object_get(more, "never");
  bool false_never =
    json_is_true(json_object_get(point, "false_never")) || json_is_true(json_object_get(more, "false_never"));
  if (!json_object_get(point, "first") && json_object_get(more, "first"))
    json_object_set(point, "first", json_object_get(more, "first"));
  set_number(point, "hits", number(point, "hits") + number(more, "hits"));
  if (!never) json_object_del(point, "never");
  if (false_never) json_object_set_new(point, "false_never", json_true());
}

void coverage_total_add(json_t *total, struct coverage *c, const char *name, const char *parameters,
                        const char *origin) {
  const struct coverage_point *points;
  unsigned n = coverage_points(c, &points);
  json_t *block = block_in(total, name);
  uint64_t cycles = coverage_cycles(c);
  set_number(block, "cycles", number(block, "cycles") + cycles);
  json_array_append_new(json_object_get(block, "stimuli"), json_pack("{s:s, s:s, s:I}", "parameters", parameters,
                                                                     "origin", origin, "cycles", (json_int_t)cycles));
  for (unsigned i = 0; i < n; i++) {
    const struct coverage_point *p = &points[i];
    json_t *more = json_pack("{s:I, s:b}", "hits", (json_int_t)p->hits, "counted", p->counted);
    if (p->hits)
      json_object_set_new(
        more, "first",
        json_pack("{s:s, s:s, s:I}", "parameters", parameters, "origin", origin, "cycle", (json_int_t)p->first));
    if (p->never) json_object_set_new(more, "never", json_string(p->never));
    if (p->never && p->hits) json_object_set_new(more, "false_never", json_true());
    add_point(json_object_get(block, "points"), p->name, more);
    json_decref(more);
  }
}

/* Adds the hits of branches and the changes of bits, by name. */
static void add_file(json_t *file, const json_t *more) {
  const char *name;
  json_t *point, *bits, *points = object_in(file, "points"), *toggles = object_in(file, "toggles");
  json_object_foreach(json_object_get(more, "points"), name, point) {
    json_t *found = json_object_get(points, name);
    if (found) set_number(found, "hits", number(found, "hits") + number(point, "hits"));
    else json_object_set_new(points, name, json_deep_copy(point));
  }
  json_object_foreach(json_object_get(more, "toggles"), name, bits) {
    json_t *found = json_object_get(toggles, name);
    if (!found) json_object_set_new(toggles, name, found = json_array());
    for (size_t i = 0; i < json_array_size(bits); i++) {
      json_int_t hits = json_integer_value(json_array_get(bits, i));
      if (i == json_array_size(found)) json_array_append_new(found, json_integer(0));
      json_integer_set(json_array_get(found, i), json_integer_value(json_array_get(found, i)) + hits);
    }
  }
}

void coverage_total_add_rtl(json_t *total, const json_t *rtl) {
  const char *name;
  json_t *file;
  json_object_foreach((json_t *)rtl, name, file) add_file(object_in(object_in(total, "rtl"), name), file);
}

void coverage_total_merge(json_t *total, const json_t *other) {
  const char *name, *key;
  json_t *from, *point;
  json_object_foreach(json_object_get(other, "blocks"), name, from) {
    json_t *block = block_in(total, name);
    set_number(block, "cycles", number(block, "cycles") + number(from, "cycles"));
    json_array_extend(json_object_get(block, "stimuli"), json_object_get(from, "stimuli"));
    json_object_foreach(json_object_get(from, "points"), key, point)
      add_point(json_object_get(block, "points"), key, point);
  }
  coverage_total_add_rtl(total, json_object_get(other, "rtl"));
}

static struct coverage_summary summarise(const json_t *block) {
  struct coverage_summary s = {.cycles = number(block, "cycles")};
  const char *name;
  json_t *point;
  json_object_foreach(json_object_get(block, "points"), name, point) {
    bool hit = number(point, "hits") > 0, never = json_object_get(point, "never") != NULL;
    s.never += never && !hit;
    s.points += !never || hit;
    s.hit += hit;
    s.false_never += json_is_true(json_object_get(point, "false_never"));
  }
  return s;
}

struct coverage_summary coverage_summarise(const json_t *total, const char *block) {
  return summarise(json_object_get(json_object_get(total, "blocks"), block));
}

bool coverage_has_faults(const json_t *total) {
  const char *name;
  json_t *block;
  json_object_foreach(json_object_get(total, "blocks"), name, block) if (summarise(block).false_never) return true;
  return false;
}

/* ---- the report ---- */

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static void print_hit(const json_t *points, FILE *f) {
  const char *name;
  json_t *point;
  fprintf(f, "%12s %12s  point\n", "cycles", "first");
  json_object_foreach((json_t *)points, name, point) {
    const json_t *first = json_object_get(point, "first");
    if (!first) continue;
    if (json_is_true(json_object_get(point, "counted"))) fprintf(f, "%12" PRIu64, number(point, "hits"));
    else fprintf(f, "%12s", "yes");
    fprintf(f, " %12" PRIu64 "  %s\n", number(first, "cycle"), name);
  }
}

/* Those that were not reached, and the claims that no run reaches a point, which a run disproved. */
static void print_missed(const json_t *points, FILE *f) {
  const char *name, *title = "never hit:\n";
  json_t *point;
  json_object_foreach((json_t *)points, name, point) {
    if (number(point, "hits") || json_object_get(point, "never")) continue;
    fprintf(f, "%s  %s\n", title, name);
    title = "";
  }
  title = "no run hits, and why:\n";
  json_object_foreach((json_t *)points, name, point) {
    if (number(point, "hits") || !json_object_get(point, "never")) continue;
    fprintf(f, "%s  %s: %s\n", title, name, text_of(point, "never"));
    title = "";
  }
  json_object_foreach((json_t *)points, name, point) {
    if (!json_is_true(json_object_get(point, "false_never"))) continue;
    const json_t *first = json_object_get(point, "first");
    fprintf(f, "FALSE: the bench says that no run hits '%s'; first in cycle %" PRIu64 ", %s, %s\n", name,
            number(first, "cycle"), text_of(first, "parameters"), text_of(first, "origin"));
  }
}

void coverage_print(const json_t *total, bool all, FILE *f) {
  const char *name;
  json_t *block;
  json_object_foreach(json_object_get(total, "blocks"), name, block) {
    struct coverage_summary s = summarise(block);
    const json_t *points = json_object_get(block, "points");
    fprintf(f, "coverage of %s: %u of %u points in %" PRIu64 " cycles of %zu stimul%s\n", name, s.hit, s.points,
            s.cycles, json_array_size(json_object_get(block, "stimuli")),
            json_array_size(json_object_get(block, "stimuli")) == 1 ? "us" : "i");
    if (all && s.hit) print_hit(points, f);
    print_missed(points, f);
  }
}

/* ---- the file ---- */

int coverage_write(const json_t *total, const char *dir, struct err *e) {
  struct out_file o;
  char path[1200];
  snprintf(path, sizeof path, "%s/" COVERAGE_FILE, dir);
  int status = out_file_open(&o, path, e);
  if (status) return status;
  json_t *copy = json_copy((json_t *)total);
  json_out(copy, "coverage/1", 0, o.f);
  json_decref(copy);
  return out_file_commit(&o, e);
}

static int check_block(const char *path, const char *name, const json_t *block, struct err *e) {
  const char *key;
  json_t *point;
  bool good = json_is_integer(json_object_get(block, "cycles")) && json_is_array(json_object_get(block, "stimuli")) &&
              json_is_object(json_object_get(block, "points"));
  json_object_foreach(json_object_get(block, "points"), key, point) good &=
    json_is_integer(json_object_get(point, "hits")) && number(point, "hits") <= INT64_MAX;
  if (good) return 0;
  return err_set(e, ERR_SYNTAX,
                 "%s: the block '%s' has no cycles, stimuli and points; write the file again with --coverage", path,
                 name);
}

/* Branches and signals of one file of the RTL. */
static int check_rtl(const char *path, const char *name, const json_t *file, struct err *e) {
  const char *key;
  json_t *one, *bit;
  size_t i;
  const json_t *points = json_object_get(file, "points"), *toggles = json_object_get(file, "toggles");
  bool good = json_is_object(points) && json_is_object(toggles);
  json_object_foreach((json_t *)points, key, one) good &= json_is_integer(json_object_get(one, "hits")) &&
                                                          number(one, "hits") <= INT64_MAX &&
                                                          json_is_string(json_object_get(one, "lines"));
  json_object_foreach((json_t *)toggles, key, one) {
    good &= json_is_array(one);
    json_array_foreach(one, i, bit) good &= json_is_integer(bit) && json_integer_value(bit) >= 0;
  }
  if (good) return 0;
  return err_set(e, ERR_SYNTAX,
                 "%s: '%s' of 'rtl' has no branches and signals with their counts; write the file again with "
                 "--rtl-coverage",
                 path, name);
}

int coverage_read(const char *name, json_t **total, struct err *e) {
  struct stat st;
  char path[1200];
  json_error_t problem;
  const char *block;
  json_t *found;
  bool folder = !stat(name, &st) && S_ISDIR(st.st_mode);
  snprintf(path, sizeof path, folder ? "%s/" COVERAGE_FILE : "%s", name);
  if (stat(path, &st))
    return err_set(e, ERR_FILE, "%s: there is no such file; tandem check --coverage writes " COVERAGE_FILE, path);
  *total = json_load_file(path, 0, &problem);
  if (!*total)
    return err_set(e, ERR_SYNTAX, "%s:%d: %s; write the file again with --coverage", path, problem.line, problem.text);
  int status = 0;
  if (strcmp(text_of(*total, "schema"), "coverage/1") != 0 || !json_is_object(json_object_get(*total, "blocks")))
    status = err_set(e, ERR_SYNTAX, "%s is no " COVERAGE_FILE " of tandem check --coverage", path);
  json_object_foreach(json_object_get(*total, "blocks"), block, found) if (!status) status =
    check_block(path, block, found, e);
  const json_t *rtl = json_object_get(*total, "rtl");
  if (!status && rtl && !json_is_object(rtl))
    status = err_set(e, ERR_SYNTAX, "%s: 'rtl' is no object; write the file again with --rtl-coverage", path);
  json_object_foreach((json_t *)rtl, block, found) if (!status) status = check_rtl(path, block, found, e);
  if (!status) return 0;
  json_decref(*total);
  *total = NULL;
  return status;
}
