/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU configuration: every parameter of the simulated GPU, in one table. configs/gpu/<name>.yaml sets them (nested keys are
 * joined by dots, `base: other` inherits), `--set key=value` overrides them. */
#ifndef TANDEM_CONFIG_GPU_CONFIG_H
#define TANDEM_CONFIG_GPU_CONFIG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct err;

/* X(field, "key", default, min, max, "unit", "sentence") for integers,
 * E(field, "key", default, "name0|name1|...", "sentence") for enumerations (the value is the position). */
#define GPU_PARAMETERS(X, E)                                                                                              \
  X(sm_count, "sm.count", 15, 1, 256, "", "streaming multiprocessors (shaders)")                                          \
  X(sm_threads, "sm.threads", 1536, 32, 2048, "threads", "resident threads of an SM")                                     \
  X(sm_warps, "sm.warps", 48, 1, 64, "warps", "resident warps of an SM")                                                  \
  X(sm_ctas, "sm.ctas", 8, 1, 32, "CTAs", "resident CTAs of an SM")                                                       \
  X(sm_registers, "sm.registers", 32768, 1024, 1 << 20, "32-bit registers", "register file of an SM")                     \
  X(sm_shared_bytes, "sm.shared_bytes", 49152, 1024, 262144, "bytes", "shared memory of an SM")                           \
  X(sm_simd_width, "sm.simd_width", 32, 1, 32, "lanes", "lanes an operation starts a cycle; 32 / width cycles a warp")    \
  X(sm_schedulers, "sm.schedulers", 1, 1, 4, "", "warp schedulers; warp w belongs to scheduler w % schedulers")           \
  E(sm_scheduler, "sm.scheduler", SCHEDULER_GTO, "rr|gto", "rr: loose round-robin; gto: greedy-then-oldest")              \
  X(sm_latency_int, "sm.latency.int", 4, 1, 1000, "core cycles", "32-bit integer, logic, move to dependent issue")        \
  X(sm_latency_int64, "sm.latency.int64", 8, 1, 1000, "core cycles", "64-bit integer")                                    \
  X(sm_latency_f32, "sm.latency.f32", 4, 1, 1000, "core cycles", "single precision")                                      \
  X(sm_latency_f64, "sm.latency.f64", 8, 1, 1000, "core cycles", "double precision")                                      \
  X(sm_latency_sfu, "sm.latency.sfu", 32, 1, 1000, "core cycles", "special functions and division")                       \
  X(sm_interval_f64, "sm.interval.f64", 2, 1, 64, "core cycles", "cycles a double-precision operation keeps its unit")    \
  X(sm_interval_sfu, "sm.interval.sfu", 8, 1, 64, "core cycles", "cycles a special function keeps its unit")              \
  X(sm_latency_branch, "sm.latency.branch", 4, 1, 1000, "core cycles",                                                    \
    "branch, barrier or squash to the next issue of the warp")                                                            \
  E(sm_pipeline, "sm.pipeline", PIPELINE_SCOREBOARD, "scoreboard|unified|split|elastic",                                  \
    "scoreboard: results of fixed latency; else a strict barrel, by what its memory stages are")                          \
  X(lsu_queue, "lsu.queue", 4, 1, 64, "warp instructions", "memory instructions waiting in the load/store unit")          \
  X(lsu_coalesce_lanes, "lsu.coalesce_lanes", 32, 1, 32, "lanes",                                                         \
    "lanes whose global accesses are joined into segments: 32 a warp, 16 a half-warp")                                    \
  X(shared_banks, "shared.banks", 32, 1, 64, "banks", "shared memory banks of 4-byte words")                              \
  X(shared_latency, "shared.latency", 24, 1, 1000, "core cycles", "shared load without conflict, LSU to register")        \
  X(shared_lanes, "shared.lanes", 32, 1, 32, "lanes",                                                                     \
    "lanes that meet at the banks: 32 a warp, 16 half-warps one after the other")                                         \
  X(l1_bytes, "l1.bytes", 16384, 0, 1 << 20, "bytes", "L1 data cache; 0: none")                                           \
  X(l1_ways, "l1.ways", 4, 1, 64, "ways", "L1 associativity")                                                             \
  X(l1_latency, "l1.latency", 24, 1, 1000, "core cycles", "L1 hit, LSU to register")                                      \
  X(l1_mshrs, "l1.mshrs", 32, 1, 256, "entries", "outstanding line requests of an SM")                                    \
  X(l1_mshr_merges, "l1.mshr_merges", 8, 1, 64, "accesses", "accesses that share one MSHR")                               \
  X(const_bytes, "const.bytes", 8192, 0, 1 << 20, "bytes", "constant cache of an SM; 0: none")                            \
  X(const_ways, "const.ways", 2, 1, 64, "ways", "constant cache associativity")                                           \
  X(const_line_bytes, "const.line_bytes", 64, 32, 128, "bytes", "constant cache line; line_bytes if that is less")        \
  X(const_latency, "const.latency", 8, 1, 1000, "core cycles", "constant cache hit, LSU to register")                     \
  X(const_mshrs, "const.mshrs", 2, 1, 256, "entries", "outstanding lines of the constant cache")                          \
  X(const_mshr_merges, "const.mshr_merges", 32, 1, 64, "accesses", "accesses that share one of its MSHRs")                \
  X(const_lanes, "const.lanes", 32, 1, 32, "lanes", "lanes at its port at a time: 32 a warp, 16 a half-warp")             \
  E(const_conflict, "const.conflict", CONST_CONFLICT_WORD, "word|line",                                                   \
    "the port takes a cycle for each distinct word, or line, of these lanes")                                             \
  X(tex_bytes, "tex.bytes", 12288, 0, 1 << 20, "bytes", "texture cache of an SM; 0: none")                                \
  X(tex_ways, "tex.ways", 24, 1, 64, "ways", "texture cache associativity")                                               \
  X(tex_line_bytes, "tex.line_bytes", 128, 32, 128, "bytes",                                                              \
    "texture cache line, block of 2D arrays; line_bytes if that is less")                                                 \
  X(tex_latency, "tex.latency", 130, 1, 1000, "core cycles", "texture cache hit, LSU to register")                        \
  X(tex_mshrs, "tex.mshrs", 128, 1, 256, "entries", "outstanding lines of the texture cache")                             \
  X(tex_mshr_merges, "tex.mshr_merges", 4, 1, 64, "accesses", "accesses that share one of its MSHRs")                     \
  X(tex_ports, "tex.ports", 1, 1, 32, "lines", "lines of a fetch looked up a cycle; 32: a port for each lane")            \
  E(tex_read_only, "tex.read_only", READ_ONLY_L1, "l1|texture", "cache of read-only global loads (ld.global.nc)")         \
  X(line_bytes, "line_bytes", 128, 32, 128, "bytes", "L1 and L2 line, coalescing segment")                                \
  X(core_khz, "clock.core_khz", 700000, 1000, 10000000, "kHz", "core (SM) clock")                                         \
  X(noc_khz, "clock.noc_khz", 700000, 1000, 10000000, "kHz", "interconnect clock")                                        \
  X(l2_khz, "clock.l2_khz", 700000, 1000, 10000000, "kHz", "L2 clock")                                                    \
  X(dram_khz, "clock.dram_khz", 700000, 1000, 10000000, "kHz", "DRAM command clock")                                      \
  X(noc_flit_bytes, "noc.flit_bytes", 32, 8, 256, "bytes", "flit of the networks")                                        \
  X(noc_latency, "noc.latency", 16, 1, 1000, "interconnect cycles", "head flit, injection to ejection, unloaded")         \
  X(noc_queue, "noc.queue", 8, 1, 256, "packets", "injection queue of a network input")                                   \
  E(noc_topology, "noc.topology", NOC_CROSSBAR, "crossbar|mesh|ring", "request and reply network, one each")              \
  E(noc_switching, "noc.switching", NOC_PACKETS, "packet|flit",                                                           \
    "packet: a packet keeps both ports of the crossbar; flit: routers with virtual channels, credits")                    \
  X(noc_columns, "noc.columns", 6, 1, 64, "nodes", "of a mesh; its rows hold sm.count + dram.channels nodes")             \
  X(noc_mc_nodes, "noc.mc_nodes", 0, 0, INT64_MAX, "bit set", "mesh, ring: nodes of the channels; 0: spread evenly")      \
  E(noc_allocator, "noc.allocator", NOC_ROUND_ROBIN, "round_robin|pim|hg|rmhg|hmhg|islip|matrix",                         \
    "who is granted an output of the request network; the reply network: round_robin, or else pim")                       \
  E(noc_offer, "noc.offer", NOC_OFFER_ONE, "one|all",                                                                     \
    "an input of a router shows the allocator one packet a cycle, or one for each output")                                \
  X(noc_hold_hash_bits, "noc.hold_hash_bits", 4, 1, 12, "bits", "row hash that hmhg compares")                            \
  X(noc_max_hold, "noc.max_hold", 0, 0, 255, "grants", "held grants of a pair one after the other; 0: no limit")          \
  X(noc_grace, "noc.grace", 0, 0, 15, "interconnect cycles", "a free output keeps its hold so long without a request")    \
  X(noc_seed, "noc.seed", 1, 1, 65535, "", "of the allocators' random numbers")                                           \
  X(noc_vcs, "noc.vcs", 1, 1, 8, "", "virtual channels of a link")                                                        \
  E(noc_vc_alloc, "noc.vc_alloc", NOC_DVCA, "dvca|svca",                                                                  \
    "dvca: a packet takes the first free virtual channel; svca: that of its memory channel")                              \
  X(noc_buffer_flits, "noc.buffer_flits", 8, 1, 256, "flits", "buffer of a virtual channel")                              \
  X(noc_router_latency, "noc.router_latency", 4, 2, 64, "interconnect cycles",                                            \
    "head flit, one router's input to the next one's, unloaded")                                                          \
  X(l2_bytes, "l2.bytes", 786432, 0, 1 << 28, "bytes", "L2 cache, all slices; 0: none, requests go to DRAM")              \
  X(l2_ways, "l2.ways", 16, 1, 64, "ways", "L2 associativity")                                                            \
  X(l2_latency, "l2.latency", 40, 1, 1000, "L2 cycles", "slice input to reply, hit")                                      \
  X(l2_queue, "l2.queue", 16, 1, 256, "requests", "input queue of a slice")                                               \
  X(l2_mshrs, "l2.mshrs", 64, 1, 1024, "entries", "outstanding line fetches of a slice")                                  \
  E(l2_write_miss, "l2.write_miss", L2_WRITE_MASK, "mask|partial|line|forward",                                           \
    "fetched on a write miss: nothing (byte masks); sectors partly written; the line; the line, the write to DRAM too")   \
  E(l2_replacement, "l2.replacement", L2_REPLACE_LRU, "lru|drrip",                                                        \
    "lru: the least recently used line goes; drrip: re-reference intervals, dueling sets (Jaleel 2010)")                  \
  E(l2_prefetch, "l2.prefetch", L2_PREFETCH_NONE, "none|stride",                                                          \
    "none, or a stride prefetcher in every slice (mem/l2_stride.h)")                                                      \
  X(l2_prefetch_streams, "l2.prefetch_streams", 16, 1, 64, "streams", "that the prefetcher of a slice follows")           \
  X(l2_prefetch_degree, "l2.prefetch_degree", 4, 1, 16, "lines", "that it fetches ahead of a stream")                     \
  X(l2_prefetch_region, "l2.prefetch_region", 131072, 4096, 1 << 20, "bytes",                                             \
    "that a prefetch never leaves; a page of 4 KB unless mmu.frames is identity")                                         \
  X(dram_channels, "dram.channels", 8, 1, 256, "channels", "memory channels; one L2 slice each")                          \
  X(dram_interleave, "dram.interleave", 256, 128, 1 << 20, "bytes", "consecutive bytes on one channel")                   \
  X(dram_banks, "dram.banks", 16, 1, 64, "banks", "banks of a channel")                                                   \
  X(dram_bank_groups, "dram.bank_groups", 4, 1, 16, "groups", "bank groups of a channel")                                 \
  X(dram_row_bytes, "dram.row_bytes", 4096, 256, 1 << 16, "bytes", "row (page) of a bank, all chips of the channel")      \
  E(dram_map, "dram.map", DRAM_MAP_GROUP_COLUMN_BANK,                                                                     \
    "group_column_bank|column_bank|bank_column|page_bank_column|column_row_bank|row_column_bank",                         \
    "what consecutive addresses of a channel run through, fastest first; then rows, if not named")                        \
  X(dram_bank_hash, "dram.bank_hash", 1, 0, 1, "", "1: the bank is rotated by the row's bits")                            \
  X(dram_channel_hash, "dram.channel_hash", 0, 0, 1, "", "1: the channel is rotated by the higher address bits")          \
  X(dram_bytes_per_clock, "dram.bytes_per_clock", 32, 1, 1024, "bytes", "data bus bytes a command clock")                 \
  X(dram_burst_bytes, "dram.burst_bytes", 64, 16, 128, "bytes", "bytes of one column command")                            \
  X(dram_queue, "dram.queue", 64, 1, 1024, "requests", "scheduling queue of a channel")                                   \
  E(dram_scheduler, "dram.scheduler", DRAM_FR_FCFS, "fifo|fr_fcfs|bfifo|fr_fcfs_plain|most_pending",                      \
    "oldest; row hits, reads and writes in turns; a FIFO a bank; row hits; row hits, then the fullest row")               \
  X(dram_tCL, "dram.tCL", 9, 1, 100, "DRAM cycles", "READ to data")                                                       \
  X(dram_tWL, "dram.tWL", 3, 1, 100, "DRAM cycles", "WRITE to data")                                                      \
  X(dram_tRCD, "dram.tRCD", 9, 1, 100, "DRAM cycles", "ACT to READ or WRITE")                                             \
  X(dram_tRP, "dram.tRP", 9, 1, 100, "DRAM cycles", "PRE to ACT")                                                         \
  X(dram_tRAS, "dram.tRAS", 21, 1, 200, "DRAM cycles", "ACT to PRE")                                                      \
  X(dram_tRC, "dram.tRC", 30, 1, 200, "DRAM cycles", "ACT to ACT of one bank")                                            \
  X(dram_tRRD, "dram.tRRD", 5, 1, 100, "DRAM cycles", "ACT to ACT of different banks")                                    \
  X(dram_tFAW, "dram.tFAW", 18, 1, 200, "DRAM cycles", "window of four ACTs")                                             \
  X(dram_tCCDS, "dram.tCCDS", 2, 1, 100, "DRAM cycles", "column to column, different bank group")                         \
  X(dram_tCCDL, "dram.tCCDL", 3, 1, 100, "DRAM cycles", "column to column, same bank group")                              \
  X(dram_tWR, "dram.tWR", 9, 0, 100, "DRAM cycles", "end of write data to PRE")                                           \
  X(dram_tWTR, "dram.tWTR", 4, 1, 100, "DRAM cycles", "end of write data to READ")                                        \
  X(dram_tRTP, "dram.tRTP", 2, 0, 100, "DRAM cycles", "READ to PRE")                                                      \
  X(dram_tRTW, "dram.tRTW", 2, 0, 100, "DRAM cycles", "bus turnaround, read data to write data")                          \
  X(dram_latency, "dram.latency", 40, 0, 1000, "DRAM cycles", "controller and PHY, fixed part of an access")              \
  X(dram_refresh, "dram.tREFI", 2730, 0, 1 << 20, "DRAM cycles", "refresh interval; 0: no refresh")                       \
  X(dram_tRFC, "dram.tRFC", 91, 1, 1000, "DRAM cycles", "refresh")                                                        \
  X(memory_mib, "memory.mib", 1536, 1, 1 << 20, "MiB", "device memory")                                                   \
  E(mmu_frames, "mmu.frames", MMU_IDENTITY, "identity|sequential|random|placed",                                          \
    "page frame (4 KB) of a page: its own number; the next free one; any free one; by its atom (mem/placement.h)")        \
  E(mmu_rest, "mmu.rest", MMU_HALF, "half|share",                                                                         \
    "placed: bank columns that stay for data without columns of its own: half of all; the share of its intensity")        \
  X(mmu_seed, "mmu.seed", 1, 1, 65535, "", "of random page frames, random atoms")                                         \
  E(ideal_memory, "ideal.memory", IDEAL_MEMORY_REAL, "real|perfect_l1|perfect",                                           \
    "perfect_l1: every load that looks L1 up hits; perfect: every access ends after its cache's hit latency, no traffic") \
  E(ideal_dram, "ideal.dram", IDEAL_DRAM_REAL, "real|row_hits",                                                           \
    "row_hits: every row is open, no ACT and no PRE; buses, CAS latencies and refresh stay")                              \
  E(ideal_resources, "ideal.resources", IDEAL_RESOURCES_REAL, "real|unlimited",                                           \
    "unlimited: MSHRs, merges and queues at the top of their ranges, every packet one flit")                              \
  X(d2ma_buffers, "d2ma.buffers", 4, 1, 4, "buffers", "buffers of a CTA (Jamshidi 2014, 4.1)")                            \
  E(d2ma_reignition, "d2ma.reignition", D2MA_SAFE, "safe|literal",                                                        \
    "safe: a buffer is refilled when every warp has asked; literal: when the first has")                                  \
  X(d2ma_demand_mshrs, "d2ma.demand_mshrs", 0, 0, 255, "entries", "MSHRs that only demand misses may take")               \
  X(d2ma_segment, "d2ma.segment", 128, 32, 128, "bytes", "request size of the address generator: 32, 64, 128")            \
  X(d2ma_check_stores, "d2ma.check_stores", 1, 0, 1, "", "shared stores are checked against in-flight buffers too")       \
  E(d2ma_errors, "d2ma.errors", D2MA_ERRORS_FAULT, "fault|count",                                                         \
    "a DMA operation that breaks a rule: fault: the run ends with the rule; count: it is refused and counted")            \
  X(barrel_stages, "barrel.stages", 24, 8, 64, "stages", "of a barrel, scheduling to writeback")                          \
  X(barrel_mem_stages, "barrel.mem_stages", 4, 1, 8, "stages", "memory stages among them")                                \
  X(barrel_premem, "barrel.premem", 3, 0, 32, "entries",                                                                  \
    "PREMEM queue of the elastic pipeline; warp / sm.simd_width - 1")                                                     \
  X(barrel_nonmem, "barrel.nonmem", 4, 0, 16, "entries", "NONMEM queue of the elastic pipeline; barrel.mem_stages")       \
  X(barrel_ports, "barrel.ports", 1, 1, 8, "ports", "accesses that a bank of shared memory takes a cycle")                \
  E(barrel_returns, "barrel.returns", BARREL_RETURNS_FIRST, "first|last",                                                 \
    "at the writeback, interconnect returns go before everything, or take what is left")                                  \
  E(barrel_degree, "barrel.degree", BARREL_DEGREE_WORDS, "words|literal",                                                 \
    "conflict degree: distinct words of a bank, or accesses to it")                                                       \
  X(elastic_sets, "elastic.sets", 256, 2, 1024, "sets", "of the bank-conflict history cache; a power of two")             \
  X(elastic_ways, "elastic.ways", 2, 1, 4, "ways", "of the history cache")                                                \
  X(elastic_pc_bits, "elastic.pc_bits", 14, 2, 16, "bits", "of an instruction's number in the history cache")             \
  X(elastic_degree_bits, "elastic.degree_bits", 5, 1, 8, "bits", "of a degree in the history cache")                      \
  E(elastic_prediction, "elastic.prediction", ELASTIC_PREDICTION_HISTORY, "history|oracle",                               \
    "the degree of a shared access at issue: the last one measured, or its own (a bound)")                                \
  X(elastic_violate, "elastic.violate", 0, 0, 1, "",                                                                      \
    "1: a memory warp issues in spite of the mask when no other warp is ready (variant F)")                               \
  X(xmem_alb_sets, "xmem.alb_sets", 64, 1, 1024, "sets", "of an atom lookaside buffer; a power of two")                   \
  X(xmem_alb_ways, "xmem.alb_ways", 4, 1, 256, "ways", "of the buffer; a power of two")                                   \
  X(xmem_alb_misses, "xmem.alb_misses", 8, 2, 8, "pages", "that it fetches at a time")                                    \
  E(xmem_unit, "xmem.unit", XMEM_UNIT_512, "512|1024", "bytes that have one atom")                                        \
  E(xmem_id_bits, "xmem.id_bits", XMEM_ID_BITS_8, "8|6", "of an atom's number")                                           \
  X(xmem_mmu_latency, "xmem.mmu_latency", 10, 1, 1000, "L2 cycles", "translation of a page for a map")                    \
  X(xmem_bus_latency, "xmem.bus_latency", 8, 1, 1000, "L2 cycles", "from partition to partition")                         \
  X(xmem_pin_percent, "xmem.pin_percent", 75, 0, 100, "%", "of the L2 that pinned working sets may take")                 \
  X(xmem_debounce, "xmem.debounce", 1000, 0, 1 << 20, "L2 cycles",                                                        \
    "from one choice of what is pinned to the next, at least")                                                            \
  X(xmem_lookup_timeout, "xmem.lookup_timeout", 64, 1, 1 << 20, "L2 cycles", "a later answer counts as: no atom")         \
  X(xmem_prefetch_degree, "xmem.prefetch_degree", 4, 0, 7, "lines",                                                       \
    "prefetched after a miss of a regular atom; 0: none")                                                                 \
  X(xmem_edge, "xmem.edge", 0, 0, 1, "",                                                                                  \
    "a unit that a map covers in part: 0 is mapped; 1 if at least half is covered")                                       \
  X(xmem_unmap_check, "xmem.unmap_check", 0, 0, 1, "", "1: an unmap clears only units that still have its atom")          \
  X(xmem_flush_on_switch, "xmem.flush_on_switch", 1, 0, 1, "", "1: a context switch empties the lookaside buffers")       \
  E(xmem_hints, "xmem.hints", XMEM_HINTS_ON, "on|off|random",                                                             \
    "off: no answer names an atom; random: answers and attributes are random (both change speed only)")                   \
  X(launch_limit, "launch.limit", 0, 0, INT64_C(1) << 40, "core cycles",                                                  \
    "a launch that takes longer is ended, with the state of every component; 0: no limit")                                \
  X(watchdog, "watchdog", 200000, 1000, INT64_C(1) << 40, "core cycles", "no progress for so long is a deadlock")

enum { SCHEDULER_RR, SCHEDULER_GTO };
enum { PIPELINE_SCOREBOARD, PIPELINE_UNIFIED, PIPELINE_SPLIT, PIPELINE_ELASTIC };
enum { BARREL_RETURNS_FIRST, BARREL_RETURNS_LAST };
enum { BARREL_DEGREE_WORDS, BARREL_DEGREE_LITERAL };
enum { ELASTIC_PREDICTION_HISTORY, ELASTIC_PREDICTION_ORACLE };
enum { CONST_CONFLICT_WORD, CONST_CONFLICT_LINE };
enum { READ_ONLY_L1, READ_ONLY_TEXTURE };
enum { L2_WRITE_MASK, L2_WRITE_PARTIAL, L2_WRITE_LINE, L2_WRITE_FORWARD };
enum l2_replacement { L2_REPLACE_LRU, L2_REPLACE_DRRIP };
enum { L2_PREFETCH_NONE, L2_PREFETCH_STRIDE };
enum {
  DRAM_MAP_GROUP_COLUMN_BANK,
  DRAM_MAP_COLUMN_BANK,
  DRAM_MAP_BANK_COLUMN,
  DRAM_MAP_PAGE_BANK_COLUMN,
  DRAM_MAP_COLUMN_ROW_BANK,
  DRAM_MAP_ROW_COLUMN_BANK
};
enum { NOC_CROSSBAR, NOC_MESH, NOC_RING };
enum { NOC_PACKETS, NOC_FLITS };
enum { NOC_ROUND_ROBIN, NOC_PIM, NOC_HG, NOC_RMHG, NOC_HMHG, NOC_ISLIP, NOC_MATRIX };
enum { NOC_OFFER_ONE, NOC_OFFER_ALL };
enum { NOC_DVCA, NOC_SVCA };
enum { MMU_HALF, MMU_SHARE };
enum { MMU_IDENTITY, MMU_SEQUENTIAL, MMU_RANDOM, MMU_PLACED };
enum { IDEAL_MEMORY_REAL, IDEAL_MEMORY_PERFECT_L1, IDEAL_MEMORY_PERFECT };
enum { IDEAL_DRAM_REAL, IDEAL_DRAM_ROW_HITS };
enum { IDEAL_RESOURCES_REAL, IDEAL_RESOURCES_UNLIMITED };
enum { DRAM_FIFO, DRAM_FR_FCFS, DRAM_BFIFO, DRAM_FR_FCFS_PLAIN, DRAM_MOST_PENDING };
enum { D2MA_SAFE, D2MA_LITERAL };
enum { XMEM_UNIT_512, XMEM_UNIT_1024 };
enum { XMEM_ID_BITS_8, XMEM_ID_BITS_6 };
enum { XMEM_HINTS_ON, XMEM_HINTS_OFF, XMEM_HINTS_RANDOM };
enum { D2MA_ERRORS_FAULT, D2MA_ERRORS_COUNT };

struct gpu_config {
#define X(field, key, default_value, min, max, unit, sentence) int64_t field;
#define E(field, key, default_value, names, sentence) int64_t field;
  GPU_PARAMETERS(X, E)
#undef X
#undef E
};

/* One row of the table, for loaders, listings and the effective configuration of a run. */
struct gpu_parameter {
  const char *key, *unit, *names, *sentence; /* names: "a|b" for an enumeration, else NULL */
  size_t offset;
  int64_t default_value, min, max;
};
extern const struct gpu_parameter gpu_parameters[];
extern const unsigned gpu_n_parameters;

void gpu_config_defaults(struct gpu_config *);
/* Loads `name` (a path, or NAME for `config_dir`/gpu/NAME.yaml) over *m, bases first. Errors name file:line and key. */
int gpu_config_load(struct gpu_config *m, const char *config_dir, const char *name, struct err *e);
/* Applies "key=value"; `origin` names it in errors ("--set"). */
int gpu_config_set(struct gpu_config *m, const char *origin, const char *assignment, struct err *e);
/* Relations between parameters (power of two where needed, banks divisible by groups, ...). */
int gpu_config_check(const struct gpu_config *m, struct err *e);
/* Carries ideal.resources out: with `unlimited`, queues, MSHRs and merges get the largest values of the table and a flit
 * holds any packet. What still takes turns: one segment a cycle of an SM, one lookup a cycle of a slice, the DRAM buses. The
 * queue of the load/store unit keeps its depth: it works in order, and in a deeper one short loads wait for long ones. */
void gpu_config_idealise(struct gpu_config *);
int64_t gpu_config_get(const struct gpu_config *m, const struct gpu_parameter *p);

#endif
