/* SPDX-License-Identifier: Apache-2.0 */
/* The memory agent: what each line takes in DRAM and in the L2. */
#ifndef TANDEM_SYSTEMS_CABA_AGENT_H
#define TANDEM_SYSTEMS_CABA_AGENT_H

#include "mem/agent.h"

struct caba_agent;
struct device_memory;

extern const struct memory_agent_ops caba_agent_ops;
/* A launch begins, with these contents of memory; nothing is in flight. */
void caba_agent_launch(struct caba_agent *, const struct device_memory *);
/* Bytes that a write of an SM takes on its way, 1..r->bytes. SMs call it side by side. */
uint32_t caba_agent_packs(const struct caba_agent *, const struct mem_request *r);

#endif
