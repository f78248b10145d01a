/* SPDX-License-Identifier: Apache-2.0 */
/* The pipelines that sm.pipeline chooses from: the scoreboard, and those of proposals. */
#ifndef TANDEM_CORE_PIPELINES_H
#define TANDEM_CORE_PIPELINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sm_pipeline;

/* Adds a pipeline and its name to the choices of sm.pipeline. */
void sm_pipeline_join(const struct sm_pipeline *);
const struct sm_pipeline *sm_pipeline_at(int64_t value); /* of sm.pipeline */
/* Writes the names of one kind, as in "A, B or C". */
void sm_pipeline_names(bool barrel, char *text, size_t bytes);

#endif
