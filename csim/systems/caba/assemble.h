/* SPDX-License-Identifier: Apache-2.0 */
/* Routines of assist warps: text in the manner of PTX becomes words of the assist warp store. docs/caba.md describes the language. */
#ifndef TANDEM_SYSTEMS_CABA_ASSEMBLE_H
#define TANDEM_SYSTEMS_CABA_ASSEMBLE_H

#include "systems/caba/aws.h"

#include <stddef.h>

struct err;

enum { AWS_TRIGGERS = 16, AWS_NAME = 32 };

/* What starts a routine. */
#define AWS_EVENTS(X) X(AWS_NONE, none) X(AWS_FILL, fill) X(AWS_STORE, store)
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
  uint8_t encoding, mask; /* of `event`: the bits of `mask` are those of `encoding` */
  bool high;              /* its parent waits for it; else it gets what is idle */
  uint8_t live_in, live_out;
  uint8_t registers, predicates; /* that its lanes take */
  uint8_t words;                 /* 1..AWS_ROUTINE_WORDS */
  uint16_t base;                 /* number of its first word */
};

/* The contents of an assist warp store, and what the controller's table of triggers is loaded with. */
struct aws_store {
  struct aws_routine routine[AWS_ROUTINES];
  uint64_t word[AWS_WORDS];
  uint32_t line[AWS_WORDS]; /* of the text of a word's routine */
  uint32_t n_routines, n_words, n_triggers;
};

/* Appends the routines of `text` (`length` bytes). ERR_SYNTAX, ERR_UNSUPPORTED, ERR_LIMIT with file:line; the store then has what came
 * before. */
int caba_assemble(const char *file, const char *text, size_t length, struct aws_store *, struct err *);

/* The rules that a routine's words keep: one END, at its end; branches stay inside and all lanes take them together; no register,
 * predicate or carry is read before it is written. `line` has the line of each word. */
int caba_check_routine(const char *file, const struct aws_routine *, const uint64_t *word, const uint32_t *line,
                       struct err *);

/* The routine that this event of a line of this encoding (an image's first byte) starts, or NULL. */
const struct aws_routine *caba_routine_for(const struct aws_store *, enum aws_event, uint8_t encoding);

#endif
