/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles learned from recorded stimuli: how often each input changes, and to which values. Inputs are learned apart from each other. */
#ifndef TANDEM_BLOCKTEST_PROFILE_LEARN_H
#define TANDEM_BLOCKTEST_PROFILE_LEARN_H

#include "blocktest/profile.h"
#include "stimulus.h"

/* Adds phases made of the rows, which are expanded (one a cycle): up to eight pieces of at least 256 cycles. `name` is part of the
 * phases' names. ERR_VALUE: there are no rows, or too many phases. */
int profile_learn(struct profile *, const struct stimulus *rows, const char *name, struct err *);
/* The same of every recorded instance of the block in a run's folder: stimulus.INSTANCE.csv, and the flight recorder. `desc` and `params`
 * of the first decide; instances of another block or other parameters are left out. *p is made by it and freed by the caller, also
 * after an error; its desc is NULL if nothing was found. */
int profile_learn_path(struct profile *p, const char *block, const char *path, struct err *);

#endif
