/* SPDX-License-Identifier: Apache-2.0 */
/* Choices: parameters whose value is one of several names. One X-macro per choice, LIST(X) = X(identifier, name) ...,
 * generates the enumeration and the names that users type. A parameter's value is the position in its list. */
#ifndef TANDEM_CONFIG_CHOICES_H
#define TANDEM_CONFIG_CHOICES_H

#define CHOICE_ID(id, name) id,
#define CHOICE_TEXT(id, name) "|" #name
/* "name|name|..." of a list */
#define CHOICE_NAMES(LIST) (&(LIST(CHOICE_TEXT))[1])

/* clang-format off */
#define WARP_SCHEDULERS(X) X(SCHEDULER_RR, rr) X(SCHEDULER_GTO, gto)
enum { WARP_SCHEDULERS(CHOICE_ID) };
#define SM_PIPELINES(X) X(PIPELINE_SCOREBOARD, scoreboard)
enum { SM_PIPELINES(CHOICE_ID) };
#define FETCHES(X) X(FETCH_IDEAL, ideal) X(FETCH_BUFFERED, buffered)
enum { FETCHES(CHOICE_ID) };
#define REGISTER_COUNTS(X) X(REGISTERS_LIVE, live) X(REGISTERS_ALLOCATED, allocated)
enum { REGISTER_COUNTS(CHOICE_ID) };
#define CONST_CONFLICTS(X) X(CONST_CONFLICT_WORD, word) X(CONST_CONFLICT_LINE, line)
enum { CONST_CONFLICTS(CHOICE_ID) };
#define READ_ONLY_CACHES(X) X(READ_ONLY_L1, l1) X(READ_ONLY_TEXTURE, texture)
enum { READ_ONLY_CACHES(CHOICE_ID) };
#define NOC_TOPOLOGIES(X) X(NOC_CROSSBAR, crossbar) X(NOC_MESH, mesh) X(NOC_RING, ring)
enum { NOC_TOPOLOGIES(CHOICE_ID) };
#define NOC_SWITCHINGS(X) X(NOC_PACKETS, packet) X(NOC_FLITS, flit)
enum { NOC_SWITCHINGS(CHOICE_ID) };
#define NOC_ALLOCATORS(X) X(NOC_ROUND_ROBIN, round_robin) X(NOC_PIM, pim) X(NOC_HG, hg) X(NOC_RMHG, rmhg) X(NOC_HMHG, hmhg) X(NOC_ISLIP, islip) X(NOC_MATRIX, matrix) X(NOC_PIM_UNIFORM, pim_uniform)
enum { NOC_ALLOCATORS(CHOICE_ID) };
#define NOC_OFFERS(X) X(NOC_OFFER_ONE, one) X(NOC_OFFER_ALL, all)
enum { NOC_OFFERS(CHOICE_ID) };
#define NOC_PREFERENCES(X) X(NOC_PREFER_NONE, none) X(NOC_PREFER_PRELOAD, preload) X(NOC_PREFER_DEMAND, demand) X(NOC_PREFER_ALTERNATE, alternate)
enum { NOC_PREFERENCES(CHOICE_ID) };
#define NOC_VC_ALLOCS(X) X(NOC_DVCA, dvca) X(NOC_SVCA, svca)
enum { NOC_VC_ALLOCS(CHOICE_ID) };
#define L1_PREFETCHERS(X) X(L1_PREFETCH_NONE, none) X(L1_PREFETCH_MTHWP, mthwp)
enum { L1_PREFETCHERS(CHOICE_ID) };
#define L2_WRITE_MISSES(X) X(L2_WRITE_MASK, mask) X(L2_WRITE_PARTIAL, partial) X(L2_WRITE_LINE, line) X(L2_WRITE_FORWARD, forward)
enum { L2_WRITE_MISSES(CHOICE_ID) };
#define L2_REPLACEMENTS(X) X(L2_REPLACE_LRU, lru) X(L2_REPLACE_DRRIP, drrip)
enum l2_replacement { L2_REPLACEMENTS(CHOICE_ID) };
#define L2_PREFETCHERS(X) X(L2_PREFETCH_NONE, none) X(L2_PREFETCH_STRIDE, stride)
enum { L2_PREFETCHERS(CHOICE_ID) };
#define DRAM_MAPS(X) X(DRAM_MAP_GROUP_COLUMN_BANK, group_column_bank) X(DRAM_MAP_COLUMN_BANK, column_bank) X(DRAM_MAP_BANK_COLUMN, bank_column) X(DRAM_MAP_PAGE_BANK_COLUMN, page_bank_column) X(DRAM_MAP_COLUMN_ROW_BANK, column_row_bank) X(DRAM_MAP_ROW_COLUMN_BANK, row_column_bank)
enum { DRAM_MAPS(CHOICE_ID) };
#define DRAM_SCHEDULERS(X) X(DRAM_FIFO, fifo) X(DRAM_FR_FCFS, fr_fcfs) X(DRAM_BFIFO, bfifo) X(DRAM_FR_FCFS_PLAIN, fr_fcfs_plain) X(DRAM_MOST_PENDING, most_pending)
enum { DRAM_SCHEDULERS(CHOICE_ID) };
#define DRAM_PREFERENCES(X) X(DRAM_PREFER_NONE, none) X(DRAM_PREFER_PRELOAD, preload)
enum { DRAM_PREFERENCES(CHOICE_ID) };
#define MMU_FRAME_POLICIES(X) X(MMU_IDENTITY, identity) X(MMU_SEQUENTIAL, sequential) X(MMU_RANDOM, random) X(MMU_PLACED, placed)
enum { MMU_FRAME_POLICIES(CHOICE_ID) };
#define NUMA_PLACEMENTS(X) X(NUMA_XOR, xor) X(NUMA_FIRST_TOUCH, first_touch) X(NUMA_INTERLEAVE, interleave)
enum { NUMA_PLACEMENTS(CHOICE_ID) };
#define NUMA_TOPOLOGIES(X) X(NUMA_RING, ring) X(NUMA_ALL_TO_ALL, all_to_all)
enum { NUMA_TOPOLOGIES(CHOICE_ID) };
#define NUMA_SHARES(X) X(NUMA_SHARE_LINK, link) X(NUMA_SHARE_ALL, all)
enum { NUMA_SHARES(CHOICE_ID) };
#define DISPATCH_POLICIES(X) X(DISPATCH_ROUND_ROBIN, round_robin) X(DISPATCH_BCS, bcs) X(DISPATCH_PARTS, parts)
enum { DISPATCH_POLICIES(CHOICE_ID) };
#define MMU_RESTS(X) X(MMU_HALF, half) X(MMU_SHARE, share)
enum { MMU_RESTS(CHOICE_ID) };
#define IDEAL_MEMORIES(X) X(IDEAL_MEMORY_REAL, real) X(IDEAL_MEMORY_PERFECT_L1, perfect_l1) X(IDEAL_MEMORY_PERFECT, perfect)
enum { IDEAL_MEMORIES(CHOICE_ID) };
#define IDEAL_DRAMS(X) X(IDEAL_DRAM_REAL, real) X(IDEAL_DRAM_ROW_HITS, row_hits)
enum { IDEAL_DRAMS(CHOICE_ID) };
#define IDEAL_RESOURCES_LIST(X) X(IDEAL_RESOURCES_REAL, real) X(IDEAL_RESOURCES_UNLIMITED, unlimited)
enum { IDEAL_RESOURCES_LIST(CHOICE_ID) };
/* clang-format on */

#endif
