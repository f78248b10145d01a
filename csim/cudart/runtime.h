/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the runtime library: what a process has registered, what a thread remembers, and how calls begin and end.
 *
 * Every call of the runtime is a call of the driver (csim/cuda) or several: nothing of a GPU is here. The driver's streams are
 * synchronous, and so is everything here: a launch reports its faults itself, as NVIDIA's does under CUDA_LAUNCH_BLOCKING=1.
 * Calls return 0 or CUDA's error number, which the calling thread keeps until cudaGetLastError(). */
#ifndef TANDEM_CUDART_RUNTIME_H
#define TANDEM_CUDART_RUNTIME_H

#include "runtime_types.h"

#include <stdbool.h>

#define RT_API __attribute__((visibility("default")))
/* Says whether stream 0 of the caller's next calls is the thread's own; returns what held before (csim/cuda/api_per_thread.c). */
bool tandem_own_default_stream(bool);
/* The variant of a call for programs whose stream 0 is the thread's (nvcc --default-stream per-thread). */
#define RT_OWN(call, suffix, parameters, arguments)    \
  RT_API cudaError_t call##suffix parameters {         \
    bool own_before = tandem_own_default_stream(true); \
    cudaError_t error = call arguments;                \
    (void)tandem_own_default_stream(own_before);       \
    return error;                                      \
  }
/* The same where it does not matter. */
#define RT_ALIAS(call, suffix) extern __typeof__(call) call##suffix __attribute__((alias(#call), visibility("default")))

/* What a compiler's constructor registers: a fat binary and, of it, kernels and variables, each under an address of the host. */
struct rt_binary {
  struct rt_binary *next;
  const void *wrapper;
  CUmodule module;     /* NULL: not loaded */
  cudaError_t refused; /* not 0: it cannot be loaded; the sentence has been printed */
};
struct rt_symbol {
  struct rt_symbol *next; /* in its slot of the table */
  const void *host;       /* the stub of a kernel, the shadow of a variable */
  const char *name;       /* in the PTX */
  struct rt_binary *binary;
  enum { RT_KERNEL, RT_VARIABLE, RT_MANAGED } kind;
  CUfunction function; /* NULL: not looked up */
  CUdeviceptr address; /* 0: not looked up */
  size_t bytes;
};

/* ---- rt_state.c ---- */

/* `call` is called when the program's first context has been made. */
void rt_at_first_context(void (*call)(void));

/* Makes a context current in this thread: the one that the program has made current, else the device's primary one. */
cudaError_t rt_begin(void);
/* The device is needed, no context. */
cudaError_t rt_begin_device(void);
/* The error of the driver's result; the thread remembers it. */
cudaError_t rt_note(CUresult);
cudaError_t rt_fail(cudaError_t);
void rt_forget_error(void);
/* Prints the sentence, with the name of the call before it. */
cudaError_t rt_complain(cudaError_t, const char *call, const char *sentence);
void rt_lock(void);
void rt_unlock(void);

/* A call that is one call of the driver, in a context. */
#define RT_DRIVER(call)                   \
  do {                                    \
    cudaError_t begun = rt_begin();       \
    return begun ? begun : rt_note(call); \
  } while (0)
/* The same where a device is enough. */
#define RT_DEVICE(call)                    \
  do {                                     \
    cudaError_t begun = rt_begin_device(); \
    return begun ? begun : rt_note(call);  \
  } while (0)
/* Begins a longer call. */
#define RT_BEGIN()                  \
  do {                              \
    cudaError_t begun = rt_begin(); \
    if (begun) return begun;        \
  } while (0)

/* ---- rt_register.c ---- */

/* The function of a kernel: the address of its stub, a handle of __cudaGetKernel() or of the driver. Loads its module. */
cudaError_t rt_function(const void *kernel, CUfunction *);
/* The place of a variable: the address of its shadow, or of managed memory. */
cudaError_t rt_variable(const void *symbol, CUdeviceptr *, size_t *bytes);
/* After a reset of the device: every module is loaded again when it is next needed. */
void rt_forget_modules(void);

/* ---- rt_copy.c ---- */

CUdeviceptr rt_address(const void *);
/* Copies between addresses, in the direction that the program names. */
cudaError_t rt_copy(void *to, const void *from, size_t bytes, int kind, CUstream);
/* Ends a call that waits for its copy: shows what kernels have printed; refused where stream 0 is captured. */
cudaError_t rt_waited(cudaError_t);
/* The driver's descriptor of a 3D copy. */
cudaError_t rt_copy3d(const struct cudaMemcpy3DParms *, CUDA_MEMCPY3D *to_fill);
/* Memory types of source and destination for the driver's descriptors; false: no such direction. */
bool rt_direction(int kind, CUmemorytype *from, CUmemorytype *to);

/* ---- rt_array.c ---- */

bool rt_format(const struct cudaChannelFormatDesc *, CUarray_format *, unsigned int *channels);
struct cudaChannelFormatDesc rt_channels(CUarray_format, unsigned int channels);

#endif
