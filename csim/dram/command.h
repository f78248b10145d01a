/* SPDX-License-Identifier: Apache-2.0 */
/* DRAM commands as they leave a controller, for whoever watches them (the protocol checker, waves, power). */
#ifndef TANDEM_DRAM_COMMAND_H
#define TANDEM_DRAM_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

enum { DRAM_PORTS = 4 };      /* producers of a channel, at most: L2 slices */
enum { DRAM_NO_SM = 0xffff }; /* a request that no SM made: of a cache, or a metadata access */

enum dram_op { DRAM_ACTIVATE, DRAM_READ, DRAM_WRITE, DRAM_PRECHARGE, DRAM_PRECHARGE_ALL, DRAM_REFRESH };

struct dram_command {
  uint64_t cycle; /* DRAM cycle; at most one command a cycle, in order */
  uint64_t row;   /* ACTIVATE; READ, WRITE: the row they mean */
  uint8_t op;     /* enum dram_op */
  uint8_t bank;   /* group * banks / groups + bank in the group; not for PRECHARGE_ALL, REFRESH */
};

struct dram_watcher {
  void (*command)(void *context, uint32_t channel, const struct dram_command *);
  void *context;
};

/* A request as it enters the scheduling queue, for whoever records them. */
struct dram_arrival {
  uint64_t cycle;   /* first DRAM cycle in which it can be scheduled */
  uint64_t address; /* physical */
  uint64_t row;
  uint32_t cta; /* UINT32_MAX: none */
  uint16_t sm;  /* or DRAM_NO_SM */
  uint8_t bank;
  bool write;
};

struct dram_recorder {
  void (*arrival)(void *context, uint32_t channel, const struct dram_arrival *);
  void *context;
};

#endif
