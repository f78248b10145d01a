/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing of names and numbers. */
#ifndef TANDEM_BASE_TEXT_H
#define TANDEM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parses the whole text as an integer, decimal or 0x hex: false for "12abc", "08", "1_000", "", overflow. */
bool text_to_int64(const char *text, int64_t *value);

/* True for a letter followed by letters, digits and _. */
bool text_is_identifier(const char *text);

/* Replaces every `what` in a text of `size` bytes; what has been put in is not searched again. False: no room; the text is then
 * replaced in part. */
bool text_replace(char *text, size_t size, const char *what, const char *with);

/* Edit distance (Levenshtein) of the first 63 characters of two names. */
unsigned text_distance(const char *a, const char *b, bool ignore_case);
/* True if `name` begins with `text`, which has at least three characters besides leading dashes: the rest was left out. */
bool text_begins(const char *text, const char *name);
/* The name that was probably meant by `text`, for "did you mean": one that begins with it, or the nearest, if at most a third
 * of the letters differ, and at most three; or NULL. `name_at(list, i)` returns NULL at the end. */
const char *text_nearest(const char *text, const char *(*name_at)(const void *list, unsigned i), const void *list);

#endif
