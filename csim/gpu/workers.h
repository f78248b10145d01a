/* SPDX-License-Identifier: Apache-2.0 */
/* Host threads that execute the same tasks side by side, round after round, hundreds of rounds in a millisecond: starting a round
 * costs a hand-over of a cache line, no system call. Each thread keeps its tasks from round to round, so that their data stay in
 * its processor's caches; now and then one task moves to another thread, so that all finish at the same time. When the host
 * has suspended a thread, the caller does the tasks that this thread has not begun. Threads without work for a while sleep. */
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
