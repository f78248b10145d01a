/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/l2_stride.h"

#include "config/gpu_config.h"
#include "mem/page_table.h"

uint64_t l2_prefetch_region(const struct gpu_config *m) {
  return m->mmu_frames == MMU_IDENTITY ? (uint64_t)m->l2_prefetch_region : (uint64_t)m->mmu_page_bytes;
}

void l2_stride_start(struct l2_stride *p, const struct gpu_config *m, const struct address_map *map, uint32_t channel) {
  *p = (struct l2_stride){
    .map = map,
    .channel = channel,
    .line_shift = (uint32_t)__builtin_ctzll((uint64_t)m->line_bytes),
    .region_shift = (uint32_t)__builtin_ctzll(l2_prefetch_region(m)),
    .streams = (uint32_t)m->l2_prefetch_streams,
    .degree = (uint32_t)m->l2_prefetch_degree,
  };
}

static uint64_t region_of(const struct l2_stride *p, uint64_t line) {
  return address_map_global(p->map, p->channel, line << p->line_shift) >> p->region_shift;
}

/* Names what the stream may have named beyond its last access, in the access's region. */
static uint32_t name_lines(const struct l2_stride *p, struct l2_stream *s, uint64_t region, uint64_t *lines) {
  uint32_t n = 0;
  while (s->ahead < s->target) {
    uint64_t line = s->last + (uint64_t)(s->stride * (int64_t)(s->ahead + 1));
    if (region_of(p, line) != region) break;
    lines[n++] = line;
    s->ahead++;
  }
  return n;
}

/* How many steps of the stream `line` lies beyond its last access, at most degree either way; 0 also if it is no multiple. */
static int64_t steps(const struct l2_stride *p, const struct l2_stream *s, uint64_t line) {
  int64_t distance = (int64_t)(line - s->last), reach = s->stride * (int64_t)p->degree;
  if (reach < 0) reach = -reach;
  if (!s->stride || distance > reach || distance < -reach || distance % s->stride) return 0;
  return distance / s->stride;
}

static uint32_t follow(struct l2_stride *p, struct l2_stream *s, int64_t by, uint64_t region, uint64_t *lines) {
  s->used = p->accesses;
  if (by <= 0) return 0; /* overtaken */
  s->last += (uint64_t)(s->stride * by);
  s->ahead = s->ahead > (uint64_t)by ? s->ahead - (uint32_t)by : 0;
  s->target = 2 * s->target < p->degree ? 2 * s->target : p->degree;
  return name_lines(p, s, region, lines);
}

static bool filtered(const struct l2_stride *p, uint64_t line, uint64_t region) {
  for (uint32_t i = 0; i < L2_STRIDE_FILTER; i++)
    if (p->filter[i] && p->filter[i] == line + 1 && p->filter_region[i] == region) return true;
  return false;
}

/* The stride of a stream that ends with `line`, 0: there is none. */
static int64_t find_stride(const struct l2_stride *p, uint64_t line, uint64_t region) {
  for (uint32_t k = 1; k <= L2_STRIDE_FILTER; k++) {
    uint32_t i = (p->filter_at + L2_STRIDE_FILTER - k) % L2_STRIDE_FILTER;
    uint64_t other = p->filter[i] - 1;
    if (!p->filter[i] || p->filter_region[i] != region || other == line) continue;
    if (filtered(p, 2 * other - line, region)) return (int64_t)(line - other);
  }
  return 0;
}

static struct l2_stream *least_recently_of_use(struct l2_stride *p) {
  struct l2_stream *best = &p->stream[0];
  for (uint32_t i = 1; i < p->streams; i++)
    if (p->stream[i].used < best->used) best = &p->stream[i];
  return best;
}

uint32_t l2_stride_train(struct l2_stride *p, uint64_t line, uint64_t lines[L2_STRIDE_DEGREE]) {
  uint64_t region = region_of(p, line);
  p->accesses++;
  for (uint32_t i = 0; i < p->streams; i++) {
    int64_t by = steps(p, &p->stream[i], line);
    if (by || (p->stream[i].stride && p->stream[i].last == line)) return follow(p, &p->stream[i], by, region, lines);
  }
  int64_t stride = find_stride(p, line, region);
  if (!stride) {
    p->filter[p->filter_at] = line + 1;
    p->filter_region[p->filter_at] = region;
    p->filter_at = (p->filter_at + 1) % L2_STRIDE_FILTER;
    return 0;
  }
  struct l2_stream *s = least_recently_of_use(p);
  *s = (struct l2_stream){.last = line, .stride = stride, .target = 1, .used = p->accesses};
  return name_lines(p, s, region, lines);
}
