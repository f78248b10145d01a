/* SPDX-License-Identifier: Apache-2.0 */
/* Small text helpers that every reader of names and numbers needs. */
#ifndef TANDEM_BASE_TEXT_H
#define TANDEM_BASE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* A whole number, decimal or 0x hex, the whole text: false for "12abc", "08", "1_000", "", overflow. */
bool text_to_int64(const char *text, int64_t *value);

/* A letter, then letters, digits and _. */
bool text_is_identifier(const char *text);

/* The name nearest to `text` (edit distance at most 3), or NULL: for "did you mean". `name_at(list, i)` returns NULL at
 * the end. */
const char *text_nearest(const char *text, const char *(*name_at)(const void *list, unsigned i), const void *list);

#endif
