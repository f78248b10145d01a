/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/list_gpus.h"

#include "base/err.h"
#include "config/gpu_config.h"
#include "run/session.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* First comment line of a GPU configuration file after the licence line says what it is. */
static void config_brief(const char *path, char *out, size_t size) {
  FILE *f = fopen(path, "r");
  char line[512];
  *out = 0;
  while (f && !*out && fgets(line, sizeof line, f))
    if (line[0] == '#' && !strstr(line, "SPDX")) snprintf(out, size, "%.*s", (int)strcspn(line + 2, "\n"), line + 2);
  if (f) fclose(f);
}

static int load(const char *name, struct gpu_config *m, struct err *e) {
  gpu_config_defaults(m);
  int status = gpu_config_load(m, session_config_dir(), name, e);
  return status ? status : gpu_config_check(m, e);
}

/* Warp instructions a second: every scheduler starts sm.simd_width of 32 lanes a cycle. */
static double peak_instructions(const struct gpu_config *m) {
  return (double)(m->sm_count * m->sm_schedulers * m->sm_simd_width) / 32 * (double)m->core_khz * 1e3;
}

static double peak_bytes(const struct gpu_config *m) {
  return (double)(m->dram_channels * m->dram_bytes_per_clock) * (double)m->dram_khz * 1e3;
}

static int add_config(json_t *rows, const char *name, const char *path, struct err *e) {
  struct gpu_config m;
  char brief[512];
  int status = load(name, &m, e);
  if (status) return status;
  config_brief(path, brief, sizeof brief);
  return json_array_append_new(
           rows, json_pack("{s:s, s:s, s:I, s:I, s:f, s:f, s:I, s:I, s:I, s:I, s:I, s:s}", "name", name, "brief", brief,
                           "sms", (json_int_t)m.sm_count, "core_khz", (json_int_t)m.core_khz,
                           "peak_warp_instructions_per_second", peak_instructions(&m), "peak_dram_bytes_per_second",
                           peak_bytes(&m), "dram_channels", (json_int_t)m.dram_channels, "l1_bytes",
                           (json_int_t)m.l1_bytes, "shared_bytes", (json_int_t)m.sm_shared_bytes, "l2_bytes",
                           (json_int_t)m.l2_bytes, "line_bytes", (json_int_t)m.line_bytes, "source", path))
           ? err_set(e, ERR_LIMIT, "out of memory")
           : 0;
}

static int add_parameters(json_t *rows, const char *name, struct err *e) {
  struct gpu_config m;
  int status = load(name, &m, e);
  const struct gpu_parameter *p;
  for (unsigned i = 0; (p = gpu_parameter_at(i)) && !status; i++) {
    json_int_t value = (json_int_t)gpu_config_get(&m, p);
    json_t *row = json_pack("{s:s, s:s, s:s, s:I}", "name", p->key, "brief", p->sentence, "unit", p->unit, "default",
                            (json_int_t)p->default_value);
    const char *names = p->names;
    for (json_int_t k = 0; names && k < value; k++) names = strchr(names, '|') + 1;
    json_object_set_new(row, "value", names ? json_stringn(names, strcspn(names, "|")) : json_integer(value));
    json_array_append_new(rows, row);
  }
  return status;
}

int list_gpu_rows(json_t *rows, const char *only, struct err *e) {
  char dir[1024], path[1400];
  struct dirent **entries;
  if (only) return add_parameters(rows, only, e);
  snprintf(dir, sizeof dir, "%s/gpu", session_config_dir());
  int n = scandir(dir, &entries, NULL, alphasort), status = 0;
  if (n < 0) return err_set(e, ERR_FILE, "cannot read %s: %s; set TANDEM_CONFIG_DIR", dir, strerror(errno));
  for (int i = 0; i < n; i++) {
    char *dot = strstr(entries[i]->d_name, ".yaml");
    snprintf(path, sizeof path, "%s/%s", dir, entries[i]->d_name);
    if (dot) *dot = 0;
    if (dot && !status) status = add_config(rows, entries[i]->d_name, path, e);
    free(entries[i]);
  }
  free(entries);
  return status;
}

static json_int_t integer(const json_t *row, const char *key) { return json_integer_value(json_object_get(row, key)); }

static void print_cache(const char *name, json_int_t bytes) {
  if (!bytes) printf(", no %s", name);
  else if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) printf(", %s %lld MB", name, (long long)bytes >> 20);
  else printf(", %s %lld KB", name, (long long)bytes >> 10);
}

void list_gpu_print(const json_t *row) {
  double instructions = json_real_value(json_object_get(row, "peak_warp_instructions_per_second"));
  double bytes = json_real_value(json_object_get(row, "peak_dram_bytes_per_second"));
  printf("    %lld SMs at %.4g MHz: at most %.4g G warp instructions/s, %.4g G thread instructions/s\n",
         (long long)integer(row, "sms"), (double)integer(row, "core_khz") / 1e3, instructions / 1e9,
         instructions * 32 / 1e9);
  printf("    %lld memory channels: at most %.4g GB/s", (long long)integer(row, "dram_channels"), bytes / 1e9);
  print_cache("L2", integer(row, "l2_bytes"));
  print_cache("L1", integer(row, "l1_bytes"));
  print_cache("shared memory", integer(row, "shared_bytes"));
  printf(", lines of %lld bytes\n    source of every parameter: %s\n", (long long)integer(row, "line_bytes"),
         json_string_value(json_object_get(row, "source")));
}
