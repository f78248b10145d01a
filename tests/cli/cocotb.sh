#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: foundation
# cocotb.sh BUILD_DIR: the cocotb example follows blocks, and sees a planted bug, where cocotb is installed; elsewhere it says what is missing.
. tests/kit/shell.sh
export TANDEM=$tandem
must "$tandem" check rr_arb --param N=5 --cycles 200 --record "$work/arb.csv"
if ! command -v cocotb-config >/dev/null; then
  refused "cocotb is missing: pip install cocotb" testbench/cocotb/run rr_arb "$work/arb.csv" N=5
  echo "cocotb is not installed (pip install cocotb): the example was not run"
  exit 0
fi
must testbench/cocotb/run rr_arb "$work/arb.csv" N=5
must "$tandem" check pipe_buffer --cycles 200 --record "$work/buffer.csv"
must testbench/cocotb/run pipe_buffer "$work/buffer.csv"
# a wrong output of the model in one cycle: busy of rr_arb is always 0
printf '#!/bin/sh\n"%s" "$@" | sed "20s/0$/1/"\n' "$tandem" >"$work/wrong"
chmod +x "$work/wrong"
! TANDEM=$work/wrong testbench/cocotb/run rr_arb "$work/arb.csv" N=5 >"$work/log" 2>&1 || fail_showing "$work/log" "a wrong output passes"
refused "there is no rtl" testbench/cocotb/run rr_arbs "$work/arb.csv"
