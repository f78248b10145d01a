/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a block of the tree is made of, so that an edit of one cell concerns only the blocks that have it. */
#ifndef TANDEM_BLOCK_RTL_FILES_H
#define TANDEM_BLOCK_RTL_FILES_H

#include "base/err.h"

enum { RTL_FILES_MAX = 64, RTL_FILE_BYTES = 1024 };

struct rtl_files {
  char path[RTL_FILES_MAX][RTL_FILE_BYTES];
  unsigned n;
};

/* `file`, then each file *.v, *.sv or *.vh of the `n` folders of rtl/ that is named by a word of a file of the list, those of the
 * first folder first: a module M is in M.v, and an include file N.vh stands as N.vh in its directive. A word of a comment counts, too,
 * so there may be a file too many, and never one too few. ERR_FILE: a file cannot be read; ERR_LIMIT: more than RTL_FILES_MAX. */
int rtl_files_find(const char *rtl, const char *const *folders, unsigned n, const char *file, struct rtl_files *,
                   struct err *);

#endif
