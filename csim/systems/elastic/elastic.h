/* SPDX-License-Identifier: Apache-2.0 */
/* Bank-conflict-aware warp scheduling (Gou & Gaydadjiev 2011, section 4), on top of any scheduling policy of a barrel: a
 * history cache predicts how long a shared access keeps the memory stages, and warps that would access memory too soon
 * after it are not ready. Whether the pipeline is elastic is the GPU configuration's business (sm.pipeline). */
#ifndef TANDEM_SYSTEMS_ELASTIC_ELASTIC_H
#define TANDEM_SYSTEMS_ELASTIC_ELASTIC_H

#include "core/system.h"

extern const struct system_ops elastic_system;

#endif
