/* SPDX-License-Identifier: Apache-2.0 */
/* A user's own manifest, outside the tree: the library of its blocks is made by scripts/gen/own.py, kept in the cache, and loaded. */
#ifndef TANDEM_DPI_OWN_BLOCKS_H
#define TANDEM_DPI_OWN_BLOCKS_H

struct err;

/* Makes the blocks of a manifest known (block_find, block_list); NULL: nothing to do. Once a process. Errors name file, line and key
 * of the manifest, or file and line of a model that does not compile (ERR_VALUE); ERR_TOOL: python3 or gcc is missing. */
int own_blocks_open(const char *manifest, struct err *);

#endif
