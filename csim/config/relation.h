/* SPDX-License-Identifier: Apache-2.0 */
/* Relations between parameters, for the checks of the GPU and of the proposals. */
#ifndef TANDEM_CONFIG_RELATION_H
#define TANDEM_CONFIG_RELATION_H

#include "base/err.h"

#include <inttypes.h>
#include <stdbool.h>

/* Returns from the check with the sentence unless `holds`; `e` is the check's struct err *. */
#define RELATION(holds, ...) \
  if (!(holds)) return err_set(e, ERR_VALUE, __VA_ARGS__)

static inline bool power_of_two(int64_t x) { return x > 0 && !(x & (x - 1)); }

#endif
