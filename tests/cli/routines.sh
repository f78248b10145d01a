#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: caba
# routines.sh BUILD_DIR: tandem list routines prints what docs/caba.md says of each routine, and what breaks a rule is refused with file and line.
. tests/kit/shell.sh
PATH=$build/bin:$PATH
must tandem list routines --json
tandem list routines --json >"$work/rows"
jq -e 'length == 14 and (map(.words) | add == 440) and all(.[]; .words == (.instructions | length))' "$work/rows" >"$work/log" || fail "other routines"

# the table of the page: routine names, then what is executed, then by hand; one value for several routines holds for all of them
rows=0
while IFS='|' read -r _ names executed hand _; do
  read -ra name <<<"$(tr -d '`, ' <<<"${names// /|}" | tr '|' ' ')"
  IFS=',' read -ra x <<<"$executed"
  IFS=',' read -ra h <<<"$hand"
  for i in "${!name[@]}"; do
    read -r least _ most <<<"${x[i]:-${x[-1]}}"
    by=$(xargs <<<"${h[i]:-${h[-1]}}")
    jq -e --arg n "${name[i]}" --argjson l "$least" --argjson m "${most:-$least}" --arg h "$by" \
      '.[] | select(.name == $n) | .executed_least == $l and .executed_most == $m and .by_hand == $h' "$work/rows" >"$work/log" ||
      fail "docs/caba.md on ${name[i]}: $least to ${most:-$least}, by hand $by"
    rows=$((rows + 1))
  done
done < <(grep -E '^\| `[dc]_' docs/caba.md)
[ $rows = 14 ] || fail "$rows routines in the table"

printf '.entry r {\n  nop;\n}\n' >"$work/r.ptx"
refused "r.ptx:1: routine 'r' has no end;" tandem list routines "$work/r.ptx"
refused 'none.ptx: No such file' tandem list routines "$work/none.ptx"
: >"$work/empty.ptx"
refused 'empty.ptx:1: no routine (.entry)' tandem list routines "$work/empty.ptx"
refused "'more' is one argument too many" tandem list routines "$work/r.ptx" more
