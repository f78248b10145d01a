/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the SM's side share: assist warps, and the lines for which they run. */
#ifndef TANDEM_SYSTEMS_CABA_INTERNAL_H
#define TANDEM_SYSTEMS_CABA_INTERNAL_H

#include "base/ring.h"
#include "core/cache.h"
#include "core/system.h"
#include "systems/caba/agent.h"
#include "systems/caba/assist.h"
#include "systems/caba/line_code.h"
#include "systems/caba/marks.h"
#include "systems/caba/tables.h"
#include "systems/caba/units.h"

enum {
  CABA_WARPS = 64,
  CABA_AWT = 64,      /* entries of the controller's table, at most (caba.awt) */
  CABA_BUFFER = 2,    /* words of an instruction buffer, and of the low partition */
  CABA_WINDOW = 1024, /* cycles */
  CABA_SLOTS = 2,     /* idle issue slots that the controller counts in a cycle */
  CABA_SCHEDULERS = 4,
  CABA_STORE = 1 << 16,
  CABA_FILLS = CACHE_MSHRS + 64, /* by MSHR of L1, and by line of the store buffer */
  CABA_NONE = UINT16_MAX
};

/* An instruction of an assist warp that may issue. */
struct caba_word {
  struct aws_instruction i;
  struct aws_uses uses; /* its own */
  bool shared, line;    /* it accesses shared memory; the line space */
  uint8_t awt;
  uint8_t number; /* in its routine */
};
struct caba_buffer {
  struct caba_word word[CABA_BUFFER];
  uint64_t
    ready; /* core cycle from which on the first word's registers are; it does not change once the word is the first */
  uint32_t n;
};

/* An entry of the AWT: what an assist warp has beside what the controller keeps. Times are core cycles. */
struct caba_entry {
  struct assist_warp w;
  uint64_t ready[AWS_REGISTERS + 1], predicate[AWS_PREDICATES], carry; /* can be read from then on */
  uint64_t last;                                                       /* all results are there */
  uint64_t due;                                                        /* its branch is resolved, or it ends */
  uint64_t
    argument; /* from CABA_MARKED on a mark, from CABA_STORE on a line of the store buffer that is compressed; else a fill */
  uint8_t warp, sr, number; /* number: of the next word */
  bool high;
};

/* A compressed line that has come for an MSHR; from CACHE_MSHRS on, for a line of the store buffer that was refused. */
struct caba_fill {
  uint64_t came;
  uint8_t image[AWS_LINE]; /* becomes the line */
  uint8_t line[AWS_LINE];  /* that it stands for */
};
/* What the controller is told of one. */
struct caba_waiting {
  uint16_t fill;
  uint8_t warp, encoding;
};

/* A line of the store buffer. OPEN: writes come; CALLED: an assist warp compresses it; LEAVES: it is being sent;
 * ASKS: a part of it was sent, and answers are awaited, or it is being decompressed. Beside a line that asks there may be one more for the
 * same address, which leaves after it. */
enum { STORE_FREE, STORE_OPEN, STORE_CALLED, STORE_LEAVES, STORE_ASKS };
struct caba_store {
  uint64_t line, since;    /* device address; core cycle in which it was opened */
  uint64_t called;         /* core cycle in which the controller took its call, which cannot be killed in that cycle */
  uint64_t mask[2];        /* bytes that were written and not sent */
  uint64_t sent[2];        /* of a part: bytes that were sent */
  uint32_t answers;        /* awaited */
  bool asks;               /* its writes are answered */
  bool returned;           /* a write was refused */
  uint8_t packed;          /* bytes of the image that came back */
  uint8_t back;            /* the same; 0: no assist warp is needed */
  bool merged;             /* it has come back, and is sent as a whole */
  uint32_t length;         /* of its image; 0: plain */
  uint8_t state, warp;     /* warp: parent */
  uint8_t writer;          /* warp that wrote last */
  uint8_t sr;              /* the routine that compresses it */
  bool chosen;             /* it has been chosen since the last write */
  bool again;              /* written since its call began */
  bool wanted;             /* an atomic waits until it is sent */
  bool counted;            /* as one that is sent */
  uint8_t image[AWS_LINE]; /* line space of the call; of a line that came back: its image */
  uint8_t bytes[AWS_LINE]; /* what the call began with; of a line that came back: what the SM has made of it */
  uint8_t written[AWS_LINE]; /* what warps have written, by `mask` and `sent` */
};

/* A segment of a write: its bytes. */
struct caba_written {
  uint64_t mask[2];
  uint8_t warp;
};

struct caba_sm {
  const struct gpu_config *config;
  const struct caba_parameters *p;
  struct caba_sm_counters *n;
  struct caba_agent *agent;
  struct sm_services sm;
  uint32_t index;

  /* assist warps; no block: the design has none */
  struct block *awc, *aws;
  char awc_path[32], aws_path[32];
  struct caba_line_code code; /* its store is what caba_aws is loaded with */
  struct caba_marks marks;
  uint32_t rows, words;           /* of triggers, of the store: that have been loaded */
  bool begins;                    /* the controller is to be told of the launch */
  bool resets;                    /* its next cycle is a reset */
  bool works;                     /* a block does */
  uint32_t calls;                 /* taken in by the controller and not ended */
  uint64_t begun, branches, ends; /* entries: those picked; with a branch, with an end that is to be told */
  uint64_t blocked;               /* warps that wait for an assist warp */
  uint64_t has_words;             /* warps with words in their buffer */
  struct caba_buffer high[CABA_WARPS], low;
  uint64_t owned[CABA_SCHEDULERS]; /* warps of each scheduler */
  uint8_t last[CABA_SCHEDULERS];   /* warp whose assist warp issued last */
  struct caba_entry *entry;        /* CABA_AWT */

  /* windows of utilisation: cycles by idle slots and a full queue; `told`: of the last one, that the controller has yet to be told */
  uint32_t ctas, left, cycles[CABA_SLOTS + 1][2], told[CABA_SLOTS + 1][2];

  struct caba_unit *unit; /* of hardware that compresses and decompresses (caba.design=hw_bdi); else NULL */

  /* lines */
  struct ring waiting, resumed; /* fills that wait for a trigger; those whose loads go on */
  struct caba_waiting *waiting_fill;
  uint16_t *resumed_fill;
  struct caba_fill *fill; /* CABA_FILLS */

  /* stores */
  struct caba_store *store_line; /* caba.stores */
  uint32_t stores, kept;         /* lines; those that are not free */
  uint64_t stores_due;           /* core cycle before which none of them is old while CTAs run */
  struct caba_written *written;  /* of the segments in the load/store unit, by their number */
  struct caba_l1_line *l1;       /* with caba.l1_tags */
  uint64_t numbers;              /* of them, a power of two */
  uint64_t memory_end;
  uint8_t asked[SM_WRITES];     /* by tag: the line of the store buffer that awaits an answer, + 1; 0: none */
  uint32_t slot;                /* the next image's on its way to the agent */
  uint32_t length;              /* of the write that is sent; 0: plain */
  uint64_t live, exits;         /* warps; those whose end is to be told to the controller */
  uint64_t started[CABA_WARPS]; /* core cycle */
  bool crowded;                 /* a write waits for a line of the buffer */
};

static inline uint64_t caba_bit(uint32_t i) { return UINT64_C(1) << i; }

/* registers.c: of a thread, for assist warps; of an SM, that are no warp's when as many CTAs as fit are resident */
uint32_t caba_registers(const struct gpu_config *, void *agent);
uint64_t caba_registers_free(const struct gpu_config *, struct caba_agent *, const struct ptx_kernel *,
                             const struct launch *);

/* warps.c: the controller, the store, and the words on their way */
int caba_warps_make(struct caba_sm *, struct block_factory *, const char *path, struct err *);
int caba_warps_launch(struct caba_sm *, const struct ptx_kernel *, struct err *);
void caba_warps_cycle(struct caba_sm *);
bool caba_warps_busy(const struct caba_sm *);

/* slots.c: issue, and what the controller is told of it */
uint64_t caba_word_ready(const struct caba_entry *,
                         const struct caba_word *); /* core cycle from which on its registers are */
enum own_operation caba_own(void *self, uint32_t scheduler, bool idle, bool l1);
void caba_ran(void *self, const struct sm_condition *, uint64_t cycles);
bool caba_tells(const struct caba_sm *);
/* The cycles of one condition. False: none is to be told. */
bool caba_tell(struct caba_sm *, uint32_t *run, uint32_t *idle, bool *full);

/* fills.c: compressed lines that come */
int caba_fills_make(struct caba_sm *, struct err *);
bool caba_keeps_reply(void *self, uint32_t mshr, const struct mem_request *, uint32_t warp);
uint8_t *caba_fill_line(struct caba_sm *, uint64_t argument); /* the line space of a call */
/* A load has found a compressed line in L1. */
void caba_fill_found(struct caba_sm *, uint32_t mshr, const uint8_t *image, uint32_t bytes, uint32_t warp);
/* A line of the store buffer has come back compressed. */
void caba_fill_returned(struct caba_sm *, uint32_t store, const uint8_t *image, uint32_t bytes, uint32_t warp);
/* The bytes of that line, once its assist warp has decompressed it. */
const uint8_t *caba_fill_of_store(const struct caba_sm *, uint32_t store);
void caba_fill_ended(struct caba_sm *, const struct caba_entry *);
void caba_fill_resumes(struct caba_sm *, uint64_t argument);
void caba_fills_release(struct caba_sm *);

/* l1.c: lines that L1 has compressed */
int caba_l1_make(struct caba_sm *, struct err *);
extern const struct l1_packing caba_l1_packing;

/* stores.c: lines that are written */
int caba_stores_make(struct caba_sm *, struct err *);
void caba_stores_reset(struct caba_sm *);
uint64_t caba_stores_bytes(const struct gpu_config *);
struct l1_choice caba_access(void *self, const struct l1_access *);
enum line_answer caba_line(void *self, enum mem_kind, const struct segment *);
uint32_t caba_store_eligible(struct caba_sm *); /* a whole line with a parent that is free, the oldest; CABA_NONE */
void caba_store_called(struct caba_sm *, uint32_t at, bool taken);
uint8_t *caba_store_line(struct caba_sm *, uint64_t argument);
void caba_store_ended(struct caba_sm *, const struct caba_entry *);
void caba_answered(void *self, const struct mem_request *);
/* A line that came back has been decompressed, to these bytes. */
void caba_store_merged(struct caba_sm *, uint32_t at, const uint8_t line[AWS_LINE]);
uint32_t caba_stores_killed(struct caba_sm *, uint32_t warp); /* how many of its calls */
uint32_t
caba_store_victim(struct caba_sm *); /* one that is called and must leave, CABA_NONE; or it lets open ones leave */
void caba_stores_send(struct caba_sm *);
bool caba_stores_busy(const struct caba_sm *);
uint64_t caba_stores_wake(const struct caba_sm *);

#endif
