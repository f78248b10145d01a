/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/caba/units.h"

#include "base/err.h"
#include "bdi_dec_ports.h"
#include "bdi_enc_ports.h"
#include "block/block_reset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int caba_unit_create(struct caba_unit *u, const struct caba_coder *coder, const char *path, struct block_factory *f,
                     const uint64_t *now, struct err *e) {
  *u = (struct caba_unit){.coder = *coder, .lines.size = UNIT_LINES, .images.size = UNIT_LINES};
  u->line = calloc(2 * (size_t)UNIT_LINES, sizeof *u->line);
  if (!u->line) return err_set(e, ERR_LIMIT, "the host has no memory left for units that compress lines");
  u->image = u->line + UNIT_LINES;
  snprintf(u->enc_path, sizeof u->enc_path, "%s.bdi_enc", path);
  snprintf(u->dec_path, sizeof u->dec_path, "%s.bdi_dec", path);
  u->enc = BLOCK_MAKE(f, &bdi_enc_desc, u->enc_path, now, e, {"LINE", CABA_LINE}, {"MOST", coder->most},
                      {"BASE_MODE", !coder->first_base});
  u->dec = u->enc ? BLOCK_MAKE(f, &bdi_dec_desc, u->dec_path, now, e, {"LINE", CABA_LINE}) : NULL;
  return u->dec ? 0 : ERR_VALUE;
}

void caba_unit_destroy(struct caba_unit *u) {
  if (u->enc) block_destroy(u->enc);
  if (u->dec) block_destroy(u->dec);
  free(u->line);
}

static void push(struct ring *r, struct unit_line *at, const uint8_t *line, const uint8_t *image, uint32_t bytes) {
  invariant(!ring_full(r), "%u lines wait for a unit that takes one a cycle", r->count);
  struct unit_line *l = &at[ring_push(r)];
  memcpy(l->line, line, CABA_LINE);
  memcpy(l->image, image, CABA_LINE);
  l->bytes = bytes;
}

uint32_t caba_unit_compress(struct caba_unit *u, const uint8_t line[CABA_LINE], uint8_t image[CABA_LINE]) {
  uint32_t bytes = caba_encode(&u->coder, line, image);
  push(&u->lines, u->line, line, image, bytes);
  return bytes;
}

void caba_unit_decompress(struct caba_unit *u, const uint8_t image[CABA_LINE], uint32_t bytes,
                          const uint8_t line[CABA_LINE]) {
  push(&u->images, u->image, line, image, bytes);
}

bool caba_unit_busy(const struct caba_unit *u) { return u->lines.count || u->images.count || u->resets; }

static void reset(struct caba_unit *u) {
  memset(u->enc->in, 0, sizeof(struct bdi_enc_in));
  block_reset_cycle(u->enc);
  u->resets = false;
}

static bool compress(struct caba_unit *u) {
  struct bdi_enc_in *in = u->enc->in;
  const struct bdi_enc_out *out = u->enc->out;
  bool differs = false;
  if (!u->lines.count) return false;
  memset(in, 0, sizeof *in);
  if (u->inside < u->lines.count) {
    in->in_valid = 1;
    memcpy(in->in_line, u->line[ring_at(&u->lines, u->inside)].line, CABA_LINE);
    u->inside++;
  }
  block_eval(u->enc);
  if (out->out_valid) {
    const struct unit_line *l = &u->line[ring_pop(&u->lines)];
    u->inside--;
    differs = out->len != l->bytes || (l->bytes < CABA_LINE && memcmp(out->image, l->image, l->bytes) != 0);
  }
  block_tick(u->enc);
  return differs;
}

static bool decompress(struct caba_unit *u) {
  struct bdi_dec_in *in = u->dec->in;
  const struct bdi_dec_out *out = u->dec->out;
  if (!u->images.count) return false;
  const struct unit_line *l = &u->image[ring_pop(&u->images)];
  memset(in, 0, sizeof *in);
  memcpy(in->image, l->image, l->bytes);
  in->enc = l->image[0] & 15;
  block_eval(u->dec);
  bool differs = memcmp(out->line, l->line, CABA_LINE) != 0;
  block_tick(u->dec);
  return differs;
}

uint32_t caba_unit_cycle(struct caba_unit *u) {
  if (u->resets) {
    reset(u);
    return 0;
  }
  uint32_t differs = compress(u);
  return differs + decompress(u);
}

void caba_unit_forget(struct caba_unit *u) {
  u->lines.count = u->images.count = u->inside = 0;
  u->resets = true;
}
