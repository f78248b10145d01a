/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the driver API: the one device, its context, and the guard that every call takes. */
#ifndef TANDEM_CUDA_API_H
#define TANDEM_CUDA_API_H

#include "cuda.h"
#include "simulator.h"

#include <sys/types.h>

#define CUDA_API __attribute__((visibility("default")))
/* The header maps a plain name to its newest version; programs that look names up find the plain one too. */
#define CUDA_ALIAS(versioned, plain)                            \
  extern __typeof__(versioned) versioned##_plain __asm__(plain) \
    __attribute__((alias(#versioned), visibility("default")))

struct CUctx_st {
  int live;
};
struct CUmod_st {
  struct ptx_module *ptx;
  struct CUmod_st *next;
};
struct CUevent_st {
  uint64_t ns;
  bool recorded;
};

struct texture_object;
struct cuda_textures { /* api_texture.h; what the program made and did not destroy */
  CUarray arrays;
  struct texture_object *objects;
  CUtexref references;
};

struct cuda_driver {
  struct simulator *sim; /* NULL before cuInit */
  pid_t owner;           /* the process that called cuInit: a forked child does not write its record */
  struct CUctx_st context;
  CUmodule modules; /* loaded and not unloaded */
  struct cuda_textures textures;
  bool current;
  CUresult sticky; /* after a fault every call answers this */
};

/* Takes the lock and returns the driver; the calls below release it. */
struct cuda_driver *cuda_enter(void);
CUresult cuda_leave(CUresult);
/* CUDA_SUCCESS when initialised (and, with `context`, a context is current and nothing faulted before). */
CUresult cuda_ready(const struct cuda_driver *, bool context);
void cuda_unload_all(struct cuda_driver *);
/* Host pointer of a range inside one allocation of device memory, or NULL. */
void *cuda_device_range(struct cuda_driver *, CUdeviceptr, size_t bytes);
/* Forgets the texture references of a module; everything of textures (the device memory goes with the simulator). */
void cuda_drop_module_textures(struct cuda_driver *, const struct CUmod_st *);
void cuda_drop_textures(struct cuda_driver *);
/* Prints the sentence on stderr, as a driver's log would, and returns `result`. */
CUresult cuda_complain(CUresult result, const struct err *);

/* BODY with `d` the driver, locked; for calls that need a context. */
#define CUDA_CALL(context_needed)                 \
  struct cuda_driver *d = cuda_enter();           \
  CUresult ready = cuda_ready(d, context_needed); \
  if (ready) return cuda_leave(ready)

#endif
