/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of frfcfs_sched; request_stream.h describes it. */
#include "frfcfs_sched_ports.h"
#include "request_stream.h"

REQUEST_STREAM_DRIVER(frfcfs_sched);
