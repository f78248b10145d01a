/* SPDX-License-Identifier: Apache-2.0 */
/* XMem in an SM: turns its warps' instructions into commands for the AMU of memory partition 0 (the home).
 *
 * assumption: how the thesis's CPU interface maps to an SM. An instruction executes once per warp, with the operands of
 * its lowest active lane. Each warp has six map registers, zero when it starts; registers shared by an SM's interleaved
 * warps would mix their maps. At issue a command copies the registers into one of the SM's four slots and the warp
 * continues; it waits only when all four are in use. Slots are filled, sent and accepted in order, which keeps the
 * program order of a warp. Instructions use the module's atom IDs; the launched module's base converts them to IDs of
 * its process. An atom that does not exist is not a fault, because atoms are hints: the instruction is counted and
 * ignored. */
#include "ptx/ptx.h"
#include "systems/xmem/tables.h"
#include "systems/xmem/xmem.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

enum register_number { REG_START, REG_LENX, REG_LENY, REG_SIZEX, REG_SIZEY, REG_SIZEZ, REGISTERS };
enum { CODE_SETREG = XMEM_CODE_DEACTIVATE + 1 }; /* the others: enum xmem_code */
enum { PACKET_SHORT = 8, PACKET_MAP = 32 };      /* bytes: code, atom, dimensions; for maps also the registers */
enum { WARPS = 64 };

static const struct ptx_extension extensions[] = {
  {"amu_setreg", CODE_SETREG, 2, 1, false},
  {"atom_map", XMEM_CODE_MAP, 2, 1, false},
  {"atom_unmap", XMEM_CODE_UNMAP, 2, 1, false},
  {"atom_activate", XMEM_CODE_ACTIVATE, 1, 1, false},
  {"atom_deactivate", XMEM_CODE_DEACTIVATE, 1, 1, false},
  {NULL, 0, 0, 0, false},
};

struct sm_side {
  struct sm_services sm;
  struct xmem_counters *n;
  uint32_t index;
  struct ptx_relocation atoms; /* of the launched module */
  uint64_t waiting;            /* warps that wait for a slot */
  /* Commands [first, sent) are in flight, [sent, end) wait for the port. Numbers count up; the slot is number mod
   * XMEM_SLOTS. */
  uint32_t first, sent, end;
  bool done[XMEM_SLOTS];
  uint32_t cta[XMEM_SLOTS], bytes[XMEM_SLOTS];
  uint64_t registers[WARPS][REGISTERS];
};

static void *create(const struct gpu_config *m, struct block_factory *factory, const char *path, uint32_t sm_index,
                    const struct sm_services *services, struct err *e) {
  (void)m, (void)factory;
  struct sm_side *s = calloc(1, sizeof *s);
  if (!s) {
    err_set(e, ERR_LIMIT, "%s: out of memory for the SM's side of XMem", path);
    return NULL;
  }
  s->sm = *services;
  s->n = xmem_counters(services->counters);
  s->index = sm_index;
  return s;
}

static int launch(void *self, const struct ptx_kernel *kernel, struct err *e) {
  (void)e;
  ((struct sm_side *)self)->atoms = ptx_module_relocation(kernel->module);
  return 0;
}

static void cta_start(void *self, uint32_t cta, uint64_t index, uint64_t warps, uint32_t base, uint32_t bytes) {
  struct sm_side *s = self;
  (void)cta, (void)index, (void)base, (void)bytes;
  s->waiting &= ~warps; /* left over from a killed launch */
  for (uint64_t rest = warps; rest; rest &= rest - 1)
    memset(s->registers[__builtin_ctzll(rest)], 0, sizeof s->registers[0]);
}

/* A CTA retires only after all its commands have left the SM. */
static bool cta_may_retire(void *self, uint32_t cta) {
  const struct sm_side *s = self;
  for (uint32_t n = s->sent; n != s->end; n++)
    if (s->cta[n % XMEM_SLOTS] == cta) return false;
  return true;
}

static uint64_t blocked(const void *self) { return ((const struct sm_side *)self)->waiting; }

static void fill_slot(struct sm_side *s, const struct extension_call *c, uint32_t aid) {
  bool maps = c->code == XMEM_CODE_MAP || c->code == XMEM_CODE_UNMAP;
  uint32_t slot = s->end++ % XMEM_SLOTS;
  const uint64_t *r = s->registers[c->warp];
  s->done[slot] = false;
  s->cta[slot] = c->cta;
  s->bytes[slot] = maps ? PACKET_MAP : PACKET_SHORT;
  *xmem_agent_slot(s->sm.agent, s->index, slot) = (struct xmem_command){.start = r[REG_START],
                                                                        .len_x = (uint32_t)r[REG_LENX],
                                                                        .len_y = (uint32_t)r[REG_LENY],
                                                                        .size_x = (uint32_t)r[REG_SIZEX],
                                                                        .size_y = (uint32_t)r[REG_SIZEY],
                                                                        .size_z = (uint32_t)r[REG_SIZEZ],
                                                                        .code = (uint8_t)c->code,
                                                                        .aid = (uint8_t)aid,
                                                                        .dim = maps ? (uint8_t)c->args[1] : 0};
}

static enum extension_result extension(void *self, const struct extension_call *c) {
  struct sm_side *s = self;
  if (c->code == CODE_SETREG) {
    if (c->args[0] < REGISTERS) s->registers[c->warp][c->args[0]] = c->args[1];
    else s->n->xmem_refused++;
  } else {
    bool maps = c->code == XMEM_CODE_MAP || c->code == XMEM_CODE_UNMAP;
    if (c->args[0] >= s->atoms.count || (maps && (c->args[1] < 1 || c->args[1] > 3))) {
      s->n->xmem_refused++;
    } else if (s->end - s->first == XMEM_SLOTS) {
      s->n->xmem_stalls++;
      s->waiting |= UINT64_C(1) << c->warp;
      return EXTENSION_WAIT;
    } else {
      fill_slot(s, c, s->atoms.base + (uint32_t)c->args[0]);
    }
  }
  s->n->xmem_instructions++;
  return EXTENSION_DONE;
}

static void cycle(void *self) {
  struct sm_side *s = self;
  if (s->sent == s->end || !s->sm.port_free(s->sm.sm)) return;
  uint32_t slot = s->sent++ % XMEM_SLOTS;
  s->sm.command(s->sm.sm, slot, s->bytes[slot]);
}

static bool busy(const void *self) {
  const struct sm_side *s = self;
  return s->sent != s->end;
}

static void command_done(void *self, uint32_t tag) {
  struct sm_side *s = self;
  s->done[tag] = true;
  while (s->first != s->sent && s->done[s->first % XMEM_SLOTS]) {
    s->first++;
    s->waiting = 0;
  }
}

static void describe(const void *self, FILE *out) {
  const struct sm_side *s = self;
  if (s->first != s->end)
    fprintf(out, "  XMem: %u commands with the home AMU, %u not sent; warps 0x%llx wait for a slot\n",
            s->sent - s->first, s->end - s->sent, (unsigned long long)s->waiting);
}

static const struct scoreboard_hooks hooks = {.blocked = blocked, .extension = extension};

const struct system_ops xmem_system = {
  .name = "xmem",
  .brief = "atoms: what data means, kept and used by the memory side (Vijaykumar 2019, chapter 2)",
  .owner = &xmem_owner,
  .extensions = extensions,
  .scoreboard = &hooks,
  .agent = &xmem_agent_ops,
  .driver = &xmem_driver,
  .create = create,
  .destroy = free,
  .launch = launch,
  .cta_start = cta_start,
  .cta_may_retire = cta_may_retire,
  .cycle = cycle,
  .busy = busy,
  .command_done = command_done,
  .describe = describe,
};
