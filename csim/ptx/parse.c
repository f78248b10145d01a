/* SPDX-License-Identifier: Apache-2.0 */
/* What every part of the parser uses: errors, tokens, names, numbers. */
#include "ptx/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const struct parser *p, enum err_code code, uint32_t line, const char *format, va_list args) {
  char text[700];
  vsnprintf(text, sizeof text, format, args);
  return err_set(p->e, code, "%s:%u: %s", p->module->file, line, text);
}

int ptx_syntax(const struct parser *p, uint32_t line, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int code = fail(p, ERR_SYNTAX, line, format, args);
  va_end(args);
  return code;
}

int ptx_unsupported(const struct parser *p, uint32_t line, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int code = fail(p, ERR_UNSUPPORTED, line, format, args);
  va_end(args);
  return code;
}

bool token_is(const struct token *t, const char *text) {
  return t->length == strlen(text) && memcmp(t->text, text, t->length) == 0;
}

bool ptx_accept(struct parser *p, const char *text) {
  if (!token_is(p->token, text)) return false;
  p->token++;
  return true;
}

/* Where the text stops is most often where a file was cut off: say so. */
static int unexpected(const struct parser *p, const char *wanted) {
  const struct token *t = p->token;
  if (t->kind == TOK_END)
    return ptx_syntax(p, t->line, "the text ends where %s should be: the file may be truncated", wanted);
  int shown = t->length > 60 ? 60 : (int)t->length;
  return ptx_syntax(p, t->line, "found '%.*s' where %s should be", shown, t->text, wanted);
}

int ptx_expect(struct parser *p, const char *text, const char *where) {
  if (ptx_accept(p, text)) return 0;
  char wanted[120];
  snprintf(wanted, sizeof wanted, "'%s' %s", text, where);
  return unexpected(p, wanted);
}

int ptx_take_name(struct parser *p, const char *what, const struct token **out) {
  const struct token *t = p->token;
  if (t->kind != TOK_WORD || memchr(t->text, '.', t->length)) return unexpected(p, what);
  *out = p->token++;
  return 0;
}

int ptx_skip_braces(struct parser *p) {
  uint32_t depth = 1, line = p->token->line;
  while (depth) {
    if (p->token->kind == TOK_END)
      return ptx_syntax(p, p->token->line, "the '{' of line %u is never closed: the file may be truncated", line);
    if (token_is(p->token, "{")) depth++;
    if (token_is(p->token, "}")) depth--;
    p->token++;
  }
  return 0;
}

void ptx_skip_line(struct parser *p) {
  uint32_t line = p->token->line;
  while (p->token->kind != TOK_END && p->token->line == line) p->token++;
}

int ptx_skip_pragma(struct parser *p) {
  while (p->token->kind == TOK_STRING || token_is(p->token, ",")) p->token++;
  return ptx_expect(p, ";", "after .pragma");
}

struct name *ptx_find_name(const struct parser *p, const char *text, uint32_t length, uint32_t scope) {
  for (;; scope = p->function->scope_parent[scope]) {
    struct name *n = names_find(&p->function->names, text, length, scope);
    if (n) return n;
    if (scope == 0) return names_find(&p->module->names, text, length, 0);
  }
}

/* ---- literals ---- */

static int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c |= 32;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

static bool parse_digits(const char *text, uint32_t length, int base, uint64_t *out) {
  uint64_t value = 0;
  if (length == 0) return false;
  for (uint32_t i = 0; i < length; i++) {
    int digit = digit_value(text[i]);
    if (digit >= base) return false;
    if (__builtin_mul_overflow(value, (uint64_t)base, &value)) return false;
    if (__builtin_add_overflow(value, (uint64_t)digit, &value)) return false;
  }
  *out = value;
  return true;
}

static bool parse_decimal_float(const char *text, uint32_t length, double *out) {
  char copy[64], *end;
  if (length >= sizeof copy) return false;
  for (uint32_t i = 0; i < length; i++)
    if (!strchr("0123456789.eE+-", text[i])) return false;
  memcpy(copy, text, length);
  copy[length] = 0;
  *out = strtod(copy, &end); /* correctly rounded: the same bits on every host */
  return *end == 0;
}

static bool parse_integer(const char *text, uint32_t length, uint64_t *out) {
  if (length > 1 && (text[length - 1] | 32) == 'u') length--;
  if (length >= 2 && text[0] == '0') {
    char c = text[1] | 32;
    if (c == 'x') return parse_digits(text + 2, length - 2, 16, out);
    if (c == 'b') return parse_digits(text + 2, length - 2, 2, out);
    return parse_digits(text + 1, length - 1, 8, out);
  }
  return parse_digits(text, length, 10, out);
}

static bool parse_number(const struct token *t, bool negative, struct operand *o) {
  *o = (struct operand){.kind = OPERAND_IMMEDIATE};
  char second = t->length > 1 ? t->text[1] | 32 : 0;
  if (t->text[0] == '0' && (second == 'f' || second == 'd')) {
    uint32_t digits = second == 'f' ? 8 : 16;
    if (t->length != digits + 2 || !parse_digits(t->text + 2, digits, 16, &o->bits)) return false;
    o->literal = second == 'f' ? LITERAL_F32 : LITERAL_F64;
    if (negative) o->bits ^= UINT64_C(1) << (digits * 4 - 1);
    return true;
  }
  if (parse_integer(t->text, t->length, &o->bits)) {
    if (!negative) return true;
    o->negated = true; /* until its range is checked against a type */
    if (o->bits > UINT64_C(1) << 63) return false;
    o->bits = 0 - o->bits;
    return true;
  }
  double value;
  if (!memchr(t->text, '.', t->length) && !memchr(t->text, 'e', t->length) && !memchr(t->text, 'E', t->length))
    return false;
  if (!parse_decimal_float(t->text, t->length, &value)) return false;
  if (negative) value = -value;
  o->literal = LITERAL_F64;
  memcpy(&o->bits, &value, sizeof value);
  return true;
}

int ptx_parse_literal(struct parser *p, struct operand *o) {
  bool negative = false;
  while (token_is(p->token, "-") || token_is(p->token, "+"))
    if (*p->token++->text == '-') negative = !negative;
  const struct token *t = p->token;
  if (t->kind != TOK_NUMBER) return unexpected(p, "a number");
  int shown = t->length > 60 ? 60 : (int)t->length;
  if (!parse_number(t, negative, o))
    return ptx_syntax(p, t->line, "malformed number '%.*s': write 12, 0x1f, 0fXXXXXXXX, 0dXXXXXXXXXXXXXXXX or 1.5",
                      shown, t->text);
  p->token++;
  return 0;
}

int ptx_parse_count(struct parser *p, uint64_t most, uint64_t *out) {
  struct operand o = {0};
  uint32_t line = p->token->line;
  int code = ptx_parse_literal(p, &o);
  if (code) return code;
  if (o.literal != LITERAL_INT || o.negated || o.bits > most)
    return ptx_syntax(p, line, "%lld is no count: an integer from 0 to %llu is needed", (long long)o.bits,
                      (unsigned long long)most);
  *out = o.bits;
  return 0;
}
