/* SPDX-License-Identifier: Apache-2.0 */
/* Faults: the first one of a warp is kept, and put into words when it is reported. */
#include "base/err.h"
#include "device/device_memory.h"
#include "ptx/execute.h"
#include "ptx/texture.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void ptx_note_fault(struct ptx_warp *w, const struct ptx_op *op, struct ptx_fault fault) {
  if (w->fault.kind != PTX_NO_FAULT) return;
  w->fault = fault;
  w->fault.line = op->line;
}

/* ---- in words ---- */

static const char *const sentences[PTX_FAULT_KINDS] = {[PTX_NO_FAULT] = "has no fault",
#define X(kind, sentence) [kind] = sentence,
                                                       PTX_FAULTS(X)
#undef X
};

static const char *space_name(uint8_t space) {
  switch (space) {
    case PTX_SHARED: return "shared";
    case PTX_LOCAL: return "local";
    case PTX_CONST: return "constant";
    case PTX_PARAM: return "parameter";
    default: return "global";
  }
}

/* The message of assert(), which lies in device memory. */
static void copy_message(const struct ptx_warp *w, char *text, size_t size) {
  size_t n = 0;
  for (const char *c; n + 1 < size; n++) {
    c = device_memory_at(w->cta->memory, w->fault.address + n, 1);
    if (!c || !*c) break;
    text[n] = *c >= ' ' && *c <= '~' ? *c : '?';
  }
  text[n] = 0;
}

static void field_text(const struct ptx_warp *w, const char *field, char *text, size_t size) {
  const struct ptx_fault *f = &w->fault;
  if (strcmp(field, "space") == 0) snprintf(text, size, "%s", space_name(f->space));
  else if (strcmp(field, "access") == 0)
    snprintf(text, size, "%s", f->atomic ? "an atomic" : f->store ? "a store" : "a load");
  else if (strcmp(field, "address") == 0) snprintf(text, size, "0x%" PRIx64, f->address);
  else if (strcmp(field, "to") == 0) snprintf(text, size, "0x%" PRIx64, f->to);
  else if (strcmp(field, "bytes") == 0) snprintf(text, size, "%" PRIu32, f->bytes);
  else if (strcmp(field, "index") == 0) snprintf(text, size, "%" PRIu32, f->index);
  else if (strcmp(field, "limit") == 0) snprintf(text, size, "%" PRIu32, f->limit);
  else if (strcmp(field, "depth") == 0) snprintf(text, size, "%" PRIu32, f->depth);
  else if (strcmp(field, "function") == 0) snprintf(text, size, "%.40s", f->function);
  else if (strcmp(field, "asked") == 0) snprintf(text, size, "%s", texture_geometry_name(f->index));
  else if (strcmp(field, "found") == 0) snprintf(text, size, "%s", texture_geometry_name(f->limit));
  else if (strcmp(field, "message") == 0) copy_message(w, text, size);
  else invariant(false, "no fault has a '%s'", field);
}

void ptx_fault_text(const struct ptx_warp *w, char *text, size_t size) {
  const struct ptx_cta *cta = w->cta;
  uint32_t thread = w->index * WARP_LANES + w->fault.lane, x = cta->block[0], y = cta->block[1];
  char field[16], value[72];
  int head =
    snprintf(text, size, "thread (%u,%u,%u) of CTA (%u,%u,%u) ", x ? thread % x : 0, x && y ? thread / x % y : 0,
             x && y ? thread / x / y : 0, cta->index[0], cta->index[1], cta->index[2]);
  size_t n = (size_t)head;
  for (const char *c = sentences[w->fault.kind]; *c && n < size; c++) {
    if (*c != '{') {
      n += (size_t)snprintf(text + n, size - n, "%c", *c);
      continue;
    }
    size_t length = strcspn(++c, "}");
    snprintf(field, sizeof field, "%.*s", (int)length, c);
    field_text(w, field, value, sizeof value);
    n += (size_t)snprintf(text + n, size - n, "%s", value);
    c += length;
  }
}
