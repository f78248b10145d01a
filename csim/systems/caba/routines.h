/* SPDX-License-Identifier: Apache-2.0 */
/* The routines that Tandem brings along (the .ptx files of this folder), and how many instructions a call of each executes. */
#ifndef TANDEM_SYSTEMS_CABA_ROUTINES_H
#define TANDEM_SYSTEMS_CABA_ROUTINES_H

#include "systems/caba/assemble.h"

/* X(identifier, file without its ending) */
#define CABA_ALGORITHMS(X) X(CABA_BDI, bdi) X(CABA_FPC, fpc) X(CABA_C_PACK, c_pack)
enum caba_algorithm {
#define X(identifier, name) identifier,
  CABA_ALGORITHMS(X)
#undef X
    CABA_N_ALGORITHMS
};

/* The first byte of its images, but for the lowest 4 bits, which are the code. */
static inline uint8_t caba_first_byte(enum caba_algorithm a) { return (uint8_t)((a + 1) << 4); }

/* Appends an algorithm's routines. They are right; an error says that the store has no room. */
int caba_load_algorithm(enum caba_algorithm, struct aws_store *, struct err *);

/* Instructions that calls of a routine have executed, each unit's (enum aws_unit) in `of`. */
struct caba_executed {
  uint32_t calls, least, most;
  uint32_t of[AWS_UNITS]; /* of the call with the most */
};

/* Of each routine of `store`: compression is called for sample lines of all kinds, and for each image that it makes the decompression that
 * this starts. */
void caba_count_executed(const struct aws_store *, struct caba_executed executed[AWS_ROUTINES]);
/* What a study of the design counted by hand for the longest path of the routine of this name (docs/caba.md), or NULL. */
const char *caba_hand_count(const char *routine);

#endif
