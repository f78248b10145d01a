/* SPDX-License-Identifier: Apache-2.0 */
#include "run/session.h"

#include "base/text.h"
#include "rtl_cache.h"
#include "systems/systems.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct session_variable session_variables[] = {
#define X(name, sentence) {"TANDEM_" #name, sentence},
  SESSION_VARIABLES(X)
#undef X
    {NULL, NULL},
};

const char *session_config_dir(void) {
  const char *dir = getenv("TANDEM_CONFIG_DIR");
  return dir && *dir ? dir : TANDEM_CONFIG_DIR;
}

int session_set_config(struct session *s, const char *name, struct err *e) {
  snprintf(s->config_name, sizeof s->config_name, "%s", name);
  return gpu_config_load(&s->config, session_config_dir(), name, e);
}

static const char *system_name(const void *list, unsigned i) {
  const struct system_ops *const *all = list;
  return all[i] ? all[i]->name : NULL;
}

int session_set_system(struct session *s, const char *name, struct err *e) {
  if (s->system && strcmp(s->system->name, name))
    return err_set(e, ERR_USAGE, "systems %s and %s: only one system can be switched on", s->system->name, name);
  s->system = system_find(name);
  if (s->system) return 0;
  const char *near = text_nearest(name, system_name, system_all);
  return err_set(e, ERR_VALUE, "no system '%s'%s%s%s; tandem list systems names them", name,
                 near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

int session_add_engine(struct session *s, const char *origin, const char *rule, struct err *e) {
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

int session_set_wave(struct session *s, const char *origin, const char *window, struct err *e) {
  s->wave = true;
  s->wave_from = 0;
  s->wave_to = INT64_MAX;
  return strcmp(window, "all") ? parse_window(origin, window, &s->wave_from, &s->wave_to, e) : 0;
}

int session_add_record(struct session *s, const char *origin, const char *pattern, struct err *e) {
  if (s->n_records == SESSION_RECORDS_MAX)
    return err_set(e, ERR_USAGE, "%s: more than %d patterns", origin, SESSION_RECORDS_MAX);
  struct record_rule *r = &s->records[s->n_records++];
  if (strlen(pattern) >= sizeof r->pattern)
    return err_set(e, ERR_USAGE, "%s %s: the pattern is longer than %zu characters", origin, pattern,
                   sizeof r->pattern - 1);
  snprintf(r->pattern, sizeof r->pattern, "%s", pattern);
  return 0;
}

int session_set_record_window(struct session *s, const char *origin, const char *window, struct err *e) {
  if (!s->n_records)
    return err_set(e, ERR_USAGE, "%s=%s: nothing is recorded; name instances with --record PATTERN", origin, window);
  return parse_window(origin, window, &s->record_from, &s->record_to, e);
}

int session_set_bug(struct session *s, const char *text, struct err *e) {
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

int session_make_out_dir(const struct session *s, struct err *e) {
  char part[SESSION_TEXT_BYTES];
  struct stat st;
  if (!*s->out_dir) return 0;
  for (size_t i = 1; i <= strlen(s->out_dir); i++) {
    if (s->out_dir[i] != '/' && s->out_dir[i]) continue;
    snprintf(part, sizeof part, "%.*s", (int)i, s->out_dir);
    if (mkdir(part, 0777) && errno != EEXIST)
      return err_set(e, ERR_FILE, "cannot make the output folder %s: %s; name a writable one with --out", part,
                     strerror(errno));
  }
  if (!stat(s->out_dir, &st) && !S_ISDIR(st.st_mode))
    return err_set(e, ERR_FILE, "the output folder %s is a file; name a folder with --out", s->out_dir);
  if (access(s->out_dir, W_OK))
    return err_set(e, ERR_FILE, "cannot write to the output folder %s: %s; name a writable one with --out", s->out_dir,
                   strerror(errno));
  return 0;
}

/* Removes START*.csv from the output folder. */
static void remove_files(const struct session *s, const char *start) {
  DIR *d = *s->out_dir ? opendir(s->out_dir) : NULL;
  size_t least = strlen(start) + 4;
  for (struct dirent *f; d && (f = readdir(d));) {
    size_t n = strlen(f->d_name);
    if (n < least || strncmp(f->d_name, start, least - 4) != 0 || strcmp(f->d_name + n - 4, ".csv") != 0) continue;
    unlinkat(dirfd(d), f->d_name, 0);
  }
  if (d) closedir(d);
}

/* stimulus.INSTANCE.csv */
void session_remove_recordings(const struct session *s) { remove_files(s, "stimulus."); }
void session_remove_traces(const struct session *s) {
  char path[SESSION_TEXT_BYTES + 32];
  snprintf(path, sizeof path, "%s/requests.csv", s->out_dir);
  if (*s->out_dir) unlink(path);
  remove_files(s, "requests.mc");
}

void session_remove_results(const struct session *s) {
  static const char *const names[] = {"run.json",       "statistics.csv",  "wave.fst",     "wave.gtkw",
                                      "divergence.txt", "divergence.json", "stimulus.csv", "events.csv"};
  for (size_t i = 0; i < sizeof names / sizeof *names && *s->out_dir; i++) {
    char path[SESSION_TEXT_BYTES + 32];
    snprintf(path, sizeof path, "%s/%s", s->out_dir, names[i]);
    unlink(path);
  }
  session_remove_recordings(s);
  session_remove_traces(s);
}

static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

/* Calls `use` for each space-separated word of the variable. */
static int each_word(struct session *s, const char *name,
                     int (*use)(struct session *, const char *, const char *, struct err *), struct err *e) {
  const char *value = variable(name);
  char *copy = value ? strdup(value) : NULL, *rest = copy;
  int status = 0;
  for (char *word; copy && !status && (word = strsep(&rest, " "));)
    if (*word) status = use(s, name, word, e);
  free(copy);
  return status;
}

static int set_key(struct session *s, const char *origin, const char *word, struct err *e) {
  return gpu_config_set(&s->config, strcmp(origin, "TANDEM_SET") ? origin : "--set", word, e);
}

static int add_rule(struct session *s, const char *origin, const char *word, struct err *e) {
  (void)origin;
  return session_add_engine(s, "--engine", word, e);
}

static int add_record(struct session *s, const char *origin, const char *word, struct err *e) {
  (void)origin;
  return session_add_record(s, "--record", word, e);
}

/* What is recorded, and where to. */
static int set_records(struct session *s, struct err *e) {
  const char *window = variable("TANDEM_RECORD_WINDOW");
  int status = each_word(s, "TANDEM_RECORD", add_record, e);
  if (!status && window) status = session_set_record_window(s, "--record-window", window, e);
  if (!status && s->n_records && !variable("TANDEM_OUT"))
    status = err_set(e, ERR_USAGE, "recordings need an output folder; set TANDEM_OUT");
  return status;
}

static const char *variable_name(const void *list, unsigned i) {
  return ((const struct session_variable *)list)[i].name;
}

/* A misspelt variable would be a run that is not what was asked. */
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

static int set_check(struct session *s, struct err *e) {
  const char *text = variable("TANDEM_CHECK_DRAM");
  if (text && strcmp(text, "1") != 0 && strcmp(text, "0") != 0)
    return err_set(e, ERR_VALUE, "TANDEM_CHECK_DRAM=%s: write 1 or 0", text);
  s->check_dram = text && *text == '1';
  return 0;
}

static int set_events(struct session *s, struct err *e) {
  const char *text = variable("TANDEM_EVENTS");
  if (text && strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
    return err_set(e, ERR_VALUE, "TANDEM_EVENTS=%s: write 1 or 0", text);
  s->events = text && *text == '1';
  if (s->events && !variable("TANDEM_OUT"))
    return err_set(e, ERR_USAGE, "events need an output folder; set TANDEM_OUT");
  return 0;
}

static int set_trace(struct session *s, struct err *e) {
  const char *text = variable("TANDEM_TRACE_DRAM");
  if (!text) return 0;
  if (!strcmp(text, "full")) s->trace = TRACE_FULL;
  else if (!strcmp(text, "short")) s->trace = TRACE_SHORT;
  else if (!strcmp(text, "all")) s->trace = TRACE_FULL | TRACE_SHORT;
  else return err_set(e, ERR_VALUE, "TANDEM_TRACE_DRAM=%s: write full, short or all", text);
  if (!variable("TANDEM_OUT")) return err_set(e, ERR_USAGE, "a trace needs an output folder; set TANDEM_OUT");
  return 0;
}

static int set_skip(struct session *s, struct err *e) {
  const char *text = variable("TANDEM_NO_SKIP");
  if (text && strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
    return err_set(e, ERR_VALUE, "TANDEM_NO_SKIP=%s: write 1 or 0", text);
  s->skip = !text || *text == '0';
  return 0;
}

static int set_progress(struct session *s, struct err *e) {
  const char *text = variable("TANDEM_PROGRESS");
  if (text && strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
    return err_set(e, ERR_VALUE, "TANDEM_PROGRESS=%s: write 1 or 0", text);
  s->progress = !text ? PROGRESS_ON_TERMINAL : *text == '1' ? PROGRESS_ALWAYS : PROGRESS_NEVER;
  return 0;
}

static int set_threads(struct session *s, struct err *e) {
  const char *text = variable("TANDEM_THREADS");
  int64_t number = 1;
  if (text && (!text_to_int64(text, &number) || number < 1 || number > SESSION_THREADS_MAX))
    return err_set(e, ERR_VALUE, "TANDEM_THREADS=%s: not a number in 1..%d", text, SESSION_THREADS_MAX);
  s->threads = (uint32_t)number;
  return 0;
}

int session_from_environment(struct session *s, struct err *e) {
  memset(s, 0, sizeof *s);
  gpu_config_defaults(&s->config);
  const char *config = variable("TANDEM_MACHINE"), *system = variable("TANDEM_SYSTEM"), *wave = variable("TANDEM_WAVE");
  const char *seed = variable("TANDEM_SEED"), *bug = variable("TANDEM_BUG"), *out = variable("TANDEM_OUT");
  int64_t number = 1;
  int status = check_names(e);
  if (!status) status = session_set_config(s, config ? config : "gtx480", e);
  if (!status) status = each_word(s, "TANDEM_SET", set_key, e);
  if (!status) status = gpu_config_check(&s->config, e);
  if (!status && system) status = session_set_system(s, system, e);
  if (!status) status = each_word(s, "TANDEM_ENGINE", add_rule, e);
  if (!status && wave) status = session_set_wave(s, "--wave", wave, e);
  if (!status) status = set_records(s, e);
  if (!status && seed && (!text_to_int64(seed, &number) || number < 0 || number > UINT32_MAX))
    status = err_set(e, ERR_VALUE, "TANDEM_SEED=%s: not a number in 0..%u", seed, UINT32_MAX);
  if (!status && bug) status = session_set_bug(s, bug, e);
  s->seed = (uint32_t)number;
  if (!status) status = set_threads(s, e);
  if (!status) status = set_skip(s, e);
  if (!status) status = set_progress(s, e);
  if (!status) status = set_check(s, e);
  if (!status) status = set_events(s, e);
  if (!status) status = set_trace(s, e);
  snprintf(s->out_dir, sizeof s->out_dir, "%s", out ? out : "");
  snprintf(s->workload, sizeof s->workload, "%s", variable("TANDEM_WORKLOAD") ? variable("TANDEM_WORKLOAD") : "");
  if (!status && s->wave && !out) status = err_set(e, ERR_USAGE, "waves need an output folder; set TANDEM_OUT");
  return status ? status : session_make_out_dir(s, e);
}
