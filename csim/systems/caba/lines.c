/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/caba/lines.h"

#include "base/err.h"
#include "base/hash.h"
#include "device/device_memory.h"
#include "systems/caba/tables.h"

#include <stdlib.h>
#include <string.h>

enum { UNKNOWN = 0, AS_IN_DRAM = 0 }; /* in `dram`: plain; in `l2` */

/* ---- construction ---- */

int caba_lines_create(struct caba_lines *l, const struct gpu_config *m, struct err *e) {
  static const uint8_t zeros[CABA_LINE];
  l->p = caba_parameters(m);
  l->coder = (struct caba_coder){l->p->base == CABA_BASE_FIRST, (uint32_t)l->p->most};
  l->n = ((uint64_t)m->memory_mib << 20) / CABA_LINE;
  l->hash_of_zeros = hash_bytes(HASH_SEED, zeros, sizeof zeros);
  l->has_images = caba_assists(l->p);
  l->dram = calloc(l->n, sizeof *l->dram);
  l->l2 = calloc(l->n, sizeof *l->l2);
  l->hash = calloc(l->n, sizeof *l->hash);
  bool made = l->dram && l->l2 && l->hash && (!l->has_images || caba_images_create(&l->images, l->n));
  if (!made) return err_set(e, ERR_LIMIT, "out of memory for compressed lines");
  return l->has_images ? caba_line_code_make(&l->code, l->p, e) : 0;
}

void caba_lines_destroy(struct caba_lines *l) {
  caba_images_destroy(&l->images);
  free(l->dram);
  free(l->l2);
  free(l->hash);
}

/* ---- contents ---- */

const uint8_t *caba_contents(const struct caba_lines *l, uint64_t line) {
  uint64_t address = DEVICE_MEMORY_BASE + line * CABA_LINE;
  return line < l->n && l->memory ? device_memory_at(l->memory, address, CABA_LINE) : NULL;
}

uint32_t caba_coded_bytes(const struct caba_lines *l, uint64_t line) {
  uint8_t image[CABA_LINE];
  const uint8_t *bytes = caba_contents(l, line);
  return bytes ? caba_encode(&l->coder, bytes, image) : CABA_LINE;
}

static uint64_t hash_of(const struct caba_lines *l, uint64_t line) {
  return hash_bytes(HASH_SEED, caba_contents(l, line), CABA_LINE);
}

uint32_t caba_dram_bytes(const struct caba_lines *l, uint64_t line) {
  return line < l->n && l->dram[line] != UNKNOWN ? l->dram[line] : CABA_LINE;
}

uint32_t caba_l2_bytes(const struct caba_lines *l, uint64_t line) {
  return line < l->n && l->l2[line] != AS_IN_DRAM ? l->l2[line] : caba_dram_bytes(l, line);
}

void caba_l2_has(struct caba_lines *l, uint64_t line, uint32_t bytes) {
  if (line < l->n) l->l2[line] = (uint8_t)bytes;
}

void caba_dram_has_part(struct caba_lines *l, uint64_t line) {
  if (!caba_contents(l, line)) return;
  l->hash[line] = hash_of(l, line);
  l->l2[line] = AS_IN_DRAM;
}

void caba_dram_has(struct caba_lines *l, uint64_t line, uint32_t bytes) {
  if (caba_contents(l, line)) l->dram[line] = (uint8_t)bytes;
  caba_dram_has_part(l, line);
}

/* ---- images ---- */

uint8_t *caba_image_of(struct caba_lines *l, uint64_t line) { return caba_images_at(&l->images, line); }

void caba_expand(struct caba_lines *l, uint64_t line, uint8_t bytes[CABA_LINE]) {
  caba_unpack(&l->code, caba_image_of(l, line), caba_l2_bytes(l, line), bytes);
}

uint32_t caba_pack_line(struct caba_lines *l, uint64_t line, uint8_t image[CABA_LINE]) {
  if (!l->has_images) return caba_coded_bytes(l, line);
  return caba_pack(&l->code, caba_image_of(l, line), image);
}

/* The host writes the line, compressed or not. What it takes. */
static uint32_t make_image(struct caba_lines *l, uint64_t line, bool packed) {
  if (!l->has_images) return packed ? caba_coded_bytes(l, line) : CABA_LINE;
  if (packed) return caba_pack(&l->code, caba_contents(l, line), caba_image_of(l, line));
  memcpy(caba_image_of(l, line), caba_contents(l, line), CABA_LINE);
  return CABA_LINE;
}

/* The image is the one that bdi_enc makes, whoever has made it: bytes between its fields, which no routine reads, are 0. Routines have the first
 * value as base and keep what setlen allows; with other settings there are two images of a line. */
static bool is_usual(struct caba_lines *l, uint64_t line, const uint8_t bytes[CABA_LINE]) {
  uint8_t image[CABA_LINE];
  if (l->p->design != CABA_CABA_BDI || !l->coder.first_base || l->coder.most != AWS_MOST) return true;
  uint32_t length = caba_l2_bytes(l, line);
  return length == CABA_LINE ||
         (caba_encode(&l->coder, bytes, image) == length && !memcmp(image, caba_image_of(l, line), length));
}

bool caba_line_differs(struct caba_lines *l, uint64_t line) {
  uint8_t bytes[CABA_LINE];
  caba_expand(l, line, bytes);
  return memcmp(bytes, caba_contents(l, line), CABA_LINE) != 0 || !is_usual(l, line, bytes);
}

/* ---- launches ---- */

/* Memory may have more lines than before. */
int caba_lines_launch(struct caba_lines *l, const struct device_memory *memory, struct err *e) {
  l->memory = memory;
  l->code.wrong = 0;
  for (uint64_t line = 0; l->has_images && caba_contents(l, line); line++)
    if (!caba_image_of(l, line)) return err_set(e, ERR_LIMIT, "the host has no memory left for images of lines");
  return 0;
}

/* The host may have written a line that the L2 has. */
static void renew_cached(struct caba_lines *l, uint64_t line) {
  uint8_t bytes[CABA_LINE];
  if (!l->has_images) return;
  caba_expand(l, line, bytes);
  if (!memcmp(bytes, caba_contents(l, line), CABA_LINE)) return;
  l->l2[line] = CABA_LINE;
  make_image(l, line, false);
}

void caba_renew_line(struct caba_lines *l, uint64_t line, bool cached) {
  if (cached) {
    renew_cached(l, line);
    return;
  }
  uint64_t hash = hash_of(l, line);
  if (l->dram[line] != UNKNOWN ? l->hash[line] == hash : hash == l->hash_of_zeros) return;
  l->hash[line] = hash;
  l->dram[line] = (uint8_t)make_image(l, line, l->p->host);
}
