#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# label: nightly
# suspects_random.sh BUILD_DIR: of random mutants that lockstep notices, 100 or more, in at least 90 % the signal that the mutated gate
# drives, or one that reads it, is among the first three suspects of the page. A ranking that knows nothing does not reach that.
. tests/kit/shell.sh
python3 scripts/mutants/suspects.py "$build" "$work" 40 bfifo_sched matrix_alloc mem_warp_mask islip_alloc | tee "$work/ranks"
three() { # three WHAT: tenths of a per cent
  sed -n "s/^$1: .* among the first three \([0-9]*\)\.\([0-9]\) %.*/\1\2/p" "$work/ranks"
}
[ "$(sed -n 's/^the signal itself: .* of \([0-9]*\) random mutants$/\1/p' "$work/ranks")" -ge 100 ] || fail "fewer than 100 mutants are noticed"
[ "$(three 'the signal or its direct fan-out')" -ge 900 ] || fail "less than 90 %"
# small blocks have few suspects, so that the bound is not that of planted bugs
[ $(($(three 'the signal or its direct fan-out') - $(three 'with the list upside down'))) -ge 200 ] || fail "any order would do"
