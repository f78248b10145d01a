/* SPDX-License-Identifier: Apache-2.0 */
/* mbarrier: barriers in shared memory. */
#include "ptx/decode.h"

#include <string.h>

struct mbarrier_form {
  const char *name;
  enum ptx_mbarrier kind;
  bool state;          /* a destination: the state before */
  uint8_t least, most; /* operands */
};
static const struct mbarrier_form forms[] = {
  {"init", MBARRIER_INIT, false, 2, 2},        {"inval", MBARRIER_INVAL, false, 1, 1},
  {"arrive", MBARRIER_ARRIVE, true, 2, 3},     {"arrive_drop", MBARRIER_ARRIVE_DROP, true, 2, 3},
  {"expect_tx", MBARRIER_EXPECT, false, 2, 2}, {"complete_tx", MBARRIER_COMPLETE, false, 2, 2},
  {"test_wait", MBARRIER_WAIT, false, 3, 3},   {"try_wait", MBARRIER_WAIT, false, 3, 4}};

/* Every order and scope is the one that memory has here; arrive.noComplete never completes a phase in a correct program. */
static bool read_parts(const struct decoder *d, enum ptx_space *space, bool *parity, bool *expects) {
  static const char *const orders[] = {"release", "acquire", "relaxed", "cta", "cluster", "noComplete", NULL};
  static const char *const shared[] = {"shared", "shared::cta", "shared::cluster", NULL};
  for (uint32_t i = 2; i < d->n_parts; i++) {
    const char *part = d->part[i];
    if (shared[decode_find(part, shared)]) *space = PTX_SHARED;
    else if (strcmp(part, "parity") == 0) *parity = true;
    else if (strcmp(part, "expect_tx") == 0) *expects = true;
    else if (!orders[decode_find(part, orders)] && (strcmp(part, "b64") != 0 || i + 1 != d->n_parts)) return false;
  }
  return strcmp(d->part[d->n_parts - 1], "b64") == 0;
}

static int decode_pending_count(struct decoder *d) {
  if (d->n_parts != 3) return decode_refuse(d);
  d->op->class = PTX_INT;
  d->op->exec = ptx_exec_pending_count;
  int code = decode_typed(d, "bq", T_NONE);
  return code ? code : decode_finish(d);
}

static int decode_count(struct decoder *d, const struct operand *o, const char *what) {
  if (o->kind == OPERAND_IMMEDIATE && (o->literal != LITERAL_INT || o->bits > MBARRIER_COUNT_MAX))
    return decode_syntax(d, "%s is not in 0..%d", what, MBARRIER_COUNT_MAX);
  return decode_source(d, o, T_U32);
}

/* After the class and the kind are known: {state,} [object] {, count}; waits write a predicate. */
static int decode_object(struct decoder *d, const struct mbarrier_form *form, enum ptx_space space, bool expects) {
  const enum ptx_mbarrier kind = (enum ptx_mbarrier)d->op->memory.mbarrier.kind;
  const struct operand *o = d->ins->operand;
  bool waits = kind == MBARRIER_WAIT || kind == MBARRIER_WAIT_PARITY;
  uint32_t n = d->ins->n_operands;
  int code = 0;
  if (waits) code = decode_destination(d, &o[0], T_PRED);
  else if (form->state && o->kind != OPERAND_SINK) code = decode_destination(d, &o[0], T_B64);
  uint32_t at = waits || form->state;
  if (code || (code = ptx_decode_address(d, &o[at], space))) return code;
  if (waits) return decode_source(d, &o[2], kind == MBARRIER_WAIT ? T_B64 : T_U32); /* a time limit has no effect */
  if (at + 1 < n) return decode_count(d, &o[at + 1], expects ? "the number of bytes" : "the count");
  return expects ? decode_syntax(d, "the number of bytes is missing") : 0;
}

int ptx_decode_mbarrier(struct decoder *d) {
  enum ptx_space space = PTX_GENERIC;
  bool parity = false, expects = false;
  if (d->n_parts < 3 || !read_parts(d, &space, &parity, &expects)) return decode_refuse(d);
  if (strcmp(d->part[1], "pending_count") == 0) return decode_pending_count(d);
  size_t i = 0, n = sizeof forms / sizeof forms[0];
  while (i < n && strcmp(d->part[1], forms[i].name) != 0) i++;
  if (i == n || (parity && forms[i].kind != MBARRIER_WAIT) || (expects && !forms[i].state)) return decode_refuse(d);
  enum ptx_mbarrier kind = parity                             ? MBARRIER_WAIT_PARITY
                           : !expects                         ? forms[i].kind
                           : forms[i].kind == MBARRIER_ARRIVE ? MBARRIER_ARRIVE_EXPECT
                                                              : MBARRIER_DROP_EXPECT;
  int code = decode_operands(d, forms[i].least, forms[i].most);
  if (code) return code;
  d->op->class = PTX_ATOMIC;
  d->op->memory = (struct ptx_op_memory){
    .bytes = 8, .vector = 1, .register_bytes = 8, .is_mbarrier = true, .mbarrier = {.kind = (uint8_t)kind}};
  code = decode_object(d, &forms[i], space, expects || forms[i].kind == MBARRIER_EXPECT);
  return code ? code : decode_finish(d);
}

/* cp.async.mbarrier.arrive{.noinc}{.shared}.b64 [object]: an arrival when the thread's copies are complete. Without .noinc the phase
 * expects one more, so that only the wait is left. assumption: the warp itself waits (docs/departures.md, 17). */
int ptx_decode_async_arrive(struct decoder *d) {
  bool counts = decode_has_part(d, "noinc");
  enum ptx_space space = PTX_GENERIC;
  if (decode_has_part(d, "shared") || decode_has_part(d, "shared::cta")) space = PTX_SHARED;
  uint32_t n = 5 + counts + (space == PTX_SHARED);
  if (d->n_parts != n || strcmp(d->part[n - 1], "b64") != 0 || strcmp(d->part[3], "arrive") != 0)
    return decode_refuse(d);
  d->kernel->async = true;
  d->op->class = PTX_NOP;
  d->op->wait = PTX_ASYNC_GROUPS + 1;
  int code = decode_operands(d, 1, 1);
  if (code || (code = decode_finish(d))) return code;
  if (!counts) return 0;
  decode_begin(d);
  d->op->class = PTX_ATOMIC;
  d->op->memory = (struct ptx_op_memory){
    .bytes = 8, .vector = 1, .register_bytes = 8, .is_mbarrier = true, .mbarrier = {.kind = MBARRIER_ARRIVE}};
  code = ptx_decode_address(d, &d->ins->operand[0], space);
  return code ? code : decode_finish(d);
}
