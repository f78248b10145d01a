/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void err_put(struct err *e, enum err_code code, const char *format, ...) {
  if (e) {
    e->code = code;
    va_list args;
    va_start(args, format);
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
  }
}

int err_prefix(struct err *e, const char *format, ...) {
  if (!e) return (int)ERR_INTERNAL;
  char old[sizeof e->text];
  memcpy(old, e->text, sizeof old);
  va_list args;
  va_start(args, format);
  int n = vsnprintf(e->text, sizeof e->text, format, args);
  va_end(args);
  if (n < 0 || (size_t)n >= sizeof e->text) n = 0;
  snprintf(e->text + n, sizeof e->text - (size_t)n, ": %.*s", (int)(sizeof old - 3 - (size_t)n), old);
  return (int)e->code;
}

int err_exit_code(enum err_code code) {
  switch (code) {
    case ERR_NONE: return 0;
#define X(c, exit_code, name) \
  case c: return exit_code;
      ERR_CODES(X)
#undef X
  }
  return 3;
}

const char *err_name(enum err_code code) {
  switch (code) {
    case ERR_NONE: return "none";
#define X(c, exit_code, name) \
  case c: return name;
      ERR_CODES(X)
#undef X
  }
  return "unknown";
}

noreturn void err_broken_invariant(const char *file, int line, const char *expression, const char *format, ...) {
  fprintf(stderr, "tandem: internal error at %s:%d: %s: ", file, line, expression);
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  fflush(stderr);
  abort();
}
