/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of Verilated models: one shared library for each block, parameter set and variant, keyed by the RTL files of the block,
 * socket, shim, tools and parameters. A missing library is verilated under a lock. */
#ifndef TANDEM_DPI_RTL_CACHE_H
#define TANDEM_DPI_RTL_CACHE_H

#include "base/err.h"
#include "base/place.h"
#include "block/block.h"

#include <stddef.h>

/* What verilating has cost so far: host seconds, libraries made. */
struct rtl_cost {
  double seconds;
  unsigned libraries;
};

struct rtl_paths {
  char rtl[PLACE_BYTES];       /* the folder rtl/ */
  char generated[PLACE_BYTES]; /* generated sockets */
  char dpi[PLACE_BYTES];       /* the folder dpi/ (shim) */
  char cache[PLACE_BYTES];     /* where libraries are kept */
  struct rtl_cost *cost;       /* grows with every library made; NULL: nobody asks */
  bool coverage;               /* of blocks: the build set that counts lines and toggles, and cannot save its state */
};

/* Paths of this installation or build folder (base/place.h). */
struct rtl_paths rtl_paths_default(void);

/* Path of the model library of `desc` with `params`; verilates it first if needed (ERR_TOOL without Verilator or g++,
 * with the tool's last lines when it fails). `rtl_file`: another file for the block itself (planted bugs), or NULL.
 * `out` has room for `size` bytes. */
int rtl_cache_block(const struct rtl_paths *, const struct block_desc *desc, const int32_t *params,
                    const char *rtl_file, char *out, size_t size, struct err *);
/* Whether it is there already. */
bool rtl_cache_has(const struct rtl_paths *, const struct block_desc *desc, const int32_t *params);
/* The same for a probe socket, and for the runtime library. */
int rtl_cache_probe(const struct rtl_paths *, const char *probe, char *out, size_t size, struct err *);
int rtl_cache_runtime(const struct rtl_paths *, char *out, size_t size, struct err *);
/* And for the library that models of the coverage build set need besides. */
int rtl_cache_coverage(const struct rtl_paths *, char *out, size_t size, struct err *);

#endif
