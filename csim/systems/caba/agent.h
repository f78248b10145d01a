/* SPDX-License-Identifier: Apache-2.0 */
/* The memory agent: what each line takes in DRAM and in the L2. */
#ifndef TANDEM_SYSTEMS_CABA_AGENT_H
#define TANDEM_SYSTEMS_CABA_AGENT_H

#include "mem/agent.h"

struct caba_agent;
struct caba_line_code;
struct device_memory;
struct err;

extern const struct memory_agent_ops caba_agent_ops;
/* The code of lines where assist warps work, with the routines of design and program; it changes between launches. */
struct caba_line_code *caba_agent_code(struct caba_agent *);
/* A launch begins, with these contents of memory; nothing is in flight. ERR_LIMIT: out of memory; ERR_VALUE: a routine of the program does
 * not give a line back. */
int caba_agent_launch(struct caba_agent *, const struct device_memory *, struct err *);
/* The image in the reply that has come for MSHR `mshr` of L1 of SM `sm`; it stays until another request of the MSHR is answered. */
const uint8_t *caba_agent_image(const struct caba_agent *, uint32_t sm, uint32_t mshr);
enum { CABA_IMAGES = 1024 }; /* compressed lines that an SM can have on its way to the L2 */
/* Where SM `sm` puts the image of a write with tag `tag`, 0..CABA_IMAGES - 1, before it sends it. */
uint8_t *caba_agent_written(struct caba_agent *, uint32_t sm, uint32_t tag);
/* A line that came back to an SM because a write of a part of it was refused (caba.refused), with what the SM has made of it. */
struct caba_merge {
  uint64_t mask[2];   /* bytes that the SM has written, bit k of the 128 for byte k */
  uint8_t line[128];  /* all bytes of the line, those that were written among them */
  uint8_t image[128]; /* as it came back */
};
/* Where SM `sm` puts it before it sends the whole line with tag CABA_IMAGES + `tag`. */
struct caba_merge *caba_agent_merge(struct caba_agent *, uint32_t sm, uint32_t tag);
/* The image in the answer to a refused write with tag SM_WRITE_TAG + tag. */
const uint8_t *caba_agent_returned(const struct caba_agent *, uint32_t sm, uint32_t tag);
/* Bytes that a write of an SM takes on its way, 1..r->bytes. SMs call it side by side. */
uint32_t caba_agent_packs(const struct caba_agent *, const struct mem_request *r);

#endif
