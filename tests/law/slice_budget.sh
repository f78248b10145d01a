#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice_budget.sh BUILD_DIR: a slice that takes more than one and a half times its budget fails the gate.
. tests/kit/shell.sh
name=$(ctest --test-dir "$build" -N -L '^slice-foundation$' -L '^gate$' | sed -n 's/^ *Test *#[0-9]*: //p' | head -1)
report() { printf '<testsuite tests="1">\n\t<testcase name="%s" classname="x" time="%s" status="run">\n' "$name" "$1" >"$work/junit.xml"; }
echo "slice-foundation 100" >"$work/budgets"
report 298; sh tests/budgets.sh "$work/junit.xml" "$build" "$work/budgets"
report 302
if sh tests/budgets.sh "$work/junit.xml" "$build" "$work/budgets"; then fail "an exceeded budget passed"; fi
echo "slice-unknown 100" >"$work/budgets"
if sh tests/budgets.sh "$work/junit.xml" "$build" "$work/budgets"; then fail "a slice without tests passed"; fi
