/* SPDX-License-Identifier: Apache-2.0 */
/* Runs, and commands that use the results of runs. Each is executed once for a hash of everything that it depends on; then its
 * run.json or output.json is kept. */
#include "base/err.h"
#include "base/hash.h"
#include "base/place.h"
#include "base/process.h"
#include "measure/emission.h"
#include "measure/sources.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMMAND_BYTES = 8192 };

struct job {
  struct sources *s;
  const struct sources_options *o;
  char tandem[SOURCES_PATH_BYTES];
  uint64_t common; /* hash of what all of them depend on: the program or the simulator, the GPU configurations */
  struct source **todo;
  unsigned n, done;
};

/* ---- identity ---- */

/* Hashes the simulator (of runs) or the program (of commands), and the GPU configurations. */
static int identify_common(struct job *job, enum source_kind kind, struct err *e) {
  char path[2 * SOURCES_PATH_BYTES];
  snprintf(path, sizeof path, "%s/libcuda.so.1", place_libraries());
  job->common = HASH_SEED;
  int status = hash_file(&job->common, kind == SOURCE_RUN ? path : job->tandem, e);
  snprintf(path, sizeof path, "%s/gpu", job->s->config_dir);
  return status ? status : hash_folder(&job->common, path, e);
}

/* What `tandem run` or `tandem` is given: in a command {run:NAME} becomes the folder of the run. */
static int arguments_of(const struct job *job, const struct source *q, char *out, size_t size, struct err *e) {
  char text[COMMAND_BYTES];
  if (q->kind == SOURCE_RUN) return source_arguments(job->s, job->o, q, out, size, e);
  int status = source_arguments(job->s, job->o, q, text, sizeof text, e);
  return status ? status : sources_arguments(job->s, job->o, NULL, text, q->place, NULL, out, size, e);
}

/* Hashes that, the arguments and the workload of a run. */
static int identify(const struct job *job, struct source *q, struct err *e) {
  char path[2 * SOURCES_PATH_BYTES], name[512], arguments[COMMAND_BYTES];
  int status = arguments_of(job, q, arguments, sizeof arguments, e);
  if (status) return status;
  uint64_t h = hash_text(job->common, arguments);
  if (q->kind == SOURCE_RUN) {
    size_t n = strcspn(arguments, ": ");
    snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), arguments);
    if (strchr(name, '/')) snprintf(path, sizeof path, "%s", name);
    else snprintf(path, sizeof path, "%s/workloads/%s", place_libraries(), name);
    if (access(path, X_OK))
      return err_set(e, ERR_VALUE, "%s: run %s: there is no workload '%s'; tandem list workloads names them", q->place,
                     q->name, name);
    status = hash_file(&h, path, e);
  }
  snprintf(q->id, sizeof q->id, "%016" PRIx64, h);
  return status;
}

/* ---- kept results ---- */

bool source_passed(const json_t *run) {
  const char *result = json_string_value(json_object_get(json_object_get(run, "verdict"), "result"));
  return result && !strcmp(result, "pass");
}

/* The kept result of a run that passed, or the kept output of a command; else NULL. */
static json_t *kept(const struct sources_options *o, const struct source *q) {
  char path[SOURCES_PATH_BYTES + 64];
  source_folder(o, q, path, sizeof path - 16);
  strcat(path, q->kind == SOURCE_RUN ? "/run.json" : "/output.json");
  json_t *j = json_load_file(path, 0, NULL);
  if (q->kind == SOURCE_RUN ? source_passed(j) : json_is_object(j) || json_is_array(j)) return j;
  json_decref(j);
  return NULL;
}

/* ---- execution, several at a time ---- */

static int command_of(void *context, size_t i, char *command, size_t size, struct err *e) {
  const struct job *job = context;
  const struct source *q = job->todo[i];
  char folder[SOURCES_PATH_BYTES + 32], arguments[COMMAND_BYTES];
  int status, n;
  source_folder(job->o, q, folder, sizeof folder);
  status = arguments_of(job, q, arguments, sizeof arguments, e);
  if (q->kind == SOURCE_RUN) {
    n = snprintf(command, size, "%s'%s' run --options-only %s --once --out '%s' >'%s.log' 2>&1",
                 job->o->emission ? "" : "exec ", job->tandem, arguments, folder, folder);
  } else {
    n = snprintf(command, size,
                 "mkdir -p '%s' && '%s' %s >'%s/output.'$$ 2>'%s.log' && mv '%s/output.'$$ '%s/output.json'", folder,
                 job->tandem, arguments, folder, folder, folder, folder);
  }
  if (!status && (n < 0 || (size_t)n >= size))
    return err_set(e, ERR_LIMIT, "%s: the arguments of %s are too long", q->place, q->name);
  if (job->o->progress) fprintf(stderr, "%s %s: %s\n", source_kind_names[q->kind], q->name, arguments);
  return status;
}

static int finished(void *context, size_t i, int exit_code, struct err *e) {
  struct job *job = context;
  struct source *q = job->todo[i];
  char log[SOURCES_PATH_BYTES + 64], tail[400];
  q->json = exit_code ? NULL : kept(job->o, q);
  job->done++;
  if (job->o->progress) fprintf(stderr, "  %u of %u done\n", job->done, job->n);
  if (q->json) return 0;
  source_folder(job->o, q, log, sizeof log - 8);
  strcat(log, ".log");
  process_log_tail(log, tail, sizeof tail);
  for (size_t n = strlen(tail); n && tail[n - 1] == '\n';) tail[--n] = 0;
  char arguments[COMMAND_BYTES];
  if (arguments_of(job, q, arguments, sizeof arguments, NULL)) arguments[0] = 0;
  enum err_code code =
    exit_code == err_exit_code(ERR_VALUE) ? ERR_VALUE : ERR_CHECK; /* what was asked for cannot be: nothing failed */
  return err_set(e, code, "%s: %s %s failed (tandem %s%s): %s", q->place, source_kind_names[q->kind], q->name,
                 q->kind == SOURCE_RUN ? "run " : "", arguments, tail);
}

/* Whether the same run is listed, perhaps under another name. */
static bool is_listed(const struct job *job, const struct source *q) {
  for (unsigned i = 0; i < job->n; i++)
    if (!strcmp(job->todo[i]->id, q->id)) return true;
  return false;
}

/* Adds the commands of what is to do to the emission. */
static int emit(struct job *job, struct err *e) {
  char command[COMMAND_BYTES + 2 * SOURCES_PATH_BYTES];
  int status = 0;
  for (unsigned i = 0; i < job->n && !status; i++) {
    status = command_of(job, i, command, sizeof command, e);
    if (!status) status = emission_add(job->o->emission, job->todo[i]->id, command, e);
  }
  return status;
}

static int do_all(struct job *job, enum source_kind kind, struct err *e) {
  int status = identify_common(job, kind, e);
  for (unsigned i = 0; !status && i < job->s->n; i++) {
    struct source *q = &job->s->list[i];
    if (q->kind != kind || !q->needed || q->json) continue;
    status = identify(job, q, e);
    if (!status) q->json = kept(job->o, q);
    if (!status && !q->json && !is_listed(job, q)) job->todo[job->n++] = q;
  }
  if (job->o->emission) return status ? status : emit(job, e);
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  struct process_pool pool = {.n = job->n,
                              .width = job->o->jobs     ? job->o->jobs
                                       : processors > 0 ? (size_t)processors
                                                        : 1,
                              .context = job,
                              .command_of = command_of,
                              .finished = finished};
  if (!status && job->n) status = process_pool_run(&pool, e);
  for (unsigned i = 0; !status && i < job->s->n; i++) {
    struct source *q = &job->s->list[i];
    if (q->kind == kind && q->needed && !q->json) q->json = kept(job->o, q);
  }
  return status;
}

int sources_do_runs(struct sources *s, const struct sources_options *o, enum source_kind kind, struct err *e) {
  struct job job = {.s = s, .o = o};
  int status = process_own_path(job.tandem, sizeof job.tandem, e);
  if (!status) status = process_make_folders(o->out_dir, "name another folder with --runs", e);
  job.todo = calloc(s->n + 1, sizeof *job.todo);
  if (!status && !job.todo) status = err_set(e, ERR_LIMIT, "out of memory");
  if (!status) status = do_all(&job, kind, e);
  free(job.todo);
  return status;
}
