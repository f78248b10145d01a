#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# label: nightly
# suspects_random.sh BUILD_DIR: of random mutants that lockstep notices, 100 or more, in at least 90 % the signal that the mutated gate
# drives, or one that reads it, is among the first three suspects of the page. A ranking that knows nothing does not reach that.
. tests/kit/shell.sh
python3 scripts/mutants/suspects.py "$build" "$work" 25 bfifo_sched pipe_buffer mem_warp_mask bkconf_accum matrix_alloc islip_alloc |
  tee "$work/ranks"
three() { # three WHAT: tenths of a per cent
  sed -n "s/^$1: .* among the first three \([0-9]*\)\.\([0-9]\) %.*/\1\2/p" "$work/ranks"
}
[ "$(sed -n 's/^the signal itself: .* of \([0-9]*\) random mutants$/\1/p' "$work/ranks")" -ge 100 ] || fail "fewer than 100 mutants are noticed"
[ "$(three 'the signal or its direct fan-out')" -ge 900 ] || fail "less than 90 %"
[ "$(three 'with the list upside down')" -le 600 ] || fail "any order would do"
