/* SPDX-License-Identifier: Apache-2.0 */
/* Memory stages, queues and writeback selection of an in-order core (Gou & Gaydadjiev 2011, sections 3.1 and 3.2).
 *
 * A cycle is worked out oldest first: what enters the writeback, which memory stages move, what MEM0 takes, what becomes
 * of the instruction in EXE. Entry 0 of a queue is the youngest: an entry that arrives pushes the others on. */
#include "base/block.h"
#include "elastic_mem_stage_ports.h"

enum { STAGES_MAX = 8, NON_MAX = 16, PRE_MAX = 32 };
enum { UNIFIED, SPLIT, ELASTIC };

struct elastic_mem_stage_state {
  uint32_t mem_pay[STAGES_MAX], non_pay[NON_MAX], pre_pay[PRE_MAX];
  uint8_t non_v[NON_MAX], pre_v[PRE_MAX], pre_cd[PRE_MAX];
  uint8_t mem_v;    /* bit 0: MEM0 */
  uint8_t cd, left; /* of MEM0: conflict degree; accesses to come */
  uint8_t n_non, n_pre;
};

/* Where things go in a cycle. */
struct moves {
  uint32_t go;               /* memory stages that are left */
  bool mem_write, non_write; /* the writeback is entered from there, */
  bool exe_write;            /* or from EXE */
  bool pre_pop, take_mem;    /* what MEM0 takes */
  bool take_pre, take_non;   /* what the queues take */
  bool collides;             /* split: the path beside the memory stages is held */
  bool stall;
};

static void elastic_mem_stage_reset(const struct elastic_mem_stage_cfg *cfg, struct elastic_mem_stage_state *s) {
  (void)cfg;
  __builtin_memset(s, 0, sizeof *s);
}

static inline bool mem0_ready(const struct elastic_mem_stage_cfg *cfg, const struct elastic_mem_stage_state *s) {
  return (s->mem_v & 1) && s->left <= cfg->P;
}

static inline bool last_ready(const struct elastic_mem_stage_cfg *cfg, const struct elastic_mem_stage_state *s) {
  return cfg->M == 1 ? mem0_ready(cfg, s) : s->mem_v >> (cfg->M - 1) & 1;
}

/* Memory stages: each moves if the next one is free or moves; but for the elastic pipeline, a last one that is held
 * holds all above. */
static inline uint32_t stages_that_move(const struct elastic_mem_stage_cfg *cfg,
                                        const struct elastic_mem_stage_state *s, bool icnt, bool last) {
  uint32_t top = 1U << (cfg->M - 1), ready = s->mem_v & ~(mem0_ready(cfg, s) ? 0U : 1U);
  if (!last || !icnt) return ready;
  if (cfg->VARIANT != ELASTIC) return 0;
  uint32_t gaps = ~(uint32_t)s->mem_v & (2 * top - 1);
  if (!gaps) return 0;
  return ready & ((1U << (31 - __builtin_clz(gaps))) - 1); /* what is above the lowest gap, the stages below are full */
}

/* An instruction that is written back by its own path without a queue: unified, split. */
static inline void rigid(const struct elastic_mem_stage_cfg *cfg, const struct elastic_mem_stage_state *s, bool mem,
                         bool icnt, bool last, bool valid, struct moves *m) {
  bool split = cfg->VARIANT == SPLIT, top = split && s->non_v[cfg->M - 1];
  bool mem0_free = (!(s->mem_v & 1) || (m->go & 1)) && !(last && icnt);
  m->collides = top && (icnt || last);
  m->non_write = top && !m->collides;
  m->take_mem = valid && mem && mem0_free && !m->collides;
  m->take_non = valid && !mem && !m->collides;
  m->stall = valid && !m->take_mem && !m->take_non;
}

static inline void elastic(const struct elastic_mem_stage_cfg *cfg, const struct elastic_mem_stage_state *s, bool mem,
                           bool icnt, bool last, bool valid, struct moves *m) {
  bool slot = !icnt && !last, mem0_free = !(s->mem_v & 1) || (m->go & 1);
  m->non_write = slot && s->n_non;
  m->exe_write = slot && !s->n_non && valid && !mem;
  m->pre_pop = mem0_free && s->n_pre;
  m->take_mem = mem0_free && !s->n_pre && valid && mem;
  m->take_pre = valid && mem && !m->take_mem && (s->n_pre < cfg->N || m->pre_pop);
  m->take_non = valid && !mem && !m->exe_write && (s->n_non < cfg->Q || m->non_write);
  m->stall = valid && !m->take_mem && !m->take_pre && !m->exe_write && !m->take_non;
}

static inline void work_out(const struct elastic_mem_stage_cfg *cfg, const struct elastic_mem_stage_state *s,
                            const struct elastic_mem_stage_in *in, bool icnt, struct moves *m) {
  bool last = last_ready(cfg, s), mem = in->exe_is_mem || cfg->VARIANT == UNIFIED;
  *m = (struct moves){.mem_write = last && !icnt};
  m->go = stages_that_move(cfg, s, icnt, last);
  if (cfg->VARIANT == ELASTIC) elastic(cfg, s, mem, icnt, last, in->exe_valid, m);
  else rigid(cfg, s, mem, icnt, last, in->exe_valid, m);
}

static inline uint32_t oldest_non(const struct elastic_mem_stage_cfg *cfg, const struct elastic_mem_stage_state *s) {
  return cfg->VARIANT == SPLIT ? (uint32_t)cfg->M - 1 : s->n_non - 1U;
}

static void elastic_mem_stage_eval(const struct elastic_mem_stage_cfg *cfg, const struct elastic_mem_stage_state *s,
                                   const struct elastic_mem_stage_in *in, struct elastic_mem_stage_out *out) {
  struct moves m, without;
  work_out(cfg, s, in, in->icnt_valid, &m);
  out->exe_stall = m.stall;
  out->exe_stall_icnt = 0;
  out->wb_lost = 0;
  if (in->icnt_valid) {
    work_out(cfg, s, in, false, &without);
    out->wb_lost = without.mem_write || without.non_write || without.exe_write;
    out->exe_stall_icnt = m.stall && !without.stall;
  }
  out->wb_valid = in->icnt_valid || m.mem_write || m.non_write || m.exe_write;
  out->wb_src = 0;
  out->wb_payload = 0;
  if (m.mem_write) {
    out->wb_src = 1;
    out->wb_payload = s->mem_pay[cfg->M - 1];
  } else if (m.non_write) {
    uint32_t i = oldest_non(cfg, s);
    out->wb_src = (uint8_t)(2 + i);
    out->wb_payload = s->non_pay[i];
  } else if (m.exe_write) {
    out->wb_src = (uint8_t)(2 + cfg->Q);
    out->wb_payload = in->exe_payload;
  }
  out->sub_valid = m.go & 1;
  out->sub_cd = m.go & 1 ? s->cd : 0;
  out->sub_payload = m.go & 1 ? s->mem_pay[0] : 0;
  out->pre_cnt = s->n_pre;
  out->non_cnt = s->n_non;
  out->busy = s->mem_v || s->n_non || s->n_pre;
}

static inline void enter_mem0(struct elastic_mem_stage_state *s, uint32_t payload, uint32_t cd) {
  s->mem_v |= 1;
  s->mem_pay[0] = payload;
  s->cd = s->left = (uint8_t)cd;
}

static inline void move_stages(const struct elastic_mem_stage_cfg *cfg, struct elastic_mem_stage_state *s,
                               uint32_t go) {
  if ((s->mem_v & 1) && s->left > cfg->P) s->left = (uint8_t)(s->left - cfg->P);
  for (int32_t i = cfg->M - 1; i > 0; i--)
    if (go >> (i - 1) & 1) s->mem_pay[i] = s->mem_pay[i - 1];
  s->mem_v = (uint8_t)(((s->mem_v & ~go) | go << 1) & ((1U << cfg->M) - 1));
}

/* The path beside the memory stages moves as a whole. */
static inline void move_path(const struct elastic_mem_stage_cfg *cfg, struct elastic_mem_stage_state *s,
                             uint32_t payload, bool taken) {
  if (!taken && !s->n_non) return;
  s->n_non = (uint8_t)(s->n_non - s->non_v[cfg->M - 1] + taken);
  for (int32_t i = cfg->M - 1; i > 0; i--) {
    s->non_v[i] = s->non_v[i - 1];
    s->non_pay[i] = s->non_pay[i - 1];
  }
  s->non_v[0] = taken;
  s->non_pay[0] = payload;
}

static inline void move_queues(const struct elastic_mem_stage_cfg *cfg, struct elastic_mem_stage_state *s,
                               const struct moves *m, uint32_t payload, uint32_t cd) {
  if (m->pre_pop) s->pre_v[--s->n_pre] = 0;
  if (m->non_write) s->non_v[--s->n_non] = 0;
  if (m->take_pre) {
    for (int32_t i = cfg->N - 1; i > 0; i--) {
      s->pre_pay[i] = s->pre_pay[i - 1];
      s->pre_cd[i] = s->pre_cd[i - 1];
    }
    s->pre_pay[0] = payload;
    s->pre_cd[0] = (uint8_t)cd;
    s->pre_v[s->n_pre++] = 1;
  }
  if (m->take_non) {
    for (int32_t i = cfg->Q - 1; i > 0; i--) s->non_pay[i] = s->non_pay[i - 1];
    s->non_pay[0] = payload;
    s->non_v[s->n_non++] = 1;
  }
}

static void elastic_mem_stage_tick(const struct elastic_mem_stage_cfg *cfg, struct elastic_mem_stage_state *s,
                                   const struct elastic_mem_stage_in *in, const struct elastic_mem_stage_out *out) {
  (void)out;
  struct moves m;
  uint32_t cd = in->exe_is_mem && in->exe_cd ? in->exe_cd : 1;
  work_out(cfg, s, in, in->icnt_valid, &m);
  uint32_t pre_pay = 0, pre_cd = 0;
  if (m.pre_pop) {
    pre_pay = s->pre_pay[s->n_pre - 1];
    pre_cd = s->pre_cd[s->n_pre - 1];
  }
  move_stages(cfg, s, m.go);
  if (cfg->VARIANT == ELASTIC) move_queues(cfg, s, &m, in->exe_payload, cd);
  else if (cfg->VARIANT == SPLIT && !m.collides) move_path(cfg, s, in->exe_payload, m.take_non);
  if (m.pre_pop) enter_mem0(s, pre_pay, pre_cd);
  else if (m.take_mem) enter_mem0(s, in->exe_payload, cd);
}

#include "elastic_mem_stage_model.inc"
