/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/expression.h"

#include "base/err.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name is looked up once and has one value a pass; the passes go over the corners of the bands. */
struct name {
  char text[EXPRESSION_NAME_BYTES];
  struct figure figure;
  double value; /* in this pass */
};

struct parser {
  const char *text, *at, *place;
  expression_lookup *lookup;
  void *context;
  struct name names[EXPRESSION_NAMES_MAX];
  unsigned n_names, depth;
  struct err *e;
  bool failed;
};

enum { DEPTH_MAX = 64 };

static double fail(struct parser *p, enum err_code code, const char *what) {
  if (!p->failed)
    err_set(p->e, code, "%s: \"%s\": %s at character %d", p->place, p->text, what, (int)(p->at - p->text) + 1);
  p->failed = true;
  return 0;
}

static void skip_blanks(struct parser *p) {
  while (isspace((unsigned char)*p->at)) p->at++;
}

static bool take(struct parser *p, char c) {
  skip_blanks(p);
  if (*p->at != c) return false;
  p->at++;
  return true;
}

static double sum(struct parser *p);

/* ---- functions ---- */

static double arguments(struct parser *p, const char *name) {
  double least = INFINITY, most = -INFINITY, total = 0, logarithms = 0;
  unsigned n = 0;
  bool positive = true;
  do {
    double v = sum(p);
    if (p->failed) return 0;
    n++;
    least = fmin(least, v);
    most = fmax(most, v);
    total += v;
    positive &= v > 0;
    logarithms += positive ? log(v) : 0;
  } while (take(p, ','));
  if (!take(p, ')')) return fail(p, ERR_SYNTAX, "a ) is missing");
  if (!strcmp(name, "min")) return least;
  if (!strcmp(name, "max")) return most;
  if (!strcmp(name, "mean")) return total / n;
  if (!strcmp(name, "abs")) return n == 1 ? fabs(total) : fail(p, ERR_SYNTAX, "abs takes one argument");
  if (strcmp(name, "geomean") != 0)
    return fail(p, ERR_SYNTAX, "there is no such function (min, max, mean, geomean, abs)");
  return positive ? exp(logarithms / n) : fail(p, ERR_VALUE, "the geometric mean of numbers that are not positive");
}

/* ---- names ---- */

static double value_of(struct parser *p, const char *text) {
  for (unsigned i = 0; i < p->n_names; i++)
    if (!strcmp(p->names[i].text, text)) return p->names[i].value;
  if (p->n_names == EXPRESSION_NAMES_MAX) return fail(p, ERR_VALUE, "more than 64 different names");
  struct name *n = &p->names[p->n_names];
  snprintf(n->text, sizeof n->text, "%s", text);
  if (p->lookup(p->context, text, &n->figure, p->e)) {
    p->failed = true;
    return 0;
  }
  p->n_names++;
  n->value = n->figure.value;
  return n->value;
}

static double word(struct parser *p) {
  char text[EXPRESSION_NAME_BYTES];
  size_t n = 0;
  while (isalnum((unsigned char)p->at[n]) || p->at[n] == '_' || p->at[n] == '.') n++;
  if (n >= sizeof text) return fail(p, ERR_SYNTAX, "a name is too long");
  memcpy(text, p->at, n);
  text[n] = 0;
  p->at += n;
  return take(p, '(') ? arguments(p, text) : value_of(p, text);
}

/* ---- grammar ---- */

static double factor(struct parser *p) {
  double value;
  char *end;
  skip_blanks(p);
  if (++p->depth > DEPTH_MAX) return fail(p, ERR_SYNTAX, "more than 64 levels of parentheses");
  if (take(p, '-')) {
    value = -factor(p);
  } else if (take(p, '(')) {
    value = sum(p);
    if (!p->failed && !take(p, ')')) fail(p, ERR_SYNTAX, "a ) is missing");
  } else if (isdigit((unsigned char)*p->at) || *p->at == '.') {
    value = strtod(p->at, &end);
    if (end == p->at || isalpha((unsigned char)*end) || *end == '_') return fail(p, ERR_SYNTAX, "this is no number");
    p->at = end;
  } else if (isalpha((unsigned char)*p->at)) {
    value = word(p);
  } else {
    return fail(p, ERR_SYNTAX, "a number, a name or ( is missing");
  }
  p->depth--;
  return value;
}

static double product(struct parser *p) {
  double value = factor(p);
  while (!p->failed) {
    if (take(p, '*')) {
      value *= factor(p);
    } else if (take(p, '/')) {
      double by = factor(p);
      if (!p->failed && by == 0) return fail(p, ERR_VALUE, "a division by zero");
      value /= by;
    } else {
      break;
    }
  }
  return value;
}

static double sum(struct parser *p) {
  double value = product(p);
  while (!p->failed) {
    if (take(p, '+')) value += product(p);
    else if (take(p, '-')) value -= product(p);
    else break;
  }
  return value;
}

static double pass(struct parser *p) {
  p->at = p->text;
  p->depth = 0;
  double value = sum(p);
  skip_blanks(p);
  if (!p->failed && *p->at) return fail(p, ERR_SYNTAX, "this is left over");
  return value;
}

/* Sums, products and the functions are monotonic in each name that occurs once: the extremes lie in corners. A name that
 * occurs several times may have them inside, where the corners are near enough for bands of per cents. */
static int corners(struct parser *p, struct figure *out) {
  struct name *banded[EXPRESSION_BANDS_MAX];
  unsigned n = 0;
  for (unsigned i = 0; i < p->n_names; i++) {
    if (p->names[i].figure.low == p->names[i].figure.high) continue;
    if (n == EXPRESSION_BANDS_MAX) {
      fail(p, ERR_VALUE, "more than 12 figures with a band");
      return (int)p->e->code;
    }
    banded[n++] = &p->names[i];
  }
  for (unsigned corner = 0; n && corner < 1U << n; corner++) {
    for (unsigned i = 0; i < n; i++)
      banded[i]->value = corner >> i & 1 ? banded[i]->figure.high : banded[i]->figure.low;
    double value = pass(p);
    if (p->failed) return (int)p->e->code;
    out->low = fmin(out->low, value);
    out->high = fmax(out->high, value);
  }
  return 0;
}

int expression_evaluate(const char *text, const char *place, expression_lookup *lookup, void *context,
                        struct figure *out, struct err *e) {
  struct err own = {.code = ERR_NONE};
  struct parser *p = calloc(1, sizeof *p);
  if (!p) return err_set(e, ERR_LIMIT, "%s: out of memory", place);
  *p = (struct parser){.text = text, .place = place, .lookup = lookup, .context = context, .e = e ? e : &own};
  out->value = out->low = out->high = pass(p);
  int status = p->failed ? (int)p->e->code : corners(p, out);
  free(p);
  return status;
}
