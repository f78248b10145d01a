/* SPDX-License-Identifier: Apache-2.0 */
#include "config/latencies.h"

const struct counter_row latency_table[LATENCIES] = {
#define X COUNTER_ROW
#include "config/latencies.def"
};
