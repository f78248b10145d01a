/* SPDX-License-Identifier: Apache-2.0 */
/* A slice's requests for lines that are kept in fewer bytes (mem/packing.h), on their way to the channel. One whose size is not known
 * waits for a size line, which is read once for all that wait for it. So does a part of a line that must be
 * read before it can be written. What has waited goes on, one request a cycle. */
#ifndef TANDEM_MEM_L2_PACKED_H
#define TANDEM_MEM_L2_PACKED_H

#include <stdbool.h>
#include <stdint.h>

enum { L2_SIZE_ID = 0x8000 }; /* ids of reads of size lines: L2_SIZE_ID | place */
enum { L2_PART = 0x80 };      /* beside sectors of a write: the slice does not have all bytes of the line */

struct dram_request;
struct l2_slice;

/* Whether a request for a line can be pushed; the channel's room is another matter. */
bool l2_packed_room(const struct l2_slice *);
/* Pushes a request for a line, *request but for its bursts; `sectors` of a write: those that the slice has bytes of, with L2_PART. There is room here, and in the channel for one request. */
void l2_packed_push(struct l2_slice *, const struct dram_request *request, uint64_t line, uint8_t sectors,
                    uint64_t tick);
/* The read with this id, of a size line or of a line that is to be written whole, has come. */
void l2_packed_answer(struct l2_slice *, uint16_t id);
/* Once a cycle, before lookups, while to_push is not 0. */
void l2_packed_go_on(struct l2_slice *, uint64_t tick);

#endif
