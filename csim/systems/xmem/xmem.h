/* SPDX-License-Identifier: Apache-2.0 */
/* XMem (Vijaykumar 2019, chapter 2): programs declare the meaning of their data as atoms, and the memory system keeps
 * and uses these attributes. The parts:
 *   the SM side     turns the warps' instructions into commands (sm_side.c)
 *   the agent       an atom management unit (AMU) with its atom lookaside buffer (ALB) in each memory partition, the
 *                   tables in memory, the attribute translator and the L2 policy (mem/agent.h; this header)
 *   the driver      loads atoms, maps for the host and switches contexts, through the agent's functions
 * A GPU with this proposal has one agent: gpu_agent(), sm_services.agent. */
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

/* Codes of the AMU's port cmd_op (Vijaykumar 2019, 2.4; assumption: PAGE_FREE). */
enum xmem_code {
  XMEM_CODE_MAP,
  XMEM_CODE_UNMAP,
  XMEM_CODE_ACTIVATE,
  XMEM_CODE_DEACTIVATE,
  XMEM_CODE_CONTEXT,  /* driver only: `start` is the context, 0..3 */
  XMEM_CODE_PAGE_FREE /* driver only: frees the page frame that begins at `start` */
};

/* Units of lengths and sizes: x bytes, y rows, z planes. dim 1 uses start, size_x; dim 2 also len_x, size_y; dim 3
 * all. */
struct xmem_command {
  uint64_t start; /* device address */
  uint32_t len_x, len_y, size_x, size_y, size_z;
  uint8_t code, aid, dim;
};

/* Slot of an SM's command: written before the packet with this tag is sent, unchanged until command_done(tag). */
enum { XMEM_SLOTS = 4 };
struct xmem_command *xmem_agent_slot(struct xmem_agent *, uint32_t sm, uint32_t tag);

/* ---- the driver, between launches ---- */

enum { XMEM_CONTEXTS = 4, XMEM_ATOM_BYTES = 19, XMEM_IDS = 256 };

/* Queues a command of the driver. Commands are executed in order, before the next launch begins (gpu_settle).
 * ERR_VALUE: code, atom or context out of range; ERR_LIMIT: no memory. */
int xmem_agent_command(struct xmem_agent *, const struct xmem_command *, struct err *);
/* Sets all atoms of context 0..3: `n` records of XMEM_ATOM_BYTES from atom 0 on, at most xmem_agent_no_atom. The
 * private tables are updated at the context's next CONTEXT command or, for the current context, at the beginning of the
 * next launch. ERR_VALUE: too many. */
int xmem_agent_load(struct xmem_agent *, uint32_t context, const uint8_t *records, uint32_t n, struct err *);
/* Assigns the number to a new process without atoms. Its CONTEXT command follows. */
void xmem_agent_forget(struct xmem_agent *, uint32_t context);

/* Commands of SMs continue in the background after their launch ends. This makes the driver's next wait (gpu_settle)
 * include them. */
void xmem_agent_wait(struct xmem_agent *);

uint32_t
xmem_agent_no_atom(const struct xmem_agent *); /* the ID that means no atom, all ones: 255 or 63 (xmem.id_bits) */
/* The atom that the atom address map holds for a physical address, and whether it is active in the current context. */
uint32_t xmem_agent_atom(const struct xmem_agent *, uint64_t physical, bool *active);

/* ---- attributes ---- */

enum xmem_access_pattern { XMEM_PATTERN_NON_DET, XMEM_PATTERN_REGULAR, XMEM_PATTERN_IRREGULAR };
enum xmem_data_type_bits { XMEM_TYPE_BITS = 0xff }; /* data bits of types; the others are properties */

/* A record, decoded: data bits u64, pattern u8, stride i32, rw u8, intensity u8, reuse u8, version u8, 2 reserved;
 * little endian. */
struct xmem_attributes {
  uint64_t data;
  int32_t stride; /* bytes */
  uint8_t pattern, rw, intensity, reuse;
};
struct xmem_attributes xmem_attributes_of(const uint8_t record[XMEM_ATOM_BYTES]);

/* The components' private tables, by atom (Vijaykumar 2019, 2.4.2: each component keeps translated attributes). */
struct xmem_tables {
  uint32_t n; /* atoms; entries from n on are 0 */
  struct xmem_l2_entry {
    uint8_t reuse;
    bool bypass; /* neither reuse nor a regular pattern: not worth caching */
  } l2[XMEM_IDS];
  struct xmem_prefetch_entry {
    uint8_t pattern, degree; /* degree 0: no prefetches */
    int32_t stride;
  } prefetch[XMEM_IDS];
  struct xmem_memory_entry {
    bool row_local; /* consecutive accesses mostly go to one row */
    uint8_t intensity;
  } memory[XMEM_IDS];
  uint8_t compression[XMEM_IDS]; /* type bits */
};

/* The attribute translator: fills the tables from n records. */
void xmem_translate(const struct gpu_config *, const uint8_t *records, uint32_t n, struct xmem_tables *);

#endif
