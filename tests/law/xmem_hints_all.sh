#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: xmem
# label: nightly
# xmem_hints_all.sh BUILD_DIR: the law of xmem_hints.sh at every test size of every workload with atoms.
exec bash tests/law/xmem_hints.sh "$1" all
