#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: elastic
# elastic_experiment.sh BUILD_DIR: the evaluation of the elastic pipeline, its quick form. What holds at any size must hold: with
# every prediction right no conflict stalls any kernel; deep queues hold M and N entries at most, which are enough, and one less is
# not; nothing is masked in kernels without conflicts; conflict degrees are those of table 4; AES has the shared accesses of its
# source; CTAs of 2 and 4 fill a core as in table 4; the cache in Verilog gives the cycles of its model.
. tests/kit/shell.sh
"$tandem" experiment elastic --quick --runs "$1/experiment-runs" --out "$work/out" >"$work/text"
for id in conflicts_none queue_enough queue_needed queue_nonmem queue_premem cache_misses cache_rtl free_mask alone_conflicts_most; do
  grep -Eq "^$id +.* reproduced " "$work/text" || fail_showing "$work/text" "$id is not reproduced"
  ! grep -Eq "^$id +.* not reproduced " "$work/text" || fail_showing "$work/text" "$id is not reproduced"
done
is() { # is ID FIGURE: a row of table 4
  grep -Eq "^$1 +[0-9.]+ +$2 .* parameter " "$work/text" || fail_showing "$work/text" "$1 is not $2"
}
is degree_reduction 3.0667
is degree_transpose 4.5
is degree_dct 3.3333 && is degree_idct 3.3333
is degree_dct_short 2.75 && is degree_idct_short 2.75
is shared_aes_encrypt "$(awk 'BEGIN { printf "%.5g", 101 * 2048 * 4 / 1e6 }')"
is shared_aes_decrypt "$(awk 'BEGIN { printf "%.5g", 102 * 2048 * 4 / 1e6 }')"
is ctas_aes_decrypt 2 && is ctas_reduction 4 && is ctas_transpose 4
for plot in speedup stalls padded cache_aes nonmem premem; do
  grep -q '</svg>' "$work/out/$plot.svg" || fail "$plot.svg is no picture"
done
