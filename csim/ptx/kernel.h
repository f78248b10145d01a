/* SPDX-License-Identifier: Apache-2.0 */
/* Modules and decoded kernels: what loading leaves behind and execution reads. */
#ifndef TANDEM_PTX_KERNEL_H
#define TANDEM_PTX_KERNEL_H

#include "ptx/ptx.h"
#include "ptx/tables.h"

/* a table */
/* clang-format off */
/* Special registers: X(name, enumerator, 64-bit). Every CTA is a cluster of its own. From %clock on they change while
 * the warp runs: only mov reads them. */
#define PTX_SPECIAL_XYZ(X, name, id) X("%" name ".x", id##_X, 0) X("%" name ".y", id##_Y, 0) X("%" name ".z", id##_Z, 0)
#define PTX_SPECIALS(X) \
  PTX_SPECIAL_XYZ(X, "tid", SPECIAL_TID) \
  PTX_SPECIAL_XYZ(X, "ntid", SPECIAL_NTID) \
  PTX_SPECIAL_XYZ(X, "ctaid", SPECIAL_CTAID) \
  PTX_SPECIAL_XYZ(X, "nctaid", SPECIAL_NCTAID) \
  X("%laneid", SPECIAL_LANEID, 0) \
  X("%warpid", SPECIAL_WARPID, 0) \
  X("%nwarpid", SPECIAL_NWARPID, 0) \
  X("%smid", SPECIAL_SMID, 0) \
  X("%nsmid", SPECIAL_NSMID, 0) \
  PTX_SPECIAL_XYZ(X, "cluster_ctaid", SPECIAL_CLUSTER_CTAID) \
  PTX_SPECIAL_XYZ(X, "cluster_nctaid", SPECIAL_CLUSTER_NCTAID) \
  X("%cluster_ctarank", SPECIAL_CLUSTER_CTARANK, 0) \
  X("%cluster_nctarank", SPECIAL_CLUSTER_NCTARANK, 0) \
  PTX_SPECIAL_XYZ(X, "clusterid", SPECIAL_CLUSTERID) \
  PTX_SPECIAL_XYZ(X, "nclusterid", SPECIAL_NCLUSTERID) \
  X("%lanemask_eq", SPECIAL_LANEMASK_EQ, 0) \
  X("%lanemask_lt", SPECIAL_LANEMASK_LT, 0) \
  X("%lanemask_le", SPECIAL_LANEMASK_LE, 0) \
  X("%lanemask_gt", SPECIAL_LANEMASK_GT, 0) \
  X("%lanemask_ge", SPECIAL_LANEMASK_GE, 0) \
  X("%dynamic_smem_size", SPECIAL_DYNAMIC_SMEM, 0) \
  X("%total_smem_size", SPECIAL_TOTAL_SMEM, 0) \
  X("%envreg1", SPECIAL_ENVREG1, 0) \
  X("stack top", SPECIAL_STACK_TOP, 0) /* no text can name it (ptx/stack.c) */ \
  X("%envreg2", SPECIAL_ENVREG2, 0) \
  X("%clock", SPECIAL_CLOCK, 0) \
  X("%clock_hi", SPECIAL_CLOCK_HI, 0) \
  X("%clock64", SPECIAL_CLOCK64, 1) \
  X("%gridid", SPECIAL_GRIDID, 1) \
  X("gridid low", SPECIAL_GRIDID_LOW, 0) /* %gridid, read with 32 bits */ \
  X("%globaltimer", SPECIAL_GLOBALTIMER, 1) \
  X("%globaltimer_lo", SPECIAL_GLOBALTIMER_LO, 0) \
  X("%globaltimer_hi", SPECIAL_GLOBALTIMER_HI, 0)
/* clang-format on */

enum ptx_special {
#define X(name, id, wide) id,
  PTX_SPECIALS(X)
#undef X
    PTX_N_SPECIALS
};

struct function;
struct variable;

/* A function within a kernel. */
struct kernel_function {
  const char *name;
  uint32_t first; /* operation */
  uint32_t frame; /* bytes */
};

struct kernel_array {
  uint64_t address;
  struct variable *variable; /* until the load ends */
};

struct kernel {
  struct ptx_kernel public;            /* the first member, so that the public pointer is this one too */
  ptx_row special_row[PTX_N_SPECIALS]; /* 0: not used (row 0 is scratch) */
  uint32_t number;                     /* from 1; see variable.placed_in */
  uint32_t max_registers;              /* .maxnreg, or 0 */
  uint32_t min_ctas;                   /* .minnctapersm, or 0 */
  uint64_t dynamic_align;
  struct ptx_op *ops;
  uint32_t *consts;
  struct variable *parameters;           /* newest first */
  struct kernel_array array[PTX_ARRAYS]; /* shared arrays that operations name, in the order of ptx_op.array */
  uint32_t n_arrays;
  bool mixes_arrays;      /* an operation names two */
  uint32_t n_matrix_rows; /* rows of operands of matrix products, and the first one */
  uint32_t matrix_row;
  uint32_t texel_row;               /* PTX_TEXELS_MAX addresses, if it `fetches` */
  bool fetches;                     /* tex and tld4 are used */
  bool async;                       /* cp.async is used */
  bool calls, recursive;            /* it calls functions of the text; recursively */
  bool serial;                      /* it calls functions of the device's runtime that are */
  struct kernel_function *function; /* the entry, then those it reaches, by `first` */
  uint32_t n_functions;
  uint32_t *entry_of; /* function number -> operation, or PTX_NOWHERE32 */
  uint32_t *table;    /* of brx: operations */
};
#define PTX_NOWHERE32 UINT32_MAX

/* Addresses of functions, where no memory lies. */
#define PTX_CODE_BASE UINT64_C(0x0000700000000000)
enum { PTX_CODE_STEP = 16, FRAME_ALIGN = 16, PTX_ROW_STACK = 2, PTX_ROW_FIRST = 4 };

struct ptx_module {
  struct arena arena;
  const char *file;
  uint32_t target;      /* ten times the compute capability that .target names */
  char *text;           /* a copy with a 0 at the end of each line */
  uint32_t *line_start; /* index 0 is line 1 */
  uint32_t n_lines;
  struct names names;
  struct kernel **kernel;
  uint32_t n_kernels, kernel_capacity;
  struct function **function;
  uint32_t n_functions, function_capacity;
  struct variable *variables; /* .global and .const, newest first */
  struct variable *externals; /* declared .extern, newest first */
  uint64_t const_bytes;       /* of .const variables */
  struct device_memory *memory;
  const struct ptx_extension *extensions;
  struct ptx_relocation relocation;
  const struct ptx_device_runtime *runtime; /* or NULL (device_runtime.h) */
  uint64_t grid_memory;                     /* of the next launch */
};

/* The address of function `number` that mov and initial values yield. */
static inline uint64_t ptx_function_address(uint32_t number) {
  return PTX_CODE_BASE + (UINT64_C(1) + number) * PTX_CODE_STEP;
}

/* ptx_module_load_options, with the caller's choice between the wide and the base handlers: tests compare both. */
int ptx_module_load_with(bool wide, const struct ptx_options *, const char *file, const char *text, size_t length,
                         const struct ptx_extension *, struct device_memory *, struct ptx_module **, struct err *);

#endif
