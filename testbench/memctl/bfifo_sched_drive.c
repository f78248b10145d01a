/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus of bfifo_sched; request_stream.h describes it. */
#include "bfifo_sched_ports.h"
#include "request_stream.h"

REQUEST_STREAM_DRIVER(bfifo_sched);
