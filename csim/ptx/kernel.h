/* SPDX-License-Identifier: Apache-2.0 */
/* What a module and its decoded kernels are: what a load leaves behind and execution reads. */
#ifndef TANDEM_PTX_KERNEL_H
#define TANDEM_PTX_KERNEL_H

#include "ptx/ptx.h"
#include "ptx/tables.h"

/* a table */
/* clang-format off */
/* Special registers: name, enumerator, 64-bit */
#define PTX_SPECIALS(X) \
  X("%tid.x", SPECIAL_TID_X, 0) \
  X("%tid.y", SPECIAL_TID_Y, 0) \
  X("%tid.z", SPECIAL_TID_Z, 0) \
  X("%ntid.x", SPECIAL_NTID_X, 0) \
  X("%ntid.y", SPECIAL_NTID_Y, 0) \
  X("%ntid.z", SPECIAL_NTID_Z, 0) \
  X("%ctaid.x", SPECIAL_CTAID_X, 0) \
  X("%ctaid.y", SPECIAL_CTAID_Y, 0) \
  X("%ctaid.z", SPECIAL_CTAID_Z, 0) \
  X("%nctaid.x", SPECIAL_NCTAID_X, 0) \
  X("%nctaid.y", SPECIAL_NCTAID_Y, 0) \
  X("%nctaid.z", SPECIAL_NCTAID_Z, 0) \
  X("%laneid", SPECIAL_LANEID, 0) \
  X("%warpid", SPECIAL_WARPID, 0) \
  X("%nwarpid", SPECIAL_NWARPID, 0) \
  X("%smid", SPECIAL_SMID, 0) \
  X("%nsmid", SPECIAL_NSMID, 0) \
  X("%cluster_ctaid.x", SPECIAL_CLUSTER_CTAID_X, 0) /* every CTA is a cluster of its own */ \
  X("%cluster_ctaid.y", SPECIAL_CLUSTER_CTAID_Y, 0) \
  X("%cluster_ctaid.z", SPECIAL_CLUSTER_CTAID_Z, 0) \
  X("%cluster_nctaid.x", SPECIAL_CLUSTER_NCTAID_X, 0) \
  X("%cluster_nctaid.y", SPECIAL_CLUSTER_NCTAID_Y, 0) \
  X("%cluster_nctaid.z", SPECIAL_CLUSTER_NCTAID_Z, 0) \
  X("%cluster_ctarank", SPECIAL_CLUSTER_CTARANK, 0) \
  X("%cluster_nctarank", SPECIAL_CLUSTER_NCTARANK, 0) \
  X("%clusterid.x", SPECIAL_CLUSTERID_X, 0) \
  X("%clusterid.y", SPECIAL_CLUSTERID_Y, 0) \
  X("%clusterid.z", SPECIAL_CLUSTERID_Z, 0) \
  X("%nclusterid.x", SPECIAL_NCLUSTERID_X, 0) \
  X("%nclusterid.y", SPECIAL_NCLUSTERID_Y, 0) \
  X("%nclusterid.z", SPECIAL_NCLUSTERID_Z, 0) \
  X("%lanemask_eq", SPECIAL_LANEMASK_EQ, 0) \
  X("%lanemask_lt", SPECIAL_LANEMASK_LT, 0) \
  X("%lanemask_le", SPECIAL_LANEMASK_LE, 0) \
  X("%lanemask_gt", SPECIAL_LANEMASK_GT, 0) \
  X("%lanemask_ge", SPECIAL_LANEMASK_GE, 0) \
  X("%dynamic_smem_size", SPECIAL_DYNAMIC_SMEM, 0) \
  X("%total_smem_size", SPECIAL_TOTAL_SMEM, 0) /* from here on they change while the warp runs: only mov reads them */ X("%clock", SPECIAL_CLOCK, 0) \
  X("%clock_hi", SPECIAL_CLOCK_HI, 0) \
  X("%clock64", SPECIAL_CLOCK64, 1) \
  X("%gridid", SPECIAL_GRIDID, 1) \
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

/* A function as it lies in a kernel. */
struct kernel_function {
  const char *name;
  uint32_t first; /* operation */
  uint32_t frame; /* bytes */
};

struct kernel {
  struct ptx_kernel public;            /* first: the public pointer is this one */
  ptx_row special_row[PTX_N_SPECIALS]; /* 0: not used (row 0 is scratch) */
  uint32_t number;                     /* from 1: marks shared variables placed for this kernel */
  uint64_t dynamic_align;
  struct ptx_op *ops;
  uint32_t *consts;
  struct variable *parameters;    /* newest first */
  uint64_t tile_array[PTX_TILES]; /* addresses of shared arrays that operations name */
  uint32_t n_tile_arrays;
  bool async;                       /* cp.async is used */
  bool calls, recursive;            /* defined functions are called; some of them in a circle */
  struct kernel_function *function; /* the entry, then those it reaches, by `first` */
  uint32_t n_functions;
  uint32_t *entry_of; /* function number -> operation, or PTX_NOWHERE32 */
  uint32_t *table;    /* of brx: operations */
};
#define PTX_NOWHERE32 UINT32_MAX

/* Function addresses: no memory lies there. */
#define PTX_CODE_BASE UINT64_C(0x0000700000000000)
enum { PTX_CODE_STEP = 16, FRAME_ALIGN = 16, PTX_ROW_STACK = 2, PTX_ROW_FIRST = 4 };

struct ptx_module {
  struct arena arena;
  const char *file;
  char *text;           /* a copy, a 0 after every line */
  uint32_t *line_start; /* of line 1.. */
  uint32_t n_lines;
  struct names names;
  struct kernel **kernel;
  uint32_t n_kernels, kernel_capacity;
  struct function **function;
  uint32_t n_functions, function_capacity;
  struct variable *variables; /* .global and .const, newest first */
  uint64_t const_bytes;       /* of .const variables */
  struct device_memory *memory;
  const struct ptx_extension *extensions;
  struct ptx_relocation relocation;
};

/* Address of the function of that number, as mov and initial values see it. */
static inline uint64_t ptx_function_address(uint32_t number) {
  return PTX_CODE_BASE + (UINT64_C(1) + number) * PTX_CODE_STEP;
}

/* ptx_module_load with the choice of handlers in the caller's hand (tests compare both). */
int ptx_module_load_with(bool wide, const char *file, const char *text, size_t length, const struct ptx_extension *,
                         struct device_memory *, struct ptx_module **, struct err *);

#endif
