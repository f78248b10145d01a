/* SPDX-License-Identifier: Apache-2.0 */
/* The workloads that ship with Tandem, from configs/workloads.yaml (generated table). */
#ifndef TANDEM_CONFIG_WORKLOAD_TABLE_H
#define TANDEM_CONFIG_WORKLOAD_TABLE_H

struct workload_table_arg {
  const char *name, *brief;
  long long value, min, max;
};

/* A published figure. It applies to runs with this version and these arguments, with any seed. */
struct workload_published {
  const char *args;   /* as in the list: key=value,... of arguments that are not at their default */
  const char *source; /* paper and table */
  const char *version;
  const long long *values; /* values of all arguments, in their order */
  long long thread_instructions;
};

struct workload_row {
  const char *name, *brief, *source;
  const char *const *versions;                /* NULL-terminated; the first is the default without a proposal */
  const struct workload_table_arg *args;      /* NULL-name terminated */
  const struct workload_published *published; /* NULL-args terminated */
};

extern const struct workload_row workload_all[]; /* NULL-name terminated */

/* Lines of source of a version's kernels and of what they call (scripts/gen/source_lines.py). In the program `tandem` alone. */
struct workload_lines {
  const char *name, *version;
  unsigned lines; /* inside of functions, without lines of braces alone */
  unsigned all;   /* signatures and braces included; no blank lines, no comments */
};

extern const struct workload_lines workload_lines[]; /* NULL-name terminated */

#endif
