#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: elastic
# elastic_experiment.sh BUILD_DIR: the evaluation of the elastic pipeline, its quick form. What holds at any size must hold: with
# every prediction right no conflict stalls any kernel; M and N entries are enough and one less is not; nothing is masked in
# kernels without conflicts; conflict degrees are those of table 4; the cache in Verilog gives the cycles of its model.
. tests/kit/shell.sh
"$tandem" experiment elastic --quick --runs "$1/experiment-runs" --out "$work/out" >"$work/text"
for id in conflicts_none queue_enough queue_nonmem queue_premem cache_misses cache_rtl free_mask \
  degree_reduction degree_transpose degree_dct degree_short alone_conflicts; do
  grep -Eq "^$id +.* reproduced " "$work/text" || fail_showing "$work/text" "$id is not reproduced"
  ! grep -Eq "^$id +.* not reproduced " "$work/text" || fail_showing "$work/text" "$id is not reproduced"
done
for plot in speedup stalls padded cache_aes nonmem premem; do
  grep -q '</svg>' "$work/out/$plot.svg" || fail "$plot.svg is no picture"
done
