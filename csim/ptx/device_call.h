/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that CUDA's device runtime defines and texts only declare: assert, printf, malloc, free, and the setting of a
 * condition of a graph. A call of one is an operation; its arguments lie in the callee's frame, behind the result. */
#ifndef TANDEM_PTX_DEVICE_CALL_H
#define TANDEM_PTX_DEVICE_CALL_H

#include "ptx/execute.h"

struct ptx_device_call {
  const char *name;
  ptx_exec_fn *exec;
  uint8_t words; /* 8 bytes each: arguments, and the result before them */
  bool serial;   /* it changes what SMs share, outside of the order of their memory accesses */
};

/* assumption: how the names of these calls begin since CUDA 12, as seen in nvcc's output; no public document has them. */
#define PTX_LAUNCH_CALLS "__cudaCDP2"

/* NULL: the runtime has no function of that name. */
const struct ptx_device_call *ptx_device_call(const char *name);
/* Whether the name is of a call with which kernels launch kernels or manage the device; none of these is simulated. */
bool ptx_is_launch_call(const char *name);
/* Whether an operation is a call of one. */
bool ptx_is_device_call(ptx_exec_fn *);

#endif
