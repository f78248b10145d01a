#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# label: nightly
# decoupled_all.sh BUILD_DIR: every planted bug of every block gives the same page, whether the RTL runs in each cycle or follows.
. tests/kit/shell.sh
. tests/kit/decoupled_pages.sh
for block in $("$tandem" list blocks --json | jq -r '.[].name'); do pages_of "$block"; done
