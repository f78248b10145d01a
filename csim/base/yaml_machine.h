/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of the machine table share: machine.c (table, values, relations), yaml_machine.c (files). */
#ifndef TANDEM_BASE_YAML_MACHINE_H
#define TANDEM_BASE_YAML_MACHINE_H

#include "base/machine.h"

/* Row of `key`, or NULL. */
const struct machine_parameter *machine_find(const char *key);
/* Unknown key: fills *e with the sentence, which names the nearest known key. `place`: file:line, or the option. */
int machine_unknown_key(const char *place, const char *key, struct err *e);
/* Parses `text` into the parameter: ERR_VALUE and the mend when it is not a number or name of the table, or outside. */
int machine_assign(struct machine *m, const struct machine_parameter *p, const char *place, const char *text,
                   struct err *e);

#endif
