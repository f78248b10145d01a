/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing of names and numbers. */
#ifndef TANDEM_BASE_TEXT_H
#define TANDEM_BASE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* Parses the whole text as an integer, decimal or 0x hex: false for "12abc", "08", "1_000", "", overflow. */
bool text_to_int64(const char *text, int64_t *value);

/* True for a letter followed by letters, digits and _. */
bool text_is_identifier(const char *text);

/* The name that was probably meant by `text`, for "did you mean": one that begins with it, or the nearest, if at most a third
 * of the letters differ, and at most three; or NULL. `name_at(list, i)` returns NULL at the end. */
const char *text_nearest(const char *text, const char *(*name_at)(const void *list, unsigned i), const void *list);

#endif
