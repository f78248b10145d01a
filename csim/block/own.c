/* SPDX-License-Identifier: Apache-2.0 */
#include "block/own.h"

#include <string.h>

/* The user's blocks are a fact of the process, as the built-in ones are of the program. */
static const struct block_library *own_library;

void block_library_add(const struct block_library *library) { own_library = library; }

const struct block_desc *const *block_list(void) { return own_library ? own_library->blocks : block_all; }

static const struct block_desc *find_in(const struct block_desc *const *list, const char *name) {
  for (; *list; list++)
    if (!strcmp((*list)->name, name)) return *list;
  return NULL;
}

const struct block_desc *block_find(const char *name) {
  const struct block_desc *found = own_library ? find_in(own_library->blocks, name) : NULL;
  return found ? found : find_in(block_all, name);
}
