/* SPDX-License-Identifier: Apache-2.0 */
/* tandem-verilate [BLOCK...]: verilates every parameter set of the manifest that the cache does not hold yet. The build
 * runs it; sets outside the manifest are made on first use. */
#include "dpi.h"
#include "rtl_cache.h"

#include <stdio.h>
#include <string.h>

static int verilate_block(const struct rtl_paths *paths, const struct block_desc *desc, struct err *e) {
  char path[1024];
  int status = 0;
  for (uint32_t i = 0; i < desc->n_sweep && !status; i++)
    status = rtl_cache_block(paths, desc, desc->sweep + i * desc->n_params, NULL, path, sizeof path, e);
  return status ? err_prefix(e, "%s", desc->name) : 0;
}

static bool wanted(const char *name, int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], name)) return true;
  return argc < 2;
}

int main(int argc, char **argv) {
  struct rtl_paths paths = rtl_paths_default();
  struct err e = {0};
  char path[1024];
  for (int i = 1; i < argc; i++)
    if (!block_find(argv[i])) {
      fprintf(stderr, "tandem-verilate: no block '%s'; usage: tandem-verilate [BLOCK...]\n", argv[i]);
      return 2;
    }
  int status = rtl_cache_runtime(&paths, path, sizeof path, &e);
  for (const struct block_desc *const *d = block_all; *d && !status; d++)
    if (wanted((*d)->name, argc, argv)) status = verilate_block(&paths, *d, &e);
  for (const struct probe_desc *const *p = probe_all; *p && !status; p++)
    status = rtl_cache_probe(&paths, (*p)->name, path, sizeof path, &e);
  if (status) fprintf(stderr, "tandem-verilate: %s\n", e.text);
  return status ? err_exit_code(e.code) : 0;
}
