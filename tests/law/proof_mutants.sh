#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# proof_mutants.sh BUILD_DIR BLOCK: every planted bug that the manifest marks `proof: true` breaks a proof of the block.
. tests/kit/shell.sh
block=$2
bugs=$("$tandem" list blocks "$block" --bugs proof)
[ -n "$bugs" ] || fail "$block: no planted bug is marked proof"
for bug in $bugs; do
  bash scripts/prove "$block" --bug "$bug" || fail "$block: the bug $bug breaks no proof"
done
