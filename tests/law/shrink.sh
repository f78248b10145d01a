#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# shrink.sh BUILD_DIR [BLOCK...]: the failing stimulus of a planted bug shrinks to at most 20 cycles with a request within 60 s, but for the
# bugs that limit_of names; the result fails at the same port or register, fails no more without the bug, and nothing can be taken from it.
# Without BLOCK, six bugs, saved as regressions, too. "all": every bug of every block (tests/law/shrink_all.sh).
. tests/kit/shell.sh
shift
limit=20 seconds=60

limit_of() { # limit_of BLOCK BUG
  case $1:$2 in
    # A request for each place where a bug shows only in a full queue or table, or for each count.
    frfcfs_sched:full_queue_takes) echo 32 ;;
    frfcfs_sched:hit_of_nobody) echo 36 ;; # a full queue of 32
    l1_victim_prio:timer_ends_early) echo 63 ;; # the timer ends after 64 ticks, one a cycle
    teleport_pend:counter_of_8_bits) echo 256 ;;
    teleport_tags:limit_ignored) echo 33 ;; # the limit of the run, which shrinking keeps, is 32
    coordinator:slot_that_is_kept_is_taken | coordinator:next_queue_not_tried) echo 68 ;; # 48 warps take the slots, and 20 as elsewhere
    set_allocator:taken_without_an_offer) echo 257 ;; # 256 sets are taken, and one more
    othresh_ctl:above_all) echo 52 ;; # the percentage rises 23 times by 4, at most in every second epoch; an epoch is a cycle here
    # Here its 50 s may be over first, so the result depends on the speed of the host.
    zorua_manager:idle_with_a_command) echo 600 ;;
    *) echo $limit ;;
  esac
}
# shrinks BLOCK BUG [OPTION...]: prints cycles, requests and seconds
shrinks() {
  local block=$1 bug=$2 out=$work/$1.$2 status=0 line what again moved
  shift 2
  "$tandem" check "$block" --bug "$bug" --sweep --cycles 300000 --shrink --out "$out" "$@" >"$work/log" 2>&1 || status=$?
  [ $status = 1 ] || fail_showing "$work/log" "exit $status: $block $bug"
  if [ "$block:$bug" = set_allocator:starts_with_one_less ]; then
    # A bug is planted after the first reset. A bug in a reset value therefore shows only after a second reset, and the stimulus of a failure
    # starts after that reset.
    grep -q '^not shrunk: from the last reset on' "$work/log" || fail_showing "$work/log" "$block $bug: the reason is not printed"
    printf '%-24s %-32s not shrunk: a bug of the reset alone\n' "$block" "$bug"
    return
  fi
  line=$(grep '^shrunk from' "$work/log") || fail_showing "$work/log" "not shrunk: $block $bug"
  # a replay compares registers in every cycle, so it may see the failure earlier than the check did
  "$tandem" replay "$out" >"$work/before" || true
  "$tandem" replay "$out/shrunk.csv" >"$work/after" || true
  what=$(sed -n 's/^  \([a-z]* [^:]*\):.*/\1/p' "$work/before")
  again=$(sed -n 's/^  \([a-z]* [^:]*\):.*/\1/p' "$work/after")
  moved=$(sed -n 's/^the shrunk case differs first at //p' "$work/log") # where it says so; else at the same place
  what=${moved:-$what}
  [ -n "$what" ] && [ "${what% row *}" = "${again% row *}" ] || fail "$block $bug: '$what' expected, '$again' after shrinking"
  grep -v '^# bug' "$out/shrunk.csv" >"$work/plain.csv"
  must "$tandem" replay "$work/plain.csv"
  sed -E 's/.* from ([0-9]+) to ([0-9]+) cycles, ([0-9]+) of them with a request, in ([0-9.]+) s.*/\1 \2 \3 \4/' <<<"$line" >"$work/figures"
  read -r from cycles requests took <"$work/figures"
  printf '%-24s %-32s %7d -> %3d cycles, %2d requests, %5.1f s  %s\n' "$block" "$bug" "$from" "$cycles" "$requests" "$took" "$what"
  [ "$requests" -le "$(limit_of "$block" "$bug")" ] && awk "BEGIN { exit !($took <= $seconds) }" || over="$over $block:$bug"
}


over=
if [ $# -gt 0 ]; then
  for block in $([ "$1" = all ] && "$tandem" list blocks --json | jq -r '.[].name' || echo "$@"); do
    for bug in $("$tandem" list blocks "$block" --bugs all); do shrinks "$block" "$bug"; done
  done
  [ -z "$over" ] || fail "too large or too slow:$over"
  exit 0
fi

# six bugs: a port, a register, a late cycle of a long request, one that needs the initial values of memory, an input of 1,024 bits, and one
# that shows at the end of an epoch: cycles that are inputs' values, which only fit in few cycles with a request when they are added up
shrinks rr_arb wraps_early
shrinks rr_arb moves_without_request
shrinks d2ma_agen skip_after_the_end
shrinks d2ma_raw_check forgotten_arrivals_come_back
shrinks bdi_dec mask_of_the_next_lane
shrinks lfu_victim not_halved
[ "$("$tandem" drive bdi_dec "$work/bdi_dec.mask_of_the_next_lane/shrunk.csv" --engine c | tail -1 | cut -d, -f4)" = \
  "$(tail -1 "$work/bdi_dec.mask_of_the_next_lane/shrunk.csv" | cut -d, -f4)" ] || fail "tandem drive prints another value than it reads"
[ -z "$over" ] || fail "too large or too slow:$over"
limit=1
shrinks rr_arb stays_on_winner
[ -n "$over" ] || fail "two requests are not more than one: this check finds nothing"

# saved by its name, of our blocks and of a user's: without the bug it passes, and with it, it fails
cp -r tests/examples/plain "$work/my blocks"
mkdir "$work/data"
for part in "$build"/share/tandem/*; do ln -s "$(realpath "$part")" "$work/data/"; done
rm "$work/data/testbench" && mkdir "$work/data/testbench"
export TANDEM_DATA_DIR=$work/data
ends_with 1 "$tandem" replay "$work/rr_arb.wraps_early" --shrink --save wraps-early_1
saved=$work/data/testbench/prim/regressions/rr_arb/wraps-early_1.csv
grep -q '^# once differed at port grant, with the planted bug wraps_early$' "$saved" || fail "no $saved"
! grep -q '^# bug' "$saved" || fail_showing "$saved" "the bug is planted in a regression"
must "$tandem" replay "$saved"
sed 's/^# once.*/# bug wraps_early/' "$saved" >"$work/planted.csv"
ends_with 1 "$tandem" replay "$work/planted.csv"
own=(token_bucket --manifest "$work/my blocks/blocks.yaml" --cycles 20000 --out "$work/own")
bug=$("$tandem" list blocks token_bucket --manifest "$work/my blocks/blocks.yaml" --bugs all | head -1)
ends_with 1 "$tandem" check "${own[@]}" --bug "$bug" --shrink --save first
[ -s "$work/my blocks/regressions/token_bucket/first.csv" ] || fail_showing "$work/stdout" "nothing was saved beside the manifest"
must "$tandem" check "${own[@]}"
grep -q '^token_bucket *1 regression passed$' "$work/log" || fail_showing "$work/log" "the regression was not replayed"
sed -i "2i # bug $bug" "$work/my blocks/regressions/token_bucket/first.csv" # stands for RTL in which the bug is back
ends_with 1 "$tandem" check "${own[@]}"
grep -q 'first.csv fails again$' "$work/stdout" || fail_showing "$work/stdout" "the regression was not noticed"

# bad input
refused '--save ../x: a name has letters' "$tandem" replay "$work/rr_arb.wraps_early" --shrink --save ../x
refused '--save x: only with --shrink' "$tandem" replay "$work/rr_arb.wraps_early" --save x
refused '--save x: only with --shrink' "$tandem" check rr_arb --cycles 10 --save x
refused 'does not diverge, there is nothing to shrink' "$tandem" replay "$saved" --shrink
refused 'leave out --idle' "$tandem" check rr_arb --idle --shrink
