/* SPDX-License-Identifier: Apache-2.0 */
/* tandem list: prints the tables from which everything else is generated. */
#include "base/err.h"
#include "base/json_out.h"
#include "base/text.h"
#include "block/own.h"
#include "cli/block_arguments.h"
#include "cli/commands.h"
#include "cli/list_gpus.h"
#include "cli/list_markdown.h"
#include "cli/list_phases.h"
#include "cli/list_routines.h"
#include "config/counters.h"
#include "config/gpu_config.h"
#include "config/latencies.h"
#include "config/workload_table.h"
#include "core/registry.h"
#include "run/kernel_metrics.h"
#include "run/plugin.h"
#include "run/session.h"
#include "synth/technology.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct listing {
  json_t *rows;                                /* objects; every row also has "name" and "brief" */
  const char *only, *bugs, *manifest, *plugin; /* NULL: all */
  const char *kernel;                          /* of phases */
  int64_t registers;
};

static void add(struct listing *l, json_t *row) { json_array_append_new(l->rows, row); }

static int list_gpus(struct listing *l, struct err *e) { return list_gpu_rows(l->rows, l->only, e); }

static int list_phases(struct listing *l, struct err *e) {
  return list_phase_rows(l->rows, l->only, l->kernel, (uint32_t)l->registers, e);
}

static int list_routines(struct listing *l, struct err *e) { return list_routine_rows(l->rows, l->only, e); }

static const char *workload_name(const void *list, unsigned i) { return ((const struct workload_row *)list)[i].name; }

static json_t *published_json(const struct workload_row *w) {
  json_t *j = json_array();
  for (const struct workload_published *p = w->published; p->args; p++)
    json_array_append_new(j, json_pack("{s:s, s:s, s:I, s:s}", "version", p->version, "arguments", p->args,
                                       "thread_instructions", (json_int_t)p->thread_instructions, "source", p->source));
  return j;
}

/* By version. */
static json_t *lines_json(const struct workload_row *w, bool all) {
  json_t *j = json_object();
  for (const struct workload_lines *x = workload_lines; x->name; x++)
    if (!strcmp(x->name, w->name)) json_object_set_new(j, x->version, json_integer(all ? x->all : x->lines));
  return j;
}

static int list_workloads(struct listing *l, struct err *e) {
  bool found = false;
  for (const struct workload_row *w = workload_all; w->name; w++) {
    if (l->only && strcmp(l->only, w->name)) continue;
    found = true;
    json_t *versions = json_array(), *args = json_array();
    for (unsigned i = 0; w->versions[i]; i++) json_array_append_new(versions, json_string(w->versions[i]));
    for (const struct workload_table_arg *a = w->args; a->name; a++)
      json_array_append_new(args,
                            json_pack("{s:s, s:s, s:I, s:I, s:I}", "name", a->name, "brief", a->brief, "default",
                                      (json_int_t)a->value, "min", (json_int_t)a->min, "max", (json_int_t)a->max));
    add(l, json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "name", w->name, "brief", w->brief, "source",
                     w->source, "versions", versions, "arguments", args, "published", published_json(w), "lines",
                     lines_json(w, false), "all_lines", lines_json(w, true)));
  }
  if (found) return 0;
  const char *near = text_nearest(l->only, workload_name, workload_all);
  return err_set(e, ERR_VALUE, "no workload '%s'%s%s%s; tandem list workloads names them", l->only,
                 near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

static json_t *fields_json(const struct block_field *fields, uint32_t n, const int32_t *params) {
  json_t *j = json_array();
  for (uint32_t i = 0; i < n; i++) {
    const struct block_field *f = &fields[i];
    json_array_append_new(j, json_pack("{s:s, s:I, s:I, s:s}", "name", f->name, "width", (json_int_t)f->width(params),
                                       "rows", (json_int_t)(f->depth ? f->depth(params) : 1), "brief", f->brief));
  }
  return j;
}

static int list_blocks(struct listing *l, struct err *e) {
  const struct block_desc *only = NULL;
  int status = l->only ? block_argument(l->only, &only, e) : 0;
  for (const struct block_desc *const *d = block_list(); *d && !status; d++) {
    const struct block_desc *b = *d;
    if (only && b != only) continue;
    json_t *params = json_object(), *bugs = json_array(), *laws = json_array(), *needs = json_array();
    for (uint32_t i = 0; i < b->n_params; i++)
      json_object_set_new(params, b->params[i].name, json_integer(b->params[i].value));
    for (uint32_t i = 0; i < b->n_bugs; i++) json_array_append_new(bugs, json_string(b->bugs[i].name));
    for (unsigned i = 0; b->laws[i]; i++) json_array_append_new(laws, json_string(b->laws[i]));
    for (const struct block_need *n = b->needs; n && n->sentence; n++)
      json_array_append_new(needs, json_string(n->sentence));
    add(l, json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", b->name, "brief", b->brief,
                     "family", b->family, "source", b->source, "parameters", params, "needs", needs, "inputs",
                     fields_json(b->in, b->n_in, b->sweep), "outputs", fields_json(b->out, b->n_out, b->sweep),
                     "registers", fields_json(b->regs, b->n_regs, b->sweep), "laws", laws, "bugs", bugs));
  }
  return status;
}

static int list_parameters(struct listing *l, struct err *e) {
  (void)e;
  const struct gpu_parameter *p;
  for (unsigned i = 0; (p = gpu_parameter_at(i)); i++)
    add(l, json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:I}", "name", p->key, "brief", p->sentence, "unit",
                     p->unit ? p->unit : "", "values", p->names ? p->names : "", "default",
                     (json_int_t)p->default_value, "min", (json_int_t)p->min, "max", (json_int_t)p->max));
  return 0;
}

static void add_counters(struct listing *l, const char *component, enum counter_kind kind) {
  struct counter_table t = counter_table(kind);
  for (uint32_t i = 0; i < t.n; i++)
    add(l, json_pack("{s:s, s:s, s:s, s:s}", "name", t.rows[i].name, "brief", t.rows[i].sentence, "unit",
                     t.rows[i].unit, "component", component));
}

static int list_counters(struct listing *l, struct err *e) {
  (void)e;
  add_counters(l, "sm", COUNTERS_SM);
  add_counters(l, "memory", COUNTERS_MEMORY);
  return 0;
}

static int list_latencies(struct listing *l, struct err *e) {
  (void)e;
  for (int i = 0; i < LATENCIES; i++)
    add(l, json_pack("{s:s, s:s, s:s}", "name", latency_table[i].name, "brief", latency_table[i].sentence, "unit",
                     latency_table[i].unit));
  return 0;
}

static int list_metrics(struct listing *l, struct err *e) {
  (void)e;
  for (const struct kernel_metric *m = kernel_metrics; m->name; m++)
    add(l,
        json_pack("{s:s, s:s, s:s, s:s}", "name", m->name, "brief", m->sentence, "unit", m->unit, "label", m->label));
  return 0;
}

static int list_systems(struct listing *l, struct err *e) {
  (void)e;
  const struct system_ops *s;
  for (unsigned i = 0; (s = system_at(i)); i++) add(l, json_pack("{s:s, s:s}", "name", s->name, "brief", s->brief));
  return 0;
}

static int list_engines(struct listing *l, struct err *e) {
  static const char *const briefs[] = {[ENGINE_C] = "the C model computes",
                                       [ENGINE_RTL] = "the Verilated RTL computes",
                                       [ENGINE_LOCKSTEP] = "both compute and are compared every cycle"};
  (void)e;
  for (int i = ENGINE_C; i <= ENGINE_LOCKSTEP; i++)
    add(l, json_pack("{s:s, s:s}", "name", block_engine_names[i], "brief", briefs[i]));
  return 0;
}

static int list_nodes(struct listing *l, struct err *e) {
  (void)e;
  for (const struct technology *t = technology_all; t->node; t++)
    add(l, json_pack("{s:o, s:o, s:f, s:f, s:s*, s:s*}", "name", json_sprintf("%u nm", t->node), "brief",
                     t->nand2 > 0 ? json_sprintf("NAND2 %g um2 (%s); SRAM cell %g um2 (%s)", t->nand2, t->nand2_source,
                                                 t->bit_cell, t->bit_cell_source)
                                  : json_sprintf("SRAM cell %g um2 (%s)", t->bit_cell, t->bit_cell_source),
                     "nand2_um2", t->nand2, "bit_cell_um2", t->bit_cell, "nand2_source", t->nand2_source,
                     "bit_cell_source", t->bit_cell_source));
  return 0;
}

static int list_variables(struct listing *l, struct err *e) {
  (void)e;
  for (const struct session_variable *v = session_variables; v->name; v++)
    add(l, json_pack("{s:s, s:s}", "name", v->name, "brief", v->sentence));
  return 0;
}

static const struct {
  const char *name;
  int (*fill)(struct listing *, struct err *);
} kinds[] = {{"machines", list_gpus},     {"workloads", list_workloads},
             {"blocks", list_blocks},     {"parameters", list_parameters},
             {"counters", list_counters}, {"systems", list_systems},
             {"engines", list_engines},   {"variables", list_variables},
             {"nodes", list_nodes},       {"latencies", list_latencies},
             {"metrics", list_metrics},   {"phases", list_phases},
             {"routines", list_routines}, {NULL, NULL}};

static const char *kind_name(const void *list, unsigned i) {
  (void)list;
  return kinds[i].name;
}

static void print_fields(const char *title, const json_t *fields) {
  size_t i;
  json_t *f;
  printf("  %s:\n", title);
  json_array_foreach(fields, i, f) {
    json_int_t rows = json_integer_value(json_object_get(f, "rows"));
    printf("    %-14s %5lld bit%s", json_string_value(json_object_get(f, "name")),
           (long long)json_integer_value(json_object_get(f, "width")), rows > 1 ? " x " : "  ");
    if (rows > 1) printf("%lld", (long long)rows);
    printf("  %s\n", json_string_value(json_object_get(f, "brief")));
  }
}

/* The part of a workload's row that only `tandem list workloads NAME` prints. */
static void print_workload(json_t *row) {
  size_t i;
  const char *version;
  json_t *v, *p;
  printf("  source: %s\n  versions:", json_string_value(json_object_get(row, "source")));
  json_array_foreach(json_object_get(row, "versions"), i, v) printf(" %s", json_string_value(v));
  printf("\n  lines of code:");
  json_object_foreach(json_object_get(row, "lines"), version, v)
    printf(" %s %lld", version, (long long)json_integer_value(v));
  printf("\n");
  json_array_foreach(json_object_get(row, "published"), i, p) {
    const char *arguments = json_string_value(json_object_get(p, "arguments"));
    printf("  published: %.4g M thread instructions, %s%s%s\n",
           (double)json_integer_value(json_object_get(p, "thread_instructions")) / 1e6,
           json_string_value(json_object_get(p, "source")), *arguments ? ": " : " (defaults)", arguments);
  }
}

/* The part of a block's row that only `tandem list blocks NAME` prints. */
static void print_block(const json_t *row) {
  const char *name = json_string_value(json_object_get(row, "name"));
  const char *family = json_string_value(json_object_get(row, "family"));
  json_t *value;
  const char *key;
  size_t i;
  const char *source = json_string_value(json_object_get(row, "source"));
  const struct block_own *own = block_find(name)->own;
  if (*source) printf("  source: %s\n", source);
  if (own) printf("  files: %s %s %s\n  parameters:", own->manifest, own->rtl, own->model);
  else
    printf("  files: rtl/%s/%s.v csim/blocks/%s/%s.c testbench/%s\n  parameters:", family, name, family, name, family);
  json_object_foreach(json_object_get(row, "parameters"), key, value)
    printf(" %s=%lld", key, (long long)json_integer_value(value));
  printf("\n");
  json_array_foreach(json_object_get(row, "needs"), i, value) printf("    %s\n", json_string_value(value));
  print_fields("inputs", json_object_get(row, "inputs"));
  print_fields("outputs", json_object_get(row, "outputs"));
  print_fields("registers", json_object_get(row, "registers"));
  printf("  laws:\n");
  json_array_foreach(json_object_get(row, "laws"), i, value) printf("    %s\n", json_string_value(value));
  printf("  planted bugs:");
  json_array_foreach(json_object_get(row, "bugs"), i, value) printf(" %s", json_string_value(value));
  printf("\n");
}

static void print_rows(const struct listing *l) {
  size_t i;
  json_t *row;
  json_array_foreach(l->rows, i, row) {
    const char *unit = json_string_value(json_object_get(row, "unit"));
    const json_t *value = json_object_get(row, "default");
    printf("%-26s", json_string_value(json_object_get(row, "name")));
    const json_t *set = json_object_get(row, "value");
    if (json_is_string(set)) printf(" %8s", json_string_value(set));
    else if (set || value) printf(" %8lld", (long long)json_integer_value(set ? set : value));
    printf(" %s%s%s%s\n", json_string_value(json_object_get(row, "brief")), unit && *unit ? " [" : "", unit ? unit : "",
           unit && *unit ? "]" : "");
    const json_t *args = json_object_get(row, "arguments");
    size_t k;
    json_t *a;
    json_array_foreach(args, k, a) printf("    %s=%lld  %s\n", json_string_value(json_object_get(a, "name")),
                                          (long long)json_integer_value(json_object_get(a, "default")),
                                          json_string_value(json_object_get(a, "brief")));
    if (json_object_get(row, "sms")) list_gpu_print(row);
    if (!l->only || set) continue;
    if (args) print_workload(row);
    else if (json_object_get(row, "inputs")) print_block(row);
  }
}

/* Names of planted bugs, one per line; "proof": those that break a proof. */
static int print_bugs(const char *block, const char *which, struct err *e) {
  const struct block_desc *desc = NULL;
  int status = block ? block_argument(block, &desc, e)
                     : err_set(e, ERR_USAGE, "--bugs needs a block: tandem list blocks NAME --bugs all");
  if (!status && strcmp(which, "all") && strcmp(which, "proof"))
    status = err_set(e, ERR_USAGE, "--bugs %s: write all or proof", which);
  for (uint32_t i = 0; !status && desc && i < desc->n_bugs; i++)
    if (strcmp(which, "proof") || desc->bugs[i].breaks_proof) puts(desc->bugs[i].name);
  return status;
}

/* Of `tandem list`, with the kind. */
static unsigned most_arguments(const char *kind) {
  static const char *const narrowed[] = {"blocks", "workloads", "machines", "routines"};
  for (size_t i = 0; i < sizeof narrowed / sizeof *narrowed; i++)
    if (!strcmp(kind, narrowed[i])) return 2;
  return strcmp(kind, "phases") ? 1 : 3;
}

int cmd_list(int argc, char **argv) {
  bool json = false, markdown = false;
  struct listing l = {0};
  const struct cli_option options[] = {
    {"--json", CLI_FLAG, &json, NULL, "print a JSON array", 0, 0},
    {"--markdown", CLI_FLAG, &markdown, NULL, "print a page of the reference", 0, 0},
    {"--bugs", CLI_TEXT, &l.bugs, "all|proof",
     "print the names of the planted bugs of one block: all, or those that break a proof", 0, 0},
    MANIFEST_OPTION(&l.manifest),
    {"--registers", CLI_NUMBER, &l.registers, "N", "with phases, registers that a thread may use (default: 255)", 1,
     255},
    {"--plugin", CLI_TEXT, &l.plugin, "FILE", "load a proposal of your own, with its parameters and counters", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "list",
    .brief =
      "Lists GPU configurations (machines), workloads, blocks, parameters, counters, latencies, metrics of kernels, proposals\n"
      "(systems), engines, environment variables and technology nodes; the phases of a kernel; and the routines of assist warps.",
    .usage =
      "parameters|counters|latencies|metrics|machines [MACHINE]|workloads [WORKLOAD]|blocks [BLOCK]|systems|engines|variables|nodes|phases FILE.ptx [KERNEL]|routines [FILE.ptx] [options]",
    .example = "tandem list blocks d2ma_agen",
    .options = options,
    .positional_min = 1,
    .positional_max = 3};
  struct err e = {0};
  const char *names[3];
  char schema[64];
  unsigned n, k = 0;
  bool help;
  /* "--bugs" alone means all of them */
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "--bugs") && (i + 1 == argc || argv[i + 1][0] == '-')) argv[i] = "--bugs=all";
  int status = cli_parse(&command, argc, argv, names, &n, &help, &e);
  if (help) return 0;
  if (!status) {
    while (kinds[k].name && strcmp(kinds[k].name, names[0])) k++;
    const char *near = kinds[k].name ? NULL : text_nearest(names[0], kind_name, NULL);
    if (!kinds[k].name)
      status = err_set(&e, ERR_USAGE, "nothing is called '%s'%s%s%s; tandem list --help names the kinds", names[0],
                       near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    else if (n > most_arguments(names[0]))
      status = err_set(&e, ERR_USAGE, "'%s' is one argument too many; usage: tandem list %s", names[n - 1], names[0]);
  }
  l.only = !status && n >= 2 ? names[1] : NULL;
  l.kernel = !status && n == 3 ? names[2] : NULL;
  if (!status) status = own_blocks_open(l.manifest, &e);
  if (!status) status = plugin_open(l.plugin, &e);
  if (!status && l.bugs) {
    status = print_bugs(l.only, l.bugs, &e);
    return status ? cli_fail("list", &e) : 0;
  }
  l.rows = json_array();
  if (!status) status = kinds[k].fill(&l, &e);
  if (!status && json) {
    bool one_machine = l.only && !strcmp(kinds[k].name, "machines"); /* its parameters */
    snprintf(schema, sizeof schema, "list-%s/1", one_machine ? "machine" : kinds[k].name);
    json_out(l.rows, schema, 0, stdout);
  } else if (!status && markdown) {
    list_markdown(kinds[k].name, l.rows);
  } else if (!status && !strcmp(kinds[k].name, "phases")) {
    list_phase_print(l.rows);
  } else if (!status && !strcmp(kinds[k].name, "routines")) {
    list_routine_print(l.rows);
  } else if (!status) {
    print_rows(&l);
  }
  json_decref(l.rows);
  return status ? cli_fail("list", &e) : 0;
}
