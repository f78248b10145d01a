/* SPDX-License-Identifier: Apache-2.0 */
/* Which latencies have histograms (config/latencies.def). An SM keeps the first SM_LATENCIES of them, the memory system the others. */
#ifndef TANDEM_CONFIG_LATENCIES_H
#define TANDEM_CONFIG_LATENCIES_H

#include "base/histogram.h"
#include "config/counters.h"

enum latency {
#define X(name, unit, sentence) LATENCY_##name,
#include "config/latencies.def"
  LATENCIES
};

enum {
#define X(name, unit, sentence) LATENCY_OF_SM_##name,
#define LATENCIES_OF_SMS
#include "config/latencies.def"
#undef LATENCIES_OF_SMS
  SM_LATENCIES
};

/* Name, unit and sentence by enum latency. */
extern const struct counter_row latency_table[LATENCIES];

#endif
