/* SPDX-License-Identifier: Apache-2.0 */
/* tandem-verilate [BLOCK...]: verilates every parameter set of the manifest that the cache does not hold yet, several at a time. The
 * build runs it; sets outside the manifest are made on first use.
 *
 *   tandem-verilate --set BLOCK I      only set I of the block
 *   tandem-verilate --files BLOCK      prints the RTL files that the key of the block holds */
#include "base/process.h"
#include "block/rtl_files.h"
#include "dpi.h"
#include "rtl_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SETS_MAX = 1024 };

struct work {
  struct rtl_paths paths;
  char self[1024];
  struct {
    const struct block_desc *desc;
    uint32_t set;
  } todo[SETS_MAX];
  size_t n, done;
};

static const int32_t *params_of(const struct block_desc *desc, uint32_t set) {
  return desc->sweep + set * desc->n_params;
}

static int command_of(void *context, size_t i, char *command, size_t size, struct err *e) {
  const struct work *w = context;
  (void)e;
  snprintf(command, size, "TANDEM_PROGRESS=0 '%s' --set %s %u", w->self, w->todo[i].desc->name, w->todo[i].set);
  return 0;
}

static int finished(void *context, size_t i, int exit_code, struct err *e) {
  struct work *w = context;
  const struct block_desc *desc = w->todo[i].desc;
  printf("[%zu/%zu] %s", ++w->done, w->n, desc->name);
  for (uint32_t k = 0; k < desc->n_params; k++)
    printf(" %s=%d", desc->params[k].name, params_of(desc, w->todo[i].set)[k]);
  printf("%s\n", exit_code ? ": failed" : "");
  fflush(stdout);
  return exit_code ? err_set(e, ERR_TOOL, "%s cannot be verilated", desc->name) : 0; /* the command has said why */
}

static bool wanted(const char *name, int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], name)) return true;
  return argc < 2;
}

static int verilate(struct work *w, int argc, char **argv, struct err *e) {
  char path[1024];
  int status = process_own_path(w->self, sizeof w->self, e);
  if (!status) status = rtl_cache_runtime(&w->paths, path, sizeof path, e);
  for (const struct block_desc *const *d = block_all; *d; d++)
    for (uint32_t i = 0; i < (*d)->n_sweep && wanted((*d)->name, argc, argv); i++)
      if (w->n < SETS_MAX && !rtl_cache_has(&w->paths, *d, params_of(*d, i))) {
        w->todo[w->n].desc = *d;
        w->todo[w->n++].set = i;
      }
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  struct process_pool pool = {.n = w->n,
                              .width = processors > 0 ? (size_t)processors : 1,
                              .context = w,
                              .command_of = command_of,
                              .finished = finished};
  if (!status && w->n) status = process_pool_run(&pool, e);
  for (const struct probe_desc *const *p = probe_all; *p && !status; p++)
    status = rtl_cache_probe(&w->paths, (*p)->name, path, sizeof path, e);
  return status;
}

static int one_set(const struct work *w, const struct block_desc *desc, const char *number, struct err *e) {
  char path[1024];
  uint32_t set = (uint32_t)strtoul(number, NULL, 10);
  if (set >= desc->n_sweep) return err_set(e, ERR_USAGE, "%s has %u sets, not %s", desc->name, desc->n_sweep, number);
  return rtl_cache_block(&w->paths, desc, params_of(desc, set), NULL, path, sizeof path, e);
}

static int print_files(const struct work *w, const struct block_desc *desc, struct err *e) {
  struct rtl_files files;
  char own[3 * PLACE_BYTES];
  snprintf(own, sizeof own, "%s/%s/%s.v", w->paths.rtl, desc->family, desc->name);
  const char *folders[] = {desc->family, "prim", "include"};
  int status = rtl_files_find(w->paths.rtl, folders, 3, own, &files, e);
  for (unsigned i = 0; i < files.n && !status; i++) puts(files.path[i]);
  return status;
}

int main(int argc, char **argv) {
  static struct work w;
  struct err e = {0};
  bool set = argc == 4 && !strcmp(argv[1], "--set"), files = argc == 3 && !strcmp(argv[1], "--files");
  w.paths = rtl_paths_default();
  for (int i = set || files ? 2 : 1; i < (set ? 3 : argc); i++)
    if (!block_find(argv[i])) {
      fprintf(stderr, "tandem-verilate: no block '%s'; usage: tandem-verilate [BLOCK...]\n", argv[i]);
      return 2;
    }
  int status = set     ? one_set(&w, block_find(argv[2]), argv[3], &e)
               : files ? print_files(&w, block_find(argv[2]), &e)
                       : verilate(&w, argc, argv, &e);
  if (status) fprintf(stderr, "tandem-verilate: %s\n", e.text);
  return status ? err_exit_code(e.code) : 0;
}
