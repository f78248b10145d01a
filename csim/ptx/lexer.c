/* SPDX-License-Identifier: Apache-2.0 */
/* PTX text to tokens. An opcode with its modifiers ("ld.global.v4.u32") and a register ("%tid.x") are one word; a
 * directive (".reg") is a token of its own. */
#include "ptx/parse.h"

#include <string.h>

struct lexer {
  const char *file, *at, *end;
  uint32_t line;
  struct err *e;
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}
static bool is_name(char c) { return is_name_start(c) || is_digit(c); }

static char peek(const struct lexer *x, size_t ahead) { return (size_t)(x->end - x->at) > ahead ? x->at[ahead] : 0; }

static int skip_comment(struct lexer *x) {
  uint32_t start = x->line;
  for (x->at += 2; x->at < x->end; x->at++) {
    if (*x->at == '\n') x->line++;
    if (*x->at == '*' && peek(x, 1) == '/') {
      x->at += 2;
      return 0;
    }
  }
  return err_set(x->e, ERR_SYNTAX, "%s:%u: the comment that begins here never ends: add '*/'", x->file, start);
}

static int skip_space(struct lexer *x) {
  while (x->at < x->end) {
    char c = *x->at;
    if (c == '\n') x->line++;
    if (c == ' ' || (c >= '\t' && c <= '\r')) {
      x->at++;
    } else if (c == '/' && peek(x, 1) == '/') {
      while (x->at < x->end && *x->at != '\n') x->at++;
    } else if (c == '/' && peek(x, 1) == '*') {
      if (skip_comment(x)) return ERR_SYNTAX;
    } else {
      return 0;
    }
  }
  return 0;
}

/* Words hold dots (modifiers), directives stop at one; "::" occurs in cache modifiers (L1::no_allocate). */
static void take_word(struct lexer *x, bool dots) {
  for (x->at++; x->at < x->end; x->at++) {
    char c = *x->at;
    if (is_name(c) || (dots && c == '.' && is_name(peek(x, 1)))) continue;
    if (c == ':' && peek(x, 1) == ':' && is_name(peek(x, 2))) {
      x->at++;
      continue;
    }
    return;
  }
}

/* Everything glued to the first digit; whether it is a number, the parser decides. */
static void take_number(struct lexer *x) {
  bool hex = *x->at == '0' && (peek(x, 1) | 32) == 'x';
  for (x->at++; x->at < x->end; x->at++) {
    char c = *x->at, before = x->at[-1];
    bool exponent_sign = (c == '+' || c == '-') && !hex && (before | 32) == 'e' && is_digit(peek(x, 1));
    if (!is_name(c) && c != '.' && !exponent_sign) return;
  }
}

static int take_string(struct lexer *x) {
  for (x->at++; x->at < x->end && *x->at != '\n'; x->at++) {
    if (*x->at == '\\' && peek(x, 1)) x->at++;
    else if (*x->at == '"') {
      x->at++;
      return 0;
    }
  }
  return err_set(x->e, ERR_SYNTAX, "%s:%u: the string never ends: add '\"'", x->file, x->line);
}

static int next_token(struct lexer *x, struct token *t) {
  if (skip_space(x)) return ERR_SYNTAX;
  *t = (struct token){.text = x->at, .line = x->line, .kind = TOK_END};
  if (x->at >= x->end) return 0;
  char c = *x->at;
  if (is_name_start(c)) {
    t->kind = TOK_WORD;
    take_word(x, true);
  } else if (c == '.' && is_name_start(peek(x, 1))) {
    t->kind = TOK_DIRECTIVE;
    take_word(x, false);
  } else if (is_digit(c)) {
    t->kind = TOK_NUMBER;
    take_number(x);
  } else if (c == '"') {
    t->kind = TOK_STRING;
    if (take_string(x)) return ERR_SYNTAX;
  } else if (c && strchr("(){}[]<>,;:=+-!@|*.", c)) {
    t->kind = TOK_PUNCTUATION;
    x->at++;
  } else {
    return err_set(x->e, ERR_SYNTAX, "%s:%u: unexpected character 0x%02x: this is no PTX text", x->file, x->line,
                   (unsigned)(uint8_t)c);
  }
  t->length = (uint32_t)(x->at - t->text);
  return 0;
}

int ptx_lex(const char *file, const char *text, size_t length, struct arena *arena, struct token **out, struct err *e) {
  struct lexer x = {.file = file, .at = text, .end = text + length, .line = 1, .e = e};
  struct token *token = NULL;
  uint32_t n = 0, capacity = 0;
  do {
    token = arena_grow(arena, token, n, &capacity, sizeof *token);
    int code = next_token(&x, &token[n]);
    if (code) return code;
  } while (token[n++].kind != TOK_END);
  *out = token;
  return 0;
}
