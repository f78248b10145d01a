/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of `tandem`, each in its file cmd_<name>.c. argv[0] is the command's name; the result is the exit code. */
#ifndef TANDEM_CLI_COMMANDS_H
#define TANDEM_CLI_COMMANDS_H

/* clang-format off */
#define CLI_COMMANDS(X) \
  X(run, "simulate a workload") \
  X(check, "constrained-random lockstep of a block alone") \
  X(drive, "one line of CSV = one cycle of a block's inputs; prints every port") \
  X(replay, "run a recorded stimulus again, or shrink it") \
  X(mutants, "planted bugs of a block: which are caught, where, how soon") \
  X(wave, "open the wave of a run in GTKWave") \
  X(noc, "latency and throughput of a network alone") \
  X(dram, "efficiency, row locality and latency of DRAM alone") \
  X(stalls, "where the cycles of a run went, by kernel and by SM") \
  X(experiment, "a paper's evaluation: runs, tables, pictures, verdicts") \
  X(timeline, "when the CTAs of an SM copied tiles and computed") \
  X(claims, "every published number, ours beside it, a verdict") \
  X(list, "machines, workloads, blocks, parameters, counters, systems, engines, variables") \
  X(synth, "area, depth and clock of a block, with an error band") \
  X(bench, "how fast this host simulates")
/* name of the function, of the command */
#define CLI_DASHED_COMMANDS(X) \
  X(dram_model, "dram-model", "DRAM efficiency by an analytical model of a trace")
/* clang-format on */

#define X(name, brief) int cmd_##name(int argc, char **argv);
CLI_COMMANDS(X)
#undef X
#define X(name, spelled, brief) int cmd_##name(int argc, char **argv);
CLI_DASHED_COMMANDS(X)
#undef X

#endif
