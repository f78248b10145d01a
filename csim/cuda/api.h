/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the driver API: the one device, its contexts, the objects that programs create.
 *
 * One lock guards all of it, so that calls of several host threads, launches included, run one after another. Streams are
 * synchronous: when a call returns, its work is done. Handles come from the program, so each is looked up before it is used. */
#ifndef TANDEM_CUDA_API_H
#define TANDEM_CUDA_API_H

#include "cuda.h"
#include "device_heap.h"
#include "ptx/device_runtime.h"
#include "run/simulator.h"

#include <sys/types.h>

#define CUDA_API __attribute__((visibility("default")))
/* cuda.h maps a plain name to its newest version; programs that look a name up at run time find the plain one too. */
#define CUDA_ALIAS(versioned, plain)                            \
  extern __typeof__(versioned) versioned##_plain __asm__(plain) \
    __attribute__((alias(#versioned), visibility("default")))

/* What an object is; the first member of each. */
enum cuda_kind {
  CUDA_CONTEXT,
  CUDA_STREAM,
  CUDA_EVENT,
  CUDA_LIBRARY,
  CUDA_LINK,
  CUDA_POOL,
  CUDA_RANGE,    /* reserved addresses (api_virtual.c) */
  CUDA_PHYSICAL, /* memory to map there */
  CUDA_GRAPH,
  CUDA_GRAPH_EXEC,
  CUDA_GRAPH_MEMORY, /* what nodes allocate (api_graph_memory.c) */
  CUDA_USER_OBJECT,
  CUDA_KINDS
};
struct cuda_object {
  struct cuda_object *next;
  CUcontext context; /* it is destroyed with this one; NULL: with the driver */
};

enum { CUDA_LIMITS = CU_LIMIT_MAX, CUDA_GRAIN = 512 /* of pitches, bytes */ };

/* What kernels have printed and the host has not shown: the text of each call, with a 0. */
struct cuda_prints {
  char *text;
  size_t first, length, room;
  uint64_t lost; /* calls */
};

struct CUctx_st {
  struct cuda_object object;
  bool alive;   /* a destroyed context stays in the list, so that threads that have it current get an error */
  bool primary; /* the device's own, reference-counted */
  uint32_t retained;
  uint64_t id;
  unsigned int flags, api_version;
  CUresult sticky; /* what every call returns after a fault */
  CUfunc_cache cache;
  CUsharedconfig banks;
  size_t limits[CUDA_LIMITS];
  /* what its kernels share with the host (api_runtime.c) */
  struct device_memory *memory;
  struct ptx_device_runtime runtime;
  struct cuda_prints prints;
  struct device_heap heap;
  bool heap_refused;
  uint64_t grid_memory; /* 0: none yet */
  struct cuda_condition *conditions;
};

/* What nodes of graphs depend on and kernels set. It lives as long as its context: a kernel may hold the handle, its address. */
struct cuda_condition {
  struct cuda_condition *next;
  uint32_t value, initial;
  bool assigned; /* a launch of the graph sets it to `initial` */
};

/* A kernel as a program holds it: CUfunction and CUkernel are the same. */
struct CUfunc_st {
  const struct ptx_kernel *kernel;
  CUmodule module;
  int max_dynamic_shared, carveout;
};
struct CUmod_st {
  struct ptx_module *ptx;
  struct CUfunc_st *functions; /* ptx_module_n_kernels */
  CUcontext context;
  CUlibrary library; /* or NULL */
  struct CUmod_st *next;
};
struct CUlib_st {
  struct cuda_object object;
  CUmodule module;
};
/* Nodes of a graph that what a captured stream adds next comes behind. */
struct cuda_tail {
  CUgraphNode *node; /* malloc */
  size_t n;
};
struct CUstream_st {
  struct cuda_object object;
  uint32_t owner; /* of a default stream (api_default_stream.c); 0: the program has made it */
  uint64_t id;
  unsigned int flags;
  int priority;
  CUaccessPolicyWindow window; /* what programs set and kernels do not use */
  CUsynchronizationPolicy policy;
  CUlaunchMemSyncDomain domain;
  CUlaunchMemSyncDomainMap domains;
  bool mapped;                  /* `domains` is set */
  struct cuda_capture *capture; /* NULL: calls are executed */
  struct cuda_tail tail;
};
/* What a stream adds to a graph while it is captured. */
struct cuda_capture {
  CUgraph graph;
  CUstream origin;                  /* where it began */
  const struct cuda_thread *thread; /* that began it */
  CUstreamCaptureMode mode;
  uint64_t id;
  bool invalid, given;   /* the graph is one of the program */
  struct cuda_tail left; /* the last nodes of streams that are destroyed since */
};
struct CUevent_st {
  struct cuda_object object;
  uint64_t ns;
  bool recorded, timed;
  uint64_t capture; /* it was recorded in a stream of this capture; 0: in none */
  struct cuda_tail tail;
};
struct CUmemPoolHandle_st {
  struct cuda_object object;
  uint64_t threshold, used, used_high;
  int reuse[3];
};

struct texture_object;
struct cuda_textures { /* not yet destroyed by the program */
  CUarray arrays;
  CUmipmappedArray mipmaps;
  struct texture_object *objects, *surfaces;
  CUtexref references;
};

/* Memory that the driver has allocated for the program, or that the program has registered. */
enum cuda_memory_kind {
  CUDA_DEVICE_MEMORY,
  CUDA_MANAGED_MEMORY,
  CUDA_POOL_MEMORY,
  CUDA_RESERVED_MEMORY,
  CUDA_NODE_MEMORY, /* of a node of a graph */
  CUDA_HOST_MEMORY,
  CUDA_REGISTERED
};
struct cuda_allocation {
  struct cuda_allocation *next;
  enum cuda_memory_kind kind;
  CUcontext context;
  CUmemoryPool pool;
  uint64_t id;
  uint8_t *host;     /* of host memory and registered memory */
  CUdeviceptr start; /* 0: host memory without a device address */
  size_t bytes;
  unsigned int flags;
};

/* What one node of a graph allocates. */
struct cuda_graph_memory {
  struct cuda_object object;
  CUmemPoolProps pool; /* as the program said */
  CUdeviceptr address;
  size_t bytes;
  size_t nodes; /* that allocate or free it, those of copies too */
  bool live;    /* a launch has allocated it, and it is not freed */
};

/* An object of the program that its destructor, called without the lock, takes. */
struct cuda_dead {
  struct cuda_dead *next;
  CUhostFn destroy;
  void *data;
};
struct CUuserObject_st {
  struct cuda_object object;
  uint64_t references;    /* those of graphs too */
  struct cuda_dead *dead; /* for its end, when no memory may be missing */
};

struct cuda_driver {
  struct simulator *sim; /* NULL before cuInit */
  pid_t owner;           /* the process that called cuInit: a forked child does not write its record */
  CUcontext primary;     /* NULL before it is first asked for */
  CUmodule modules;      /* those loaded */
  struct cuda_object *objects[CUDA_KINDS];
  struct cuda_allocation *allocations;
  CUmemoryPool default_pool, pool;
  uint64_t graph_used,
    graph_used_high; /* bytes that launches of graphs have allocated and nobody freed; the most so far */
  struct cuda_textures textures;
  struct cuda_dead *dead; /* what the end of the call under way destroys */
  uint64_t space;         /* of the proposal (cuda_proposal_space); 0: none yet */
  uint64_t ids;           /* unique ids given so far, of contexts, streams and allocations */
  CUresult lost;          /* what every call returns once the device is unusable: after a divergence, a deadlock */
  int unwritten;          /* status of run_finish: not 0 when results are missing */
};

/* The contexts of a host thread, the top one current. */
enum { CUDA_THREAD_CONTEXTS = 64 };
struct cuda_thread {
  CUcontext stack[CUDA_THREAD_CONTEXTS];
  uint32_t depth;
  CUstreamCaptureMode mode; /* which captures keep this thread from unsafe calls (api_capture_mode.c) */
  bool own_default;         /* in the call under way stream 0 is the thread's (api_per_thread.c) */
  uint32_t number;          /* 0: none yet (api_default_stream.c) */
};

/* ---- api_guard.c ---- */

struct cuda_thread *cuda_thread(void); /* of the caller */
CUcontext cuda_current(void);          /* or NULL */
/* Takes the lock and returns the driver; the calls below release it. */
struct cuda_driver *cuda_enter(void);
CUresult cuda_leave(CUresult);
/* CUDA_SUCCESS when the driver is initialised and, with `context`, this thread has a current context without a fault. */
CUresult cuda_ready(const struct cuda_driver *, bool context);
/* Prints the sentence on stderr and returns `result`. */
CUresult cuda_complain(CUresult result, const struct err *);
/* The same, returning CUDA_ERROR_NOT_SUPPORTED. */
CUresult cuda_not_supported(const char *sentence);

/* Begins a call: declares `d`, the locked driver; returns from the call if it is not ready. */
#define CUDA_CALL(context_needed)                 \
  struct cuda_driver *d = cuda_enter();           \
  CUresult ready = cuda_ready(d, context_needed); \
  if (ready) return cuda_leave(ready)

/* Begins a call that works in a stream or waits for it: sets `s` to the stream's object, or to NULL, a default stream that nothing
 * is remembered of. */
#define CUDA_STREAM_CALL(stream)                      \
  CUDA_CALL(true);                                    \
  CUstream s = NULL;                                  \
  CUresult usable = cuda_stream_use(d, (stream), &s); \
  if (usable) return cuda_leave(usable)

/* Begins a call that CUDA calls unsafe while a stream is captured: the captures that this thread must not disturb become invalid. */
#define CUDA_UNSAFE_CALL()                 \
  CUDA_CALL(true);                         \
  CUresult held = cuda_capture_forbids(d); \
  if (held) return cuda_leave(held)

/* ---- api_object.c: objects that programs hold handles of ---- */

/* Adds a zeroed object of `bytes` to the list of its kind; NULL: out of memory. */
void *cuda_object_new(struct cuda_driver *, enum cuda_kind, size_t bytes, CUcontext);
/* The object if the handle is one of this kind, else NULL. */
void *cuda_object(struct cuda_driver *, enum cuda_kind, const void *handle);
/* Removes it from the list and frees it. */
void cuda_object_free(struct cuda_driver *, enum cuda_kind, void *);
/* Frees the streams, events and libraries of a context (NULL: all). */
void cuda_objects_free(struct cuda_driver *, CUcontext);
/* NULL, the two legacy handles, or a stream that exists. */
bool cuda_is_stream(struct cuda_driver *, CUstream);
/* The link that points to this module in the list; NULL: the handle is no module. */
CUmodule *cuda_module_link(struct cuda_driver *, CUmodule);

/* ---- api_context.c ---- */

/* Frees everything that belongs to a context (NULL: to any): modules, memory, streams, events. */
void cuda_context_clear(struct cuda_driver *, CUcontext);
/* What a call that waits for its own work does: shows what kernels have printed. Takes the lock. */
CUresult cuda_wait(void);

/* ---- api_runtime.c: printf(), malloc() and free() of kernels, and the barrier of cooperative grids ---- */

void cuda_runtime_begin(struct cuda_driver *, CUcontext);
void cuda_runtime_end(CUcontext);
/* Shows what kernels of the context (NULL: none) have printed: at every call that synchronises, and before a launch. */
void cuda_flush_prints(CUcontext);
/* Memory for the barrier of a cooperative grid; 0: no memory is left. */
uint64_t cuda_grid_memory(CUcontext);

/* ---- api_module.c ---- */

struct cuda_jit;
/* Loads a module from PTX text; messages name `file`. */
CUresult cuda_module_load(struct cuda_driver *, const char *file, const char *text, size_t length,
                          const struct cuda_jit *, CUmodule *, struct err *);
void cuda_module_unload(struct cuda_driver *, CUmodule *link);
/* Unloads the modules of a context (NULL: all). */
void cuda_unload_all(struct cuda_driver *, CUcontext);
/* The function if the handle is one, or NULL. */
CUfunction cuda_function(const struct cuda_driver *, const void *handle);
CUfunction cuda_module_function(CUmodule, const char *name);

/* ---- api_jit.c ---- */

/* Options of a load or a link: where the logs go. */
struct cuda_jit {
  char *error_log, *info_log;
  void **error_size, **info_size, **wall_time; /* slots of the program for results, or NULL */
  size_t error_max, info_max;
  uint32_t max_registers; /* of a thread; 0: no limit */
  uint32_t block_threads; /* that a block shall have room for; 0: not said */
  double started;
};
CUresult cuda_jit_options(struct cuda_jit *, unsigned int n, const CUjit_option *, void **values);
/* Loads an image of `bytes` (SIZE_MAX: unknown) and logs as the options say. `file` names it in messages; NULL: it has no file. */
CUresult cuda_jit_load(struct cuda_driver *, const char *file, const void *image, size_t bytes, struct cuda_jit *,
                       CUmodule *);

/* ---- api_memory.c, api_host.c ---- */

/* Host pointer of a range inside one allocation of device memory, or NULL. */
void *cuda_device_range(struct cuda_driver *, CUdeviceptr, size_t bytes);
/* The same for a copy: of memory that is mapped to the host, the host's bytes (api_copy.c). */
void *cuda_device_bytes(struct cuda_driver *, CUdeviceptr, size_t bytes);
/* The same for any address: one outside of device memory is the host's. */
void *cuda_any_range(struct cuda_driver *, uint64_t address, size_t bytes);
struct cuda_allocation *cuda_allocation_new(struct cuda_driver *, enum cuda_memory_kind);
/* The allocation that contains the address, on the device or on the host; or NULL. */
struct cuda_allocation *cuda_allocation_at(const struct cuda_driver *, uint64_t address);
CUresult cuda_allocate(struct cuda_driver *, enum cuda_memory_kind, size_t bytes, CUdeviceptr *);
/* Device memory in pages of its own, with a label (mem/page_table.h). */
CUresult cuda_allocate_labelled(struct cuda_driver *, size_t bytes, uint32_t label, CUdeviceptr *);
CUresult cuda_release(struct cuda_driver *, CUdeviceptr);
void cuda_allocation_free(struct cuda_driver *, struct cuda_allocation *);
/* What a node of a graph allocates at the address, or NULL. */
struct cuda_graph_memory *cuda_graph_memory_at(const struct cuda_driver *, CUdeviceptr);
/* A node lets go of it. */
void cuda_graph_memory_drop(struct cuda_driver *, struct cuda_graph_memory *);
/* Frees what a launch of a graph has allocated at the address; CUDA_ERROR_INVALID_VALUE: nothing is. */
CUresult cuda_graph_memory_give(struct cuda_driver *, CUdeviceptr);
void cuda_memory_clear(struct cuda_driver *, CUcontext);
/* Copy the host memory that kernels can access to its device memory, before a launch, and back, after it. */
void cuda_host_to_device(struct cuda_driver *);
void cuda_device_to_host(struct cuda_driver *);

/* ---- api_proposal.c: the proposal that is switched on, if it has calls for host programs (systems/driver.h) ---- */

struct driver_entry;
/* cuInit: hands the driver's services to every proposal with calls. */
void cuda_proposals_start(struct cuda_driver *);
/* The entry point of a proposal's call, or NULL. */
const struct driver_entry *cuda_proposal_entry(const char *name);
int cuda_proposal_load(const struct cuda_driver *, const struct CUmod_st *, struct err *);
void cuda_proposal_unload(const struct cuda_driver *, const struct CUmod_st *);
struct driver_launch;
/* Gives the proposal the memory that it needs for itself (system_ops.space), once. */
int cuda_proposal_space(struct cuda_driver *, struct err *);
int cuda_proposal_launch(const struct cuda_driver *, const struct driver_launch *, struct err *);
void cuda_proposal_forget(const struct cuda_driver *, CUcontext); /* NULL: all contexts */

/* ---- api_capture_mode.c ---- */

/* Of an unsafe call: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, or CUDA_SUCCESS where no capture forbids it. */
CUresult cuda_capture_forbids(struct cuda_driver *);
/* The same of a call that waits for all streams of the current context, whatever the modes are. */
CUresult cuda_capture_forbids_waiting(struct cuda_driver *);

/* ---- api_capture.c: what calls do in a captured stream ---- */

struct cuda_launch;
bool cuda_is_captured(struct cuda_driver *, CUstream);
void cuda_tail_clear(struct cuda_tail *);
/* The call becomes a node of the stream's graph. */
CUresult cuda_capture_launch(struct cuda_driver *, CUstream, const struct cuda_launch *);
CUresult cuda_capture_copy(struct cuda_driver *, CUstream, CUdeviceptr to, CUdeviceptr from, size_t bytes);
CUresult cuda_capture_copy2d(struct cuda_driver *, CUstream, const CUDA_MEMCPY2D *);
CUresult cuda_capture_copy3d(struct cuda_driver *, CUstream, const CUDA_MEMCPY3D *);
CUresult cuda_capture_fill(struct cuda_driver *, CUstream, const CUDA_MEMSET_NODE_PARAMS *);
CUresult cuda_capture_host(struct cuda_driver *, CUstream, CUhostFn, void *data);
CUresult cuda_capture_allocate(struct cuda_driver *, CUstream, size_t bytes, CUdeviceptr *);
CUresult cuda_capture_free(struct cuda_driver *, CUstream, CUdeviceptr);
/* The call is not allowed while its stream is captured: the capture becomes invalid. */
CUresult cuda_capture_refuse(struct cuda_driver *, CUstream);
/* A stream that joined a capture is destroyed; false: the capture began in it, or no memory is left. */
bool cuda_capture_leave(CUstream);
/* An event is recorded, or waited for; of streams that are not captured, too. */
void cuda_capture_record(struct cuda_driver *, CUevent, CUstream);
CUresult cuda_capture_wait(struct cuda_driver *, CUstream, const struct CUevent_st *);
/* A program asks whether an event has happened: that of a capture under way has not, and the capture becomes invalid. */
CUresult cuda_capture_forbids_event(const struct cuda_driver *, const struct CUevent_st *);

/* The event, recorded or waited for outside of the graph, becomes a node; CUDA_ERROR_INVALID_VALUE: the stream is not captured. */
CUresult cuda_capture_event(struct cuda_driver *, CUstream, CUgraphNodeType, CUevent);

/* ---- api_default_stream.c ---- */

/* The handle itself, and for NULL that of the legacy stream, or, in a call of such a program, of the thread's. */
CUstream cuda_default_handle(CUstream);
/* The object of a stream that exists; NULL: the handle is none, or a default stream's that nothing is remembered of. */
CUstream cuda_stream_object(struct cuda_driver *, CUstream);
/* The same; that of a default stream is made. NULL: the handle is none, or no memory is left. */
CUstream cuda_default_object(struct cuda_driver *, CUstream);
/* For a call that works in the stream or waits for it. CUDA_ERROR_INVALID_HANDLE; CUDA_ERROR_STREAM_CAPTURE_IMPLICIT: it is the legacy one,
 * and a blocking stream of the context is captured; its capture becomes invalid. */
CUresult cuda_stream_use(struct cuda_driver *, CUstream, CUstream *object);
/* The last of these alone; no capture becomes invalid. */
CUresult cuda_legacy_forbidden(struct cuda_driver *, CUstream);

/* ---- api_stream.c ---- */

void cuda_event_record(struct cuda_driver *, CUevent, CUstream);
/* The priority nearest in the context's range. */
int cuda_stream_priority(int);

/* ---- api_texture.c ---- */

/* Free the texture references of a module; all textures and arrays (their device memory is freed with the simulator). */
void cuda_drop_module_textures(struct cuda_driver *, const struct CUmod_st *);
void cuda_drop_textures(struct cuda_driver *);

#endif
