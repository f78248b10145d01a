#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# row.sh BUILD_DIR NAME COMMAND...: runs one row of ctest. Its processor time, that of all its processes, goes to
# BUILD_DIR/rows/NAME.seconds, where tests/budgets.sh reads it. When the row passes and scripts/test named a list of hashes
# (ROW_HASHES; tests/kit/certificates.sh), the row's hash is kept as its certificate. What scripts/test found to have passed with the same
# inputs and tools (ROWS_KEPT) does not run again; by hand, with ctest, every row runs.
build=$1 name=$2
shift 2
if [ "${ROWS_KEPT:-}" ]; then
  . "$(dirname "$0")/certificates.sh"
  if passed_before "$build" "$name"; then
    echo "$name passed before with the same inputs and tools; scripts/test --every runs it"
    exit 0
  fi
fi
mkdir -p "$build/rows"
# A command that leaves nothing in the default output folder removes it, under a row beside this one that has just made it: it stays.
mkdir -p tandem-out/check/rows
TIMEFORMAT='%U %S'
{ time "$@" 2>&3; } 3>&2 2>"$build/rows/$name.seconds"
status=$?
if [ $status = 0 ] && [ "${ROW_HASHES:-}" ]; then
  . "$(dirname "$0")/certificates.sh"
  certify "$build" "$name"
fi
exit $status
