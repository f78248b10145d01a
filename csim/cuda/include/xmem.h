/* SPDX-License-Identifier: Apache-2.0 */
/* XMem (Vijaykumar 2019, chapter 2): a program declares the meaning of its data. The declarations are hints: they never
 * change results. One header for kernels (.cu: clang and nvcc) and for host programs in C against the driver API.
 *
 * An atom is one set of attributes (CreateAtom); data mapped to it has these attributes while the atom is active. A
 * table of CreateAtom rows, shared by kernel and host, declares the atoms of a module:
 *
 *   #define MM_ATOMS(CreateAtom)                                                            atoms.h
 *     CreateAtom(MM_A, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 100, 10)
 *     CreateAtom(MM_B, XMEM_FLOAT32, XMEM_REGULAR, 4, XMEM_READ_ONLY, 200, 255)
 *     name, data bits, pattern, its stride in bytes, how it is accessed, access intensity 0..255, reuse 0..255
 *   XMEM_ATOM_TABLE(MM_ATOMS)                                                               kernel.cu
 *   XMEM_ATOM_IDS(MM_ATOMS)                                                                 host.c
 *
 * Both macros define an enum of the names, with IDs from 0 in their order. XMEM_ATOM_TABLE also puts the atom segment,
 * the variable __xmem_atoms, into the module. The driver reads it when it loads the module and assigns the atoms free
 * IDs of their context, at most 255 (XMEM_NONE is never assigned). Every call takes the module's own ID, from 0.
 *
 * Ranges: start, rows (lenX) and widths (sizeX) in bytes, heights (sizeY, lenY) in rows, depths (sizeZ) in planes; a
 * plane is lenX x lenY. The latest map of an address wins. Maps cover whole units of 512 bytes (xmem.unit) and are
 * asynchronous.
 *
 * The calls do nothing in kernels with TANDEM_NO_SYSTEM (version xmem_plain), with XMEM_OFF or in a version `baseline`,
 * and in host programs if the module has no atom segment, the proposal xmem is off, or the driver is another one;
 * xmemAlloc then equals cuMemAlloc. */
#ifndef TANDEM_XMEM_H
#define TANDEM_XMEM_H

/* ---- attributes (Vijaykumar 2019, 2.3.1; assumption: their codes) ---- */

/* Data bits: types in bits 0 to 7, properties above. */
#define XMEM_CHAR8 0x1ull
#define XMEM_INT16 0x2ull
#define XMEM_INT32 0x4ull
#define XMEM_INT64 0x8ull
#define XMEM_FLOAT16 0x10ull
#define XMEM_FLOAT32 0x20ull
#define XMEM_FLOAT64 0x40ull
#define XMEM_SPARSE 0x100ull
#define XMEM_APPROXIMABLE 0x200ull
#define XMEM_POINTER 0x400ull
#define XMEM_INDEX 0x800ull

enum xmem_pattern {
  XMEM_NON_DET,  /* no repeating pattern */
  XMEM_REGULAR,  /* strided */
  XMEM_IRREGULAR /* repeating, without a stride */
};
enum xmem_rw { XMEM_READ_WRITE, XMEM_READ_ONLY, XMEM_WRITE_ONLY };
enum xmem_how { XMEM_MAP, XMEM_UNMAP };

/* The atom segment, little-endian: magic "XMEM", format version u16, count u16, then the records, each: data bits u64,
 * pattern u8, stride i32, rw u8, intensity u8, reuse u8, record version u8, 2 reserved (19 bytes: Vijaykumar 2019,
 * 2.4.4; assumption: the layout). */
enum { XMEM_SEGMENT_VERSION = 1, XMEM_HEAD_BYTES = 8, XMEM_RECORD_BYTES = 19, XMEM_ATOMS_MAX = 255, XMEM_NONE = 255 };

/* ---- the table ---- */

#ifdef __cplusplus
#define XMEM_ASSERT_ static_assert
#else
#define XMEM_ASSERT_ _Static_assert
#endif
#define XMEM_ID_(name, data, pattern, stride, rw, intensity, reuse) name,
#define XMEM_CHECK_(name, data, pattern, stride, rw, intensity, reuse)                                      \
  XMEM_ASSERT_((pattern) == XMEM_NON_DET || (pattern) == XMEM_REGULAR || (pattern) == XMEM_IRREGULAR,       \
               "atom " #name ": the pattern is XMEM_REGULAR, XMEM_IRREGULAR or XMEM_NON_DET");              \
  XMEM_ASSERT_((rw) == XMEM_READ_WRITE || (rw) == XMEM_READ_ONLY || (rw) == XMEM_WRITE_ONLY,                \
               "atom " #name ": the accesses are XMEM_READ_WRITE, XMEM_READ_ONLY or XMEM_WRITE_ONLY");      \
  XMEM_ASSERT_((long long)(stride) == (int)(stride), "atom " #name ": the stride takes 32 bits, signed");   \
  XMEM_ASSERT_((intensity) >= 0 && (intensity) <= 255, "atom " #name ": the access intensity is 0 to 255"); \
  XMEM_ASSERT_((reuse) >= 0 && (reuse) <= 255, "atom " #name ": the reuse is 0 to 255");                    \
  XMEM_ASSERT_(((data) & ~0xf7full) == 0, "atom " #name ": the data bits are those of XMEM_CHAR8 to XMEM_INDEX");
#define XMEM_ATOM_IDS(ATOMS)           \
  enum { ATOMS(XMEM_ID_) XMEM_ATOMS }; \
  ATOMS(XMEM_CHECK_)                   \
  XMEM_ASSERT_((int)XMEM_ATOMS <= (int)XMEM_ATOMS_MAX, "a process has 255 atoms at most")

#if defined(__CUDACC__) || defined(__CUDA__)

/* ==== kernels ==== */

#include "tandem_device.h"

#if defined(TANDEM_NO_SYSTEM) || defined(TANDEM_VERSION_BASELINE)
#ifndef XMEM_OFF
#define XMEM_OFF
#endif
#endif

#ifndef XMEM_OFF

/* The instructions (Vijaykumar 2019, 2.4.2) execute once per warp, with the operands of its lowest active lane, and
 * retire when they are queued. The registers of a map are copied at that time. */
enum { XMEM_REG_START, XMEM_REG_LENX, XMEM_REG_LENY, XMEM_REG_SIZEX, XMEM_REG_SIZEY, XMEM_REG_SIZEZ };
extern "C" {
__device__ void amu_setreg(unsigned reg, unsigned long long value);
__device__ void atom_map(unsigned aid, unsigned dim);
__device__ void atom_unmap(unsigned aid, unsigned dim);
__device__ void atom_activate(unsigned aid);
__device__ void atom_deactivate(unsigned aid);
}

#define XMEM_BYTE_(value, k) (unsigned char)((unsigned long long)(value) >> 8 * (k))
#define XMEM_RECORD_(name, data, pattern, stride, rw, intensity, reuse)                                              \
  XMEM_BYTE_(data, 0), XMEM_BYTE_(data, 1), XMEM_BYTE_(data, 2), XMEM_BYTE_(data, 3), XMEM_BYTE_(data, 4),           \
    XMEM_BYTE_(data, 5), XMEM_BYTE_(data, 6), XMEM_BYTE_(data, 7), pattern, XMEM_BYTE_(stride, 0),                   \
    XMEM_BYTE_(stride, 1), XMEM_BYTE_(stride, 2), XMEM_BYTE_(stride, 3), rw, intensity, reuse, XMEM_SEGMENT_VERSION, \
    0, 0,
#define XMEM_ATOM_TABLE(ATOMS)                                                                                      \
  XMEM_ATOM_IDS(ATOMS);                                                                                             \
  extern "C" {                                                                                                      \
  __device__ __attribute__((used)) unsigned char __xmem_atoms[XMEM_HEAD_BYTES + XMEM_RECORD_BYTES * XMEM_ATOMS] = { \
    'X',                                                                                                            \
    'M',                                                                                                            \
    'E',                                                                                                            \
    'M',                                                                                                            \
    XMEM_SEGMENT_VERSION,                                                                                           \
    0,                                                                                                              \
    XMEM_BYTE_(XMEM_ATOMS, 0),                                                                                      \
    XMEM_BYTE_(XMEM_ATOMS, 1),                                                                                      \
    ATOMS(XMEM_RECORD_)};                                                                                           \
  }

static __device__ __forceinline__ void xmem_issue(unsigned aid, unsigned dim, unsigned how) {
  if (how == XMEM_MAP) atom_map(aid, dim);
  else atom_unmap(aid, dim);
}
static __device__ __forceinline__ void AtomMap(unsigned aid, const void *start, unsigned size, unsigned how) {
  amu_setreg(XMEM_REG_START, (unsigned long long)start);
  amu_setreg(XMEM_REG_SIZEX, size);
  xmem_issue(aid, 1, how);
}
static __device__ __forceinline__ void Atom2DMap(unsigned aid, const void *start, unsigned lenX, unsigned sizeX,
                                                 unsigned sizeY, unsigned how) {
  amu_setreg(XMEM_REG_START, (unsigned long long)start);
  amu_setreg(XMEM_REG_LENX, lenX);
  amu_setreg(XMEM_REG_SIZEX, sizeX);
  amu_setreg(XMEM_REG_SIZEY, sizeY);
  xmem_issue(aid, 2, how);
}
static __device__ __forceinline__ void Atom3DMap(unsigned aid, const void *start, unsigned lenX, unsigned lenY,
                                                 unsigned sizeX, unsigned sizeY, unsigned sizeZ, unsigned how) {
  amu_setreg(XMEM_REG_START, (unsigned long long)start);
  amu_setreg(XMEM_REG_LENX, lenX);
  amu_setreg(XMEM_REG_LENY, lenY);
  amu_setreg(XMEM_REG_SIZEX, sizeX);
  amu_setreg(XMEM_REG_SIZEY, sizeY);
  amu_setreg(XMEM_REG_SIZEZ, sizeZ);
  xmem_issue(aid, 3, how);
}
static __device__ __forceinline__ void AtomActivate(unsigned aid) { atom_activate(aid); }
static __device__ __forceinline__ void AtomDeactivate(unsigned aid) { atom_deactivate(aid); }

#else

#define XMEM_ATOM_TABLE(ATOMS) XMEM_ATOM_IDS(ATOMS);
static __device__ __forceinline__ void AtomMap(unsigned, const void *, unsigned, unsigned) {}
static __device__ __forceinline__ void Atom2DMap(unsigned, const void *, unsigned, unsigned, unsigned, unsigned) {}
static __device__ __forceinline__ void Atom3DMap(unsigned, const void *, unsigned, unsigned, unsigned, unsigned,
                                                 unsigned, unsigned) {}
static __device__ __forceinline__ void AtomActivate(unsigned) {}
static __device__ __forceinline__ void AtomDeactivate(unsigned) {}

#endif
#else
#include "xmem_host.h"
#endif
#endif
