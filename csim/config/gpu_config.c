/* SPDX-License-Identifier: Apache-2.0 */
#include "config/gpu_config.h"

#include "base/clock.h"
#include "base/err.h"
#include "config/gpu_config_file.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const struct gpu_parameter gpu_parameters[] = {
#define X(field, key, default_value, min, max, unit, sentence) \
  {key, unit, NULL, sentence, offsetof(struct gpu_config, field), default_value, min, max},
#define E(field, key, default_value, names, sentence) \
  {key, "", names, sentence, offsetof(struct gpu_config, field), default_value, 0, -1},
  GPU_PARAMETERS(X, E)
#undef X
#undef E
};
const unsigned gpu_n_parameters = sizeof gpu_parameters / sizeof *gpu_parameters;

static int64_t *field(struct gpu_config *m, const struct gpu_parameter *p) {
  return (int64_t *)(void *)((char *)m + p->offset);
}

int64_t gpu_config_get(const struct gpu_config *m, const struct gpu_parameter *p) {
  int64_t value;
  memcpy(&value, (const char *)m + p->offset, sizeof value);
  return value;
}

void gpu_config_defaults(struct gpu_config *m) {
  for (unsigned i = 0; i < gpu_n_parameters; i++) *field(m, &gpu_parameters[i]) = gpu_parameters[i].default_value;
}

const struct gpu_parameter *gpu_config_find(const char *key) {
  for (unsigned i = 0; i < gpu_n_parameters; i++)
    if (!strcmp(gpu_parameters[i].key, key)) return &gpu_parameters[i];
  return NULL;
}

/* Levenshtein distance without regard to case; texts beyond 63 characters are cut. */
static unsigned distance(const char *a, const char *b) {
  unsigned row[64], n = (unsigned)strnlen(b, 63);
  for (unsigned j = 0; j <= n; j++) row[j] = j;
  for (unsigned i = 0; a[i] && i < 63; i++) {
    unsigned diagonal = row[0];
    row[0] = i + 1;
    for (unsigned j = 0; j < n; j++) {
      unsigned change = diagonal + (tolower((unsigned char)a[i]) != tolower((unsigned char)b[j]));
      diagonal = row[j + 1];
      unsigned drop = 1 + (row[j] < row[j + 1] ? row[j] : row[j + 1]);
      row[j + 1] = change < drop ? change : drop;
    }
  }
  return row[n];
}

/* A key without its section ("tCL") is as near to "dram.tCL" as its own spelling is to "tCL", and one more. */
static unsigned key_distance(const char *asked, const char *known) {
  unsigned whole = distance(asked, known);
  const char *dot = strrchr(known, '.'), *asked_dot = strrchr(asked, '.');
  if (!dot) return whole;
  unsigned last = distance(asked_dot ? asked_dot + 1 : asked, dot + 1) + 1;
  return last < whole ? last : whole;
}

int gpu_config_unknown_key(const char *place, const char *key, struct err *e) {
  const char *best = gpu_parameters[0].key;
  unsigned best_distance = UINT32_MAX;
  for (unsigned i = 0; i < gpu_n_parameters; i++) {
    unsigned d = key_distance(key, gpu_parameters[i].key);
    if (d >= best_distance) continue;
    best = gpu_parameters[i].key;
    best_distance = d;
  }
  return err_set(e, ERR_VALUE, "%s: unknown key \"%s\"; the nearest known key is \"%s\"", place, key, best);
}

/* Reads the whole text as one integer. NULL: fine; else what is wrong with it. */
static const char *parse_integer(const char *text, int64_t *out) {
  const char *digits = text + (*text == '-');
  int base = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10;
  if (base == 16) digits += 2;
  if (!*digits) return "is no number: write decimal digits or 0x and hexadecimal digits";
  for (const char *p = digits; *p; p++)
    if (base == 16 ? !isxdigit((unsigned char)*p) : !isdigit((unsigned char)*p))
      return "is no number: write decimal digits or 0x and hexadecimal digits, nothing else";
  if (base == 10 && digits[0] == '0' && digits[1]) return "has a leading zero: write it without, or as 0x...";
  errno = 0;
  *out = strtoll(text, NULL, base);
  return errno == ERANGE ? "is too large for 64 bits" : NULL;
}

/* Position of `text` in "a|b|c", or -1. */
static int64_t find_name(const char *names, const char *text) {
  size_t n = strlen(text);
  for (int64_t i = 0;; i++) {
    size_t length = strcspn(names, "|");
    if (length == n && !strncmp(names, text, n)) return i;
    if (!names[length]) return -1;
    names += length + 1;
  }
}

int gpu_config_assign(struct gpu_config *m, const struct gpu_parameter *p, const char *place, const char *text,
                      struct err *e) {
  int64_t value = 0;
  if (p->names) {
    value = find_name(p->names, text);
    if (value < 0) return err_set(e, ERR_VALUE, "%s: %s: \"%.60s\" is not one of %s", place, p->key, text, p->names);
  } else {
    const char *wrong = parse_integer(text, &value);
    if (wrong) return err_set(e, ERR_VALUE, "%s: %s: \"%.60s\" %s", place, p->key, text, wrong);
    if (value < p->min || value > p->max)
      return err_set(e, ERR_VALUE, "%s: %s: %s is outside %" PRId64 "..%" PRId64 "%s%s", place, p->key, text, p->min,
                     p->max, *p->unit ? " " : "", p->unit);
  }
  *field(m, p) = value;
  return 0;
}

int gpu_config_set(struct gpu_config *m, const char *origin, const char *assignment, struct err *e) {
  const char *equals = strchr(assignment, '=');
  char key[128];
  if (!equals || equals == assignment || (size_t)(equals - assignment) >= sizeof key)
    return err_set(e, ERR_USAGE, "%s: \"%.60s\" is no assignment: write key=value, as in dram.tCL=9", origin,
                   assignment);
  memcpy(key, assignment, (size_t)(equals - assignment));
  key[equals - assignment] = 0;
  const struct gpu_parameter *p = gpu_config_find(key);
  if (!p) return gpu_config_unknown_key(origin, key, e);
  return gpu_config_assign(m, p, origin, equals + 1, e);
}

enum { NOC_PACKET_HEADER = 8 /* bytes; NOC_HEADER_BYTES of the networks */ };

static bool power_of_two(int64_t x) { return x > 0 && !(x & (x - 1)); }

/* One relation; the first that fails makes the sentence. */
#define RELATION(holds, ...) \
  if (!(holds)) return err_set(e, ERR_VALUE, __VA_ARGS__)

/* 32 lanes in equal parts. */
static int check_lanes(const struct gpu_config *m, struct err *e) {
  RELATION(power_of_two(m->lsu_coalesce_lanes), "lsu.coalesce_lanes = %" PRId64 ": must be a power of two",
           m->lsu_coalesce_lanes);
  RELATION(power_of_two(m->shared_lanes), "shared.lanes = %" PRId64 ": must be a power of two", m->shared_lanes);
  return 0;
}

/* A barrel and its queues; nothing of it counts for sm.pipeline = scoreboard. */
static int check_barrel(const struct gpu_config *m, struct err *e) {
  int64_t subwarps = 32 / m->sm_simd_width, excess = 32 - subwarps;
  if (m->sm_pipeline == PIPELINE_SCOREBOARD) return 0;
  RELATION(m->sm_schedulers == 1, "sm.schedulers = %" PRId64 ": a barrel (sm.pipeline) has 1", m->sm_schedulers);
  RELATION(m->barrel_stages >= m->barrel_mem_stages + 3,
           "barrel.stages = %" PRId64 ": must be at least 3 more than barrel.mem_stages = %" PRId64
           ": scheduling, execution, writeback",
           m->barrel_stages, m->barrel_mem_stages);
  RELATION(m->shared_banks >= 4,
           "shared.banks = %" PRId64 ": a barrel (sm.pipeline) needs 4: an access of 16 bytes "
           "would conflict with itself",
           m->shared_banks);
  RELATION(power_of_two(m->elastic_sets), "elastic.sets = %" PRId64 ": must be a power of two", m->elastic_sets);
  RELATION(power_of_two(m->elastic_ways), "elastic.ways = %" PRId64 ": must be 1, 2 or 4", m->elastic_ways);
  RELATION(m->elastic_sets < INT64_C(1) << m->elastic_pc_bits,
           "elastic.sets = %" PRId64 ": must be below 2^elastic.pc_bits = %" PRId64 ", or nothing is left for the tag",
           m->elastic_sets, INT64_C(1) << m->elastic_pc_bits);
  int64_t entry = m->elastic_degree_bits + m->elastic_pc_bits - __builtin_ctzll((uint64_t)m->elastic_sets);
  RELATION(m->elastic_ways * entry <= 64,
           "elastic.ways = %" PRId64 ": a set of entries of %" PRId64 " bits (tag and degree) has at most 64 bits",
           m->elastic_ways, entry);
  RELATION(excess < INT64_C(1) << m->elastic_degree_bits,
           "elastic.degree_bits = %" PRId64 ": a warp of %" PRId64 " subwarps of sm.simd_width = %" PRId64
           " lanes can take %" PRId64 " cycles more than its issue slots, beyond the field",
           m->elastic_degree_bits, subwarps, m->sm_simd_width, excess);
  return 0;
}

static int check_core(const struct gpu_config *m, struct err *e) {
  RELATION(power_of_two(m->line_bytes), "line_bytes = %" PRId64 ": must be 32, 64 or 128", m->line_bytes);
  RELATION(power_of_two(m->sm_simd_width), "sm.simd_width = %" PRId64 ": must divide the warp of 32 lanes",
           m->sm_simd_width);
  RELATION(power_of_two(m->shared_banks), "shared.banks = %" PRId64 ": must be a power of two", m->shared_banks);
  RELATION(m->sm_threads <= 32 * m->sm_warps,
           "sm.threads = %" PRId64 ": sm.warps = %" PRId64 " hold %" PRId64
           " threads; raise sm.warps or lower sm.threads",
           m->sm_threads, m->sm_warps, 32 * m->sm_warps);
  RELATION(m->sm_schedulers <= m->sm_warps, "sm.schedulers = %" PRId64 ": more than sm.warps = %" PRId64,
           m->sm_schedulers, m->sm_warps);
  RELATION(m->l1_bytes % (m->l1_ways * m->line_bytes) == 0,
           "l1.bytes = %" PRId64 ": must be a multiple of l1.ways * line_bytes = %" PRId64, m->l1_bytes,
           m->l1_ways * m->line_bytes);
  RELATION(m->const_bytes % (m->const_ways * m->const_line_bytes) == 0,
           "const.bytes = %" PRId64 ": must be a multiple of const.ways * const.line_bytes = %" PRId64, m->const_bytes,
           m->const_ways * m->const_line_bytes);
  RELATION(m->tex_bytes % (m->tex_ways * m->tex_line_bytes) == 0,
           "tex.bytes = %" PRId64 ": must be a multiple of tex.ways * tex.line_bytes = %" PRId64, m->tex_bytes,
           m->tex_ways * m->tex_line_bytes);
  RELATION(power_of_two(m->const_line_bytes), "const.line_bytes = %" PRId64 ": must be 32, 64 or 128",
           m->const_line_bytes);
  RELATION(power_of_two(m->tex_line_bytes), "tex.line_bytes = %" PRId64 ": must be 32, 64 or 128", m->tex_line_bytes);
  RELATION(power_of_two(m->const_lanes), "const.lanes = %" PRId64 ": must be a power of two", m->const_lanes);
  RELATION(power_of_two(m->d2ma_segment) && m->d2ma_segment <= m->line_bytes,
           "d2ma.segment = %" PRId64 ": must be 32, 64 or 128 and at most line_bytes = %" PRId64, m->d2ma_segment,
           m->line_bytes);
  RELATION(m->d2ma_demand_mshrs < m->l1_mshrs,
           "d2ma.demand_mshrs = %" PRId64 ": must be below l1.mshrs = %" PRId64 ", or the engine never gets one",
           m->d2ma_demand_mshrs, m->l1_mshrs);
  return 0;
}

static int check_memory(const struct gpu_config *m, struct err *e) {
  int64_t slice_way = m->dram_channels * m->l2_ways * m->line_bytes;
  RELATION(m->l2_bytes % slice_way == 0,
           "l2.bytes = %" PRId64 ": must be a multiple of dram.channels * l2.ways * line_bytes = %" PRId64, m->l2_bytes,
           slice_way);
  RELATION(m->l2_bytes || m->l2_prefetch == L2_PREFETCH_NONE,
           "l2.prefetch = stride, but l2.bytes = %" PRId64 ": there is no cache to fetch into", m->l2_bytes);
  RELATION(power_of_two(m->l2_prefetch_region), "l2.prefetch_region = %" PRId64 ": must be a power of two",
           m->l2_prefetch_region);
  RELATION(power_of_two(m->dram_interleave), "dram.interleave = %" PRId64 ": must be a power of two",
           m->dram_interleave);
  RELATION(power_of_two(m->dram_row_bytes), "dram.row_bytes = %" PRId64 ": must be a power of two", m->dram_row_bytes);
  RELATION(power_of_two(m->dram_burst_bytes), "dram.burst_bytes = %" PRId64 ": must be a power of two",
           m->dram_burst_bytes);
  RELATION(m->dram_burst_bytes % m->dram_bytes_per_clock == 0,
           "dram.burst_bytes = %" PRId64 ": must be a multiple of dram.bytes_per_clock = %" PRId64, m->dram_burst_bytes,
           m->dram_bytes_per_clock);
  RELATION(m->dram_banks % m->dram_bank_groups == 0,
           "dram.banks = %" PRId64 ": must be a multiple of dram.bank_groups = %" PRId64, m->dram_banks,
           m->dram_bank_groups);
  RELATION(m->dram_tRC >= m->dram_tRAS + m->dram_tRP,
           "dram.tRC = %" PRId64 ": must be at least dram.tRAS + dram.tRP = %" PRId64
           ", the time in which a row opens, closes and may open again",
           m->dram_tRC, m->dram_tRAS + m->dram_tRP);
  RELATION(m->dram_tRRD <= m->dram_tRC,
           "dram.tRRD = %" PRId64 ": ACT to ACT of two banks takes no longer than of one, dram.tRC = %" PRId64,
           m->dram_tRRD, m->dram_tRC);
  RELATION(m->dram_refresh == 0 || m->dram_tRFC >= m->dram_tRC,
           "dram.tRFC = %" PRId64 ": a refresh opens and closes rows, so it takes at least dram.tRC = %" PRId64,
           m->dram_tRFC, m->dram_tRC);
  RELATION(m->dram_scheduler != DRAM_BFIFO || m->dram_queue % m->dram_banks == 0,
           "dram.queue = %" PRId64 ": dram.scheduler = bfifo shares it equally between dram.banks = %" PRId64,
           m->dram_queue, m->dram_banks);
  RELATION(m->dram_tCCDL >= m->dram_tCCDS, "dram.tCCDL = %" PRId64 ": must be at least dram.tCCDS = %" PRId64,
           m->dram_tCCDL, m->dram_tCCDS);
  /* between two refreshes a row must open, move data and close again, or no request ever ends */
  int64_t row_cycle = m->dram_tRFC + m->dram_tRCD + m->dram_tRAS + m->dram_tRC + m->dram_tRP + m->dram_tWL +
                      m->dram_tWR + m->dram_burst_bytes / m->dram_bytes_per_clock;
  RELATION(m->dram_refresh == 0 || m->dram_refresh >= 2 * row_cycle,
           "dram.tREFI = %" PRId64 ": must be 0 (no refresh) or at least %" PRId64
           ", twice a refresh and a row cycle of these timings",
           m->dram_refresh, 2 * row_cycle);
  return 0;
}

static int check_xmem(const struct gpu_config *m, struct err *e) {
  RELATION(power_of_two(m->xmem_alb_sets), "xmem.alb_sets = %" PRId64 ": must be a power of two", m->xmem_alb_sets);
  RELATION(power_of_two(m->xmem_alb_ways), "xmem.alb_ways = %" PRId64 ": must be a power of two", m->xmem_alb_ways);
  RELATION(m->xmem_alb_sets * m->xmem_alb_ways <= 1024,
           "xmem.alb_sets * xmem.alb_ways = %" PRId64 ": a lookaside buffer has at most 1024 entries",
           m->xmem_alb_sets * m->xmem_alb_ways);
  return 0;
}

static int count_bits(int64_t x) { return __builtin_popcountll((unsigned long long)x); }

/* Nodes, and where the memory channels are among them. */
static int check_nodes(const struct gpu_config *m, struct err *e) {
  int64_t nodes = m->sm_count + m->dram_channels;
  RELATION(m->noc_switching == NOC_FLITS,
           "noc.topology: a mesh or a ring switches flits; set noc.switching = flit, or noc.topology = crossbar");
  RELATION(nodes <= 256, "noc.topology: sm.count + dram.channels = %" PRId64 " nodes; a mesh or a ring has at most 256",
           nodes);
  RELATION(m->noc_topology != NOC_MESH || nodes % m->noc_columns == 0,
           "noc.columns = %" PRId64 ": sm.count + dram.channels = %" PRId64
           " nodes do not fill the rows of a mesh; choose a divisor",
           m->noc_columns, nodes);
  if (!m->noc_mc_nodes) return 0;
  RELATION(count_bits(m->noc_mc_nodes) == m->dram_channels,
           "noc.mc_nodes = 0x%" PRIx64 ": names %d nodes for dram.channels = %" PRId64, m->noc_mc_nodes,
           count_bits(m->noc_mc_nodes), m->dram_channels);
  RELATION(nodes >= 63 || m->noc_mc_nodes >> nodes == 0,
           "noc.mc_nodes = 0x%" PRIx64 ": names a node beyond sm.count + dram.channels = %" PRId64, m->noc_mc_nodes,
           nodes);
  return 0;
}

static int check_network(const struct gpu_config *m, struct err *e) {
  int64_t classes = m->noc_topology == NOC_RING ? 2 : 1, vcs = m->noc_vcs / classes;
  int64_t packet = (NOC_PACKET_HEADER + m->line_bytes + m->noc_flit_bytes - 1) / m->noc_flit_bytes;
  int code = m->noc_topology == NOC_CROSSBAR ? 0 : check_nodes(m, e);
  if (code) return code;
  RELATION(m->noc_switching == NOC_FLITS || m->noc_vcs == 1,
           "noc.vcs = %" PRId64 ": virtual channels are of routers; set noc.switching = flit", m->noc_vcs);
  RELATION(m->noc_topology != NOC_RING || (m->noc_vcs >= 2 && m->noc_vcs % 2 == 0),
           "noc.vcs = %" PRId64
           ": a ring takes an even number, one half for packets before the dateline and one beyond it,"
           " or packets can wait for each other round the ring for ever",
           m->noc_vcs);
  RELATION(m->noc_vc_alloc != NOC_SVCA || vcs <= m->dram_channels,
           "noc.vcs = %" PRId64 ": with noc.vc_alloc = svca%s there must not be more than dram.channels = %" PRId64
           ", or nobody may use the rest",
           m->noc_vcs, classes == 2 ? " half of those of a ring are assigned, and" : "", m->dram_channels);
  RELATION(m->noc_switching == NOC_PACKETS || m->noc_topology != NOC_CROSSBAR ||
             (m->sm_count <= 64 && m->dram_channels <= 64),
           "noc.switching = flit: a router has at most 64 inputs and outputs; sm.count = %" PRId64
           ", dram.channels = %" PRId64,
           m->sm_count, m->dram_channels);
  RELATION(m->noc_switching == NOC_PACKETS || packet <= m->noc_buffer_flits,
           "noc.buffer_flits = %" PRId64 ": a packet with a line has %" PRId64
           " flits, which must fit at its destination",
           m->noc_buffer_flits, packet);
  RELATION(m->noc_offer == NOC_OFFER_ONE || (m->noc_allocator != NOC_RMHG && m->noc_allocator != NOC_HMHG),
           "noc.offer = all: rmhg and hmhg compare the row of one packet an input; set noc.offer = one");
  return 0;
}

/* More ticks a second than a 64-bit count can hold for long would let simulated time overflow within seconds. */
static int check_clocks(const struct gpu_config *m, struct err *e) {
  const uint64_t khz[CLOCK_DOMAINS] = {(uint64_t)m->core_khz, (uint64_t)m->noc_khz, (uint64_t)m->l2_khz,
                                       (uint64_t)m->dram_khz};
  RELATION(clocks_common_khz(khz),
           "clock.core_khz, noc_khz, l2_khz, dram_khz = %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64
           ": no common tick above an attosecond; choose frequencies with a larger common divisor",
           m->core_khz, m->noc_khz, m->l2_khz, m->dram_khz);
  return 0;
}

static void raise_to_max(struct gpu_config *m, const char *key) {
  const struct gpu_parameter *p = gpu_config_find(key);
  *field(m, p) = p->max;
}

void gpu_config_idealise(struct gpu_config *m) {
  static const char *const keys[] = {"l1.mshrs",  "l1.mshr_merges",  "const.mshrs", "const.mshr_merges",
                                     "tex.mshrs", "tex.mshr_merges", "noc.queue",   "noc.flit_bytes",
                                     "l2.queue",  "l2.mshrs",        "dram.queue",  "noc.buffer_flits"};
  if (m->ideal_resources != IDEAL_RESOURCES_UNLIMITED) return;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) raise_to_max(m, keys[i]);
}

int gpu_config_check(const struct gpu_config *m, struct err *e) {
  int code = check_core(m, e);
  if (!code) code = check_lanes(m, e);
  if (!code) code = check_barrel(m, e);
  if (!code) code = check_memory(m, e);
  if (!code) code = check_network(m, e);
  if (!code) code = check_xmem(m, e);
  return code ? code : check_clocks(m, e);
}
