/* SPDX-License-Identifier: Apache-2.0 */
/* Commands timed side by side. */
#include "base/err.h"
#include "base/host_clock.h"
#include "base/process.h"
#include "base/sorted.h"
#include "bench/bench.h"
#include "run/run_folder.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct bench_spread bench_spread(const double *values, unsigned n) {
  double sorted[BENCH_ROUNDS_MAX];
  if (!n) return (struct bench_spread){0};
  memcpy(sorted, values, n * sizeof *sorted);
  sorted_doubles(sorted, n);
  return (struct bench_spread){sorted_quantile(sorted, n, 0.5), sorted[0], sorted[n - 1]};
}

int bench_add(struct bench *b, const char *name, const char *arguments, int base, double wanted_wall,
              double wanted_processor) {
  if (b->n_runs == BENCH_RUNS_MAX) return -1;
  struct bench_run *r = &b->run[b->n_runs];
  *r = (struct bench_run){.base = base, .wanted_wall = wanted_wall, .wanted_processor = wanted_processor};
  snprintf(r->name, sizeof r->name, "%s", name);
  snprintf(r->command, sizeof r->command, "%s", arguments);
  return (int)b->n_runs++;
}

/* The child's part: never returns. */
static void become(const char *command, const char *where, const char *log) {
  int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600), in = open("/dev/null", O_RDONLY);
  if (out < 0 || in < 0 || (where && chdir(where))) _exit(127);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  execl("/bin/sh", "sh", "-c", command, (char *)NULL);
  _exit(127);
}

static double seconds_of(const struct timeval *t) { return (double)t->tv_sec + 1e-6 * (double)t->tv_usec; }

int bench_time(const char *command, const char *where, const char *log, struct bench_sample *s, struct err *e) {
  struct rusage used;
  int how = 0;
  fflush(NULL);
  double start = host_seconds();
  pid_t child = fork();
  if (child < 0) return err_set(e, ERR_LIMIT, "cannot start: %s", command);
  if (!child) become(command, where, log);
  if (wait4(child, &how, 0, &used) != child) return err_set(e, ERR_INTERNAL, "lost: %s", command);
  *s = (struct bench_sample){.wall = host_seconds() - start,
                             .processor = seconds_of(&used.ru_utime) + seconds_of(&used.ru_stime),
                             .megabytes = (double)used.ru_maxrss / 1024};
  if (WIFEXITED(how) && !WEXITSTATUS(how)) return 0;
  char end[512];
  process_log_tail(log, end, sizeof end);
  return err_set(e, ERR_CHECK, "failed: %s: %s", command, end);
}

static double number(const json_t *j, const char *key) { return (double)json_integer_value(json_object_get(j, key)); }

static int read_result(const char *dir, struct bench_run *r, struct bench_sample *s, struct err *e) {
  char path[64];
  snprintf(path, sizeof path, "%s/run.json", dir);
  json_t *j = json_load_file(path, 0, NULL);
  const json_t *statistics = json_object_get(j, "statistics"), *sm = json_object_get(statistics, "sm");
  s->launches = json_real_value(json_object_get(json_object_get(j, "timing"), "seconds"));
  r->cycles = number(statistics, "core_cycles");
  r->warps = number(sm, "warp_instructions");
  r->threads = number(sm, "thread_instructions");
  json_decref(j);
  return s->launches > 0 ? 0 : err_set(e, ERR_CHECK, "no time in run.json after: tandem %s", r->command);
}

int bench_execute(struct bench *b, struct err *e) {
  char self[1024], command[4096], log[RUN_FOLDER_BYTES + 8], dir[RUN_FOLDER_BYTES];
  int status = process_own_path(self, sizeof self, e);
  if (!status) status = run_folder(dir, "bench", e);
  if (status) return status;
  snprintf(log, sizeof log, "%s.log", dir);
  for (unsigned round = 0; round < b->rounds && !status; round++)
    for (unsigned i = 0; i < b->n_runs && !status; i++) {
      struct bench_run *r = &b->run[i];
      snprintf(command, sizeof command, "'%s' %s --out '%s'", self, r->command, dir);
      status = bench_time(command, NULL, log, &r->sample[round], e);
      if (!status) status = read_result(dir, r, &r->sample[round], e);
    }
  unlink(log);
  snprintf(command, sizeof command, "rm -rf '%s'", dir); /* runs in lockstep leave folders in it */
  if (system(command) && !status) status = err_set(e, ERR_FILE, "cannot remove %s", dir);
  return status;
}

enum part { WALL, PROCESSOR };

static double part_of(const struct bench_sample *s, enum part part) { return part == WALL ? s->wall : s->processor; }

static struct bench_spread of_rounds(const struct bench *b, unsigned run, enum part part, bool ratio) {
  double values[BENCH_ROUNDS_MAX];
  const struct bench_run *r = &b->run[run];
  for (unsigned i = 0; i < b->rounds; i++) {
    values[i] = part_of(&r->sample[i], part);
    if (ratio) values[i] /= part_of(&b->run[r->base].sample[i], part);
  }
  return bench_spread(values, b->rounds);
}

struct bench_spread bench_wall(const struct bench *b, unsigned run) {
  return of_rounds(b, run, WALL, false);
}
struct bench_spread bench_processor(const struct bench *b, unsigned run) {
  return of_rounds(b, run, PROCESSOR, false);
}
struct bench_spread bench_wall_ratio(const struct bench *b, unsigned run) {
  return of_rounds(b, run, WALL, true);
}
struct bench_spread bench_processor_ratio(const struct bench *b, unsigned run) {
  return of_rounds(b, run, PROCESSOR, true);
}
