/* SPDX-License-Identifier: Apache-2.0 */
/* Host threads that do the same tasks again and again, side by side, hundreds of rounds a millisecond: a round costs a
 * hand-over between processors, no system call. Each thread has the same tasks in every round, but for a task that changes
 * hands now and then so that all are through at the same time: what tasks touch stays in a processor's caches. What a
 * thread that the host has put aside has not begun is done by the caller. Threads that find nothing to do for a while
 * sleep. */
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
/* Calls work(context, t, task) once for each task 0 .. tasks-1, t the thread it is called in (0: the caller's), and returns
 * when all have returned. What the caller wrote before is seen by them, what they wrote by the caller afterwards. */
typedef void workers_fn(void *context, uint32_t t, uint32_t task);
void workers_run(struct workers *, workers_fn *, void *context);

#endif
