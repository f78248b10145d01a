/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_BYTES = 63, NEAR = 3 };

bool text_to_int64(const char *text, int64_t *value) {
  const char *digits = *text == '-' ? text + 1 : text;
  bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  if (!isdigit((unsigned char)digits[0]) || (digits[0] == '0' && digits[1] && !hex)) return false;
  if (hex && !isxdigit((unsigned char)digits[2])) return false;
  char *end;
  errno = 0;
  *value = strtoll(text, &end, hex ? 16 : 10);
  return !errno && !*end;
}

bool text_is_identifier(const char *text) {
  if (!isalpha((unsigned char)*text)) return false;
  while (isalnum((unsigned char)*text) || *text == '_') text++;
  return !*text;
}

/* Levenshtein distance of two short names. */
static unsigned distance(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b);
  unsigned row[NAME_MAX_BYTES + 1];
  if (n > NAME_MAX_BYTES || m > NAME_MAX_BYTES) return NEAR + 1;
  for (size_t j = 0; j <= m; j++) row[j] = (unsigned)j;
  for (size_t i = 1; i <= n; i++) {
    unsigned diagonal = row[0];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= m; j++) {
      unsigned above = row[j], best = diagonal + (a[i - 1] != b[j - 1]);
      if (above + 1 < best) best = above + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = best;
      diagonal = above;
    }
  }
  return row[m];
}

const char *text_nearest(const char *text, const char *(*name_at)(const void *list, unsigned i), const void *list) {
  const char *best = NULL, *name;
  size_t letters = strlen(text + strspn(text, "-")), third = (letters + 1) / 3;
  unsigned least = (third < NEAR ? (unsigned)third : NEAR) + 1;
  for (unsigned i = 0; (name = name_at(list, i)); i++) {
    bool begins = letters > 2 && !strncmp(text, name, strlen(text));
    unsigned d = begins ? 1 : distance(text, name);
    if (d < least) {
      least = d;
      best = name;
    }
  }
  return best;
}
