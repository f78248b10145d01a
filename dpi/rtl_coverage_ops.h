/* SPDX-License-Identifier: Apache-2.0 */
/* Exported by the coverage library (verilator_coverage.cpp), with C linkage. */
#ifndef TANDEM_DPI_RTL_COVERAGE_OPS_H
#define TANDEM_DPI_RTL_COVERAGE_OPS_H

#include <stdint.h>

enum { RTL_COVERAGE_ABI = 5 };

struct rtl_coverage_ops {
  uint32_t abi;
  /* Writes the counts of every model of a context, in Verilator's format. */
  void (*write)(void *context, const char *path);
};

#endif
