/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of claims: done once for what they depend on, then read from run.json. */
#include "base/err.h"
#include "base/hash.h"
#include "base/process.h"
#include "claims/claims.h"

#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct job {
  struct claims *c;
  const struct claims_options *o;
  char tandem[CLAIMS_PATH_BYTES];
  struct claims_source *todo[256];
  unsigned n;
};

static void folder_of(const struct claims_options *o, const struct claims_source *s, char *out, size_t size) {
  snprintf(out, size, "%s/%s", o->out_dir, s->id);
}

/* What a run depends on: its arguments, the program, the workload, the simulator, the machines. */
static int identify(const struct claims *c, const char *tandem, struct claims_source *s, struct err *e) {
  char path[CLAIMS_PATH_BYTES + 128], name[64];
  size_t n = strcspn(s->arguments, ": ");
  uint64_t h = hash_text(HASH_SEED, s->arguments);
  snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), s->arguments);
  const char *bin = strrchr(tandem, '/');
  int root = bin ? (int)(bin - tandem) : 0;
  snprintf(path, sizeof path, "%.*s/../lib/libcuda.so.1", root, tandem);
  int status = hash_file(&h, path, e);
  snprintf(path, sizeof path, "%.*s/../workloads/%s", root, tandem, name);
  if (!status && access(path, X_OK))
    return err_set(e, ERR_VALUE, "%s:%u: run %s: there is no workload '%s'; tandem list workloads names them", c->path,
                   s->line, s->name, name);
  if (!status) status = hash_file(&h, path, e);
  snprintf(path, sizeof path, "%.*s/../gpu", (int)(strrchr(c->path, '/') - c->path), c->path);
  if (!status) status = hash_folder(&h, path, e);
  snprintf(s->id, sizeof s->id, "%016" PRIx64, h);
  return status;
}

static bool passed(const json_t *run) {
  const char *result = json_string_value(json_object_get(json_object_get(run, "verdict"), "result"));
  return result && !strcmp(result, "pass");
}

/* A run that is kept and passed, or NULL. */
static json_t *kept(const struct claims_options *o, const struct claims_source *s) {
  char path[CLAIMS_PATH_BYTES + 64];
  folder_of(o, s, path, sizeof path - 16);
  strcat(path, "/run.json");
  json_t *j = json_load_file(path, 0, NULL);
  if (j && passed(j)) return j;
  json_decref(j);
  return NULL;
}

static int command_of(void *context, size_t i, char *command, size_t size, struct err *e) {
  const struct job *job = context;
  const struct claims_source *s = job->todo[i];
  char folder[CLAIMS_PATH_BYTES + 32];
  (void)e;
  folder_of(job->o, s, folder, sizeof folder);
  if (job->o->progress) fprintf(stderr, "claims: run %s: %s\n", s->name, s->arguments);
  snprintf(command, size, "'%s' run %s --out '%s' >'%s.log' 2>&1", job->tandem, s->arguments, folder, folder);
  return 0;
}

static int finished(void *context, size_t i, bool ok, struct err *e) {
  struct job *job = context;
  struct claims_source *s = job->todo[i];
  char log[CLAIMS_PATH_BYTES + 64], tail[400];
  s->json = ok ? kept(job->o, s) : NULL;
  if (s->json) return 0;
  folder_of(job->o, s, log, sizeof log - 8);
  strcat(log, ".log");
  process_log_tail(log, tail, sizeof tail);
  return err_set(e, ERR_CHECK, "%s:%u: run %s failed (tandem run %s): %s", job->c->path, s->line, s->name, s->arguments,
                 tail);
}

int claims_do_runs(struct claims *c, const struct claims_options *o, struct err *e) {
  struct job job = {.c = c, .o = o};
  int status = process_own_path(job.tandem, sizeof job.tandem, e);
  if (!status) status = process_make_folders(o->out_dir, "name another folder with --out", e);
  for (unsigned i = 0; !status && i < c->n_runs; i++) {
    struct claims_source *s = &c->runs[i];
    status = identify(c, job.tandem, s, e);
    if (!status) s->json = kept(o, s);
    if (status || s->json) continue;
    if (job.n == sizeof job.todo / sizeof *job.todo) return err_set(e, ERR_LIMIT, "%s: more than 256 runs", c->path);
    job.todo[job.n++] = s;
  }
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  struct process_pool pool = {.n = job.n,
                              .width = processors > 0 ? (size_t)processors : 1,
                              .context = &job,
                              .command_of = command_of,
                              .finished = finished};
  return status || !job.n ? status : process_pool_run(&pool, e);
}

/* ---- figures ---- */

static const json_t *step(const json_t *at, const char *key) {
  if (json_is_array(at) && isdigit((unsigned char)*key)) return json_array_get(at, (size_t)strtoul(key, NULL, 10));
  return json_object_get(at, key);
}

/* The number at a dotted path. */
int claims_run_figure(const struct claims *c, const struct claims_source *s, const char *dotted, struct figure *out,
                      struct err *e) {
  char path[EXPRESSION_NAME_BYTES], *rest = path;
  snprintf(path, sizeof path, "%s", dotted);
  const json_t *at = json_object_get(s->json, "statistics");
  for (char *key; at && (key = strsep(&rest, "."));) at = step(at, key);
  if (!json_is_number(at))
    return err_set(e, ERR_VALUE, "%s:%u: run %s has no number statistics.%s; its run.json names what there is", c->path,
                   s->line, s->name, dotted);
  out->value = out->low = out->high = json_number_value(at);
  return 0;
}
