#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# label: nightly
# slice: desk
# verification_stale.sh BUILD_DIR: the figures of the table of blocks (configs/verification.json) are of the blocks as they are.
. tests/kit/shell.sh
stale=$(python3 scripts/gen/verification.py stale | tr '\n' ' ')
[ -z "$stale" ] || fail "the figures of these blocks are not of their files: ${stale}- run: python3 scripts/mutants/measure.py"
