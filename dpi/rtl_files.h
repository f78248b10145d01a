/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a block of the tree is verilated from, so that an edit of one cell verilates only the blocks that have it. */
#ifndef TANDEM_DPI_RTL_FILES_H
#define TANDEM_DPI_RTL_FILES_H

#include "base/err.h"

enum { RTL_FILES_MAX = 64, RTL_FILE_BYTES = 1024 };

struct rtl_files {
  char path[RTL_FILES_MAX][RTL_FILE_BYTES];
  unsigned n;
};

/* `file`, then each file of rtl/FAMILY, rtl/prim and rtl/include that is named by a word of a file of the list: Verilator looks a
 * module M up as M.v, and an include file N.vh stands as N.vh in its directive. A word of a comment counts, too, so there may be a
 * file too many, and never one too few. ERR_FILE: a file cannot be read; ERR_LIMIT: more than RTL_FILES_MAX. */
int rtl_files_find(const char *rtl, const char *family, const char *file, struct rtl_files *, struct err *);

#endif
