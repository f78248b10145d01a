/* SPDX-License-Identifier: Apache-2.0 */
#include "explain.h"

#include "base/err.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- places ---- */

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* A file of the tree that Yosys read, maybe in another checkout with the same cache: "FAMILY/BLOCK.v" below the folder rtl, or NULL. */
static const char *below_rtl(const char *file, char path[PLACE_BYTES + 200]) {
  const char *found = NULL;
  for (const char *at = strstr(file, "/rtl/"); at; at = strstr(at + 1, "/rtl/")) found = at + 5;
  if (!found) return NULL;
  snprintf(path, PLACE_BYTES + 200, "%s/%s", rtl_paths_default().rtl, found);
  return access(path, R_OK) ? NULL : found;
}

/* RTL with planted bugs is the files of the block and of its parts, one after the other, with lines for tandem_bug_i added
 * (scripts/gen/plant.py). If the place is in it: the module's name, and in *line the line of its own file. */
static bool in_bugs(const struct explanation *x, const char *file, uint32_t *line, char module[64]) {
  char text[1024];
  if (!x->bug_file || strcmp(base_name(file), base_name(x->bug_file)) != 0) return false;
  FILE *f = fopen(x->bug_file, "r");
  uint32_t own = 0, wanted = *line;
  bool passed = false; /* the line that was asked for; the name may come behind it */
  *module = 0;
  for (uint32_t i = 1; f && fgets(text, sizeof text, f) && !(passed && *module); i++) {
    const char *word = text + strspn(text, " ");
    if (!strncmp(word, "// SPDX", 7)) {
      own = 0;
      *module = 0;
    }
    own +=
      strncmp(word, ".tandem_bug_i(", 14) != 0 && (strncmp(word, "input", 5) != 0 || !strstr(word, " tandem_bug_i,"));
    if (!*module) sscanf(word, "module %63[A-Za-z0-9_]", module);
    if (i == wanted) *line = own;
    passed |= i >= wanted;
  }
  if (f) fclose(f);
  return true;
}

void explain_place(const struct explanation *x, const char *file, uint32_t line, char *out, size_t size) {
  char path[PLACE_BYTES + 200], module[64];
  *out = 0;
  if (!file) return;
  if (in_bugs(x, file, &line, module)) {
    snprintf(out, size, "rtl/%s/%s.v:%u", x->s->desc->family, module, line);
    return;
  }
  const char *below = below_rtl(file, path);
  snprintf(out, size, below ? "rtl/%s:%u" : "%s:%u", below ? below : file, line);
}

void explain_source(const struct explanation *x, const char *file, uint32_t line, char *out, size_t size) {
  char path[PLACE_BYTES + 200], text[1024], module[64];
  *out = 0;
  if (!file) return;
  if (!below_rtl(file, path)) snprintf(path, sizeof path, "%s", file);
  if (in_bugs(x, file, &line, module))
    snprintf(path, sizeof path, "%s/%s/%s.v", rtl_paths_default().rtl, x->s->desc->family, module);
  FILE *f = fopen(path, "r");
  bool found = false;
  for (uint32_t i = 1; f && i <= line; i++) found = fgets(text, sizeof text, f) != NULL;
  if (f) fclose(f);
  if (!found) return;
  char *from = text;
  while (isspace((unsigned char)*from)) from++;
  from[strcspn(from, "\n")] = 0;
  snprintf(out, size, "%s", from);
}

/* ---- how it reached the port ---- */

struct path {
  const struct netlist *n;
  uint32_t *from, *queue, n_queue, at;
  bool over; /* memory */
};

static void meet(void *context, uint32_t bit) {
  struct path *p = context;
  if (p->from[bit] != NETLIST_NONE) return;
  p->from[bit] = p->at;
  p->queue[p->n_queue++] = bit;
}

static void put_link(struct explanation *x, uint64_t cycle, const char *name, const char *file, uint32_t line) {
  if (x->n_chain < CHAIN_MAX) x->chain[x->n_chain++] = (struct chain_link){cycle, name, file, line};
}

/* The name of a bit that the source gives it, the shortest; NULL: none. */
static const struct netlist_name *name_of(const struct netlist *n, uint32_t bit) {
  const struct netlist_name *best = NULL;
  for (uint32_t i = 0; i < n->n_names; i++)
    for (uint32_t k = 0; k < n->names[i].bits.n; k++)
      if (n->names[i].bits.bit[k] == bit && (!best || strlen(n->names[i].name) < strlen(best->name)))
        best = &n->names[i];
  return best;
}

/* The difference of the register that holds the bit, if it differs in this cycle or before; NULL: none. */
static const struct difference *holder(const struct explanation *x, const struct trail *t, const struct twins *twins,
                                       uint32_t bit, uint64_t cycle) {
  for (uint32_t i = 0; i < t->differences.n; i++) {
    const struct difference *d = &t->differences.list[i];
    if (!d->is_register || d->cycle > cycle) continue;
    const struct block_field *f = d->field;
    uint32_t rows = f->depth ? f->depth(x->s->params) : 1;
    for (uint32_t k = 8 * f->offset; k < 8 * (f->offset + rows * f->slot); k++)
      if (twins->regs[k] == bit) return d;
  }
  return NULL;
}

/* From bits that differ in a cycle back to a register that does: adds the signals on the shortest way. */
static const struct difference *walk_back(struct explanation *x, const struct trail *t, const struct twins *twins,
                                          const uint32_t *from, uint32_t n, uint64_t cycle, const uint8_t *value) {
  size_t bytes = (x->n.n_bits + 1) * sizeof(uint32_t);
  struct path p = {.n = &x->n, .from = malloc(bytes), .queue = malloc(bytes)};
  const struct difference *found = NULL;
  if (p.from && p.queue) {
    memset(p.from, 0xff, bytes);
    p.at = NETLIST_ZERO;
    for (uint32_t i = 0; i < n; i++)
      if (from[i] > NETLIST_ONE && from[i] != NETLIST_NONE) meet(&p, from[i]);
    uint32_t i = 0;
    for (; i < p.n_queue && !found; i++) {
      p.at = p.queue[i];
      found = x->n.driver[p.at] == NETLIST_NONE ? holder(x, t, twins, p.at, cycle) : NULL;
      if (!found) netlist_sources(&x->n, p.at, value, meet, &p);
    }
    const char *way[CHAIN_MAX];
    const struct netlist_cell *cell[CHAIN_MAX];
    uint32_t n_way = 0;
    for (uint32_t bit = found ? p.from[p.at] : NETLIST_ZERO; bit > NETLIST_ONE && n_way < CHAIN_MAX;
         bit = p.from[bit]) {
      const struct netlist_name *name = name_of(&x->n, bit);
      if (!name) continue;
      cell[n_way] = x->n.driver[bit] == NETLIST_NONE ? NULL : &x->n.cells[x->n.driver[bit]];
      way[n_way++] = name->name;
    }
    for (uint32_t k = n_way; k-- > 0;)
      put_link(x, cycle, way[k], cell[k] ? cell[k]->file : NULL, cell[k] ? cell[k]->line : 0);
  }
  free(p.from);
  free(p.queue);
  return found;
}

static const struct trail_row *row_at(const struct trail *t, uint64_t cycle, bool before) {
  for (size_t back = 0; back < TRAIL_ROWS; back++) {
    const struct trail_row *rows[2] = {trail_back(&t->last, back), trail_back(&t->before, back)};
    for (int k = 0; k < 2; k++)
      if (rows[k] && (before ? rows[k]->cycle < cycle : rows[k]->cycle == cycle)) return rows[k];
  }
  return NULL;
}

/* The bits of outputs that differ in a row. */
static uint32_t wrong_outputs(const struct twins *twins, const struct trail_row *row, uint32_t *bits) {
  const struct block_desc *d = twins->desc;
  uint32_t n = 0;
  for (uint32_t k = 0; k < d->n_out; k++) {
    const struct block_field *f = &d->out[k];
    if (!block_output_counts(d, f, row->out)) continue;
    for (uint32_t i = 8 * f->offset; i < 8 * (f->offset + f->slot); i++)
      if (((row->out[i / 8] ^ row->rtl_out[i / 8]) >> (i % 8) & 1) && twins->out[i] != NETLIST_NONE)
        bits[n++] = twins->out[i];
  }
  return n;
}

static uint32_t next_bits(const struct twins *twins, const struct difference *d, uint32_t *bits) {
  uint32_t n = 0, at = 8 * (d->field->offset + d->row * d->field->slot);
  for (uint32_t i = 0; i < 8 * d->field->slot; i++) {
    bool wrong = (d->expected[i / 8] ^ d->actual[i / 8]) >> (i % 8) & 1;
    uint32_t q = twins->regs[at + i];
    if (wrong && q != NETLIST_NONE && twins->n->next[q] != NETLIST_NONE) bits[n++] = twins->n->next[q];
  }
  return n;
}

/* From the port that was reported back to the first difference, register by register. */
static void find_chain(struct explanation *x, const struct trail *t, struct twins *twins) {
  const struct block_desc *d = x->s->desc;
  uint32_t *bits = malloc(8 * ((size_t)d->out_bytes + d->regs_bytes + 1) * sizeof *bits);
  const struct trail_row *row = trail_back(&t->last, 0);
  uint32_t n = row && bits ? wrong_outputs(twins, row, bits) : 0;
  while (n && row && x->n_chain < CHAIN_MAX) {
    twins_evaluate(twins, row, row->in);
    const struct difference *from = walk_back(x, t, twins, bits, n, row->cycle, twins->value);
    if (!from) break;
    const char *name = from->field->rtl ? from->field->rtl : from->field->name;
    uint32_t q = twins->regs[8 * (from->field->offset + from->row * from->field->slot)];
    bool known = q != NETLIST_NONE && q < x->n.n_bits && x->n.next[q] != NETLIST_NONE;
    put_link(x, from->cycle, name, known ? x->n.clocked_file[q] : NULL, known ? x->n.clocked_line[q] : 0);
    if (from == x->first || from->cycle <= x->first->cycle) break;
    row = row_at(t, from->cycle, true);
    n = next_bits(twins, from, bits);
  }
  free(bits);
}

/* ---- the whole ---- */

static void find_first(struct explanation *x, const struct trail *t) {
  for (uint32_t i = 0; i < t->differences.n; i++) {
    const struct difference *d = &t->differences.list[i];
    bool earlier = !x->first || d->cycle < x->first->cycle;
    if (earlier || (d->cycle == x->first->cycle && d->is_register && !x->first->is_register)) x->first = d;
  }
  if (x->first) x->failing = trail_back(&t->before, x->first->is_register);
}

static int find_suspects(struct explanation *x, const struct trail *t, struct twins *twins, struct err *e) {
  const struct block_desc *d = x->s->desc;
  uint32_t *bits = malloc(8 * ((size_t)d->out_bytes + d->regs_bytes + 1) * sizeof *bits);
  if (!bits) return err_set(e, ERR_LIMIT, "out of memory for the netlist of %s", d->name);
  uint32_t n = x->first->is_register ? next_bits(twins, x->first, bits) : wrong_outputs(twins, x->failing, bits);
  int status = suspects_find(&x->suspects, twins, x->failing, &t->before, bits, n, e);
  free(bits);
  return status;
}

static int use_netlist(struct explanation *x, const struct trail *t, uint32_t bug, struct err *e) {
  struct twins twins;
  struct err why = {0};
  int status = twins_open(&twins, x->s, &x->n, bug, &why);
  if (status) snprintf(x->missing, sizeof x->missing, "%s", why.text);
  else if (x->failing) status = find_suspects(x, t, &twins, e);
  if (*x->missing) status = 0;
  if (!status && x->n.complete) find_chain(x, t, &twins);
  twins_close(&twins);
  return status;
}

int explain(struct explanation *x, const struct trail *t, uint32_t bug, const char *bug_rtl, struct err *e) {
  struct rtl_paths paths = rtl_paths_default();
  struct err why = {0};
  *x = (struct explanation){.s = t->s, .bug_file = bug ? bug_rtl : NULL};
  find_first(x, t);
  if (!x->first) return 0;
  if (rtl_netlist(&paths, t->s->desc, t->s->params, x->bug_file, bug, &x->n, &why)) {
    snprintf(x->missing, sizeof x->missing, "%.*s", (int)strcspn(why.text, "\n"), why.text);
    return 0;
  }
  x->has_netlist = true;
  return use_netlist(x, t, bug, e);
}

void explain_free(struct explanation *x) {
  suspects_free(&x->suspects);
  if (x->has_netlist) netlist_free(&x->n);
  *x = (struct explanation){0};
}
