/* SPDX-License-Identifier: Apache-2.0 */
#include "blocktest/vcd.h"

#include "base/err.h"
#include "base/text.h"
#include "base/vcd_stream.h"

#include <stdlib.h>
#include <string.h>

enum { FOLLOWED_MAX = 512 };

struct followed {
  uint32_t value; /* of the stream */
  char before[VCD_BITS_MAX];
};

struct vcd {
  struct vcd_stream stream;
  struct followed *followed[FOLLOWED_MAX];
  unsigned n_followed;
  uint64_t time; /* of the values now */
};

int vcd_open(struct vcd **out, const char *path, struct err *e) {
  struct vcd *v = *out = calloc(1, sizeof *v);
  if (!v) return err_set(e, ERR_LIMIT, "out of memory for a wave");
  int status = vcd_stream_open(&v->stream, path, e);
  if (!status) return 0;
  free(v);
  *out = NULL;
  return status;
}

void vcd_close(struct vcd *v) {
  if (!v) return;
  for (unsigned i = 0; i < v->n_followed; i++) free(v->followed[i]);
  vcd_stream_close(&v->stream);
  free(v);
}

static const char *name_at(const void *stream, unsigned i) {
  const struct vcd_stream *v = stream;
  return i < v->n_names ? v->names[i].name : NULL;
}

int vcd_follow(struct vcd *v, const char *name, unsigned *handle, unsigned *width, struct err *e) {
  const struct vcd_stream *stream = &v->stream;
  const struct vcd_name *s = stream->names, *end = stream->names + stream->n_names;
  while (s < end && strcmp(s->name, name) != 0) s++;
  if (s == end) {
    const char *near = text_nearest(name, name_at, stream);
    return err_set(e, ERR_VALUE, "%s has no signal %s%s%s%s", stream->path, name, near ? "; did you mean " : "",
                   near ? near : "", near ? "?" : "");
  }
  *width = stream->values[s->value].width;
  if (*width > VCD_BITS_MAX || v->n_followed == FOLLOWED_MAX)
    return err_set(e, ERR_VALUE, "%s: signal %s has %u bits; at most %d, of at most %d signals", stream->path, name,
                   *width, VCD_BITS_MAX, FOLLOWED_MAX);
  struct followed *w = calloc(1, sizeof *w);
  if (!w) return err_set(e, ERR_LIMIT, "out of memory for the signal %s", name);
  w->value = s->value;
  *handle = v->n_followed;
  v->followed[v->n_followed++] = w;
  return 0;
}

int vcd_step(struct vcd *v, bool *more, struct err *e) {
  *more = !v->stream.ended;
  if (v->stream.ended) return 0;
  for (unsigned i = 0; i < v->n_followed; i++) {
    const struct vcd_value *value = &v->stream.values[v->followed[i]->value];
    memcpy(v->followed[i]->before, value->bits, value->width);
  }
  v->time = v->stream.next;
  return vcd_stream_step(&v->stream, e);
}

/* Bit `bit` of `bits`, which stand with the highest first. */
static char bit_of(const struct vcd *v, unsigned handle, const char *bits, unsigned bit) {
  return bits[v->stream.values[v->followed[handle]->value].width - 1 - bit];
}
char vcd_bit(const struct vcd *v, unsigned handle, unsigned bit) {
  return bit_of(v, handle, v->stream.values[v->followed[handle]->value].bits, bit);
}
char vcd_bit_before(const struct vcd *v, unsigned handle, unsigned bit) {
  return bit_of(v, handle, v->followed[handle]->before, bit);
}
uint64_t vcd_time(const struct vcd *v) { return v->time; }
