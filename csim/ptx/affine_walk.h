/* SPDX-License-Identifier: Apache-2.0 */
/* From values to forms: what each operation does to the forms of its sources. */
#ifndef TANDEM_PTX_AFFINE_WALK_H
#define TANDEM_PTX_AFFINE_WALK_H

#include "ptx/affine_form.h"
#include "ptx/affine_kinds.h"
#include "ptx/affine_value.h"

/* A loop. It runs on as long as its test says so, which a launch can count if `left` is linear in the iteration. */
struct walk_loop {
  uint32_t block; /* where it begins; also the number of its iteration symbol */
  enum { LOOP_NEW, LOOP_ASKED, LOOP_COUNTED, LOOP_UNKNOWN } state;
  bool ends_at_zero; /* it runs on while left != 0; else while left < 0. `left` is that of the iteration that ends. */
  struct form left;
};

struct walk;
/* The form of a loop-carried register by the loop's iteration. False: there is none. */
typedef bool walk_induction_fn(struct walk *, uint32_t number, struct form *out);

struct walk {
  struct arena *arena;
  const struct kernel *kernel;
  struct values *values;
  struct forms forms;
  struct form *form; /* by value */
  uint8_t *state;    /* by value: 0 not asked for, 1 being found, 2 found */
  uint32_t n_known;  /* values with a place in `form` and `state` */
  uint32_t depth;
  walk_induction_fn *induction; /* NULL: loop-carried registers are opaque */
  struct walk_loop *loop;
  uint32_t n_loops, loop_capacity;
  uint32_t *log; /* values found, in order: what rests on an assumption is forgotten with it */
  uint32_t n_log, log_capacity, effort;
};

void walk_begin(struct walk *, struct arena *, const struct kernel *, walk_induction_fn *);
/* Of a value, of source `i` of an operation; `bits` is the width of the source. */
struct form walk_value(struct walk *, uint32_t number);
struct form walk_source(struct walk *, uint32_t op, uint32_t i, uint32_t bits);
/* The address of a memory operation. */
struct form walk_address(struct walk *, uint32_t op);
/* Why an opaque value is none that a launch gives. */
enum affine_reason walk_reason(struct walk *, uint32_t number);
/* The operation that an opaque value comes from: of a join the last one of the block before. */
uint32_t walk_cause(struct walk *, uint32_t number);
/* The handler's key ("add", "cvt.rn.u64.u32"), or "" for operations that no table executes. */
const char *walk_key(const struct ptx_op *);

/* Takes `f` as the form of a value. */
void walk_assume(struct walk *, uint32_t number, struct form f);

#endif
