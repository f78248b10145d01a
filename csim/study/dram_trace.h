/* SPDX-License-Identifier: Apache-2.0 */
/* Request traces as CSV: a header that names the columns, then a request a line, in order of arrival. Columns, in any
 * order:
 *   bank, row        its bank and row (the analytical model needs these two)
 *   channel          its controller, 0 if there is no such column
 *   address          device byte address (tandem dram needs it)
 *   kind             R or W; R if there is no such column
 *   cycle            DRAM cycle of arrival
 *   core, cta        the requesting SM and CTA
 * Numbers are decimal or 0x hexadecimal; an empty core or cta means no SM or CTA. */
#ifndef TANDEM_STUDY_DRAM_TRACE_H
#define TANDEM_STUDY_DRAM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct gpu_config;

enum dram_trace_column {
  TRACE_CYCLE,
  TRACE_CHANNEL,
  TRACE_BANK,
  TRACE_ROW,
  TRACE_CORE,
  TRACE_CTA,
  TRACE_ADDRESS,
  TRACE_KIND,
  TRACE_COLUMNS
};

struct dram_trace_row {
  uint64_t cycle, address;
  uint32_t row, cta;      /* cta: UINT32_MAX: none */
  uint16_t channel, core; /* core: 0xffff: none */
  uint8_t bank;
  bool write;
};

struct dram_trace {
  struct dram_trace_row *rows;
  size_t n;
  uint32_t columns; /* bit set of enum dram_trace_column */
};

/* Reads a trace whose requests lie in the GPU configuration; `needed`: columns that must be there. Errors name the
 * line. */
int dram_trace_read(struct dram_trace *, const char *path, const struct gpu_config *, uint32_t needed, struct err *);
void dram_trace_free(struct dram_trace *);

#endif
