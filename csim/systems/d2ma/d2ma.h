/* SPDX-License-Identifier: Apache-2.0 */
/* D2MA, a data-parallel DMA engine for GPUs (Jamshidi, Samadi, Mahlke: "D2MA: Accelerating
 * Coarse-Grained Data Transfer for GPUs", PACT 2014), as a proposal in the SM. */
#ifndef TANDEM_SYSTEMS_D2MA_D2MA_H
#define TANDEM_SYSTEMS_D2MA_D2MA_H

#include "core/system.h"

extern const struct system_ops d2ma_system;

/* Cancels all transfers of CTA slot `cta`: no further requests are sent, data of outstanding replies is dropped, and a
 * buffer can be configured again after its last reply. cta_start calls it to clean up after a killed launch. */
void d2ma_abort(void *self, uint32_t cta);

#endif
