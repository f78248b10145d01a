/* SPDX-License-Identifier: Apache-2.0 */
/* Where host time goes. A timer of each thread looks every half millisecond at what the thread is doing, which it says by
 * host_enter(); so nothing is measured, and slowed down, in the cycles themselves. Host-side figures only. */
#ifndef TANDEM_BASE_HOST_PROFILE_H
#define TANDEM_BASE_HOST_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

/* Parts of a run. Each block has a place of its own besides (host_profile_place()). */
enum host_place {
  HOST_PROGRAM, /* the user's program, calls of the API, files, start and end */
  HOST_LOOP,    /* clocks, skipping, CTA dispatch */
  HOST_SM,
  HOST_COMMIT, /* requests of the SMs to the memory system */
  HOST_NOC,
  HOST_L2,
  HOST_DRAM,
  HOST_CHECK, /* decoupled lockstep: hand-over to checkers */
  HOST_WAIT,  /* asleep: takes no processor time, and is no part of the sum */
  HOST_PLACES,
  HOST_PLACES_MAX = 256,
  HOST_CHECKS = 256 /* added to a block's place: its RTL follows on a tape */
};

/* In a library of its own too, so that no call is needed to reach it. */
extern _Thread_local volatile uint32_t host_at __attribute__((tls_model("initial-exec")));

/* Says what the thread does from here on; returns what it did before, for the way back. */
static inline uint32_t host_enter(uint32_t place) {
  uint32_t before = host_at;
  host_at = place;
  return before;
}

/* Starts the sampling, of the calling thread first. false: the host has no such timer. */
bool host_profile_start(void);
bool host_profile_on(void);
/* A further thread, at its start and its end; nothing if sampling is off. */
void host_profile_thread(void);
void host_profile_thread_end(void);
/* The place of this name (kept, not copied); the same name, the same place. HOST_PROGRAM when all are used. */
uint32_t host_profile_place(const char *name);

struct host_profile_row {
  const char *name;
  double seconds, checker_seconds; /* processor time: of the place; of HOST_CHECKS + the place */
};
/* Rows of all places but HOST_WAIT; returns their number. *samples: how many looks they rest on. Their sum is the processor time
 * of the process since the start of sampling. */
uint32_t host_profile_rows(struct host_profile_row rows[HOST_PLACES_MAX], uint64_t *samples);

#endif
