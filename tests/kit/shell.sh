#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# The start of every shell test, and its checks. A test sources this file from the root of the sources, with the build
# folder as its first argument: . tests/kit/shell.sh
#
# It sets: root, the source tree; build, the build folder; tandem, the program; headers, the folder of cuda.h; and work, an
# empty folder that is removed at the end. Messages go to standard output, which ctest shows for a test that fails.
set -eu
root=$PWD
build=$(cd "$1" && pwd)
tandem=$build/bin/tandem
headers=$root/csim/cuda/include
work=$(mktemp -d)
at_exit() { :; } # a test that starts background processes redefines it and ends them there
trap 'at_exit; rm -rf "$work"' EXIT

# ---- failing ----
fail() { # fail MESSAGE...: ends the test
  echo "$*"
  exit 1
}
fail_showing() { # fail_showing FILE MESSAGE...: the same after the text of FILE
  cat "$1"
  shift
  fail "$*"
}
skip() { # skip REASON...: ends the test; ctest counts it as skipped
  echo "skipped: $*"
  exit 77
}

# ---- commands ----
must() { # must COMMAND...: it succeeds, quietly; its output is in $work/log
  "$@" >"$work/log" 2>&1 || fail_showing "$work/log" "failed: $*"
}
ends_with() { # ends_with STATUS COMMAND...: that exit code; its output is in $work/stdout and $work/stderr
  local wanted=$1 status=0
  shift
  "$@" >"$work/stdout" 2>"$work/stderr" || status=$?
  [ $status = "$wanted" ] || { cat "$work/stdout"; fail_showing "$work/stderr" "exit $status instead of $wanted: $*"; }
}
refused() { # refused PATTERN COMMAND...: exit code 2, and a line on standard error that matches PATTERN
  local pattern=$1
  shift
  ends_with 2 "$@"
  grep -q -e "$pattern" "$work/stderr" || fail_showing "$work/stderr" "the sentence is not '$pattern': $*"
}
refused_with() { # refused_with STATUS WORDS... -- COMMAND...: that exit code, no result, and every one of WORDS on standard error
  local status=$1 words=() word
  shift
  while [ "$1" != -- ]; do words+=("$1"); shift; done
  shift
  ends_with "$status" "$@"
  [ -s "$work/stderr" ] || fail "no sentence: $*"
  [ ! -s "$work/stdout" ] || fail_showing "$work/stdout" "standard output is not empty: $*"
  for word in "${words[@]}"; do
    grep -qF -e "$word" "$work/stderr" || fail_showing "$work/stderr" "the sentence lacks '$word': $*"
  done
}
path_of() { # path_of FOLDER TOOL...: makes FOLDER hold these tools and no others; for PATH
  local folder=$1 tool
  mkdir "$folder"
  for tool in "${@:2}"; do ln -s "$(command -v "$tool")" "$folder/"; done
}
planted() { # planted ORIGINAL COPY WHAT...: COPY must differ, or a check that finds nothing in it shows nothing
  ! cmp -s "$1" "$2" || fail "the planted fault did not apply: ${*:3}"
}

# ---- simulated runs ----
gpu_configurations() { # gpu_configurations: the names in configs/gpu, one a line
  "$tandem" list machines | sed -n 's/^\([^ ][^ ]*\).*/\1/p'
}
simulate() { # simulate NAME ARGUMENT...: tandem run, which succeeds, to $work/NAME; also NAME.log and NAME.statistics there
  local name=$1
  shift
  "$tandem" run "$@" --out "$work/$name" >"$work/$name.log" 2>&1 || fail_showing "$work/$name.log" "failed: tandem run $*"
  sed -n '/^  "statistics"/,/^  }/p' "$work/$name/run.json" >"$work/$name.statistics"
  [ -s "$work/$name.statistics" ] || fail "no statistics: tandem run $*"
}
same() { # same NAME OTHER WHAT...: two runs have the same statistics, to the byte
  cmp "$work/$1.statistics" "$work/$2.statistics" || fail "other statistics: ${*:3}"
}
differ() { # differ NAME OTHER WHAT...: two runs have not
  ! cmp -s "$work/$1.statistics" "$work/$2.statistics" || fail "the same statistics: ${*:3}"
}
four_ways() { # four_ways RUN NAME ENGINES ARGUMENT...: `RUN NAME ARGUMENT...` with ENGINES in Verilog (in two host threads), in lockstep,
  # and without skipping gives the statistics of the C models; under rtl the blocks were computed in Verilog alone
  local run=$1 name=$2 engines=$3 other
  shift 3
  "$run" "$name" "$@"
  "$run" rtl "$@" --engine "$engines=rtl" --threads 2
  "$run" lockstep "$@" --engine "$engines=lockstep"
  "$run" noskip "$@" --no-skip
  for other in rtl lockstep noskip; do same "$name" $other "$name: under $other"; done
  jq -e '[.engines[] | select(.engine == "rtl")] | (map(.rtl_evals) | add) > 0 and (map(.c_evals) | add) == 0' "$work/rtl/run.json" >/dev/null ||
    fail "$name: no block was computed in Verilog, or C models helped"
}
statistic() { # statistic NAME PATH: one number of a run, as core_cycles or sm.thread_instructions
  jq -e ".statistics.$2" "$work/$1/run.json"
}
counter() { # counter COUNTER NAME: one counter of a run: the sum over the SMs, or that of the memory system or the whole GPU
  jq -e --arg counter "$1" '.statistics | .sm[$counter] // .memory[$counter] // .[$counter]' "$work/$2/run.json"
}

# ---- blocks and workloads: lists that the generators wrote for CMake ----
of_block() { # of_block BLOCK FAMILY|SETS
  sed -n "s/^set($1_$2 \(.*\))\$/\1/p" "$build/generated/blocks.cmake"
}
of_workload() { # of_workload WORKLOAD VERSIONS|TESTS
  sed -n "s/^set($1_$2 \(.*\))\$/\1/p" "$build/generated/workloads.cmake"
}
each_workload() { # each_workload VERSIONS|TESTS|PUBLISHED: lines "WORKLOAD ITEM ..."
  sed -n "s/^set(\([a-z0-9_]*\)_$1 \(.*\))\$/\1 \2/p" "$build/generated/workloads.cmake"
}
system_of() { # system_of VERSION: --system VERSION, two lines, where the version of a workload is named like a proposal
  ! "$tandem" list systems | grep -q "^$1 " || printf '%s\n' --system "$1"
}

# ---- a test's own programs ----
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; } # cached VARIABLE: of the build's configuration
to_ptx() { # to_ptx SOURCE OUT FLAG...: a CUDA file through clang; its messages are in $work/log
  "$(cached TANDEM_CLANG)" -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -Xclang -target-feature \
    -Xclang +ptx75 -Wno-unknown-cuda-version -O3 -S "${@:3}" -I"$headers" -I. "$1" -o "$2" >"$work/log" 2>&1
}
host_program() { # host_program SOURCE OUT FLAG...: a C file that calls the driver API, with the build's sanitizers
  local sanitizers=()
  [ "$(cached TANDEM_SANITIZE)" != ON ] || sanitizers=(-fsanitize=address,undefined)
  gcc -std=gnu11 "${sanitizers[@]}" "${@:3}" -I"$headers" "$1" -L"$build/lib/tandem" -l:libcuda.so.1 -o "$2"
}

# ---- waves ----
signals() { # signals FST OUT: the full names in a wave, each with its identifier; the dump itself is OUT.vcd
  fst2vcd "$1" >"$2.vcd"
  awk '$1 == "$scope" { path = path $3 "." } $1 == "$upscope" { sub(/[^.]*\.$/, "", path) }
       $1 == "$var" { name = path $5; if ($6 != "$end") name = name $6; print name, $4 }' "$2.vcd" >"$2"
}
changes() { # changes SIGNAL [NAMES]: the values that it takes in the wave, one after the other, in binary; NAMES: what `signals` wrote
  local names=${2:-$work/names} id
  id=$(awk -v n="$1" 'index($1, n) { print $2; exit }' "$names")
  [ -n "$id" ] || fail "$1 is not in the wave"
  awk -v id="$id" 'BEGIN { id = id "" } # strings: an identifier may look like a number
                   /^b/ && $2 "" == id { v = $1; sub(/^b0*/, "", v); print v == "" ? 0 : v }
                   /^[01xz]/ && substr($0, 2) == id { print substr($0, 1, 1) }' "$names.vcd"
}
in_the_wave() { # in_the_wave PATTERN VIEW SIGNALS: what a prepared view shows, twenty signals or more, is in the wave
  local name
  grep -o "$1" "$2" | sort -u >"$work/wanted"
  [ "$(wc -l <"$work/wanted")" -ge 20 ] || fail "$2 shows too few signals"
  while read -r name; do
    grep -qF "$name " "$3" || fail "$2: $name is not in the wave"
  done <"$work/wanted"
}
