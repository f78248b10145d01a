/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of Zorua share: the state of an SM's side. */
#ifndef TANDEM_SYSTEMS_ZORUA_INTERNAL_H
#define TANDEM_SYSTEMS_ZORUA_INTERNAL_H

#include "base/err.h"
#include "base/ring.h"
#include "core/launch.h"
#include "core/system.h"
#include "systems/zorua/entries.h"
#include "systems/zorua/sets.h"
#include "systems/zorua/tables.h"
#include "systems/zorua/touch.h"
#include "zorua_manager_ports.h"

enum {
  ZORUA_CTAS = 64,
  ZORUA_WARPS = 128, /* logical ones; a warp is its number everywhere but in sets of slots */
  ZORUA_SLOTS = 64,
  ZORUA_WORDS = ZORUA_WARPS / 32,
  ZORUA_EVENTS = 256,      /* each warp has one under way, or an end and the next start */
  ZORUA_LINES = 8192,      /* of operations, that wait for the load/store unit */
  ZORUA_LINES_FULL = 2048, /* with so many no operation with operands in memory is executed */
  ZORUA_FILL = 256,        /* tag of a line that comes back; below it: of an operand of warp tag */
  ZORUA_PARTS = WARP_LANES,
  ZORUA_READS = 6, /* ports of the manager */
  ZORUA_SREADS = 4
};
enum { ZORUA_NO_SLOT = UINT8_MAX };
enum { ZORUA_START, ZORUA_PHASE, ZORUA_BARRIER, ZORUA_END };

struct zorua_event {
  uint8_t kind, warp, block, registers, scratch;
};

struct zorua_line {
  uint64_t address;
  uint16_t tag;
  bool store;
};

/* Lines of one scratchpad set that an access touches. */
struct zorua_part {
  uint8_t set, lines;
};

/* A warp's operation that is issued and not executed, and where its operands lie. */
struct zorua_warp {
  uint8_t block;
  bool begun; /* it has executed the specifier that came with its start */
  bool deep;  /* at its last barrier its SIMT stack was more than a line */
  bool needs; /* it waits for what it needs since cycle `since` */
  uint64_t since;
  struct zorua_operands op;
  struct zorua_entries entries;
  uint32_t sets, todo, swapped; /* register sets: of it; not looked up yet; found in memory */
  uint16_t phys[ZORUA_WARP_SETS];
  bool shared, loads, stores;   /* it waits for scratchpad; reads, writes it */
  uint32_t n_parts, parts_todo; /* of the access; those not looked up yet */
  uint32_t parts_swapped;
  struct zorua_part part[ZORUA_PARTS];
  uint8_t parts_phys[ZORUA_PARTS];
  uint32_t lines; /* on their way from memory */
  uint64_t ready; /* cycle in which the last one can be read */
};

struct zorua {
  const struct gpu_config *config;
  const struct zorua_parameters *p;
  struct zorua_counters *n;
  struct sm_services sm;
  uint32_t index;            /* of the SM */
  struct zorua_touch *touch; /* or NULL */

  /* wlm */
  uint64_t registers; /* of a warp of the running kernel */
  uint64_t parted;    /* CTA slots some of whose warps have started late */

  /* zorua */
  struct block *manager; /* or NULL */
  char path[32];
  const struct ptx_kernel *kernel;                 /* whose operands are known */
  struct zorua_operands *operand;                  /* of each of its operations */
  bool arrives;                                    /* it has barriers at which a warp does not wait */
  uint32_t shared;                                 /* bytes of a CTA beside static arrays */
  uint64_t base[3];                                /* of the SM's swap space: registers, scratchpad, warps */
  uint32_t bases;                                  /* that the manager has yet to be told */
  bool begins;                                     /* so is the launch */
  bool resets;                                     /* its next cycle is a reset */
  uint32_t live;                                   /* warps that run */
  uint32_t sched[ZORUA_WORDS], asked[ZORUA_WORDS]; /* a bit a warp: schedulable; with an event under way */
  uint64_t open;                                   /* slots of warps that are schedulable and have no event under way */
  bool seats;                                      /* more warps than the SM has slots for */
  uint8_t slot_of[ZORUA_WARPS];                    /* of a warp, or ZORUA_NO_SLOT */
  uint8_t warp_in[ZORUA_SLOTS];                    /* of a slot; meaningful if that warp's slot is this one */
  bool come, ask, works;                           /* a block can come; the coordinator is to be asked; it works */
  uint8_t come_id;
  struct ring events, lines;
  struct zorua_event event[ZORUA_EVENTS];
  struct zorua_line line[ZORUA_LINES];
  uint32_t fills, loads;       /* lines on their way back; of operands */
  struct zorua_values *values; /* of the sets, or NULL */
  uint64_t collecting;         /* slots */
  struct zorua_warp warp[ZORUA_WARPS];
  uint32_t turn;                                         /* warp whose lookups come first */
  uint8_t port_warp[ZORUA_READS], port_set[ZORUA_READS]; /* of the reads of this cycle */
  uint8_t sport_warp[ZORUA_SREADS], sport_part[ZORUA_SREADS];
  uint8_t lock[ZORUA_REGISTER_SETS];                   /* loads that have not come into a physical set, by it */
  uint32_t locked[ZORUA_REGISTER_SETS / 32];           /* bit by set: there are some */
  uint16_t pending[ZORUA_WARPS][ZORUA_WARP_REGISTERS]; /* 1 + physical set of a register that a load will write, or 0 */
  /* the epoch: cycles by idle | mem << 1; `told`: of the last one, that the manager has yet to be told */
  uint32_t left, cycles[4], told[4];
  uint32_t thresh; /* register sets that may be in memory */
};

/* Of the slot of a warp that has one. */
static inline uint64_t zorua_slot(const struct zorua *z, uint32_t w) { return UINT64_C(1) << z->slot_of[w]; }
/* The warp in the lowest slot of a set that is not empty. */
static inline uint32_t zorua_first(const struct zorua *z, uint64_t slots) { return z->warp_in[__builtin_ctzll(slots)]; }
static inline bool zorua_has(const uint32_t *warps, uint32_t w) { return warps[w / 32] >> w % 32 & 1; }

/* The entry of the mapping table's row of warp `w` that has its register set `set`. */
static inline uint32_t zorua_entry(const struct zorua *z, uint32_t w, uint32_t set) {
  return z->p->live == ZORUA_LIVE_MASK ? z->warp[w].entries.of[set] : set;
}
/* Where a register of warp `w` lies in memory, if its set is there. */
static inline uint64_t zorua_register_line(const struct zorua *z, uint32_t w, uint32_t r) {
  uint32_t place = zorua_entry(z, w, r / ZORUA_SET_LANE) * ZORUA_SET_LANE + r % ZORUA_SET_LANE;
  return z->base[0] + ((uint64_t)w * ZORUA_WARP_REGISTERS + place) * ZORUA_LINE;
}

/* manager.c */
int zorua_manager_make(struct zorua *, struct block_factory *, const char *path, struct err *);
void zorua_manager_launch(struct zorua *);
void zorua_tell(struct zorua *, uint32_t kind, uint32_t warp, const struct ptx_op *phase);
void zorua_ran(void *self, const struct sm_condition *, uint64_t cycles);
void zorua_manager_cycle(struct zorua *);
bool zorua_manager_busy(const struct zorua *);

/* slots.c */
void zorua_slots_launch(struct zorua *);
void zorua_slot_begins(struct zorua *, uint32_t warp);
void zorua_slot_ends(struct zorua *, uint32_t warp);
void zorua_slots_changed(struct zorua *); /* after a change of sched or asked */

/* operands.c */
int zorua_operands_launch(struct zorua *, const struct ptx_kernel *, struct err *);
bool zorua_operands_hook(void *self, uint32_t warp, const struct ptx_op *);
void zorua_execute(void *self, uint32_t warp, const struct ptx_op *, struct ptx_warp *);
bool zorua_shared(void *self, uint32_t warp, const struct ptx_access *);
void zorua_executed(void *self, uint32_t warp, const struct ptx_op *, struct ptx_warp *, bool pending);
void zorua_loaded(void *self, uint32_t warp, const struct ptx_op *);
void zorua_line_loaded(void *self, uint32_t tag, uint64_t cycle, bool hit);
uint64_t zorua_collected(const void *self);
/* The reads that the manager is asked for in this cycle, and its answers. */
void zorua_ask_operands(struct zorua *, struct zorua_manager_in *);
void zorua_take_operands(struct zorua *, const struct zorua_manager_in *, const struct zorua_manager_out *);
void zorua_lock(const struct zorua *, struct zorua_manager_in *);
bool zorua_operands_busy(const struct zorua *);
uint64_t zorua_operands_wake(const struct zorua *);

/* values.c: nothing is done if zorua.values is 0 */
int zorua_values_make(struct zorua *, struct err *);
int zorua_values_launch(const struct zorua *, const struct ptx_kernel *, struct err *);
void zorua_values_read(const struct zorua *, uint32_t warp, const struct ptx_op *, struct ptx_warp *);
void zorua_values_write(const struct zorua *, uint32_t warp, const struct ptx_op *, struct ptx_warp *);
void zorua_values_line(const struct zorua *, const struct zorua_manager_out *);

#endif
