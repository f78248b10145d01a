/* SPDX-License-Identifier: Apache-2.0 */
/* Branches, exits, fences, moves, and operations across lanes. */
#include "device/device_memory.h"
#include "ptx/decode.h"

#include <string.h>

/* ---- branches, exits, fences ---- */

static int decode_branch(struct decoder *d) {
  if (d->n_parts > 2 || (d->n_parts == 2 && strcmp(d->part[1], "uni") != 0)) return decode_refuse(d);
  int code = decode_operands(d, 1, 1);
  if (code) return code;
  const struct operand *o = d->ins->operand;
  struct name *n = NULL;
  if (o->kind == OPERAND_NAME) n = ptx_find_name(d->parser, o->name, o->length, d->ins->scope);
  if (!n || n->kind != NAME_LABEL)
    return decode_syntax(d, "there is no label '%.*s' here", (int)(o->name ? o->length : 0), o->name ? o->name : "");
  d->op->class = PTX_BRANCH;
  d->op->branch = (struct ptx_op_branch){.kind = BRANCH_PLAIN, .target = n->index, .reconverge = UINT32_MAX};
  return decode_finish(d);
}

/* fence{.order}.scope in any order; membar.level; fence.proxy...; fence.mbarrier_init.release.cluster */
static int decode_fence(struct decoder *d) {
  static const char *const orders[] = {"acq_rel", "sc", "acquire", "release", NULL};
  static const char *const scopes[] = {"cta", "gpu", "gl", "sys", "cluster", NULL};
  bool proxy = d->n_parts > 2 && strcmp(d->part[1], "proxy") == 0; /* all proxies are one here */
  bool init = d->n_parts == 4 && strcmp(d->part[1], "mbarrier_init") == 0;
  uint32_t n_orders = 0, n_scopes = 0;
  for (uint32_t i = 1 + init; i < d->n_parts && !proxy; i++) {
    if (orders[decode_find(d->part[i], orders)]) n_orders++;
    else if (scopes[decode_find(d->part[i], scopes)]) n_scopes++;
    else return decode_refuse(d);
  }
  if (!proxy && (n_scopes != 1 || n_orders > 1)) return decode_refuse(d);
  d->op->class = PTX_FENCE;
  int code = decode_operands(d, 0, 0);
  return code ? code : decode_finish(d);
}

int ptx_decode_flow(struct decoder *d) {
  const char *name = d->part[0];
  if (strcmp(name, "bra") == 0) return decode_branch(d);
  if (name[0] == 'b') return ptx_decode_barrier(d);
  if (name[0] == 'm' || name[0] == 'f') return decode_fence(d);
  bool uniform = d->n_parts == 2 && strcmp(d->part[1], "uni") == 0 && name[0] == 'r';
  if (d->n_parts > 1 && !uniform) return decode_refuse(d);
  bool returns = name[0] == 'r' && !d->function->is_entry; /* ret of an entry ends the thread */
  int code = returns && d->allocates ? ptx_decode_stack_frame(d, false) : 0;
  if (code) return code;
  if (returns && d->allocates) decode_begin(d);
  d->op->class = returns ? PTX_BRANCH : PTX_EXIT;
  if (returns) d->op->branch = (struct ptx_op_branch){.kind = BRANCH_RETURN, .reconverge = UINT32_MAX};
  code = decode_operands(d, 0, 0);
  return code ? code : decode_finish(d);
}

/* ---- moves ---- */

static ptx_exec_fn *handler(const struct decoder *d, const char *key, enum ptx_type type) {
  const struct ptx_handler *h = ptx_find_handler(key, type);
  invariant(h, "no handler %s.%s", key, ptx_type_name(type));
  decode_choose(d, h);
  return d->op->exec;
}

static int decode_pack(struct decoder *d, enum ptx_type type, bool pack) {
  const struct operand *one = &d->ins->operand[pack ? 0 : 1], *many = &d->ins->operand[pack ? 1 : 0];
  uint32_t n = many->n_elements, bytes = ptx_type_bytes(type), part = n ? bytes / n : 0;
  if ((n != 2 && n != 4) || (part != 1 && part != 2 && part != 4) || one->kind == OPERAND_VECTOR)
    return decode_refuse(d);
  enum ptx_type element = part == 4 ? T_B32 : part == 2 ? T_B16 : T_B8;
  int code = pack ? decode_destination(d, one, type) : decode_source(d, one, type);
  for (uint32_t i = 0; i < n && !code; i++)
    code = pack ? decode_source(d, &many->element[i], element) : decode_destination(d, &many->element[i], element);
  if (code) return code;
  d->op->exec = handler(d, pack ? (n == 2 ? "pack2" : "pack4") : (n == 2 ? "unpack2" : "unpack4"),
                        bytes == 8   ? T_B64
                        : bytes == 4 ? T_B32
                                     : T_B16);
  d->op->class = PTX_INT;
  return decode_finish(d);
}

static int decode_clock(struct decoder *d, enum ptx_type type) {
  const struct operand *o = d->ins->operand;
  bool grid = o[1].index == SPECIAL_GRIDID && ptx_type_bytes(type) == 4; /* it had 32 bits once */
  if (!grid && ptx_type_bytes(type) != (ptx_special_is_wide(o[1].index) ? 8 : 4))
    return decode_syntax(d, "'%.*s' is %u bits wide", (int)o[1].length, o[1].name,
                         ptx_special_is_wide(o[1].index) ? 64 : 32);
  d->op->exec = ptx_exec_clock;
  d->op->special = (uint8_t)(grid ? SPECIAL_GRIDID_LOW : o[1].index);
  d->op->class = PTX_INT;
  int code = decode_destination(d, &o[0], type);
  return code ? code : decode_finish(d);
}

int ptx_decode_move(struct decoder *d) {
  enum ptx_type type = d->n_parts == 2 ? ptx_type_of(d->part[1], strlen(d->part[1])) : T_NONE;
  if (type == T_NONE) return decode_refuse(d);
  int code = decode_operands(d, 2, 2);
  if (code) return code;
  const struct operand *o = d->ins->operand;
  if (o[0].pair || o[1].pair || (o[1].negated && o[1].kind != OPERAND_IMMEDIATE)) return decode_refuse(d);
  if (o[1].kind == OPERAND_VECTOR) return decode_pack(d, type, true);
  if (o[0].kind == OPERAND_VECTOR) return decode_pack(d, type, false);
  if (o[1].kind == OPERAND_SPECIAL && o[1].index >= SPECIAL_CLOCK) return decode_clock(d, type);
  if (o[1].kind == OPERAND_VARIABLE && ptx_in_frame(d, o[1].variable) && ptx_type_bytes(type) == 8)
    return ptx_decode_frame_address(d);
  if ((code = decode_destination(d, &o[0], type)) || (code = decode_source(d, &o[1], type))) return code;
  uint32_t bytes = ptx_type_bytes(type);
  d->op->exec = handler(d, "mov", bytes == 0 ? T_PRED : bytes == 8 ? T_B64 : T_B32);
  d->op->class = PTX_INT;
  return decode_finish(d);
}

/* cvta{.to}.space.u64: shared, local and param memory are windows of the generic address space; global and const
 * addresses are generic addresses already. */
int ptx_decode_cvta(struct decoder *d) {
  bool to = d->n_parts == 4 && strcmp(d->part[1], "to") == 0;
  const char *space = d->n_parts == 3u + to ? d->part[1 + to] : "", *type = d->part[d->n_parts - 1];
  if (strcmp(space, "u64") == 0) space = type, type = "u64"; /* they may change places */
  bool shared =
    strcmp(space, "shared") == 0 || strcmp(space, "shared::cta") == 0 || strcmp(space, "shared::cluster") == 0;
  bool local = strcmp(space, "local") == 0;
  bool param = strcmp(space, "param") == 0 || strcmp(space, "param::entry") == 0;
  if ((!shared && !local && !param && strcmp(space, "global") != 0 && strcmp(space, "const") != 0) ||
      strcmp(type, "u64") != 0)
    return decode_refuse(d);
  int code = decode_typed(d, "tt", T_U64);
  if (code) return code;
  d->op->class = PTX_INT64;
  if (param && !d->function->is_entry) return decode_refuse(d); /* a function's parameters lie in local memory */
  if (shared || local || param) {
    uint64_t base = shared ? GENERIC_SHARED_BASE : local ? GENERIC_LOCAL_BASE : GENERIC_PARAM_BASE;
    d->op->src[d->op->n_src++] = decode_constant(d, base, true);
    d->op->exec = handler(d, to ? "sub" : "add", T_U64);
  } else {
    d->op->exec = handler(d, "mov", T_B64);
  }
  return decode_finish(d);
}

/* ---- across lanes: .sync may stand anywhere between the mnemonic and the type; here it has been taken out ---- */

static int decode_shuffle(struct decoder *d, bool sync) {
  static const char *const modes[] = {"up", "down", "bfly", "idx", NULL};
  if (d->n_parts != 3 || strcmp(d->part[2], "b32") != 0) return decode_refuse(d);
  d->op->shuffle = (uint8_t)decode_find(d->part[1], modes);
  if (!modes[d->op->shuffle]) return decode_refuse(d);
  d->op->exec = ptx_exec_shuffle;
  int code = decode_typed(d, sync ? "bbbbb" : "bbbb", T_NONE);
  return code ? code : decode_finish(d);
}

static int decode_vote(struct decoder *d, bool sync) {
  static const char *const modes[] = {"all", "any", "uni", "ballot", NULL};
  if (d->n_parts != 3) return decode_refuse(d);
  d->op->vote = (uint8_t)decode_find(d->part[1], modes);
  bool ballot = d->op->vote == VOTE_BALLOT;
  if (!modes[d->op->vote] || strcmp(d->part[2], ballot ? "b32" : "pred") != 0) return decode_refuse(d);
  d->op->exec = ptx_exec_vote;
  int code = decode_typed(d, sync ? "tpb" : "tp", ballot ? T_B32 : T_PRED);
  return code ? code : decode_finish(d);
}

/* match.any.sync.type d, a, members; match.all.sync.type d|p, a, members */
static int decode_match(struct decoder *d) {
  bool all = d->n_parts == 3 && strcmp(d->part[1], "all") == 0;
  if (d->n_parts != 3 || (!all && strcmp(d->part[1], "any") != 0)) return decode_refuse(d);
  enum ptx_type type = ptx_type_of(d->part[2], strlen(d->part[2]));
  if (type != T_B32 && type != T_B64) return decode_refuse(d);
  d->op->match = (struct ptx_op_match){.all = all, .is_64 = type == T_B64};
  d->op->exec = ptx_exec_match;
  int code = decode_typed(d, "btb", type);
  return code ? code : decode_finish(d);
}

/* redux.sync.op.type d, a, members: the operation is the atomic of this name */
static int decode_reduce(struct decoder *d) {
  if (d->n_parts != 3) return decode_refuse(d);
  enum ptx_type type = ptx_type_of(d->part[2], strlen(d->part[2]));
  enum ptx_atomic a = decode_atomic_name(d->part[1]);
  bool adds = a == ATOMIC_ADD || a == ATOMIC_MIN || a == ATOMIC_MAX,
       bits = a == ATOMIC_AND || a == ATOMIC_OR || a == ATOMIC_XOR;
  if (!(adds && (type == T_U32 || type == T_S32)) && !(bits && type == T_B32)) return decode_refuse(d);
  d->op->reduce = (struct ptx_op_atomic){.operation = (uint8_t)a, .type = (uint8_t)type};
  d->op->exec = ptx_exec_reduce;
  int code = decode_typed(d, "ttb", type);
  return code ? code : decode_finish(d);
}

static bool take_part(struct decoder *d, const char *part) {
  uint32_t i = 1;
  while (i < d->n_parts && strcmp(d->part[i], part) != 0) i++;
  if (i == d->n_parts) return false;
  for (d->n_parts--; i < d->n_parts; i++) d->part[i] = d->part[i + 1];
  return true;
}

int ptx_decode_lanes(struct decoder *d) {
  bool sync = d->n_parts > 1 && strcmp(d->part[d->n_parts - 1], "sync") != 0 && take_part(d, "sync");
  d->op->class = PTX_INT;
  if (d->part[0][0] == 's') return decode_shuffle(d, sync);
  if (d->part[0][0] == 'v') return decode_vote(d, sync);
  if (d->part[0][0] == 'm') return sync ? decode_match(d) : decode_refuse(d);
  if (d->part[0][0] == 'r') return sync ? decode_reduce(d) : decode_refuse(d);
  if (sync || d->n_parts != 2 || strcmp(d->part[1], "b32") != 0) return decode_refuse(d);
  d->op->exec = ptx_exec_activemask;
  int code = decode_typed(d, "b", T_NONE);
  return code ? code : decode_finish(d);
}

/* ---- the rest ---- */

static int decode_isspacep(struct decoder *d) {
  static const struct {
    const char *name;
    enum ptx_space space;
  } spaces[] = {{"global", PTX_GLOBAL},      {"shared", PTX_SHARED},         {"local", PTX_LOCAL},
                {"const", PTX_CONST},        {"param", PTX_PARAM},           {"param::entry", PTX_PARAM},
                {"shared::cta", PTX_SHARED}, {"shared::cluster", PTX_SHARED}};
  const size_t n = sizeof spaces / sizeof spaces[0];
  size_t i = 0;
  while (i < n && (d->n_parts != 2 || strcmp(d->part[1], spaces[i].name) != 0)) i++;
  if (i == n) return decode_refuse(d);
  d->op->window = (uint8_t)spaces[i].space;
  d->op->exec = ptx_exec_isspacep;
  d->op->class = PTX_INT64;
  int code = decode_typed(d, "pt", T_U64);
  return code ? code : decode_finish(d);
}

/* elect.sync d|p, members: elects the lowest lane */
static int decode_elect(struct decoder *d) {
  if (d->n_parts != 2 || strcmp(d->part[1], "sync") != 0) return decode_refuse(d);
  int code = decode_operands(d, 2, 2);
  if (code) return code;
  if (!d->ins->operand->pair) return decode_syntax(d, "writes a lane and a predicate: d|p");
  d->op->exec = ptx_exec_elect;
  d->op->class = PTX_INT;
  code = decode_typed(d, "bb", T_NONE);
  return code ? code : decode_finish(d);
}

/* createpolicy: a cache policy, which has no effect */
static int decode_policy(struct decoder *d) {
  const struct operand *o = d->ins->operand;
  int code = decode_operands(d, 1, 4);
  if (code || (code = decode_destination(d, &o[0], T_B64))) return code;
  d->op->src[d->op->n_src++] = decode_constant(d, 0, true);
  d->op->exec = handler(d, "mov", T_B64);
  d->op->class = PTX_INT64;
  return decode_finish(d);
}

/* mapa, getctarank: every CTA is a cluster of its own, so an address maps to itself and has rank 0. */
int ptx_decode_cluster(struct decoder *d) {
  bool map = strcmp(d->part[0], "mapa") == 0, space = d->n_parts == 3 && strcmp(d->part[1], "shared::cluster") == 0;
  enum ptx_type type = ptx_type_of(d->part[d->n_parts - 1], strlen(d->part[d->n_parts - 1]));
  if (d->n_parts != 2u + space || (type != T_U32 && type != T_U64)) return decode_refuse(d);
  const struct operand *o = d->ins->operand;
  int code = decode_operands(d, 2 + map, 2 + map);
  if (code || (code = decode_destination(d, &o[0], map ? type : T_U32))) return code;
  if (map) code = decode_source(d, &o[1], type);
  else d->op->src[d->op->n_src++] = decode_constant(d, 0, false);
  if (code) return code;
  bool wide = map && type == T_U64;
  d->op->exec = handler(d, "mov", wide ? T_B64 : T_B32);
  d->op->class = wide ? PTX_INT64 : PTX_INT;
  return decode_finish(d);
}

/* griddepcontrol.{wait,launch_dependents}: a launch begins when those before it have ended. */
static int decode_dependence(struct decoder *d) {
  bool known = d->n_parts == 2 && (strcmp(d->part[1], "wait") == 0 || strcmp(d->part[1], "launch_dependents") == 0);
  if (!known) return decode_refuse(d);
  d->op->class = PTX_NOP;
  int code = decode_operands(d, 0, 0);
  return code ? code : decode_finish(d);
}

int ptx_decode_misc(struct decoder *d) {
  const char *name = d->part[0];
  if (strcmp(name, "createpolicy") == 0) return decode_policy(d);
  if (strcmp(name, "griddepcontrol") == 0) return decode_dependence(d);
  if (strcmp(name, "isspacep") == 0) return decode_isspacep(d);
  if (strcmp(name, "elect") == 0) return decode_elect(d);
  if (strcmp(name, "trap") == 0 || strcmp(name, "brkpt") == 0) {
    int code = d->n_parts > 1 ? decode_refuse(d) : decode_operands(d, 0, 0);
    if (code) return code;
    d->op->class = PTX_INT;
    d->op->exec = ptx_exec_trap;
    return decode_finish(d);
  }
  d->op->class = PTX_NOP; /* nanosleep, prefetch, pmevent and the like have no effect here */
  return decode_finish(d);
}
