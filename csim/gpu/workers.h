/* SPDX-License-Identifier: Apache-2.0 */
/* Host threads that do the same tasks again and again, side by side, thousands of rounds a millisecond: a round costs a
 * hand-over between processors, no system call. Each thread begins with the same tasks in every round, so that what they
 * touch stays in its processor's caches; who is through takes over what others have not begun, so that a thread the host
 * has put aside holds nobody up. Threads that find nothing to do for a while sleep. */
#ifndef TANDEM_GPU_WORKERS_H
#define TANDEM_GPU_WORKERS_H

#include <stdint.h>

struct err;
struct workers;

enum { WORKERS_MAX = 64 };

/* `n` threads, 2..WORKERS_MAX, the caller's included, for rounds of `tasks` tasks. */
struct workers *workers_create(uint32_t n, uint32_t tasks, struct err *);
void workers_destroy(struct workers *); /* NULL: nothing */
uint32_t workers_count(const struct workers *);
/* Calls work(context, t, first, end) for ranges that cover the tasks 0 .. tasks-1 once, t the thread it is called in
 * (0: the caller's), and returns when all have returned. What the caller wrote before is seen by them, what they wrote by
 * the caller afterwards. */
typedef void workers_fn(void *context, uint32_t t, uint32_t first, uint32_t end);
void workers_run(struct workers *, workers_fn *, void *context);

#endif
