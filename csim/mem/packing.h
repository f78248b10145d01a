/* SPDX-License-Identifier: Apache-2.0 */
/* What a proposal's memory agent (mem/agent.h) says of lines that are kept in fewer bytes than line_bytes. A slice then fetches
 * whole lines, and DRAM moves as many bursts as a line's bytes take. A write fetches nothing (l2.write_miss counts for nothing): a line
 * that leaves the slice before all of it was written or read is written in part where DRAM has it plain, and otherwise read first.
 *
 * How many those are may itself lie in DRAM: a size line, of one burst, has the sizes of many lines. A request for a line whose size is
 * not known waits until its size line has come. Addresses of lines are physical; those of size lines are of the channel, behind the
 * memory that it has.
 *
 * In the slice a line takes the room of line_bytes, however many it has, or (tags, takes) the room that it needs: a set then has more tags
 * than it has room for whole lines. A line that is fetched takes line_bytes until it has come (assumption: its size comes with it). */
#ifndef TANDEM_MEM_PACKING_H
#define TANDEM_MEM_PACKING_H

#include "mem/request.h"

#define MEM_NO_SIZE_LINE UINT64_MAX

/* What the size of a line is wanted for: to read the line; to write all of it, which changes its size; to write a part. */
enum size_use { SIZE_TO_READ, SIZE_TO_WRITE, SIZE_TO_WRITE_PART };
/* BUSY: ask again in a later cycle. */
enum size_answer { SIZE_KNOWN, SIZE_MISSING, SIZE_BUSY };

struct packed_reply {
  uint8_t bytes;  /* of data in the reply, 1..bytes of the request */
  uint8_t cycles; /* L2 cycles that it leaves later */
};

/* What becomes of an SM's write at its slice. ANSWERED: it is written, and a reply without data says so. REFUSED: nothing is written; the
 * whole line goes back instead, as the reply to a read with the tag of the write. Both replies: system_ops.answered. */
enum packed_write { PACKED_WRITE_TAKEN, PACKED_WRITE_ANSWERED, PACKED_WRITE_REFUSED };

struct memory_packing {
  /* Bytes in DRAM, 1..line_bytes, of a line that is read now. */
  uint32_t (*stored)(void *self, uint64_t physical);
  /* The line is written to DRAM as its bytes are now: what it takes from now on. */
  uint32_t (*store)(void *self, uint64_t physical);
  /* Sectors of `bytes` in all are written, and the slice does not have the others. True: DRAM has the line plain, and it stays so. False:
   * it is to be read first (stored), and then written whole (store). */
  bool (*store_part)(void *self, uint64_t physical, uint32_t bytes);
  /* The reply to an SM's read or atomic; `fetched`: its line came from DRAM for it. */
  struct packed_reply (*reply)(void *self, const struct mem_request *, bool fetched);
  /* Asked at each try of the write's lookup. NULL: all are taken. */
  enum packed_write (*write)(void *self, const struct mem_request *);
  /* Whether the size of the line is at hand at slice `slice`; KNOWN: the request goes to DRAM in this cycle; MISSING: *fetch is the size
   * line to read, of one burst, and the request asks again when it has come. NULL: it always is. */
  enum size_answer (*sized)(void *self, uint32_t slice, uint64_t physical, enum size_use, uint64_t *fetch);
  /* A size line that was fetched has come. Then, until the answer is not BUSY: what leaves for it, once each: MISSING: size line
   * *write_back is to be written to DRAM; KNOWN: none. */
  void (*sizes)(void *self, uint32_t slice, uint64_t local);
  enum size_answer (*sizes_leave)(void *self, uint32_t slice, uint64_t local, uint64_t *write_back);
  /* Tags of a set of the slices for each line of which it has room. Asked once, before any line comes. NULL: one. */
  uint32_t (*tags)(const void *self);
  /* With more than one: bytes of its set's room that the line takes, 1..line_bytes, once this request has been looked up and performed;
   * NULL: as it is. */
  uint32_t (*takes)(const void *self, uint64_t physical, const struct mem_request *);
  /* A line leaves its set for the room of another one, although the set has a tag left. May be NULL. */
  void (*crowded)(void *self);
};

#endif
