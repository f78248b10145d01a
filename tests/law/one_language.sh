#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# one_language.sh BUILD_DIR: the model is C, the blocks are Verilog. C++ is what is compiled with Verilator's (dpi/*.cpp), Python
# the generators, which run at build time, the prover of equality, and the example for cocotb, whose language it is. Every source file names its licence.
. tests/kit/shell.sh

check() { # check ROOT: one line a violation
  (
    cd "$1"
    folders=()
    for folder in csim dpi rtl testbench tests scripts configs waves .ci; do [ -d $folder ] && folders+=($folder); done
    find "${folders[@]}" -type f | sort | while read -r file; do
      case $file in
        dpi/verilator_shim.cpp | dpi/verilator_coverage.cpp | dpi/netlist_replay.cpp | scripts/gen/*.py | scripts/equal/*.py | scripts/mutants/*.py | testbench/cocotb/*.py) ;;
        *.cpp | *.cc | *.cxx | *.hpp | *.hh) echo "$file: C++ outside of dpi/verilator_*.cpp and dpi/netlist_replay.cpp" ;;
        *.py) echo "$file: Python outside scripts/gen, scripts/equal and scripts/mutants" ;;
        *.pl | *.tcl | *.rb | *.lua) echo "$file: one more language; write it in sh, or in C" ;;
      esac
    done
    # but for texts, pictures, data and what tools made
    sources=(-type f ! -name '*.md' ! -name '*.png' ! -name '*.yaml' ! -name '*.txt' ! -name '*.pyc' ! -name '*.csv'
      ! -path 'tests/ptx/*.ptx' ! -path 'tests/fixtures/*.fatbin' ! -path 'tests/fixtures/*.cubin' ! -path 'tests/fuzz/corpus/*')
    find "${folders[@]}" "${sources[@]}" -empty | sed 's/$/: empty/'
    find "${folders[@]}" "${sources[@]}" -print0 | sort -z | xargs -0 -r awk '
      function judge() { if (file != "" && !licensed) print file ": no SPDX line in the first three lines" }
      FNR == 1 { judge(); file = FILENAME; licensed = 0 }
      FNR == 1 && /^#!.*python/ && FILENAME !~ /\.py$/ { print FILENAME ": Python outside scripts/gen, scripts/equal and scripts/mutants" }
      FNR == 1 && /^#!.*(perl|ruby|tclsh)/ { print FILENAME ": one more language; write it in sh, or in C" }
      FNR <= 3 && /SPDX-License-Identifier: Apache-2.0/ { licensed = 1 }
      FNR == 3 { nextfile }
      END { judge() }'
    # a test or script that runs Python: the generators and what they share are the only Python
    grep -nE '(^|[^a-z_/])python3? +-c|<<.?PY' -r scripts tests .ci 2>/dev/null | grep -v '^tests/law/one_language.sh:' | sed 's/$/   <- Python inside a script/' || true
  )
}

check . | tee "$work/violations"
[ ! -s "$work/violations" ] || fail "one language too many, or a licence too few"

# The check can fail.
mkdir -p "$work/tree/testbench" "$work/tree/csim/base" "$work/tree/scripts/gen" "$work/tree/tests"
plant() { # plant FILE TEXT MESSAGE
  printf "$2\n" >"$work/tree/$1"
  check "$work/tree" | grep -q "^$1:.*$3" || fail "$1 was not noticed: $3"
  rm "$work/tree/$1"
}
licence='SPDX-License-Identifier: Apache-2.0'
plant csim/base/x.cpp "/* $licence */" 'C++ outside'
plant testbench/x.py "# $licence" 'Python outside'
plant scripts/x.py "# $licence" 'Python outside'
plant scripts/x "#!/usr/bin/env python3\n# $licence" 'Python outside'
plant scripts/gen/x.py "import os" 'no SPDX'
plant tests/x.sh "#!/bin/sh\n# $licence\npython3 -c 'print(1)'" 'Python inside'
plant csim/base/x.c "int x;" 'no SPDX'
[ -z "$(printf "/* $licence */\n" >"$work/tree/csim/base/x.c" && check "$work/tree")" ] || fail "a good file was refused"
