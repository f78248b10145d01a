/* SPDX-License-Identifier: Apache-2.0 */
/* Open choices: what a source does not say. configs/claims/SYSTEM.yaml, written before the effect of a value is looked at:
 *
 *   open:
 *     - id: ctas
 *       text: CTAs resident on an SM
 *       silent: "table 1: no number of registers"     the place that is silent
 *       values:                                       two to five; the first is the default and changes nothing
 *         - {value: "8", why: "limit of Fermi"}
 *         - {value: "6", why: "...", set: "sm.ctas=6"}                    a setting of the GPU configuration of every run
 *         - {value: "256", why: "...", replace: {"n=1024": "n=256"}, only: "trans*"}   of arguments of runs and designs
 *         - {value: "source order", why: "...", measure: {"_base.": "_written."}}      of names in expressions
 *
 * `only`: globs over the names of sources. Values may combine these keys. */
#ifndef TANDEM_CLAIMS_CHOICES_H
#define TANDEM_CLAIMS_CHOICES_H

#include "base/yaml_tree.h"

#include <stdint.h>

struct err;
struct source_change;
struct sources;

enum { CHOICES_MAX = 32, CHOICE_VALUES_MAX = 5, CHANGES_MAX = 96 };

struct choice_value {
  const char *value, *why;
  const char *set, *only;   /* NULL: absent */
  yaml_at replace, measure; /* maps of texts; NULL: absent */
};

struct choice {
  const char *id, *text, *silent;
  struct choice_value value[CHOICE_VALUES_MAX];
  unsigned n;
  unsigned line;
};

struct choices {
  struct choice choice[CHOICES_MAX];
  unsigned n;
  const struct yaml_tree *tree;
};

/* Reads the list. Errors: a choice without default or with a single value, a default that changes something, a setting that
 * names no parameter or is out of range, a replacement that is in no source. */
int choices_read(struct choices *, const struct yaml_tree *, yaml_at list, const struct sources *, struct err *);

/* A combination: the number of a value for each choice. */
struct combinations {
  uint8_t (*value)[CHOICES_MAX];
  unsigned n;
};
/* The default, each other value alone, and `random` drawn with `seed`. Errors: out of memory. */
int combinations_make(struct combinations *, const struct choices *, unsigned random, uint64_t seed, struct err *);
void combinations_free(struct combinations *);
/* The changes of sources that a combination means; returns their number. */
unsigned combination_changes(const struct choices *, const uint8_t *value, struct source_change *out /* CHANGES_MAX */);
/* Applies the changes of names to an expression. Errors: it gets too long. */
int combination_expression(const struct choices *, const uint8_t *value, const char *text, char *out, size_t size,
                           struct err *);
/* "ctas=6, map=row" without the defaults; "default". */
void combination_text(const struct choices *, const uint8_t *value, char *out, size_t size);

#endif
