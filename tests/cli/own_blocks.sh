#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: own-blocks
# own_blocks.sh BUILD_DIR: blocks outside of the tree, one that follows Tandem's rules and one that does not (SystemVerilog with a
# package, structures and an asynchronous reset), under every command that takes --manifest; nothing of the user's is written to.
. tests/kit/shell.sh
mkdir "$work/my blocks"
cp -r tests/examples/foreign tests/examples/plain "$work/my blocks"
plain="$work/my blocks/plain/blocks.yaml" foreign="$work/my blocks/foreign/blocks.yaml"
users_files() { find "$work/my blocks" -printf '%p %T@ %s\n' | sort; }
users_files >"$work/before"

both() { # both COMMAND [ARGUMENT...]: on both blocks
  local command=$1
  shift
  "$tandem" "$command" token_bucket --manifest "$plain" "$@"
  "$tandem" "$command" ring --manifest "$foreign" "$@"
}
ring() { # ring STATUS ARGUMENT...: the check of the foreign block ends with that exit code
  local status=$1
  shift
  ends_with "$status" "$tandem" check ring --manifest "$foreign" --cycles 50000 --out "$work/out" "$@"
}

# list, check of every parameter set, planted bugs, all blocks of a manifest
must both check --sweep --cycles 50000 --out "$work/out"
[ "$(grep -c equal "$work/log")" = 6 ] || fail_showing "$work/log" "not six equal parameter sets"
must both mutants
[ "$(grep -c 'planted bugs caught' "$work/log")" = 2 ] && ! grep -q SURVIVED "$work/log" || fail_showing "$work/log" "planted bugs"
must "$tandem" check all --manifest "$plain" --cycles 1000
must "$tandem" list blocks ring --manifest "$foreign"
grep -q 'head_kind' "$work/log" && grep -q 'i_write_at' "$work/log" || fail_showing "$work/log" "ports or registers are missing"
must "$tandem" list blocks --manifest "$foreign"
! grep -q rr_arb "$work/log" || fail "list shows blocks of another manifest"

# drive: every engine prints the same, also where an output does not count
printf 'push,kind,tag,data,pop\n1,1,5,7,0\n1,2,6,8,0\n1,0,7,9,1\n0,,,,1\n,,,,1\n' >"$work/ring.csv"
for engine in c rtl lockstep; do
  must "$tandem" drive ring "$work/ring.csv" --manifest "$foreign" --engine $engine
  cp "$work/log" "$work/$engine.csv"
done
cmp "$work/c.csv" "$work/rtl.csv" && cmp "$work/c.csv" "$work/lockstep.csv"
[ "$(cut -d, -f9,12 "$work/c.csv" | tail -5 | tr '\n' ' ')" = '1,- 0,7 0,7 0,9 1,- ' ] || fail_showing "$work/c.csv" "other outputs"

# a divergence: the page names the user's files and every register, the stimulus its manifest
ring 1 --bug adds_without_carry
for text in "RTL $work/my blocks/foreign/rtl/ring_fifo.sv" "replay $work/out --manifest $foreign" 'registers that differ' ' level_q: expected'; do
  grep -qF -e "$text" "$work/out/divergence.txt" || fail_showing "$work/out/divergence.txt" "no '$text'"
done
# registers come first, the earliest on top: this pointer is wrong before any port is
ring 1 --bug pointer_does_not_wrap --param DEPTH=7
awk '/^registers that differ/ { kind = "register" } /^ports that differ/ { kind = "port" } /^last/ { exit }
     kind && /^ +[0-9]/ { print kind, $1, $2 }' "$work/out/divergence.txt" >"$work/differ"
[ "$(head -1 "$work/differ" | cut -d' ' -f1,3)" = "register i_write_at:" ] || fail_showing "$work/out/divergence.txt" "not the pointer first"
awk '$1 != last { last = $1; cycle = 0 } $2 < cycle { exit 1 } { cycle = $2 } $1 == "port" { ports++ } END { exit !ports }' "$work/differ" ||
  fail_showing "$work/out/divergence.txt" "not the earliest on top, or no port"
[ "$(sed -n '1s/.* \([0-9]*\) .*/\1/p' "$work/differ")" -lt "$(sed -n 's/^port \([0-9]*\) .*/\1/p' "$work/differ" | head -1)" ] || fail "the register does not come before the port"
ring 1 --bug adds_without_carry
refused "it is from a manifest of its own: --manifest $foreign" "$tandem" replay "$work/out"
ends_with 1 "$tandem" replay "$work/out" --manifest "$foreign" --shrink
grep -q 'shrunk from' "$work/stdout" || fail "nothing was shrunk"
must "$tandem" wave "$work/out" --print
signals "$work/out/wave.fst" "$work/signals"
in_the_wave 'ring\.ring_socket\.[][A-Za-z0-9_.:]*' "$work/out/wave.gtkw" "$work/signals" # also the registers of inner modules
grep -q 'u_dut.i_write.at' "$work/wanted" || fail "the view lacks a register of an inner module"
users_files | cmp - "$work/before" || fail "a file of the user's was written to"

# an asynchronous reset counts at once: taken for a synchronous one, the outputs of the cycle of a reset differ
sed -i 's/async: true/async: false/' "$foreign"
ring 1
ring 0 --no-reset
sed -i 's/async: false/async: true/' "$foreign"
# outputs and rows that do not count are compared without their flags
sed -i.kept 's/, when: "!empty"//' "$foreign"
ring 1
grep -q 'port head_' "$work/stdout" || fail_showing "$work/stdout" "no divergence at a meaningless output"
mv "$foreign.kept" "$foreign"
sed -i.kept '/valid_when/d; s/the entries,$/the entries}/' "$foreign"
ring 1 --param DEPTH=7 --seed 2
grep -q 'register ring_q' "$work/stdout" || fail_showing "$work/stdout" "no divergence in a meaningless row"
# the same rows by a function of the model
cp "$foreign.kept" "$foreign"
sed -i 's/valid_when: .*}/valid_model: true}/' "$foreign"
model="$work/my blocks/foreign/model/ring.c"
cp "$model" "$work/ring.c"
sed -i 's/^#include "ring_model.inc"//' "$model"
cat >>"$model" <<'C'
static bool ring_ring_q_valid(const struct ring_cfg *c, const struct ring_state *s, uint32_t row) {
  uint32_t depth = (uint32_t)c->DEPTH;
  return (row + depth - s->read_at) % depth < s->level;
}
#include "ring_model.inc"
C
ring 0
sed -i 's/< s->level;/<= s->level;/' "$model"
ring 1 --param DEPTH=7 --seed 2
mv "$foreign.kept" "$foreign"
cp "$work/ring.c" "$model"

# a model whose evaluation leaves something for the tick
token="$work/my blocks/plain/token_bucket.c"
cp "$plain" "$work/plain.kept" && cp "$token" "$work/token_bucket.kept"
sed -i 's/^  ports:/  step: true\n  ports:/' "$plain"
refused "implicit declaration of function 'token_bucket_settle'; .* a model defines token_bucket_reset, _settle and _finish before" \
  "$tandem" check token_bucket --manifest "$plain"
sed -i 's/^struct token_bucket_state/struct token_bucket_step {\n  uint32_t paid;\n};\n\n&/; s/token_bucket_eval/token_bucket_settle/
  s/token_bucket_tick/token_bucket_finish/; s/struct token_bucket_out \*out) {/struct token_bucket_out *out, struct token_bucket_step *p) {/
  s/  out->busy = 0;/&\n  p->paid = out->grant ? in->cost : 0;/; s/if (out->grant) s->left -= in->cost/s->left -= p->paid/' "$token"
must "$tandem" check token_bucket --manifest "$plain" --cycles 50000
sed -i 's/in->cost : 0/in->cost : 1/' "$token"
ends_with 1 "$tandem" check token_bucket --manifest "$plain" --cycles 50000 --out "$work/out"
mv "$work/plain.kept" "$plain" && mv "$work/token_bucket.kept" "$token"

# an edit of RTL or model counts at once
sed -i 's/level_q == .0;/level_q == 1;/' "$work/my blocks/foreign/rtl/ring_fifo.sv"
ring 1
cp tests/examples/foreign/rtl/ring_fifo.sv "$work/my blocks/foreign/rtl"
sed -i 's/head >> 8 & 63/head >> 8 \& 31/' "$model"
ring 1
cp "$work/ring.c" "$model"
ring 0

# several processes make one library
for i in 1 2 3; do TANDEM_CACHE=$work/cache "$tandem" list blocks --manifest "$plain" >"$work/parallel$i" & done
wait
[ "$(find "$work/cache" -name 'blocks-*.so' | wc -l)" = 1 ] || fail "not one library of three processes"
[ "$(cat "$work"/parallel? | grep -c token_bucket)" = 3 ] || fail "a process found no block"

# what no one used for a month goes when something new is made; what is in use stays
folders() { find "$work/cache/rtl/own" -mindepth 1 -maxdepth 1 -type d | wc -l; }
edit() { sed -i "s/^  brief: .*/  brief: $1/" "$plain" && TANDEM_CACHE=$work/cache must "$tandem" list blocks --manifest "$plain"; }
edit second
[ "$(folders)" = 2 ] || fail "an edited manifest has no folder of its own"
find "$work/cache/rtl/own" -mindepth 1 -maxdepth 1 -exec touch -d '40 days ago' {} +
edit second # used again
edit third
[ "$(folders)" = 2 ] || fail "of two old folders not the unused one went: $(find "$work/cache/rtl/own" -maxdepth 1)"

# a model in Rust: that of the documentation
if command -v rustc >/dev/null; then
  awk '/^```rust / { on = 1; next } /^```/ { on = 0 } on' docs/own-blocks.md >"$work/my blocks/plain/bucket.rs"
  sed -i 's/model: token_bucket.c/model: bucket.rs/' "$plain"
  must "$tandem" check token_bucket --manifest "$plain" --cycles 50000
  sed -i 's/s.left -= i.cost as u32/s.left -= i.cost as u32 \/ 2/' "$work/my blocks/plain/bucket.rs"
  ends_with 1 "$tandem" check token_bucket --manifest "$plain" --cycles 50000 --out "$work/out"
  sed -i 's/s.left += 1/s.rest += 1/' "$work/my blocks/plain/bucket.rs"
  refused 'bucket.rs:[0-9]*:[0-9]*: error: no field' "$tandem" check token_bucket --manifest "$plain"
else
  echo "rustc is not on PATH: the model in Rust is not tried"
fi
