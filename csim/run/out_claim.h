/* SPDX-License-Identifier: Apache-2.0 */
/* Who may write into an output folder. A program may consist of several processes that simulate: the first one to open its device gets
 * the folder, each further one a folder process.N in it, from 2 on. */
#ifndef TANDEM_RUN_OUT_CLAIM_H
#define TANDEM_RUN_OUT_CLAIM_H

#include <stdbool.h>
#include <stddef.h>

struct err;

struct out_claim {
  int file; /* locked as long as the process lives; -1: nothing is claimed */
  char mark[1100];
};

/* Claims `dir`, or a folder in it, whose name it then becomes. `run`: the processes are those of one `tandem run`, so that the results of
 * one that has ended count; else only those that live do. */
int out_claim(struct out_claim *, char *dir, size_t size, bool run, struct err *);
/* The process has written its results. */
void out_claim_end(struct out_claim *);
/* Of `tandem run`, after the run: nobody has claimed the folder. */
void out_claim_forget(const char *dir);
/* Before it, and when it has no result: the folders of further processes are removed, too. */
void out_claim_clear(const char *dir);

#endif
