/* SPDX-License-Identifier: Apache-2.0 */
/* The unlimited, fully associative buffer of the ideal models: lines, with copies of their bytes. */
#ifndef TANDEM_SYSTEMS_TELEPORT_LINES_H
#define TANDEM_SYSTEMS_TELEPORT_LINES_H

#include <stdbool.h>
#include <stdint.h>

struct teleport_lines;

/* NULL: the host has no memory left. */
struct teleport_lines *teleport_lines_create(void);
void teleport_lines_destroy(struct teleport_lines *);
void teleport_lines_clear(struct teleport_lines *);
/* The copy of the line (number: byte address / 128), or NULL: it is not there. */
uint8_t *teleport_lines_find(const struct teleport_lines *, uint64_t number);
/* The copy, to be written, of a line that is added if it is not there. */
uint8_t *teleport_lines_add(struct teleport_lines *, uint64_t number, bool *was_there);
/* The line leaves; false: it was not there. */
bool teleport_lines_remove(struct teleport_lines *, uint64_t number);

#endif
