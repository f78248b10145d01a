/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a synthesis, and what one passes to the next. */
#ifndef TANDEM_SYNTH_STEPS_H
#define TANDEM_SYNTH_STEPS_H

#include "synth/netlist.h"
#include "synth/synth.h"
#include "synth/timing.h"

#include <jansson.h>

enum { SYNTH_PERIOD_NS = 100 }; /* clock period in time.sta; not longer, because OpenSTA computes in single precision */

/* An array of the RTL. */
struct synth_memory {
  char name[SYNTH_NAME_BYTES]; /* of the RTL's array */
  char cell[SYNTH_NAME_BYTES]; /* of Yosys' cell */
  unsigned width, rows, address_bits, read_ports, write_ports;
  unsigned clocked_ports; /* read ports whose register is part of the memory */
  bool clocked_reads;     /* all of them are */
};

struct synth_design {
  char name[SYNTH_NAME_BYTES];   /* block or top module */
  const struct block_desc *desc; /* NULL: a file of the user's */
  struct synth_param params[BLOCK_PARAMS_MAX];
  unsigned n_params;
  char (*files)[SYNTH_PATH_BYTES]; /* the design's own last */
  unsigned n_files;
  uint64_t rtl_hash, key;
  char stem[SYNTH_PATH_BYTES];           /* of the elaborated design in the cache: stem.il, stem.json */
  unsigned register_bits;                /* of the elaborated design, memories not counted */
  unsigned comparators, comparator_bits; /* see comparators.c */
  struct synth_memory memories[SYNTH_MEMORIES_MAX];
  unsigned n_memories;
  char clock[SYNTH_NAME_BYTES]; /* port; "": no register */
};

/* One netlist of a band. */
struct synth_netlist {
  unsigned seed; /* 0: names as in the RTL */
  json_t *facts; /* its figures, as the cache keeps them */
};

/* The netlists of a (design, library). */
struct synth_set {
  const struct synth_design *design;
  const struct liberty *lib;
  bool cut; /* arrays at or above the threshold are cut out, for a memory model; else everything is flip-flops */
  uint64_t key;
  char folder[SYNTH_PATH_BYTES];
  struct synth_netlist *netlists;
  unsigned n;
  struct synth_set
    *flip_flops; /* of a set with memories cut out: the one netlist that holds them as flip-flops; or NULL */
};

struct synth {
  struct synth_options options;
  char source[SYNTH_PATH_BYTES], cache[SYNTH_PATH_BYTES], work[SYNTH_PATH_BYTES];
  char yosys[SYNTH_NAME_BYTES], sta[SYNTH_NAME_BYTES]; /* versions */
  struct liberty libs[SYNTH_LIBRARIES_MAX];
  unsigned n_libs;
  struct synth_design designs[SYNTH_DESIGNS_MAX];
  unsigned n_designs;
  struct synth_set *sets; /* design by design, library by library: [design * n_libs + lib] */
  unsigned n_sets;
  struct synth_set *extra; /* the flip_flops of those with memories */
  unsigned n_extra;
};

/* tools.c. synth_template: a file of scripts/synth with every @NAME@ replaced, to be freed. */
struct synth_slot {
  const char *name, *value;
};
int synth_tools_find(struct synth *, struct err *);
int synth_template(const struct synth *, const char *file, const struct synth_slot *, unsigned n, char **text,
                   struct err *);
int synth_write_text(const char *path, const char *text, struct err *);
int synth_work_open(struct synth *, struct err *);
void synth_work_close(struct synth *);
/* The last error of a Yosys log, with the warning before it. */
void synth_yosys_sentence(const char *log, char *out, size_t size);

/* design.c: fills files and rtl_hash; elaborates. */
int synth_design_files(const struct synth *, struct synth_design *, const char *own_file, struct err *);
int synth_design_elaborate(const struct synth *, struct synth_design *, struct err *);
/* memory.c */
/* True of an array at or above the threshold that is written (one that is only read is logic). */
bool synth_is_memory(const struct synth *, const struct synth_memory *);
bool synth_has_memories(const struct synth *, const struct synth_design *);
unsigned synth_node(const struct synth *, const struct liberty *); /* nm; 0: not known */
int synth_memory_model(const struct synth *, const struct liberty *, const struct synth_memory *, struct band *um2,
                       struct band *access_ns, struct err *);
/* The parts of a set's scripts that handle memories; empty when none is cut out. */
struct synth_memory_texts {
  char *cut, *timing, *parts, *boxes;
};
int synth_memory_texts(const struct synth *, const struct synth_set *, struct synth_memory_texts *, struct err *);
void synth_memory_texts_free(struct synth_memory_texts *);
/* Access time in ns of the slowest memory with unclocked reads; 0: there is none. */
double synth_open_access(const struct synth *, const struct synth_set *);

/* set.c: makes the netlists that the cache does not have. */
int synth_sets_run(struct synth *, struct err *);
double synth_netlist_area(const struct synth_netlist *);
double synth_netlist_period(const struct synth_netlist *); /* ns; 0: no path */

/* result.c: checks state bits, bands, and that the netlists differ. */
int synth_check(const struct synth *, struct err *);
int synth_check_counts(const struct synth_design *, struct err *); /* register bits are those of the manifest */

#endif
