/* SPDX-License-Identifier: Apache-2.0 */
/* Memory stages, queues and writeback selection of an in-order core (Gou & Gaydadjiev 2011, sections 3.1 and 3.2).
 *
 * A cycle is evaluated oldest stage first: the writeback, the memory stages that move, the access that MEM0 takes, the
 * instruction in EXE. Entry 0 of a queue is the youngest: an arriving entry shifts the others up. */
#include "block/block.h"
#include "elastic_mem_stage_ports.h"

enum { STAGES_MAX = 8, NON_MAX = 16, PRE_MAX = 32 };
enum { UNIFIED, SPLIT, ELASTIC };

struct elastic_mem_stage_state {
  uint32_t mem_pay[STAGES_MAX], non_pay[NON_MAX], pre_pay[PRE_MAX];
  uint8_t non_v[NON_MAX], pre_v[PRE_MAX], pre_cd[PRE_MAX];
  uint8_t mem_v;    /* bit 0: MEM0 */
  uint8_t cd, left; /* of MEM0: conflict degree, remaining accesses */
  uint8_t n_non, n_pre;
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

/* Memory stages: each moves if the next one is free or moves. Except in the elastic pipeline, a held last stage holds
 * all earlier ones. */
static inline uint32_t stages_that_move(const struct elastic_mem_stage_cfg *cfg,
                                        const struct elastic_mem_stage_state *s, bool icnt, bool last) {
  uint32_t top = 1U << (cfg->M - 1), ready = s->mem_v & ~(mem0_ready(cfg, s) ? 0U : 1U);
  if (!last || !icnt) return ready;
  if (cfg->VARIANT != ELASTIC) return 0;
  uint32_t gaps = ~(uint32_t)s->mem_v & (2 * top - 1);
  if (!gaps) return 0;
  return ready & ((1U << (31 - __builtin_clz(gaps))) - 1); /* stages before the last gap; those after it are full */
}

/* State of MEM0 and the writeback for the rest of a cycle, with or without a return. */
struct view {
  bool slot;     /* the writeback is free for an instruction without memory access */
  bool mem0;     /* MEM0 can take one */
  bool collides; /* split: the stages parallel to the memory stages are held */
};

static inline struct view look(const struct elastic_mem_stage_cfg *cfg, const struct elastic_mem_stage_state *s,
                               bool icnt, bool last, uint32_t go) {
  struct view v = {.slot = !icnt && !last, .mem0 = !(s->mem_v & 1) || (go & 1)};
  if (cfg->VARIANT == ELASTIC) return v;
  v.mem0 &= !(last && icnt);
  v.collides = cfg->VARIANT == SPLIT && s->non_v[cfg->M - 1] && !v.slot;
  return v;
}

/* Whether the instruction in EXE, a memory access or not, is taken. */
static inline bool taken(const struct elastic_mem_stage_cfg *cfg, const struct elastic_mem_stage_state *s, bool mem,
                         struct view v) {
  if (cfg->VARIANT == ELASTIC) return mem ? v.mem0 || s->n_pre < cfg->N : v.slot || s->n_non < cfg->Q;
  return !v.collides && (!mem || v.mem0);
}

/* Whether NONMEM has an instruction that is ready to be written back. */
static inline bool path_ready(const struct elastic_mem_stage_cfg *cfg, const struct elastic_mem_stage_state *s) {
  return cfg->VARIANT == SPLIT ? s->non_v[cfg->M - 1] : s->n_non;
}

static inline uint32_t oldest_non(const struct elastic_mem_stage_cfg *cfg, const struct elastic_mem_stage_state *s) {
  return cfg->VARIANT == SPLIT ? (uint32_t)cfg->M - 1 : s->n_non - 1U;
}

static void elastic_mem_stage_eval(const struct elastic_mem_stage_cfg *cfg, const struct elastic_mem_stage_state *s,
                                   const struct elastic_mem_stage_in *in, struct elastic_mem_stage_out *out) {
  bool icnt = in->icnt_valid, last = last_ready(cfg, s), path = path_ready(cfg, s);
  bool mem = in->exe_is_mem || cfg->VARIANT == UNIFIED, passes = in->exe_valid && !mem && cfg->VARIANT == ELASTIC;
  uint32_t go = stages_that_move(cfg, s, icnt, last);
  out->exe_stall = in->exe_valid && !taken(cfg, s, mem, look(cfg, s, icnt, last, go));
  out->exe_stall_icnt =
    out->exe_stall && icnt && taken(cfg, s, mem, look(cfg, s, false, last, stages_that_move(cfg, s, false, last)));
  out->wb_valid = icnt || last || path || passes;
  out->wb_lost = icnt && (last || path || passes);
  out->wb_src = 0;
  out->wb_payload = 0;
  if (icnt || !out->wb_valid) {
  } else if (last) {
    out->wb_src = 1;
    out->wb_payload = s->mem_pay[cfg->M - 1];
  } else if (path) {
    uint32_t i = oldest_non(cfg, s);
    out->wb_src = (uint8_t)(2 + i);
    out->wb_payload = s->non_pay[i];
  } else {
    out->wb_src = (uint8_t)(2 + cfg->Q);
    out->wb_payload = in->exe_payload;
  }
  out->sub_valid = go & 1;
  out->sub_cd = go & 1 ? s->cd : 0;
  out->sub_payload = go & 1 ? s->mem_pay[0] : 0;
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

/* The stages parallel to the memory stages move as a whole. */
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

static inline void push_pre(const struct elastic_mem_stage_cfg *cfg, struct elastic_mem_stage_state *s,
                            uint32_t payload, uint32_t cd) {
  for (int32_t i = cfg->N - 1; i > 0; i--) {
    s->pre_pay[i] = s->pre_pay[i - 1];
    s->pre_cd[i] = s->pre_cd[i - 1];
  }
  s->pre_pay[0] = payload;
  s->pre_cd[0] = (uint8_t)cd;
  s->pre_v[s->n_pre++] = 1;
}

static inline void push_non(const struct elastic_mem_stage_cfg *cfg, struct elastic_mem_stage_state *s,
                            uint32_t payload) {
  for (int32_t i = cfg->Q - 1; i > 0; i--) s->non_pay[i] = s->non_pay[i - 1];
  s->non_pay[0] = payload;
  s->non_v[s->n_non++] = 1;
}

static void elastic_mem_stage_tick(const struct elastic_mem_stage_cfg *cfg, struct elastic_mem_stage_state *s,
                                   const struct elastic_mem_stage_in *in, const struct elastic_mem_stage_out *out) {
  bool icnt = in->icnt_valid, last = last_ready(cfg, s), goes = in->exe_valid && !out->exe_stall;
  bool mem = in->exe_is_mem || cfg->VARIANT == UNIFIED;
  uint32_t cd = in->exe_is_mem && in->exe_cd ? in->exe_cd : 1, go = stages_that_move(cfg, s, icnt, last);
  struct view v = look(cfg, s, icnt, last, go);
  move_stages(cfg, s, go);
  if (cfg->VARIANT != ELASTIC) {
    if (goes && mem) enter_mem0(s, in->exe_payload, cd);
    if (cfg->VARIANT == SPLIT && !v.collides) move_path(cfg, s, in->exe_payload, goes && !mem);
    return;
  }
  bool direct = mem ? v.mem0 && !s->n_pre : v.slot && !s->n_non; /* to MEM0, to the writeback */
  if (v.mem0 && s->n_pre) {
    s->pre_v[--s->n_pre] = 0;
    enter_mem0(s, s->pre_pay[s->n_pre], s->pre_cd[s->n_pre]);
  }
  if (v.slot && s->n_non) s->non_v[--s->n_non] = 0;
  if (!goes) return;
  if (!mem && !direct) push_non(cfg, s, in->exe_payload);
  else if (mem && direct) enter_mem0(s, in->exe_payload, cd);
  else if (mem) push_pre(cfg, s, in->exe_payload, cd);
}

#include "elastic_mem_stage_model.inc"
