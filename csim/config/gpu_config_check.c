/* SPDX-License-Identifier: Apache-2.0 */
/* Relations between the GPU's own parameters. */
#include "base/clock.h"
#include "config/gpu_config.h"
#include "config/packet.h"
#include "config/relation.h"

/* Groups of lanes must divide a warp of 32 lanes evenly. */
static int check_lanes(const struct gpu_config *m, struct err *e) {
  RELATION(power_of_two(m->lsu_coalesce_lanes), "lsu.coalesce_lanes = %" PRId64 ": must be a power of two",
           m->lsu_coalesce_lanes);
  RELATION(power_of_two(m->shared_lanes), "shared.lanes = %" PRId64 ": must be a power of two", m->shared_lanes);
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
  return 0;
}

static int check_memory(const struct gpu_config *m, struct err *e) {
  int64_t slice_way = m->dram_channels * m->l2_slices * m->l2_ways * m->line_bytes;
  RELATION(m->l2_bytes % slice_way == 0,
           "l2.bytes = %" PRId64 ": must be a multiple of dram.channels * l2.slices * l2.ways * line_bytes = %" PRId64,
           m->l2_bytes, slice_way);
  RELATION(power_of_two(m->l2_slices), "l2.slices = %" PRId64 ": must be a power of two", m->l2_slices);
  RELATION(m->l2_slices == 1 || m->noc_topology == NOC_CROSSBAR,
           "l2.slices = %" PRId64 ": a node of a mesh or a ring has one slice; set noc.topology = crossbar",
           m->l2_slices);
  RELATION(m->dram_channels * m->l2_slices <= 256,
           "l2.slices = %" PRId64 ": dram.channels * l2.slices must be at most 256", m->l2_slices);
  RELATION(m->l2_slices == 1 || m->l2_prefetch == L2_PREFETCH_NONE,
           "l2.prefetch = stride follows the lines of a whole channel; l2.slices = %" PRId64 " must be 1",
           m->l2_slices);
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
  bool by_block = gpu_config_dram_by_block(m);
  RELATION(!by_block || m->dram_refresh == 0,
           "dram.tREFI = %" PRId64
           ": dram.scheduler = bfifo and fr_fcfs_plain are blocks that know no refresh; write 0",
           m->dram_refresh);
  RELATION(!by_block || m->ideal_dram == IDEAL_DRAM_REAL,
           "ideal.dram = row_hits: dram.scheduler = bfifo and fr_fcfs_plain are blocks that open rows themselves; take "
           "fr_fcfs, fifo or most_pending");
  RELATION(m->dram_prefer == DRAM_PREFER_NONE || m->dram_scheduler == DRAM_FR_FCFS,
           "dram.prefer = preload is for dram.scheduler = fr_fcfs; set dram.prefer = none");
  RELATION(m->dram_tCCDL >= m->dram_tCCDS, "dram.tCCDL = %" PRId64 ": must be at least dram.tCCDS = %" PRId64,
           m->dram_tCCDL, m->dram_tCCDS);
  RELATION(m->mmu_page_bytes == 4096 || m->mmu_page_bytes == 65536,
           "mmu.page_bytes = %" PRId64 ": must be 4096 or 65536", m->mmu_page_bytes);
  /* between two refreshes a row must have time to open, transfer data and close, or no request ever completes */
  int64_t row_cycle = m->dram_tRFC + m->dram_tRCD + m->dram_tRAS + m->dram_tRC + m->dram_tRP + m->dram_tWL +
                      m->dram_tWR + m->dram_burst_bytes / m->dram_bytes_per_clock;
  RELATION(m->dram_refresh == 0 || m->dram_refresh >= 2 * row_cycle,
           "dram.tREFI = %" PRId64 ": must be 0 (no refresh) or at least %" PRId64
           ", twice a refresh and a row cycle of these timings",
           m->dram_refresh, 2 * row_cycle);
  return 0;
}

static int count_bits(int64_t x) { return __builtin_popcountll((unsigned long long)x); }

/* Checks the number of nodes and the placement of the memory channels among them. */
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
  int64_t packet = packet_flits(m->line_bytes, m->noc_flit_bytes);
  int code = m->noc_topology == NOC_CROSSBAR ? 0 : check_nodes(m, e);
  if (code) return code;
  RELATION(m->noc_switching == NOC_FLITS || m->noc_vcs == 1,
           "noc.vcs = %" PRId64 ": virtual channels are of routers; set noc.switching = flit", m->noc_vcs);
  RELATION(m->noc_switching == NOC_PACKETS || m->noc_prefer == NOC_PREFER_NONE,
           "noc.prefer: routers have no preference; set noc.switching = packet, or noc.prefer = none");
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
             (m->sm_count <= 64 && m->dram_channels * m->l2_slices <= 64),
           "noc.switching = flit: a router has at most 64 inputs and outputs; sm.count = %" PRId64
           ", dram.channels * l2.slices = %" PRId64,
           m->sm_count, m->dram_channels * m->l2_slices);
  RELATION(m->noc_switching == NOC_PACKETS || packet <= m->noc_buffer_flits,
           "noc.buffer_flits = %" PRId64 ": a packet with a line has %" PRId64
           " flits, which must fit at its destination",
           m->noc_buffer_flits, packet);
  RELATION(m->noc_offer == NOC_OFFER_ONE || (m->noc_allocator != NOC_RMHG && m->noc_allocator != NOC_HMHG),
           "noc.offer = all: rmhg and hmhg compare the row of one packet an input; set noc.offer = one");
  return 0;
}

static int64_t common_divisor(int64_t a, int64_t b) { return b ? common_divisor(b, a % b) : a; }

/* Links of a GPU of several modules, in both directions. */
static int64_t count_links(const struct gpu_config *m) {
  int64_t n = m->numa_modules;
  return m->numa_topology == NUMA_ALL_TO_ALL || n == 2 ? n * (n - 1) : 2 * n;
}

int64_t gpu_config_links(const struct gpu_config *m) { return m->numa_share == NUMA_SHARE_ALL ? count_links(m) : 1; }

int64_t gpu_config_hop(const struct gpu_config *m) {
  int64_t link = m->noc_khz * gpu_config_links(m), cycles = (m->numa_hop * m->numa_link_khz + link / 2) / link;
  return cycles > 2 ? cycles : 2;
}

/* Each module is a GPU of its own with its share of everything. */
static int check_shares(const struct gpu_config *m, struct err *e) {
  const int64_t n = m->numa_modules;
  RELATION(power_of_two(n), "numa.modules = %" PRId64 ": must be 1, 2 or 4", n);
  RELATION(m->sm_count % n == 0, "numa.modules = %" PRId64 ": sm.count = %" PRId64 " must be a multiple of it", n,
           m->sm_count);
  RELATION(m->dram_channels % n == 0,
           "numa.modules = %" PRId64 ": dram.channels = %" PRId64 ", with their L2 slices, must be a multiple of it", n,
           m->dram_channels);
  RELATION(m->memory_mib % n == 0, "numa.modules = %" PRId64 ": memory.mib = %" PRId64 " must be a multiple of it", n,
           m->memory_mib);
  return 0;
}

static int check_modules(const struct gpu_config *m, struct err *e) {
  const int64_t packet = packet_flits(m->line_bytes, m->numa_flit_bytes);
  int code = m->numa_modules == 1 ? 0 : check_shares(m, e);
  if (code || m->numa_modules == 1) return code;
  RELATION(m->noc_topology == NOC_CROSSBAR && m->noc_switching == NOC_PACKETS,
           "numa.modules = %" PRId64
           ": links join crossbars that switch packets; set noc.topology = crossbar, noc.switching = packet",
           m->numa_modules);
  RELATION(m->noc_allocator != NOC_RMHG && m->noc_allocator != NOC_HMHG,
           "numa.modules = %" PRId64 ": noc.allocator = rmhg and hmhg compare rows of one memory; take round_robin",
           m->numa_modules);
  RELATION(m->mmu_frames == MMU_IDENTITY,
           "mmu.frames: of several modules numa.placement chooses page frames; set mmu.frames = identity");
  RELATION(gpu_config_hop(m) + 4 * packet <= 256,
           "numa.hop = %" PRId64 " takes %" PRId64
           " link cycles; a link holds 256 flits at most, so lower it or numa.link_khz",
           m->numa_hop, gpu_config_hop(m));
  const int64_t khz[] = {m->core_khz, m->noc_khz, m->l2_khz, m->dram_khz};
  const int64_t common = (int64_t)clocks_common_khz(
    (const uint64_t[]){(uint64_t)khz[0], (uint64_t)khz[1], (uint64_t)khz[2], (uint64_t)khz[3]});
  const int64_t parts = m->numa_link_khz / common_divisor(m->numa_link_khz, common * gpu_config_links(m));
  RELATION(common == 0 || parts <= INT64_C(1000000000000) / common,
           "numa.link_khz = %" PRId64 ": has too small a common divisor with the other clocks; choose a rounder number",
           m->numa_link_khz);
  return 0;
}

/* The tick rate is limited, so that simulated time does not overflow 64 bits within seconds. */
static int check_clocks(const struct gpu_config *m, struct err *e) {
  const uint64_t khz[CLOCK_DOMAINS] = {(uint64_t)m->core_khz, (uint64_t)m->noc_khz, (uint64_t)m->l2_khz,
                                       (uint64_t)m->dram_khz};
  RELATION(clocks_common_khz(khz),
           "clock.core_khz, noc_khz, l2_khz, dram_khz = %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64
           ": no common tick above an attosecond; choose frequencies with a larger common divisor",
           m->core_khz, m->noc_khz, m->l2_khz, m->dram_khz);
  return 0;
}

int gpu_config_check(const struct gpu_config *m, struct err *e) {
  int code = check_core(m, e);
  if (!code) code = check_lanes(m, e);
  if (!code) code = check_memory(m, e);
  if (!code) code = check_network(m, e);
  if (!code) code = gpu_config_check_owned(m, e);
  if (!code) code = check_clocks(m, e);
  return code ? code : check_modules(m, e);
}
