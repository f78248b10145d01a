/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the driver API: calls whose stream 0 is the thread's. */
#ifndef TANDEM_CUDA_API_PER_THREAD_H
#define TANDEM_CUDA_API_PER_THREAD_H

#include <stdbool.h>

/* Whether stream 0 of this thread's next calls is the thread's own; returns what held before. The runtime (csim/cudart) calls it. */
bool tandem_own_default_stream(bool);

/* The variant of a call whose stream 0 is the thread's; the call itself if it has none. */
void (*cuda_per_thread_entry(void (*plain)(void)))(void);

#endif
