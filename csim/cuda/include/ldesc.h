/* SPDX-License-Identifier: Apache-2.0 */
/* The Locality Descriptor (Vijaykumar 2019, chapter 3): a program says of its data structures what kind of locality they have and
 * which CTAs touch which part. Descriptors are hints: they never change results. One header for kernels (.cu: clang and nvcc) and
 * for host programs in C against the driver API.
 *
 *   struct ldesc l;
 *   ldescOpen(&l, module);                                                        after cuInit, once a module
 *   struct ldesc_tile tile = {.element = 4, .length = {LX, LY, 1}, .data = {threads, LY, 1}, .ctas = {1, grid_y, 1}, .map = {1, 0, 0}};
 *   struct ldesc_locality locality = {LDESC_COACCESSED, LDESC_REGULAR, .stride = LX * 4};
 *   LocalityDescriptor(&l, A, bytes, LDESC_INTER_THREAD, tile, locality, 10);     when A is filled, before the launch
 *
 *   element   bytes of an element
 *   length    elements of the whole structure in x, y, z
 *   data      elements of a D-Tile: a block of the structure
 *   ctas      CTAs of a C-Tile: a block of the grid. The k-th C-Tile touches the k-th D-Tile; D-Tiles count x first, then y, then z
 *   map       the order in which C-Tiles count, a rank for each axis of the grid: {1, 2, 3} is x first, then y, then z; {3, 1, 2} is y,
 *             then z, then x; 0: the grid has one C-Tile on this axis
 *   sharing   COACCESSED: all threads of a C-Tile read all of the D-Tile; NEARBY: neighbours read neighbouring data
 *   pattern   REGULAR: a thread goes through its D-Tile in steps of `stride` bytes; IRREGULAR
 *   priority  0..255; of descriptors in conflict the higher one wins, of equals the one that came first
 *
 * A structure may have one descriptor of each type; a later one of the same type takes the place of the earlier. Descriptors stay until
 * ldescClear, for every launch. Their C-Tiles must fit the grid of each: clear and say again what differs between kernels.
 * LocalityDescriptorLocal is for local memory, which no program allocates: arrays of a thread that do not fit into registers.
 *
 * What a compiler knows goes into the object file. A table, shared by kernel and host, declares it; at run time the host adds what only
 * then is known:
 *
 *   #define HISTO(LDesc) LDesc(HISTO_SM, LDESC_INTER_THREAD, LDESC_COACCESSED, LDESC_REGULAR, 4, 1, 0, 0, 10)
 *   name, type, sharing, pattern, bytes of an element, map x, y, z, priority
 *   LDESC_TABLE(HISTO)                                                            kernel.cu
 *   LDESC_IDS(HISTO)                                                              host.c
 *   ldescResolve(&l, HISTO_SM, A, bytes, tile, stride);                           element and map of `tile` are the table's
 *
 * Results:
 *   CUDA_ERROR_OUT_OF_MEMORY   16 descriptors are there; this one is ignored
 *   CUDA_ERROR_INVALID_VALUE   it cannot be: a sentence on standard error says why; it is ignored. A launch returns it if a C-Tile does not
 *                              fit its grid, or a structure was freed
 * The calls do nothing and return CUDA_SUCCESS with another driver and when the proposal ldesc is off; ldescResolve also if the module has no
 * table. */
#ifndef TANDEM_LDESC_H
#define TANDEM_LDESC_H

enum ldesc_type { LDESC_INTER_THREAD, LDESC_INTRA_THREAD, LDESC_NO_REUSE };
enum ldesc_sharing { LDESC_COACCESSED, LDESC_NEARBY };
enum ldesc_pattern { LDESC_REGULAR, LDESC_IRREGULAR };

/* The descriptors of a module: the variable __ldesc_records. Little endian: magic "LDSC", version u16, count u16, then the records
 * (assumption: the layout; the fields are Vijaykumar's). A record: base u64, bytes u64, element u16, record version u8, kind u8 (type
 * in bits 0 and 1, sharing in 2, pattern in 3, 1 in 4 for local memory), length 3 u32, data 3 u32, ctas 3 u16, map u8 (2 bits an axis, x
 * lowest), priority u8, stride u32, 8 bytes of 0. What is known at run time only is 0 in a module. */
enum {
  LDESC_SEGMENT_VERSION = 1,
  LDESC_RECORD_VERSION = 1,
  LDESC_HEAD_BYTES = 8,
  LDESC_RECORD_BYTES = 64,
  LDESC_RECORDS_MAX = 65535
};

#ifdef __cplusplus
#define LDESC_ASSERT_ static_assert
#else
#define LDESC_ASSERT_ _Static_assert
#endif
#define LDESC_ID_(name, type, sharing, pattern, element, map_x, map_y, map_z, priority) name,
#define LDESC_CHECK_(name, type, sharing, pattern, element, map_x, map_y, map_z, priority)                      \
  LDESC_ASSERT_((element) >= 1 && (element) <= 65535, "descriptor " #name ": an element has 1 to 65535 bytes"); \
  LDESC_ASSERT_((priority) >= 0 && (priority) <= 255, "descriptor " #name ": the priority is 0 to 255");        \
  LDESC_ASSERT_((map_x) >= 0 && (map_x) <= 3 && (map_y) >= 0 && (map_y) <= 3 && (map_z) >= 0 && (map_z) <= 3,   \
                "descriptor " #name ": the ranks of the map are 0 to 3");
#define LDESC_IDS(TABLE)                   \
  enum { TABLE(LDESC_ID_) LDESC_RECORDS }; \
  TABLE(LDESC_CHECK_)                      \
  LDESC_ASSERT_((int)LDESC_RECORDS <= (int)LDESC_RECORDS_MAX, "a module has 65535 descriptors at most")

#define LDESC_KIND_(type, sharing, pattern) ((type) | (sharing) << 2 | (pattern) << 3)
#define LDESC_MAP_(x, y, z) ((x) | (y) << 2 | (z) << 4)

#if defined(__CUDACC__) || defined(__CUDA__)

/* ==== kernels ==== */

#define LDESC_ZEROS_8_ 0, 0, 0, 0, 0, 0, 0, 0
#define LDESC_RECORD_(name, type, sharing, pattern, element, map_x, map_y, map_z, priority)                            \
  LDESC_ZEROS_8_, LDESC_ZEROS_8_, (unsigned char)(element), (unsigned char)((element) >> 8), LDESC_RECORD_VERSION,     \
    (unsigned char)LDESC_KIND_(type, sharing, pattern), LDESC_ZEROS_8_, LDESC_ZEROS_8_, LDESC_ZEROS_8_, 0, 0, 0, 0, 0, \
    0, (unsigned char)LDESC_MAP_(map_x, map_y, map_z), (priority), 0, 0, 0, 0, LDESC_ZEROS_8_,
#define LDESC_TABLE(TABLE)                                                                                          \
  LDESC_IDS(TABLE);                                                                                                 \
  extern "C" {                                                                                                      \
  __device__                                                                                                        \
    __attribute__((used)) unsigned char __ldesc_records[LDESC_HEAD_BYTES + LDESC_RECORD_BYTES * LDESC_RECORDS] = {  \
      'L', 'D', 'S', 'C', LDESC_SEGMENT_VERSION, 0, LDESC_RECORDS & 255, LDESC_RECORDS >> 8, TABLE(LDESC_RECORD_)}; \
  }

#else

/* ==== host programs ==== */

#include <cuda.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ldesc_tile {
  unsigned element;
  unsigned length[3], data[3], ctas[3];
  unsigned char map[3];
};
struct ldesc_locality {
  enum ldesc_sharing sharing;
  enum ldesc_pattern pattern;
  unsigned stride; /* bytes; 0 with LDESC_IRREGULAR */
};

/* What a descriptor says, for the driver: a record, and what of it does not fit there. */
struct ldesc_call {
  uint64_t base, bytes;
  unsigned type, sharing, pattern, local, priority, stride;
  struct ldesc_tile tile;
};

/* The functions are NULL if the calls do nothing. */
struct ldesc {
  CUmodule module;
  CUresult (*declare)(const struct ldesc_call *);
  CUresult (*resolve)(CUmodule, unsigned id, const struct ldesc_call *);
  CUresult (*clear)(void);
};

static inline void ldesc_find(const char *name, void *function, size_t bytes) {
  void *found = NULL;
  CUdriverProcAddressQueryResult status;
  if (cuGetProcAddress(name, &found, CUDA_VERSION, 0, &status) != CUDA_SUCCESS) found = NULL;
  memcpy(function, &found, bytes);
}

/* After cuInit, before the other calls. The module may be NULL where ldescResolve is not used. */
static inline void ldescOpen(struct ldesc *l, CUmodule module) {
  memset(l, 0, sizeof *l);
  l->module = module;
  ldesc_find("tandemLdescDeclare", &l->declare, sizeof l->declare);
  ldesc_find("tandemLdescResolve", &l->resolve, sizeof l->resolve);
  ldesc_find("tandemLdescClear", &l->clear, sizeof l->clear);
}

static inline CUresult LocalityDescriptor(const struct ldesc *l, CUdeviceptr address, size_t bytes,
                                          enum ldesc_type type, struct ldesc_tile tile, struct ldesc_locality locality,
                                          unsigned priority) {
  struct ldesc_call c = {address, bytes, type, locality.sharing, locality.pattern, 0, priority, locality.stride, tile};
  return l->declare ? l->declare(&c) : CUDA_SUCCESS;
}

/* Of the local memory of all threads: LDESC_INTRA_THREAD or LDESC_NO_REUSE. */
static inline CUresult LocalityDescriptorLocal(const struct ldesc *l, enum ldesc_type type, unsigned priority) {
  struct ldesc_call c;
  memset(&c, 0, sizeof c);
  c.type = type;
  c.local = 1;
  c.priority = priority;
  return l->declare ? l->declare(&c) : CUDA_SUCCESS;
}

/* The record `id` of the module's table, with what is known at run time. */
static inline CUresult ldescResolve(const struct ldesc *l, unsigned id, CUdeviceptr address, size_t bytes,
                                    struct ldesc_tile tile, unsigned stride) {
  struct ldesc_call c;
  memset(&c, 0, sizeof c);
  c.base = address;
  c.bytes = bytes;
  c.stride = stride;
  c.tile = tile;
  return l->resolve ? l->resolve(l->module, id, &c) : CUDA_SUCCESS;
}

/* Forgets all descriptors. */
static inline CUresult ldescClear(const struct ldesc *l) { return l->clear ? l->clear() : CUDA_SUCCESS; }

#ifdef __cplusplus
}
#endif
#endif
#endif
