/* SPDX-License-Identifier: Apache-2.0 */
/* tandem diff of two waves, or of two stimuli. */
#ifndef TANDEM_CLI_DIFF_INPUTS_H
#define TANDEM_CLI_DIFF_INPUTS_H

#include <stdbool.h>
#include <stdint.h>

struct err;

enum diff_kind { DIFF_RUNS, DIFF_WAVES, DIFF_STIMULI };
/* By the names: .fst or .vcd, .csv, else folders of runs. ERR_USAGE: one of each. */
int diff_kind_of(const char *const path[2], enum diff_kind *, struct err *);
/* Prints the first difference; a wave of both with its views goes to `out`. *differs is the exit code. */
int diff_waves(const char *const path[2], const char *out, uint32_t most, bool json, bool *differs, struct err *);
int diff_stimuli(const char *const path[2], bool json, bool *differs, struct err *);

#endif
