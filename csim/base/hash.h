/* SPDX-License-Identifier: Apache-2.0 */
/* Cache keys: FNV-1a over bytes, 64 bits, sufficient to distinguish versions of a few small files. */
#ifndef TANDEM_BASE_HASH_H
#define TANDEM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct err;

#define HASH_SEED UINT64_C(0xcbf29ce484222325)

uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n);
/* Includes the terminating 0, so that "ab","c" and "a","bc" differ. */
uint64_t hash_text(uint64_t h, const char *text);
/* The bytes of a file; ERR_FILE when it cannot be read. */
int hash_file(uint64_t *h, const char *path, struct err *);
/* Name and bytes of every file of a folder, in name order. A folder that is not there counts as empty. */
int hash_folder(uint64_t *h, const char *folder, struct err *);

#endif
