#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: own-blocks
# model_outside.sh BUILD_DIR: a model of the user's that writes outside of its state, or of its outputs, is stopped under the address
# sanitizer at that write; one that does not is not. The instance is made by csim/block, compiled here with the sanitizer.
. tests/kit/shell.sh
cp -r tests/examples/plain "$work"
manifest=$work/plain/blocks.yaml
cat >"$work/main.c" <<'C'
#include "token_bucket_ports.h"
#include "base/err.h"
int main(void) {
  struct err e = {0};
  uint64_t now = 0;
  struct block *b = block_create_c(&token_bucket_desc, "mine", (int32_t[]){12, 3}, &now, false, &e);
  if (!b) return 3;
  for (; now < 10; now++) {
    ((struct token_bucket_in *)b->in)->earn = 1;
    block_eval(b);
    block_tick(b);
  }
  block_destroy(b);
  return 0;
}
C
program() { # program: the instance with the model as it is now
  must "$tandem" list blocks --manifest "$manifest"
  local folder
  folder=$(dirname "$("$(cached TANDEM_PYTHON)" scripts/gen/own.py library "$manifest" "$work/cache" | sed -n 's/^library\t//p')")
  must gcc -std=gnu11 -D_GNU_SOURCE -g -fsanitize=address -Icsim "-I$folder" "$work/main.c" "$work/plain/token_bucket.c" "$folder/token_bucket_desc.c" \
    "$folder/token_bucket_drive.c" csim/block/block.c csim/base/rng.c csim/base/err.c csim/base/text.c -o "$work/program"
}
stopped() { # stopped FUNCTION: the sanitizer names the function of the model
  local status=0
  "$work/program" >"$work/stdout" 2>"$work/stderr" || status=$?
  [ $status != 0 ] || fail "$1 writes outside, and nothing stops it"
  grep -q "use-after-poison" "$work/stderr" && grep -q "#0 .* in $1" "$work/stderr" || fail_showing "$work/stderr" "not the report of $1"
}
program
"$work/program" 2>"$work/stderr" || fail_showing "$work/stderr" "a model that keeps to its state is stopped"
sed -i.kept 's/s->left++;/(\&s->left)[4] = 1;/' "$work/plain/token_bucket.c"
sed -i 's/if (in->earn \&\& .*) (/if (in->earn) (/' "$work/plain/token_bucket.c"
program
stopped token_bucket_tick
cp "$work/plain/token_bucket.c.kept" "$work/plain/token_bucket.c"
sed -i 's/out->busy = 0;/(\&out->busy)[40] = 0;/' "$work/plain/token_bucket.c"
program
stopped token_bucket_eval
