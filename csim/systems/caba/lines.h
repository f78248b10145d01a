/* SPDX-License-Identifier: Apache-2.0 */
/* What the L2 and DRAM have of each line: how many bytes it takes, and, where assist warps work, which. Lines are numbered from the beginning
 * of device memory, whose bytes instructions change at issue: a line is compressed as it is when it travels. At the start of a launch
 * nothing travels, and each line that is not in the L2 is in DRAM as device memory has it. Local memory is plain; so is (assumption) a line of
 * zeros that nobody has written since it was allocated, since zeros that the host has copied there look the same. */
#ifndef TANDEM_SYSTEMS_CABA_LINES_H
#define TANDEM_SYSTEMS_CABA_LINES_H

#include "systems/caba/images.h"
#include "systems/caba/line_code.h"

struct caba_parameters;
struct device_memory;
struct err;
struct gpu_config;

struct caba_lines {
  const struct caba_parameters *p;
  const struct device_memory *memory; /* since the first launch */
  struct caba_coder coder;
  uint64_t n;
  uint8_t *dram;  /* bytes of each line; 0: nobody has written it, so it is plain */
  uint8_t *l2;    /* of those that were written since they came, bytes; 0: as in DRAM */
  uint64_t *hash; /* of its contents when `dram` was set */
  uint64_t hash_of_zeros;
  bool has_images; /* assist warps work: what L2 and DRAM hold, and the code of lines */
  struct caba_images images;
  struct caba_line_code code;
};

/* ERR_LIMIT: out of memory; or what the routines of the design break. */
int caba_lines_create(struct caba_lines *, const struct gpu_config *, struct err *);
void caba_lines_destroy(struct caba_lines *);

/* Its bytes in device memory; NULL: that has no such line. */
const uint8_t *caba_contents(const struct caba_lines *, uint64_t line);
/* The bytes that it takes, 1..CABA_LINE. */
uint32_t caba_dram_bytes(const struct caba_lines *, uint64_t line);
uint32_t caba_l2_bytes(const struct caba_lines *, uint64_t line);
/* Those of its contents by base and deltas. */
uint32_t caba_coded_bytes(const struct caba_lines *, uint64_t line);
/* With images: the CABA_LINE bytes that the L2 or DRAM hold; the line that they stand for. */
uint8_t *caba_image_of(struct caba_lines *, uint64_t line);
void caba_expand(struct caba_lines *, uint64_t line, uint8_t bytes[CABA_LINE]);
/* A memory controller compresses the plain line that the L2 has: its bytes, which instructions that are on their way have not changed yet.
 * What it takes; `image`: with images. */
uint32_t caba_pack_line(struct caba_lines *, uint64_t line, uint8_t image[CABA_LINE]);

/* The L2 has so many bytes of it from now on; DRAM has; a part of it was written to DRAM, where it is plain. */
void caba_l2_has(struct caba_lines *, uint64_t line, uint32_t bytes);
void caba_dram_has(struct caba_lines *, uint64_t line, uint32_t bytes);
void caba_dram_has_part(struct caba_lines *, uint64_t line);

/* A launch begins. ERR_LIMIT: out of memory. Then, for each line that memory has: what the host has changed. `cached`: the L2 has it. */
int caba_lines_launch(struct caba_lines *, const struct device_memory *, struct err *);
void caba_renew_line(struct caba_lines *, uint64_t line, bool cached);
/* A launch has ended: with images, the line is not what memory has, or its image is not the one that bdi_enc makes. */
bool caba_line_differs(struct caba_lines *, uint64_t line);

#endif
