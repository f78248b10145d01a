#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# label: nightly
# slice: desk
# verification_stale.sh BUILD_DIR: the table of blocks (configs/verification.json) has figures of every block, and they are of its present files.
. tests/kit/shell.sh
stale=$(python3 scripts/gen/verification.py stale | tr '\n' ' ')
[ -z "$stale" ] || fail "the figures of these blocks are not of their files: ${stale}- run: python3 scripts/mutants/measure.py"

missing=$("$tandem" list blocks --json |
  jq -r --slurpfile known configs/verification.json '.[].name | select($known[0][.].mutants == null)' | tr '\n' ' ')
[ -z "$missing" ] || fail "these blocks were never measured: ${missing}- run: python3 scripts/mutants/measure.py"

# as many sizes with figures as the test bench names
jq -r 'to_entries[] | select(.key | startswith("$") | not) | "\(.key) \(.value.equal | length)"' configs/verification.json |
  while read -r block measured; do
    named=$(grep -chE '^// equal(-nightly|-bounded)?: ' testbench/*/"$block"_props.svh || true)
    [ "$named" = "$measured" ] || echo "$block: $measured of $named sizes"
  done >"$work/sizes"
[ ! -s "$work/sizes" ] ||
  fail_showing "$work/sizes" "some proofs of C = RTL have no figures; run: python3 scripts/mutants/measure.py BLOCK --nightly --equal-only"
