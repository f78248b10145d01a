/* SPDX-License-Identifier: Apache-2.0 */
/* Textures and surfaces: what one is, where its elements lie, and which elements a fetch reads with which weights.
 *
 * Hardware keeps descriptors in a small table; here each lies in device memory. The handle that a kernel passes to
 * tex (a texture object, or the address of a .texref) or to suld and sust is its device address. texture_write writes
 * a descriptor. A handle whose descriptor was never written, or whose memory was freed, is no texture, and a fetch
 * from it faults.
 *
 * Two-dimensional arrays are stored as rows of blocks, one cache line each (4D blocking, after Hakura and Gupta 1997),
 * linear memory as it is. Slices of three dimensions, layers and the six faces of a cube lie one after another; so do
 * the levels of a mipmap, the largest first. */
#ifndef TANDEM_PTX_TEXTURE_H
#define TANDEM_PTX_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

struct device_memory;

enum {
  TEXTURE_DESCRIPTOR_BYTES = 128,
  TEXTURE_CHANNELS_MAX = 4,
  TEXTURE_LEVELS_MAX = 17,
  TEXTURE_TEXELS_MAX = 16, /* of a fetch: 2 x 2 x 2 of two levels */
  TEXTURE_FACES = 6
};

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

/* X(name, of PTX, coordinates, a layer before them) */
#define TEXTURE_GEOMETRIES(X)           \
  X(TEXTURE_1D, "1d", 1, false)         \
  X(TEXTURE_2D, "2d", 2, false)         \
  X(TEXTURE_3D, "3d", 3, false)         \
  X(TEXTURE_1D_LAYERED, "a1d", 1, true) \
  X(TEXTURE_2D_LAYERED, "a2d", 2, true) \
  X(TEXTURE_CUBE, "cube", 3, false)     \
  X(TEXTURE_CUBE_LAYERED, "acube", 3, true)
enum texture_geometry {
#define X(name, ptx, coordinates, layered) name,
  TEXTURE_GEOMETRIES(X)
#undef X
    TEXTURE_N_GEOMETRIES
};

/* Elements in device memory. */
struct texture_memory {
  uint64_t address;
  uint64_t pitch;           /* bytes from one row, or row of blocks, to the next */
  uint64_t slice;           /* bytes from one slice, layer or face to the next */
  uint32_t width, height;   /* elements; height 0: one dimension */
  uint32_t depth;           /* slices, layers or faces; 0: there is one, which no coordinate names */
  uint8_t format;           /* enum texture_format */
  uint8_t channels;         /* 1, 2, 4 */
  uint8_t block_x, block_y; /* log2 of a block's elements; both 0: rows of elements */
  uint8_t levels;           /* of a mipmap; 0 is 1 */
  bool layered, cube;       /* what `depth` counts: layers, faces, faces of layers; neither: slices */
};

struct texture {
  struct texture_memory memory;
  bool normalized;       /* float coordinates: [0, 1) is the whole width, height or depth */
  bool reads_normalized; /* 8- and 16-bit integers become [0, 1] or [-1, 1] */
  bool srgb;             /* they become the light that a value of sRGB stands for; the fourth channel does not */
  bool linear;           /* float coordinates read between elements */
  bool linear_levels;    /* a fetch with a level reads between levels */
  bool surface;          /* suld and sust access it, tex does not */
  /* enum texture_mode of x, y, z; assumption: wrap and mirror clamp where coordinates are not normalized */
  uint8_t mode[3];
  uint32_t border[TEXTURE_CHANNELS_MAX];     /* bits read outside under TEXTURE_BORDER */
  float level_bias, least_level, most_level; /* of a fetch with a level */
};

/* ---- elements ---- */

enum texture_geometry texture_geometry(const struct texture_memory *);
const char *texture_geometry_name(enum texture_geometry); /* "2d", as PTX has it */
/* Bytes of one element: 1..16. */
uint32_t texture_element_bytes(const struct texture_memory *);
/* Lays out an array: two-dimensional ones in blocks of `line_bytes` (a power of two, >= 32). Width, height, depth,
 * format, channels and levels must be set; sets pitch, slice and blocks, and returns the bytes of all levels. */
uint64_t texture_place_array(struct texture_memory *, uint32_t line_bytes);
/* A level of a mipmap, as an array of its own. */
struct texture_memory texture_level(const struct texture_memory *, uint32_t level);
/* Byte offset of element (x, y) from the first of its slice; x < width, y < height (0 if one dimension). */
uint64_t texture_offset(const struct texture_memory *, uint32_t x, uint32_t y);

/* The element that a coordinate names among `n`, or -1 outside (TEXTURE_BORDER). assumption: NaN is 0. */
int64_t texture_element(float coordinate, uint32_t n, bool normalized, enum texture_mode);
int64_t texture_element_of_integer(int32_t coordinate, uint32_t n, enum texture_mode);
/* The four values of the element at `from`; assumption: channels that are not there read 0, 0, 1. */
void texture_values(const struct texture *, const uint8_t *from, uint32_t value[TEXTURE_CHANNELS_MAX]);
bool texture_reads_floats(const struct texture *);
/* Writes an element from words as sust.p takes them: floats for formats of floats, else integers. PTX names no rounding and nothing
 * for integers beyond the format's range. assumption: halves are rounded to nearest even, integers saturate. */
void texture_put_values(const struct texture_memory *, uint8_t *to, const uint32_t value[TEXTURE_CHANNELS_MAX]);

/* ---- fetches (texture_fetch.c) ---- */

/* What a fetch asks for. */
struct texture_point {
  bool integer;   /* coordinates are integers: no filter, no normalization */
  bool levelled;  /* `level` counts; else the largest one */
  uint8_t gather; /* 1 + channel: the four elements around the point, not their mean; 0: none */
  float c[3];     /* coordinates */
  int32_t i[3];   /* the same, of integers */
  uint32_t layer;
  float level;
};

/* The elements that it reads. Weights are products of fractions of 8 bits, and exact. */
struct texture_texels {
  uint32_t n;
  struct texel {
    uint64_t address; /* PTX_NOWHERE: the border */
    double weight;
  } texel[TEXTURE_TEXELS_MAX];
};

/* More than one element may be read: the texture filters, or the fetch gathers. */
bool texture_filters(const struct texture *, const struct texture_point *);
void texture_locate(const struct texture *, const struct texture_point *, struct texture_texels *);
/* The values of the fetch; false: the element at *where does not lie in device memory. */
bool texture_fetch(const struct texture *, const struct texture_point *, const struct device_memory *,
                   uint32_t value[TEXTURE_CHANNELS_MAX], uint64_t *where);

/* ---- descriptors ---- */

/* Writes the descriptor at `handle`, TEXTURE_DESCRIPTOR_BYTES of allocated device memory; NULL clears it. */
void texture_write(struct device_memory *, uint64_t handle, const struct texture *);
/* False if no texture is there. */
bool texture_read(const struct device_memory *, uint64_t handle, struct texture *);

#endif
