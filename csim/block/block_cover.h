/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage points of a block, declared beside its bench in testbench/F/B_cover.c: what a stimulus should have made happen. They are
 * counted from ports and registers of the C model, so the RTL has no gates for them. */
#ifndef TANDEM_BLOCK_BLOCK_COVER_H
#define TANDEM_BLOCK_BLOCK_COVER_H

#include <stdbool.h>
#include <stdint.h>

enum { COVER_POINTS_MAX = 96 };

/* The points of one function. The first call names them; in later calls they come in the same order. */
struct cover_points {
  bool naming; /* this is the first call */
  unsigned at, n;
  uint64_t cycle; /* of this call */
  struct {
    const char *name;
    bool possible;        /* at these parameters */
    uint64_t hits, first; /* cycles in which it happened; the first of them */
  } point[COVER_POINTS_MAX];
  unsigned n_never;
  struct {
    const char *name, *reason;
  } never[COVER_POINTS_MAX];
};

/* One cycle: ports, and the registers before its clock edge. */
struct cover_cycle {
  const void *in, *out, *regs;
};

struct block_cover {
  const char *name;
  void (*count)(const void *cfg, const struct cover_cycle *now, const struct cover_cycle *was, struct cover_points *);
};

/* The points of a block of the manifest; generated list. NULL if none are declared. */
const struct block_cover *block_cover_find(const char *name);

static inline void cover_point(struct cover_points *p, const char *name, bool possible, bool hit) {
  if (p->at == COVER_POINTS_MAX) return;
  unsigned i = p->at++;
  if (i == p->n) {
    p->n++;
    p->point[i].name = name;
    p->point[i].possible = possible;
  }
  if (hit && !p->point[i].hits++) p->point[i].first = p->cycle;
}

static inline void cover_never(struct cover_points *p, const char *name, bool applies, const char *reason) {
  if (!p->naming || !applies || p->n_never == COVER_POINTS_MAX) return;
  p->never[p->n_never].name = name;
  p->never[p->n_never++].reason = reason;
}

static inline bool cover_one_bit(uint64_t v) { return v && !(v & (v - 1)); }
static inline uint64_t cover_ones(uint32_t n) { return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1; }
/* How many of the first `bits` bits of a vector are 1. */
static inline uint32_t cover_count(const uint32_t *v, uint32_t bits) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < bits; i++) n += v[i / 32] >> i % 32 & 1;
  return n;
}
/* Item `i` of a vector of items of `width` bits, at most 32. */
static inline uint32_t cover_item(const uint32_t *v, uint32_t i, uint32_t width) {
  uint64_t bit = (uint64_t)i * width;
  uint64_t words = v[bit / 32];
  if (bit % 32 + width > 32) words |= (uint64_t)v[bit / 32 + 1] << 32;
  return (uint32_t)(words >> bit % 32 & cover_ones(width));
}

/* Begins the function of block B. Its parameters are `cfg`; `in`, `out` and `regs` of this cycle; and the same of the cycle before
 * (`was_in`, ...), which after a reset and at the start are those of this cycle. */
#define BLOCK_COVER(B)                                                                                          \
  static void B##_cover_points(const struct B##_cfg *cfg, const struct B##_in *in, const struct B##_out *out,   \
                               const struct B##_regs *regs, const struct B##_in *was_in,                        \
                               const struct B##_out *was_out, const struct B##_regs *was_regs,                  \
                               struct cover_points *to);                                                        \
  static void B##_cover_erased(const void *cfg, const struct cover_cycle *now, const struct cover_cycle *was,   \
                               struct cover_points *to) {                                                       \
    B##_cover_points(cfg, now->in, now->out, now->regs, was->in, was->out, was->regs, to);                      \
  }                                                                                                             \
  const struct block_cover B##_cover = {.name = #B, .count = B##_cover_erased};                                 \
  static void B##_cover_points(                                                                                 \
    __attribute__((unused)) const struct B##_cfg *cfg, __attribute__((unused)) const struct B##_in *in,         \
    __attribute__((unused)) const struct B##_out *out, __attribute__((unused)) const struct B##_regs *regs,     \
    __attribute__((unused)) const struct B##_in *was_in, __attribute__((unused)) const struct B##_out *was_out, \
    __attribute__((unused)) const struct B##_regs *was_regs, struct cover_points *to)

/* Whether there is a cycle before this one. */
#define FOLLOWS (in != was_in)
/* A point: its sentence, and whether it happens in this cycle. */
#define POINT(name, happens) cover_point(to, name, true, happens)
/* One that exists only at some parameters. */
#define POINT_IF(possible, name, happens) cover_point(to, name, possible, (possible) && (happens))
/* A derived point (docs/coverage.md) that no run reaches at these parameters, and why. It counts as a fault if one does. */
#define NEVER_IF(applies, name, reason) cover_never(to, name, applies, reason)
#define NEVER(name, reason) cover_never(to, name, true, reason)
/* All that needs busy = 1, for a block that always changes state in its own cycle. */
#define NEVER_BUSY(reason)             \
  do {                                 \
    NEVER("busy is 1", reason);        \
    NEVER("busy rises", reason);       \
    NEVER("busy falls", reason);       \
    NEVER("idle while busy", reason);  \
    NEVER("reset while busy", reason); \
  } while (0)

#endif
