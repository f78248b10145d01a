/* SPDX-License-Identifier: Apache-2.0 */
/* What every stage of a load uses: the types of PTX, an arena for its memory, hash tables of names. */
#ifndef TANDEM_PTX_TABLES_H
#define TANDEM_PTX_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- types ---- */

/* a table */
/* clang-format off */
/* X(enumerator, bytes of a value, kind, name). Kind: u unsigned, s signed, f float, b bits, p predicate; h and v are
 * pairs of 16-bit floats and integers. */
#define PTX_TYPES(X) \
  X(T_PRED, 0, 'p', "pred") \
  X(T_B8, 1, 'b', "b8") \
  X(T_U8, 1, 'u', "u8") \
  X(T_S8, 1, 's', "s8") \
  X(T_B16, 2, 'b', "b16") \
  X(T_U16, 2, 'u', "u16") \
  X(T_S16, 2, 's', "s16") \
  X(T_F16, 2, 'f', "f16") \
  X(T_BF16, 2, 'f', "bf16") \
  X(T_B32, 4, 'b', "b32") \
  X(T_U32, 4, 'u', "u32") \
  X(T_S32, 4, 's', "s32") \
  X(T_F32, 4, 'f', "f32") \
  X(T_F16X2, 4, 'h', "f16x2") \
  X(T_BF16X2, 4, 'h', "bf16x2") \
  X(T_U16X2, 4, 'v', "u16x2") \
  X(T_S16X2, 4, 'v', "s16x2") \
  X(T_B64, 8, 'b', "b64") \
  X(T_U64, 8, 'u', "u64") \
  X(T_S64, 8, 's', "s64") \
  X(T_F64, 8, 'f', "f64")
/* clang-format on */

enum ptx_type {
  T_NONE,
#define X(type, bytes, letter, name) type,
  PTX_TYPES(X)
#undef X
    PTX_N_TYPES
};

enum ptx_type ptx_type_of(const char *name, size_t length); /* "u32" -> T_U32, T_NONE if it is no type */
const char *ptx_type_name(enum ptx_type);
uint32_t ptx_type_bytes(enum ptx_type); /* of a register; 0 for a predicate */
char ptx_type_letter(enum ptx_type);

/* ---- arena: the memory of a load, freed at once ---- */

struct arena_chunk;
struct arena {
  struct arena_chunk *chunks;
};
void *arena_alloc(struct arena *, size_t bytes); /* zeroed, 16-byte aligned; aborts if the host has no memory left */
void arena_free(struct arena *);
char *arena_text(struct arena *, const char *text, size_t length); /* a copy that ends in 0 */
/* Grows `data` (n used of *capacity elements) so that one more fits; the result is in the arena. */
void *arena_grow(struct arena *, void *data, uint32_t n, uint32_t *capacity, size_t element);

uint64_t align_up(uint64_t value, uint64_t align); /* align: a power of two */

/* ---- names: one hash table for each function and one for the module ---- */

enum name_kind {
  NAME_REGISTER,
  NAME_WIDE,
  NAME_RANGE,
  NAME_VARIABLE,
  NAME_LABEL,
  NAME_FUNCTION,
  NAME_TARGETS,
  NAME_PROTOTYPE
};
struct name {
  const char *text;
  uint32_t length, scope;
  enum name_kind kind;
  uint32_t index; /* register number, operation index of a label, count of a range */
  enum ptx_type type;
  void *what; /* variable, function, list of targets, prototype */
  struct name *next;
};
struct names {
  struct name **bucket;
  uint32_t n_buckets, n;
};
struct name *names_find(const struct names *, const char *text, uint32_t length, uint32_t scope);
struct name *names_add(struct arena *, struct names *, const char *text, uint32_t length, uint32_t scope);

#endif
