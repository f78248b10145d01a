/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: the calls that are not served (refused.def). They take no arguments here, since none is looked at. */
#include "api.h"

/* cuda.h maps some of the names to newer versions; # and ## keep them as they stand. */
#define REFUSED(name, reason)                                \
  CUDA_API CUresult cuda_refuse_##name(void) __asm__(#name); \
  CUresult cuda_refuse_##name(void) { return cuda_not_supported(#name ": " reason); }
#define OUTSIDE(name, reason) REFUSED(name, reason)
#include "refused.def"
