/* SPDX-License-Identifier: Apache-2.0 */
/* Synthesis of the RTL that runs in lockstep: area, depth and clock, each with its band over N netlists of the same function.
 *
 *   struct synth *s;              tools, cache, options of one call
 *   synth_open, synth_add_block   what is wanted: designs x libraries
 *   synth_run                     elaborates, maps and times what the cache does not have, in parallel
 *   synth_json                    the result, which every report is made from
 *
 * Every figure is pre-layout: cell areas without wires, an ideal clock, wires without resistance or capacitance. */
#ifndef TANDEM_SYNTH_SYNTH_H
#define TANDEM_SYNTH_SYNTH_H

#include "block/block.h"
#include "synth/band.h"
#include "synth/liberty.h"

#include <stdbool.h>
#include <stdint.h>

struct json_t;
struct err;

enum {
  SYNTH_PATH_BYTES = 1024,
  SYNTH_NAME_BYTES = 64,
  SYNTH_SEEDS_MAX = 1024,
  SYNTH_LIBRARIES_MAX = 8,
  SYNTH_DESIGNS_MAX = 256,
  SYNTH_MEMORIES_MAX = 32,
  SYNTH_SEEDS = 16,         /* default */
  SYNTH_MEMORY_BITS = 1024, /* default: an array of this many bits and more is a memory */
  /* An array of more ports is flip-flops; the largest of integer processors has 12 and 8 (Itanium 2: Fetzer, Gibson, Klein, Calick,
   * Zhu, Busta & Mohammad, ISSCC 2002). */
  SYNTH_MEMORY_PORTS_MAX = 20,
  SYNTH_FLIP_FLOPS_MAX = 65536 /* memories of more bits are not synthesised as flip-flops: it takes too long */
};

/* Debian's qflow-tech-osu018. */
#define SYNTH_DEFAULT_LIBERTY "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"

struct synth_options {
  unsigned seeds;      /* netlists of the band, 2 or more; 1: the one netlist of the RTL as written, no band */
  unsigned jobs;       /* tools at a time; 0: as many as processors */
  int64_t memory_bits; /* an array with fewer bits is flip-flops */
  unsigned node;       /* nm of the library; 0: known by its name */
  unsigned scale;      /* nm to scale areas to; 0: none */
  bool no_flip_flops;  /* a design with memories is not mapped with flip-flops in their place as well */
  bool progress;       /* lines on stderr */
};

struct synth_param {
  char name[SYNTH_NAME_BYTES];
  int64_t value;
};

struct synth;

int synth_open(struct synth **, const struct synth_options *, struct err *);
void synth_close(struct synth *);

/* A Liberty file, plain or gzip. */
int synth_add_library(struct synth *, const char *path, struct err *);
/* A block of the manifest with `params` (as many as its descriptor has). */
int synth_add_block(struct synth *, const struct block_desc *, const int32_t *params, struct err *);
/* A design of the user's: module `top` of `file`. */
int synth_add_file(struct synth *, const char *file, const char *top, const struct synth_param *, unsigned n_params,
                   struct err *);

/* ERR_TOOL: a tool is missing or fails; ERR_SYNTAX: RTL that cannot be synthesised; ERR_UNSUPPORTED: latches, several clocks,
 * loops; ERR_CHECK: flip-flop bits that are not those of the manifest, a band of zero, netlists that do not differ. */
int synth_run(struct synth *, struct err *);

/* Elaborates only, into registers and operators, without mapping to gates. Needs no library; synth_counts_json has the counts. */
int synth_elaborate(struct synth *, struct err *);
/* Of each design, the caller owns it: block, parameters, register_bits, comparators, comparator_bits, registers (bits of each
 * register of the manifest), rtl_hash, key. ERR_CHECK of synth_elaborate: register bits that are not those of the manifest. */
struct json_t *synth_counts_json(const struct synth *);

/* The result: an array, one element a (design, library), in the order of adding; the caller owns it. Keys: block, parameters,
 * library{name, file, hash, nand2_um2, node_nm}, pre_layout (true), area_um2, kge, cells, fmax_mhz, levels (each {median, low,
 * high}), flip_flop_bits, comparators, comparator_bits, memory_bits, listed_bits, critical_path{from, to, delay_ns, levels, stages},
 * paths, seeds (for each netlist: seed, area_um2, fmax_mhz, hash, netlist), distinct_netlists, rtl_hash, key, versions. */
struct json_t *synth_json(const struct synth *);

/* A band of the result's JSON. */
struct band synth_band(const struct json_t *j);

#endif
