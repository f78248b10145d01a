/* SPDX-License-Identifier: Apache-2.0 */
/* Bank-conflict-aware warp scheduling (Gou & Gaydadjiev 2011, section 4) on top of a barrel's scheduling policy. A
 * history cache predicts how long a shared access occupies the memory stages; warps that would access memory too soon
 * after it are masked. The GPU configuration selects the pipeline, elastic or not (sm.pipeline). */
#ifndef TANDEM_SYSTEMS_ELASTIC_ELASTIC_H
#define TANDEM_SYSTEMS_ELASTIC_ELASTIC_H

#include "core/system.h"

extern const struct system_ops elastic_system;

#endif
