/* SPDX-License-Identifier: Apache-2.0 */
/* Errors. An input error is returned as a code, with one sentence in `struct err` that names file, line or key and the
 * remedy. A broken invariant aborts: invariant(). The code determines a command's exit code (err_exit_code). */
#ifndef TANDEM_BASE_ERR_H
#define TANDEM_BASE_ERR_H

#include <stdarg.h>
#include <stdnoreturn.h>

/* code, exit code, short name */
#define ERR_CODES(X)                                                                     \
  X(ERR_CHECK, 1, "check failed")      /* divergence, wrong result */                    \
  X(ERR_USAGE, 2, "usage")             /* option, argument */                            \
  X(ERR_FILE, 2, "file")               /* missing, unreadable, unwritable, truncated */  \
  X(ERR_SYNTAX, 2, "syntax")           /* malformed input text */                        \
  X(ERR_VALUE, 2, "value")             /* unknown key, out of range */                   \
  X(ERR_UNSUPPORTED, 2, "unsupported") /* legal, but not implemented here */             \
  X(ERR_TOOL, 2, "tool")               /* external tool missing or failing */            \
  X(ERR_LIMIT, 2, "limit")             /* memory, sizes */                               \
  X(ERR_FAULT, 1, "fault")             /* the simulated program did something illegal */ \
  X(ERR_INTERNAL, 3, "internal")

enum err_code {
  ERR_NONE = 0,
#define X(code, exit_code, name) code,
  ERR_CODES(X)
#undef X
};

struct err {
  enum err_code code;
  char text[1024];
};

/* Fills *e (may be NULL). */
void err_put(struct err *e, enum err_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* err_put as an expression of value `code`, so that a caller writes `return err_set(e, ERR_FILE, ...)`; a macro, so
 * that a compiler sees that the value is not 0. */
#define err_set(e, code, ...) err_value((err_put(e, code, __VA_ARGS__), (int)(code)))
static inline int err_value(int code) { return code; } /* may be ignored */

/* Puts "prefix: " before the text already in *e; returns e->code. For adding a file name on the way up. */
int err_prefix(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

int err_exit_code(enum err_code code); /* 0..3, as the manual promises */
const char *err_name(enum err_code code);

noreturn void err_broken_invariant(const char *file, int line, const char *expression, const char *format, ...)
  __attribute__((format(printf, 4, 5)));

/* A law of the program itself; stays on in release builds. The sentence says what was violated. */
#define invariant(expression, ...) \
  ((expression) ? (void)0 : err_broken_invariant(__FILE__, __LINE__, #expression, __VA_ARGS__))

#endif
