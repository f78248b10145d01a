/* SPDX-License-Identifier: Apache-2.0 */
/* A routine of assist warps, and the store that holds the words of all routines. */
#ifndef TANDEM_SYSTEMS_CABA_ROUTINE_H
#define TANDEM_SYSTEMS_CABA_ROUTINE_H

#include "systems/caba/aws.h"

enum { AWS_TRIGGERS = 16, AWS_NAME = 32 };

/* What starts a routine. */
#define AWS_EVENTS(X) X(AWS_NONE, none) X(AWS_FILL, fill) X(AWS_STORE, store) X(AWS_MARK, mark)
enum aws_event {
#define X(identifier, name) identifier,
  AWS_EVENTS(X)
#undef X
    AWS_N_EVENTS
};

struct aws_routine {
  char name[AWS_NAME];
  uint32_t line;          /* of its text */
  uint8_t event;          /* enum aws_event */
  uint8_t encoding, mask; /* of `event`: the bits of `mask` are those of `encoding`; of a mark its number */
  bool high;              /* its parent waits for it; else it gets what is idle */
  uint8_t live_in, live_out;
  uint8_t kept;                  /* its first registers, which stay from call to call of a warp */
  uint8_t registers, predicates; /* that its lanes take */
  uint8_t words;                 /* 1..AWS_ROUTINE_WORDS */
  uint16_t base;                 /* number of its first word */
};

/* The contents of an assist warp store, and what the controller's table of triggers is loaded with. */
struct aws_store {
  struct aws_routine routine[AWS_ROUTINES];
  uint64_t word[AWS_WORDS];
  uint32_t line[AWS_WORDS];                 /* of the text of a word's routine */
  uint32_t n_routines, n_words, n_triggers; /* triggers: of lines; those of marks are a kernel's */
  uint32_t n_kept;
};

#endif
