/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a file of tests/ptx. */
#ifndef TANDEM_TESTS_KIT_PTX_TEXT_H
#define TANDEM_TESTS_KIT_PTX_TEXT_H

#include "kit/test.h"

/* The text of tests/ptx/`name`; the caller frees it. */
static inline char *ptx_text(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/../tests/ptx/%s", TANDEM_CONFIG_DIR, name);
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("%s cannot be read", path);
  char *text = calloc(1, 1 << 20);
  assert_non_null(text);
  assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
  fclose(file);
  return text;
}

#endif
