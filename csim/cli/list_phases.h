/* SPDX-License-Identifier: Apache-2.0 */
/* The part of `tandem list` about the phases of a kernel. */
#ifndef TANDEM_CLI_LIST_PHASES_H
#define TANDEM_CLI_LIST_PHASES_H

#include <jansson.h>
#include <stdint.h>

struct err;

/* Appends a row for each phase of the kernel of a PTX file; `kernel` may be NULL if the file has one. `registers`: the most that a thread
 * may use; 0: 255. Errors: those of loading; no such kernel. */
int list_phase_rows(json_t *rows, const char *file, const char *kernel, uint32_t registers, struct err *);
void list_phase_print(const json_t *rows);

#endif
