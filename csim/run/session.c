/* SPDX-License-Identifier: Apache-2.0 */
#include "run/session.h"

#include "base/place.h"
#include "base/text.h"
#include "core/registry.h"
#include "own_blocks.h"
#include "rtl_cache.h"
#include "run/out_dir.h"
#include "run/plugin.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct session_variable session_variables[] = {
#define X(name, scope, sentence) {"TANDEM_" #name, sentence, SESSION_##scope},
  SESSION_VARIABLES(X)
#undef X
    {NULL, NULL, SESSION_RUN},
};

_Static_assert(sizeof session_variables / sizeof *session_variables <= SESSION_FILE_VALUES, "a file has fewer values");

const char *session_config_dir(void) {
  const char *dir = getenv("TANDEM_CONFIG_DIR");
  return dir && *dir ? dir : place_configs();
}

/* What the environment, or else tandem.yaml, says; and who says it. */
static const char *variable(const struct session *s, const char *name) { return session_file_value(s->file, name); }
static const char *origin_of(const struct session *s, const char *name, const char *otherwise) {
  return session_file_origin(s->file, name, otherwise);
}

static int set_config(struct session *s, const char *name, struct err *e) {
  snprintf(s->config_name, sizeof s->config_name, "%s", name);
  return gpu_config_load(&s->config, session_config_dir(), name, e);
}

static const char *system_name(const void *list, unsigned i) {
  (void)list;
  return system_at(i) ? system_at(i)->name : NULL;
}

static int set_system(struct session *s, const char *name, struct err *e) {
  s->system = system_find(name);
  if (s->system) return 0;
  const char *near = text_nearest(name, system_name, NULL), *place = origin_of(s, "TANDEM_SYSTEM", "");
  return err_set(e, ERR_VALUE, "%s%sno system '%s'%s%s%s; tandem list systems names them", place, *place ? ": " : "",
                 name, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

static int add_rule(struct session *s, const char *origin, const char *rule, struct err *e) {
  if (s->n_rules == SESSION_RULES_MAX)
    return err_set(e, ERR_USAGE, "%s: more than %d rules", origin, SESSION_RULES_MAX);
  return engine_rule_parse(origin, rule, &s->rules[s->n_rules++], e);
}

/* "FROM:TO" */
static int parse_window(const char *origin, const char *window, uint64_t *first, uint64_t *end, struct err *e) {
  char text[64];
  int64_t from, to;
  snprintf(text, sizeof text, "%s", window);
  char *colon = strchr(text, ':');
  if (colon) *colon = 0;
  if (!colon || !text_to_int64(text, &from) || !text_to_int64(colon + 1, &to) || from < 0 || from >= to)
    return err_set(e, ERR_USAGE, "%s=%s: write FROM:TO in core cycles, FROM < TO", origin, window);
  *first = (uint64_t)from;
  *end = (uint64_t)to;
  return 0;
}

static int set_wave(struct session *s, const char *origin, const char *window, struct err *e) {
  s->wave = true;
  s->wave_from = 0;
  s->wave_to = INT64_MAX;
  return strcmp(window, "all") ? parse_window(origin, window, &s->wave_from, &s->wave_to, e) : 0;
}

static int add_record(struct session *s, const char *origin, const char *pattern, struct err *e) {
  if (s->n_records == SESSION_RECORDS_MAX)
    return err_set(e, ERR_USAGE, "%s: more than %d patterns", origin, SESSION_RECORDS_MAX);
  struct record_rule *r = &s->records[s->n_records++];
  if (strlen(pattern) >= sizeof r->pattern)
    return err_set(e, ERR_USAGE, "%s %s: the pattern is longer than %zu characters", origin, pattern,
                   sizeof r->pattern - 1);
  snprintf(r->pattern, sizeof r->pattern, "%s", pattern);
  return 0;
}

static int add_replace(struct session *s, const char *origin, const char *rule, struct err *e) {
  if (s->n_replaces == SESSION_RECORDS_MAX)
    return err_set(e, ERR_USAGE, "%s: more than %d rules", origin, SESSION_RECORDS_MAX);
  return replace_rule_parse(origin, rule, &s->replaces[s->n_replaces++], e);
}

/* "none", "profiler", "KERNEL" or "KERNEL:N" */
static int add_detail(struct session *s, const char *origin, const char *word, struct err *e) {
  s->functional = true;
  if (!strcmp(word, "none")) return 0;
  if (!strcmp(word, "profiler")) {
    s->detail_profiler = true;
    return 0;
  }
  if (s->n_details == SESSION_DETAILS_MAX)
    return err_set(e, ERR_USAGE, "%s: more than %d kernels; name several by a pattern", origin, SESSION_DETAILS_MAX);
  struct detail_rule *r = &s->details[s->n_details++];
  const char *colon = strrchr(word, ':');
  size_t n = colon ? (size_t)(colon - word) : strlen(word);
  r->launch = -1;
  if (colon && (!text_to_int64(colon + 1, &r->launch) || r->launch < 0))
    return err_set(e, ERR_USAGE, "%s %s: \"%s\" is no number of a launch; write KERNEL:N, N from 0", origin, word,
                   colon + 1);
  if (!n || n >= sizeof r->kernel)
    return err_set(e, ERR_USAGE, "%s %s: the name of the kernel has %zu characters; write 1 to %zu", origin, word, n,
                   sizeof r->kernel - 1);
  snprintf(r->kernel, sizeof r->kernel, "%.*s", (int)n, word);
  return 0;
}

static int set_record_window(struct session *s, const char *origin, const char *window, struct err *e) {
  if (!s->n_records)
    return err_set(e, ERR_USAGE, "%s=%s: nothing is recorded; name instances with --record PATTERN", origin, window);
  return parse_window(origin, window, &s->record_from, &s->record_to, e);
}

static int set_bug(struct session *s, const char *text, struct err *e) {
  const char *colon = strchr(text, ':');
  snprintf(s->bug_block, sizeof s->bug_block, "%.*s", colon ? (int)(colon - text) : 0, text);
  const struct block_desc *desc = block_find(s->bug_block);
  if (!colon || !desc)
    return err_set(e, ERR_VALUE, "TANDEM_BUG=%s: write BLOCK:NAME of a planted bug of configs/blocks.yaml", text);
  for (uint32_t i = 0; i < desc->n_bugs; i++)
    if (!strcmp(desc->bugs[i].name, colon + 1)) s->bug = i + 1;
  if (!s->bug)
    return err_set(e, ERR_VALUE, "TANDEM_BUG=%s: the block %s has no bug '%s'", text, s->bug_block, colon + 1);
  snprintf(s->bug_rtl, sizeof s->bug_rtl, "%s/%s_bugs.v", rtl_paths_default().generated, desc->name);
  return 0;
}

static int set_key(struct session *s, const char *origin, const char *word, struct err *e) {
  return gpu_config_set(&s->config, origin, word, e);
}

/* Calls `use` for each space-separated word of the variable; errors name `origin`. */
static int each_word(struct session *s, const char *name, const char *origin,
                     int (*use)(struct session *, const char *, const char *, struct err *), struct err *e) {
  const char *value = variable(s, name);
  origin = origin_of(s, name, origin);
  char *copy = value ? strdup(value) : NULL, *rest = copy;
  int status = 0;
  for (char *word; copy && !status && (word = strsep(&rest, " "));)
    if (*word) status = use(s, origin, word, e);
  free(copy);
  return status;
}

static int set_records(struct session *s, struct err *e) {
  const char *window = variable(s, "TANDEM_RECORD_WINDOW");
  int status = each_word(s, "TANDEM_RECORD", "--record", add_record, e);
  if (!status && window)
    status = set_record_window(s, origin_of(s, "TANDEM_RECORD_WINDOW", "--record-window"), window, e);
  return status;
}

static const char *variable_name(const void *list, unsigned i) {
  return ((const struct session_variable *)list)[i].name;
}

/* Refuses unknown TANDEM_ variables: a misspelt one would have no effect. */
static int check_names(struct err *e) {
  for (char **entry = environ; *entry; entry++) {
    char name[64];
    size_t n = strcspn(*entry, "=");
    const struct session_variable *v = session_variables;
    if (strncmp(*entry, "TANDEM_", 7) != 0) continue;
    while (v->name && (strlen(v->name) != n || strncmp(v->name, *entry, n) != 0)) v++;
    if (v->name) continue;
    snprintf(name, sizeof name, "%.*s", (int)n, *entry);
    const char *near = text_nearest(name, variable_name, session_variables);
    return err_set(e, ERR_VALUE, "no variable '%s'%s%s%s; tandem list variables names them", name,
                   near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
  }
  return 0;
}

/* "l1,noc" */
static int set_levels(struct session *s, const char *text, struct err *e) {
  static const struct {
    const char *name;
    unsigned bits;
  } levels[] = {{"l1", TRACE_L1},
                {"noc", TRACE_NOC},
                {"l2", TRACE_L2},
                {"dram", TRACE_FULL},
                {"all", TRACE_L1 | TRACE_NOC | TRACE_L2 | TRACE_FULL}};
  for (size_t n; *text; text += n + (text[n] == ',')) {
    size_t i = 0;
    n = strcspn(text, ",");
    while (i < 5 && (strlen(levels[i].name) != n || strncmp(levels[i].name, text, n) != 0)) i++;
    if (i == 5)
      return err_set(e, ERR_VALUE, "%s: there is no level \"%.*s\"; write l1, noc, l2, dram or all, with commas",
                     origin_of(s, "TANDEM_TRACE", "--trace"), (int)n, text);
    s->trace |= levels[i].bits;
  }
  return 0;
}

static int set_trace(struct session *s, struct err *e) {
  const char *text = variable(s, "TANDEM_TRACE_DRAM"), *levels = variable(s, "TANDEM_TRACE");
  if (levels && set_levels(s, levels, e)) return (int)e->code;
  if (!text) return 0;
  if (!strcmp(text, "full")) s->trace |= TRACE_FULL;
  else if (!strcmp(text, "short")) s->trace |= TRACE_SHORT;
  else if (!strcmp(text, "all")) s->trace |= TRACE_FULL | TRACE_SHORT;
  else
    return err_set(e, ERR_VALUE, "%s=%s: write full, short or all",
                   origin_of(s, "TANDEM_TRACE_DRAM", "TANDEM_TRACE_DRAM"), text);
  return 0;
}

/* 0 or 1 into *value, which stays as it is when the variable is not set. */
static int set_flag(const struct session *s, const char *name, bool *value, struct err *e) {
  const char *text = variable(s, name);
  if (text && strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
    return err_set(e, ERR_VALUE, "%s=%s: write 1 or 0", origin_of(s, name, name), text);
  if (text) *value = *text == '1';
  return 0;
}

/* The same for a number in least..most. */
static int set_number(const struct session *s, const char *name, uint32_t least, uint32_t most, uint32_t *value,
                      struct err *e) {
  const char *text = variable(s, name);
  int64_t number = *value;
  if (text && (!text_to_int64(text, &number) || number < least || number > most))
    return err_set(e, ERR_VALUE, "%s=%s: not a number in %u..%u", origin_of(s, name, name), text, least, most);
  *value = (uint32_t)number;
  return 0;
}

/* The number of an SM, `n` characters. */
static int set_konata(struct session *s, const char *text, size_t n, struct err *e) {
  char number[16];
  int64_t sm;
  snprintf(number, sizeof number, "%.*s", (int)n, text);
  if (!text_to_int64(number, &sm) || sm < 0 || sm >= s->config.sm_count)
    return err_set(e, ERR_VALUE, "%s: konata:%s: there is no such SM; write 0 to %d",
                   origin_of(s, "TANDEM_EVENTS", "--events"), number, (int)s->config.sm_count - 1);
  if (s->config.sm_pipeline != PIPELINE_SCOREBOARD)
    return err_set(e, ERR_VALUE, "%s: konata:%s needs sm.pipeline=scoreboard; a barrel is shown by --wave",
                   origin_of(s, "TANDEM_EVENTS", "--events"), number);
  s->events |= EVENTS_CSV | EVENTS_KONATA;
  s->konata_sm = (uint32_t)sm;
  return 0;
}

/* "csv", "sqlite", "perfetto", several of them with commas; 1 is csv, 0 none */
static int set_events(struct session *s, struct err *e) {
  static const struct {
    const char *name;
    unsigned bits;
  } kinds[] = {{"0", EVENTS_NONE},
               {"1", EVENTS_CSV},
               {"csv", EVENTS_CSV},
               {"sqlite", EVENTS_CSV | EVENTS_SQLITE},
               {"perfetto", EVENTS_CSV | EVENTS_PERFETTO}};
  enum { KINDS = sizeof kinds / sizeof *kinds };
  const char *text = variable(s, "TANDEM_EVENTS");
  for (size_t n; text && *text; text += n + (text[n] == ',')) {
    size_t i = 0;
    n = strcspn(text, ",");
    if (n > 7 && !strncmp(text, "konata:", 7)) {
      int status = set_konata(s, text + 7, n - 7, e);
      if (status) return status;
      continue;
    }
    while (i < KINDS && (strlen(kinds[i].name) != n || strncmp(kinds[i].name, text, n) != 0)) i++;
    if (i == KINDS)
      return err_set(e, ERR_VALUE, "%s=%s (--events=%s): write csv, sqlite, perfetto or konata:SM, several with commas",
                     origin_of(s, "TANDEM_EVENTS", "TANDEM_EVENTS"), text, text);
    s->events |= kinds[i].bits;
  }
  return 0;
}

static int set_switches(struct session *s, struct err *e) {
  bool no_skip = false, progress = false;
  int status = set_number(s, "TANDEM_SEED", 0, UINT32_MAX, &s->seed, e);
  if (!status) status = set_number(s, "TANDEM_THREADS", 1, SESSION_THREADS_MAX, &s->threads, e);
  s->check_threads = dpi_spare_threads(s->threads);
  if (!status) status = set_number(s, "TANDEM_CHECK_THREADS", 0, CHECK_THREADS_MAX, &s->check_threads, e);
  if (!status) status = set_flag(s, "TANDEM_COUPLED", &s->coupled, e);
  if (!status) status = set_flag(s, "TANDEM_NO_SKIP", &no_skip, e);
  s->snapshot = SESSION_SNAPSHOT;
  if (!status) status = set_number(s, "TANDEM_SNAPSHOT", 0, UINT32_MAX, &s->snapshot, e);
  if (!status) status = set_number(s, "TANDEM_AGAIN", 0, INT32_MAX, &s->again, e);
  s->recorder = true;
  if (!status) status = set_flag(s, "TANDEM_RECORDER", &s->recorder, e);
  if (!status) status = set_flag(s, "TANDEM_RTL_COVERAGE", &s->rtl_coverage, e);
  if (s->rtl_coverage) s->recorder = false; /* models that count cannot save their state */
  if (!status) status = set_flag(s, "TANDEM_PROGRESS", &progress, e);
  if (!status) status = set_flag(s, "TANDEM_CHECK_DRAM", &s->check_dram, e);
  if (!status) status = set_events(s, e);
  if (!status) status = set_flag(s, "TANDEM_HISTOGRAMS", &s->histograms, e);
  if (!status) status = set_flag(s, "TANDEM_LINES", &s->lines, e);
  if (!status) status = set_flag(s, "TANDEM_KERNELS", &s->kernels, e);
  if (!status) status = set_flag(s, "TANDEM_PROFILE", &s->profile, e);
  if (!status) status = set_number(s, "TANDEM_SAMPLE", 0, UINT32_MAX, &s->sample, e);
  s->skip = !no_skip;
  s->progress = !variable(s, "TANDEM_PROGRESS") ? PROGRESS_ON_TERMINAL : progress ? PROGRESS_ALWAYS : PROGRESS_NEVER;
  return status;
}

static int set_out_dir(struct session *s, struct err *e) {
  const char *out = variable(s, "TANDEM_OUT");
  const char *needs = s->wave           ? "waves need"
                      : s->n_records    ? "recordings need"
                      : s->rtl_coverage ? "coverage needs"
                      : s->events       ? "events need"
                      : s->sample       ? "samples need"
                      : s->histograms   ? "histograms need"
                      : s->lines        ? "lines need"
                      : s->kernels      ? "the metrics of kernels need"
                      : s->trace        ? "a trace needs"
                                        : NULL;
  snprintf(s->out_dir, sizeof s->out_dir, "%s", out ? out : "");
  if (out) return out_dir_make(s->out_dir, e);
  return needs ? err_set(e, ERR_USAGE, "%s an output folder; set TANDEM_OUT", needs) : 0;
}

/* The absolute path of the file that a variable names. */
static void note_file(const struct session *s, const char *name, char out[SESSION_TEXT_BYTES]) {
  const char *given = variable(s, name);
  char *full = given ? realpath(given, NULL) : NULL;
  snprintf(out, SESSION_TEXT_BYTES, "%s", full ? full : "");
  free(full);
}

bool session_has_snapshots(const struct session *s) {
  bool lockstep = s->n_records > 0;
  for (uint32_t i = 0; i < s->n_rules; i++) lockstep |= s->rules[i].engine == ENGINE_LOCKSTEP;
  return lockstep && s->snapshot && *s->out_dir && !s->wave && !s->rtl_coverage && !*s->capture;
}

/* Reads everything that the environment and the file say. */
static int read_settings(struct session *s, struct err *e) {
  const char *config = variable(s, "TANDEM_MACHINE"), *system = variable(s, "TANDEM_SYSTEM");
  const char *wave = variable(s, "TANDEM_WAVE"), *bug = variable(s, "TANDEM_BUG");
  int status = plugin_open(variable(s, "TANDEM_PLUGIN"), e); /* its parameters have defaults, too */
  gpu_config_defaults(&s->config);
  if (!status) status = set_config(s, config ? config : "gtx480", e);
  if (!status) status = each_word(s, "TANDEM_SET", "--set", set_key, e);
  if (!status) status = gpu_config_check(&s->config, e);
  if (!status && system) status = set_system(s, system, e);
  if (!status) status = each_word(s, "TANDEM_ENGINE", "--engine", add_rule, e);
  if (!status) status = own_blocks_open(variable(s, "TANDEM_MANIFEST"), e);
  if (!status) status = each_word(s, "TANDEM_REPLACE", "--replace", add_replace, e);
  if (!status) status = each_word(s, "TANDEM_DETAIL", "--detail", add_detail, e);
  if (!status && wave) status = set_wave(s, origin_of(s, "TANDEM_WAVE", "--wave"), wave, e);
  if (!status) status = set_records(s, e);
  if (!status && bug) status = set_bug(s, bug, e);
  if (!status) status = set_switches(s, e);
  if (!status) status = set_trace(s, e);
  if (!status && s->rtl_coverage && s->wave)
    status =
      err_set(e, ERR_USAGE, "--rtl-coverage and --wave are of different builds of the models; leave one of them out");
  return status ? status : set_out_dir(s, e);
}

/* A run that repeats another one leaves a wave, and nothing else of what that one leaves. */
static void leave_results_out(struct session *s) {
  s->sample = 0;
  s->recorder = s->histograms = s->lines = s->kernels = s->profile = false;
  s->events = EVENTS_NONE;
  s->trace = TRACE_NONE;
  s->progress = PROGRESS_NEVER;
  *s->decisions = 0;
}

int session_from_environment(struct session *s, struct err *e) {
  const char *workload = getenv("TANDEM_WORKLOAD"), *capture = getenv("TANDEM_CAPTURE");
  const char *decisions = getenv("TANDEM_DECISIONS");
  memset(s, 0, sizeof *s);
  s->seed = s->threads = 1;
  snprintf(s->workload, sizeof s->workload, "%s", workload ? workload : "");
  snprintf(s->capture, sizeof s->capture, "%s", capture ? capture : "");
  snprintf(s->decisions, sizeof s->decisions, "%s", decisions ? decisions : "");
  struct session_file *file = calloc(1, sizeof *file);
  if (!file) return err_set(e, ERR_LIMIT, "out of memory for the settings");
  int status = check_names(e);
  if (!status) status = session_file_read(file, session_variables, e);
  s->file = file;
  if (!status) {
    note_file(s, "TANDEM_PLUGIN", s->plugin);
    note_file(s, "TANDEM_MANIFEST", s->manifest);
    status = read_settings(s, e);
  }
  if (s->again) leave_results_out(s);
  session_file_clear(file);
  free(file);
  s->file = NULL;
  return status;
}
