/* SPDX-License-Identifier: Apache-2.0 */
/* A set of lines: the working set of an SM. */
#ifndef TANDEM_SYSTEMS_LDESC_LINES_H
#define TANDEM_SYSTEMS_LDESC_LINES_H

#include <stdbool.h>
#include <stdint.h>

struct ldesc_lines;

/* NULL: the host has no memory left. */
struct ldesc_lines *ldesc_lines_create(void);
void ldesc_lines_destroy(struct ldesc_lines *);
void ldesc_lines_clear(struct ldesc_lines *);
/* false: the line was in the set. */
bool ldesc_lines_add(struct ldesc_lines *, uint64_t line);

#endif
