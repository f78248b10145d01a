/* SPDX-License-Identifier: Apache-2.0 */
/* D2MA, a data-parallel DMA engine for GPUs (Jamshidi, Samadi, Mahlke: "D2MA: Accelerating
 * Coarse-Grained Data Transfer for GPUs", PACT 2014), as a system of the SM. */
#ifndef TANDEM_SYSTEMS_D2MA_D2MA_H
#define TANDEM_SYSTEMS_D2MA_D2MA_H

#include "core/system.h"

extern const struct system_ops d2ma_system;

/* Kills everything that CTA slot `cta` has in flight: no further request, data of late replies is
 * dropped, and the buffers can be configured again once their last reply has come. cta_start does
 * it for what a killed launch left. */
void d2ma_abort(void *self, uint32_t cta);

#endif
