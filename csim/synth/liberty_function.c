/* SPDX-License-Identifier: Apache-2.0 */
#include "synth/liberty_function.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

struct reader {
  const char *at;
  const struct liberty_pin *inputs;
  unsigned n, values;
  unsigned depth;
  bool bad;
};

/* Precedence, from tight to loose: ! before or ' after a term, ^, AND (& * or nothing), OR (| +). */
static bool read_or(struct reader *);

static void skip_blank(struct reader *r) {
  while (isspace((unsigned char)*r->at)) r->at++;
}

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '[' || c == ']'; }

static bool read_name(struct reader *r) {
  size_t n = 0;
  while (is_name(r->at[n])) n++;
  const char *name = r->at;
  r->at += n;
  if (n == 1 && (*name == '0' || *name == '1')) return *name == '1';
  for (unsigned i = 0; i < r->n; i++)
    if (strlen(r->inputs[i].name) == n && !strncmp(r->inputs[i].name, name, n)) return r->values >> i & 1;
  r->bad = true;
  return false;
}

static bool read_term(struct reader *r) {
  bool value = false, inverted = false;
  skip_blank(r);
  while (*r->at == '!') {
    inverted = !inverted;
    r->at++;
    skip_blank(r);
  }
  if (*r->at == '(') {
    if (++r->depth > DEPTH_MAX) r->bad = true;
    r->at++;
    if (!r->bad) value = read_or(r);
    skip_blank(r);
    if (*r->at != ')') r->bad = true;
    else r->at++;
    r->depth--;
  } else if (is_name(*r->at)) {
    value = read_name(r);
  } else {
    r->bad = true;
  }
  for (skip_blank(r); *r->at == '\''; skip_blank(r)) {
    inverted = !inverted;
    r->at++;
  }
  return value != inverted;
}

static bool read_xor(struct reader *r) {
  bool value = read_term(r);
  while (!r->bad && *r->at == '^') {
    r->at++;
    bool right = read_term(r);
    value = value != right;
  }
  return value;
}

static bool read_and(struct reader *r) {
  bool value = read_xor(r);
  while (!r->bad && (*r->at == '&' || *r->at == '*' || *r->at == '(' || *r->at == '!' || is_name(*r->at))) {
    if (*r->at == '&' || *r->at == '*') r->at++;
    bool right = read_xor(r);
    value = value && right;
  }
  return value;
}

static bool read_or(struct reader *r) {
  bool value = read_and(r);
  while (!r->bad && (*r->at == '|' || *r->at == '+')) {
    r->at++;
    bool right = read_and(r);
    value = value || right;
  }
  return value;
}

bool liberty_function(const char *text, const struct liberty_pin *inputs, unsigned n, unsigned values, bool *result) {
  struct reader r = {.at = text, .inputs = inputs, .n = n, .values = values};
  *result = read_or(&r);
  skip_blank(&r);
  return !r.bad && !*r.at;
}
