#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# The pages of planted bugs, coupled and decoupled; for decoupled.sh and decoupled_all.sh.

same_pages() { # same_pages DIR DIR WHAT: the same text, the same JSON, the same stimulus
  for file in divergence.txt divergence.json stimulus.csv; do
    cmp "$work/$1/$file" "$work/$2/$file" || fail "$3: another $file"
  done
}
pages_of_bug() { # pages_of_bug BLOCK BUG: it gives the same page, whether the RTL runs in each cycle or follows
  local way
  for way in --coupled "--check-threads 0" "--check-threads 1"; do
    # some show with small parameters alone; shellcheck disable=SC2086
    ends_with 1 "$tandem" check "$1" --bug "$2" --sweep --out "$work/page" $way
    rm -rf "$work/page $way"
    mv "$work/page" "$work/page $way"
    grep -o '^.* cycles' "$work/stdout" | tail -1 >"$work/page $way/cycles"
    cmp "$work/page --coupled/cycles" "$work/page $way/cycles" || fail "$1, $2, $way: another number of cycles"
    [ "$way" = --coupled ] || same_pages "page --coupled" "page $way" "$1, $2, $way"
  done
}
pages_of() { # pages_of BLOCK: every planted bug of it
  local bug
  for bug in $("$tandem" list blocks "$1" --bugs all); do pages_of_bug "$1" "$bug"; done
}
