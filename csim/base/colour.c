/* SPDX-License-Identifier: Apache-2.0 */
#include "base/colour.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool coloured(FILE *f) {
  const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
  return fileno(f) >= 0 && isatty(fileno(f)) && !(none && *none) && term && *term && strcmp(term, "dumb") != 0;
}

const char *colour_on(FILE *f, enum colour c) {
  static const char *const codes[] = {"\033[32m", "\033[1;31m", "\033[33m"};
  return coloured(f) ? codes[c] : "";
}

const char *colour_off(FILE *f) { return coloured(f) ? "\033[0m" : ""; }
