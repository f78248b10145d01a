/* SPDX-License-Identifier: Apache-2.0 */
/* Comparators of an elaborated design (see comparators.c for what counts as one). */
#ifndef TANDEM_SYNTH_COMPARATORS_H
#define TANDEM_SYNTH_COMPARATORS_H

#include <jansson.h>
#include <stdbool.h>

struct synth_comparators {
  unsigned comparators, bits;
};

/* `module`: as Yosys writes it (write_json), with word-level cells. False: out of memory. */
bool synth_count_comparators(const json_t *module, struct synth_comparators *out);

#endif
