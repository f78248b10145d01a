/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of a user's own manifest: they come in a library that scripts/gen/own.py makes of the manifest, the C models and the
 * drivers, and are found by name like those that are built in. */
#ifndef TANDEM_BLOCK_OWN_H
#define TANDEM_BLOCK_OWN_H

#include "block/block.h"

struct block_driver;

/* Grows with every change of the structures that a library is made of. */
enum { BLOCK_LIBRARY_ABI = 1, BLOCK_OWN_PATH_BYTES = 1024 };

/* What a block of the user's has that those of the tree do not need. */
struct block_own {
  const char *manifest;  /* absolute path */
  const char *generated; /* folder of socket, wrapper and replay shell */
  const char *module;    /* what the socket instantiates: the wrapper, or the block itself */
  const char *top;       /* module of the user's RTL */
  bool clocked;          /* it has a clock */
  const char *rtl;       /* its last file, and the model's: for messages */
  const char *model;
  const struct block_driver *driver;
  /* found out when the library is opened: the file of Verilator's arguments (-f) that names the RTL, and a hash of it and of the
   * generated text around it, without their paths */
  char arguments[BLOCK_OWN_PATH_BYTES];
  uint64_t rtl_key;
  /* the same with all planted bugs, or a sentence why they cannot be planted */
  char bug_arguments[BLOCK_OWN_PATH_BYTES], bug_problem[512];
  uint64_t bug_key;
};

/* The symbol `tandem_blocks` of a library. */
struct block_library {
  uint32_t abi, desc_bytes, n;
  const struct block_desc *const *blocks; /* NULL-terminated */
};

/* Makes the blocks known to block_find(); at most one library a process, which stays open. */
void block_library_add(const struct block_library *);

#endif
