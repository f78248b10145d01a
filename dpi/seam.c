/* SPDX-License-Identifier: Apache-2.0 */
/* The hot part: the engines behind the block handle, and the functions that sockets call. */
#include "activity.h"
#include "base/large_pool.h"
#include "rtl_engine.h"
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

/* A DPI call carries an index only: the one table of the process turns it into the instance. */
static struct seam **all_seams;
static uint32_t n_all_seams, max_all_seams;
static struct seam *opening; /* the instance whose model is being made */

/* ---- calls from SystemVerilog ---- */

static int call_open(const char *path) {
  (void)path;
  return (int)opening->id;
}

static void put_inputs(struct seam *s, uint32_t *v) {
  const uint32_t *in = s->b->in;
  for (uint32_t i = 0; i < s->in_bytes / 4; i++) v[i] = in[i];
  v[s->in_bytes / 4] = s->flags;
  s->b->profile.dpi_calls++;
  s->b->profile.dpi_bytes += s->in_bytes + 4;
}

static void call_drive(int id, uint32_t *v) { put_inputs(all_seams[id], v); }
static void call_late(int id, uint32_t *v) { put_inputs(all_seams[id], v); }

static void call_sample(int id, const uint32_t *v) {
  struct seam *s = all_seams[id];
  struct block *b = s->b;
  if (!s->model || s->follow)
    return; /* create() evaluates once, to run `initial`; a checker takes the outputs itself */
  b->profile.dpi_calls++;
  b->profile.dpi_bytes += s->out_bytes;
  bool lockstep = b->engine == ENGINE_LOCKSTEP;
  s->out_differs = lockstep && !stimulus_same_words(v, b->out, s->out_bytes);
  if (lockstep && !s->out_differs) return;
  memcpy(s->rtl_out, v, s->out_bytes);
  if (lockstep) seam_compare_outputs(s);
}

static void call_state(int id, const uint32_t *v) {
  struct seam *s = all_seams[id];
  struct block *b = s->b;
  memcpy(s->rtl_regs, v, b->desc->regs_bytes);
  if (s->follow) return; /* the checker compares */
  b->profile.dpi_calls++;
  b->profile.dpi_bytes += b->desc->regs_bytes;
  if (s->dpi->collect) memcpy(s->raw_regs, v, b->desc->regs_bytes);
  b->desc->model->regs(b->params, b->state, s->c_regs);
  seam_mask_rows(b, s->c_regs, s->rtl_regs);
  bool only_compares = !s->restart.on && !s->dpi->collect; /* else the rows that count are used below, or by others */
  if (only_compares && seam_registers_agree(b->desc, b->params, s->c_regs, s->rtl_regs)) return;
  seam_mask_registers(b->desc, b->params, s->rtl_regs);
  seam_mask_registers(b->desc, b->params, s->c_regs);
  if (memcmp(s->rtl_regs, s->c_regs, b->desc->regs_bytes)) seam_compare_registers(s, s->c_regs);
}

/* The C side of the wave: mismatch flag and executed cycles, outputs, registers. */
static void call_probe(int id, uint32_t *v) {
  struct seam *s = all_seams[id];
  if (s->probe) {
    memset(v, 0, s->probe->bytes); /* what lies between fields would be shown as it was */
    s->fill(s->source, v);
    return;
  }
  struct block *b = s->b;
  v[0] = (uint32_t)(s->executed << 1) | s->mismatch;
  uint8_t *at = (uint8_t *)(v + 1);
  memcpy(at, b->out, s->out_bytes);
  /* what lies between the fields stays 0 */
  if (b->engine == ENGINE_LOCKSTEP) b->desc->model->regs(b->params, b->state, s->wave_regs);
  memcpy(at + s->out_bytes, s->wave_regs, b->desc->regs_bytes);
  b->profile.dpi_calls++;
  b->profile.dpi_bytes += 4 + s->out_bytes + b->desc->regs_bytes;
}

static const struct rtl_calls calls = {call_open, call_drive, call_late, call_sample, call_state, call_probe};

/* ---- recording ---- */

/* The registers, just compared, may be as after reset. */
static void look_for_restart(struct seam *s) {
  if (s->mismatch) return;
  bool found = !memcmp(s->c_regs, s->reset_regs, s->b->desc->regs_bytes);
  restart_looked(&s->restart, found);
  if (!found) return;
  stimulus_recorder_begin(&s->rec, &s->image);
  if (s->kept) keep_restart(s);
}

static void record(struct seam *s) {
  struct stimulus_recorder *rec = &s->rec;
  uint64_t row[DELTA_ROW_WORDS];
  bool repeat;
  if (s->restart.after_reset) {
    stimulus_recorder_begin(rec, &s->image);
    s->restart.changes = 0;
  }
  s->restart.after_reset = !s->b->rst_n && !s->b->desc->no_reset;
  unsigned words = delta_encode(&s->image, *s->b->now, s->b->rst_n, s->b->in, row, &repeat);
  if (s->track) flight_row(s, row, words, repeat);
  restart_count(&s->restart, !repeat);
  if (!rec->on || (s->restart.on && stimulus_recorder_add(rec, row, words, repeat))) return;
  rec->lost = true;
  rec->on = s->restart.on = false;
  stimulus_recorder_free(rec);
}

/* ---- engines ---- */

static void lockstep_eval(struct block *b) {
  struct seam *s = b->seam;
  b->profile.cycles++;
  b->profile.c_evals++;
  b->profile.rtl_evals++;
  s->executed++;
  if (s->track) flight_before(s, &s->image);
  if (!b->rst_n && b->desc->async_reset) b->desc->model->reset(b->params, b->state);
  block_model_eval(b);
  s->flags = seam_bug_flags(s) | (b->rst_n ? RTL_FLAG_RST_N : 0);
  bool looks = restart_is_due(&s->restart) && seam_rests(b);
  if (--s->state_countdown == 0 || looks) {
    s->state_countdown = s->dpi->config.state_every;
    s->flags |= RTL_FLAG_STATE;
  }
  rtl_cycle(s);
  if (looks) look_for_restart(s);
}

static void lockstep_tick(struct block *b) {
  struct seam *s = b->seam;
  if (b->desc->has_late) s->ops->late(s->model);
  if (s->restart.on || s->track) record(s);
  if (s->kept) keep_cycle(s);
  block_c_tick(b);
}

void seam_couple(struct seam *s) {
  struct follow *f = s->follow;
  if (!f) return;
  s->executed = s->b->profile.cycles;
  s->state_countdown = f->state_left;
  s->restart = f->restart;
  s->image.cycle = f->image.cycle;
  s->image.rst_n = f->image.rst_n;
  memcpy(s->image.in, f->image.word, s->image.words * sizeof *s->image.in);
  s->follow = NULL;
  s->rec.on = false;
  stimulus_recorder_forget(
    &s->rec); /* the pool's memory is the parent's; `restart` goes on, for the same comparisons */
  s->b->eval = lockstep_eval;
  s->b->tick = lockstep_tick;
}

/* ---- making instances ---- */

struct seam *dpi_new_seam(struct dpi *d, const char *path, struct err *e) {
  if (d->n_seams == d->seams_max) {
    uint32_t max = d->seams_max ? d->seams_max * 2 : 64;
    struct seam **seams = realloc(d->seams, max * sizeof *seams);
    if (!seams) return err_set(e, ERR_LIMIT, "out of memory for the instance %s", path), NULL;
    d->seams = seams;
    d->seams_max = max;
  }
  if (n_all_seams == max_all_seams) {
    uint32_t max = max_all_seams ? max_all_seams * 2 : 64;
    struct seam **seams = realloc(all_seams, max * sizeof *seams);
    if (!seams) return err_set(e, ERR_LIMIT, "out of memory for the instance %s", path), NULL;
    all_seams = seams;
    max_all_seams = max;
  }
  struct seam *s = aligned_alloc(_Alignof(struct seam), sizeof *s);
  if (s) memset(s, 0, sizeof *s);
  if (!s || !(s->path = strdup(path))) {
    free(s);
    return err_set(e, ERR_LIMIT, "out of memory for the instance %s", path), NULL;
  }
  s->dpi = d;
  s->id = n_all_seams;
  all_seams[n_all_seams++] = s;
  d->seams[d->n_seams++] = s;
  return s;
}

int seam_make_model(struct seam *s, struct err *e) {
  char scope[SCOPE_BYTES];
  snprintf(scope, sizeof scope, "%s%s", s->path, s->probe ? ".state" : "");
  for (char *c = scope; *c; c++)
    if (*c == '.') *c = ' '; /* a space in an object's name nests scopes in the wave */
  opening = s;
  s->ops->bind(&calls);
  struct dpi *d = s->dpi;
  /* registers begin with 0: a random value that is replaced would count as a change */
  if (d->coverage_ops && s->b) s->context = d->runtime->context_create(d->config.seed, 0);
  s->model = s->ops->create(s->context ? s->context : d->context, scope);
  opening = NULL;
  if (!s->model) return err_set(e, ERR_LIMIT, "cannot make the Verilated object of %s", s->path);
  return 0;
}

static void seam_destroy(struct block *b) {
  struct seam *s = b->seam;
  if (s->follow) checkers_end(s->dpi);
  if (s->context) coverage_collect(s);
  follow_free(s);
  rtl_rest_destroy(s->rest);
  s->rest = NULL;
  if (s->model) s->ops->destroy(s->model);
  s->model = NULL;
  if (s->context) s->dpi->runtime->context_destroy(s->context);
  s->context = NULL;
  stimulus_recorder_free(&s->rec);
  flight_remove(s);
  keep_close(s);
  if (s->rtl_out != b->out) free(s->rtl_out);
  free(s->c_regs);
  s->c_regs = NULL;
  s->b = NULL;
}

static int add_to_flight(struct dpi *d, struct seam *s, struct err *e) {
  int status = d->flight ? 0 : flight_create(d->out_dir, &d->flight, e);
  return status ? status : flight_add(d->flight, s, dpi_library_name(d, s->ops), e);
}

/* From here on the RTL of the instance follows. */
static int follow(struct seam *s, struct err *e) {
  if ((s->out_bytes + 7) / 8 > DELTA_WORDS_MAX) return 0; /* the outputs of such a block fit no row */
  if (!s->dpi->pool) s->dpi->pool = large_pool_create();
  if (!s->dpi->pool) return err_set(e, ERR_LIMIT, "out of memory for what is recorded");
  int status = follow_create(s, e);
  if (!status) status = flight_follow(s, e);
  if (!status && s->track && s->rec.on) {
    s->rec.in_flight = true;
    flight_begin(s);
  }
  if (status) return status;
  s->b->work = s->follow;
  s->b->eval = follow_eval;
  s->b->tick = follow_tick;
  s->dpi->follows = true;
  return 0;
}

int seam_attach(struct dpi *d, struct seam *s, struct block *b, enum block_engine engine, struct err *e) {
  s->b = b;
  b->seam = s;
  b->engine = engine;
  b->destroy = seam_destroy;
  s->in_bytes = b->desc->in_bytes;
  s->out_bytes = b->desc->out_bytes;
  s->rtl_out = b->out;
  if (engine == ENGINE_C) {
    b->eval = block_c_eval;
    b->tick = block_c_tick;
    return 0;
  }
  s->state_countdown = d->config.state_every;
  size_t regs = (b->desc->regs_bytes + 15U) / 8 * 8; /* each part aligned for struct B_regs */
  s->c_regs = calloc(6, regs);
  if (engine == ENGINE_LOCKSTEP) s->rtl_out = calloc(1, s->out_bytes + 8U);
  if (!s->c_regs || !s->rtl_out) return err_set(e, ERR_LIMIT, "out of memory for the instance %s", s->path);
  s->rtl_regs = s->c_regs + regs;
  s->reset_regs = s->rtl_regs + regs;
  s->raw_regs = s->reset_regs + regs;
  s->check_regs = s->raw_regs + regs;
  s->wave_regs = s->check_regs + regs;
  b->desc->model->regs(b->params, b->state, s->reset_regs);
  seam_mask_rows(b, s->reset_regs, s->reset_regs);
  seam_mask_registers(b->desc, b->params, s->reset_regs);
  bool lockstep = engine == ENGINE_LOCKSTEP;
  b->eval = lockstep ? lockstep_eval : rtl_eval;
  b->tick = lockstep ? lockstep_tick : rtl_tick;
  if (lockstep) {
    stimulus_init(&s->rec.s, b->desc, b->params);
    snprintf(s->rec.s.path, sizeof s->rec.s.path, "%s", s->path);
    s->rec.s.random_start = d->config.rand_reset == 2;
    s->rec.s.seed = d->config.rand_reset == 2 ? d->config.seed : 0;
    s->rec.on = d->config.out_dir != NULL;
    s->restart = restart_search(s->rec.on);
    s->image.words = (s->in_bytes + 7) / 8;
    stimulus_recorder_begin(&s->rec, &s->image);
    invariant(s->image.words <= DELTA_WORDS_MAX, "the inputs of %s have more than %d words", s->path, DELTA_WORDS_MAX);
  }
  int status = lockstep && keep_matches(d, b->desc, s->path) ? keep_open(s, e) : 0;
  if (!status) status = dpi_load_block(d, b->desc, b->params, &s->ops, e);
  if (!status) status = seam_make_model(s, e);
  if (!status && !lockstep && !(b->work = s->rest = rtl_rest_create(s, e))) status = ERR_LIMIT;
  if (!status && lockstep && d->config.recorder && d->out_dir) status = add_to_flight(d, s, e);
  return !status && lockstep && dpi_decouples(d) ? follow(s, e) : status;
}

int seam_restore(struct seam *s, const struct flight_start *from, struct err *e) {
  struct block *b = s->b;
  if (from->model_bytes == b->desc->model->state_bytes) memcpy(b->state, from->model, from->model_bytes);
  if (from->model_bytes != b->desc->model->state_bytes || flight_digest(s) != from->digest)
    return err_set(e, ERR_VALUE, "the C model of %s has changed since the recording; run again", b->desc->name);
  if (s->ops->restore(s->model, from->rtl, from->rtl_bytes))
    return err_set(e, ERR_SYNTAX, "the recorded state of %s has %zu bytes, which its RTL does not have; run again",
                   s->path, from->rtl_bytes);
  return 0;
}

static int by_path(const void *a, const void *b) {
  const struct seam *x = *(struct seam *const *)a, *y = *(struct seam *const *)b;
  return strverscmp(x->path, y->path);
}

struct seam **seams_by_path(const struct dpi *d) {
  struct seam **sorted = calloc(d->n_seams + 1, sizeof *sorted);
  if (!sorted) return NULL;
  if (d->n_seams) memcpy(sorted, d->seams, d->n_seams * sizeof *sorted);
  qsort(sorted, d->n_seams, sizeof *sorted, by_path);
  return sorted;
}

void seams_destroy(struct dpi *d) {
  for (uint32_t i = 0; i < d->n_seams; i++) {
    struct seam *s = d->seams[i];
    if (s->b) {
      s->b->destroy = NULL;
      seam_destroy(s->b);
    } else if (s->model) {
      s->ops->destroy(s->model);
    }
    all_seams[s->id] = NULL;
    activity_free(s);
    free(s->path);
    free(s);
  }
  while (n_all_seams && !all_seams[n_all_seams - 1]) n_all_seams--;
  if (!n_all_seams) {
    free(all_seams);
    all_seams = NULL;
    max_all_seams = 0;
  }
  free(d->seams);
}
