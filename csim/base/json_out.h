/* SPDX-License-Identifier: Apache-2.0 */
/* How every JSON output is written: it names its schema, which configs/schemas/NAME.json describes. */
#ifndef TANDEM_BASE_JSON_OUT_H
#define TANDEM_BASE_JSON_OUT_H

#include <jansson.h>
#include <stdio.h>

/* Prints `j`, an object or an array of objects, and a line end. "schema" becomes the first key of the object, or of each object of
 * the array, so that rows can be put together from several calls. `schema` is "NAME/VERSION"; the version grows when a key is taken
 * away or changes its meaning. `precision`: digits of real numbers, 0: as many as give the same number back. */
void json_out(json_t *j, const char *schema, unsigned precision, FILE *);

#endif
