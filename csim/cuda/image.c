/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of fat binaries is not published; assumption: as seen in the output of nvcc 11 to 13. A header of 16 bytes, then
 * entries, each a header and a payload; little-endian. */
#include "image.h"

#include "base/err.h"

#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define WRAPPER_MAGIC UINT32_C(0x466243b1)
#define FATBIN_MAGIC UINT32_C(0xba55ed50)
#define ELF_MAGIC UINT32_C(0x464c457f)

enum { KIND_PTX = 1, FATBIN_HEADER = 16, ENTRY_HEADER = 64 };
enum { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000 };
enum { TEXT_MAX = 256 << 20 /* assumption: bytes of a module's PTX */, LZ4_RATIO_MAX = 256, ENTRIES_MAX = 4096 };

struct wrapper {
  uint32_t magic, version;
  const void *fatbin;
  void *more;
};

struct entry {
  uint16_t kind;
  uint32_t arch;
  uint64_t flags;
  const uint8_t *payload;
  uint64_t bytes, raw_bytes; /* stored; 0: not compressed */
};

static uint16_t u16(const uint8_t *p) { return (uint16_t)(p[0] | p[1] << 8); }
static uint32_t u32(const uint8_t *p) { return u16(p) | (uint32_t)u16(p + 2) << 16; }
static uint64_t u64(const uint8_t *p) { return u32(p) | (uint64_t)u32(p + 4) << 32; }

static int damaged(const char *file, const char *what, struct err *e) {
  return err_set(e, ERR_FILE, "%s: the fat binary is cut off or damaged (%s); compile it again", file, what);
}

/* The entry at `at` of `left` bytes; its length in *length. */
static int read_entry(const char *file, const uint8_t *at, uint64_t left, struct entry *n, uint64_t *length,
                      struct err *e) {
  if (left < ENTRY_HEADER) return damaged(file, "an entry's header", e);
  uint32_t header = u32(at + 4);
  uint64_t padded = u64(at + 8), stored = u32(at + 16);
  if (header < ENTRY_HEADER || header > left || padded > left - header) return damaged(file, "an entry's size", e);
  *n = (struct entry){.kind = u16(at),
                      .arch = u32(at + 28),
                      .flags = u64(at + 40),
                      .payload = at + header,
                      .bytes = stored ? stored : padded,
                      .raw_bytes = u64(at + 56)};
  if (n->bytes > padded) return damaged(file, "an entry's payload", e);
  *length = header + padded;
  return 0;
}

static int too_new(const char *file, uint32_t oldest, uint32_t capability, struct err *e) {
  return err_set(
    e, ERR_UNSUPPORTED,
    "%s: the PTX of the fat binary is for compute capability %u.%u and newer, and the GPU's is %u.%u; pass -gencode "
    "arch=compute_%u,code=compute_%u to nvcc, or make the GPU newer with compute_capability=%u (tandem run --set, TANDEM_SET)",
    file, oldest / 10, oldest % 10, capability / 10, capability % 10, capability, capability, oldest);
}

static int choose(const char *file, const uint8_t *at, uint64_t left, uint32_t capability, struct entry *best,
                  struct err *e) {
  uint32_t binaries = 0, oldest = UINT32_MAX; /* of the PTX that is too new */
  for (uint32_t n = 0; left; n++) {
    struct entry entry;
    uint64_t length;
    int status =
      n == ENTRIES_MAX ? damaged(file, "too many entries", e) : read_entry(file, at, left, &entry, &length, e);
    if (status) return status;
    if (entry.kind != KIND_PTX) binaries++;
    else if (entry.arch > capability) oldest = entry.arch < oldest ? entry.arch : oldest;
    else if (!best->kind || entry.arch > best->arch) *best = entry;
    at += length;
    left -= length;
  }
  if (best->kind) return 0;
  if (oldest != UINT32_MAX) return too_new(file, oldest, capability, e);
  return err_set(
    e, ERR_UNSUPPORTED,
    "%s: the fat binary carries %s machine code and no PTX; pass -gencode arch=compute_75,code=compute_75 to "
    "nvcc (compute_XX twice: PTX)",
    file, binaries ? "only" : "neither");
}

/* The text of an entry, 0-terminated. */
static int extract(const char *file, const struct entry *n, struct image_text *out, struct err *e) {
  bool lz4 = n->flags & FLAG_LZ4, zstd = n->flags & FLAG_ZSTD, packed = lz4 || zstd;
  uint64_t bytes = packed ? n->raw_bytes : n->bytes;
  if (!packed && n->raw_bytes && n->raw_bytes != n->bytes)
    return err_set(e, ERR_UNSUPPORTED,
                   "%s: the fat binary is compressed in a way that is unknown here (flags 0x%llx); pass "
                   "--compress-mode=none to nvcc",
                   file, (unsigned long long)n->flags);
  if (bytes > TEXT_MAX || n->bytes > TEXT_MAX || (lz4 && bytes / LZ4_RATIO_MAX > n->bytes))
    return damaged(file, "the size of the PTX", e);
  char *text = malloc(bytes + 1);
  if (!text) return err_set(e, ERR_LIMIT, "%s: out of memory for the PTX", file);
  int64_t got = (int64_t)bytes;
  if (lz4) got = LZ4_decompress_safe((const char *)n->payload, text, (int)n->bytes, (int)bytes);
  else if (zstd) {
    size_t size = ZSTD_decompress(text, bytes, n->payload, n->bytes);
    got = ZSTD_isError(size) ? -1 : (int64_t)size;
  } else {
    memcpy(text, n->payload, bytes);
  }
  if (got != (int64_t)bytes) {
    free(text);
    return damaged(file, "the compressed PTX", e);
  }
  text[bytes] = 0;
  *out = (struct image_text){.text = text, .length = strlen(text), .owned = text}; /* the rest is padding */
  return 0;
}

static int from_fatbin(const char *file, const uint8_t *image, size_t bytes, uint32_t capability,
                       struct image_text *out, struct err *e) {
  struct entry best = {0};
  if (bytes < FATBIN_HEADER) return damaged(file, "its header", e);
  uint32_t header = u16(image + 6);
  uint64_t all = u64(image + 8);
  if (header < FATBIN_HEADER || header > bytes || all > bytes - header) return damaged(file, "its size", e);
  int status = choose(file, image + header, all, capability, &best, e);
  return status ? status : extract(file, &best, out, e);
}

int image_ptx(const char *file, const void *image, size_t bytes, uint32_t capability, struct image_text *out,
              struct err *e) {
  const uint8_t *at = image;
  uint32_t magic = 0;
  for (size_t i = 0; i < 4 && i < bytes; i++) { /* the text may be shorter than the magic number */
    magic |= (uint32_t)at[i] << 8 * i;
    if (!at[i]) break;
  }
  if (magic == ELF_MAGIC)
    return err_set(
      e, ERR_UNSUPPORTED,
      "%s: the module is a cubin (machine code); load PTX text (nvcc --ptx, clang -S) or a fat binary with "
      "PTX (nvcc -fatbin -gencode arch=compute_75,code=compute_75)",
      file);
  if (magic == FATBIN_MAGIC) return from_fatbin(file, image, bytes, capability, out, e);
  if (magic == WRAPPER_MAGIC) {
    struct wrapper w;
    if (bytes < sizeof w) return damaged(file, "its wrapper", e);
    if (bytes != SIZE_MAX)
      return err_set(e, ERR_FILE, "%s: the wrapper of a fat binary holds an address, not data", file);
    memcpy(&w, image, sizeof w);
    if (!w.fatbin || !(w.version == 1 || w.version == 2)) return damaged(file, "its wrapper", e);
    memcpy(&magic, w.fatbin, sizeof magic);
    return magic == FATBIN_MAGIC ? from_fatbin(file, w.fatbin, SIZE_MAX, capability, out, e)
                                 : damaged(file, "what the wrapper points at", e);
  }
  size_t length = bytes == SIZE_MAX ? strlen(image) : strnlen(image, bytes);
  *out = (struct image_text){.text = image, .length = length};
  return 0;
}
