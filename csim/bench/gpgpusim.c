/* SPDX-License-Identifier: Apache-2.0 */
/* The same program, and so the same PTX, under GPGPU-Sim and here, in turn: a ratio of one host and one hour. GPGPU-Sim takes the
 * place of libcudart.so and reads gpgpusim.config in the folder in which the program runs; it prints its counts. */
#define _XOPEN_SOURCE 700
#include "base/err.h"
#include "base/json_out.h"
#include "base/process.h"
#include "bench/bench.h"
#include "run/run_folder.h"

#include <ftw.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One side of the comparison. */
struct side {
  const char *name;
  char command[4096];
  double instructions, cycles; /* of all threads; of the core's clock */
  struct bench_sample sample[BENCH_ROUNDS_MAX];
};

static char library_folder[1024]; /* what nftw() has found; it takes no argument for us */

static int look(const char *path, const struct stat *st, int kind, struct FTW *at) {
  (void)st;
  if (kind == FTW_D || strcmp(path + at->base, "libcudart.so") != 0) return 0;
  snprintf(library_folder, sizeof library_folder, "%.*s", at->base > 1 ? at->base - 1 : 1, path);
  return 1;
}

/* Appends a word for sh. */
static int quote(char *out, size_t size, const char *word, struct err *e) {
  size_t n = strlen(out);
  if (n + 4 * strlen(word) + 4 > size) return err_set(e, ERR_USAGE, "--gpgpusim: the program's arguments are too long");
  out[n++] = ' ';
  out[n++] = '\'';
  for (; *word; word++) {
    if (*word == '\'') n += (size_t)sprintf(out + n, "'\\''");
    else out[n++] = *word;
  }
  out[n++] = '\'';
  out[n] = 0;
  return 0;
}

static int their_command(struct side *s, const char *dir, const char *const *program, unsigned n, struct err *e) {
  library_folder[0] = 0;
  if (nftw(dir, look, 16, FTW_PHYS) < 1)
    return err_set(e, ERR_FILE, "--gpgpusim %s: no libcudart.so below it; build GPGPU-Sim there first", dir);
  if (access("gpgpusim.config", R_OK))
    return err_set(e, ERR_FILE,
                   "--gpgpusim %s: no gpgpusim.config in this folder, where GPGPU-Sim looks for it; copy those of "
                   "configs/tested-cfgs/SM2_GTX480 here",
                   dir);
  int status = 0;
  snprintf(s->command, sizeof s->command,
           "GPGPUSIM_ROOT='%s' LD_LIBRARY_PATH='%s'${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}", dir, library_folder);
  for (unsigned i = 0; i < n && !status; i++) status = quote(s->command, sizeof s->command, program[i], e);
  return status;
}

static int our_command(struct side *s, const char *out, const char *const *program, unsigned n, struct err *e) {
  char self[1024];
  int status = process_own_path(self, sizeof self, e);
  if (status) return status;
  snprintf(s->command, sizeof s->command, "'%s' run", self);
  status = quote(s->command, sizeof s->command, program[0], e);
  size_t used = strlen(s->command);
  snprintf(s->command + used, sizeof s->command - used, " -c gtx480_gpgpusim --out '%s' --", out);
  for (unsigned i = 1; i < n && !status; i++) status = quote(s->command, sizeof s->command, program[i], e);
  return status;
}

/* The number behind the last line that begins with `key`. */
static double printed(const char *log, const char *key) {
  char line[512];
  double value = 0;
  FILE *f = fopen(log, "r");
  while (f && fgets(line, sizeof line, f))
    if (!strncmp(line, key, strlen(key)) && strchr(line, '=')) value = strtod(strchr(line, '=') + 1, NULL);
  if (f) fclose(f);
  return value;
}

static int time_theirs(struct side *s, const char *log, unsigned round, struct err *e) {
  int status = bench_time(s->command, NULL, log, &s->sample[round], e);
  if (status) return status;
  s->instructions = printed(log, "gpu_tot_sim_insn");
  s->cycles = printed(log, "gpu_tot_sim_cycle");
  return s->instructions > 0
           ? 0
           : err_set(e, ERR_CHECK,
                     "GPGPU-Sim printed no gpu_tot_sim_insn; is the program linked with -cudart shared, and "
                     "does it find %s/libcudart.so?",
                     library_folder);
}

static int time_ours(struct side *s, const char *out, const char *log, unsigned round, struct err *e) {
  int status = bench_time(s->command, NULL, log, &s->sample[round], e);
  if (status) return status;
  char path[80];
  snprintf(path, sizeof path, "%s/run.json", out);
  json_t *j = json_load_file(path, 0, NULL);
  const json_t *statistics = json_object_get(j, "statistics");
  s->instructions =
    (double)json_integer_value(json_object_get(json_object_get(statistics, "sm"), "thread_instructions"));
  s->cycles = (double)json_integer_value(json_object_get(statistics, "core_cycles"));
  json_decref(j);
  return s->instructions > 0 ? 0 : err_set(e, ERR_CHECK, "%s launched no kernel here", s->command);
}

static double rate(const struct side *s, unsigned round) { return s->instructions / s->sample[round].processor; }

struct comparison {
  struct bench_spread rate[2], rates,
    times; /* M thread instructions a second; ours over theirs; their time over ours */
};

static struct comparison compare(const struct side s[2], unsigned rounds) {
  double ratio[BENCH_ROUNDS_MAX], times[BENCH_ROUNDS_MAX], rates[2][BENCH_ROUNDS_MAX];
  for (unsigned i = 0; i < rounds; i++) {
    for (unsigned k = 0; k < 2; k++) rates[k][i] = rate(&s[k], i) / 1e6;
    ratio[i] = rates[1][i] / rates[0][i];
    times[i] = s[0].sample[i].processor / s[1].sample[i].processor;
  }
  return (struct comparison){{bench_spread(rates[0], rounds), bench_spread(rates[1], rounds)},
                             bench_spread(ratio, rounds),
                             bench_spread(times, rounds)};
}

static void print(const struct side s[2], const struct comparison *c, unsigned rounds, FILE *f) {
  for (unsigned k = 0; k < 2; k++)
    fprintf(f, "%-10s %14.0f thread instructions %12.0f core cycles %10.3f M thread instructions/s of processor time\n",
            s[k].name, s[k].instructions, s[k].cycles, c->rate[k].median);
  fprintf(f, "ratio of rates %.1f (%.1f..%.1f); whole program %.1f times as fast (%.1f..%.1f); %u rounds in turn\n",
          c->rates.median, c->rates.low, c->rates.high, c->times.median, c->times.low, c->times.high, rounds);
}

static json_t *side_object(const struct side *s, const struct bench_spread *rate) {
  return json_pack("{s:f, s:f, s:f}", "thread_instructions", s->instructions, "core_cycles", s->cycles,
                   "million_per_second", rate->median);
}

static void print_json(const struct side s[2], const struct comparison *c, unsigned rounds, FILE *f) {
  json_t *j =
    json_pack("{s:i, s:o, s:o, s:f, s:f}", "rounds", (int)rounds, "gpgpusim", side_object(&s[0], &c->rate[0]), "tandem",
              side_object(&s[1], &c->rate[1]), "ratio_of_rates", c->rates.median, "times_as_fast", c->times.median);
  json_out(j, "bench-gpgpusim/1", 0, f);
  json_decref(j);
}

int bench_gpgpusim(const char *dir, const char *const *program, unsigned n, unsigned rounds, bool json, FILE *f,
                   struct err *e) {
  struct side *s = calloc(2, sizeof *s);
  char out[RUN_FOLDER_BYTES], log[RUN_FOLDER_BYTES + 8], command[2 * RUN_FOLDER_BYTES + 32];
  if (!s) return err_set(e, ERR_LIMIT, "out of memory");
  s[0].name = "GPGPU-Sim";
  s[1].name = "Tandem";
  int status =
    n ? their_command(&s[0], dir, program, n, e)
      : err_set(e, ERR_USAGE, "--gpgpusim %s: which program? tandem bench --gpgpusim DIR -- ./a.out ARGUMENT...", dir);
  if (!status) status = run_folder(out, "bench", e);
  bool made = !status;
  if (!status) status = our_command(&s[1], out, program, n, e);
  if (made) snprintf(log, sizeof log, "%s.log", out);
  for (unsigned i = 0; i < rounds && !status; i++) {
    status = time_theirs(&s[0], log, i, e);
    if (!status) status = time_ours(&s[1], out, log, i, e);
  }
  if (!status) {
    struct comparison c = compare(s, rounds);
    (json ? print_json : print)(s, &c, rounds, f);
  }
  snprintf(command, sizeof command, "rm -rf '%s' '%s'", out, log);
  if (made && system(command) && !status) status = err_set(e, ERR_FILE, "cannot remove %s", out);
  free(s);
  return status;
}
