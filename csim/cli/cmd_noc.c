/* SPDX-License-Identifier: Apache-2.0 */
/* tandem noc: latency and throughput of a network alone. */
#include "base/err.h"
#include "base/gnuplot.h"
#include "base/json_out.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "config/gpu_config.h"
#include "dpi.h"
#include "study/noc_study.h"

#include <fnmatch.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 101, MILLION = 1000000, DEFAULT_POINTS = 10 };

struct noc_command {
  struct noc_study study;
  const char *topology, *size, *traffic, *rate, *trace, *vc_alloc, *allocator, *offer, *plot;
  int64_t hot, packet, vcs, buffer, latency, hash, max_hold, grace, warm_up, cycles, seed;
  struct cli_list engines;
  bool json;
  uint32_t ppm[POINTS_MAX], n;
  struct noc_trace packets;
  struct noc_bounds bounds;
  struct noc_point points[POINTS_MAX];
};

/* ---- arguments ---- */

static int choose(const char *option, const char *text, const char *joined, uint32_t *value, struct err *e) {
  size_t n = strlen(text);
  uint32_t i = 0;
  for (const char *at = joined;; at += strcspn(at, "|") + 1, i++) {
    if (strcspn(at, "|") == n && !strncmp(at, text, n)) {
      *value = i;
      return 0;
    }
    if (!at[strcspn(at, "|")]) break;
  }
  return err_set(e, ERR_USAGE, "%s: \"%.40s\" is not one of %s", option, text, joined);
}

static int choose_traffic(const char *text, uint32_t *value, struct err *e) {
  char all[256] = "";
  for (uint32_t i = 0; noc_traffic_names[i]; i++) {
    if (!strcmp(noc_traffic_names[i], text)) {
      *value = i;
      return 0;
    }
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", noc_traffic_names[i]);
  }
  return err_set(e, ERR_USAGE, "--traffic: \"%.40s\" is no traffic; there are %s", text, all);
}

/* KxL, or N for a ring. */
static int parse_size(struct noc_command *c, struct err *e) {
  struct noc_study *s = &c->study;
  if (!c->size) c->size = s->topology == NOC_MESH ? "8x8" : s->topology == NOC_RING ? "16" : "28x8";
  const char *text = c->size, *x = strchr(text, 'x');
  char first[16] = "";
  int64_t a = 0, b = 1;
  if (x) snprintf(first, sizeof first, "%.*s", (int)(x - text), text);
  bool good = text_to_int64(x ? first : text, &a) && (!x || text_to_int64(x + 1, &b));
  if (!good || !x != (s->topology == NOC_RING) || a < 1 || b < 1 || a > NOC_STUDY_NODES || b > NOC_STUDY_NODES)
    return err_set(
      e, ERR_USAGE,
      "--size: \"%.40s\": a mesh has COLUMNSxROWS, a crossbar INPUTSxOUTPUTS, a ring NODES; at most %d each", text,
      NOC_STUDY_NODES);
  s->columns = (uint32_t)a;
  s->rows = (uint32_t)b;
  return 0;
}

/* Parses a decimal number with up to six digits after the point, as millionths. */
static bool parse_fraction(const char *text, size_t n, uint32_t *ppm) {
  uint64_t value = 0;
  int digits = -1;
  for (size_t i = 0; i < n; i++) {
    if (text[i] == '.' && digits < 0) digits = 0;
    else if (text[i] >= '0' && text[i] <= '9' && digits < 6 && value < 100 * (uint64_t)MILLION) {
      value = value * 10 + (uint64_t)(text[i] - '0');
      digits += digits >= 0;
    } else return false;
  }
  for (int k = digits < 0 ? 0 : digits; k < 6; k++) value *= 10;
  *ppm = value > 2 * (uint64_t)MILLION ? 2 * MILLION : (uint32_t)value;
  return n > 0 && !(n == 1 && text[0] == '.');
}

/* R, or FROM:TO:STEP. Default: ten steps up to the bound, then the highest load that producers can send. */
static int parse_rates(struct noc_command *c, struct err *e) {
  uint32_t part[3] = {0}, n = 0, most = MILLION;
  if (!c->rate) {
    double bound = c->bounds.throughput < 1 ? c->bounds.throughput : 1;
    for (uint32_t i = 1; i <= DEFAULT_POINTS; i++) c->ppm[c->n++] = (uint32_t)(bound * MILLION * i / DEFAULT_POINTS);
    if (c->ppm[c->n - 1] < most) c->ppm[c->n++] = most;
    return 0;
  }
  for (const char *at = c->rate; n < 3; at++) {
    size_t length = strcspn(at, ":");
    if (!parse_fraction(at, length, &part[n])) break;
    n++;
    at += length;
    if (!*at) break;
    if (n == 3) n = 4;
  }
  bool sweep = n == 3 && part[2] && part[0] <= part[1];
  uint32_t to = sweep ? part[1] : part[0], step = sweep ? part[2] : 1;
  if ((n != 1 && !sweep) || !part[0] || to > most || strspn(c->rate, "0123456789.:") != strlen(c->rate))
    return err_set(
      e, ERR_USAGE,
      "--rate: \"%.40s\": write a load, or FROM:TO:STEP, in flits a producer a cycle, above 0 and at most 1", c->rate);
  if ((to - part[0]) / step >= POINTS_MAX)
    return err_set(e, ERR_USAGE, "--rate: \"%.40s\" are more than %d loads", c->rate, POINTS_MAX);
  for (uint32_t at = part[0]; at <= to; at += step) c->ppm[c->n++] = at;
  return 0;
}

/* A trace has its own destinations, times and lengths. */
static int read_trace(struct noc_command *c, struct err *e) {
  struct noc_study *s = &c->study;
  if (c->rate || strcmp(c->traffic, "uniform") != 0 || c->packet != 1)
    return err_set(e, ERR_USAGE,
                   "--trace %s has its own load, traffic and packets; leave out --rate, --traffic and --packet",
                   c->trace);
  int status = noc_trace_load(&c->packets, c->trace, noc_study_producers(s), noc_study_consumers(s), e);
  s->trace = &c->packets;
  s->warm_up = 0;
  s->cycles = c->packets.cycles;
  c->traffic = "trace";
  return status;
}

static int read_arguments(struct noc_command *c, struct err *e) {
  struct noc_study *s = &c->study;
  uint32_t allocator = 0, offer = 0;
  int status = choose("--topology", c->topology, CHOICE_NAMES(NOC_TOPOLOGIES), &s->topology, e);
  if (!status) status = parse_size(c, e);
  if (!status) status = choose_traffic(c->traffic, &s->traffic, e);
  if (!status) status = choose("--vc-alloc", c->vc_alloc, CHOICE_NAMES(NOC_VC_ALLOCS), &s->vc_alloc, e);
  if (!status) status = choose("--allocator", c->allocator, CHOICE_NAMES(NOC_ALLOCATORS), &allocator, e);
  if (!status) status = choose("--offer", c->offer, CHOICE_NAMES(NOC_OFFERS), &offer, e);
  s->allocator = allocator;
  s->offer_all = offer;
  s->hot_percent = (uint32_t)c->hot;
  s->packet_flits = (uint32_t)c->packet;
  s->vcs = (uint32_t)(c->vcs ? c->vcs : s->topology == NOC_RING ? 2 : 1);
  s->buffer_flits = (uint32_t)c->buffer;
  s->router_latency = (uint32_t)c->latency;
  s->hash_bits = (uint32_t)c->hash;
  s->max_hold = (uint32_t)c->max_hold;
  s->grace = (uint32_t)c->grace;
  s->warm_up = (uint64_t)c->warm_up;
  s->cycles = (uint64_t)c->cycles;
  s->seed = (uint32_t)c->seed;
  if (!status) status = noc_study_check(s, e);
  if (!status && c->trace) status = read_trace(c, e);
  if (!status) status = noc_study_bounds(s, &c->bounds, e);
  if (c->trace) c->n = 1;
  return status || c->trace ? status : parse_rates(c, e);
}

/* ---- runs ---- */

struct engines {
  struct engine_rule rules[CLI_LIST_MAX];
  uint32_t n;
  const char *allocator;
  struct dpi *dpi;
};

/* A rule that matches no instance is an error, because the run would silently ignore it. */
static int check_rules(void *context, struct err *e) {
  const struct engines *g = context;
  uint32_t instances = dpi_instances(g->dpi);
  for (uint32_t i = 0; i < g->n; i++) {
    const char *pattern = g->rules[i].pattern;
    bool used = false;
    for (uint32_t k = 0; k < instances && !used; k++)
      used =
        !strcmp(pattern, dpi_instance(g->dpi, k)->desc->name) || !fnmatch(pattern, dpi_instance(g->dpi, k)->path, 0);
    if (used) continue;
    if (!instances)
      return err_set(e, ERR_VALUE, "--engine %s: the allocator %s is no block; choose another by --allocator", pattern,
                     g->allocator);
    return err_set(e, ERR_VALUE, "--engine %s: no allocator has such a name; one is %s (block %s)", pattern,
                   dpi_instance(g->dpi, 0)->path, dpi_instance(g->dpi, 0)->desc->name);
  }
  return 0;
}

static int report_divergence(void *context, struct err *e) {
  const struct engines *g = context;
  const struct divergence *v = dpi_divergence(g->dpi);
  if (!v) return 0;
  int status = dpi_report_divergence(g->dpi, stderr, e);
  return status ? status
                : err_set(e, ERR_CHECK, "%s (block %s): %s %s differs in cycle %llu", v->path, v->block,
                          v->is_register ? "register" : "port", v->what, (unsigned long long)v->cycle);
}

static int run_points(struct noc_command *c, struct err *e) {
  struct engines g = {.n = c->engines.n, .allocator = c->allocator};
  int status = 0;
  for (unsigned i = 0; i < c->engines.n && !status; i++)
    status = engine_rule_parse("--engine", c->engines.text[i], &g.rules[i], e);
  struct dpi_config config = {.rules = g.rules, .n_rules = g.n, .skip = true, .seed = c->study.seed};
  for (uint32_t i = 0; i < c->n && !status; i++) {
    status = dpi_create(&config, &g.dpi, e); /* a new one for each load, so that each begins in reset */
    if (status) break;
    struct noc_observer observer = {&g, check_rules, report_divergence, dpi_stop_flag(g.dpi)};
    status = noc_study_run(&c->study, c->ppm[i], dpi_factory(g.dpi), &observer, &c->points[i], e);
    dpi_destroy(g.dpi);
  }
  return status;
}

static double most_accepted(const struct noc_command *c) {
  double most = 0;
  for (uint32_t i = 0; i < c->n; i++)
    if (c->points[i].accepted > most) most = c->points[i].accepted;
  return most;
}

/* ---- output ---- */

static void print_table(const struct noc_command *c) {
  double seconds = 0, cycles = 0;
  printf("%s %s, ", c->topology, c->size);
  if (c->trace)
    printf("%s: %zu packets of %.2f flits, ", c->trace, c->packets.n, (double)c->packets.flits / (double)c->packets.n);
  else printf("%s, packets of %u flits, ", c->traffic, c->study.packet_flits);
  printf("%u virtual channels, %s\n", c->study.vcs, c->allocator);
  printf("bound %.4f flits a producer a cycle; zero-load latency %.2f cycles\n", c->bounds.throughput,
         c->bounds.zero_load_latency);
  printf("%9s %9s %10s %7s %7s %7s\n", "offered", "accepted", "latency", "median", "95 %", "99 %");
  for (uint32_t i = 0; i < c->n; i++) {
    const struct noc_point *p = &c->points[i];
    printf("%9.4f %9.4f %10.2f %7u %7u %7u%s\n", p->offered, p->accepted, p->latency, p->median, p->p95, p->p99,
           p->saturated ? "  saturated" : "");
    seconds += p->seconds;
    cycles += (double)p->run_cycles;
  }
  printf("%.0f cycles/s\n", cycles / seconds);
}

static json_t *point_json(const struct noc_point *p) {
  return json_pack("{s:f, s:f, s:f, s:i, s:i, s:i, s:I, s:b}", "offered", p->offered, "accepted", p->accepted,
                   "latency", p->latency, "latency_median", (int)p->median, "latency_p95", (int)p->p95, "latency_p99",
                   (int)p->p99, "packets", (json_int_t)p->packets, "saturated", p->saturated);
}

static void print_json(const struct noc_command *c) {
  const struct noc_study *s = &c->study;
  json_t *points = json_array();
  double seconds = 0, cycles = 0;
  for (uint32_t i = 0; i < c->n; i++) {
    json_array_append_new(points, point_json(&c->points[i]));
    seconds += c->points[i].seconds;
    cycles += (double)c->points[i].run_cycles;
  }
  json_t *config =
    json_pack("{s:s, s:i, s:i, s:s, s:i, s:i, s:s, s:s, s:s, s:i, s:i, s:i}", "topology", c->topology, "columns",
              (int)s->columns, "rows", (int)s->rows, "traffic", c->traffic, "packet_flits", (int)s->packet_flits, "vcs",
              (int)s->vcs, "vc_alloc", c->vc_alloc, "allocator", c->allocator, "offer", c->offer, "buffer_flits",
              (int)s->buffer_flits, "router_latency", (int)s->router_latency, "seed", (int)s->seed);
  json_t *all =
    json_pack("{s:o, s:f, s:f, s:f, s:o, s:{s:f, s:f, s:f}}", "config", config, "bound", c->bounds.throughput,
              "zero_load_latency", c->bounds.zero_load_latency, "saturation", most_accepted(c), "points", points,
              "timing", "seconds", seconds, "cycles", cycles, "cycles_per_second", cycles / seconds);
  json_out(all, "noc/1", 0, stdout);
  json_decref(all);
}

static int plot(const struct noc_command *c, struct err *e) {
  struct gnuplot g;
  int status = gnuplot_start(&g, c->plot, 900, 600, e);
  if (status) return status;
  fprintf(g.in, "set title '%s, %s, packets of %u flits, %u virtual channels, %s'\n", c->topology, c->traffic,
          c->study.packet_flits, c->study.vcs, c->allocator);
  fprintf(g.in, "set xlabel 'offered load, flits a producer a cycle'\nset ylabel 'latency, cycles'\n");
  fprintf(
    g.in,
    "set y2label 'accepted, flits a producer a cycle'\nset ytics nomirror\nset y2tics\nset key left top noenhanced\n");
  fprintf(g.in, "set yrange [0:%g]\nset y2range [0:*]\n", 8 * c->bounds.zero_load_latency);
  fprintf(g.in, "set arrow from first %g, graph 0 to first %g, graph 1 nohead dashtype 2\n", c->bounds.throughput,
          c->bounds.throughput);
  fprintf(
    g.in,
    "plot '-' using 1:2 with linespoints title 'latency', '-' using 1:2 axes x1y2 with linespoints title 'accepted'\n");
  for (uint32_t i = 0; i < c->n; i++)
    if (!c->points[i].saturated) fprintf(g.in, "%g %g\n", c->points[i].offered, c->points[i].latency);
  fprintf(g.in, "e\n");
  for (uint32_t i = 0; i < c->n; i++) fprintf(g.in, "%g %g\n", c->points[i].offered, c->points[i].accepted);
  fprintf(g.in, "e\n");
  return gnuplot_finish(&g, e);
}

int cmd_noc(int argc, char **argv) {
  struct noc_command *c = calloc(1, sizeof *c);
  if (!c) return 3;
  c->topology = "mesh";
  c->traffic = "uniform";
  c->vc_alloc = "dvca";
  c->allocator = "round_robin";
  c->offer = "one";
  c->hot = 20;
  c->packet = 1;
  c->buffer = 8;
  c->latency = 4;
  c->hash = 4;
  c->warm_up = 1000;
  c->cycles = 10000;
  c->seed = 1;
  const struct cli_option options[] = {
    {"--topology", CLI_TEXT, &c->topology, "T", "topology: crossbar, mesh or ring", 0, 0},
    {"--size", CLI_TEXT, &c->size, "S",
     "mesh COLUMNSxROWS (default: 8x8), crossbar INPUTSxOUTPUTS (28x8), ring NODES (16)", 0, 0},
    {"--traffic", CLI_TEXT, &c->traffic, "T",
     "traffic: uniform, hot_spot, transpose, bit_complement, bit_reverse, shuffle, tornado or neighbour", 0, 0},
    {"--hot", CLI_NUMBER, &c->hot, "PERCENT", "hot_spot: share of packets that go to consumer 0; the rest is uniform",
     1, 100},
    {"--rate", CLI_TEXT, &c->rate, "R",
     "offered load, or FROM:TO:STEP, in flits per producer and cycle (default: up to the bound)", 0, 0},
    {"--trace", CLI_TEXT, &c->trace, "FILE",
     "send the packets of a CSV file (cycle, from, to, flits), as tandem run --trace noc writes it", 0, 0},
    {"--packet", CLI_NUMBER, &c->packet, "FLITS", "flits per packet", 1, 64},
    {"--vcs", CLI_NUMBER, &c->vcs, "N", "virtual channels (default: 1, for a ring 2)", 1, 8},
    {"--vc-alloc", CLI_TEXT, &c->vc_alloc, "A",
     "virtual-channel allocation: dvca (the first free one) or svca (consumer modulo N)", 0, 0},
    {"--buffer", CLI_NUMBER, &c->buffer, "FLITS", "buffer size of a virtual channel", 1, 256},
    {"--router-latency", CLI_NUMBER, &c->latency, "CYCLES",
     "cycles from the input of one router to the input of the next", 2, 64},
    {"--allocator", CLI_TEXT, &c->allocator, "A",
     "allocator: round_robin, pim, hg, rmhg, hmhg, islip, matrix or pim_uniform", 0, 0},
    {"--offer", CLI_TEXT, &c->offer, "O",
     "what an input offers the allocator: one packet, or all (one packet for each output)", 0, 0},
    {"--hash", CLI_NUMBER, &c->hash, "BITS", "hmhg: bits of the row hash", 1, 12},
    {"--max-hold", CLI_NUMBER, &c->max_hold, "GRANTS", "most consecutive grants that one pair may hold (0: no limit)",
     0, 255},
    {"--grace", CLI_NUMBER, &c->grace, "CYCLES", "cycles for which a free output keeps its hold without a request", 0,
     15},
    {"--warm-up", CLI_NUMBER, &c->warm_up, "CYCLES", "cycles before the measurement starts", 0, 1 << 30},
    {"--cycles", CLI_NUMBER, &c->cycles, "CYCLES", "cycles that are measured", 1, 1 << 30},
    {"--seed", CLI_NUMBER, &c->seed, "N", "seed of traffic and allocators", 1, 65535},
    {"--engine", CLI_LIST, &c->engines, "PATTERN=E", "engine of the allocators, for example 'noc.r*.alloc=lockstep'", 0,
     0},
    {"--plot", CLI_TEXT, &c->plot, "FILE", "draw latency and throughput to FILE (.svg or .png)", 0, 0},
    {"--json", CLI_FLAG, &c->json, NULL, "print a JSON object", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "noc",
    .brief = "Measures latency and throughput of a network alone, under synthetic traffic or that of a run.",
    .usage = "[options]",
    .example = "tandem noc --topology mesh --size 8x8 --vcs 4 --rate 0.05:0.5:0.05",
    .options = options};
  struct err e = {0};
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, NULL, &n, &help, &e);
  if (!help && !status) status = read_arguments(c, &e);
  if (!help && !status) status = run_points(c, &e);
  if (!help && !status && c->json) print_json(c);
  if (!help && !status && !c->json) print_table(c);
  if (!help && !status && c->plot) status = plot(c, &e);
  noc_trace_free(&c->packets);
  free(c);
  return status ? cli_fail("noc", &e) : 0;
}
