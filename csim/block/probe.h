/* SPDX-License-Identifier: Apache-2.0 */
/* Probes: state of a component that waves show beside the blocks. A probe has fields and no behaviour; without
 * waves it costs nothing. Field lists are the manifest's `probes:`. */
#ifndef TANDEM_BLOCK_PROBE_H
#define TANDEM_BLOCK_PROBE_H

#include "block/block.h"

struct probe_desc {
  const char *name, *brief;
  const struct block_field *fields; /* widths fixed; offsets into the generated structure */
  uint32_t n_fields, bytes;
};

/* Registers probes; NULL when no waves are recorded. */
struct probe_sink {
  /* Registers the instance `path`; fill(source, values) writes the generated structure of desc when asked. */
  int (*add)(struct probe_sink *, const struct probe_desc *desc, const char *path,
             void (*fill)(const void *source, void *values), const void *source, struct err *e);
};

/* Every probe of the manifest, NULL-terminated (generated). */
extern const struct probe_desc *const probe_all[];

#endif
