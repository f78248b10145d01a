/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: options and logs of loading and linking. */
#include "api.h"

#include "base/host_clock.h"
#include "image.h"

#include <stdlib.h>
#include <string.h>

enum { LOG_BYTES = 2048 };

/* The slot holds the number itself, not a pointer to it. */
static size_t slot_size(void **slot) { return (size_t)(uintptr_t)*slot; }

CUresult cuda_jit_options(struct cuda_jit *j, unsigned int n, const CUjit_option *options, void **values) {
  *j = (struct cuda_jit){.started = host_seconds()};
  if (n && (!options || !values)) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned int i = 0; i < n; i++) {
    switch (options[i]) {
      case CU_JIT_INFO_LOG_BUFFER: j->info_log = values[i]; break;
      case CU_JIT_ERROR_LOG_BUFFER: j->error_log = values[i]; break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        j->info_size = &values[i];
        j->info_max = slot_size(&values[i]);
        break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        j->error_size = &values[i];
        j->error_max = slot_size(&values[i]);
        break;
      case CU_JIT_THREADS_PER_BLOCK: j->block_threads = (uint32_t)slot_size(&values[i]); break;
      case CU_JIT_MAX_REGISTERS: j->max_registers = (uint32_t)slot_size(&values[i]); break;
      case CU_JIT_WALL_TIME: j->wall_time = &values[i]; break;
      case CU_JIT_GLOBAL_SYMBOL_NAMES:
      case CU_JIT_GLOBAL_SYMBOL_ADDRESSES:
      case CU_JIT_GLOBAL_SYMBOL_COUNT:
        return cuda_not_supported("JIT options: global symbols defined by the host are not simulated");
      default: /* options of code generation: no machine code is generated here */
        if ((unsigned)options[i] >= CU_JIT_NUM_OPTIONS) return CUDA_ERROR_INVALID_VALUE;
    }
  }
  return CUDA_SUCCESS;
}

/* Writes as much of the log as fits, and the number of bytes written into its size's slot. */
static void write_log(char *log, size_t max, void **size, const char *text) {
  size_t n = 0;
  if (log && max) {
    n = strlen(text) < max ? strlen(text) : max - 1;
    memcpy(log, text, n);
    log[n] = 0;
  }
  if (size) *size = (void *)(uintptr_t)n;
}

/* "12 live registers", or those that an allocator took. */
static const char *registers_text(const struct ptx_kernel *k, char *text, size_t size) {
  if (k->registers) snprintf(text, size, "%u registers, %u bytes spilled", k->registers, k->spill_bytes);
  else snprintf(text, size, "%u live registers", k->live_registers);
  return text;
}

static void describe(const struct CUmod_st *m, char *text, size_t size) {
  char registers[64];
  size_t at = 0;
  text[0] = 0;
  for (uint32_t i = 0; i < ptx_module_n_kernels(m->ptx) && at < size; i++) {
    const struct ptx_kernel *k = m->functions[i].kernel;
    at += (size_t)snprintf(text + at, size - at,
                           "info    : kernel '%s': %u operations, %s, %u bytes of shared memory, %u of local "
                           "memory, %u of parameters\n",
                           k->name, k->n_ops, registers_text(k, registers, sizeof registers), k->shared_bytes,
                           k->local_bytes, k->param_bytes);
  }
}

static CUresult finish(struct cuda_jit *j, CUresult result, const struct CUmod_st *m, const struct err *e) {
  char error[sizeof e->text + 32] = "", info[LOG_BYTES] = "";
  float ms = (float)((host_seconds() - j->started) * 1e3);
  if (result) snprintf(error, sizeof error, "error   : %s\n", e->text);
  else if (m) describe(m, info, sizeof info);
  write_log(j->error_log, j->error_max, j->error_size, error);
  write_log(j->info_log, j->info_max, j->info_size, info);
  if (j->wall_time) memcpy(j->wall_time, &ms, sizeof ms);
  return result && !j->error_log ? cuda_complain(result, e) : result; /* a program with a log reads it there */
}

CUresult cuda_jit_load(struct cuda_driver *d, const char *file, const void *image, size_t bytes, struct cuda_jit *j,
                       CUmodule *module) {
  struct err e = {0};
  struct image_text t = {0};
  CUmodule m = NULL;
  const char *name = file ? file : "module.ptx";
  int status = image_ptx(name, image, bytes, (uint32_t)d->sim->session.config.compute_capability, &t, &e);
  CUresult result = status ? CUDA_ERROR_INVALID_IMAGE : cuda_module_load(d, name, t.text, t.length, j, &m, &e);
  free(t.owned);
  if (status) {
    simulator_note(d->sim, status == ERR_UNSUPPORTED ? RUN_REFUSED : RUN_INPUT, e.text);
    if (status == ERR_UNSUPPORTED) result = CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  if (m) *module = m;
  return finish(j, result, m, &e);
}
