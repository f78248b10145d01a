/* SPDX-License-Identifier: Apache-2.0 */
#include "base/in_file.h"

#include "base/err.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In pieces, for the size of a pipe is not known. False: errno says why. */
static bool read_all(FILE *f, char **text, size_t *bytes) {
  for (size_t size = 0, got = 1; got;) {
    if (*bytes + 1 >= size) {
      char *grown = realloc(*text, size = size ? 2 * size : 1 << 16);
      if (!grown) return false;
      *text = grown;
    }
    got = fread(*text + *bytes, 1, size - 1 - *bytes, f);
    *bytes += got;
  }
  (*text)[*bytes] = 0;
  return !ferror(f);
}

char *in_file_read(const char *path, size_t *bytes, struct err *e) {
  FILE *f = fopen(path, "rb");
  char *text = NULL;
  *bytes = 0;
  bool whole = f && read_all(f, &text, bytes);
  int why = errno;
  if (f) fclose(f);
  if (whole) return text;
  free(text);
  err_put(e, ERR_FILE, "cannot read %s: %s", path, strerror(why));
  errno = why;
  return NULL;
}
