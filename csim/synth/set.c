/* SPDX-License-Identifier: Apache-2.0 */
/* The netlists of the bands: makes those that the cache lacks, several in parallel. The file with a netlist's facts is renamed into
 * place last, so that a killed call leaves complete netlists only. */
#include "base/err.h"
#include "base/hash.h"
#include "base/out_file.h"
#include "base/process.h"
#include "synth/steps.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Version of the cached facts: change it with netlist.c, timing.c or the keys of the facts. */
#define FACTS_VERSION "1"

struct job {
  struct synth_set *set;
  struct synth_netlist *netlist;
};

struct jobs {
  struct synth *synth;
  struct job *list;
  size_t n, done;
};

static void scramble_text(unsigned seed, char *scramble, char *permute, size_t size) {
  /* wires of the RTL keep their names, so that the ends of paths have names; mapping depends on their order only */
  snprintf(scramble, size,
           seed ? "rename -scramble-name -seed %u w:$* c:* %%u t:tandem_memory_* %%d" : "# names as in the RTL", seed);
  snprintf(permute, size, seed ? "permute -S %u" : "", seed);
}

/* Period of time.sta in the library's unit. */
static double period_of(const struct synth_set *set) { return SYNTH_PERIOD_NS * 1e-9 / set->lib->time_unit_s; }

/* Writes the scripts of a netlist into `folder`; with NULL, hashes their texts without paths into *h instead. */
static int write_scripts(const struct synth *s, const struct synth_set *set, unsigned seed, const char *folder,
                         uint64_t *h, struct err *e) {
  char scramble[128], permute[64], clock[256], path[SYNTH_PATH_BYTES];
  const struct synth_design *d = set->design;
  scramble_text(seed, scramble, permute, sizeof permute);
  if (*d->clock)
    snprintf(clock, sizeof clock, "create_clock -name clk -period %.6g [get_ports %s]", period_of(set), d->clock);
  else snprintf(clock, sizeof clock, "create_clock -name clk -period %.6g", period_of(set));
  struct synth_memory_texts memories;
  int status = synth_memory_texts(s, set, &memories, e);
  const struct synth_slot slots[] = {{"IN", folder ? d->stem : ""},
                                     {"CUT", status ? "" : memories.cut},
                                     {"EXPOSE", set->cut ? "expose -evert -sep _ t:tandem_memory_*" : ""},
                                     {"MEMORIES", status ? "" : memories.timing},
                                     {"PARTS", status ? "" : memories.parts},
                                     {"SCRAMBLE", scramble},
                                     {"PERMUTE", permute},
                                     {"LIBERTY", folder ? set->lib->text_path : ""},
                                     {"ABC", "abc.script"},
                                     {"CONSTRAINTS", "abc.constraints"},
                                     {"DRIVER", set->lib->buffer_name},
                                     {"OUT", "netlist"},
                                     {"NETLIST", "netlist.v"},
                                     {"TOP", d->name},
                                     {"CLOCK", clock}};
  static const char *const files[] = {"map.ys", "abc.script", "abc.constraints", "time.sta"};
  if (!status && folder && set->cut) {
    snprintf(path, sizeof path, "%.900s/memories.v", folder);
    status = synth_write_text(path, memories.boxes, e);
  }
  for (int i = 0; i < 4 && !status; i++) {
    char *text = NULL;
    status = synth_template(s, files[i], slots, sizeof slots / sizeof *slots, &text, e);
    snprintf(path, sizeof path, "%.900s/%s", folder ? folder : "", files[i]);
    if (!status && folder) status = synth_write_text(path, text, e);
    if (!status && h) *h = hash_text(*h, text);
    free(text);
  }
  synth_memory_texts_free(&memories);
  return status;
}

static int set_key(const struct synth *s, struct synth_set *set, struct err *e) {
  uint64_t h = hash_bytes(HASH_SEED, &set->design->key, sizeof set->design->key);
  h = hash_bytes(h, &set->lib->hash, sizeof set->lib->hash);
  h = hash_text(hash_text(hash_text(h, s->yosys), s->sta), FACTS_VERSION);
  int status = write_scripts(s, set, 1, NULL, &h, e);
  set->key = h;
  snprintf(set->folder, sizeof set->folder, "%.700s/%s-%016llx", s->cache, set->design->name, (unsigned long long)h);
  return status;
}

static void facts_path(const struct synth_set *set, unsigned seed, const char *ending, char *out) {
  snprintf(out, SYNTH_PATH_BYTES, "%.900s/seed-%u.%s", set->folder, seed, ending);
}

static void load_facts(const struct synth_set *set, struct synth_netlist *n) {
  char path[SYNTH_PATH_BYTES];
  facts_path(set, n->seed, "json", path);
  n->facts = json_load_file(path, 0, NULL);
}

static json_t *path_json(const struct timing_path *p, const char *from, const char *to) {
  return json_pack("{s:s, s:s, s:f, s:i}", "from", from, "to", to, "delay_ns", p->delay, "stages", (int)p->n_stages);
}

static int paths_json(const struct synth_set *set, const char *json, const struct timing_path *paths, json_t *facts,
                      struct err *e) {
  enum { ENDS = 2 * TIMING_KINDS };
  const char *cells[ENDS];
  char registers[ENDS][TIMING_NAME_BYTES];
  for (int k = 0; k < TIMING_KINDS; k++) {
    cells[2 * k] = paths[k].from;
    cells[2 * k + 1] = paths[k].to;
  }
  int status = netlist_registers(json, set->design->name, cells, ENDS, registers[0], sizeof registers[0], e);
  if (status) return status;
  json_t *all = json_object(), *stages = json_array();
  for (int k = 0; k < TIMING_KINDS; k++)
    if (paths[k].there)
      json_object_set_new(all, timing_names[k], path_json(&paths[k], registers[2 * k], registers[2 * k + 1]));
  for (unsigned i = 0; i < paths[0].n_stages && i < TIMING_STAGES_MAX && *paths[0].stages[i].cell; i++)
    json_array_append_new(
      stages, json_pack("{s:s, s:f}", "cell", paths[0].stages[i].cell, "delay_ns", paths[0].stages[i].delay));
  json_object_set_new(facts, "paths", all);
  json_object_set_new(facts, "stages", stages);
  return 0;
}

static json_t *netlist_json(const struct synth_netlist *n, const struct netlist_summary *m) {
  char hash[20];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)m->hash);
  return json_pack("{s:i, s:i, s:f, s:f, s:i, s:i, s:s}", "seed", (int)n->seed, "cells", (int)m->cells, "area_um2",
                   m->area, "sequential_um2", m->sequential, "flip_flop_bits", (int)m->flip_flops, "levels",
                   (int)m->levels, "hash", hash);
}

static int keep(const struct synth_set *set, struct synth_netlist *n, const char *folder, struct err *e) {
  char from[SYNTH_PATH_BYTES], to[SYNTH_PATH_BYTES];
  struct out_file out = {0};
  snprintf(from, sizeof from, "%.900s/netlist.v", folder);
  facts_path(set, n->seed, "v", to);
  if (rename(from, to)) return err_set(e, ERR_FILE, "cannot write %s: %s", to, strerror(errno));
  facts_path(set, n->seed, "json", to);
  int status = out_file_open(&out, to, e);
  if (status) return status;
  json_dumpf(n->facts, out.f, JSON_INDENT(1) | JSON_REAL_PRECISION(10));
  return out_file_commit(&out, e);
}

static void add_stages(struct timing_path *to, const struct timing_stage *stages, unsigned n) {
  for (unsigned i = 0; i < n && i < TIMING_STAGES_MAX; i++, to->n_stages++)
    if (to->n_stages < TIMING_STAGES_MAX) to->stages[to->n_stages] = stages[i];
}

/* A path through an unclocked read of a memory consists of logic, access and logic. The slowest of each are added: an upper bound. */
static void join_at_memory(const struct synth *s, const struct synth_set *set, struct timing_path *paths) {
  const struct timing_path *to = &paths[TIMING_TO_MEMORY], *from = &paths[TIMING_FROM_MEMORY];
  struct timing_path *any = &paths[TIMING_ANY], *through = &paths[TIMING_THROUGH_MEMORY];
  if (!to->there || !from->there) return;
  const struct timing_stage access = {.instance = "memory", .cell = "memory", .delay = synth_open_access(s, set)};
  *through = (struct timing_path){.there = true, .delay = to->delay + access.delay + from->delay};
  add_stages(through, to->stages, to->n_stages);
  add_stages(through, &access, 1);
  add_stages(through, from->stages, from->n_stages);
  memcpy(through->from, to->from, sizeof through->from);
  memcpy(through->to, from->to, sizeof through->to);
  if (!any->there || through->delay > any->delay) *any = *through;
}

static int collect(const struct synth *s, const struct synth_set *set, struct synth_netlist *n, const char *folder,
                   struct err *e) {
  char json[SYNTH_PATH_BYTES], report[SYNTH_PATH_BYTES];
  struct netlist_summary m;
  struct timing_path *paths = calloc(TIMING_KINDS, sizeof *paths);
  snprintf(json, sizeof json, "%.900s/netlist.json", folder);
  snprintf(report, sizeof report, "%.900s/time.out", folder);
  int status = paths ? 0 : err_set(e, ERR_LIMIT, "out of memory");
  if (!status) status = netlist_read(json, set->design->name, set->lib, &m, e);
  if (!status) status = timing_read(report, set->lib->time_unit_s * 1e9, period_of(set), paths, e);
  if (!status) join_at_memory(s, set, paths);
  json_t *facts = status ? NULL : netlist_json(n, &m);
  if (facts) status = paths_json(set, json, paths, facts, e);
  if (facts && !status) {
    n->facts = facts;
    status = keep(set, n, folder, e);
    json_decref(n->facts);
    load_facts(set, n); /* read back, so that numbers are rounded as they will be from the cache */
  } else {
    json_decref(facts);
  }
  free(paths);
  return status;
}

static void job_folder(const struct jobs *jobs, size_t i, char *out) {
  snprintf(out, SYNTH_PATH_BYTES, "%.900s/job.%zu", jobs->synth->work, i);
}

static int command_of(void *context, size_t i, char *command, size_t size, struct err *e) {
  struct jobs *jobs = context;
  const struct job *job = &jobs->list[i];
  char folder[SYNTH_PATH_BYTES];
  job_folder(jobs, i, folder);
  int status = process_make_folders(folder, "set TANDEM_CACHE to a writable folder", e);
  if (!status) status = write_scripts(jobs->synth, job->set, job->netlist->seed, folder, NULL, e);
  snprintf(command, size,
           "cd '%s' && TMPDIR=. yosys -q -l map.log -s map.ys >map.out 2>&1 </dev/null && "
           "sta -no_splash -exit time.sta >time.out 2>&1 </dev/null",
           folder);
  return status;
}

static int finished(void *context, size_t i, int exit_code, struct err *e) {
  struct jobs *jobs = context;
  const struct job *job = &jobs->list[i];
  char folder[SYNTH_PATH_BYTES], log[SYNTH_PATH_BYTES], sentence[600];
  job_folder(jobs, i, folder);
  jobs->done++;
  if (jobs->synth->options.progress) {
    fprintf(stderr, "\rsynth: %zu of %zu netlists%s", jobs->done, jobs->n, jobs->done == jobs->n ? "\n" : "");
    fflush(stderr);
  }
  int status = 0;
  if (!exit_code) {
    status = collect(jobs->synth, job->set, job->netlist, folder, e);
  } else {
    snprintf(log, sizeof log, "%.900s/map.log", folder);
    synth_yosys_sentence(log, sentence, sizeof sentence);
    status = err_set(e, ERR_TOOL, "mapping %s to %s failed: %s", job->set->design->name, job->set->lib->name, sentence);
  }
  char command[SYNTH_PATH_BYTES + 16];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  if (system(command)) { /* the working folder goes at the end */
  }
  return status;
}

static int prepare_set(const struct synth *s, struct synth_set *set, struct err *e) {
  int status = set_key(s, set, e);
  bool band = set->n > 1;
  set->netlists = calloc(set->n, sizeof *set->netlists);
  if (!status && !set->netlists) status = err_set(e, ERR_LIMIT, "out of memory");
  if (!status) status = process_make_folders(set->folder, "set TANDEM_CACHE to a writable folder", e);
  for (unsigned i = 0; i < set->n && !status; i++) {
    set->netlists[i].seed = band ? i + 1 : 0;
    load_facts(set, &set->netlists[i]);
  }
  return status;
}

static struct synth_set *set_at(const struct synth *s, unsigned i) {
  return i < s->n_sets ? &s->sets[i] : &s->extra[i - s->n_sets];
}

int synth_sets_run(struct synth *s, struct err *e) {
  struct jobs jobs = {.synth = s};
  int status = 0;
  unsigned all = s->n_sets + s->n_extra;
  for (unsigned i = 0; i < all && !status; i++) {
    struct synth_set *set = set_at(s, i);
    status = prepare_set(s, set, e);
    for (unsigned k = 0; k < set->n && !status; k++) jobs.n += !set->netlists[k].facts;
  }
  if (status || !jobs.n) return status;
  jobs.list = calloc(jobs.n, sizeof *jobs.list);
  if (!jobs.list) return err_set(e, ERR_LIMIT, "out of memory");
  size_t n = 0;
  for (unsigned i = 0; i < all; i++) {
    struct synth_set *set = set_at(s, i);
    for (unsigned k = 0; k < set->n; k++)
      if (!set->netlists[k].facts) jobs.list[n++] = (struct job){set, &set->netlists[k]};
  }
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  const struct process_pool pool = {.n = n,
                                    .width = s->options.jobs  ? s->options.jobs
                                             : processors > 0 ? (size_t)processors
                                                              : 1,
                                    .context = &jobs,
                                    .command_of = command_of,
                                    .finished = finished};
  status = process_pool_run(&pool, e);
  free(jobs.list);
  return status;
}

double synth_netlist_area(const struct synth_netlist *n) {
  return json_real_value(json_object_get(n->facts, "area_um2"));
}

double synth_netlist_period(const struct synth_netlist *n) {
  return json_real_value(json_object_get(json_object_get(json_object_get(n->facts, "paths"), "any"), "delay_ns"));
}
