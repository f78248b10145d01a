#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: desk
# label: nightly
# shrink_all.sh BUILD_DIR: the failing stimulus of every planted bug of every block shrinks to at most 20 cycles with a request within 60 s.
exec bash tests/law/shrink.sh "$1" all
