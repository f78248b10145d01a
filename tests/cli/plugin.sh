#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: own-blocks
# plugin.sh BUILD_DIR: a proposal in a shared object (--plugin) runs like one of the tree: its parameters are set and checked, its
# counters counted, its hooks called; statistics depend neither on threads nor on skipping. What is no plug-in, or one of other headers,
# is refused.
. tests/kit/shell.sh
compile() { # compile SOURCE OUT FLAG...: as docs/own-blocks.md says
  gcc -std=gnu11 -Wall -Wextra -O2 -shared -fPIC -Icsim "${@:3}" "$1" -o "$2"
}
compile tests/examples/plugin/throttle.c "$work/throttle.so"
saxpy() { simulate "$1" saxpy:n=4096 --set sm.count=2 "${@:2}"; }
plugged() { saxpy "$1" --plugin "$work/throttle.so" "${@:2}"; }

saxpy without
plugged loaded
[ "$(statistic without core_cycles)" = "$(statistic loaded core_cycles)" ] || fail "a plug-in that is not switched on changes the run"
plugged on --system throttle
plugged noskip --system throttle --no-skip
plugged threads --system throttle --threads 2
same on noskip "without skipping"
same on threads "with two threads"
differ on loaded "the proposal on and off"
[ "$(statistic on sm.throttled)" -ge 10 ] && [ "$(statistic on core_cycles)" -gt "$(statistic without core_cycles)" ] || fail "nothing was throttled"
plugged often --system throttle --set throttle.period=64
[ "$(statistic often sm.throttled)" -gt "$(statistic on sm.throttled)" ] || fail "the parameter has no effect"
jq -e '.config.parameters["throttle.period"] == 64' "$work/often/run.json" >/dev/null || fail "run.json lacks the parameter"
jq -e --arg file "$work/throttle.so" '.config.plugin == $file' "$work/often/run.json" >/dev/null || fail "run.json does not name the plug-in"
jq -e '.config | has("plugin") | not' "$work/without/run.json" >/dev/null || fail "run.json names a plug-in where none was loaded"

must "$tandem" list systems --plugin "$work/throttle.so"
grep -q '^throttle ' "$work/log" || fail_showing "$work/log" "the proposal is not listed"
must "$tandem" list parameters --plugin "$work/throttle.so"
grep -q '^throttle.period .*256' "$work/log" || fail_showing "$work/log" "the parameter is not listed"
must "$tandem" list counters --plugin "$work/throttle.so"
grep -q '^throttled ' "$work/log" || fail_showing "$work/log" "the counter is not listed"

run() { "$tandem" run saxpy:n=64 --out "$work/out" "$@"; }
refused "no system 'throttle'" run --system throttle
refused 'throttle.period' run --plugin "$work/throttle.so" --set throttle.period=2
refused "there is no such file" run --plugin "$work/none.so"
echo 'int nothing;' >"$work/nothing.c"
compile "$work/nothing.c" "$work/nothing.so"
refused "no plug-in: it ends with TANDEM_PLUGIN" run --plugin "$work/nothing.so"
refused "nothing.c" run --plugin "$work/nothing.c"
sed 's/TANDEM_PLUGIN(throttle);/const struct tandem_plugin tandem_plugin = {TANDEM_PLUGIN_ABI, 8, 8, 8, \&throttle};/' tests/examples/plugin/throttle.c >"$work/old.c"
compile "$work/old.c" "$work/old.so"
refused "compiled with the headers of another version of Tandem" run --plugin "$work/old.so"
sed 's/throttle = {.name = "throttle"/throttle = {.name = "d2ma"/' tests/examples/plugin/throttle.c >"$work/taken.c"
planted tests/examples/plugin/throttle.c "$work/taken.c" "another name"
compile "$work/taken.c" "$work/taken.so"
refused "there is a proposal 'd2ma' already" run --plugin "$work/taken.so"
[ ! -e "$work/out" ] || fail "a refused run leaves a folder"
