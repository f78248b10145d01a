/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_result.h"

#include "base/colour.h"
#include "base/err.h"
#include "base/in_file.h"
#include "base/json_out.h"
#include "base/out_file.h"
#include "cli/published.h"
#include "report/kernel_table.h"
#include "run/out_dir.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *verdict_of(const char *outcome, const struct run_end *end, int *exit_code) {
  int status = end->exit_status;
  *exit_code = 1;
  if (!strcmp(outcome, "diverged")) return "diverged";
  if (!strcmp(outcome, "fault")) {
    if (end->own && status <= 128) *exit_code = status; /* a program may expect the error */
    return "fault";
  }
  *exit_code = 3;
  if (!strcmp(outcome, "deadlock")) return "deadlock";
  if (status > 128) return "crash";
  *exit_code = status > 3 && !end->own ? 1 : status;
  bool refused = !strcmp(outcome, "refused") && (end->own || status), wrong = !strcmp(outcome, "input") && status;
  if (refused || wrong) { /* a program may expect an error of its input and go on */
    *exit_code = 2;
    return "input";
  }
  if (status == 2 && !end->own) return "input"; /* a workload's arguments */
  return status ? "fail" : "pass";
}

static uint64_t get(const json_t *j, const char *key) { return (uint64_t)json_integer_value(json_object_get(j, key)); }

static double share(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0; }

/* What was simulated without time, if anything was. */
static void print_functional(FILE *f, const json_t *statistics, const json_t *timing) {
  const json_t *functional = json_object_get(statistics, "functional");
  if (!functional) return;
  uint64_t done = get(functional, "warp_instructions"), launches = get(functional, "launches");
  double seconds = json_real_value(json_object_get(timing, "functional_seconds"));
  fprintf(
    f, "  functional: %" PRIu64 " of %zu launches, %" PRIu64 " warp instructions, %.3f s, %.0f warp instructions/s\n",
    launches, json_array_size(json_object_get(statistics, "launches")), done, seconds,
    (double)done / (seconds > 0 ? seconds : 1e-9));
}

static void print_summary(FILE *f, const json_t *j, const char *verdict, const char *dir) {
  const json_t *s = json_object_get(j, "statistics"), *sm = json_object_get(s, "sm"), *m = json_object_get(s, "memory");
  const json_t *c = json_object_get(j, "config"), *t = json_object_get(j, "timing");
  uint64_t cycles = get(s, "core_cycles"), sm_cycles = get(sm, "cycles");
  const char *system = json_string_value(json_object_get(c, "system"));
  fprintf(f, "%s on %s, system %s: %s%s%s\n", json_string_value(json_object_get(c, "workload")),
          json_string_value(json_object_get(c, "machine")), system ? system : "none",
          colour_on(f, strcmp(verdict, "pass") != 0 ? COLOUR_BAD : COLOUR_GOOD), verdict, colour_off(f));
  if (!s) { /* a block diverged: its page has been printed */
    fprintf(f, "  file: %s/run.json\n", dir);
    return;
  }
  fprintf(f, "  %" PRIu64 " core cycles, %.3f us; %" PRIu64 " warp instructions, %.3f a cycle\n", cycles,
          (double)get(s, "time_ns") / 1000, get(sm, "warp_instructions"),
          cycles ? (double)get(sm, "warp_instructions") / (double)cycles : 0);
  if (get(sm, "stall_sched_empty") || get(sm, "stall_sched_masked")) /* a barrel */
    fprintf(
      f, "  SM cycles: issue %.1f %%, masked %.1f %%, no warp ready %.1f %%, bank conflicts %.1f %%, returns %.1f %%\n",
      share(get(sm, "issue_cycles"), sm_cycles), share(get(sm, "stall_sched_masked"), sm_cycles),
      share(get(sm, "stall_sched_empty"), sm_cycles), share(get(sm, "stall_bank_conflict"), sm_cycles),
      share(get(sm, "stall_writeback"), sm_cycles));
  else
    fprintf(
      f,
      "  SM cycles: issue %.1f %%, wait for memory %.1f %%, shared %.1f %%, DMA %.1f %%, barrier %.1f %%, results %.1f %%, units %.1f %%\n",
      share(get(sm, "issue_cycles"), sm_cycles), share(get(sm, "stall_memory"), sm_cycles),
      share(get(sm, "stall_shared"), sm_cycles), share(get(sm, "stall_dma"), sm_cycles),
      share(get(sm, "stall_barrier"), sm_cycles), share(get(sm, "stall_data"), sm_cycles),
      share(get(sm, "stall_structural"), sm_cycles));
  fprintf(f, "  L2 hits %.1f %% of %" PRIu64 "; DRAM %" PRIu64 " reads, %" PRIu64 " writes, %.1f %% row hits\n",
          share(get(m, "l2_hits"), get(m, "l2_hits") + get(m, "l2_misses")), get(m, "l2_hits") + get(m, "l2_misses"),
          get(m, "dram_reads"), get(m, "dram_writes"),
          share(get(m, "dram_row_hits"), get(m, "dram_reads") + get(m, "dram_writes")));
  if (get(sm, "d2ma_config_ops"))
    fprintf(f,
            "  D2MA: %" PRIu64 " transfers, %" PRIu64 " requests, %" PRIu64 " bytes; %" PRIu64 " of %" PRIu64
            " shared accesses waited; program errors %" PRIu64 "\n",
            get(sm, "d2ma_transfers"), get(sm, "d2ma_requests"), get(sm, "d2ma_bytes"), get(sm, "d2ma_raw_hits"),
            get(sm, "d2ma_raw_queries"), get(sm, "d2ma_program_errors"));
  published_print(json_string_value(json_object_get(c, "workload")), get(sm, "thread_instructions"));
  fprintf(f, "  host: %.3f s, %.0f core cycles/s, %.0f warp instructions/s\n",
          json_real_value(json_object_get(t, "seconds")), json_real_value(json_object_get(t, "core_cycles_per_second")),
          json_real_value(json_object_get(t, "warp_instructions_per_second")));
  print_functional(f, s, t);
  json_int_t snapshots = json_integer_value(json_object_get(t, "snapshots"));
  double taking = json_real_value(json_object_get(t, "snapshot_seconds"));
  if (snapshots)
    fprintf(f, "  snapshots: %lld, in %.1f ms, %.2f %% of it\n", (long long)snapshots, 1e3 * taking,
            100 * taking / json_real_value(json_object_get(t, "seconds")));
  double verilating = json_real_value(json_object_get(t, "verilating_seconds"));
  if (verilating > 0) fprintf(f, "  verilating blocks for the first time: %.1f s\n", verilating);
  fprintf(f, "  files: %s/run.json, statistics.csv; tandem stalls %s shows the stalls\n", dir, dir);
}

/* Instances of one block under one engine. */
struct profile_row {
  const char *block, *engine;
  uint64_t n, cycles, skipped, c_evals, rtl_evals, rtl_still, dpi_calls;
};

static void add_instance(struct profile_row *r, const json_t *row) {
  r->n++;
  r->cycles += get(row, "cycles");
  r->skipped += get(row, "skipped");
  r->c_evals += get(row, "c_evals");
  r->rtl_evals += get(row, "rtl_evals");
  r->rtl_still += get(row, "rtl_still");
  r->dpi_calls += get(row, "dpi_calls");
}

/* Sums over instances by block and engine; returns the number of rows. */
static size_t sum_instances(const json_t *engines, struct profile_row *rows) {
  size_t n = 0, i;
  const json_t *row;
  json_array_foreach(engines, i, row) {
    const char *block = json_string_value(json_object_get(row, "block"));
    const char *engine = json_string_value(json_object_get(row, "engine"));
    size_t k = 0;
    while (k < n && (strcmp(rows[k].block, block) || strcmp(rows[k].engine, engine))) k++;
    if (k == n) rows[n++] = (struct profile_row){.block = block, .engine = engine};
    add_instance(&rows[k], row);
  }
  return n;
}

static double seconds(const json_t *place, const char *key) { return json_real_value(json_object_get(place, key)); }

/* Host time by place. A block's time is that of all its instances under all engines. */
static void print_host_time(FILE *f, const json_t *host_time, const struct profile_row *rows, size_t n) {
  const json_t *places = json_object_get(host_time, "places"), *place;
  double sum = 0;
  size_t i;
  json_array_foreach(places, i, place) sum += seconds(place, "seconds") + seconds(place, "checker_seconds");
  if (sum <= 0) return;
  fprintf(f, "\n%-22s %12s %8s %14s %12s %16s\n", "host time", "seconds", "share", "ns a cycle", "checker, s",
          "checker, ns");
  json_array_foreach(places, i, place) {
    const char *name = json_string_value(json_object_get(place, "name"));
    double own = seconds(place, "seconds"), checker = seconds(place, "checker_seconds");
    uint64_t cycles = 0;
    for (size_t k = 0; k < n; k++)
      if (!strcmp(rows[k].block, name)) cycles += rows[k].cycles;
    if (own + checker <= 0) continue;
    fprintf(f, "%-22s %12.3f %6.1f %%", name, own, 100 * (own + checker) / sum);
    if (cycles)
      fprintf(f, " %14.1f %12.3f %16.1f", 1e9 * own / (double)cycles, checker, 1e9 * checker / (double)cycles);
    fputc('\n', f);
  }
  fprintf(f, "%-22s %12.3f processor time of the program; %lld looks, every 0.5 ms\n", "sum", sum,
          (long long)json_integer_value(json_object_get(host_time, "samples")));
}

/* What each block's instances did, and where host time went. */
static void print_profile(FILE *f, const json_t *j) {
  const json_t *engines = json_object_get(j, "engines");
  struct profile_row *rows = calloc(json_array_size(engines) + 1, sizeof *rows);
  if (!rows) return;
  size_t n = sum_instances(engines, rows);
  fprintf(f, "%-20s %-9s %9s %12s %12s %12s %12s %12s %12s\n", "block", "engine", "instances", "cycles", "skipped",
          "C evals", "RTL evals", "RTL at rest", "DPI calls");
  for (const struct profile_row *r = rows; r < rows + n; r++)
    fprintf(f,
            "%-20s %-9s %9" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64
            "\n",
            r->block, r->engine, r->n, r->cycles, r->skipped, r->c_evals, r->rtl_evals, r->rtl_still, r->dpi_calls);
  print_host_time(f, json_object_get(j, "host_time"), rows, n);
  free(rows);
}

static int print_kernels(FILE *f, const char *dir, struct err *e) {
  char path[1100];
  struct kernel_table table;
  snprintf(path, sizeof path, "%s/kernels.csv", dir);
  int status = kernel_table_load(&table, path, e);
  if (status) return status;
  kernel_table_print(&table, f);
  kernel_table_free(&table);
  return 0;
}

/* Reads a run.json; NULL: it is missing or damaged. The caller frees its text. */
static json_t *load(const char *path, char **text) {
  size_t bytes;
  *text = in_file_read(path, &bytes, NULL);
  return *text ? json_loadb(*text, bytes, 0, NULL) : NULL;
}

/* Ends the text of a run.json before its verdict, which is last in it. False: it was not written by Tandem. */
static bool cut_verdict(char *text) {
  char *found = NULL;
  for (char *at = text; at && (at = strstr(at, "\n  \"verdict\": {")); at++) found = at;
  if (found) *found = 0;
  return found;
}

static void put_string(const char *key, const json_t *string, FILE *f) {
  fprintf(f, "    \"%s\": ", key);
  json_dumpf(string, f, JSON_ENCODE_ANY);
}

/* Writes the file again, whose text is `text`, with the verdict of `j`. What is before the verdict is copied: to print it anew takes a
 * noticeable part of a short run. */
static int write_back(json_t *j, char *text, const char *path, struct err *e) {
  struct out_file o;
  const json_t *verdict = json_object_get(j, "verdict"), *reason = json_object_get(verdict, "reason");
  int status = out_file_open(&o, path, e);
  if (!status && json_is_string(reason) && cut_verdict(text)) {
    fprintf(o.f, "%s\n  \"verdict\": {\n", text);
    put_string("result", json_object_get(verdict, "result"), o.f);
    fprintf(o.f, ",\n    \"exit_code\": %d,\n", (int)json_integer_value(json_object_get(verdict, "exit_code")));
    put_string("reason", reason, o.f);
    fputs("\n  }\n}\n", o.f);
  } else if (!status) {
    json_out(j, "run/1", 0, o.f);
  }
  return status ? status : out_file_commit(&o, e);
}

/* The program ended before it opened a device; its reason, if any, is on stderr. */
static int nothing_simulated(const struct run_end *end, int *exit_code, bool *refused, struct err *e) {
  int status = end->exit_status;
  *refused = true;
  *exit_code = status > 128 ? 3 : status > 3 && !end->own ? 1 : status;
  if (status > 128) fprintf(stderr, "tandem run: the workload was ended by signal %d\n", status - 128);
  else if (status != 2)
    fprintf(stderr, "tandem run: the program ended with status %d and nothing was simulated\n", status);
  if (status) return 0;
  return err_set(e, ERR_USAGE,
                 "the program ended without using the driver API or the runtime API of CUDA; nothing was simulated");
}

/* Replaces the outcome that the process wrote by the verdict. */
static int put_verdict(json_t *j, char *text, const char *verdict, int exit_code, const char *path, struct err *e) {
  json_t *reason = json_incref(json_object_get(json_object_get(j, "verdict"), "reason"));
  json_object_set_new(j, "verdict",
                      json_pack("{s:s, s:i, s:o}", "result", verdict, "exit_code", exit_code, "reason", reason));
  return write_back(j, text, path, e);
}

static const char *outcome_of(const json_t *j) {
  const char *outcome = json_string_value(json_object_get(json_object_get(j, "verdict"), "result"));
  return outcome ? outcome : "";
}

int run_result_finish_processes(const struct run_end *end, int *exit_code, struct err *e) {
  char folder[1100], path[1200];
  int status = 0;
  for (unsigned n = 2; !status && out_dir_process(end->dir, n, folder, sizeof folder); n++) {
    struct run_end alone = {.dir = folder, .own = true};
    int code = 0;
    snprintf(path, sizeof path, "%s/run.json", folder);
    char *text;
    json_t *j = load(path, &text);
    const char *verdict = j ? verdict_of(outcome_of(j), &alone, &code) : "no run.json";
    if (j) status = put_verdict(j, text, verdict, code, path, e);
    free(text);
    fprintf(stderr, "tandem run: process %u of the program: %s; %s\n", n, verdict, folder);
    bool bad = !j || !strcmp(verdict, "diverged") || !strcmp(verdict, "deadlock");
    if (bad && !*exit_code) *exit_code = code ? code : 3;
    json_decref(j);
  }
  return status;
}

int run_result_finish(const struct run_end *end, int *exit_code, bool *refused, struct err *e) {
  char path[1100], *text;
  FILE *f = end->own ? stderr : stdout;
  snprintf(path, sizeof path, "%s/run.json", end->dir);
  json_t *j = load(path, &text);
  *refused = false;
  if (!j) {
    free(text);
    return nothing_simulated(end, exit_code, refused, e);
  }
  const char *verdict = verdict_of(outcome_of(j), end, exit_code);
  if (!strcmp(verdict, "input")) { /* the sentence is on stderr */
    json_decref(j);
    free(text);
    *refused = true;
    return 0;
  }
  int status = put_verdict(j, text, verdict, *exit_code, path, e);
  free(text);
  if (!status && end->json) {
    json_out(j, "run/1", 0, stdout);
  } else if (!status) {
    print_summary(f, j, verdict, end->dir);
    if (end->profile) print_profile(f, j);
    if (end->kernels) status = print_kernels(f, end->dir, e);
  }
  json_decref(j);
  return status;
}
