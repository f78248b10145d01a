/* SPDX-License-Identifier: Apache-2.0 */
/* Issue of assist warps' instructions. One of high priority has the slot of its parent's scheduler before any warp; one of low priority has it
 * if none of the scheduler's warps is ready. An instruction issues when the registers and predicates that it reads and writes are ready; its
 * result is there after the latency of its class (assumption: that of integer operations, of L1 for the line, of a branch for branches). */
#include "base/err.h"
#include "systems/caba/caba_internal.h"

#include <string.h>

/* ---- scoreboard of an assist warp ---- */

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Words of an assist warp issue in their order. */
uint64_t caba_word_ready(const struct caba_entry *e, const struct caba_word *word) {
  const struct aws_uses u = word->uses;
  uint64_t t = 0;
  for (uint64_t left = u.reads | u.writes; left; left &= left - 1) t = later(t, e->ready[__builtin_ctzll(left)]);
  for (uint32_t left = u.reads_predicates | u.writes_predicates; left; left &= left - 1)
    t = later(t, e->predicate[__builtin_ctz(left)]);
  if (u.reads_carry || u.writes_carry) t = later(t, e->carry);
  return t;
}

static void set_ready(struct caba_entry *e, const struct aws_uses u, uint64_t cycle) {
  for (uint64_t left = u.writes; left; left &= left - 1) e->ready[__builtin_ctzll(left)] = cycle;
  for (uint32_t left = u.writes_predicates; left; left &= left - 1) e->predicate[__builtin_ctz(left)] = cycle;
  if (u.writes_carry) e->carry = cycle;
  e->last = later(e->last, cycle);
}

static uint64_t latency_of(const struct caba_sm *s, const struct caba_entry *e, const struct aws_instruction *i) {
  const struct gpu_config *m = s->config;
  if (aws_shared_bytes(i->op)) return caba_shared_cycles(s, e, i) + (uint64_t)m->shared_latency;
  switch (aws_operations[i->op].unit) {
    case AWS_MEMORY: return (uint64_t)m->l1_latency;
    case AWS_FLOW: return (uint64_t)m->sm_latency_branch;
    default: return (uint64_t)m->sm_latency_int;
  }
}

/* ---- issue ---- */

static bool is_branch(const struct aws_instruction *i) { return i->op == AWS_BRA || i->op == AWS_BRX; }

static enum own_operation execute(struct caba_sm *s, const struct caba_word *word) {
  struct caba_entry *e = &s->entry[word->awt];
  uint64_t done = *s->sm.now + latency_of(s, e, &word->i);
  invariant(e->w.pc == word->number, "%s: word %u of a routine issues in place of word %u", s->awc_path, word->number,
            e->w.pc);
  if (word->shared) s->sm.take_shared_port(s->sm.sm, caba_shared_cycles(s, e, &word->i));
  assist_execute(&e->w, &word->i);
  if (e->w.prefetches) caba_prefetch(s, e->w.prefetch, e->warp);
  set_ready(e, word->uses, done);
  s->n->caba_instructions++;
  if (e->w.fault) s->sm.fault(s->sm.sm, e->warp, 0, assist_fault_sentence(e->w.fault));
  if (word->i.end) {
    s->ends |= caba_bit(word->awt);
    e->due = e->last;
  } else if (is_branch(&word->i)) {
    s->branches |= caba_bit(word->awt);
    e->due = done;
  }
  if (!word->line) return OWN_PLAIN;
  s->n->caba_line_accesses++;
  return OWN_L1;
}

static bool can_issue(const struct caba_sm *s, const struct caba_word *word, uint64_t ready, bool l1) {
  if (ready > *s->sm.now || (word->line && !l1)) return false;
  return !word->shared || s->sm.shared_port_free(s->sm.sm);
}

static enum own_operation issue(struct caba_sm *s, struct caba_buffer *b, uint32_t at) {
  struct caba_word word = b->word[at];
  b->n--;
  memmove(&b->word[at], &b->word[at + 1], (b->n - at) * sizeof *b->word);
  enum own_operation own = execute(s, &word);
  if (b->n) b->ready = caba_word_ready(&s->entry[b->word[0].awt], &b->word[0]);
  return own;
}

/* The warp served last while it can issue, else the lowest. */
static enum own_operation issue_high(struct caba_sm *s, uint32_t scheduler, uint64_t owned, bool l1) {
  uint32_t last = s->last[scheduler];
  uint64_t first = owned & caba_bit(last);
  for (uint64_t left = owned, next; left; left &= ~next) {
    next = first & left ? first : left & -left;
    uint32_t w = (uint32_t)__builtin_ctzll(next);
    if (!can_issue(s, &s->high[w].word[0], s->high[w].ready, l1)) continue;
    s->last[scheduler] = (uint8_t)w;
    enum own_operation own = issue(s, &s->high[w], 0);
    if (!s->high[w].n) s->has_words &= ~caba_bit(w);
    return own;
  }
  return OWN_NONE;
}

/* The older word first; the younger one of the same assist warp waits for it. */
static enum own_operation issue_low(struct caba_sm *s, uint64_t owned, bool l1) {
  for (uint32_t k = 0; k < s->low.n; k++) {
    const struct caba_word *word = &s->low.word[k];
    if (!(owned & caba_bit(s->entry[word->awt].warp)) || (k && word->awt == s->low.word[0].awt)) continue;
    if (can_issue(s, word, caba_word_ready(&s->entry[word->awt], word), l1)) return issue(s, &s->low, k);
  }
  return OWN_NONE;
}

enum own_operation caba_own(void *self, uint32_t scheduler, bool idle, bool l1) {
  struct caba_sm *s = self;
  if (!s->has_words && !s->low.n) return OWN_NONE;
  uint64_t owned = s->owned[scheduler];
  return idle ? issue_low(s, owned, l1) : issue_high(s, scheduler, owned & s->has_words, l1);
}

/* ---- utilisation ---- */

/* The controller counts a window's cycles in any order, so it is told at the end how many there were of each kind. */
void caba_ran(void *self, const struct sm_condition *c, uint64_t cycles) {
  struct caba_sm *s = self;
  uint32_t idle = c->idle < CABA_SLOTS ? c->idle : CABA_SLOTS;
  while (s->awc && cycles) {
    uint32_t part = cycles < s->left ? (uint32_t)cycles : s->left;
    s->cycles[idle][c->lsu_full] += part, s->left -= part, cycles -= part;
    if (s->left) continue;
    memcpy(s->told, s->cycles, sizeof s->told);
    memset(s->cycles, 0, sizeof s->cycles);
    s->left = CABA_WINDOW;
  }
}

bool caba_tells(const struct caba_sm *s) {
  for (uint32_t idle = 0; idle <= CABA_SLOTS; idle++)
    if (s->told[idle][0] | s->told[idle][1]) return true;
  return false;
}

bool caba_tell(struct caba_sm *s, uint32_t *run, uint32_t *idle, bool *full) {
  for (uint32_t k = 0; k < 2 * (CABA_SLOTS + 1); k++) {
    if (!s->told[k / 2][k % 2]) continue;
    *run = s->told[k / 2][k % 2], *idle = k / 2, *full = k % 2;
    s->told[k / 2][k % 2] = 0;
    return true;
  }
  return false;
}
