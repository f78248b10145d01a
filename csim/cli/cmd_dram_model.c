/* SPDX-License-Identifier: Apache-2.0 */
/* tandem dram-model: the hybrid analytical model (dram/model.h) on traces, one per controller. */
#include "base/err.h"
#include "base/json_out.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/dram_options.h"
#include "dram/model.h"
#include "study/dram_trace.h"

#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRACES_MAX = 256, BANKS_MAX = 64 };
enum { NO_OVERLAP, FULL_OVERLAP, HEURISTICS };
enum { OLDEST, FULLEST, POLICIES };

/* Sums over all controllers. */
struct sums {
  struct dram_model_result of[POLICIES][HEURISTICS];
  uint64_t requests;
};

/* "0:17,1:4": bank 0 has row 17 open when the trace starts. */
static int parse_open(const char *text, uint32_t banks, int64_t open[BANKS_MAX], struct err *e) {
  char copy[1024], *rest = copy;
  for (int b = 0; b < BANKS_MAX; b++) open[b] = -1;
  if (!text) return 0;
  snprintf(copy, sizeof copy, "%s", text);
  for (char *word; (word = strsep(&rest, ","));) {
    char *colon = strchr(word, ':');
    int64_t bank, row;
    if (colon) *colon = 0;
    if (!colon || !text_to_int64(word, &bank) || !text_to_int64(colon + 1, &row) || bank < 0 || bank >= banks ||
        row < 0 || row > UINT32_MAX)
      return err_set(e, ERR_USAGE, "--open %s: write BANK:ROW,... with banks below %u", text, banks);
    open[bank] = row;
  }
  return 0;
}

/* The requests of one controller, in the order of the trace. */
static size_t of_channel(const struct dram_trace *t, uint32_t channel, struct dram_model_request *out) {
  size_t n = 0;
  for (size_t i = 0; i < t->n; i++)
    if (t->rows[i].channel == channel) out[n++] = (struct dram_model_request){t->rows[i].bank, t->rows[i].row};
  return n;
}

static int add_controller(const struct dram_model_config *c, const struct dram_model_request *r, size_t n,
                          const int64_t *open, struct sums *s, struct err *e) {
  s->requests += n;
  for (int p = 0; p < POLICIES; p++)
    for (int h = 0; h < HEURISTICS; h++) {
      struct dram_model_config own = *c;
      own.fullest = p == FULLEST;
      own.full_overlap = h == FULL_OVERLAP;
      if (dram_model_run(&own, r, n, open, &s->of[p][h], e)) return (int)e->code;
    }
  return 0;
}

static int add_trace(const struct gpu_config *m, const char *path, const int64_t *open, struct sums *s, struct err *e) {
  struct dram_model_config c;
  struct dram_trace t;
  dram_model_from_config(&c, m);
  int code = dram_trace_read(&t, path, m, 1U << TRACE_BANK | 1U << TRACE_ROW, e);
  if (code) return code;
  struct dram_model_request *r = malloc((t.n + 1) * sizeof *r);
  uint32_t channels = t.columns >> TRACE_CHANNEL & 1 ? (uint32_t)m->dram_channels : 1;
  if (!r) code = err_set(e, ERR_LIMIT, "%s: out of memory for %zu requests", path, t.n);
  for (uint32_t i = 0; !code && i < channels; i++) code = add_controller(&c, r, of_channel(&t, i, r), open, s, e);
  free(r);
  dram_trace_free(&t);
  return code;
}

/* A trace, or the requests.mcN.csv of a run's folder. */
static int add(const struct gpu_config *m, const char *path, const int64_t *open, struct sums *s, struct err *e) {
  struct stat st;
  int code = 0;
  if (stat(path, &st) || !S_ISDIR(st.st_mode)) return add_trace(m, path, open, s, e);
  for (int64_t i = 0; i < m->dram_channels && !code; i++) {
    char file[PATH_MAX];
    snprintf(file, sizeof file, "%s/requests.mc%" PRId64 ".csv", path, i);
    if (access(file, R_OK))
      code = err_set(e, ERR_FILE,
                     "there is no %s: run with --trace-dram, and name the GPU configuration of the run (-c)", file);
    if (!code) code = add_trace(m, file, open, s, e);
  }
  return code;
}

static double efficiency(const struct dram_model_result *r) {
  return r->cycles ? (double)r->moved / (double)r->cycles : 0;
}
static double averaged(const struct dram_model_result r[HEURISTICS]) {
  return (efficiency(&r[NO_OVERLAP]) + efficiency(&r[FULL_OVERLAP])) / 2;
}

/* Without requests there is no efficiency. */
static json_t *real(const struct sums *s, double value) { return s->requests ? json_real(value) : json_null(); }

static void print_json(const struct sums *s, const struct gpu_config *m, int policy) {
  const struct dram_model_result *r = s->of[policy];
  json_t *j = json_object();
  json_object_set_new(j, "no_activate_overlap", real(s, efficiency(&r[NO_OVERLAP])));
  json_object_set_new(j, "full_activate_overlap", real(s, efficiency(&r[FULL_OVERLAP])));
  json_object_set_new(j, "averaged", real(s, averaged(r)));
  json_object_set_new(j, "most_pending", real(s, averaged(s->of[FULLEST])));
  json_object_set_new(j, "most_pending_no_activate_overlap", real(s, efficiency(&s->of[FULLEST][NO_OVERLAP])));
  json_object_set_new(j, "most_pending_full_activate_overlap", real(s, efficiency(&s->of[FULLEST][FULL_OVERLAP])));
  json_object_set_new(j, "periods", json_integer((json_int_t)r[NO_OVERLAP].periods));
  json_object_set_new(j, "full_overlap_periods", json_integer((json_int_t)r[FULL_OVERLAP].periods));
  json_object_set_new(j, "requests", json_integer((json_int_t)s->requests));
  json_object_set_new(j, "queue", json_integer(m->dram_queue));
  json_out(j, "dram-model/1", 0, stdout);
  json_decref(j);
}

static void print_row(const char *name, const struct dram_model_result *r) {
  printf("%-24s %8.4f %12" PRIu64 " %14" PRIu64 " %14" PRIu64 "\n", name, efficiency(r), r->periods, r->moved,
         r->cycles);
}

static void print(const struct sums *s, const struct gpu_config *m) {
  printf("%" PRIu64 " requests, a window of %" PRId64 "\n", s->requests, m->dram_queue);
  if (!s->requests) return;
  printf("%-24s %8s %12s %14s %14s\n", "", "efficiency", "periods", "data cycles", "cycles");
  print_row("no activate overlap", &s->of[OLDEST][NO_OVERLAP]);
  print_row("full activate overlap", &s->of[OLDEST][FULL_OVERLAP]);
  printf("%-24s %8.4f\n", "averaged", averaged(s->of[OLDEST]));
  print_row("Most Pending, no overlap", &s->of[FULLEST][NO_OVERLAP]);
  print_row("Most Pending, full", &s->of[FULLEST][FULL_OVERLAP]);
  printf("%-24s %8.4f\n", "Most Pending, averaged", averaged(s->of[FULLEST]));
}

int cmd_dram_model(int argc, char **argv) {
  struct dram_options o = {0};
  const char *policy = "fr_fcfs", *open_text = NULL, *traces[TRACES_MAX];
  bool json = false, help;
  const struct cli_option options[] = {
    {"-c", CLI_TEXT, &o.gpu, "GPU", "GPU configuration whose DRAM is used (default: gt200)", 0, 0},
    {"--set", CLI_LIST, &o.set, "KEY=VALUE", "change one parameter of the GPU configuration (tandem list parameters)",
     0, 0},
    {"--timing", CLI_LIST, &o.timing, "KEY=CYCLES", "change a DRAM timing, for example tRC=34", 0, 0},
    {"--queue", CLI_NUMBER, &o.queue, "N",
     "entries of the controller's queue, the window of the model (default: that of the configuration)", 1, 1024},
    {"--chips", CLI_NUMBER, &o.chips, "N", "GDDR3 chips per controller: 1, 2, 4 or 8", 1, 8},
    {"--policy", CLI_TEXT, &policy, "P", "policy whose heuristics are used: fr_fcfs or most_pending (default: fr_fcfs)",
     0, 0},
    {"--open", CLI_TEXT, &open_text, "B:ROW,...",
     "rows that are open at the start (default: in each bank the row of its first request)", 0, 0},
    {"--json", CLI_FLAG, &json, NULL, "print a JSON object: efficiencies from 0 to 1, periods", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "dram-model",
    .brief =
      "Predicts DRAM efficiency from a trace without simulating (Yuan 2009, chapter 3). A trace has the header bank,row and one\n"
      "request per line, in order of arrival at one controller. Several files stand for several controllers. The folder of a\n"
      "run with --trace-dram, or its requests.csv, holds the requests of all controllers.",
    .usage = "TRACE.csv|DIR... [options]",
    .example = "tandem run vecadd -c gt200 --trace-dram --out /tmp/v && tandem dram-model /tmp/v --queue 32",
    .options = options,
    .positional_min = 1,
    .positional_max = TRACES_MAX};
  struct err e = {0};
  struct gpu_config m;
  struct sums sums = {0};
  int64_t open[BANKS_MAX];
  unsigned n;
  int status = cli_parse(&command, argc, argv, traces, &n, &help, &e);
  if (help) return 0;
  bool fullest = !strcmp(policy, "most_pending");
  if (!status && !fullest && strcmp(policy, "fr_fcfs") != 0)
    status = err_set(&e, ERR_USAGE, "--policy %s: the model knows fr_fcfs and most_pending", policy);
  if (!status) status = dram_options_config(&o, &m, &e);
  if (!status) status = parse_open(open_text, (uint32_t)m.dram_banks, open, &e);
  for (unsigned i = 0; i < n && !status; i++) status = add(&m, traces[i], open, &sums, &e);
  if (status) return cli_fail("dram-model", &e);
  if (json) print_json(&sums, &m, fullest ? FULLEST : OLDEST);
  else print(&sums, &m);
  return 0;
}
