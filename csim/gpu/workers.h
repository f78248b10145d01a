/* SPDX-License-Identifier: Apache-2.0 */
/* Host threads that run one function side by side, thousands of times a millisecond: a call costs a hand-over between
 * processors, no system call. Threads that find nothing to do for a while sleep. */
#ifndef TANDEM_GPU_WORKERS_H
#define TANDEM_GPU_WORKERS_H

#include <stdint.h>

struct err;
struct workers;

enum { WORKERS_MAX = 64 };

/* `n` threads, 2..WORKERS_MAX, the caller's included. */
struct workers *workers_create(uint32_t n, struct err *);
void workers_destroy(struct workers *); /* NULL: nothing */
uint32_t workers_count(const struct workers *);
/* Calls work(context, t) for t = 0 .. n-1, each in its thread (0: the caller's), and returns when all have returned. What
 * the caller wrote before is seen by them, what they wrote by the caller afterwards. */
void workers_run(struct workers *, void (*work)(void *context, uint32_t t), void *context);

#endif
