/* SPDX-License-Identifier: Apache-2.0 */
/* Boolean functions of a Liberty file. */
#ifndef TANDEM_SYNTH_LIBERTY_FUNCTION_H
#define TANDEM_SYNTH_LIBERTY_FUNCTION_H

#include <stdbool.h>

enum { LIBERTY_NAME_BYTES = 64 };

struct liberty_pin {
  char name[LIBERTY_NAME_BYTES];
  bool output;
};

/* A Boolean function in Liberty's notation (! ' & * | + ^ and parentheses; two names side by side are AND): its value with
 * the named inputs at the bits of `values`. False when the text is malformed or names something else. */
bool liberty_function(const char *text, const struct liberty_pin *inputs, unsigned n, unsigned values, bool *result);

#endif
