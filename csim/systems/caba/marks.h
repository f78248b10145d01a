/* SPDX-License-Identifier: Apache-2.0 */
/* Marks: instructions of a program that call a routine of assist warps. */
#ifndef TANDEM_SYSTEMS_CABA_MARKS_H
#define TANDEM_SYSTEMS_CABA_MARKS_H

#include "base/ring.h"
#include "core/system.h"
#include "systems/caba/assist.h"
#include "systems/caba/routine.h"

struct caba_entry;
struct caba_sm;

enum {
  CABA_MARKED = 1 << 17, /* argument of a trigger: a mark; below it lines */
  CABA_MARKS = 256       /* under way in an SM: in the AWT, waiting in the controller, one of each warp before it */
};

/* A row of the table of triggers. */
struct caba_row {
  bool mark;   /* else any program counter */
  uint32_t pc; /* number of the operation in its kernel */
  uint8_t sr;
};

/* The call of a mark. Operands are what they were at the mark (assumption: nobody overwrites a register that MOVE has yet to read). */
enum { MARK_FREE, MARK_WAITS, MARK_CALLED, MARK_DEAD };
struct caba_mark {
  uint32_t in[AWS_LIVE_IN][ASSIST_LANES], out[AWS_LIVE_OUT][ASSIST_LANES];
  const struct ptx_op *op;
  struct ptx_warp *f;
  uint32_t mask, pc;
  uint8_t state, warp, sr;
  bool high;
};

struct caba_marks {
  struct caba_mark *mark; /* CABA_MARKS */
  struct ring waiting;    /* those that have not been offered to the controller */
  uint16_t *waiting_mark;
  uint64_t stop;   /* warps that wait for one of high priority */
  uint64_t asking; /* warps with one of low priority that waits */
  uint32_t used;
  struct caba_row row[AWS_TRIGGERS];
  uint32_t rows;
  struct {
    uint32_t base, bytes;
  } shared[64];                             /* of each warp's CTA */
  uint32_t (*kept)[AWS_KEPT][ASSIST_LANES]; /* of each warp */
};

extern const struct ptx_extension caba_extensions[];

int caba_marks_make(struct caba_sm *, struct err *);
void caba_marks_destroy(struct caba_sm *);
void caba_marks_reset(struct caba_sm *);
/* The rows of a launch: routines of lines, then those of the kernel's marks. ERR_LIMIT, ERR_VALUE: too many, or a mark without a routine. */
int caba_marks_launch(struct caba_sm *, const struct ptx_kernel *, struct err *);
void caba_marks_start(struct caba_sm *, uint64_t warps, uint32_t base, uint32_t bytes); /* with a CTA */
void caba_marks_exit(struct caba_sm *, uint32_t warp);
enum extension_result caba_mark(void *self, const struct extension_call *);

/* The next one to be offered, or NULL; what has become of it. */
struct caba_mark *caba_marks_next(struct caba_sm *);
uint64_t caba_mark_argument(const struct caba_sm *, const struct caba_mark *);
void caba_marks_offered(struct caba_sm *, bool taken);
void caba_mark_begins(struct caba_sm *, struct caba_entry *);
void caba_mark_ended(struct caba_sm *, const struct caba_entry *);
uint32_t caba_marks_killed(struct caba_sm *, uint32_t warp); /* how many calls of low priority */

/* An access to shared memory: cycles of its port. */
uint32_t caba_shared_cycles(const struct caba_sm *, const struct caba_entry *, const struct aws_instruction *);
void caba_prefetch(struct caba_sm *, uint64_t address, uint32_t warp);

#endif
