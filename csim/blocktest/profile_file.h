/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles of stimulus as YAML. */
#ifndef TANDEM_BLOCKTEST_PROFILE_FILE_H
#define TANDEM_BLOCKTEST_PROFILE_FILE_H

#include "blocktest/profile.h"

#include <stdio.h>

/* Reads a file for a block with these parameters. ERR_FILE; ERR_SYNTAX, ERR_VALUE: with file and line. The caller frees the profile,
 * also after an error. */
int profile_read(struct profile *, const struct block_desc *, const int32_t *params, const char *path, struct err *);
/* Writes through a temporary name. */
int profile_write(const struct profile *, const char *path, struct err *);
/* A phase in one line: which inputs have something of their own. */
void profile_print_phase(const struct profile *, const struct profile_phase *, FILE *);

#endif
