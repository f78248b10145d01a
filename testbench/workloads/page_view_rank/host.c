/* SPDX-License-Identifier: Apache-2.0 */
/* page_view_rank: pages by their views, compared with a sort on the host. A line of the input is URL, tab and views; the host reads
 * it, as that of Mars does. The law of the input, that of the program which Mars brings along to make it: page uniform in 0 .. 1023,
 * views uniform below 2^31 (here: up to `most`). */
#include <cuda.h>

#include "page_view_rank_args.h"
#include "page_view_rank_ptx.h"
#include "workload.h"

#include "mapreduce_host.h"

enum { TOP = 10 };

struct line {
  uint32_t views, offset;
};

static void make_lines(const struct workload *w, unsigned n, struct line *line) {
  uint64_t seed = (uint64_t)workload_value(w, "seed"), most = (uint64_t)workload_value(w, "most");
  uint32_t offset = 0;
  for (unsigned i = 0; i < n; i++) {
    char text[64];
    unsigned page = (unsigned)(workload_bits(seed, 1, i) % 1024);
    line[i] = (struct line){(uint32_t)(workload_bits(seed, 2, i) % (most + 1)), offset};
    offset += (unsigned)snprintf(text, sizeof text, "http://www.abcdefg.com/%u.html\t%u", page, line[i].views) + 1;
  }
}

static int by_offset(const void *a, const void *b) {
  const struct line *x = a, *y = b;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}
static int by_views(const void *a, const void *b) {
  const struct line *x = a, *y = b;
  return x->views != y->views ? x->views > y->views ? -1 : 1 : by_offset(a, b);
}

/* Lines in the order of the device, and the groups of equal views. */
static unsigned run(struct workload *w, unsigned n, const struct line *line, struct line *got, unsigned *begin) {
  CUfunction map = workload_open(w, "ranks_of_pages");
  struct mr m = mr_open(w);
  uint32_t *views = workload_alloc(w, n * sizeof *views), *offset = workload_alloc(w, n * sizeof *offset);
  for (unsigned i = 0; i < n; i++) views[i] = line[i].views, offset[i] = line[i].offset;
  struct mr_records in = mr_room(&m, n, sizeof *views, sizeof *offset, views, offset);
  struct mr_records sorted = mr_room(&m, n, in.key_bytes, in.value_bytes, NULL, NULL);
  struct mr_places at = mr_places(&m, n, in.key_bytes, in.value_bytes);
  mr_launch(&m, map, n,
            (void *[]){&n, &in.keys, &in.values, &in.directory, &at.keys, &at.values, &at.pairs, &sorted.keys,
                       &sorted.values, &sorted.directory});
  mr_sort(&m, &sorted);
  CUdeviceptr begins;
  unsigned groups = mr_group(&m, &sorted, &begins);
  workload_download(w, views, sorted.keys, n * sizeof *views);
  workload_download(w, offset, sorted.values, n * sizeof *offset);
  workload_download(w, begin, begins, groups * sizeof *begin);
  for (unsigned i = 0; i < n; i++) got[i] = (struct line){views[i], offset[i]};
  free(views), free(offset);
  return groups;
}

/* Pages of equal views may stand in any order among themselves: they are put into that of the lines. */
static void compare(struct workload_comparison *c, unsigned n, struct line *got, const struct line *want,
                    unsigned groups, const unsigned *begin) {
  unsigned group = 0;
  for (unsigned i = 0; i < n; i++) {
    int first = i == 0 || want[i].views != want[i - 1].views;
    workload_compare_whole(c, i, got[i].views, want[i].views);
    if (first) workload_compare_whole(c, i, group < groups ? begin[group] : n, i), group++;
  }
  workload_compare_whole(c, n, groups, group);
  qsort(got, n, sizeof *got, by_views);
  for (unsigned i = 0; i < n; i++) workload_compare_whole(c, i, got[i].offset, want[i].offset);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("page_view_rank", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "pages");
  struct line *line = workload_alloc(&w, n * sizeof *line), *got = workload_alloc(&w, n * sizeof *got);
  unsigned *begin = workload_alloc(&w, n * sizeof *begin);
  make_lines(&w, n, line);
  unsigned groups = run(&w, n, line, got, begin);
  for (unsigned i = 0; i < TOP && i < n; i++)
    printf("place %u: %u views, at byte %u\n", i + 1, got[i].views, got[i].offset);

  struct workload_comparison comparison = {0};
  qsort(line, n, sizeof *line, by_views);
  compare(&comparison, n, got, line, groups, begin);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "pages=%u groups=%u", n, groups);
  workload_close(&w);
  free(line), free(got), free(begin);
  return workload_verdict(&w, sizes, &comparison);
}
