/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of the CUDA driver API: results by name, and the start of every PTX text. */
#ifndef TANDEM_TESTS_KIT_DRIVER_H
#define TANDEM_TESTS_KIT_DRIVER_H

#include "kit/test.h"

#include "cuda.h"

#define HEADER ".version 7.0\n.target sm_70\n.address_size 64\n"
#define OK(call) assert_int_equal(call, CUDA_SUCCESS)
#define FAILS(call, code) assert_int_equal(call, CUDA_ERROR_##code)

/* The first device and its primary context, for this thread. */
static inline void use_device(void) {
  CUcontext context;
  OK(cuInit(0));
  OK(cuDevicePrimaryCtxRetain(&context, 0));
  OK(cuCtxSetCurrent(context));
}

/* `add`: out[i] = in[i] + 1 for i < n */
#define ADD_ENTRY                                                                                             \
  ".visible .entry add(.param .u64 out, .param .u64 in, .param .u32 n)\n{\n"                                  \
  ".reg .pred %p<2>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<6>;\n"                                                  \
  "ld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [in];\nld.param.u32 %r1, [n];\n"                             \
  "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\nmad.lo.s32 %r5, %r2, %r3, %r4;\n"     \
  "setp.ge.u32 %p1, %r5, %r1;\n@%p1 bra done;\nmul.wide.u32 %rd3, %r5, 4;\nadd.s64 %rd4, %rd2, %rd3;\n"       \
  "add.s64 %rd5, %rd1, %rd3;\nld.global.u32 %r6, [%rd4];\nadd.s32 %r6, %r6, 1;\nst.global.u32 [%rd5], %r6;\n" \
  "done: ret;\n}\n"

#endif
