/* SPDX-License-Identifier: Apache-2.0 */
/* An explanation as text and as JSON. */
#ifndef TANDEM_DPI_EXPLAIN_PRINT_H
#define TANDEM_DPI_EXPLAIN_PRINT_H

#include "explain.h"

#include <jansson.h>
#include <stdio.h>

enum { SUSPECTS_SHOWN = 6 };

void explain_print(FILE *, const struct explanation *);
/* {"first": ..., "chain": [...], "suspects": [...]}; NULL: out of memory. */
json_t *explain_json(const struct explanation *);

#endif
