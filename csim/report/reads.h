/* SPDX-License-Identifier: Apache-2.0 */
/* What the analysis of a kernel's global reads found (ptx/affine.h), for people: of PTX files, or of the launches that a
 * program asks for. */
#ifndef TANDEM_REPORT_READS_H
#define TANDEM_REPORT_READS_H

#include "device/device_memory.h"
#include "ptx/affine_rows.h"
#include "ptx/ptx.h"

#include <stdio.h>

struct err;

struct reads_launch {
  struct affine_launch launch;
  uint8_t *params;
  uint32_t times; /* launches with the same grid, block and parameters */
};

struct reads_kernel {
  const struct ptx_kernel *kernel;
  struct affine *analysis;
  struct reads_launch *launch;
  uint32_t n_launches, launch_capacity;
};

struct reads_target {
  char name[256]; /* of the workload or the file */
  struct ptx_module **module;
  char **module_name; /* by module: file in the folder of captured launches, or NULL */
  uint32_t n_modules;
  struct reads_kernel *kernel;
  uint32_t n_kernels;
};

struct reads_options {
  const char *kernel; /* this one alone, or NULL: all */
  const struct ptx_extension *extensions;
  struct affine_options analysis;
  bool rows;
  struct affine_rows_options table;
};

struct reads {
  struct device_memory memory; /* of variables of the modules */
  struct reads_options options;
  struct reads_target *target;
  uint32_t n_targets;
};

/* Counts of indexes; of a kernel, or summed. */
struct reads_counts {
  uint32_t arrays, loads, indexes, by_class[AFFINE_CLASSES], by_reason[AFFINE_REASONS], other;
  bool has_places; /* of every load */
  struct affine_places places;
};

/* What a paper prints about a program; absent numbers are -1. */
struct reads_published {
  char name[32], workload[64], says[256];
  int64_t arrays, indexes, is_static, quasi, by_reason[AFFINE_REASONS], known_percent;
};
enum { READS_PUBLISHED_MAX = 32 };
struct reads_paper {
  char source[128];
  struct reads_published program[READS_PUBLISHED_MAX];
  uint32_t n;
};

int reads_open(struct reads *, const struct reads_options *, struct err *);
/* A PTX file. ERR_FILE, ERR_SYNTAX, ERR_UNSUPPORTED; ERR_VALUE if no kernel has the name asked for. */
int reads_add_file(struct reads *, const char *path, struct err *);
/* The launches of `folder` (run/launch_capture.h), of the workload `name`. */
int reads_add_capture(struct reads *, const char *name, const char *folder, struct err *);
void reads_close(struct reads *);

void reads_count(const struct affine *, struct reads_counts *); /* adds to counts, of which has_places was set */

/* reads_published.c: configs/published_reads.yaml */
int reads_paper_read(struct reads_paper *, const char *path, struct err *);
/* The program whose workload is `name`, both up to a colon, or NULL. */
const struct reads_published *reads_paper_find(const struct reads_paper *, const char *name);

/* reads_mix.c: static instructions of a kernel by their first word; ret counts as exit. */
enum { READS_MIX_OTHER = 8, READS_MIX };
extern const char *const reads_mix_names[READS_MIX]; /* "ld", "other" */
void reads_mix(const struct ptx_kernel *, uint32_t mix[READS_MIX]);

/* reads_print.c, reads_json.c. `paper` may be NULL. */
void reads_print(const struct reads *, const struct reads_paper *, FILE *);
void reads_print_json(const struct reads *, const struct reads_paper *, FILE *);

#endif
