/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: launches. */
#include "api_node.h"

#include "systems/driver.h"

#include <stdlib.h>
#include <string.h>

struct shape {
  uint32_t grid[3], block[3];
};

/* Collects the kernel's parameters, given in either style, into `bytes` (kernel->param_bytes). */
static CUresult gather_params(const struct ptx_kernel *kernel, void **params, void **extra, uint8_t *bytes) {
  if (params && extra) return CUDA_ERROR_INVALID_VALUE; /* one style or the other */
  if (!kernel->n_params) return CUDA_SUCCESS;
  if (params) {
    for (uint32_t i = 0; i < kernel->n_params; i++) {
      if (!params[i]) return CUDA_ERROR_INVALID_VALUE;
      memcpy(bytes + kernel->param_offset[i], params[i], kernel->param_size[i]);
    }
    return CUDA_SUCCESS;
  }
  const void *buffer = NULL;
  const size_t *size = NULL;
  for (void **x = extra; x && *x != CU_LAUNCH_PARAM_END; x += 2) {
    if (*x == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = x[1];
    else if (*x == CU_LAUNCH_PARAM_BUFFER_SIZE) size = x[1];
    else return CUDA_ERROR_INVALID_VALUE;
  }
  if (!buffer || !size || *size < kernel->param_bytes) return CUDA_ERROR_INVALID_VALUE;
  memcpy(bytes, buffer, kernel->param_bytes);
  return CUDA_SUCCESS;
}

static CUresult result_of(int status, const struct err *e) {
  switch (status) {
    case 0: return CUDA_SUCCESS;
    case ERR_VALUE: return CUDA_ERROR_INVALID_VALUE;
    case ERR_LIMIT: return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    case ERR_INTERNAL: return CUDA_ERROR_LAUNCH_TIMEOUT;
    case ERR_FAULT: /* only the text of the fault says of which kind it is */
      if (strstr(e->text, "fails an assertion")) return CUDA_ERROR_ASSERT;
      if (strstr(e->text, "misaligned")) return CUDA_ERROR_MISALIGNED_ADDRESS;
      return strstr(e->text, "illegal") ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_ERROR_LAUNCH_FAILED;
    default: return CUDA_ERROR_LAUNCH_FAILED;
  }
}

static CUresult run(struct cuda_driver *d, const struct CUfunc_st *f, const struct shape *s, uint32_t shared,
                    CUstream stream, const uint8_t *params, bool cooperative) {
  struct err e = {0};
  uint64_t meeting = cooperative ? cuda_grid_memory(f->module->context) : 0;
  if (cooperative && !meeting) return CUDA_ERROR_OUT_OF_MEMORY;
  cuda_flush_prints(cuda_current());
  ptx_module_set_grid_memory(f->module->ptx, meeting);
  const struct driver_launch told = {f->module->context, stream, f->kernel, s->grid, s->block, params};
  cuda_host_to_device(d);
  int status = cuda_proposal_space(d, &e);
  if (!status) status = cuda_proposal_launch(d, &told, &e);
  if (!status) status = simulator_launch(d->sim, f->kernel, s->grid, s->block, shared, params, &e);
  CUresult result = result_of(status, &e);
  if (status && status != ERR_CHECK) cuda_complain(result, &e);
  if (!status) cuda_device_to_host(d);
  /* A fault makes the context unusable; a divergence or a deadlock, after which work is unfinished, the device. */
  if (status == ERR_FAULT) cuda_current()->sticky = result;
  if (status == ERR_CHECK || status == ERR_INTERNAL) d->lost = result;
  return result;
}

/* Whether all CTAs are resident at once. */
static bool fits_at_once(const struct cuda_driver *d, const struct ptx_kernel *k, const struct shape *s,
                         uint32_t shared) {
  const struct gpu_config *m = &d->sim->session.config;
  uint64_t ctas = (uint64_t)s->grid[0] * s->grid[1] * s->grid[2];
  uint32_t threads = s->block[0] * s->block[1] * s->block[2];
  return ctas <= (uint64_t)sm_occupancy(m, k, threads, shared, &(struct err){0}) * (uint64_t)m->sm_count;
}

static CUresult check_shape(const struct shape *s) {
  const uint32_t *g = s->grid, *b = s->block;
  if (!g[0] || !g[1] || !g[2] || !b[0] || !b[1] || !b[2]) return CUDA_ERROR_INVALID_VALUE;
  if (g[0] > INT32_MAX || g[1] > 65535 || g[2] > 65535) return CUDA_ERROR_INVALID_VALUE;
  if (b[0] > 1024 || b[1] > 1024 || b[2] > 64 || (uint64_t)b[0] * b[1] * b[2] > 1024) return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

CUresult cuda_launch_prepare(struct cuda_driver *d, const CUDA_KERNEL_NODE_PARAMS *p, bool cooperative,
                             struct cuda_launch *l) {
  const struct CUfunc_st *f = cuda_function(d, p->func ? (const void *)p->func : (const void *)p->kern);
  if (!f) return CUDA_ERROR_INVALID_HANDLE;
  const struct ptx_kernel *kernel = f->kernel;
  const struct shape s = {{p->gridDimX, p->gridDimY, p->gridDimZ}, {p->blockDimX, p->blockDimY, p->blockDimZ}};
  CUresult result = check_shape(&s);
  if (result) return result;
  /* a limit that the program has lowered is enforced; above the GPU configuration's the simulator reports the error */
  if (f->max_dynamic_shared < d->sim->session.config.sm_shared_bytes &&
      (uint64_t)p->sharedMemBytes + kernel->shared_bytes > (uint64_t)f->max_dynamic_shared)
    return CUDA_ERROR_INVALID_VALUE;
  if (cooperative && !fits_at_once(d, kernel, &s, p->sharedMemBytes)) return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
  *l =
    (struct cuda_launch){.function = (CUfunction)(uintptr_t)f, .shared = p->sharedMemBytes, .cooperative = cooperative};
  memcpy(l->grid, s.grid, sizeof l->grid);
  memcpy(l->block, s.block, sizeof l->block);
  if (!cuda_launch_room(kernel, l)) return CUDA_ERROR_OUT_OF_MEMORY;
  result = gather_params(kernel, p->kernelParams, p->extra, l->params);
  if (result) free(l->pointers);
  return result;
}

/* A kernel whose module has been unloaded since the launch was prepared is no function any more. */
CUresult cuda_launch_run(struct cuda_driver *d, const struct cuda_launch *l, CUstream stream) {
  const struct CUfunc_st *f = cuda_function(d, l->function);
  struct shape s;
  if (!f) return CUDA_ERROR_INVALID_HANDLE;
  memcpy(s.grid, l->grid, sizeof s.grid);
  memcpy(s.block, l->block, sizeof s.block);
  return run(d, f, &s, l->shared, stream, l->params, l->cooperative);
}

static CUresult launch(struct cuda_driver *d, CUfunction function, const struct shape *s, uint32_t shared,
                       CUstream stream, void **params, void **extra, bool cooperative) {
  const CUDA_KERNEL_NODE_PARAMS p = {.func = function,
                                     .gridDimX = s->grid[0],
                                     .gridDimY = s->grid[1],
                                     .gridDimZ = s->grid[2],
                                     .blockDimX = s->block[0],
                                     .blockDimY = s->block[1],
                                     .blockDimZ = s->block[2],
                                     .sharedMemBytes = shared,
                                     .kernelParams = params,
                                     .extra = extra};
  struct cuda_launch l;
  CUstream own;
  CUresult result = cuda_stream_use(d, stream, &own);
  if (!result) result = cuda_launch_prepare(d, &p, cooperative, &l);
  if (result) return result;
  result = own && own->capture ? cuda_capture_launch(d, own, &l) : cuda_launch_run(d, &l, stream);
  free(l.pointers);
  return result;
}

CUDA_API CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                                 unsigned int block_x, unsigned int block_y, unsigned int block_z,
                                 unsigned int shared_bytes, CUstream stream, void **params, void **extra) {
  CUDA_CALL(true);
  const struct shape s = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}};
  return cuda_leave(launch(d, function, &s, shared_bytes, stream, params, extra, false));
}

CUDA_API CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                            unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                            unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                            void **params) {
  CUDA_CALL(true);
  const struct shape s = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}};
  return cuda_leave(launch(d, function, &s, shared_bytes, stream, params, NULL, true));
}

/* Accepts hints and defaults; refuses attributes that would change the kernel's behaviour. */
static CUresult read_attribute(const CUlaunchAttribute *a, bool *cooperative) {
  switch (a->id) {
    case CU_LAUNCH_ATTRIBUTE_IGNORE:
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE: *cooperative = a->value.cooperative != 0; return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
      if (a->value.clusterDim.x == 1 && a->value.clusterDim.y == 1 && a->value.clusterDim.z == 1) return CUDA_SUCCESS;
      return cuda_not_supported("launch attributes: clusters of CTAs are not simulated");
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
      return CUDA_SUCCESS; /* permits an overlap, which is not simulated */
    default: return cuda_not_supported("launch attributes: launch events and clusters are not simulated");
  }
}

CUDA_API CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction function, void **params, void **extra) {
  CUDA_CALL(true);
  bool cooperative = false;
  CUresult result = CUDA_SUCCESS;
  if (!c || (c->numAttrs && !c->attrs)) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  for (unsigned int i = 0; i < c->numAttrs && !result; i++) result = read_attribute(&c->attrs[i], &cooperative);
  if (result) return cuda_leave(result);
  const struct shape s = {{c->gridDimX, c->gridDimY, c->gridDimZ}, {c->blockDimX, c->blockDimY, c->blockDimZ}};
  return cuda_leave(launch(d, function, &s, c->sharedMemBytes, c->hStream, params, extra, cooperative));
}
