/* SPDX-License-Identifier: Apache-2.0 */
/* An assist warp, functionally: it executes words of the assist warp store on 32 lanes and a line space. Timing is its caller's. */
#ifndef TANDEM_SYSTEMS_CABA_ASSIST_H
#define TANDEM_SYSTEMS_CABA_ASSIST_H

#include "systems/caba/aws.h"

enum { ASSIST_LANES = 32 };

/* X(identifier, what the routine did) */
#define ASSIST_FAULTS(X)                                                                        \
  X(ASSIST_NO_WORD, "executes a word that is no instruction")                                   \
  X(ASSIST_OUTSIDE, "accesses bytes outside of its line")                                       \
  X(ASSIST_MISALIGNED, "accesses bytes of its line that are misaligned")                        \
  X(ASSIST_NOT_SHARED, "accesses bytes outside of its CTA's shared memory, or misaligned ones") \
  X(ASSIST_LENGTH, "gives its image more bytes than are kept")                                  \
  X(ASSIST_NO_TARGET, "branches to a target that brx.idx does not have")                        \
  X(ASSIST_APART, "has lanes that would take a branch apart")                                   \
  X(ASSIST_ENDLESS, "does not end")

enum assist_fault {
  ASSIST_FINE,
#define X(identifier, sentence) identifier,
  ASSIST_FAULTS(X)
#undef X
    ASSIST_N_FAULTS
};

struct assist_warp {
  uint32_t r[AWS_REGISTERS + 1][ASSIST_LANES]; /* the last one is the zero register */
  uint32_t p[AWS_PREDICATES], carry;           /* a bit a lane */
  uint32_t mask;                               /* lanes that execute, at least one */
  uint32_t pc;                                 /* of the next instruction in its routine */
  uint32_t length;                             /* that setlen published last; 0: none */
  const uint32_t *live_in[AWS_LIVE_IN];        /* registers of the parent, ASSIST_LANES each */
  uint32_t *live_out[AWS_LIVE_OUT];
  uint64_t argument; /* 40 bits */
  uint8_t *line;     /* AWS_LINE bytes, or NULL */
  uint8_t *shared;   /* of the parent's CTA, shared_bytes */
  uint32_t shared_bytes;
  bool prefetches;   /* the last instruction asks for a line: that of `prefetch` */
  uint64_t prefetch; /* address */
  uint8_t fault;     /* enum assist_fault: the first one; nothing is executed after it */
  bool ended;        /* END has been executed */
};

/* A routine begins: lanes `mask`, this line and argument. Registers keep what they have, which the routine may not read. */
void assist_begin(struct assist_warp *, uint32_t mask, uint8_t *line, uint64_t argument);
/* Executes one instruction. Of lanes that store to the same byte the last one's stays. */
void assist_execute(struct assist_warp *, const struct aws_instruction *);
const char *assist_fault_sentence(enum assist_fault);

/* Executes a routine from its words to its end, or to a fault. `count`: instructions of each unit that were executed are added. */
void assist_run(struct assist_warp *, const uint64_t *word, uint32_t words, uint32_t count[AWS_UNITS]);

#endif
