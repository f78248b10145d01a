#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: caba
# label: nightly
# caba_lines.sh BUILD_DIR: of 100,000,000 lines of 128 bytes, bdi_enc makes images from which bdi_dec, and the coder of the memory side,
# make the line again; its images are those of the coder. The gate has 20,000 of each setting (tests/unit/caba_coder_test.c).
. tests/kit/shell.sh
test=caba_coder_test
"$build/tests/$test" 100000000 >"$work/log" 2>&1 || fail_showing "$work/log" "a line does not come back"
grep -q '100000000 lines' "$work/log" || fail_showing "$work/log" "these are not 100,000,000 lines"
grep '100000000 lines' "$work/log"
