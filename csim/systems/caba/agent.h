/* SPDX-License-Identifier: Apache-2.0 */
/* The memory agent: what each line takes in DRAM and in the L2. */
#ifndef TANDEM_SYSTEMS_CABA_AGENT_H
#define TANDEM_SYSTEMS_CABA_AGENT_H

#include "mem/agent.h"

struct caba_agent;
struct device_memory;
struct err;

extern const struct memory_agent_ops caba_agent_ops;
/* A launch begins, with these contents of memory; nothing is in flight. ERR_LIMIT: out of memory. */
int caba_agent_launch(struct caba_agent *, const struct device_memory *, struct err *);
/* The image in the reply that has come for MSHR `mshr` of L1 of SM `sm`; it stays until another request of the MSHR is answered. */
const uint8_t *caba_agent_image(const struct caba_agent *, uint32_t sm, uint32_t mshr);
enum { CABA_IMAGES = 1024 }; /* compressed lines that an SM can have on its way to the L2 */
/* Where SM `sm` puts the image of a write with tag `tag`, 0..CABA_IMAGES - 1, before it sends it. */
uint8_t *caba_agent_written(struct caba_agent *, uint32_t sm, uint32_t tag);
/* A line that came back with such a write (caba.refused): its bytes that were written, bit k of the 128 for byte k, which alone the L2
 * puts into the line if it is not compressed any more. The write's tag is CABA_IMAGES + tag. */
void caba_agent_merged(struct caba_agent *, uint32_t sm, uint32_t tag, const uint64_t mask[2]);
/* The image in the answer to a refused write with tag SM_WRITE_TAG + tag. */
const uint8_t *caba_agent_returned(const struct caba_agent *, uint32_t sm, uint32_t tag);
/* Bytes that a write of an SM takes on its way, 1..r->bytes. SMs call it side by side. */
uint32_t caba_agent_packs(const struct caba_agent *, const struct mem_request *r);

#endif
