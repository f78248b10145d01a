/* SPDX-License-Identifier: Apache-2.0 */
/* Runtime API: the calls that are not served (refused.def). They take no arguments here, since none is looked at. */
#include "runtime.h"

#define REFUSED(name, reason)    \
  RT_API cudaError_t name(void); \
  RT_API cudaError_t name(void) { return rt_complain(cudaErrorNotSupported, #name, reason); }
#define OUTSIDE(name, reason) REFUSED(name, reason)
#include "refused.def"
