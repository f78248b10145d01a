#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: own-blocks
# new_block.sh BUILD_DIR: what `tandem new block` makes passes every check of a block, outside of the tree.
. tests/kit/shell.sh
cd "$work"
for kind in fifo pipeline cache arbiter; do
  block=my_$kind manifest=$work/a/$kind/blocks.yaml
  must "$tandem" new block "$block" --like $kind --out "a/$kind"
  ! grep -rn like_ "a/$kind" || fail "$kind: a placeholder is left"
  must "$tandem" check "$block" --manifest "$manifest" --sweep --cycles 100000
  must "$tandem" check "$block" --manifest "$manifest" --idle --cycles 100000
  must "$tandem" mutants "$block" --manifest "$manifest"
  must "$tandem" prove "$block" --manifest "$manifest"
  must "$tandem" prove "$block" --manifest "$manifest" --state
  for bug in $("$tandem" list blocks "$block" --manifest "$manifest" --bugs proof); do
    must "$tandem" prove "$block" --manifest "$manifest" --bug "$bug"
  done
  must "$tandem" synth "$block" --manifest "$manifest" --no-band
  must verilator --lint-only -Wall "-I$work/a/$kind" "$work/a/$kind/$block.v"
  echo "$kind: every check passes"
done
[ ! -e "$work/tandem-out" ] || fail "checks that pass leave files"

# a C++ model stands behind the same three functions
mv a/fifo/my_fifo.c a/fifo/my_fifo.cpp
sed -i 's/my_fifo\.c$/my_fifo.cpp/' a/fifo/blocks.yaml
sed -i 's/  bool put = \(.*\), take = \(.*\);/  auto put = bool(\1), take = bool(\2);/' a/fifo/my_fifo.cpp
grep -q 'auto put' a/fifo/my_fifo.cpp || fail "the model is not C++"
must "$tandem" check my_fifo --manifest a/fifo/blocks.yaml --cycles 100000

refused "a/fifo is there already; name another folder with --out" "$tandem" new block my_other --out a/fifo
refused "Tandem has a block 'rr_arb'; choose another name" "$tandem" new block rr_arb
refused "did you mean arbiter?" "$tandem" new block my_other --like arbitr
refused "'my-block' is no name of C and Verilog" "$tandem" new block my-block
refused "'workload' cannot be made" "$tandem" new workload x
[ ! -e my_other ] && [ ! -e my-block ] || fail "a refusal leaves a folder"
