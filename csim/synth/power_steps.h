/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of synth_power, and what one passes to the next. */
#ifndef TANDEM_SYNTH_POWER_STEPS_H
#define TANDEM_SYNTH_POWER_STEPS_H

#include "stimulus.h"
#include "synth/steps.h"

/* The netlist whose toggles are counted. */
struct power_netlist {
  const struct synth_design *design;
  json_t *root, *module;
  uint32_t *place; /* of a net's number in the vector that the simulation counts; 0: not there, else 1 + place */
  uint32_t n_numbers, n;
  uint32_t clock; /* the clock's net number */
};
/* ERR_TOOL: no such module. */
int power_netlist_read(struct power_netlist *, const struct synth_design *, const char *json_path, struct err *);
void power_netlist_free(struct power_netlist *);
/* The module tandem_power: netlist and RTL side by side, ports laid out as in the block's structures. */
int power_netlist_verilog(const struct power_netlist *, const char *path, struct err *);
/* A flip-flop of the netlist twice: module tandem_probe. ERR_UNSUPPORTED: there is none. */
int power_netlist_probe(const struct power_netlist *, const char *path, struct err *);
/* Name of the output that holds bit `bit` of struct B_out; *at is its bit there. */
const char *power_output_at(const struct block_desc *, uint32_t bit, uint32_t *at);

/* What the simulation counted. */
struct power_counts {
  uint64_t cycles;          /* of the window */
  uint64_t asked;           /* of them, those that a gated clock could not skip */
  uint64_t compared;        /* cycles in which outputs were compared, those before the window too */
  uint64_t *toggles, *ones; /* by place */
};
/* Replays on the simulator in `folder` (made if it is not there). */
int power_simulate(const struct synth *, const struct synth_set *, const char *netlist, const struct stimulus *,
                   struct power_netlist *, struct power_counts *, struct err *);

/* Adds the sources of the simulator, other than netlist, library and RTL, to the key of a cached result. */
int power_hash_simulator(const struct synth *, uint64_t *hash, struct err *);

/* What OpenSTA added up, in W. */
struct power_watts {
  double switching, internal, leakage; /* internal without the clock's pins */
  double clock_pins, clock_net;
  double voltage;
  double clock_factor; /* how often this timer counts the energy of a clock's pin */
  unsigned pins, annotated;
};
int power_add_up(const struct synth *, const struct synth_set *, const char *netlist, uint32_t khz,
                 const struct power_netlist *, const struct power_counts *, struct power_watts *, struct err *);

#endif
