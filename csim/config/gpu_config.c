/* SPDX-License-Identifier: Apache-2.0 */
#include "config/gpu_config.h"

#include "base/err.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_BYTES = 256, CHOICES_ADDED = 64, CHECKS_MAX = 32 };
enum { OWN = offsetof(struct gpu_config, owned) / sizeof(int64_t) };

static struct gpu_parameter rows[OWN + GPU_CONFIG_OWNED] = {
#define X(...) PARAMETER_INTEGER(struct gpu_config, __VA_ARGS__)
#define E(...) PARAMETER_CHOICE(struct gpu_config, __VA_ARGS__)
#include "config/parameters.def"
};
static unsigned n_rows = OWN;
static int (*checks[CHECKS_MAX])(const struct gpu_config *, struct err *); /* checks of the owners */

const struct gpu_parameter *gpu_parameter_at(unsigned i) { return i < n_rows ? &rows[i] : NULL; }
unsigned gpu_parameter_count(void) { return n_rows; }

uint32_t gpu_parameters_join(const struct gpu_parameter *parameters, uint32_t n,
                             int (*check)(const struct gpu_config *, struct err *)) {
  unsigned first = n_rows - OWN, c = 0;
  invariant(n_rows + n <= OWN + GPU_CONFIG_OWNED, "no room for %u more parameters", n);
  for (uint32_t i = 0; i < n; i++) {
    invariant(!gpu_config_find(parameters[i].key), "the parameter %s is there twice", parameters[i].key);
    rows[n_rows] = parameters[i];
    rows[n_rows++].offset += offsetof(struct gpu_config, owned) + first * sizeof(int64_t);
  }
  while (c < CHECKS_MAX && checks[c]) c++;
  invariant(c < CHECKS_MAX, "more than %d checks", CHECKS_MAX);
  checks[c] = check;
  return first;
}

int64_t gpu_parameter_add_choice(const char *key, const char *name) {
  struct gpu_parameter *p = rows;
  while (p < rows + n_rows && strcmp(p->key, key) != 0) p++;
  invariant(p < rows + n_rows && p->names, "%s is no choice", key);
  int64_t value = 1;
  for (const char *c = p->names; *c; c++) value += *c == '|';
  static char names[CHOICES_ADDED][NAMES_BYTES];
  static unsigned used;
  invariant(used < CHOICES_ADDED && strlen(p->names) + strlen(name) + 2 <= NAMES_BYTES, "%s: no room for the name %s",
            key, name);
  snprintf(names[used], NAMES_BYTES, "%s|%s", p->names, name);
  p->names = names[used++];
  return value;
}

int gpu_config_check_owned(const struct gpu_config *m, struct err *e) {
  int code = 0;
  for (unsigned i = 0; i < CHECKS_MAX && !code; i++)
    if (checks[i]) code = checks[i](m, e);
  return code;
}

static int64_t *field(struct gpu_config *m, const struct gpu_parameter *p) {
  return (int64_t *)(void *)((char *)m + p->offset);
}

int64_t gpu_config_get(const struct gpu_config *m, const struct gpu_parameter *p) {
  int64_t value;
  memcpy(&value, (const char *)m + p->offset, sizeof value);
  return value;
}

void gpu_config_defaults(struct gpu_config *m) {
  for (unsigned i = 0; i < n_rows; i++) *field(m, &rows[i]) = rows[i].default_value;
}

const struct gpu_parameter *gpu_config_find(const char *key) {
  for (unsigned i = 0; i < n_rows; i++)
    if (!strcmp(rows[i].key, key)) return &rows[i];
  return NULL;
}

/* A key is also compared without sections ("tCL" with "dram.tCL"), which counts as one more edit. */
static unsigned key_distance(const char *asked, const char *known) {
  unsigned whole = text_distance(asked, known, true);
  const char *dot = strrchr(known, '.'), *asked_dot = strrchr(asked, '.');
  if (!dot) return whole;
  unsigned last = text_distance(asked_dot ? asked_dot + 1 : asked, dot + 1, true) + 1;
  return last < whole ? last : whole;
}

int gpu_config_unknown_key(const char *place, const char *key, struct err *e) {
  const char *best = rows[0].key;
  unsigned best_distance = UINT32_MAX;
  for (unsigned i = 0; i < n_rows; i++) {
    unsigned d = text_begins(key, rows[i].key) ? 1 : key_distance(key, rows[i].key);
    if (d >= best_distance) continue;
    best = rows[i].key;
    best_distance = d;
  }
  return err_set(e, ERR_VALUE, "%s: unknown key \"%s\"; the nearest known key is \"%s\"", place, key, best);
}

/* Parses the whole text as one integer. Returns NULL, or what is wrong with the text. */
static const char *parse_integer(const char *text, int64_t *out) {
  const char *digits = text + (*text == '-');
  int base = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10;
  if (base == 16) digits += 2;
  if (!*digits) return "is no number: write decimal digits or 0x and hexadecimal digits";
  for (const char *p = digits; *p; p++)
    if (base == 16 ? !isxdigit((unsigned char)*p) : !isdigit((unsigned char)*p))
      return "is no number: write decimal digits or 0x and hexadecimal digits, nothing else";
  if (base == 10 && digits[0] == '0' && digits[1]) return "has a leading zero: write it without, or as 0x...";
  errno = 0;
  *out = strtoll(text, NULL, base);
  return errno == ERANGE ? "is too large for 64 bits" : NULL;
}

/* Position of `text` in "a|b|c", or -1. */
static int64_t find_name(const char *names, const char *text) {
  size_t n = strlen(text);
  for (int64_t i = 0;; i++) {
    size_t length = strcspn(names, "|");
    if (length == n && !strncmp(names, text, n)) return i;
    if (!names[length]) return -1;
    names += length + 1;
  }
}

int gpu_config_assign(struct gpu_config *m, const struct gpu_parameter *p, const char *place, const char *text,
                      struct err *e) {
  int64_t value = 0;
  if (p->names) {
    value = find_name(p->names, text);
    if (value < 0) return err_set(e, ERR_VALUE, "%s: %s: \"%.60s\" is not one of %s", place, p->key, text, p->names);
  } else {
    const char *wrong = parse_integer(text, &value);
    if (wrong) return err_set(e, ERR_VALUE, "%s: %s: \"%.60s\" %s", place, p->key, text, wrong);
    if (value < p->min || value > p->max)
      return err_set(e, ERR_VALUE, "%s: %s: %s is outside %" PRId64 "..%" PRId64 "%s%s", place, p->key, text, p->min,
                     p->max, *p->unit ? " " : "", p->unit);
  }
  *field(m, p) = value;
  return 0;
}

int gpu_config_set(struct gpu_config *m, const char *origin, const char *assignment, struct err *e) {
  const char *equals = strchr(assignment, '=');
  char key[128];
  if (!equals || equals == assignment || (size_t)(equals - assignment) >= sizeof key)
    return err_set(e, ERR_USAGE, "%s: \"%.60s\" is no assignment: write key=value, as in dram.tCL=9", origin,
                   assignment);
  memcpy(key, assignment, (size_t)(equals - assignment));
  key[equals - assignment] = 0;
  const struct gpu_parameter *p = gpu_config_find(key);
  if (!p) return gpu_config_unknown_key(origin, key, e);
  return gpu_config_assign(m, p, origin, equals + 1, e);
}

static void raise_to_max(struct gpu_config *m, const char *key) {
  const struct gpu_parameter *p = gpu_config_find(key);
  *field(m, p) = p->max;
}

void gpu_config_idealise(struct gpu_config *m) {
  static const char *const keys[] = {"l1.mshrs",  "l1.mshr_merges",  "const.mshrs",     "const.mshr_merges",
                                     "tex.mshrs", "tex.mshr_merges", "noc.queue",       "noc.flit_bytes",
                                     "l2.queue",  "l2.mshrs",        "noc.buffer_flits"};
  if (m->ideal_resources != IDEAL_RESOURCES_UNLIMITED) return;
  if (!gpu_config_dram_by_block(m)) raise_to_max(m, "dram.queue");
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) raise_to_max(m, keys[i]);
}
