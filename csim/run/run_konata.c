/* SPDX-License-Identifier: Apache-2.0 */
#include "run/run_konata.h"

#include "base/err.h"
#include "base/out_file.h"
#include "core/steps.h"
#include "ptx/ptx.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPERATIONS_FIRST = 4096, OPERATIONS_MAX = 1 << 22, TEXT_MAX = 120, WARPS = 64, UNDER_WAY_MAX = 4096 };
#define NONE UINT32_MAX

struct operation {
  uint64_t fetched, issued, done; /* core cycles; done: the first in which its results can be read */
  uint64_t cta;
  const char *text;                                /* of the launch's texts */
  uint32_t launch, pc, warp, index, lanes, before; /* before: the warp's operation before this one, or NONE */
};

/* Copies of the lines of a launch's kernel, whose module may be unloaded before the end. */
struct texts {
  struct texts *next;
  uint32_t n;
  char *line[]; /* by operation; NULL: not needed so far */
};

struct run_konata {
  struct step_recorder steps;
  struct operation *op;
  uint32_t n, room, launch;
  uint64_t lost;
  uint32_t last[WARPS]; /* the latest operation of each hardware warp, or NONE */
  const struct ptx_kernel *kernel;
  struct texts *texts;
};

/* ---- what the SM shows ---- */

static const char *text_of(struct run_konata *k, uint32_t pc) {
  struct texts *t = k->texts;
  if (!t || pc >= t->n) return "";
  if (t->line[pc]) return t->line[pc];
  const char *text = ptx_op_text(k->kernel, pc);
  text += strspn(text, " \t");
  size_t length = strcspn(text, "\n");
  t->line[pc] = strndup(text, length < TEXT_MAX ? length : TEXT_MAX);
  for (char *c = t->line[pc]; c && *c; c++)
    if (*c < ' ' || *c > '~') *c = ' ';
  return t->line[pc] ? t->line[pc] : "";
}

static bool grow(struct run_konata *k) {
  uint32_t room = k->room ? k->room * 2 : OPERATIONS_FIRST;
  struct operation *op = room <= OPERATIONS_MAX ? realloc(k->op, room * sizeof *op) : NULL;
  if (!op) return false;
  k->op = op;
  k->room = room;
  return true;
}

/* Until its results are known an operation lasts a cycle. */
static void on_issue(void *context, const struct step_record *r) {
  struct run_konata *k = context;
  if (k->n == k->room && !grow(k)) {
    k->lost++;
    return;
  }
  k->op[k->n] = (struct operation){.fetched = r->fetched < r->cycle ? r->fetched : r->cycle,
                                   .issued = r->cycle,
                                   .done = r->cycle + 1,
                                   .cta = r->cta,
                                   .text = text_of(k, r->pc),
                                   .launch = k->launch,
                                   .pc = r->pc,
                                   .warp = r->warp,
                                   .index = r->index,
                                   .lanes = (uint32_t)__builtin_popcount(r->lanes),
                                   .before = k->last[r->warp]};
  k->last[r->warp] = k->n++;
}

/* Of several that are under way it is the latest one. */
static void on_done(void *context, uint32_t warp, const struct ptx_op *op, uint64_t cycle) {
  struct run_konata *k = context;
  uint32_t pc = (uint32_t)(op - k->kernel->ops), i = k->last[warp];
  for (uint32_t back = 0; i != NONE && back < UNDER_WAY_MAX; back++, i = k->op[i].before) {
    if (k->op[i].pc != pc) continue;
    if (cycle > k->op[i].done) k->op[i].done = cycle;
    return;
  }
}

void run_konata_launch(struct run_konata *k, const struct ptx_kernel *kernel, uint32_t launch) {
  if (!k) return;
  k->kernel = kernel;
  k->launch = launch;
  memset(k->last, 0xff, sizeof k->last);
  struct texts *t = calloc(1, sizeof *t + kernel->n_ops * sizeof *t->line);
  if (!t) return; /* no texts, then */
  t->n = kernel->n_ops;
  t->next = k->texts;
  k->texts = t;
}

/* ---- the file ---- */

/* A line of the format, at its cycle; those of a cycle in the order of their operations. */
struct command {
  uint64_t cycle;
  uint32_t op;
  uint8_t what;
};
enum what { BEGIN, ISSUE, EXECUTE, RETIRE };

static int by_cycle(const void *a, const void *b) {
  const struct command *x = a, *y = b;
  if (x->cycle != y->cycle) return x->cycle < y->cycle ? -1 : 1;
  if (x->op != y->op) return x->op < y->op ? -1 : 1;
  return (int)x->what - (int)y->what;
}

static void put_command(FILE *f, const struct operation *o, uint32_t id, enum what what, uint64_t *retired) {
  switch (what) {
    case BEGIN:
      fprintf(f, "I\t%u\t%u\t%u\nL\t%u\t0\t%" PRIu64 ".%u: %s\n", id, id, o->warp, id, o->cta, o->index, o->text);
      fprintf(f, "L\t%u\t1\tlaunch %u, CTA %" PRIu64 ", warp %u of it, operation %u, %u lanes\nS\t%u\t0\tW\n", id,
              o->launch, o->cta, o->index, o->pc, o->lanes, id);
      break;
    case ISSUE: fprintf(f, "E\t%u\t0\tW\nS\t%u\t0\tI\n", id, id); break;
    case EXECUTE: fprintf(f, "E\t%u\t0\tI\nS\t%u\t0\tX\n", id, id); break;
    case RETIRE:
      fprintf(f, "E\t%u\t0\t%s\nR\t%u\t%" PRIu64 "\t0\n", id, o->done > o->issued + 1 ? "X" : "I", id, (*retired)++);
  }
}

static void put_commands(FILE *f, const struct run_konata *k, struct command *c) {
  size_t n = 0;
  uint64_t now = 0, retired = 0;
  for (uint32_t i = 0; i < k->n; i++) {
    const struct operation *o = &k->op[i];
    c[n++] = (struct command){o->fetched, i, BEGIN};
    c[n++] = (struct command){o->issued, i, ISSUE};
    if (o->done > o->issued + 1) c[n++] = (struct command){o->issued + 1, i, EXECUTE};
    c[n++] = (struct command){o->done, i, RETIRE};
  }
  qsort(c, n, sizeof *c, by_cycle);
  fprintf(f, "Kanata\t0004\nC=\t%" PRIu64 "\n", n ? now = c[0].cycle : 0);
  for (size_t i = 0; i < n; i++) {
    if (c[i].cycle != now) fprintf(f, "C\t%" PRIu64 "\n", c[i].cycle - now);
    now = c[i].cycle;
    put_command(f, &k->op[c[i].op], c[i].op, (enum what)c[i].what, &retired);
  }
}

int run_konata_write(struct run_konata *k, const struct session *n, struct err *e) {
  char path[SESSION_TEXT_BYTES + 32];
  struct out_file o;
  snprintf(path, sizeof path, "%s/konata.sm%u.log", n->out_dir, n->konata_sm);
  struct command *c = malloc(((size_t)k->n + 1) * 4 * sizeof *c);
  if (!c) return err_set(e, ERR_LIMIT, "out of memory for %s", path);
  int status = out_file_open(&o, path, e);
  if (!status) {
    put_commands(o.f, k, c);
    status = out_file_commit(&o, e);
  }
  free(c);
  if (k->lost)
    fprintf(stderr, "tandem: %" PRIu64 " operations are missing in %s, which holds at most %d; simulate less\n",
            k->lost, path, (int)OPERATIONS_MAX);
  return status;
}

/* ---- begin and end ---- */

int run_konata_create(const struct session *n, struct run_konata **konata, struct err *e) {
  *konata = NULL;
  if (!(n->events & EVENTS_KONATA) || !*n->out_dir) return 0;
  struct run_konata *k = *konata = calloc(1, sizeof *k);
  if (!k) return err_set(e, ERR_LIMIT, "out of memory for the pipeline of SM %u", n->konata_sm);
  k->steps = (struct step_recorder){.context = k, .issue = on_issue, .done = on_done};
  memset(k->last, 0xff, sizeof k->last);
  return 0;
}

const struct step_recorder *run_konata_steps(const struct run_konata *k) { return k ? &k->steps : NULL; }

void run_konata_free(struct run_konata *k) {
  if (!k) return;
  for (struct texts *t = k->texts, *next; t; t = next) {
    next = t->next;
    for (uint32_t i = 0; i < t->n; i++) free(t->line[i]);
    free(t);
  }
  free(k->op);
  free(k);
}
