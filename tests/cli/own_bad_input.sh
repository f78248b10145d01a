#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: own-blocks
# own_bad_input.sh BUILD_DIR: what is wrong in a manifest, in the user's own or in Tandem's, is said in a sentence that names file, line
# and key, with exit code 2.
. tests/kit/shell.sh
cp -r tests/examples/foreign tests/examples/plain "$work"
plain=$work/plain/blocks.yaml foreign=$work/foreign/blocks.yaml

# wrong FILE EDIT SENTENCE COMMAND...: after the edit of one file of the example, the command is refused with the line of the edit and
# the sentence; LINE in the sentence stands for the number of the first line that the edit changed
wrong() {
  local file=$1 edit=$2 sentence=$3 line
  shift 3
  cp "$file" "$work/kept"
  sed -i "$edit" "$file"
  planted "$work/kept" "$file" "$edit"
  line=$(diff "$work/kept" "$file" | sed -n '1s/.*[acd]\([0-9]*\).*/\1/p')
  refused_with 2 "${sentence//LINE/$line}" -- "$@"
  cp "$work/kept" "$file"
}
list() { "$tandem" list blocks --manifest "$plain"; }
foreign() { "$tandem" list blocks --manifest "$foreign"; }
bucket() { "$tandem" check token_bucket --manifest "$plain" --cycles 100 --out "$work/out"; }
check() { "$tandem" check ring --manifest "$foreign" --cycles 100 --out "$work/out" "$@"; }

# the text of the manifest
wrong "$plain" 's/\[ask, in, 1,/[ask, inn, 1,/' "$plain:LINE: token_bucket: port ask: the direction 'inn' is unknown; write in or out" list
wrong "$plain" 's/\[ask, in, 1, a request, enable\]/[ask, in, 1, enable]/' "$plain:LINE: token_bucket: port ask: the sentence is missing" list
wrong "$plain" 's/\[earn, in, 1,/[ask, in, 1,/' "$plain:LINE: token_bucket: port ask: a port of this name stands in line" list
for name in "wire:a word of SystemVerilog" "register:a word of C or C++" "W:the name of a parameter, too"; do
  wrong "$plain" "s/\[ask, in, 1,/[${name%%:*}, in, 1,/" "$plain:LINE: token_bucket: port ${name%%:*}: '${name%%:*}' is ${name#*:}; choose another name" list
done
wrong "$plain" 's/\[grant, out, 1,/[smp, out, 1,/; s/ports: \[grant\]/ports: [smp]/' "$plain:LINE: token_bucket: port smp: 'smp' is a name that generated code uses" list
wrong "$plain" 's/taken; *//; s/, enable\]/, enabel]/' "$plain:LINE: token_bucket: port ask: unknown flag 'enabel'; did you mean enable?" list
wrong "$plain" 's/ports: \[grant\], proof/ports: [grnt], proof/' "mutant overflows: 'grnt' is neither an output nor a register of the block; did you mean grant?" list
wrong "$plain" 's/  brief:/  breif:/' "$plain:LINE: token_bucket: unknown key 'breif'; did you mean brief?" list
wrong "$plain" 's/^token_bucket:/rr_arb:/' "$plain:LINE: rr_arb: Tandem has a block of this name" list
wrong "$plain" 's/^token_bucket:/token bucket:/' "$plain:LINE: 'token bucket' is no name of C and Verilog" list
wrong "$plain" 's/^  laws:/  files: [x]\n  laws:/' "$plain:LINE: 'files' stands twice" list
wrong "$plain" '$a token_bucket: {}' "$plain:LINE: 'token_bucket' stands twice" list
wrong "$plain" 's/\[cost, in, W,/[cost, in, V,/' "$plain:LINE: token_bucket: port cost: 'V' in 'V' is no parameter" list
wrong "$plain" 's/{N: 40, W: 5}/{N: 400, W: 5}/' "$plain:LINE: token_bucket: sweep N=400 is outside 1..255" list
wrong "$plain" 's/a request, enable/a request: now, enable/' "$plain:LINE: " list
touch "$work/plain/bucket.rs"
wrong "$plain" 's/^  model: .*/  step: true\n  model: bucket.rs/' "$plain:LINE: token_bucket: step is for models in C and C++" list
wrong "$foreign" 's/active: high/active: up/' "$foreign:LINE: ring: active: 'up' is neither low nor high" foreign
wrong "$foreign" 's/^  clock: clk$//' "$foreign:2: ring: the key 'clock' is missing" foreign
wrong "$foreign" 's/buses: {push: "ring_pkg::push_t", /buses: {/' "port push: the RTL's port push is taken in pieces; give its width or type" foreign
wrong "$foreign" 's/rtl: push.valid/rtl: "push valid"/' "$foreign:LINE: ring: port push: rtl: 'push valid' is no port, slice or field" foreign
wrong "$foreign" 's/when: "!empty"}\]/when: "!emty"}]/' "$foreign:LINE: ring: port head_kind: when: '!emty' is no output of one bit" foreign
wrong "$foreign" 's/< level_q/< level/' "valid_when: 'level' is no parameter, not row, and no register" foreign
wrong "$foreign" 's,in: rtl/ring_pointer.sv,in: rtl/ring_point.sv,' "in: 'rtl/ring_point.sv' is none of the block's files; did you mean rtl/ring_pointer.sv?" foreign
refused_with 2 "cannot read $work/none.yaml" -- "$tandem" list blocks --manifest "$work/none.yaml"

wrong "$plain" 's/\[grant, out, 1, \(.*\)\]/[grant, out, 1, \1, enable]/' "$plain:LINE: token_bucket: port grant: 'enable' is for inputs" list
wrong "$plain" 's/^  params: {\(.*\)}/  params: [W, N]/' "$plain:LINE: token_bucket: params: write a map {NAME: VALUE}" list
wrong "$plain" 's/c: left,/c: rest,/' "$plain:LINE: 'const struct token_bucket_state' has no member named 'rest'" list
wrong "$foreign" 's/< level_q"/<"/' "$foreign:$(grep -n "reg: .*" "$foreign" | tail -1 | cut -d: -f1): expected expression before" foreign
wrong "$plain" 's/^  props: .*/  props: none.svh/' "$plain:LINE: token_bucket: props: there is no $work/plain/none.svh" env TANDEM_BUILD="$build" "$tandem" prove token_bucket --manifest "$plain"
[ "$(wc -l <"$work/stderr")" = 1 ] || fail_showing "$work/stderr" "more than one sentence"
must "$(cached TANDEM_PYTHON)" scripts/gen/manifest_kinds.py "$plain" "$foreign"

# the files that it names
wrong "$plain" 's/model: token_bucket.c/model: bucket.c/' "$plain:LINE: token_bucket: model: there is no $work/plain/bucket.c" list
wrong "$plain" 's/^  model: .*//' "$plain:2: token_bucket: the key 'model' is missing" list
wrong "$plain" 's/files: \[token_bucket.v\]/files: [bucket.v]/' "$plain:LINE: token_bucket: files: there is no $work/plain/bucket.v" list
wrong "$work/plain/token_bucket.c" 's/s->left++/s->rest++/' "$work/plain/token_bucket.c:LINE:" list
wrong "$work/plain/token_bucket.c" 's/_bucket_tick(/_bucket_tock(/' "a model defines token_bucket_reset, _eval and _tick" list
wrong "$work/plain/token_bucket.c" 's/^#include "token_bucket_model.inc"//' "token_bucket.c defines no token_bucket_model; a model ends with" list
wrong "$work/foreign/model/ring_drive.c" 's/^BLOCK_DRIVER.*//' "ring_drive.c defines no ring_driver; a driver ends with" foreign

# rows and RTL
wrong "$foreign" 's/\[tag, in, 6,/[tag, in, 5,/' "$foreign:LINE: ring: port tag:" check
wrong "$foreign" 's/\[pop, in, 1, \(.*\)enable\]/[pop, in, 1, \1enable, {rtl: pull}]/' "$foreign:LINE: ring: port pop: the RTL has no port 'pull'" check
wrong "$foreign" 's/^  open:.*//' "ring: the RTL's port 'scan_out' has no row; add one, or name it in tie: (inputs) or open: (outputs)" check
wrong "$foreign" 's/reg: i_write.at/reg: i_write.place/' "$foreign:LINE: ring: state i_write.place:" check
wrong "$foreign" 's/Depth: DEPTH/Size: DEPTH/' "$foreign:LINE: ring: rtl_params: the RTL has no parameter 'Size'" check
wrong "$foreign" 's/^  clock: clk$/  clock: clock/' "$foreign:LINE: ring: clock: the RTL has no port 'clock'" check
wrong "$foreign" 's/port: arst/port: arset/' "$foreign:LINE: ring: reset: the RTL has no port 'arset'" check
wrong "$foreign" 's/^  top: .*/  top: no_ring/' "$foreign:LINE: ring: the RTL has no module 'no_ring'" check
wrong "$foreign" 's/ring_pkg::push_t/ring_pkg::psh_t/' "$foreign:LINE: ring: buses push: the RTL has no such type" check
wrong "$plain" 's/\[cost, in, W,/[cost, in, W-1,/' "$plain:LINE: token_bucket: port cost: Input port connection 'cost_i' expects 3 bits" bucket
wrong "$plain" 's/\[ask, in, 1, a request, enable\]/&\n    - [extra, in, 1, none]/' "$plain:LINE: token_bucket: port extra: the RTL has no port 'extra_i'" bucket
if command -v yosys >/dev/null; then # which says what depends on what
  wrong "$plain" 's/\[ask, in, 1, a request, enable\]/[ask, in, 1, a request, late]/' "token_bucket: output grant depends on the late input ask in the same cycle" bucket
fi
wrong "$foreign" 's/at: "pop && !empty"/at: "pull \&\& !empty"/' "mutant pops_empty: the text 'pull && !empty' stands 0 times in the RTL; it must stand once" check --bug pops_empty

# Tandem's own manifest: the generators name a file that is not written, before the compiler misses it
mkdir -p "$work/tree/configs"
cp configs/blocks.yaml "$work/tree/configs"
cp -r rtl csim testbench "$work/tree"
generate() { # the distribution's Python, where the YAML module lives
  "$(cached TANDEM_PYTHON)" scripts/gen/blocks.py "$work/tree/configs/blocks.yaml" "$work/generated"
}
must generate
tree=$work/tree/configs/blocks.yaml
wrong "$tree" 's/{block: swap_agen, LW: WARPS/{block: swap_agen, LWW: WARPS/' "$tree:LINE: zorua_manager: part agen: 'LWW' is no parameter of swap_agen; did you mean LW?" generate
wrong "$tree" 's/{block: swap_agen, LW: WARPS, /{block: swap_agen, /' "$tree:LINE: zorua_manager: part agen has LW up to 128; give the composite the same parameter and max, or the part a value" generate
wrong "$tree" 's/READS: READS+2, BANKS: 2/READS: READS+4, BANKS: 2/' "$tree:LINE: zorua_manager: part map_regs: READS is 10; map_table has 1..8" generate
wrong "$tree" 's/SETS: RSETS, PHYS_W/SETS: RSETS+RSET, PHYS_W/' "$tree:LINE: zorua_manager: part map_regs: 'RSET' in 'RSETS+RSET' is no parameter of the block" generate
wrong "$tree" 's/{block: othresh_ctl, REGS: REGS}/othresh_ctrl/' "$tree:LINE: zorua_manager: part thresh: no block 'othresh_ctrl' stands above" generate
for file in rtl/prim/rr_arb.v csim/blocks/prim/rr_arb.c testbench/prim/rr_arb_drive.c; do
  mv "$work/tree/$file" "$work/kept"
  refused_with 2 "blocks.yaml:$(grep -n '^rr_arb:' configs/blocks.yaml | cut -d: -f1): rr_arb: there is no $file; write" -- generate
  mv "$work/kept" "$work/tree/$file"
done
