/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks caba_awc and caba_aws of an SM. In a cycle: the words that were fetched two cycles ago go to an instruction buffer, those that
 * the controller has picked are read, a line that has come is offered as a trigger, and what became of branches and ends is told. */
#include "base/err.h"
#include "block/block.h"
#include "block/block_reset.h"
#include "caba_awc_ports.h"
#include "caba_aws_ports.h"
#include "systems/caba/caba_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Registers of a mark's operands (assumption: they are numbered by the mark, as PTX has no architectural registers): live-ins 0 to 3,
 * live-outs 4 and 5. */
#define LIVE UINT64_C(0x050403020100)

/* ---- construction, launches ---- */

int caba_warps_make(struct caba_sm *s, struct block_factory *f, const char *path, struct err *e) {
  int rc = caba_line_code_make(&s->code, s->p, e);
  if (rc) return rc;
  snprintf(s->awc_path, sizeof s->awc_path, "%s.caba_awc", path);
  snprintf(s->aws_path, sizeof s->aws_path, "%s.caba_aws", path);
  for (uint32_t w = 0; w < CABA_WARPS; w++) s->owned[w % (uint32_t)s->config->sm_schedulers] |= caba_bit(w);
  s->entry = calloc(CABA_AWT, sizeof *s->entry);
  if (!s->entry) return err_set(e, ERR_LIMIT, "the host has no memory left for assist warps");
  s->awc = BLOCK_MAKE(f, &caba_awc_desc, s->awc_path, s->sm.now, e, {"AWT", s->p->awt}, {"WARPS", s->config->sm_warps},
                      {"WINDOW", CABA_WINDOW});
  s->aws = s->awc ? BLOCK_MAKE(f, &caba_aws_desc, s->aws_path, s->sm.now, e, {"WORDS", AWS_WORDS}) : NULL;
  return s->aws ? 0 : ERR_VALUE;
}

/* After a launch that was killed nothing says what has become of its lines: the first cycle is a reset of the controller. */
static void forget(struct caba_sm *s) {
  s->resets = true;
  s->calls = s->low.n = 0;
  caba_stores_reset(s);
  caba_marks_reset(s);
  s->begun = s->branches = s->ends = s->has_words = s->blocked = 0;
  memset(s->high, 0, sizeof s->high);
  s->waiting.count = s->resumed.count = 0;
}

/* The program may have brought routines since the last launch. */
static void take_code(struct caba_sm *s) {
  const struct caba_line_code *now = caba_agent_code(s->agent);
  if (s->code.version != now->version) {
    s->code = *now;
    s->words = 0;
  }
  s->stores = caba_compresses(&s->code.store) ? (uint32_t)s->p->stores : 0;
}

int caba_warps_launch(struct caba_sm *s, const struct ptx_kernel *kernel, struct err *e) {
  if (s->calls || s->waiting.count || s->resumed.count || s->kept || s->exits || s->marks.used) forget(s);
  take_code(s);
  int code = caba_marks_launch(s, kernel, e);
  s->live = 0;
  s->rows = 0;
  s->begins = true;
  s->ctas = 0;
  s->left = CABA_WINDOW;
  memset(s->cycles, 0, sizeof s->cycles);
  memset(s->told, 0, sizeof s->told);
  return code;
}

/* ---- loading ---- */

static bool is_loaded(const struct caba_sm *s) {
  return !s->begins && s->rows == s->marks.rows && s->words == s->code.store.n_words;
}

/* A row of the table of triggers, in each launch; a word and a row of the directory once. */
static void load(struct caba_sm *s, struct caba_awc_in *in, struct caba_aws_in *store) {
  if (s->begins) in->clear_en = 1;
  s->begins = false;
  if (s->rows < s->marks.rows) {
    const struct caba_row *row = &s->marks.row[s->rows];
    const struct aws_routine *r = &s->code.store.routine[row->sr];
    in->cfg_en = 1, in->cfg_row = (uint8_t)s->rows++;
    in->cfg_event = r->event, in->cfg_enc = r->encoding, in->cfg_enc_mask = r->mask;
    in->cfg_pc = row->pc, in->cfg_pc_any = !row->mark;
    in->cfg_sr = row->sr, in->cfg_high = r->high;
    if (row->mark) in->cfg_live = LIVE;
  }
  if (s->words == s->code.store.n_words) return;
  if (s->words < s->code.store.n_routines) {
    const struct aws_routine *r = &s->code.store.routine[s->words];
    store->dir_en = 1, store->dir_sr = (uint8_t)s->words, store->dir_base = r->base, store->dir_len = r->words;
  }
  store->ld_en = 1, store->ld_at = (uint16_t)s->words, store->ld_word = s->code.store.word[s->words];
  s->words++;
}

static bool is_mark(uint64_t argument) { return argument >= CABA_MARKED; }
static bool is_store(uint64_t argument) { return argument >= CABA_STORE && !is_mark(argument); }

/* ---- words ---- */

static struct caba_buffer *buffer_of(struct caba_sm *s, const struct caba_entry *e) {
  return e->high ? &s->high[e->warp] : &s->low;
}

/* Words that the store delivers go to the buffer as far as it has room; none behind a branch. They take the decoder; low ones only if no
 * warp wants it. */
static void take_words(struct caba_sm *s, struct caba_awc_in *in, const struct caba_awc_out *out) {
  const struct caba_aws_out *words = s->aws->out;
  if (!out->dl_ok) return;
  struct caba_entry *e = &s->entry[out->dl_awt];
  struct caba_buffer *b = buffer_of(s, e);
  if (!e->high && !s->sm.decoder_free(s->sm.sm)) return;
  for (uint32_t k = 0; k < words->n && b->n < CABA_BUFFER && !in->dl_br && !in->dl_end; k++) {
    struct caba_word *word = &b->word[b->n++];
    bool decoded = aws_decode(k ? words->word1 : words->word0, &word->i);
    invariant(decoded, "%s: word %u of routine %u is no instruction", s->aws_path, e->number, e->sr);
    word->uses = aws_uses(&word->i);
    word->shared = aws_shared_bytes(word->i.op) != 0;
    word->line = !word->shared && aws_operations[word->i.op].unit == AWS_MEMORY;
    word->awt = out->dl_awt, word->number = e->number++;
    if (b->n == 1) b->ready = caba_word_ready(e, word);
    in->dl_n++;
    in->dl_end = word->i.end;
    in->dl_br = !word->i.end && (word->i.op == AWS_BRA || word->i.op == AWS_BRX);
  }
  if (!in->dl_n) return;
  s->sm.take_decoder(s->sm.sm);
  if (e->high) s->has_words |= caba_bit(e->warp);
}

/* What the controller has picked is read; its first pick begins a call. */
static void note_pick(struct caba_sm *s, const struct caba_awc_out *out, struct caba_aws_in *store) {
  if (!out->pk_valid) return;
  struct caba_entry *e = &s->entry[out->pk_awt];
  s->n->caba_fetches++;
  store->rd_en = 1, store->rd_sr = out->pk_sr, store->rd_inst = out->pk_inst;
  if (s->begun & caba_bit(out->pk_awt)) return;
  s->begun |= caba_bit(out->pk_awt);
  e->warp = out->pk_warp, e->sr = out->pk_sr, e->high = out->pk_high, e->number = 0;
  e->argument = out->pk_arg, e->last = *s->sm.now;
  uint8_t *line = NULL;
  if (is_store(e->argument)) line = caba_store_line(s, e->argument);
  else if (!is_mark(e->argument)) line = caba_fill_line(s, e->argument);
  assist_begin(&e->w, out->pk_mask, line, e->argument);
  if (is_mark(e->argument)) caba_mark_begins(s, e);
  s->n->caba_calls++;
}

static void give_room(const struct caba_sm *s, struct caba_awc_in *in, const struct caba_awc_out *out) {
  if (!s->calls) return;
  in->ib_free = UINT64_MAX >> (CABA_WARPS - s->config->sm_warps);
  for (uint64_t left = s->has_words; left; left &= left - 1) {
    uint32_t w = (uint32_t)__builtin_ctzll(left);
    if (s->high[w].n == CABA_BUFFER) in->ib_free &= ~caba_bit(w);
  }
  if (out->pk_valid && out->pk_high) in->ib_free &= ~caba_bit(out->pk_warp);
  if (!out->pk_valid || out->pk_high) in->lp_free = (uint8_t)(CABA_BUFFER - s->low.n);
}

/* ---- events ---- */

/* The lowest of the entries whose branch or end is due; CABA_AWT: none. */
static uint32_t first_due(const struct caba_sm *s, uint64_t of) {
  for (; of; of &= of - 1)
    if (s->entry[__builtin_ctzll(of)].due <= *s->sm.now) return (uint32_t)__builtin_ctzll(of);
  return CABA_AWT;
}

static void give_events(struct caba_sm *s, struct caba_awc_in *in) {
  uint32_t branch = first_due(s, s->branches), end = first_due(s, s->ends);
  if (branch < CABA_AWT) {
    struct caba_entry *e = &s->entry[branch];
    s->branches &= ~caba_bit(branch);
    e->number = (uint8_t)e->w.pc;
    in->br_valid = 1, in->br_awt = (uint8_t)branch, in->br_tgt = e->number;
  }
  if (end == CABA_AWT) return;
  s->ends &= ~caba_bit(end), s->begun &= ~caba_bit(end);
  s->calls--;
  s->n->caba_ended++;
  if (is_mark(s->entry[end].argument)) caba_mark_ended(s, &s->entry[end]);
  else if (is_store(s->entry[end].argument)) caba_store_ended(s, &s->entry[end]);
  else caba_fill_ended(s, &s->entry[end]);
  in->done_valid = 1, in->done_awt = (uint8_t)end;
}

enum { ANY = AWS_ROUTINES };

/* Calls of low priority of a warp, and of a routine or ANY, are over without an end. */
static void drop_calls(struct caba_sm *s, uint32_t warp, uint32_t sr) {
  uint32_t kept = 0;
  s->calls -= caba_stores_killed(s, warp);
  if (sr == ANY) s->calls -= caba_marks_killed(s, warp);
  for (uint64_t left = s->begun; left; left &= left - 1) {
    uint32_t awt = (uint32_t)__builtin_ctzll(left);
    if (s->entry[awt].high || s->entry[awt].warp != warp || (sr != ANY && s->entry[awt].sr != sr)) continue;
    s->begun &= ~caba_bit(awt), s->branches &= ~caba_bit(awt), s->ends &= ~caba_bit(awt);
  }
  for (uint32_t k = 0; k < s->low.n; k++)
    if (s->begun & caba_bit(s->low.word[k].awt)) s->low.word[kept++] = s->low.word[k];
  s->low.n = kept;
}

/* A parent has ended; a line must leave that an assist warp compresses. */
static void give_kills(struct caba_sm *s, struct caba_awc_in *in) {
  uint32_t victim = caba_store_victim(s);
  if (victim != CABA_NONE) {
    in->kill_valid = 1, in->kill_warp = s->store_line[victim].warp, in->kill_sr = s->store_line[victim].sr;
    drop_calls(s, in->kill_warp, in->kill_sr);
    caba_store_called(s, victim, false);
  }
  if (!s->exits) return;
  in->exit_valid = 1, in->exit_warp = (uint8_t)__builtin_ctzll(s->exits);
  s->exits &= s->exits - 1;
  drop_calls(s, in->exit_warp, ANY);
}

/* Marks go before lines that have come (assumption), these before lines that were written. */
static void give_trigger(struct caba_sm *s, struct caba_awc_in *in) {
  if (!is_loaded(s)) return;
  const struct caba_mark *mark = caba_marks_next(s);
  if (mark) {
    in->tr_valid = 1, in->tr_event = AWS_MARK, in->tr_enc = s->code.store.routine[mark->sr].encoding;
    in->tr_pc = mark->pc, in->tr_warp = mark->warp, in->tr_mask = mark->mask, in->tr_arg = caba_mark_argument(s, mark);
    return;
  }
  in->tr_mask = UINT32_MAX;
  if (s->waiting.count) {
    struct caba_waiting w = s->waiting_fill[s->waiting.head];
    in->tr_valid = 1, in->tr_event = AWS_FILL, in->tr_enc = w.encoding, in->tr_warp = w.warp, in->tr_arg = w.fill;
    return;
  }
  uint32_t store = caba_store_eligible(s);
  if (store == CABA_NONE) return;
  in->tr_valid = 1, in->tr_event = AWS_STORE, in->tr_warp = s->store_line[store].warp;
  in->tr_enc = s->code.store.routine[s->store_line[store].sr].encoding, in->tr_arg = CABA_STORE + store;
}

static void note_trigger(struct caba_sm *s, const struct caba_awc_in *in, const struct caba_awc_out *out) {
  s->n->caba_trigger_waits += in->tr_valid && !out->tr_ready;
  if (!in->tr_valid || !out->tr_ready) return;
  s->calls += out->tr_taken;
  if (in->tr_event == AWS_MARK) {
    caba_marks_offered(s, out->tr_taken);
    return;
  }
  if (in->tr_event == AWS_STORE) {
    caba_store_called(s, (uint32_t)(in->tr_arg - CABA_STORE), out->tr_taken);
    return;
  }
  ring_pop(&s->waiting);
  invariant(out->tr_taken, "%s: no routine decompresses lines of encoding %u", s->awc_path, in->tr_enc);
}

static void give_run(struct caba_sm *s, struct caba_awc_in *in) {
  uint32_t run, idle;
  bool full;
  if (!caba_tell(s, &run, &idle, &full)) return;
  in->run = (uint16_t)run, in->idle_slots = (uint8_t)idle, in->lsu_full = full;
}

static void take_returned(struct caba_sm *s, uint32_t store) {
  caba_store_merged(s, store, caba_fill_of_store(s, store));
}

/* ---- cycle ---- */

static void reset(struct caba_sm *s) {
  block_reset_cycle(s->awc);
  s->resets = false;
}

void caba_warps_cycle(struct caba_sm *s) {
  struct caba_awc_in *in = s->awc->in;
  struct caba_aws_in *store = s->aws->in;
  const struct caba_awc_out *out = s->awc->out;
  memset(in, 0, sizeof *in);
  if (s->resets) {
    reset(s);
    return;
  }
  memset(store, 0, sizeof *store);
  uint64_t stop = s->marks.stop;
  give_trigger(s, in);
  block_eval(s->awc);
  block_eval(s->aws);
  note_trigger(s, in, out);
  take_words(s, in, out);
  note_pick(s, out, store);
  give_room(s, in, out);
  give_events(s, in);
  give_kills(s, in);
  if (out->resume_valid && out->resume_arg < CACHE_MSHRS) caba_fill_resumes(s, out->resume_arg);
  else if (out->resume_valid && !is_mark(out->resume_arg)) take_returned(s, (uint32_t)out->resume_arg - CACHE_MSHRS);
  s->blocked = out->stall_parent | stop;
  if (!is_loaded(s)) load(s, in, store);
  else give_run(s, in);
  const struct caba_aws_out *words = s->aws->out;
  s->works = out->busy || words->busy || !block_idle(s->awc) || !block_idle(s->aws);
  block_tick(s->awc);
  block_tick(s->aws);
  caba_fills_release(s);
  caba_stores_send(s);
}

bool caba_warps_busy(const struct caba_sm *s) {
  return s->works || s->resets || s->calls || s->marks.used || s->waiting.count || s->resumed.count || !is_loaded(s) ||
         caba_tells(s) || caba_stores_busy(s) || !s->awc->skip;
}
