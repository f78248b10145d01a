/* SPDX-License-Identifier: Apache-2.0 */
/* XMem (Vijaykumar 2019, chapter 2): programs say what their data means; the memory side keeps it and acts on it. The parts:
 *   the SM side     instructions of the warps, which become commands (sm_side.c)
 *   the agent       what lies beyond the SMs: an AMU with its ALB in each memory partition, the tables in memory, the attribute
 *                   translator, the policy of the L2 (mem/agent.h; this header)
 *   the driver      loads atoms, maps for the host, switches contexts, through the agent's functions
 * A GPU with this system has one agent: gpu_agent(), sm_services.agent. */
#ifndef TANDEM_SYSTEMS_XMEM_XMEM_H
#define TANDEM_SYSTEMS_XMEM_XMEM_H

#include "core/system.h"

#include <stdbool.h>
#include <stdint.h>

struct err;
struct gpu_config;
struct xmem_agent;

extern const struct system_ops xmem_system;
extern const struct memory_agent_ops xmem_agent_ops;
extern const struct driver_hooks xmem_driver; /* api.c */

/* ---- commands ---- */

/* As the AMU's port cmd_op has them (Vijaykumar 2019, 2.4; PAGE_FREE is ours). */
enum xmem_code {
  XMEM_CODE_MAP,
  XMEM_CODE_UNMAP,
  XMEM_CODE_ACTIVATE,
  XMEM_CODE_DEACTIVATE,
  XMEM_CODE_CONTEXT,  /* driver only: `start` is the context, 0..3 */
  XMEM_CODE_PAGE_FREE /* driver only: `start` is the frame's first byte; its page is nobody's from then on */
};

/* Lengths and sizes in x in bytes, in y in rows, in z in planes. dim 1: start, size_x; 2: len_x, size_y too; 3: all. */
struct xmem_command {
  uint64_t start; /* device address */
  uint32_t len_x, len_y, size_x, size_y, size_z;
  uint8_t code, aid, dim;
};

/* The place of an SM's command: written before the packet with this tag is sent, left alone until command_done(tag). */
enum { XMEM_SLOTS = 4 };
struct xmem_command *xmem_agent_slot(struct xmem_agent *, uint32_t sm, uint32_t tag);

/* ---- the driver, between launches ---- */

enum { XMEM_CONTEXTS = 4, XMEM_ATOM_BYTES = 19, XMEM_IDS = 256 };

/* A command of the driver's: all are carried out in their order before the next launch begins (gpu_settle). ERR_VALUE: a code,
 * an atom or a context out of range; ERR_LIMIT: no memory. */
int xmem_agent_command(struct xmem_agent *, const struct xmem_command *, struct err *);
/* The atoms of context 0..3 are these `n` records of XMEM_ATOM_BYTES (all of them, from atom 0 on; at most
 * xmem_agent_no_atom); the tables of the components follow at its next CONTEXT command or, if it is the current one, at the
 * beginning of the next launch. ERR_VALUE: too many. */
int xmem_agent_load(struct xmem_agent *, uint32_t context, const uint8_t *records, uint32_t n, struct err *);
/* A new process takes the number: no atoms, none active. Its CONTEXT command comes after. */
void xmem_agent_forget(struct xmem_agent *, uint32_t context);

/* What SMs have asked for goes on behind the end of their launch. After this the driver's next wait (gpu_settle) is for it,
 * too. */
void xmem_agent_wait(struct xmem_agent *);

uint32_t
xmem_agent_no_atom(const struct xmem_agent *); /* the ID that no atom has, all ones: 255 or 63 (xmem.id_bits) */
/* What the atom address map says now of a physical address, and whether the atom is active in the current context. */
uint32_t xmem_agent_atom(const struct xmem_agent *, uint64_t physical, bool *active);

/* ---- attributes ---- */

enum xmem_access_pattern { XMEM_PATTERN_NON_DET, XMEM_PATTERN_REGULAR, XMEM_PATTERN_IRREGULAR };
enum xmem_data_type_bits { XMEM_TYPE_BITS = 0xff }; /* data bits that name types; the others name properties */

/* A record, decoded: data bits u64, pattern u8, stride i32, rw u8, intensity u8, reuse u8, version u8, 2 reserved; little
 * endian. */
struct xmem_attributes {
  uint64_t data;
  int32_t stride; /* bytes */
  uint8_t pattern, rw, intensity, reuse;
};
struct xmem_attributes xmem_attributes_of(const uint8_t record[XMEM_ATOM_BYTES]);

/* The private tables of the components, by atom (Vijaykumar 2019, 2.4.2: each keeps what it uses, translated). */
struct xmem_tables {
  uint32_t n; /* atoms; beyond, all entries are 0 */
  struct xmem_l2_entry {
    uint8_t reuse;
    bool bypass; /* no reuse and no regular pattern: not worth a place */
  } l2[XMEM_IDS];
  struct xmem_prefetch_entry {
    uint8_t pattern, degree; /* degree 0: no prefetches */
    int32_t stride;
  } prefetch[XMEM_IDS];
  struct xmem_memory_entry {
    bool row_local; /* many accesses to a row one after the other */
    uint8_t intensity;
  } memory[XMEM_IDS];
  uint8_t compression[XMEM_IDS]; /* type bits */
};

/* The attribute translator: n records to tables. */
void xmem_translate(const struct gpu_config *, const uint8_t *records, uint32_t n, struct xmem_tables *);

#endif
