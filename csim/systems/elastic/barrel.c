/* SPDX-License-Identifier: Apache-2.0 */
/* Strict barrel: every instruction passes every stage, one subwarp after another, and a warp issues again when its last
 * subwarp has been written back (Gou & Gaydadjiev 2011, sections 3, 5 and 6). There is no scoreboard and no interlock.
 * The block elastic_mem_stage models the memory stages and the writeback: unified, split or elastic.
 *
 * An instruction issued in cycle t is in SCHED in t and in the last EXE stage in t + front - 1 (assumption: 24 stages
 * are SCHED 1, FETCH 4, DEC 3, OPERAND 4, EXE 7, MEM 4, WB 1). When EXE stalls, all earlier stages stall. Operations
 * execute at issue, except those that end or block warps: these take effect at their writeback.
 *
 * assumption: an access to memory outside the SM enters the load/store unit when its last subwarp leaves MEM0. A reply
 * takes the writeback for one cycle per word of the lanes; data that arrive before the load's own writeback take
 * none. */
#include "systems/elastic/barrel.h"

#include "core/sm_state.h"
#include "elastic_mem_stage_ports.h"
#include "systems/elastic/tables.h"

#include <stdlib.h>
#include <string.h>

enum { FRONT_MAX = 64, SUBWARPS_MAX = 32, PAYLOAD_BITS = 16, RELEASE = 2 /* writeback stage, then SCHED */ };
/* the payload: warp | LAST | SHARED */
enum { PAYLOAD_WARP = 63, PAYLOAD_LAST = 64, PAYLOAD_SHARED = 128 };

/* A subwarp between issue and the memory stages. */
struct slot {
  uint16_t payload;
  uint8_t degree;
  bool valid, memory;
};

struct barrel_warp {
  struct ptx_access access; /* for the load/store unit, if `accesses` */
  bool accesses;
  bool leaves; /* the operation may use the load/store unit */
  bool waits;  /* it takes effect at its writeback */
  bool loading, written;
  uint32_t pc;
};

struct barrel {
  struct block *stage;
  struct slot front[FRONT_MAX];
  uint32_t stages, exe; /* front-end stages; index of the last one */
  uint32_t subwarps, lanes, ports;
  bool literal, returns_last;

  /* the warp in SCHED */
  uint32_t warp, sub; /* its subwarps issued so far; 0: none */
  uint8_t degree[SUBWARPS_MAX];

  uint32_t flying; /* subwarps between issue and writeback */
  uint32_t coming; /* operations that may still use the load/store unit */
  uint32_t return_left;
  struct mem_request returned; /* the reply that is being written back */
  uint32_t displaced;          /* writebacks delayed by returns and not yet caught up */
  bool drop;                   /* an abort: the memory stages are reset in the next cycle */
  uint32_t stall;
  char path[32];
  struct barrel_warp of[SM_WARPS];
};

static const struct barrel_hooks *hooks_of(const struct sm *sm) {
  static const struct barrel_hooks none = {0};
  return sm->ops && sm->ops->barrel ? sm->ops->barrel : &none;
}

/* A class of systems/elastic/stalls.def. */
static uint32_t of_barrel(uint32_t class) { return elastic_owner.first_stall + class; }

/* ---- construction ---- */

static int barrel_create(struct sm *sm, struct block_factory *factory, struct err *e) {
  const struct gpu_config *m = sm->config;
  const struct elastic_parameters *p = elastic_parameters(m);
  struct barrel *b = sm->barrel = calloc(1, sizeof *b);
  if (!b) return err_set(e, ERR_LIMIT, "%s: the host has no memory left for it", sm->path);
  b->stages = (uint32_t)(p->stages - p->mem_stages - 1);
  b->lanes = (uint32_t)m->sm_simd_width;
  b->subwarps = WARP_LANES / b->lanes;
  b->ports = (uint32_t)p->ports;
  b->literal = p->degree == BARREL_DEGREE_LITERAL;
  b->returns_last = p->returns == BARREL_RETURNS_LAST;
  for (uint32_t i = 0; i < PTX_CLASSES; i++) sm->latency[i] = RELEASE;
  snprintf(b->path, sizeof b->path, "%s.barrel.mem", sm->path);
  b->stage = BLOCK_MAKE(factory, &elastic_mem_stage_desc, b->path, sm->now, e, {"M", p->mem_stages}, {"N", p->premem},
                        {"S", m->sm_simd_width}, {"P", p->ports}, {"Q", p->nonmem}, {"PW", PAYLOAD_BITS},
                        {"VARIANT", sm->pipeline->variant});
  return b->stage ? 0 : e && e->code ? (int)e->code : (int)ERR_VALUE;
}

static void barrel_destroy(struct sm *sm) {
  if (!sm->barrel) return;
  if (sm->barrel->stage) block_destroy(sm->barrel->stage);
  free(sm->barrel);
}

static void barrel_launch(struct sm *sm) {
  invariant(!sm->barrel->flying && !sm->barrel->return_left, "%s: a launch with instructions in the pipeline",
            sm->path);
}

/* Continues the writeback of a reply. */
static void barrel_abort(struct sm *sm) {
  struct barrel *b = sm->barrel;
  memset(b->front, 0, sizeof b->front);
  memset(b->of, 0, sizeof b->of);
  b->sub = b->flying = b->coming = b->displaced = 0;
  b->drop = true;
}

/* ---- operations ---- */

static bool is_memory(const struct ptx_op *op) {
  return op->class == PTX_LOAD || op->class == PTX_STORE || op->class == PTX_ATOMIC;
}

uint32_t barrel_op_type(const struct ptx_op *op) {
  if (!is_memory(op)) return 0;
  return op->memory.space == PTX_SHARED ? BARREL_OP_MEMORY | BARREL_OP_SHARED : BARREL_OP_MEMORY;
}

/* Operations whose effect other warps or the CTA wait for. */
static bool takes_effect_late(const struct ptx_op *op) {
  return op->class == PTX_BRANCH || op->class == PTX_EXIT || op->class == PTX_BARRIER;
}

static uint32_t port_cycles(const struct barrel *b, uint32_t degree) { return (degree + b->ports - 1) / b->ports; }

static void barrel_access(struct sm *sm, uint32_t w, const struct ptx_op *op, const struct ptx_access *a) {
  (void)op;
  struct barrel *b = sm->barrel;
  struct elastic_counters *n = elastic_counters(&sm->counters);
  if (a->space == PTX_PARAM) return; /* parameters need no access */
  if (a->space != PTX_SHARED) {
    b->of[w].access = *a;
    b->of[w].accesses = true;
    return;
  }
  shared_degrees(a, sm->cta[sm->warp[w]->cta].f.shared_base, sm->banks, b->lanes, b->literal, b->degree);
  sm->counters.shared_accesses++;
  n->shared_lanes += (uint64_t)__builtin_popcount(a->mask);
  for (uint32_t i = 0; i < b->subwarps; i++) {
    uint32_t lanes = (uint32_t)(((UINT64_C(1) << b->lanes) - 1) << (i * b->lanes));
    sm->counters.shared_conflict_cycles += port_cycles(b, b->degree[i]) - 1;
    if (!(a->mask & lanes)) continue;
    n->shared_subwarps++;
    n->shared_degrees += b->degree[i];
  }
}

/* ---- writeback ---- */

/* The warp's operation has left the pipeline; it may issue the next one from `cycle` on. */
static void release(struct sm *sm, uint32_t w, uint64_t cycle) {
  struct barrel_warp *bw = &sm->barrel->of[w];
  sm->in_flight &= ~warp_bit(w);
  sm->waiting[WAIT_MEMORY] &= ~warp_bit(w);
  if (bw->waits) {
    sm_execute(sm, 0, w);
    return;
  }
  sm->warp[w]->fetch = cycle;
  sm_schedule(sm, w);
}

static void written_back(struct sm *sm, uint32_t payload) {
  struct barrel *b = sm->barrel;
  uint32_t w = payload & PAYLOAD_WARP;
  b->flying--;
  if (!(payload & PAYLOAD_LAST)) return;
  b->of[w].written = true;
  if (b->of[w].loading) sm->waiting[WAIT_MEMORY] |= warp_bit(w);
  else release(sm, w, *sm->now + RELEASE);
}

static void barrel_loaded(struct sm *sm, uint32_t w, uint64_t cycle, bool async) {
  struct barrel_warp *bw = &sm->barrel->of[w];
  if (async || !bw->loading) {
    sm_scoreboard_pipeline.loaded(sm, w, cycle, async);
    return;
  }
  bw->loading = false;
  if (bw->written) release(sm, w, cycle + 1);
}

/* ---- memory stages ---- */

static void left_mem0(struct sm *sm, uint32_t payload, uint32_t degree) {
  struct barrel *b = sm->barrel;
  uint32_t w = payload & PAYLOAD_WARP;
  struct barrel_warp *bw = &b->of[w];
  bool last = payload & PAYLOAD_LAST;
  if ((payload & PAYLOAD_SHARED) && hooks_of(sm)->resolved) {
    hooks_of(sm)->resolved(sm->system, w, bw->pc, degree, last);
    sm->system_called = true;
  }
  if (!last || !bw->leaves) return;
  b->coming--;
  bw->leaves = false;
  if (!bw->accesses) return;
  bw->accesses = false;
  bw->loading = sm_lsu_push(sm, w, &sm->kernel_ops[bw->pc], &bw->access);
}

static void note_occupancy(struct sm *sm, const struct elastic_mem_stage_out *out) {
  const struct elastic_parameters *p = elastic_parameters(sm->config);
  struct elastic_counters *c = elastic_counters(&sm->counters);
  if (out->pre_cnt > c->premem_peak) c->premem_peak = out->pre_cnt;
  if (out->non_cnt > c->nonmem_peak) c->nonmem_peak = out->non_cnt;
  if (sm->pipeline != &barrel_elastic) return;
  c->premem_full += out->pre_cnt && out->pre_cnt == p->premem;
  c->nonmem_full += out->non_cnt && out->non_cnt == p->nonmem;
}

/* Why the front end stalls. assumption: a return of an earlier cycle counts as the reason until a cycle without a new
 * instruction has caught up its delay; otherwise kernels without bank conflicts would show conflict stalls. */
static void note_held(struct sm *sm, const struct elastic_mem_stage_out *out, bool exe) {
  struct barrel *b = sm->barrel;
  bool moves = exe && !out->exe_stall;
  if (out->exe_stall)
    b->stall = out->exe_stall_icnt || b->displaced ? of_barrel(BARREL_RETURN) : of_barrel(BARREL_BANK_CONFLICT);
  if (out->wb_lost && moves) b->displaced++;
  else if (!out->wb_lost && !moves && b->displaced) b->displaced--;
  if (!out->wb_valid) b->displaced = 0;
}

/* Executes a cycle of the block; true if the front end stalls. */
static bool memory_stages(struct sm *sm) {
  struct barrel *b = sm->barrel;
  const struct slot *exe = &b->front[b->exe];
  struct elastic_mem_stage_in *in = b->stage->in;
  const struct elastic_mem_stage_out *out = b->stage->out;
  in->exe_valid = exe->valid;
  in->exe_is_mem = exe->memory;
  in->exe_cd = exe->degree;
  in->exe_payload = exe->payload;
  in->icnt_valid = b->return_left && !b->returns_last;
  b->stage->rst_n = !b->drop;
  block_eval(b->stage);
  bool held = out->exe_stall, returned = b->return_left && (in->icnt_valid || !out->wb_valid);
  if (!b->drop) {
    note_held(sm, out, in->exe_valid);
    note_occupancy(sm, out);
    if (out->sub_valid) left_mem0(sm, out->sub_payload, out->sub_cd);
    if (out->wb_valid && out->wb_src) written_back(sm, out->wb_payload);
  }
  block_tick(b->stage);
  sm->work += b->drop;
  b->drop = false;
  if (!returned) return held;
  elastic_counters(&sm->counters)->return_slots++;
  if (!--b->return_left) sm_finish_reply(sm, &b->returned);
  return held;
}

/* Takes one reply at a time; others wait in the interconnect. A reply without data for registers needs no writeback. */
static void take_return(struct sm *sm) {
  struct barrel *b = sm->barrel;
  const struct mem_request *reply = b->return_left ? NULL : memory_first_reply(sm->memory, sm->index);
  if (!reply) return;
  sm->took_reply = true;
  if (mem_unasked(reply)) { /* it has no register to write */
    sm_finish_reply(sm, reply);
    return;
  }
  b->returned = *reply;
  b->return_left = (reply->bytes + 4 * b->lanes - 1) / (4 * b->lanes);
}

/* ---- issue ---- */

static void into_front(struct sm *sm) {
  struct barrel *b = sm->barrel;
  uint32_t place = b->exe + b->stages - 1;
  const struct barrel_warp *bw = &b->of[b->warp];
  uint32_t type = barrel_op_type(&sm->kernel_ops[bw->pc]), last = b->sub + 1 == b->subwarps;
  b->front[place < b->stages ? place : place - b->stages] = (struct slot){
    .valid = true,
    .memory = type & BARREL_OP_MEMORY,
    .degree = b->degree[b->sub],
    .payload = (uint16_t)(b->warp | (last ? PAYLOAD_LAST : 0) | (type & BARREL_OP_SHARED ? PAYLOAD_SHARED : 0))};
  b->flying++;
  b->sub = last ? 0 : b->sub + 1;
  b->stall = STALL_NONE;
}

static void note_ctas(struct sm *sm) {
  struct elastic_counters *c = elastic_counters(&sm->counters);
  if (sm->n_ctas > c->ctas_peak) c->ctas_peak = sm->n_ctas;
}

static void start(struct sm *sm, uint32_t w) {
  struct barrel *b = sm->barrel;
  struct barrel_warp *bw = &b->of[w];
  const struct ptx_op *op = sm->warp[w]->op;
  uint32_t excess = 0;
  bw->pc = (uint32_t)(op - sm->kernel_ops);
  bw->accesses = bw->loading = bw->written = false;
  bw->leaves = is_memory(op) && op->memory.space != PTX_SHARED;
  bw->waits = takes_effect_late(op);
  note_ctas(sm);
  b->coming += bw->leaves;
  b->warp = w;
  memset(b->degree, 1, b->subwarps);
  sm->in_flight |= warp_bit(w);
  sm->scheduler[0].last = w;
  sm->issued = true;
  sm->issued_warp = (uint8_t)w;
  sm->issued_pc = bw->pc;
  if (bw->waits) sm->ready &= ~warp_bit(w);
  else sm_execute(sm, 0, w);
  for (uint32_t i = 0; i < b->subwarps; i++) excess += port_cycles(b, b->degree[i]);
  if (hooks_of(sm)->issued) hooks_of(sm)->issued(sm->system, w, bw->pc, excess - b->subwarps);
  into_front(sm);
}

/* The warps that the proposal lets issue. */
static uint64_t admitted(struct sm *sm, uint64_t ready, bool held) {
  const struct barrel_hooks *hooks = hooks_of(sm);
  if (!hooks->admit || (!ready && !(sm->ops->busy && sm->ops->busy(sm->system)))) return ready;
  sm->system_called = true;
  return hooks->admit(sm->system, ready, !sm->barrel->sub, held);
}

static void barrel_issue(struct sm *sm, bool held) {
  struct barrel *b = sm->barrel;
  uint64_t ready = admitted(sm, sm->ready, held);
  sm->issued = false;
  if (held) return;
  if (b->sub) {
    into_front(sm);
    sm->issued = true;
    return;
  }
  b->stall = !sm->ready ? of_barrel(BARREL_NO_WARP) : !ready ? of_barrel(BARREL_MASKED) : STALL_STRUCTURAL;
  if (sm->lsu_queue.count + b->coming >= sm->lsu_queue.size) ready &= ~sm->unit[UNIT_MEMORY];
  if (ready && !sm->faulted) start(sm, sm->policy->pick(sm, 0, ready));
}

static void barrel_cycle(struct sm *sm) {
  struct barrel *b = sm->barrel;
  take_return(sm);
  sm_wake_warps(sm);
  sm_lsu_cycle(sm);
  bool held = memory_stages(sm);
  barrel_issue(sm, held);
  sm->work += b->flying || b->return_left;
  if (held) return;
  b->front[b->exe].valid = false;
  b->exe = b->exe + 1 < b->stages ? b->exe + 1 : 0;
}

static uint32_t barrel_classify(const struct sm *sm) { return sm->barrel->stall; }

/* The operation that the memory stages hold, or one in flight of the oldest warp that waits. */
static uint32_t barrel_waits_at(const struct sm *sm) {
  const struct barrel *b = sm->barrel;
  const struct slot *exe = &b->front[b->exe];
  if (b->stall == of_barrel(BARREL_BANK_CONFLICT) || b->stall == of_barrel(BARREL_RETURN)) {
    if (exe->valid) return b->of[exe->payload & PAYLOAD_WARP].pc;
    return sm->launch.kernel->n_ops;
  }
  uint32_t w = sm_oldest_of(sm, b->stall == of_barrel(BARREL_NO_WARP) ? sm->active : sm->ready);
  return w != SM_NONE && sm->in_flight & warp_bit(w) ? b->of[w].pc : sm_next_pc(sm, w);
}

static void barrel_fetched(struct sm *sm, uint32_t w, uint32_t pc) {
  if (hooks_of(sm)->fetched) hooks_of(sm)->fetched(sm->system, w, pc);
}

#define BARREL(pipeline_name, number)                                                                             \
  {                                                                                                               \
    .name = pipeline_name, .barrel = true, .variant = number, .create = barrel_create, .destroy = barrel_destroy, \
    .launch = barrel_launch, .abort = barrel_abort, .cycle = barrel_cycle, .classify = barrel_classify,           \
    .waits_at = barrel_waits_at, .access = barrel_access, .loaded = barrel_loaded, .fetched = barrel_fetched      \
  }
const struct sm_pipeline barrel_unified = BARREL("unified", 0), barrel_split = BARREL("split", 1),
                         barrel_elastic = BARREL("elastic", 2);
