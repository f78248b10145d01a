/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are never half-written: a temporary name while writing, the final name on commit. */
#ifndef TANDEM_BASE_OUT_FILE_H
#define TANDEM_BASE_OUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct err;

struct out_file {
  FILE *f; /* NULL: not open */
  char path[1024], part[1040];
};

/* Opens `path` for writing under a temporary name beside it. */
int out_file_open(struct out_file *, const char *path, struct err *);
/* Closes the file and renames it to its final name; on a write error removes it and returns ERR_FILE. */
int out_file_commit(struct out_file *, struct err *);
/* Closes and removes the temporary file. */
void out_file_abandon(struct out_file *);
/* Commits the file if `keep`, else abandons it; nothing to do when it is not open. */
int out_file_finish(struct out_file *, bool keep, struct err *);

#endif
