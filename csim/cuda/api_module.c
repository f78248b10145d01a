/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: loaded modules and their functions. */
#include "api.h"

#include <stdlib.h>
#include <string.h>

/* Without a proposal an extension call is an unknown external function, as on a real driver. */
static const struct ptx_extension no_extensions[] = {{0}};

static void destroy(CUmodule m) {
  ptx_module_free(m->ptx);
  free(m->functions);
  free(m);
}

/* The lower of the program's limit and the configuration's. */
static struct ptx_options options_of(const struct gpu_config *c, const struct cuda_jit *j, char *limit, size_t size) {
  uint32_t most = (uint32_t)c->ptx_max_registers;
  bool program = j->max_registers && (!most || j->max_registers < most);
  if (program) most = j->max_registers;
  snprintf(limit, size, "%s %u", program ? "CU_JIT_MAX_REGISTERS" : "ptx.max_registers", most);
  return (struct ptx_options){.allocate = c->ptx_registers == REGISTERS_ALLOCATED,
                              .registers = most,
                              .limit = limit,
                              .sm_registers = (uint32_t)c->sm_registers,
                              .sm_threads = (uint32_t)c->sm_threads,
                              .block_threads = j->block_threads};
}

CUresult cuda_module_load(struct cuda_driver *d, const char *file, const char *text, size_t length,
                          const struct cuda_jit *j, CUmodule *module, struct err *e) {
  const struct system_ops *system = d->sim->session.system;
  CUmodule m = calloc(1, sizeof *m);
  if (!m) {
    err_set(e, ERR_LIMIT, "out of memory for a module");
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  char limit[64];
  struct ptx_options options = options_of(&d->sim->session.config, j, limit, sizeof limit);
  if (system && system->load) system->load(&d->sim->session.config, &options);
  int status = ptx_module_load_options(&options, file, text, length,
                                       system && system->extensions ? system->extensions : no_extensions,
                                       &d->sim->memory, &m->ptx, e);
  uint32_t n = status ? 0 : ptx_module_n_kernels(m->ptx);
  m->functions = calloc(n + 1U, sizeof *m->functions);
  if (status || !m->functions) {
    if (!status) ptx_module_free(m->ptx);
    free(m->functions);
    free(m);
    simulator_note(d->sim, status == ERR_UNSUPPORTED ? RUN_REFUSED : RUN_INPUT, e->text);
    return status == ERR_LIMIT ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_PTX;
  }
  for (uint32_t i = 0; i < n; i++)
    m->functions[i] = (struct CUfunc_st){.kernel = ptx_module_kernel_at(m->ptx, i),
                                         .module = m,
                                         .max_dynamic_shared = (int)d->sim->session.config.sm_shared_bytes,
                                         .carveout = -1};
  m->context = cuda_current();
  ptx_module_set_runtime(m->ptx, &m->context->runtime);
  if ((status = cuda_proposal_load(d, m, e))) {
    destroy(m);
    simulator_note(d->sim, RUN_INPUT, e->text);
    return status == ERR_LIMIT ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_IMAGE;
  }
  m->next = d->modules;
  d->modules = m;
  *module = m;
  return CUDA_SUCCESS;
}

CUfunction cuda_function(const struct cuda_driver *d, const void *handle) {
  for (const struct CUmod_st *m = d->modules; m; m = m->next) {
    uintptr_t offset = (uintptr_t)handle - (uintptr_t)m->functions;
    if (offset < ptx_module_n_kernels(m->ptx) * sizeof *m->functions && offset % sizeof *m->functions == 0)
      return &m->functions[offset / sizeof *m->functions];
  }
  return NULL;
}

CUfunction cuda_module_function(CUmodule m, const char *name) {
  for (uint32_t i = 0; i < ptx_module_n_kernels(m->ptx); i++)
    if (!strcmp(m->functions[i].kernel->name, name)) return &m->functions[i];
  return NULL;
}

void cuda_module_unload(struct cuda_driver *d, CUmodule *link) {
  CUmodule m = *link;
  *link = m->next;
  cuda_drop_module_textures(d, m);
  cuda_proposal_unload(d, m);
  destroy(m);
}

void cuda_unload_all(struct cuda_driver *d, CUcontext context) {
  for (CUmodule *link = &d->modules; *link;) {
    if (!context || (*link)->context == context) cuda_module_unload(d, link);
    else link = &(*link)->next;
  }
}
