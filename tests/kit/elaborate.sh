#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# For what elaborates blocks in many sizes. Sourced by scripts/lint and by laws.

verilator=$(type -P verilator_bin || echo verilator) # without its wrapper in Perl, which takes four times as long to start

# The smallest N of the parameter sets, by the product of their values. Large ones take seconds, and are the same text.
smallest_sets() { # smallest_sets N SET...; SET: P=V,P=V...
  printf '%s\n' "${@:2}" | awk '{ n = split($1, p, "[,=]"); size = 1; for (i = 2; i <= n; i += 2) size *= p[i] + 1; print size, $1 }' |
    sort -n -k1,1 -s | sed -n "1,$1s/.* //p"
}
