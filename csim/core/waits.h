/* SPDX-License-Identifier: Apache-2.0 */
/* Waits of an SM, for whoever records them (sm_record_waits). */
#ifndef TANDEM_CORE_WAITS_H
#define TANDEM_CORE_WAITS_H

#include <stdint.h>

/* Core cycles [begin, end) in which the SM had a CTA and issued nothing, for one reason. */
struct wait_record {
  uint64_t begin, end;
  uint32_t class; /* enum stall, or a class of a proposal */
};
struct wait_recorder {
  void *context;
  void (*wait)(void *context, uint32_t sm, const struct wait_record *);
};

#endif
