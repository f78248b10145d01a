/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers of a CTA, and cp.async: copies to shared memory that go on while the warp does. */
#include "ptx/decode.h"

#include <string.h>

static int decode_barrier_id(struct decoder *d, const struct operand *o, uint64_t most, const char *what) {
  if (o->kind == OPERAND_IMMEDIATE && (o->literal != LITERAL_INT || o->bits > most))
    return decode_syntax(d, "%s is not in 0..%llu", what, (unsigned long long)most);
  return decode_source(d, o, T_U32);
}

/* {result,} barrier {, threads} {, predicate}; bar.arrive requires the number of threads */
static int decode_barrier_operands(struct decoder *d) {
  bool arrive = d->op->barrier == BARRIER_ARRIVE, reduces = d->op->barrier >= BARRIER_POPC;
  int code = decode_operands(d, arrive ? 2 : 1 + 2 * reduces, 2 + 2 * reduces);
  if (code) return code;
  const struct operand *o = d->ins->operand, *last = &o[d->ins->n_operands - 1];
  if (reduces && (code = decode_destination(d, o++, d->op->barrier == BARRIER_POPC ? T_U32 : T_PRED))) return code;
  if ((code = decode_barrier_id(d, o, 15, "the barrier"))) return code;
  bool threads = reduces ? o + 1 < last : o < last;
  if (threads && (code = decode_barrier_id(d, &o[1], 1024, "the number of threads"))) return code;
  if (reduces && (code = decode_source(d, last, T_PRED))) return code;
  return decode_finish(d);
}

/* barrier.cluster.arrive{.release,.relaxed}{.aligned}, barrier.cluster.wait{.acquire}{.aligned}: a cluster is one CTA. assumption:
 * an arrival alone lets nobody pass; the wait is a barrier of the CTA, beside the sixteen that bar names. */
static int decode_cluster_barrier(struct decoder *d) {
  static const char *const orders[] = {"release", "relaxed", "acquire", "aligned", NULL};
  bool waits = strcmp(d->part[2], "wait") == 0;
  if (!waits && strcmp(d->part[2], "arrive") != 0) return decode_refuse(d);
  for (uint32_t i = 3; i < d->n_parts; i++)
    if (!orders[decode_find(d->part[i], orders)]) return decode_refuse(d);
  int code = decode_operands(d, 0, 0);
  if (code) return code;
  d->op->class = waits ? PTX_BARRIER : PTX_FENCE;
  d->op->barrier = BARRIER_SYNC;
  if (waits) d->op->src[d->op->n_src++] = decode_constant(d, PTX_BARRIERS - 1, false);
  return decode_finish(d);
}

/* bar{.cta}.sync, .arrive, .red.{popc.u32,and.pred,or.pred}; barrier is the same without .aligned; bar.warp.sync */
int ptx_decode_barrier(struct decoder *d) {
  static const struct {
    const char *name, *operation, *type;
    enum ptx_barrier_kind kind;
  } forms[] = {{"sync", NULL, NULL, BARRIER_SYNC},
               {"arrive", NULL, NULL, BARRIER_ARRIVE},
               {"red", "popc", "u32", BARRIER_POPC},
               {"red", "and", "pred", BARRIER_AND},
               {"red", "or", "pred", BARRIER_OR}};
  const char *part[PARTS_MAX];
  uint32_t n = 0;
  if (d->n_parts == 3 && strcmp(d->part[1], "warp") == 0 && strcmp(d->part[2], "sync") == 0) {
    d->op->class = PTX_NOP; /* the lanes of a warp execute together, so there is nothing to wait for */
    int code = decode_operands(d, 1, 1);
    return code ? code : decode_finish(d);
  }
  if (d->n_parts > 2 && strcmp(d->part[1], "cluster") == 0) return decode_cluster_barrier(d);
  for (uint32_t i = 1; i < d->n_parts; i++)
    if (strcmp(d->part[i], "aligned") != 0 && (i > 1 || strcmp(d->part[i], "cta") != 0)) part[n++] = d->part[i];
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    uint32_t want = forms[i].operation ? 3 : 1;
    if (n != want || strcmp(part[0], forms[i].name) != 0) continue;
    if (want == 3 && (strcmp(part[1], forms[i].operation) != 0 || strcmp(part[2], forms[i].type) != 0)) continue;
    d->op->class = PTX_BARRIER;
    d->op->barrier = (uint8_t)forms[i].kind;
    return decode_barrier_operands(d);
  }
  return decode_refuse(d);
}

/* ---- copies ---- */

/* The number of the scoreboard register that a wait reads is known only when the kernel is linked. */
static int decode_wait(struct decoder *d, uint32_t which) {
  d->op->class = PTX_NOP;
  d->op->wait = (uint8_t)(which + 1);
  return decode_finish(d);
}

static int decode_group(struct decoder *d) {
  const char *what = d->part[2];
  d->kernel->async = true;
  if (strcmp(what, "commit_group") == 0 || strcmp(what, "wait_all") == 0) {
    int code = decode_operands(d, 0, 0);
    if (code) return code;
    if (what[0] == 'w') return decode_wait(d, PTX_ASYNC_GROUPS);
    d->op->class = PTX_ASYNC;
    return decode_finish(d);
  }
  if (strcmp(what, "wait_group") != 0) return decode_refuse(d);
  int code = decode_operands(d, 1, 1);
  const struct operand *o = d->ins->operand;
  if (code) return code;
  if (o->kind != OPERAND_IMMEDIATE || o->literal != LITERAL_INT || o->bits >= PTX_ASYNC_GROUPS)
    return ptx_unsupported(d->parser, d->ins->line, "'%.80s': the number of groups is a constant from 0 to %d here",
                           d->ins->opcode, PTX_ASYNC_GROUPS - 1);
  return decode_wait(d, (uint32_t)o->bits);
}

/* [shared], [global]: source 1 and source 0 */
static int decode_copy_addresses(struct decoder *d) {
  const struct operand *to = &d->ins->operand[0], *from = &d->ins->operand[1];
  if (to->kind != OPERAND_ADDRESS || from->kind != OPERAND_ADDRESS)
    return decode_syntax(d, "the addresses should stand in [ ]");
  const struct operand *base = to->element;
  if (base->kind == OPERAND_VARIABLE && base->variable->space != PTX_SHARED)
    return decode_syntax(d, "'%s' does not lie in shared memory", base->variable->name);
  bool narrow = base->kind != OPERAND_REGISTER || ptx_type_bytes(d->function->reg[base->index].type) == 4;
  int code = decode_source(d, from->element, T_U64);
  if (code || (code = decode_source(d, base, narrow ? T_U32 : T_U64))) return code;
  d->op->memory.offset = from->offset;
  d->op->memory.copy.shared_32 = narrow;
  d->op->memory.copy.shared_offset = (uint32_t)to->offset;
  return 0;
}

/* cp.async.{ca,cg}.shared{::cta}.global{hints} [to], [from], bytes {, bytes read | predicate} {, cache policy} */
int ptx_decode_async(struct decoder *d) {
  if (d->n_parts < 3 || strcmp(d->part[1], "async") != 0) return decode_refuse(d);
  if (strcmp(d->part[2], "mbarrier") == 0) return ptx_decode_async_arrive(d);
  if (d->n_parts == 3) return decode_group(d);
  bool l1 = strcmp(d->part[2], "ca") == 0, to_shared = strncmp(d->part[3], "shared", 6) == 0;
  if ((!l1 && strcmp(d->part[2], "cg") != 0) || !to_shared || d->n_parts < 5 || strcmp(d->part[4], "global") != 0 ||
      strcmp(d->part[3], "shared::cluster") == 0)
    return decode_refuse(d);
  bool policy = decode_has_part(d, "L2::cache_hint");
  for (uint32_t i = 5; i < d->n_parts; i++)
    if (strncmp(d->part[i], "L2::", 4) != 0) return decode_refuse(d);
  int code = decode_operands(d, 3 + policy, 4 + policy);
  if (code) return code;
  const struct operand *o = d->ins->operand, *bytes = &o[2], *most = &o[3];
  if (bytes->kind != OPERAND_IMMEDIATE || (bytes->bits != 16 && (!l1 || (bytes->bits != 4 && bytes->bits != 8))))
    return decode_syntax(d, "copies 4, 8 or 16 bytes, .cg 16");
  d->kernel->async = true;
  d->op->class = PTX_LOAD;
  d->op->memory = (struct ptx_op_memory){.space = PTX_GLOBAL,
                                         .bytes = (uint8_t)bytes->bits,
                                         .vector = 1,
                                         .cache = l1 ? PTX_CACHE_DEFAULT : PTX_CACHE_L2,
                                         .register_bytes = 4,
                                         .async = true};
  if ((code = decode_copy_addresses(d))) return code;
  if (d->ins->n_operands == 3U + policy) return decode_finish(d);
  bool ignore = most->kind == OPERAND_REGISTER && d->function->reg[most->index].type == T_PRED;
  d->op->memory.copy.ignore = ignore;
  code = decode_source(d, most, ignore ? T_PRED : T_U32);
  return code ? code : decode_finish(d);
}
