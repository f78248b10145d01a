/* SPDX-License-Identifier: Apache-2.0 */
/* Counters: one table a component kind. Structures, dumps, sums and listings expand from it. Plain integers. */
#ifndef TANDEM_CONFIG_COUNTERS_H
#define TANDEM_CONFIG_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

/* X(name, "unit", "sentence") */
#define SM_COUNTERS(X)                                                                                                \
  X(cycles, "core cycles", "cycles with at least one resident CTA")                                                   \
  X(finish_cycles, "core cycles", "from a launch's start to the end of the SM's last CTA, summed over launches")      \
  X(warp_instructions, "warp instructions", "issued and not squashed, DMA operations included")                       \
  X(thread_instructions, "thread instructions", "lanes of the issued warp instructions")                              \
  X(issue_cycles, "core cycles", "cycles in which at least one instruction was issued")                               \
  X(stall_memory, "core cycles", "no issue: every warp waits, at least one for a load from outside of shared memory") \
  X(stall_shared, "core cycles", "no issue: every warp waits, at least one for shared memory, none for a load")       \
  X(stall_dma, "core cycles",                                                                                         \
    "no issue: every warp waits, at least one for its system (a DMA buffer, a slot), none for a load")                \
  X(stall_barrier, "core cycles", "no issue: every warp waits at a barrier")                                          \
  X(stall_data, "core cycles", "no issue: waits for arithmetic results, branch or fetch")                             \
  X(stall_structural, "core cycles", "no issue: a ready warp met a busy unit or a full queue")                        \
  X(ctas, "CTAs", "CTAs completed")                                                                                   \
  X(barriers, "warp instructions", "barrier arrivals")                                                                \
  X(divergent_branches, "warp instructions", "branches that split a warp")                                            \
  X(shared_accesses, "warp instructions", "shared loads, stores, atomics")                                            \
  X(shared_conflict_cycles, "core cycles", "further port cycles because of bank conflicts")                           \
  X(global_loads, "warp instructions", "global loads")                                                                \
  X(global_stores, "warp instructions", "global stores")                                                              \
  X(global_atomics, "warp instructions", "global atomics")                                                            \
  X(transactions, "segments", "segments after coalescing")                                                            \
  X(l1_hits, "segments", "L1 load hits")                                                                              \
  X(l1_misses, "segments", "L1 load misses that sent a request")                                                      \
  X(l1_merges, "segments", "L1 load misses merged into an MSHR")                                                      \
  X(l1_mshr_stalls, "core cycles", "a load waited for an MSHR or a merge slot")                                       \
  X(const_loads, "warp instructions", "constant loads")                                                               \
  X(const_hits, "segments", "constant cache hits: distinct words, or lines (const.conflict)")                         \
  X(const_misses, "segments", "constant cache misses that sent a request")                                            \
  X(const_merges, "segments", "constant cache misses merged into an MSHR")                                            \
  X(const_conflict_cycles, "core cycles", "further port cycles because lanes of a group differ in address")           \
  X(const_mshr_stalls, "core cycles", "a constant load waited for an MSHR or a merge slot")                           \
  X(tex_fetches, "warp instructions", "texture fetches")                                                              \
  X(tex_hits, "segments", "texture cache hits: lines, of fetches and read-only loads")                                \
  X(tex_misses, "segments", "texture cache misses that sent a request")                                               \
  X(tex_merges, "segments", "texture cache misses merged into an MSHR")                                               \
  X(tex_mshr_stalls, "core cycles", "a fetch waited for an MSHR or a merge slot")                                     \
  X(replies, "requests", "replies to reads and atomics")                                                              \
  X(reply_cycles, "core cycles", "from a request's leaving the SM to its reply, summed over replies")                 \
  X(memory_ops, "warp instructions", "without an L2: memory instructions that sent requests")                         \
  X(memory_op_channels, "channels", "different channels that each of them asked, summed")                             \
  X(memory_op_banks, "banks", "different banks that each of them asked, summed")                                      \
  X(port_stalls, "core cycles", "a request waited for the interconnect")                                              \
  X(tile_copies, "tiles", "copies of tiles into shared memory completed, by software or by a system")                 \
  X(tile_instructions, "warp instructions",                                                                           \
    "software copies: addresses, loads, stores, branches that decide about them")                                     \
  X(tile_agen_cycles, "core cycles", "first address operation, or ignition, to the last request, summed over copies") \
  X(tile_mem_cycles, "core cycles", "last request to the last shared write, summed over copies")                      \
  X(tile_stalls, "core cycles", "no issue: every thread of all CTAs waits for a copy; part of the stalls above")      \
  X(stall_sched_masked, "core cycles",                                                                                \
    "barrel: nothing issued, the ready warps are masked: a memory warp would be too near")                            \
  X(stall_sched_empty, "core cycles", "barrel: nothing issued, no warp is ready")                                     \
  X(stall_bank_conflict, "core cycles", "barrel: the front end is held by what the memory stages are at")             \
  X(stall_writeback, "core cycles",                                                                                   \
    "barrel: the front end is held because an interconnect return takes the writeback")                               \
  X(shared_subwarps, "accesses", "barrel: SIMD accesses to shared memory, of subwarps with an active lane")           \
  X(shared_degrees, "accesses", "barrel: their conflict degrees, summed; by shared_subwarps: the mean")               \
  X(return_slots, "core cycles", "barrel: writebacks taken by interconnect returns")                                  \
  X(premem_peak, "entries", "barrel: the most that PREMEM held at a time; summed over SMs")                           \
  X(nonmem_peak, "entries", "barrel: the most that NONMEM held at a time; summed over SMs")                           \
  X(premem_full, "core cycles", "barrel: PREMEM was full")                                                            \
  X(nonmem_full, "core cycles", "barrel: NONMEM was full")                                                            \
  X(history_lookups, "warp instructions", "elastic: shared accesses whose conflict degree was predicted")             \
  X(history_hits, "warp instructions", "elastic: predictions from the history cache, the others are 0")               \
  X(history_misses, "warp instructions", "elastic: predictions of instructions that are not in the history cache")    \
  X(history_evictions, "entries", "elastic: entries that made room for another instruction")                          \
  X(history_low, "warp instructions", "elastic: predictions below the degree that was measured")                      \
  X(history_high, "warp instructions", "elastic: predictions above the degree that was measured")                     \
  X(d2ma_config_ops, "warp instructions", "DMA configuration and execute operations")                                 \
  X(d2ma_transfers, "buffers", "transfers completed")                                                                 \
  X(d2ma_requests, "segments", "segment requests of the address generator")                                           \
  X(d2ma_bytes, "bytes", "bytes written to shared memory by fills")                                                   \
  X(d2ma_constant_bytes, "bytes", "halo constants written")                                                           \
  X(d2ma_agen_cycles, "core cycles", "ignition to the last request, summed over transfers")                           \
  X(d2ma_mem_cycles, "core cycles", "last request to the last shared write, summed over transfers")                   \
  X(d2ma_mshr_stalls, "core cycles", "the address generator waited for an MSHR")                                      \
  X(d2ma_port_losses, "core cycles", "the address generator lost the port to the memory unit")                        \
  X(d2ma_raw_queries, "warp instructions", "shared accesses checked")                                                 \
  X(d2ma_raw_hits, "warp instructions", "shared accesses squashed")                                                   \
  X(d2ma_store_hits, "warp instructions", "shared stores into an in-flight buffer: program errors")                   \
  X(d2ma_program_errors, "events", "illegal or non-uniform DMA operations")                                           \
  X(xmem_instructions, "warp instructions", "AMU_SETREG and ATOM_* instructions")                                     \
  X(xmem_stalls, "events", "an ATOM_* instruction found all four slots of its SM taken")                              \
  X(xmem_refused, "warp instructions", "of an atom, a register or dimensions that do not exist: without effect")

#define MEMORY_COUNTERS(X)                                                                         \
  X(noc_request_packets, "packets", "SM to L2")                                                    \
  X(noc_request_flits, "flits", "SM to L2")                                                        \
  X(noc_reply_packets, "packets", "L2 to SM")                                                      \
  X(noc_reply_flits, "flits", "L2 to SM")                                                          \
  X(noc_request_stalls, "interconnect cycles", "a request packet waited at the head of its queue") \
  X(noc_reply_stalls, "interconnect cycles", "a reply packet waited at the head of its queue")     \
  X(noc_request_cycles, "interconnect cycles", "requests, injection to arrival, summed")           \
  X(noc_reply_cycles, "interconnect cycles", "replies, injection to arrival, summed")              \
  X(noc_held_grants, "packets", "requests granted an output because the pair was held")            \
  X(l2_reads, "requests", "read requests at the slices")                                           \
  X(l2_writes, "requests", "write requests at the slices")                                         \
  X(l2_atomics, "requests", "atomic requests at the slices")                                       \
  X(l2_hits, "requests", "requests that found their line")                                         \
  X(l2_misses, "requests", "requests that did not")                                                \
  X(l2_write_fetches, "fetches", "fetches from DRAM that a write made (l2.write_miss)")            \
  X(l2_writebacks, "lines", "dirty lines written to DRAM")                                         \
  X(l2_prefetches, "lines", "fetched before anybody has asked (l2.prefetch, mem/agent.h)")         \
  X(l2_prefetch_hits, "lines", "of those, asked for later, still under way or there")              \
  X(l2_side_accesses, "requests", "of a system at the slices (mem/agent.h), in l2_* above too")    \
  X(l2_pinned, "lines", "pinned for a system (mem/agent.h); again after an unpinning")             \
  X(dram_reads, "column commands", "READ commands")                                                \
  X(dram_writes, "column commands", "WRITE commands")                                              \
  X(dram_activates, "commands", "ACT commands")                                                    \
  X(dram_precharges, "commands", "PRE commands")                                                   \
  X(dram_refreshes, "commands", "REF commands")                                                    \
  X(dram_row_hits, "column commands", "column commands to a row opened for an earlier request")    \
  X(dram_busy_cycles, "DRAM cycles", "cycles with data on the bus, summed over channels")          \
  X(dram_queue_cycles, "DRAM cycles", "requests times cycles in the scheduling queues")            \
  X(dram_cycles, "DRAM cycles", "all cycles, summed over channels")                                \
  X(dram_active_cycles, "DRAM cycles", "cycles with a request queued or its data to come")         \
  X(dram_requests, "requests", "requests served")                                                  \
  X(dram_read_latency, "DRAM cycles", "reads, arrival at the controller to end of data, summed")   \
  X(dram_reads_done, "requests", "those reads")                                                    \
  X(dram_write_latency, "DRAM cycles", "writes, arrival at the controller to end of data, summed") \
  X(dram_writes_done, "requests", "those writes")                                                  \
  X(dram_arrived_rows, "rows", "changes of a bank's row, in the order of arrival at its channel")  \
  X(dram_rows_1, "requests", "whose arrival made one row of its bank waited for")                  \
  X(dram_rows_2, "requests", "two rows")                                                           \
  X(dram_rows_3, "requests", "three rows")                                                         \
  X(dram_rows_more, "requests", "more rows")                                                       \
  X(dram_streak_sms, "SMs", "different SMs of each row streak (ACT to ACT), summed")               \
  X(dram_streaks, "streaks", "that a banked FIFO ended for another row")                           \
  X(dram_breaks_sm, "streaks", "of those: a stranded request waited behind one of another SM")     \
  X(dram_breaks_cta, "streaks", "the same: of another CTA of its SM")                              \
  X(dram_breaks_same, "streaks", "the same: of its own CTA")                                       \
  X(noc_core_rows, "rows", "without an L2: changes of a bank's row in what one SM sends, summed")  \
  X(noc_sent_rows, "rows", "without an L2: changes of a bank's row in what all SMs send")          \
  X(xmem_lookups, "lookups", "asked of the AMUs: for requests, for prefetches")                    \
  X(xmem_alb_hits, "lookups", "whose page was in the atom lookaside buffer")                       \
  X(xmem_alb_misses, "lookups", "whose page was not, merges too")                                  \
  X(xmem_alb_merges, "lookups", "misses of a page being fetched")                                  \
  X(xmem_dropped, "requests", "not looked up: the queue was full, or it waited too long")          \
  X(xmem_late, "lookups", "answered after xmem.lookup_timeout")                                    \
  X(xmem_active, "lookups", "of requests, in time, with an active atom")                           \
  X(xmem_pages_mapped, "pages", "writes of the atom address map")                                  \
  X(xmem_map_cycles, "L2 cycles", "the home AMU did a map or an unmap")                            \
  X(xmem_commands, "commands", "taken by the home AMU")                                            \
  X(xmem_switches, "switches", "context switches")                                                 \
  X(xmem_switch_cycles, "L2 cycles", "of them, to the last table loaded, summed")                  \
  X(xmem_atoms, "atoms", "loaded into the private tables")                                         \
  X(xmem_attribute_bytes, "bytes", "of their attributes, read from memory")                        \
  X(xmem_selections, "selections", "choices of what the L2 pins")

#define COUNTER_FIELD(name, unit, sentence) uint64_t name;
struct sm_counters {
  SM_COUNTERS(COUNTER_FIELD)
};
struct memory_counters {
  MEMORY_COUNTERS(COUNTER_FIELD)
};

struct counter_row {
  const char *name, *unit, *sentence;
};
extern const struct counter_row sm_counter_rows[], memory_counter_rows[];
enum {
  N_SM_COUNTERS = sizeof(struct sm_counters) / sizeof(uint64_t),
  N_MEMORY_COUNTERS = sizeof(struct memory_counters) / sizeof(uint64_t)
};

/* sum += add, counter by counter. */
void counters_add(uint64_t *sum, const uint64_t *add, size_t n);

#endif
