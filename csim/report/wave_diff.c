/* SPDX-License-Identifier: Apache-2.0 */
#include "report/wave_diff.h"

#include "base/err.h"
#include "base/json_out.h"
#include "base/vcd_stream.h"
#include "block/block.h"
#include "rtl_netlist.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const wave_roles[ROLES] = {"input", "register", "inside", "output", "C model", "socket"};

/* A signal of both waves. */
struct pair {
  uint32_t name[2];
};

struct comparison {
  struct wave_diff *d;
  struct vcd_stream v[2];
  struct pair *pairs; /* by name of the first wave */
  uint32_t n_pairs;
  uint32_t *first[2]; /* of a value: its first pair + 1 */
  uint32_t *next[2];  /* of a pair: the next pair of the same value + 1 */
};

/* ---- pairs ---- */

static int by_name(const void *a, const void *b, void *wave) {
  const struct vcd_stream *v = wave;
  return strcmp(v->names[*(const uint32_t *)a].name, v->names[*(const uint32_t *)b].name);
}

static uint32_t *sorted_names(struct vcd_stream *v) {
  uint32_t *order = malloc((v->n_names + 1) * sizeof *order);
  if (!order) return NULL;
  for (uint32_t i = 0; i < v->n_names; i++) order[i] = i;
  qsort_r(order, v->n_names, sizeof *order, by_name, v);
  return order;
}

static void add_pair(struct comparison *c, uint32_t a, uint32_t b) {
  struct pair *p = &c->pairs[c->n_pairs++];
  *p = (struct pair){{a, b}};
  for (int k = 0; k < 2; k++) {
    uint32_t value = c->v[k].names[p->name[k]].value;
    c->next[k][c->n_pairs - 1] = c->first[k][value];
    c->first[k][value] = c->n_pairs;
  }
}

static bool make_pairs(struct comparison *c) {
  uint32_t *order[2] = {sorted_names(&c->v[0]), sorted_names(&c->v[1])}, i = 0, k = 0;
  c->pairs = malloc((c->v[0].n_names + 1) * sizeof *c->pairs);
  bool ok = order[0] && order[1] && c->pairs;
  for (int w = 0; w < 2; w++) {
    c->first[w] = calloc(c->v[w].n_values + 1, sizeof *c->first[w]);
    c->next[w] = calloc(c->v[0].n_names + 1, sizeof *c->next[w]);
    ok = ok && c->first[w] && c->next[w];
  }
  while (ok && i < c->v[0].n_names && k < c->v[1].n_names) {
    int sign = strcmp(c->v[0].names[order[0][i]].name, c->v[1].names[order[1][k]].name);
    if (!sign) add_pair(c, order[0][i++], order[1][k++]);
    else if (sign < 0) i++, c->d->only[0]++;
    else k++, c->d->only[1]++;
  }
  if (ok) {
    c->d->only[0] += c->v[0].n_names - i;
    c->d->only[1] += c->v[1].n_names - k;
    c->d->compared = c->n_pairs;
  }
  free(order[0]);
  free(order[1]);
  return ok;
}

static const struct vcd_value *value_of(const struct comparison *c, int k, uint32_t pair) {
  return &c->v[k].values[c->v[k].names[c->pairs[pair].name[k]].value];
}

static bool differs(const struct comparison *c, uint32_t pair) {
  const struct vcd_value *a = value_of(c, 0, pair), *b = value_of(c, 1, pair);
  return a->known && b->known && strcmp(a->bits, b->bits) != 0;
}

/* ---- roles ---- */

/* The block and the name below its instance of "PATH.B_socket.dut.NAME"; of "PATH.B_socket.c_model...." the name starts so. */
static const struct block_desc *block_of(const char *name, const char **below) {
  const char *socket = name ? strstr(name, "_socket.") : NULL;
  char block[128];
  if (!socket) return NULL;
  const char *from = socket;
  while (from > name && from[-1] != '.') from--;
  snprintf(block, sizeof block, "%.*s", (int)(socket - from), from);
  *below = socket + strlen("_socket.");
  return block_find(block);
}

static bool is_port(const struct block_field *f, uint32_t n, const char *name, const char *suffix) {
  char port[160];
  for (uint32_t i = 0; i < n; i++) {
    snprintf(port, sizeof port, "%s%s", f[i].name, suffix);
    if (!strcmp(port, name)) return true;
  }
  return false;
}

static bool is_register(const struct block_desc *desc, const char *name) {
  size_t n = strcspn(name, "[");
  for (uint32_t i = 0; i < desc->n_regs; i++) {
    const char *reg = desc->regs[i].rtl ? desc->regs[i].rtl : desc->regs[i].name;
    if (strlen(reg) == n && !strncmp(reg, name, n)) return true;
  }
  return false;
}

static enum wave_role role_of(const char *name) {
  const char *below = NULL;
  const struct block_desc *desc = block_of(name, &below);
  if (!desc || !below) return ROLE_INSIDE;
  if (!strncmp(below, "c_model.", 8)) return ROLE_MODEL;
  if (strncmp(below, "dut.", 4) != 0) return ROLE_SOCKET;
  below += 4;
  if (!strcmp(below, "tandem_bug_i")) return ROLE_INPUT;
  if (is_port(desc->in, desc->n_in, below, "_i")) return ROLE_INPUT;
  if (is_port(desc->out, desc->n_out, below, "_o")) return ROLE_OUTPUT;
  return is_register(desc, below) ? ROLE_REGISTER : ROLE_INSIDE;
}

/* The places of the block's signals in its netlist; of the default parameters, and only if its model has been verilated. */
static void rank(struct wave_diff *d) {
  const struct rtl_paths paths = rtl_paths_default();
  const struct block_desc *of = NULL;
  struct netlist n;
  bool loaded = false;
  for (uint32_t i = 0; i < d->n; i++) {
    const char *below = NULL;
    const struct block_desc *desc = block_of(d->list[i].name, &below);
    if (!desc || !below || d->list[i].role != ROLE_INSIDE || strlen(below) < 4) continue;
    if (desc != of) {
      int32_t params[BLOCK_PARAMS_MAX];
      if (loaded) netlist_free(&n);
      block_default_params(desc, params);
      loaded =
        !desc->own && rtl_cache_has(&paths, desc, params) && !rtl_netlist(&paths, desc, params, NULL, 0, &n, NULL);
      of = desc;
    }
    const struct netlist_name *name = loaded ? netlist_find(&n, below + 4) : NULL;
    for (uint32_t k = 0; name && k < name->bits.n; k++) {
      uint32_t cell = n.driver[name->bits.bit[k]];
      if (cell != NETLIST_NONE && cell >= d->list[i].rank) d->list[i].rank = cell + 1;
    }
  }
  if (loaded) netlist_free(&n);
}

static int by_flow(const void *a, const void *b) {
  const struct wave_difference *x = a, *y = b;
  if (x->role != y->role) return x->role < y->role ? -1 : 1;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static bool collect(struct comparison *c) {
  struct wave_diff *d = c->d;
  d->list = calloc(c->n_pairs + 1, sizeof *d->list);
  for (uint32_t i = 0; i < c->n_pairs && d->list; i++) {
    if (!differs(c, i)) continue;
    const struct vcd_name *name = &c->v[0].names[c->pairs[i].name[0]];
    struct wave_difference *to = &d->list[d->n++];
    *to = (struct wave_difference){.name = strdup(name->name), .width = name->width, .order = c->pairs[i].name[0]};
    for (int k = 0; k < 2; k++) to->value[k] = strdup(value_of(c, k, i)->bits);
    if (!to->name || !to->value[0] || !to->value[1]) return false;
    to->role = role_of(name->name);
  }
  if (!d->list) return false;
  rank(d);
  qsort(d->list, d->n, sizeof *d->list, by_flow);
  return true;
}

/* ---- time ---- */

/* Whether a changed value of this wave belongs to a pair that now differs. */
static bool change_differs(const struct comparison *c, int k) {
  for (uint32_t i = 0; i < c->v[k].n_changed; i++)
    for (uint32_t p = c->first[k][c->v[k].changed[i]]; p; p = c->next[k][p - 1])
      if (differs(c, p - 1)) return true;
  return false;
}

static int compare(struct comparison *c, struct err *e) {
  int status = 0;
  for (int k = 0; k < 2 && !status; k++) status = vcd_stream_step(&c->v[k], e); /* up to the first time */
  while (!status && !c->v[0].ended && !c->v[1].ended) {
    uint64_t time = c->v[0].next < c->v[1].next ? c->v[0].next : c->v[1].next;
    bool steps[2] = {c->v[0].next == time, c->v[1].next == time}, found = false;
    for (int k = 0; k < 2 && !status; k++) {
      if (steps[k]) status = vcd_stream_step(&c->v[k], e);
      else c->v[k].n_changed = 0;
    }
    for (int k = 0; k < 2; k++) found |= change_differs(c, k);
    if (!found || status) continue;
    c->d->differs = true;
    c->d->time = time;
    return collect(c) ? 0 : err_set(e, ERR_LIMIT, "out of memory for the differences");
  }
  for (int k = 0; k < 2; k++) c->d->shorter[k] = c->v[k].ended && !c->v[!k].ended;
  return status;
}

int wave_diff_load(struct wave_diff *d, const char *const path[2], struct err *e) {
  struct comparison c = {.d = d};
  *d = (struct wave_diff){.path = {path[0], path[1]}};
  int status = vcd_stream_open(&c.v[0], path[0], e);
  if (!status) status = vcd_stream_open(&c.v[1], path[1], e);
  if (!status && strcmp(c.v[0].timescale, c.v[1].timescale) != 0)
    status = err_set(e, ERR_VALUE, "%s counts time in %s, %s in %s; make both with the same unit", path[0],
                     c.v[0].timescale, path[1], c.v[1].timescale);
  snprintf(d->timescale, sizeof d->timescale, "%s", c.v[0].timescale);
  if (!status && !make_pairs(&c)) status = err_set(e, ERR_LIMIT, "out of memory for the signals of %s", path[0]);
  if (!status && !c.n_pairs)
    status = err_set(e, ERR_VALUE, "%s and %s have no signal of the same name; are they of the same design?", path[0],
                     path[1]);
  if (!status) status = compare(&c, e);
  for (int k = 0; k < 2; k++) {
    vcd_stream_close(&c.v[k]);
    free(c.first[k]);
    free(c.next[k]);
  }
  free(c.pairs);
  if (status) wave_diff_free(d);
  return status;
}

void wave_diff_free(struct wave_diff *d) {
  for (uint32_t i = 0; i < d->n; i++) {
    free(d->list[i].name);
    free(d->list[i].value[0]);
    free(d->list[i].value[1]);
  }
  free(d->list);
  d->list = NULL;
  d->n = 0;
}

/* ---- print ---- */

/* Hexadecimal, or bits where some are unknown. */
static void value_text(const char *bits, char *out, size_t size) {
  size_t n = strlen(bits), at = 0;
  if (n == 1 || strspn(bits, "01") != n) {
    snprintf(out, size, "%s", bits);
    return;
  }
  at += (size_t)snprintf(out, size, "0x");
  bool some = false;
  for (size_t i = 0; i < n;) {
    size_t end = i + ((n - i) % 4 ? (n - i) % 4 : 4);
    unsigned digit = 0;
    for (; i < end; i++) digit = 2 * digit + (bits[i] == '1');
    some |= digit != 0 || i == n;
    if (some && at + 1 < size) at += (size_t)snprintf(out + at, size - at, "%x", digit);
  }
}

void wave_diff_print(const struct wave_diff *d, uint32_t most, FILE *f) {
  fprintf(f, "%u signals compared; %u only in %s, %u only in %s\n", d->compared, d->only[0], d->path[0], d->only[1],
          d->path[1]);
  for (int k = 0; k < 2; k++)
    if (d->shorter[k]) fprintf(f, "%s ends first; up to there the waves are equal\n", d->path[k]);
  if (!d->differs) {
    fprintf(f, "the same\n");
    return;
  }
  fprintf(f, "first difference at time %" PRIu64 " (unit %s), %u signals, in the order of data flow:\n", d->time,
          d->timescale, d->n);
  for (uint32_t i = 0; i < d->n && (!most || i < most); i++) {
    char a[80], b[80];
    value_text(d->list[i].value[0], a, sizeof a);
    value_text(d->list[i].value[1], b, sizeof b);
    fprintf(f, "  %-9s %-50s %s | %s\n", wave_roles[d->list[i].role], d->list[i].name, a, b);
  }
  if (most && d->n > most) fprintf(f, "  and %u more\n", d->n - most);
}

void wave_diff_print_json(const struct wave_diff *d, FILE *f) {
  json_t *rows = json_array();
  for (uint32_t i = 0; i < d->n; i++)
    json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:s}", "name", d->list[i].name, "role",
                                          wave_roles[d->list[i].role], "first", d->list[i].value[0], "second",
                                          d->list[i].value[1]));
  json_t *j = json_pack("{s:b, s:I, s:s, s:i, s:i, s:i, s:o}", "differs", d->differs, "time", (json_int_t)d->time,
                        "unit", d->timescale, "compared", (int)d->compared, "only_first", (int)d->only[0],
                        "only_second", (int)d->only[1], "signals", rows);
  json_out(j, "wave-diff/1", 0, f);
  json_decref(j);
}
