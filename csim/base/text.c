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

bool text_replace(char *text, size_t size, const char *what, const char *with) {
  size_t n = strlen(what), m = strlen(with);
  for (char *at = n ? strstr(text, what) : NULL; at; at = strstr(at + m, what)) {
    if (strlen(text) + m - n >= size) return false;
    memmove(at + m, at + n, strlen(at + n) + 1);
    memcpy(at, with, m);
  }
  return true;
}

static bool same(char a, char b, bool ignore_case) {
  return a == b || (ignore_case && tolower((unsigned char)a) == tolower((unsigned char)b));
}

unsigned text_distance(const char *a, const char *b, bool ignore_case) {
  size_t n = strnlen(a, NAME_MAX_BYTES), m = strnlen(b, NAME_MAX_BYTES);
  unsigned row[NAME_MAX_BYTES + 1];
  for (size_t j = 0; j <= m; j++) row[j] = (unsigned)j;
  for (size_t i = 1; i <= n; i++) {
    unsigned diagonal = row[0];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= m; j++) {
      unsigned above = row[j], best = diagonal + !same(a[i - 1], b[j - 1], ignore_case);
      if (above + 1 < best) best = above + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = best;
      diagonal = above;
    }
  }
  return row[m];
}

static size_t letters_of(const char *text) { return strlen(text + strspn(text, "-")); }

bool text_begins(const char *text, const char *name) {
  return letters_of(text) > 2 && !strncmp(text, name, strlen(text));
}

const char *text_nearest(const char *text, const char *(*name_at)(const void *list, unsigned i), const void *list) {
  const char *best = NULL, *name;
  size_t third = (letters_of(text) + 1) / 3;
  unsigned least = (third < NEAR ? (unsigned)third : NEAR) + 1;
  for (unsigned i = 0; (name = name_at(list, i)); i++) {
    unsigned d = text_begins(text, name) ? 1 : text_distance(text, name, false);
    if (d < least) {
      least = d;
      best = name;
    }
  }
  return best;
}
