#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# label: nightly
# accuracy_whole.sh BUILD_DIR: every figure of docs/accuracy.md is what the program in tests/micro measures.
. tests/kit/shell.sh
. tests/micro/accuracy.sh
page=docs/accuracy.md
build_microbenchmarks
for gpu in gt200 gtx480 h100; do measured $gpu; done >"$work/measured"
rows $page | cut -d '|' -f 1 | sort -u >"$work/named"
cut -d '|' -f 1 "$work/measured" | sort >"$work/known"
[ -z "$(comm -23 "$work/named" "$work/known")" ] || fail "not measured: $(comm -23 "$work/named" "$work/known")"
[ -z "$(stale $page "$work/measured")" ] || fail "$page is stale:
$(stale $page "$work/measured")"
