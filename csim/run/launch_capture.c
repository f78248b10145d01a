/* SPDX-License-Identifier: Apache-2.0 */
#include "run/launch_capture.h"

#include "base/err.h"
#include "base/hash.h"
#include "base/out_file.h"
#include "ptx/ptx.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writes the text of the module unless the folder has it. Names are made of the text, so that equal modules share a file. */
static int keep_module(const char *dir, const struct ptx_module *m, char *name, size_t size, struct err *e) {
  char path[2 * SESSION_TEXT_BYTES];
  uint64_t hash = HASH_SEED;
  for (uint32_t i = 1; i <= ptx_module_n_lines(m); i++) hash = hash_text(hash, ptx_module_line(m, i));
  snprintf(name, size, "%016llx.ptx", (unsigned long long)hash);
  snprintf(path, sizeof path, "%s/%s", dir, name);
  if (!access(path, F_OK)) return 0;
  struct out_file f = {0};
  int status = out_file_open(&f, path, e);
  if (status) return status;
  for (uint32_t i = 1; i <= ptx_module_n_lines(m); i++) fprintf(f.f, "%s\n", ptx_module_line(m, i));
  return out_file_commit(&f, e);
}

static json_t *triple(const uint32_t v[3]) {
  return json_pack("[I,I,I]", (json_int_t)v[0], (json_int_t)v[1], (json_int_t)v[2]);
}

static json_t *hex(const uint8_t *bytes, uint32_t n) {
  char *text = malloc(2 * (size_t)n + 1);
  invariant(text, "the host has no memory for a launch");
  for (uint32_t i = 0; i < n; i++) snprintf(text + 2 * (size_t)i, 3, "%02x", bytes[i]);
  text[2 * (size_t)n] = 0;
  json_t *j = json_string(text);
  free(text);
  return j;
}

int launch_capture_add(const struct session *s, const struct ptx_kernel *k, const uint32_t grid[3],
                       const uint32_t block[3], const void *params, struct err *e) {
  char name[64], path[2 * SESSION_TEXT_BYTES];
  int status = keep_module(s->capture, k->module, name, sizeof name, e);
  if (status) return status;
  snprintf(path, sizeof path, "%s/%s", s->capture, LAUNCH_CAPTURE_FILE);
  json_t *j = json_pack("{s:s,s:s,s:s,s:o,s:o,s:o,s:I}", "module", name, "file", ptx_module_file(k->module), "kernel",
                        k->name, "grid", triple(grid), "block", triple(block), "parameters",
                        hex(params, k->param_bytes), "memory_bytes", (json_int_t)s->config.memory_mib << 20);
  invariant(j, "the host has no memory for a launch");
  FILE *f = fopen(path, "a");
  bool bad = !f || json_dumpf(j, f, JSON_COMPACT) || fputc('\n', f) == EOF;
  json_decref(j);
  if (f && fclose(f)) bad = true;
  return bad ? err_set(e, ERR_FILE, "cannot write %s: %s", path, strerror(errno)) : 0;
}
