/* SPDX-License-Identifier: Apache-2.0 */
/* `--profile` and `--guided` of `tandem check`. */
#ifndef TANDEM_CLI_CHECK_PROFILE_H
#define TANDEM_CLI_CHECK_PROFILE_H

#include "blocktest/guided.h"
#include "blocktest/random_run.h"

#include <stdio.h>

#define PROFILE_FILE "profile.yaml" /* in the output folder, of a guided check */

struct check_profile {
  struct profile profile;
  struct guided guided;
  bool on, guides;
};

/* Reads the profile `path` (NULL: none) for the run's block, and makes the run take its phases; with `guided` the run, which counts its
 * coverage, chooses phases by what they reach. Closed by the caller also after an error. */
int check_profile_open(struct check_profile *, const char *path, bool guided, struct random_run *, struct err *);
/* After the run: prints the phases that a guided run kept, and writes them to `dir`. */
int check_profile_end(struct check_profile *, const char *dir, FILE *to, struct err *);
void check_profile_close(struct check_profile *);

#endif
