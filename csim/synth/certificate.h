/* SPDX-License-Identifier: Apache-2.0 */
/* A certificate proves that a hardware figure is of RTL that passed a check: it is a copy of the files that passed. The folder
 * BUILD/certificates/BLOCK/KIND holds the Verilog files and a line `summary`. KIND is `lockstep` (tandem check), `proof`
 * (tandem prove, whose script writes the same) or `equality` (tandem prove --equal; the folder has the C model, too). A figure is stale if its RTL differs from the copy in any byte. */
#ifndef TANDEM_SYNTH_CERTIFICATE_H
#define TANDEM_SYNTH_CERTIFICATE_H

#include "block/block.h"

#include <stdbool.h>

struct err;

enum { CERTIFICATE_TEXT_BYTES = 256, CERTIFICATE_PATH_BYTES = 1024 };
extern const char *const certificate_kinds[]; /* "lockstep", "proof", "equality", NULL */

struct certificate {
  char part[CERTIFICATE_PATH_BYTES],
    path[CERTIFICATE_PATH_BYTES]; /* folder during the check, and after it has passed */
};

/* Copies the block's files as they are now, before it is checked. */
int certificate_begin(struct certificate *, const struct block_desc *, const char *kind, struct err *);
/* The check passed: the copies become the certificate, with `summary` in it. */
int certificate_pass(struct certificate *, const char *summary, struct err *);
/* The check failed: removes the copies; an older certificate stays. */
void certificate_drop(struct certificate *);

/* True if the block's files have a certificate of every kind. Else `why` names the one that is missing or stale, and the command
 * that makes it. */
bool certificate_holds(const struct block_desc *, char why[CERTIFICATE_TEXT_BYTES]);

#endif
