/* SPDX-License-Identifier: Apache-2.0 */
/* The workloads that ship with Tandem, from configs/workloads.yaml (generated table). */
#ifndef TANDEM_BASE_WORKLOAD_TABLE_H
#define TANDEM_BASE_WORKLOAD_TABLE_H

struct workload_table_arg {
  const char *name, *brief;
  long long value, min, max;
};

struct workload_row {
  const char *name, *brief, *source;
  const char *const *versions;           /* NULL-terminated; the first is the default without a system */
  const struct workload_table_arg *args; /* NULL-name terminated */
};

extern const struct workload_row workload_all[]; /* NULL-name terminated */

#endif
