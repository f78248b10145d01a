/* SPDX-License-Identifier: Apache-2.0 */
/* Textures: what a texture is, where its elements lie, and which element a coordinate names.
 *
 * Hardware keeps descriptors in a small table; here each lies in device memory. The handle that a kernel passes to
 * tex (a texture object, or the address of a .texref) is its device address. texture_write writes a descriptor. A
 * handle whose descriptor was never written, or whose memory was freed, is no texture, and a fetch from it faults.
 *
 * Fetches follow Yuan 2009, 2.1.2: one or two dimensions, the nearest element, clamped or wrapped. Two-dimensional
 * arrays are stored as rows of blocks, one cache line each (4D blocking, after Hakura and Gupta 1997), linear memory
 * as it is. */
#ifndef TANDEM_PTX_TEXTURE_H
#define TANDEM_PTX_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

struct device_memory;

enum { TEXTURE_DESCRIPTOR_BYTES = 128, TEXTURE_CHANNELS_MAX = 4 };

/* X(name, bytes of a channel) */
#define TEXTURE_FORMATS(X) \
  X(TEXTURE_U8, 1)         \
  X(TEXTURE_U16, 2)        \
  X(TEXTURE_U32, 4)        \
  X(TEXTURE_S8, 1)         \
  X(TEXTURE_S16, 2)        \
  X(TEXTURE_S32, 4)        \
  X(TEXTURE_HALF, 2)       \
  X(TEXTURE_FLOAT, 4)
enum texture_format {
#define X(name, bytes) name,
  TEXTURE_FORMATS(X)
#undef X
    TEXTURE_N_FORMATS
};

enum texture_mode { TEXTURE_WRAP, TEXTURE_CLAMP, TEXTURE_MIRROR, TEXTURE_BORDER, TEXTURE_MODES };

/* Elements in device memory. */
struct texture_memory {
  uint64_t address;
  uint64_t pitch;           /* bytes from one row, or row of blocks, to the next */
  uint32_t width, height;   /* elements; height 0: one dimension */
  uint8_t format;           /* enum texture_format */
  uint8_t channels;         /* 1, 2, 4 */
  uint8_t block_x, block_y; /* log2 of a block's elements; both 0: rows of elements */
};

struct texture {
  struct texture_memory memory;
  bool normalized;       /* float coordinates: [0, 1) is the whole width or height */
  bool reads_normalized; /* 8- and 16-bit integers become [0, 1] or [-1, 1] */
  /* enum texture_mode of x, y; assumption: wrap and mirror clamp where coordinates are not normalized */
  uint8_t mode[2];
  uint32_t border[TEXTURE_CHANNELS_MAX]; /* bits read outside under TEXTURE_BORDER */
};

/* Bytes of one element: 1..16. */
uint32_t texture_element_bytes(const struct texture_memory *);
/* Lays out an array: two-dimensional ones in blocks of `line_bytes` (a power of two, >= 32). Width, height, format
 * and channels must be set; sets pitch and blocks, and returns the bytes. */
uint64_t texture_place_array(struct texture_memory *, uint32_t line_bytes);
/* Byte offset of element (x, y) from the first; x < width, y < height (0 if one dimension). */
uint64_t texture_offset(const struct texture_memory *, uint32_t x, uint32_t y);

/* The element that a coordinate names among `n`, or -1 outside (TEXTURE_BORDER). assumption: NaN is 0. */
int64_t texture_element(float coordinate, uint32_t n, bool normalized, enum texture_mode);
int64_t texture_element_of_integer(int32_t coordinate, uint32_t n, enum texture_mode);
/* The four values of the element at `from`; assumption: channels that are not there read 0, 0, 1. */
void texture_values(const struct texture *, const uint8_t *from, uint32_t value[TEXTURE_CHANNELS_MAX]);

/* Writes the descriptor at `handle`, TEXTURE_DESCRIPTOR_BYTES of allocated device memory; NULL clears it. */
void texture_write(struct device_memory *, uint64_t handle, const struct texture *);
/* False if no texture is there. */
bool texture_read(const struct device_memory *, uint64_t handle, struct texture *);

#endif
