/* SPDX-License-Identifier: Apache-2.0 */
/* Private to dpi/: the runtime, and the RTL side of each instance. */
#ifndef TANDEM_DPI_RUNTIME_H
#define TANDEM_DPI_RUNTIME_H

#include "differences.h"
#include "dpi.h"
#include "flight.h"
#include "follow.h"
#include "order.h"
#include "restart.h"
#include "rtl_cache.h"
#include "rtl_coverage_ops.h"
#include "rtl_model.h"
#include "stimulus.h"

#include <jansson.h>
#include <pthread.h>
#include <string.h>

enum { SCOPE_BYTES = 192, ENGINE_RULES_MAX = 64, RECORDS_MAX = 16, REPLACES_MAX = 16, LIBRARIES_MAX = 64 };

/* A recording that is written at the end of the run. */
struct kept {
  struct stimulus_recorder rec; /* of rows that each stand until the next one */
  struct delta_image image;     /* the last row */
  uint64_t next;                /* first cycle after those recorded */
  struct stimulus_answers answers;
  /* for cycles that were skipped: struct B_out, a copy of the model's state, its registers before and after */
  void *out, *state;
  uint8_t *regs;
  bool lost, broken;
};

struct seam {
  /* hot: one line of the host's cache */
  _Alignas(64) struct block *b; /* NULL: a probe */
  const struct rtl_model_ops *ops;
  void *model;
  uint32_t flags; /* of the drive vector, this cycle */
  uint32_t in_bytes, out_bytes;
  uint32_t state_countdown; /* executed cycles to the next comparison of the registers */
  void *rtl_out;            /* outputs of the RTL; under `rtl` the block's own */
  struct dpi *dpi;
  uint64_t executed;
  bool high; /* waves: the clock is high, fall() is due */
  bool mismatch;
  bool out_differs;         /* in this cycle rtl_out is not the model's outputs; under lockstep */
  uint32_t id;              /* seldom read; it fills a gap */
  struct delta_image image; /* of the cycle before, for both recorders */
  struct stimulus_recorder rec;
  struct restart_search restart; /* of `rec`, where the RTL does not follow */
  struct flight_track *track;    /* of the flight recorder; NULL: off */
  struct kept *kept;             /* NULL: nothing is kept of this instance */
  struct follow *follow;         /* NULL: the RTL runs at once */
  struct rtl_rest *rest;         /* of engine rtl; else NULL */
  /* cold */
  uint8_t *c_regs, *rtl_regs, *reset_regs;
  uint8_t *check_regs; /* of the C model, for the RTL that follows */
  uint8_t *raw_regs;   /* of the RTL, with the rows that do not count; while differences are collected */
  uint8_t *wave_regs;  /* of the C model, for waves: a DPI vector is aligned to four bytes only */
  const struct probe_desc *probe;
  void (*fill)(const void *source, void *values);
  const void *source;
  char *path;
  void *context;             /* its own, when lines and toggles are counted; else NULL */
  struct activity *activity; /* or NULL */
};

/* An RTL library in use. */
struct rtl_library {
  char path[1024];
  void *handle;
  const struct rtl_model_ops *ops;
};

/* Which library a block with these parameters has: looked up once a runtime, because the key of the cache is made of the RTL's text. */
struct rtl_known {
  const struct block_desc *desc;
  int32_t params[BLOCK_PARAMS_MAX];
  const struct rtl_model_ops *ops;
};

struct dpi {
  struct dpi_config config;
  struct engine_rule rules[ENGINE_RULES_MAX];
  struct record_rule records[RECORDS_MAX];
  struct replace_rule replaces[REPLACES_MAX];
  char *out_dir;
  struct block_factory factory;
  struct probe_sink sink;
  struct rtl_paths paths;
  struct rtl_cost verilating;
  const struct rtl_runtime_ops *runtime;
  void *context;
  struct rtl_library libraries[LIBRARIES_MAX];
  uint32_t n_libraries;
  struct rtl_known known[LIBRARIES_MAX];
  uint32_t n_known;
  struct seam **seams; /* every instance, the C ones too, in order of creation */
  uint32_t n_seams, seams_max;
  bool stop;
  bool noted;             /* a divergence; where the RTL follows, it stops the run at the next hand-over */
  pthread_mutex_t noting; /* instances of several SMs may diverge at the same time */
  bool follows;           /* some RTL follows */
  bool said_elsewhere;    /* that not all of some RTL's state is in one place */
  struct checkers *checkers;
  struct order *evaluated;     /* of the instance that was evaluated last, while their order is looked at */
  struct large_pool *pool;     /* of tapes and of their recordings; NULL: nothing follows */
  const struct clocks *clocks; /* of the instances; NULL: all of one domain */
  bool watching;               /* this cycle goes into the wave */
  void *fst;
  uint64_t marker;       /* tick of the divergence */
  uint64_t first_active; /* wave time of the first cycle in which a block worked; 0: none */
  struct divergence first;
  uint64_t first_tick;
  double page_seconds, wave_seconds; /* processor time of the report */
  uint64_t cause; /* first cycle of the block in which a register or port differed, as its replay found */
  struct seam *first_seam;
  char first_also[256];
  struct flight *flight; /* NULL: nothing runs in lockstep yet, or the recorder is off */
  dpi_work_fn *work;     /* NULL: nobody knows */
  void *work_context;
  const struct rtl_coverage_ops *coverage_ops; /* NULL: nothing is counted */
  json_t *coverage;                            /* what has been collected (coverage.c) */
  struct differences *collect;                 /* NULL: the first divergence stops the run */
};

/* ---- compare.c ---- */

/* Zeroes on both sides the rows that the model says do not count; `model` are its registers, unmasked. */
void seam_mask_rows(const struct block *, uint8_t *model, uint8_t *rtl);
/* Whether row `row` of register r counts, by its valid bit in `regs`. */
bool seam_row_counts(const struct block_desc *, const int32_t *params, const struct block_field *r, const uint8_t *regs,
                     uint32_t row);
/* Zeroes the rows whose valid bit is 0: they do not count. */
void seam_mask_registers(const struct block_desc *, const int32_t *params, uint8_t *regs);
/* Whether all registers agree but for rows that count on neither side. */
bool seam_registers_agree(const struct block_desc *, const int32_t *params, const uint8_t *model, const uint8_t *rtl);
/* Note a divergence and raise the stop flag. A runtime reports the first; of one tick, that of the instance made first. */
void seam_compare_outputs(struct seam *);
/* With those of the C model. */
void seam_compare_registers(struct seam *, const uint8_t *model);

/* ---- of every file ---- */

/* Whether the RTL of lockstep follows: not where a wave or a recording shows both sides of each cycle, or coverage counts each. */
static inline bool dpi_decouples(const struct dpi *d) {
  return d->config.decoupled && !d->config.wave && !d->config.n_records && !d->config.coverage;
}

static inline uint32_t seam_bug_flags(const struct seam *s) {
  const struct dpi_config *c = &s->dpi->config;
  return c->bug && !strcmp(c->bug_block, s->b->desc->name) ? c->bug << RTL_FLAG_BUG_SHIFT : 0;
}

/* Whether the recording of a block may begin anew in this cycle, if its registers are as after reset. RTL without a port busy may be at
 * rest in any cycle. */
static inline bool seam_rests(const struct block *b) {
  return b->desc->own || !((const uint8_t *)b->out)[b->desc->busy_offset];
}

/* ---- libraries.c ---- */

/* Loads the model library of a block or a probe, or the runtime library. */
int dpi_load_block(struct dpi *, const struct block_desc *, const int32_t *params, const struct rtl_model_ops **,
                   struct err *);

/* ---- late_outputs.c ---- */

/* A user's block none of whose outputs depends on a late input, as far as Yosys can tell. ERR_VALUE names both ports. `rtl_file`, `bug`:
 * as for rtl_netlist(). */
int late_outputs_check(const struct rtl_paths *, const struct block_desc *, const int32_t *params, const char *rtl_file,
                       uint32_t bug, struct err *);
int dpi_load_probe(struct dpi *, const char *probe, const struct rtl_model_ops **, struct err *);
int dpi_load_runtime(struct dpi *, struct err *);
int dpi_load_coverage(struct dpi *, struct err *);
/* Names a loaded library by its last two components: the folder of the tools and the file. */
const char *dpi_library_name(const struct dpi *, const struct rtl_model_ops *);
void dpi_unload(struct dpi *);

/* ---- coverage.c ---- */

/* Loads what counting needs, and makes d->coverage. */
int coverage_begin(struct dpi *, struct err *);
void coverage_end(struct dpi *);
/* Adds the counts of an instance, which is about to go, to d->coverage. */
void coverage_collect(struct seam *);

/* ---- seam.c ---- */

struct seam *dpi_new_seam(struct dpi *, const char *path, struct err *);
/* Makes the Verilated object of a seam. */
int seam_make_model(struct seam *, struct err *);
/* Gives a block its engine and, where that needs one, its RTL side. */
int seam_attach(struct dpi *, struct seam *, struct block *, enum block_engine, struct err *);
/* The RTL of an instance that followed, and has caught up, runs at once again. For a copy of the process: what it followed with is not
 * freed. */
void seam_couple(struct seam *);
/* Takes the place of a reset. ERR_VALUE: the C model has changed since. */
int seam_restore(struct seam *, const struct flight_start *, struct err *);
/* Frees every instance of a runtime; blocks that their components still hold lose their RTL side. */
void seams_destroy(struct dpi *);
/* All instances in path order, numbers by value (sm2 before sm10), to be freed; NULL: out of memory. */
struct seam **seams_by_path(const struct dpi *);

/* ---- replace.c ---- */

/* Changes *desc and *params (to those in `taken`) where a rule replaces the instance; ERR_VALUE: the user's block has other ports or
 * parameters. */
int replace_block(struct dpi *, const struct block_desc **desc, const char *path, const int32_t **params,
                  int32_t *taken, struct err *);

/* ---- keep.c ---- */

/* True if a pattern asks for this instance, which then runs in lockstep; "all" means those that run in lockstep anyway. */
bool keep_asked(const struct dpi *, const struct block_desc *, const char *path);
bool keep_matches(const struct dpi *, const struct block_desc *, const char *path);
int keep_open(struct seam *, struct err *);
void keep_close(struct seam *);
void keep_cycle(struct seam *);
/* In this cycle the block is as after reset: what was recorded before it is dropped, unless the window has begun. */
void keep_restart(struct seam *);

/* ---- wave.c, gtkw.c ---- */

/* Drops a wave that dpi_wave_finish() did not close. */
void wave_abandon(struct dpi *);
/* Writes wave.gtkw beside wave.fst. */
int wave_write_gtkw(const struct dpi *, const char *dir, struct err *);

#endif
