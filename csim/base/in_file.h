/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are read as a whole. */
#ifndef TANDEM_BASE_IN_FILE_H
#define TANDEM_BASE_IN_FILE_H

#include <stddef.h>

struct err;

/* The content of a file, which may be a pipe; the caller frees it. A 0 byte follows it that `bytes` does not count. NULL: ERR_FILE
 * "cannot read PATH: reason", and errno holds the reason. */
char *in_file_read(const char *path, size_t *bytes, struct err *);

#endif
