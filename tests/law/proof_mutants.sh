#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# proof_mutants.sh BUILD_DIR BLOCK: every planted bug that the manifest marks `proof: true` breaks a proof of the block.
set -eu
build=$1 block=$2
bugs=$("$build/bin/tandem" list blocks "$block" --bugs proof)
[ -n "$bugs" ] || { echo "$block: no planted bug is marked proof"; exit 1; }
for bug in $bugs; do
  bash scripts/prove "$block" --bug "$bug" || { echo "$block: the bug $bug breaks no proof"; exit 1; }
done
