#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# label: nightly
# suspects.sh BUILD_DIR: of all planted bugs, in at least 90 % the signal that is wrong, or one that reads it, is among the first three
# suspects of the page. A ranking that knows nothing does not reach that.
. tests/kit/shell.sh
python3 scripts/gen/suspects.py "$build" "$work" | tee "$work/ranks"
three() { # three WHAT: tenths of a per cent
  sed -n "s/^$1: .* among the first three \([0-9]*\)\.\([0-9]\) %.*/\1\2/p" "$work/ranks"
}
[ "$(three 'the signal or its direct fan-out')" -ge 900 ] || fail "less than 90 %"
[ "$(three 'with the list upside down')" -le 600 ] || fail "any order would do"
