/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/expression.h"

#include "base/err.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name of the expression: looked up once. Each pass evaluates the expression at one corner of the bands. */
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
  bool failed, no_value; /* no_value: it failed because the result is undefined */
};

enum { DEPTH_MAX = 64, QUOTED_MAX = 240 };

/* A long expression is quoted around the place of the fault only, or the sentence would end before its reason. */
static double fail(struct parser *p, enum err_code code, const char *what) {
  size_t at = (size_t)(p->at - p->text), from = at > QUOTED_MAX / 2 ? at - QUOTED_MAX / 2 : 0;
  if (strlen(p->text) <= QUOTED_MAX) from = 0;
  if (!p->failed)
    err_set(p->e, code, "%s: \"%s%.*s%s\": %s at character %zu", p->place, from ? "... " : "", QUOTED_MAX,
            p->text + from, strlen(p->text + from) > QUOTED_MAX ? " ..." : "", what, at + 1);
  p->failed = true;
  return 0;
}

static double no_value(struct parser *p, const char *what) {
  p->no_value = !p->failed;
  return fail(p, ERR_VALUE, what);
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

static double comparison(struct parser *p);

/* ---- functions ---- */

enum { ARGUMENTS_MAX = 1024 };

static double total(const double *v, unsigned n) {
  double sum = 0;
  for (unsigned i = 0; i < n; i++) sum += v[i];
  return sum;
}

static double least(const double *v, unsigned n) {
  double least = v[0];
  for (unsigned i = 1; i < n; i++) least = fmin(least, v[i]);
  return least;
}

static double most(const double *v, unsigned n) {
  double most = v[0];
  for (unsigned i = 1; i < n; i++) most = fmax(most, v[i]);
  return most;
}

static double mean(const double *v, unsigned n) { return total(v, n) / n; }

static double magnitude(const double *v, unsigned n) {
  (void)n;
  return fabs(v[0]);
}

static double geometric_mean(const double *v, unsigned n) {
  double logarithms = 0;
  for (unsigned i = 0; i < n; i++) logarithms += v[i] > 0 ? log(v[i]) : NAN;
  return exp(logarithms / n);
}

static double harmonic_mean(const double *v, unsigned n) {
  double inverses = 0;
  for (unsigned i = 0; i < n; i++) inverses += v[i] > 0 ? 1 / v[i] : NAN;
  return n / inverses;
}

/* Pearson's correlation of pairs x1, y1, x2, y2, ... */
static double correlation(const double *v, unsigned n) {
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0, pairs = n / 2.0;
  for (unsigned i = 0; i < n; i += 2) {
    x += v[i] / pairs;
    y += v[i + 1] / pairs;
  }
  for (unsigned i = 0; i < n; i += 2) {
    double dx = v[i] - x, dy = v[i + 1] - y;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

/* Of pairs x1, y1, x2, y2, ... of times of the same things in two places: whoever takes one that is within 5 % of the fastest in the first
 * place loses this part, at the most, of the best performance in the second one. */
static double largest_regret(const double *v, unsigned n) {
  double x = v[0], y = v[1], loss = 0;
  for (unsigned i = 2; i < n; i += 2) x = fmin(x, v[i]), y = fmin(y, v[i + 1]);
  if (x <= 0 || y <= 0) return NAN;
  for (unsigned i = 0; i < n; i += 2)
    if (0.95 * v[i] <= x) loss = fmax(loss, 1 - y / v[i + 1]);
  return loss;
}

static const struct function {
  const char *name;
  double (*of)(const double *, unsigned n); /* NAN: undefined */
  const char *none;                         /* why */
  unsigned fewest, most, multiple;          /* arguments */
  const char *takes;
} functions[] = {
  {"min", least, NULL, 1, ARGUMENTS_MAX, 1, NULL},
  {"max", most, NULL, 1, ARGUMENTS_MAX, 1, NULL},
  {"mean", mean, NULL, 1, ARGUMENTS_MAX, 1, NULL},
  {"geomean", geometric_mean, "the geometric mean of numbers that are not positive", 1, ARGUMENTS_MAX, 1, NULL},
  {"hmean", harmonic_mean, "the harmonic mean of numbers that are not positive", 1, ARGUMENTS_MAX, 1, NULL},
  {"sum", total, NULL, 1, ARGUMENTS_MAX, 1, NULL},
  {"abs", magnitude, NULL, 1, 1, 1, "abs takes one argument"},
  {"corr", correlation, "the correlation of numbers that are all the same", 4, ARGUMENTS_MAX, 2,
   "corr takes two pairs of numbers and more"},
  {"regret", largest_regret, "the regret of times that are not positive", 2, ARGUMENTS_MAX, 2,
   "regret takes pairs of numbers"},
  {NULL, NULL, NULL, 0, 0, 0, NULL}};

static const struct function *function_of(const char *name) {
  for (const struct function *f = functions; f->name; f++)
    if (!strcmp(f->name, name)) return f;
  return NULL;
}

double expression_function(const char *name, const double *values, unsigned n) {
  const struct function *f = function_of(name);
  return f && n >= f->fewest && n <= f->most && n % f->multiple == 0 ? f->of(values, n) : NAN;
}

static double apply(struct parser *p, const struct function *f, const double *values, unsigned n) {
  if (n < f->fewest || n > f->most || n % f->multiple) return fail(p, ERR_SYNTAX, f->takes);
  double v = f->of(values, n);
  return isnan(v) && f->none ? no_value(p, f->none) : v;
}

static double call(struct parser *p, const char *name) {
  const struct function *f = function_of(name);
  if (!f)
    return fail(p, ERR_SYNTAX, "there is no such function (min, max, mean, geomean, hmean, sum, abs, corr, regret)");
  double *values = calloc(ARGUMENTS_MAX, sizeof *values);
  unsigned n = 0;
  if (!values) return fail(p, ERR_LIMIT, "out of memory");
  do {
    double v = comparison(p);
    if (n == ARGUMENTS_MAX) fail(p, ERR_SYNTAX, "more than 1024 arguments");
    else values[n++] = v;
  } while (!p->failed && take(p, ','));
  if (!p->failed && !take(p, ')')) fail(p, ERR_SYNTAX, "a ) is missing");
  double v = p->failed ? 0 : apply(p, f, values, n);
  free(values);
  return v;
}

/* ---- names ---- */

static double value_of(struct parser *p, const char *text) {
  for (unsigned i = 0; i < p->n_names; i++)
    if (!strcmp(p->names[i].text, text)) return p->names[i].value;
  if (p->n_names == EXPRESSION_NAMES_MAX) return fail(p, ERR_VALUE, "more than 8192 different names");
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
  return take(p, '(') ? call(p, text) : value_of(p, text);
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
    value = comparison(p);
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
      if (!p->failed && by == 0) return no_value(p, "a division by zero");
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

static double comparison(struct parser *p) {
  double left = sum(p);
  skip_blanks(p);
  if (p->failed || !*p->at || !strchr("<>=", *p->at)) return left;
  char sign = *p->at++;
  bool equal = *p->at == '=';
  if (sign == '=' && !equal) return fail(p, ERR_SYNTAX, "write == to compare");
  p->at += equal;
  double right = sum(p);
  if (sign == '<') return equal ? left <= right : left < right;
  if (sign == '>') return equal ? left >= right : left > right;
  return left == right;
}

static double pass(struct parser *p) {
  p->at = p->text;
  p->depth = 0;
  double value = comparison(p);
  skip_blanks(p);
  if (!p->failed && *p->at) return fail(p, ERR_SYNTAX, "this is left over");
  return value;
}

/* The band of the result is taken from the corners of the names' bands. That is exact where each name occurs once, since sums,
 * products and the functions are monotonic; for a name that occurs several times it is an approximation, good for narrow bands. */
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
  p->text = text;
  p->place = place;
  p->lookup = lookup;
  p->context = context;
  p->e = e ? e : &own;
  out->value = out->low = out->high = pass(p);
  int status = p->failed ? (int)p->e->code : corners(p, out);
  if (p->no_value) out->value = NAN;
  free(p);
  return status;
}
