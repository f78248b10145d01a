/* SPDX-License-Identifier: Apache-2.0 */
/* Figures that papers published about a workload, for comparison. */
#ifndef TANDEM_CLI_PUBLISHED_H
#define TANDEM_CLI_PUBLISHED_H

#include <stdint.h>

/* A line for each figure of a run of `workload` ("NAME:key=value,..."): the thread instructions executed, those published,
 * and the ratio. Nothing if no paper ran these arguments. */
void published_print(const char *workload, uint64_t thread_instructions);

#endif
