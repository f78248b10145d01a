/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/caba/images.h"

#include "systems/caba/coder.h"

#include <stdlib.h>

enum { IMAGES_PAGE = 64 };

bool caba_images_create(struct caba_images *m, uint64_t lines) {
  m->pages = (lines + IMAGES_PAGE - 1) / IMAGES_PAGE;
  m->page = calloc(m->pages, sizeof *m->page);
  return m->page != NULL;
}

void caba_images_destroy(struct caba_images *m) {
  for (uint64_t i = 0; m->page && i < m->pages; i++) free(m->page[i]);
  free(m->page);
}

uint8_t *caba_images_at(struct caba_images *m, uint64_t line) {
  uint8_t **page = &m->page[line / IMAGES_PAGE];
  if (!*page) *page = calloc(IMAGES_PAGE, CABA_LINE);
  return *page ? *page + line % IMAGES_PAGE * CABA_LINE : NULL;
}
