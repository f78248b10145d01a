// SPDX-License-Identifier: Apache-2.0
`ifndef RING_CONFIG_SVH
`define RING_CONFIG_SVH
`define RING_STEP 1
`endif
