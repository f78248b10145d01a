/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of `tandem`, each in its file cmd_<name>.c. argv[0] is the command's name; the result is the exit code. */
#ifndef TANDEM_CLI_COMMANDS_H
#define TANDEM_CLI_COMMANDS_H

/* clang-format off */
#define CLI_COMMANDS(X) \
  X(run, "simulate a workload and check its result") \
  X(check, "compare C model and RTL of one block under random inputs") \
  X(drive, "drive one block from CSV and print every port") \
  X(replay, "replay a recorded stimulus, or shrink it") \
  X(prove, "prove the properties of a block") \
  X(new, "make a block of your own, to start from") \
  X(profile, "learn from recorded runs what a block's inputs do") \
  X(coverage, "add up what checks, replays and runs have reached, of blocks and of the RTL") \
  X(mutants, "plant each bug of a block and see where and how soon it is caught") \
  X(wave, "open the wave of a run in GTKWave") \
  X(noc, "measure latency and throughput of a network alone") \
  X(dram, "measure efficiency, row locality and latency of DRAM alone") \
  X(analyse, "show which global reads of a kernel are known before a CTA starts") \
  X(ldesc, "show what the driver of the Locality Descriptor decides for the launches of a program") \
  X(stalls, "show where the cycles of a run went, by kernel and by SM") \
  X(energy, "show what a run's events cost, by part of the GPU") \
  X(experiment, "repeat a paper's evaluation: runs, tables, plots, verdicts") \
  X(sweep, "run a workload over values of the GPU configuration: table, CSV, plot") \
  X(diff, "compare two runs: configuration, statistics, first differing event") \
  X(correlate, "put launches of a run beside the same on silicon: errors, correlation, plot") \
  X(report, "write a run as one HTML page with plots") \
  X(timeline, "show when the CTAs of an SM copied tiles and computed") \
  X(claims, "compare every published number with ours and give a verdict") \
  X(list, "list machines, workloads, blocks, parameters, counters, metrics, systems, engines, variables, nodes") \
  X(synth, "synthesise a block: area, depth, clock and power, with an error band") \
  X(bench, "measure how fast this host simulates")
/* X(function, command, summary) */
#define CLI_DASHED_COMMANDS(X) \
  X(dram_model, "dram-model", "predict DRAM efficiency from a trace by an analytical model")
/* clang-format on */

#define X(name, brief) int cmd_##name(int argc, char **argv);
CLI_COMMANDS(X)
#undef X
#define X(name, spelled, brief) int cmd_##name(int argc, char **argv);
CLI_DASHED_COMMANDS(X)
#undef X

#endif
