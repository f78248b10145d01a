/* SPDX-License-Identifier: Apache-2.0 */
/* konata.smN.log: the way of every operation through the pipeline of one SM, in the format of Konata (Kanata 0004). An operation of a warp
 * waits (stage W) from the cycle in which its warp might have issued it, issues (I) for a cycle, and is executed (X) until its results can
 * be read. Threads of the format are hardware warps. */
#ifndef TANDEM_RUN_RUN_KONATA_H
#define TANDEM_RUN_RUN_KONATA_H

#include "run/session.h"

struct err;
struct ptx_kernel;
struct run_konata;
struct step_recorder;

/* *konata is NULL if the session wants none. */
int run_konata_create(const struct session *, struct run_konata **konata, struct err *);
const struct step_recorder *run_konata_steps(const struct run_konata *); /* NULL of NULL */
/* A launch in detail begins. */
void run_konata_launch(struct run_konata *, const struct ptx_kernel *, uint32_t launch);
int run_konata_write(struct run_konata *, const struct session *, struct err *);
void run_konata_free(struct run_konata *);

#endif
