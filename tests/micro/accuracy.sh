# SPDX-License-Identifier: Apache-2.0
# Sourced after tests/kit/shell.sh by tests that compare docs/accuracy.md with the microbenchmarks.

build_microbenchmarks() { host_program tests/micro/microbenchmarks.c "$work/microbenchmarks" -O1; }

measured() { # measured GPU MODE...: lines "GPU NAME|VALUE"
  must "$tandem" run "$work/microbenchmarks" "${@:2}" -c "$1" --options-only --out "$work/$1"
  sed -n "s/^micro \(.*\): \([0-9.]*\)\$/$1 \1|\2/p" "$work/log"
}

rows() { # rows PAGE: lines "GPU QUANTITY|PUBLISHED|OURS|ERROR" of the tables below the headings "## `GPU`"
  awk -F ' *[|] *' '/^## / { gpu = $0; if (!gsub(/^## `|`.*/, "", gpu)) gpu = "" }
    gpu != "" && /^[|]/ && !/^[|] quantity / && !/^[|]-/ { print gpu " " $2 "|" $3 "|" $4 "|" $5 }' "$1"
}

stale() { # stale PAGE MEASURED: rows whose figure is not the measured one, if it was measured
  awk -F '|' 'NR == FNR { value[$1] = $2; next } $1 in value && $3 != value[$1] { print $1 ": the page says " $3 ", measured " value[$1] }' \
    "$2" <(rows "$1")
}

miscalculated() { # miscalculated PAGE: rows whose error is not that of ours against the published figure
  rows "$1" | awk -F '|' '{
    if ($2 == "-") want = "-"
    else { e = 100 * ($3 / $2 - 1); want = sprintf("%+.0f %%", e); if (want ~ /^[+-]0 %$/) want = "0 %" }
    if ($4 != want) print $1 ": the error is " want ", not " $4
  }'
}
