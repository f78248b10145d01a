/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that leave a slice for others. Where sets have more tags than room for whole lines (memory_packing.tags), a line leaves as soon as
 * another one lacks its room: one that comes, or one that a request makes longer. Dirty ones go by the slice's one place for
 * write-backs, so that a request which needs the room of several of them waits. */
#ifndef TANDEM_MEM_L2_ROOM_H
#define TANDEM_MEM_L2_ROOM_H

#include <stdbool.h>
#include <stdint.h>

struct l2_slice;
struct mem_request;

/* What is dirty of the line at `at`, which leaves, is written back. False: a write-back waits already. */
bool l2_write_back(struct l2_slice *, uint32_t at);
/* A way for `line`, which will take `bytes` of its set; L2_NO_WAY: not yet, or (prefetch) only pinned lines are left. */
uint32_t l2_room_for_line(struct l2_slice *, uint64_t line, uint32_t bytes, bool prefetch);
/* The line at `at` will take what it takes after this request. False: not yet. */
bool l2_room_for_request(struct l2_slice *, uint32_t at, const struct mem_request *);
/* The line at `at` will be fetched. False: not yet. */
bool l2_room_for_fetch(struct l2_slice *, uint32_t at);
/* The line at `at` has come. */
void l2_room_filled(struct l2_slice *, uint32_t at);
/* Bytes that a write makes the line take if it is not there. */
uint32_t l2_room_written(const struct l2_slice *, uint64_t line, const struct mem_request *);

#endif
