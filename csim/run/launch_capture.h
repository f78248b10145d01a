/* SPDX-License-Identifier: Apache-2.0 */
/* Launches that a program asks for, kept instead of run: TANDEM_CAPTURE. The folder gets the PTX of each module that is
 * launched, MODULE.ptx, and launches.jsonl, a line of JSON for each launch:
 *   {"module": "MODULE.ptx", "file": name, "kernel": name, "grid": [x, y, z], "block": [x, y, z],
 *    "parameters": bytes as hex digits, "memory_bytes": size of device memory} */
#ifndef TANDEM_RUN_LAUNCH_CAPTURE_H
#define TANDEM_RUN_LAUNCH_CAPTURE_H

#include "run/session.h"

#define LAUNCH_CAPTURE_FILE "launches.jsonl"

struct ptx_kernel;

/* Adds a launch. ERR_FILE if the folder cannot be written. */
int launch_capture_add(const struct session *, const struct ptx_kernel *, const uint32_t grid[3],
                       const uint32_t block[3], const void *params, struct err *);

#endif
