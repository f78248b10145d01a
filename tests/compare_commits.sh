#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds two commits and compares, to the byte, what their runs write: run.json (all but the costs of the host), statistics.csv, events.csv
# and the traces of DRAM requests, of every workload and version, on every GPU configuration, under every engine; and the figures of
# networks and DRAM alone. For changes that must not change any result.
#
#   tests/compare_commits.sh OLD [NEW]      NEW: a commit, or the working tree when it is left out
#     --only REGEX     only the runs whose line matches; a run's line is what follows `tandem`
#     --names FILE     lines `old new`: names that NEW writes in place of OLD's (tests/renamed_names.txt)
#     --keep DIR       keep builds and results in DIR; what is there of a commit is not done again
#     --jobs N         runs side by side (2)
#     --list           print the lines and stop
#
# Exit 0: the same bytes. 1: a difference, printed. 2: bad use, or a commit does not build.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
only=. names=$root/tests/renamed_names.txt keep= jobs=2 list= commits=()
usage() { echo "compare_commits: $1; the head of $0 explains its use" >&2; exit 2; }
while [ $# -gt 0 ]; do
  case $1 in
    --only | --names | --keep | --jobs) [ $# -gt 1 ] || usage "$1 wants a value"; declare "${1#--}=$2"; shift ;;
    --list) list=1 ;;
    -*) usage "no option $1" ;;
    *) commits+=("$1") ;;
  esac
  shift
done
[ ${#commits[@]} -ge 1 ] && [ ${#commits[@]} -le 2 ] || usage "name one commit or two"
[ -r "$names" ] || usage "cannot read $names"
work=${keep:-$(mktemp -d)}
mkdir -p "$work"
work=$(cd "$work" && pwd)
clean() {
  [ -n "$keep" ] && return
  for tree in "$work"/*.tree; do [ -d "$tree" ] && git -C "$root" worktree remove --force "$tree"; done
  rm -rf "$work"
}
trap clean EXIT

# build SIDE COMMIT: prints the build folder
build() {
  local tree=$root
  if [ -n "$2" ]; then
    tree=$work/$2.tree
    [ -d "$tree" ] || git -C "$root" worktree add --force --detach "$tree" "$2" >/dev/null 2>&1
  fi
  (cd "$tree" && cmake --preset release >/dev/null && cmake --build build >"$work/$1.log" 2>&1) ||
    { tail -20 "$work/$1.log" >&2; echo "compare_commits: $1 (${2:-working tree}) does not build" >&2; exit 2; }
  echo "$tree/build"
}

# lines BUILD: one line a run, from the workloads and GPU configurations of that build
lines() {
  local facts=$1/generated/workloads.cmake workload version versions tests args system gpu engine
  local gpus systems
  gpus=$(cd "$1/../configs/gpu" && ls ./*.yaml | sed 's/^..//; s/\.yaml$//')
  systems=$("$1/bin/tandem" list systems | sed 's/ .*//')
  for workload in $(sed -n 's/^set(TANDEM_WORKLOADS \(.*\))$/\1/p' "$facts"); do
    versions=$(sed -n "s/^set(${workload}_VERSIONS \(.*\))$/\1/p" "$facts")
    tests=$(sed -n "s/^set(${workload}_TESTS \(.*\))$/\1/p" "$facts")
    for version in $versions; do
      args=$workload:version=$version,${tests##* }
      system=
      grep -qx "$version" <<<"$systems" && system="--system $version"
      for gpu in $gpus; do
        for engine in ${system:+rtl lockstep} c; do
          [ $engine != c ] || { echo "run $args -c $gpu $system"; continue; }
          case $gpu in gtx480 | xmem) echo "run $args -c $gpu $system --engine *=$engine" ;; esac
        done
      done
    done
    args=$workload:${tests##* }
    for engine in c rtl lockstep; do echo "run $args -c elastic16 --system elastic --engine *=$engine"; done
  done
  for engine in c rtl lockstep; do
    for allocator in pim hg rmhg hmhg islip matrix; do
      echo "run transpose:rows=128,columns=128 -c yuan28 --set noc.allocator=$allocator --engine noc.*=$engine"
    done
    echo "run transpose:rows=128,columns=128 -c yuan28 --set noc.allocator=hg --set noc.topology=mesh --set noc.switching=flit --set noc.vcs=2 --engine noc.*=$engine"
    echo "noc --topology mesh --size 4x4 --vcs 2 --allocator hg --engine *=$engine --json"
  done
  for policy in fifo bfifo fr_fcfs fr_fcfs_plain most_pending; do echo "dram --generate rand2 --policy $policy --json"; done
  echo "run saxpy:n=20000 -c gtx480 --system d2ma --events --trace-dram all"
  echo "run gemm -c xmem --system xmem --trace-dram all --no-skip"
  echo "run bfs -c gtx480 --threads 2"
}

# one BUILD RESULTS NUMBER LINE: runs the line and keeps what it wrote
one() {
  local out words status=0 file
  [ ! -e "$2/$3" ] || return 0
  out=$(mktemp -d)
  read -ra words <<<"$4"
  [ "${words[0]}" != run ] || words+=(--out "$out")
  (set -f; exec "$1/bin/tandem" "${words[@]}") >"$out/stdout" 2>"$out/stderr" </dev/null || status=$?
  {
    echo "tandem $4"
    echo "exit $status"
    if [ "${words[0]}" = run ]; then
      # statistics to the byte; of the rest the order of keys means nothing, and neither do the costs of the host
      [ ! -e "$out/run.json" ] || jq .statistics "$out/run.json"
      [ ! -e "$out/run.json" ] || jq -S 'del(.timing, .statistics) | .engines |= map(del(.dpi_calls, .dpi_bytes))' "$out/run.json"
      for file in "$out"/*.csv; do [ -e "$file" ] && echo "${file##*/} $(wc -l <"$file")" && cat "$file"; done
    else
      jq 'del(.seconds, .host, .timing)' "$out/stdout" || cat "$out/stdout"
    fi
  } >"$2/$3.part" 2>/dev/null
  mv "$2/$3.part" "$2/$3"
  rm -rf "$out"
}
export -f one
export LC_ALL=C

# results SIDE COMMIT: builds, runs every line, prints the folder of results
results() {
  local b r line n=0
  b=$(build "$1" "$2")
  r=$work/${2:-working-tree}.results
  [ -n "$2" ] || rm -rf "$r" # it may have changed
  mkdir -p "$r"
  while read -r line; do
    n=$((n + 1))
    printf '%s\0%s\0%s\0%s\0' "$b" "$r" "$n" "$line"
  done <"$work/lines" | xargs -0 -n 4 -P "$jobs" bash -c 'one "$@"' one
  echo "$r"
}

old=$(git -C "$root" rev-parse --verify --quiet "${commits[0]}^{commit}") || usage "no commit ${commits[0]}"
new=
[ ${#commits[@]} = 1 ] || new=$(git -C "$root" rev-parse --verify --quiet "${commits[1]}^{commit}") || usage "no commit ${commits[1]}"
lines "$(build old "$old")" | grep -E -- "$only" | sort -u >"$work/lines.new" || usage "no run matches $only"
cmp -s "$work/lines" "$work/lines.new" || { rm -rf "$work"/*.results; mv "$work/lines.new" "$work/lines"; }
[ -z "$list" ] || { cat "$work/lines"; exit 0; }
a=$(results old "$old")
b=$(results new "$new")
sed -n 's/^\([^# ][^ ]*\) \([^ ]*\)$/s@\\b\1\\b@\2@g/p' "$names" >"$work/names.sed"
total=0 refused=0 different=0
for file in "$a"/*; do
  total=$((total + 1))
  grep -q '^exit 2$' "$file" && refused=$((refused + 1))
  cmp -s <(sed -f "$work/names.sed" "$file") "$b/${file##*/}" && continue
  different=$((different + 1))
  [ $different -gt 5 ] || { head -1 "$file"; diff <(sed -f "$work/names.sed" "$file") "$b/${file##*/}" | head -10 || true; }
done
[ $((total - refused)) -gt 0 ] || { echo "compare_commits: every run was refused"; exit 1; }
echo "$total runs, $refused of them refused by both, $different different"
[ $different = 0 ]
