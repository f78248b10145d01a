/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"

#include "base/err.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 1024 };

uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n) {
  const uint8_t *b = bytes;
  for (size_t i = 0; i < n; i++) h = (h ^ b[i]) * UINT64_C(0x100000001b3);
  return h;
}

uint64_t hash_text(uint64_t h, const char *text) { return hash_bytes(h, text, strlen(text) + 1); }

int hash_file(uint64_t *h, const char *path, struct err *e) {
  FILE *f = fopen(path, "rb");
  if (!f)
    return err_set(e, ERR_FILE, "%s: %s; it comes with Tandem; install or build Tandem again", path, strerror(errno));
  char buffer[4096];
  size_t n;
  while ((n = fread(buffer, 1, sizeof buffer, f)) > 0) *h = hash_bytes(*h, buffer, n);
  fclose(f);
  return 0;
}

int hash_folder(uint64_t *h, const char *folder, struct err *e) {
  struct dirent **entries;
  int n = scandir(folder, &entries, NULL, alphasort), status = 0;
  for (int i = 0; i < n; i++) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
    if (entries[i]->d_name[0] != '.' && !status) {
      *h = hash_text(*h, entries[i]->d_name);
      status = hash_file(h, path, e);
    }
    free(entries[i]);
  }
  if (n >= 0) free(entries);
  return status;
}
