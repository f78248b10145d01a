#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# source_lines.sh BUILD_DIR: lines of code are those of the functions that a version's kernel reaches, counted by hand here; every version
# of every workload has them.
. tests/kit/shell.sh
mkdir "$work/tree"
cat >"$work/tree/kernel.cu" <<'KERNEL'
#include "helper.h"
// a comment
struct pair {
  int a, b;
};
static const int table[2] = {
  1, 2};
static __attribute__((device)) int unused(int x) {
  return x;
}
#if defined(TANDEM_VERSION_LONG)
extern "C" __attribute__((global)) void kernel(int *p, int n) {
  /* two
     lines */
  int i = helper(n);

  if (i < n)
  {
    p[i] = table[0] + // and what
           i;
  }
  struct pair q = {i, i}; p[q.a] = 0;
}
#else
extern "C" __attribute__((global)) void kernel(int *p, int n) { p[n] = 1; }
#endif
KERNEL
cat >"$work/tree/helper.h" <<'HELPER'
static __attribute__((device)) int helper(int x) {
  return 2 *
    x;
}
HELPER
python=$(cached TANDEM_PYTHON) clang=$(cached TANDEM_CLANG)
must "$python" scripts/gen/source_lines.py "$work/rows" "$work/tree" sample long short -- "$clang" -x cuda --cuda-device-only -nocudainc -nocudalib "$work/tree/kernel.cu"
# long: helper 2 of 4; the kernel's i, if, p[i], i, q of 9 lines. short: one line that is signature, body and brace
printf '{"sample", "long", 7, 13},\n{"sample", "short", 1, 1},\n' >"$work/wanted"
diff "$work/wanted" "$work/rows" || fail "lines are counted otherwise"

"$tandem" list workloads --json >"$work/list.json"
jq -e 'all(.[]; (.versions | sort) == (.lines | keys) and (.lines | keys) == (.all_lines | keys) and
  ([.lines[]] | min) > 0 and all(.versions[] as $v | [.lines[$v], .all_lines[$v]]; .[0] < .[1]))' "$work/list.json" >/dev/null || fail "a version has no lines"
"$tandem" list workloads matrix_add | grep -q '^  lines of code: baseline [0-9]* xmem [0-9]* hand [0-9]*$' || fail "the list does not show them"
