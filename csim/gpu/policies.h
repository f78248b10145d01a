/* SPDX-License-Identifier: Apache-2.0 */
/* The policies of CTA dispatch that every GPU has (dispatch.policy). In a core cycle each SM with room gets at most one CTA.
 *   round_robin  the next CTA of the grid, the first SM being the one after the last that got one,
 *   bcs          CTAs 2 k and 2 k + 1 run on one SM (block CTA scheduling, Lee 2014): the SM that gets the one is the only one that
 *                gets the other. assumption: the second starts when there is room for it; the first does not wait for room for both.
 *   parts        module m has CTAs m * n / modules to (m + 1) * n / modules - 1, round robin over its SMs. */
#ifndef TANDEM_GPU_POLICIES_H
#define TANDEM_GPU_POLICIES_H

#include "core/dispatch.h"

const struct dispatch_ops *policies_of(int64_t dispatch_policy);

#endif
