/* SPDX-License-Identifier: Apache-2.0 */
/* alloca, stacksave, stackrestore (see stack.c). */
#include "ptx/decode.h"

#include <string.h>

/* The row of the top; it belongs to no register, because operations on it take effect in order. */
static ptx_row top_of(struct decoder *d) {
  d->kernel->special_row[SPECIAL_STACK_TOP] = 1; /* marks it used */
  return SPECIAL_ROWS + SPECIAL_STACK_TOP;
}

static int finish(struct decoder *d, ptx_exec_fn *exec) {
  d->op->class = PTX_INT64;
  d->op->exec = exec;
  return decode_finish(d);
}

/* alloca.u64 d, bytes {, alignment} */
static int decode_alloca(struct decoder *d) {
  const struct operand *o = d->ins->operand;
  int code = decode_operands(d, 2, 3);
  if (code || (code = decode_destination(d, &o[0], T_U64)) || (code = decode_source(d, &o[1], T_U64))) return code;
  d->op->alignment = 8;
  if (d->ins->n_operands == 3) {
    bool power = o[2].kind == OPERAND_IMMEDIATE && o[2].literal == LITERAL_INT && o[2].bits && o[2].bits <= 128 &&
                 (o[2].bits & (o[2].bits - 1)) == 0;
    if (!power) return decode_syntax(d, "the alignment is a power of two from 1 to 128");
    d->op->alignment = (uint8_t)o[2].bits;
  }
  d->op->dst[d->op->n_dst++] = top_of(d);
  return finish(d, ptx_exec_alloca);
}

int ptx_decode_stack(struct decoder *d) {
  enum ptx_type type = d->n_parts == 2 ? ptx_type_of(d->part[1], strlen(d->part[1])) : T_NONE;
  if (type != T_U64 && type != T_B64) return decode_refuse(d);
  if (strcmp(d->part[0], "alloca") == 0) return decode_alloca(d);
  bool saves = strcmp(d->part[0], "stacksave") == 0;
  int code = decode_operands(d, 1, 1);
  if (code) return code;
  if ((code = saves ? decode_destination(d, d->ins->operand, T_U64) : decode_source(d, d->ins->operand, T_U64)))
    return code;
  if (saves) d->op->src[d->op->n_src++] = top_of(d);
  else d->op->dst[d->op->n_dst++] = top_of(d);
  return finish(d, saves ? ptx_exec_stack_save : ptx_exec_stack_restore);
}

/* What a function that allocates does first, and before each return (guarded like the return, which is d->ins). */
int ptx_decode_stack_frame(struct decoder *d, bool entering) {
  struct operand top = {.kind = OPERAND_REGISTER, .name = "", .index = d->stack_top};
  int code = entering ? decode_destination(d, &top, T_U64) : decode_source(d, &top, T_U64);
  if (code) return code;
  if (entering) d->op->src[d->op->n_src++] = top_of(d);
  else d->op->dst[d->op->n_dst++] = top_of(d);
  return finish(d, entering ? ptx_exec_stack_save : ptx_exec_stack_restore);
}
