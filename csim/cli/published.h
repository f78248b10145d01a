/* SPDX-License-Identifier: Apache-2.0 */
/* Figures that papers published about a workload, printed beside ours. */
#ifndef TANDEM_CLI_PUBLISHED_H
#define TANDEM_CLI_PUBLISHED_H

#include <stdint.h>

/* Prints a line for each published figure of a run of `workload` ("NAME:key=value,..."): the thread instructions executed, those published,
 * and the ratio. Prints nothing if no paper used these arguments. */
void published_print(const char *workload, uint64_t thread_instructions);

#endif
