/* SPDX-License-Identifier: Apache-2.0 */
/* Private to dpi/: an instance's RTL side. */
#ifndef TANDEM_DPI_SEAM_H
#define TANDEM_DPI_SEAM_H

#include "dpi.h"
#include "rtl_cache.h"
#include "rtl_model.h"
#include "stimulus.h"

#include <pthread.h>

enum { SCOPE_BYTES = 192, ENGINE_RULES_MAX = 64, RECORDS_MAX = 16 };

/* A recording that outlives the run. */
struct kept {
  struct stimulus s;
  uint64_t next;  /* first cycle after those recorded */
  uint64_t asked; /* cycles of the window that a gated clock would not skip */
  bool quiet;     /* an idle cycle now changes nothing */
  bool lost, broken;
};

struct seam {
  /* hot */
  struct block *b; /* NULL: a probe */
  const struct rtl_model_ops *ops;
  void *model;
  uint32_t flags; /* of the drive vector, this cycle */
  uint32_t in_bytes, out_bytes;
  void *rtl_out;            /* outputs of the RTL; under `rtl` the block's own */
  uint32_t state_countdown; /* executed cycles to the next comparison of the registers */
  bool high;                /* waves: the clock is high, fall() is due */
  bool mismatch;
  uint64_t executed;
  struct dpi *dpi;
  struct stimulus_recorder rec;
  struct kept *kept; /* NULL: nothing is kept of this instance */
  /* cold */
  uint32_t id;
  uint8_t *c_regs, *rtl_regs, *reset_regs;
  const struct probe_desc *probe;
  void (*fill)(const void *source, void *values);
  const void *source;
  char *path;
};

/* An RTL library in use. */
struct rtl_library {
  char path[1024];
  void *handle;
  const struct rtl_model_ops *ops;
};

struct dpi {
  struct dpi_config config;
  struct engine_rule rules[ENGINE_RULES_MAX];
  struct record_rule records[RECORDS_MAX];
  char *out_dir;
  struct block_factory factory; /* first in its own cast, see dpi_of_factory */
  struct probe_sink sink;
  struct rtl_paths paths;
  const struct rtl_runtime_ops *runtime;
  void *context;
  struct rtl_library *libraries;
  uint32_t n_libraries;
  struct seam **seams; /* every instance, the C ones too, in order of creation */
  uint32_t n_seams, seams_max;
  bool stop;
  pthread_mutex_t noting; /* instances of several SMs may diverge side by side */
  bool watching;          /* this cycle goes into the wave */
  void *fst;
  uint64_t marker;       /* tick of the divergence */
  uint64_t first_active; /* wave time of the first cycle in which a block worked; 0: none */
  struct divergence first;
  struct seam *first_seam;
  char first_also[256];
};

/* Registers that do not count are zeroed: rows whose valid bit is 0. */
void seam_mask_registers(const struct block_desc *, const int32_t *params, uint8_t *regs);
/* Notes a divergence and raises the stop flag. Only the first of a runtime counts; of one cycle, that of the instance made
 * first. */
void seam_compare_outputs(struct seam *);
void seam_compare_registers(struct seam *);

/* Loads the model library of a block or a probe (shared between instances). */
int dpi_load_block(struct dpi *, const struct block_desc *, const int32_t *params, const struct rtl_model_ops **,
                   struct err *);
int dpi_load_probe(struct dpi *, const char *probe, const struct rtl_model_ops **, struct err *);
int dpi_load_runtime(struct dpi *, struct err *);
/* Makes the Verilated object of a seam. */
int seam_make_model(struct seam *, struct err *);
/* Gives a block its engine and, where that needs one, its RTL side. */
int seam_attach(struct dpi *, struct seam *, struct block *, enum block_engine, struct err *);
struct seam *dpi_new_seam(struct dpi *, const char *path, struct err *);
void seams_destroy(struct dpi *);
extern const struct rtl_calls seam_calls;

/* keep.c */
bool keep_asked(const struct dpi *, const struct block_desc *, const char *path);
bool keep_matches(const struct dpi *, const struct block_desc *, const char *path);
int keep_open(struct seam *, struct err *);
void keep_close(struct seam *);
void keep_cycle(struct seam *);
void keep_restart(struct seam *);

int seam_by_path(const void *, const void *);
/* Drops a wave that dpi_wave_finish() did not close. */
void wave_abandon(struct dpi *);
/* wave.gtkw beside wave.fst. */
int wave_write_gtkw(const struct dpi *, const char *dir, struct err *);

#endif
