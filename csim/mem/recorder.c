/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/recorder.h"

const char *const access_outcomes[ACCESS_OUTCOMES] = {"hit", "miss", "merged", "sent"};
const char *const access_levels[ACCESS_LEVELS] = {"l1", "const", "tex", "l2"};
