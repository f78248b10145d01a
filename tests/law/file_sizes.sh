#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# file_sizes.sh BUILD_DIR: no source file beyond 650 lines, no C function beyond 80 (one screen, with some grace).
# tests/rows.passed is a record, with a line for each row that passed, and no source file.
. tests/kit/shell.sh
lines=650 screen=80

# A function opens where a line that begins in column 0 ends in "{", and closes at the "}" of column 0: the format that
# scripts/lint enforces makes this exact. Tables open with "= {" or have no parameter list.
functions() {
  awk -v most=$screen '
    FNR == 1 { open = 0 }
    /^[A-Za-z_].*$/ && !/;$/ { head = $0 }
    /\{$/ && /^[A-Za-z_} ]/ && !open && !/= *\{$/ && !/^(struct|enum|union|extern "C"|typedef)[^()]*\{$/ && ($0 ~ /^[A-Za-z_]/ || head != "") { open = FNR; name = head }
    /^}/ { if (open && FNR - open - 1 > most && name ~ /\(/) printf "%s:%d: a function of %d lines: %s\n", FILENAME, open, FNR - open - 1, name; open = 0; head = "" }
  ' "$@"
}
check() { # check FILE...
  awk -v most=$lines 'FNR == 1 && NR > 1 { if (n > most) print file ": " n " lines; the limit is " most } { file = FILENAME; n = FNR } END { if (n > most) print file ": " n " lines; the limit is " most }' "$@"
  local c=() f
  for f in "$@"; do case $f in *.c | *.h | *.cpp) c+=("$f") ;; esac; done
  functions "${c[@]}"
}

mapfile -t files < <(find csim dpi rtl testbench tests scripts -type f ! -name '*.md' ! -name '*.png' ! -name '*.pyc' ! -name '*.ptx' ! -name rows.passed | sort)
[ ${#files[@]} -gt 100 ] || fail "only ${#files[@]} files found"
check "${files[@]}" | tee "$work/long"
[ ! -s "$work/long" ] || fail "too long"
echo "${#files[@]} files within $lines lines, functions within $screen"

# The check can fail: a file one line too long, functions one line too long in both forms of head.
awk -v n=$((lines + 1)) 'BEGIN { for (i = 0; i < n; i++) print "/* */" }' >"$work/long.c"
check "$work/long.c" | grep -q 'lines; the limit' || fail "a long file was not noticed"
body() { awk -v n=$1 'BEGIN { for (i = 0; i < n; i++) print "  step();"; print "}" }'; }
{ echo 'static int f(int a) {'; body $((screen + 1)); } >"$work/one.c"
{ printf 'static int f(int a,\n             int b) {\n'; body $((screen + 1)); } >"$work/two.c"
{ echo 'static int f(int a) {'; body $screen; echo 'static const int t[] = {'; body 200; } >"$work/short.c"
for file in one two; do check "$work/$file.c" | grep -q 'a function of 81 lines' || fail "a long function was not noticed ($file.c)"; done
[ -z "$(check "$work/short.c")" ] || fail "a short function was taken for a long one"
