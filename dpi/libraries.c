/* SPDX-License-Identifier: Apache-2.0 */
/* The libraries of Verilated models that a runtime has loaded; instances of equal parameters share one. */
#include "runtime.h"

#include <dlfcn.h>
#include <string.h>

static const void *open_library(const char *path, const char *symbol, uint32_t version, void **handle, struct err *e) {
  /* the runtime and coverage libraries are loaded globally, so that models find their symbols */
  bool shared = strcmp(symbol, "tandem_rtl_model") != 0;
  *handle = dlopen(path, RTLD_NOW | (shared ? RTLD_GLOBAL : RTLD_LOCAL));
  const uint32_t *abi = *handle ? dlsym(*handle, symbol) : NULL;
  if (!abi) {
    err_set(e, ERR_TOOL, "cannot load %s: %s; delete it, it will be made again", path, dlerror());
    return NULL;
  }
  if (*abi != version) {
    err_set(e, ERR_TOOL, "%s is of another version of Tandem; delete it, it will be made again", path);
    return NULL;
  }
  return abi;
}

int dpi_load_runtime(struct dpi *d, struct err *e) {
  if (d->runtime) return 0;
  char path[1024];
  void *handle;
  int status = rtl_cache_runtime(&d->paths, path, sizeof path, e);
  if (status) return status;
  d->runtime = open_library(path, "tandem_rtl_runtime", RTL_MODEL_ABI, &handle, e);
  if (!d->runtime) return (int)ERR_TOOL;
  d->context = d->runtime->context_create(d->config.seed, d->config.rand_reset);
  return 0;
}

int dpi_load_coverage(struct dpi *d, struct err *e) {
  char path[1024];
  void *handle;
  int status = dpi_load_runtime(d, e);
  if (!status) status = rtl_cache_coverage(&d->paths, path, sizeof path, e);
  if (status) return status;
  d->coverage_ops = open_library(path, "tandem_rtl_coverage", RTL_COVERAGE_ABI, &handle, e);
  return d->coverage_ops ? 0 : (int)ERR_TOOL;
}

static int load_library(struct dpi *d, const char *path, const struct rtl_model_ops **ops, struct err *e) {
  for (uint32_t i = 0; i < d->n_libraries; i++)
    if (!strcmp(d->libraries[i].path, path)) {
      *ops = d->libraries[i].ops;
      return 0;
    }
  if (d->n_libraries == LIBRARIES_MAX)
    return err_set(e, ERR_LIMIT, "more than %d different Verilated models", LIBRARIES_MAX);
  struct rtl_library *l = &d->libraries[d->n_libraries];
  snprintf(l->path, sizeof l->path, "%s", path);
  l->ops = open_library(path, "tandem_rtl_model", RTL_MODEL_ABI, &l->handle, e);
  if (!l->ops) return (int)ERR_TOOL;
  *ops = l->ops;
  d->n_libraries++;
  return 0;
}

const char *dpi_library_name(const struct dpi *d, const struct rtl_model_ops *ops) {
  for (uint32_t i = 0; i < d->n_libraries; i++) {
    if (d->libraries[i].ops != ops) continue;
    const char *path = d->libraries[i].path, *name = path + strlen(path);
    for (int slashes = 0; name > path && slashes<2; slashes += name> path && name[-1] == '/') name--;
    return name;
  }
  return "";
}

static const struct rtl_known *find_known(const struct dpi *d, const struct block_desc *desc, const int32_t *params) {
  for (uint32_t i = 0; i < d->n_known; i++) {
    const struct rtl_known *k = &d->known[i];
    if (k->desc == desc && !memcmp(k->params, params, desc->n_params * sizeof *params)) return k;
  }
  return NULL;
}

int dpi_load_block(struct dpi *d, const struct block_desc *desc, const int32_t *params,
                   const struct rtl_model_ops **ops, struct err *e) {
  const struct rtl_known *known = find_known(d, desc, params);
  if (known) {
    *ops = known->ops;
    return 0;
  }
  char path[1024];
  int status = dpi_load_runtime(d, e);
  bool bug = d->config.bug && !strcmp(d->config.bug_block, desc->name);
  if (!status) status = rtl_cache_block(&d->paths, desc, params, bug ? d->config.bug_rtl : NULL, path, sizeof path, e);
  if (!status)
    status = late_outputs_check(&d->paths, desc, params, bug ? d->config.bug_rtl : NULL, bug ? d->config.bug : 0, e);
  if (!status) status = load_library(d, path, ops, e);
  if (status || d->n_known == LIBRARIES_MAX) return status;
  struct rtl_known *k = &d->known[d->n_known++];
  *k = (struct rtl_known){.desc = desc, .ops = *ops};
  memcpy(k->params, params, desc->n_params * sizeof *params);
  return 0;
}

int dpi_load_probe(struct dpi *d, const char *probe, const struct rtl_model_ops **ops, struct err *e) {
  char path[1024];
  int status = dpi_load_runtime(d, e);
  if (!status) status = rtl_cache_probe(&d->paths, probe, path, sizeof path, e);
  return status ? status : load_library(d, path, ops, e);
}

void dpi_unload(struct dpi *d) {
  if (d->context) d->runtime->context_destroy(d->context);
  for (uint32_t i = 0; i < d->n_libraries; i++) dlclose(d->libraries[i].handle);
}
