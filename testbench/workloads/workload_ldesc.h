/* SPDX-License-Identifier: Apache-2.0 */
/* What host programs with locality descriptors share (ldesc.h; Vijaykumar 2019, chapter 3). Include after "workload.h". A program has
 * a `descriptors.h` beside its sources; its version `ldesc` is the kernel of its first version, or the one that it names, with the
 * table of these descriptors in its module: on any other version, system or driver the calls below do nothing.
 *
 * How structures are judged, for all programs alike, from the source alone (ours where table 4 of the thesis is silent):
 *   type       as in table 4. What a kernel only writes, or passes once, has NO_REUSE where a CTA has a block of it; it matters on
 *              several modules alone
 *   tile       what a C-Tile reads. CTAs that read the same are one C-Tile. Neighbours share more along x, where they share lines,
 *              than along y: the C-Tile of a stencil is a row of the grid. Nothing but the whole if tiles would interleave
 *   stride     down the rows of a tile: from row to row; along a row: a line, as steps inside of a line load nothing
 *   priority   20 for the structure that warps ask for most often, then 10 and 5, 1 for results */
#ifndef TANDEM_WORKLOAD_LDESC_H
#define TANDEM_WORKLOAD_LDESC_H

#include <ldesc.h>

enum { WORKLOAD_LINE = 128 };

static inline struct ldesc workload_ldesc(const struct workload *w) {
  struct ldesc l;
  ldescOpen(&l, w->module);
  return l;
}

/* A structure of `length` elements whose D-Tiles have `data` elements, or all along an axis that has fewer. */
static inline struct ldesc_tile workload_tile(struct workload_shape length, struct workload_shape data,
                                              struct workload_shape ctas) {
  struct ldesc_tile t = {
    .length = {length.x, length.y, length.z}, .data = {data.x, data.y, data.z}, .ctas = {ctas.x, ctas.y, ctas.z}};
  for (int d = 0; d < 3; d++)
    if (t.data[d] > t.length[d]) t.data[d] = t.length[d];
  return t;
}

/* In one dimension: each CTA has `data` elements in a row. */
static inline struct ldesc_tile workload_tile_row(size_t length, unsigned data) {
  return workload_tile((struct workload_shape){(unsigned)length, 1, 1}, (struct workload_shape){data, 1, 1},
                       (struct workload_shape){1, 1, 1});
}

/* All of it is read by all CTAs of a grid. */
static inline struct ldesc_tile workload_tile_whole(size_t length, struct workload_shape grid) {
  struct workload_shape all = {(unsigned)length, 1, 1};
  return workload_tile(all, all, grid);
}

/* Descriptor `id` of the module's table. */
static inline void workload_describe(const struct workload *w, const struct ldesc *l, unsigned id, CUdeviceptr at,
                                     size_t bytes, struct ldesc_tile tile, unsigned stride) {
  WORKLOAD_PREPARE(w, ldescResolve(l, id, at, bytes, tile, stride));
}

/* Of local memory, which has no record: said by version ldesc alone. */
static inline void workload_describe_local(const struct workload *w, const struct ldesc *l, enum ldesc_type type,
                                           unsigned priority) {
  if (!strcmp(w->version, "ldesc")) WORKLOAD_PREPARE(w, LocalityDescriptorLocal(l, type, priority));
}

/* Before the next kernel, whose structures are others or read in another way. */
static inline void workload_forget(const struct workload *w, const struct ldesc *l) {
  WORKLOAD_PREPARE(w, ldescClear(l));
}

#endif
