/* SPDX-License-Identifier: Apache-2.0 */
/* page_view_count: visitors of each page, compared with what the numbers say from which the text of the log was printed. An entry is
 * URL, address and cookie, with tabs between them. The law of the input, that of the program which Mars brings along to make logs:
 * page, the four bytes of the address and cookie are uniform, each of its range. Addresses and cookies so drawn hardly ever
 * repeat an entry; with clients=C there are C pairs of address and cookie, and each entry has one of them. */
#include <cuda.h>

#include "page_view_count_args.h"
#include "page_view_count_ptx.h"
#include "workload.h"

#include "mapreduce_host.h"
#include "views.h"

enum { LONGEST = 64 };

struct log {
  unsigned n, pages, bytes;
  char *text; /* an entry ends with a zero */
  unsigned *page;
  uint64_t *client; /* of an entry: address << 10 | cookie */
  struct view_key *key;
  struct view_value *value;
};

static struct log make_log(const struct workload *w) {
  uint64_t seed = (uint64_t)workload_value(w, "seed"), clients = (uint64_t)workload_value(w, "clients");
  struct log l = {.n = (unsigned)workload_value(w, "entries"), .pages = (unsigned)workload_value(w, "pages")};
  l.text = workload_alloc(w, (size_t)l.n * LONGEST);
  l.page = workload_alloc(w, l.n * sizeof *l.page);
  l.client = workload_alloc(w, l.n * sizeof *l.client);
  l.key = workload_alloc(w, l.n * sizeof *l.key);
  l.value = workload_alloc(w, l.n * sizeof *l.value);
  for (unsigned i = 0; i < l.n; i++) {
    uint64_t who = clients ? workload_bits(seed, 3, i) % clients : i, address = workload_bits(seed, 2, who) >> 32;
    unsigned cookie = (unsigned)(workload_bits(seed, 4, who) % 1000);
    l.page[i] = (unsigned)(workload_bits(seed, 1, i) % l.pages);
    l.client[i] = address << 10 | cookie;
    int size = snprintf(l.text + l.bytes, LONGEST, "http://www.abcdefg.com/%u.html\t%u.%u.%u.%u\t%u", l.page[i],
                        (unsigned)(address >> 24), (unsigned)(address >> 16 & 255), (unsigned)(address >> 8 & 255),
                        (unsigned)(address & 255), cookie);
    l.key[i].offset = l.bytes;
    l.value[i].size = (unsigned)size + 1;
    l.bytes += (unsigned)size + 1;
  }
  return l;
}

/* ---- the device ---- */

/* The pairs of the second MapReduce in groups; returns the groups. */
static unsigned run(struct workload *w, const struct log *l, struct mr_records *pages, CUdeviceptr *begins) {
  CUfunction entries = workload_open(w, "views_of_entries"), once = workload_kernel(w, "views_once");
  CUfunction of_pages = workload_kernel(w, "views_of_pages");
  struct mr m = mr_open(w);
  CUdeviceptr text = workload_upload(w, l->text, l->bytes);
  for (unsigned i = 0; i < l->n; i++) l->key[i].text = text;
  struct mr_records in = mr_room(&m, l->n, sizeof *l->key, sizeof *l->value, l->key, l->value);
  struct mr_records sorted = mr_room(&m, l->n, in.key_bytes, in.value_bytes, NULL, NULL);
  struct mr_places at = mr_places(&m, l->n, in.key_bytes, in.value_bytes);
  mr_launch(&m, entries, in.n,
            (void *[]){&in.n, &in.keys, &in.values, &in.directory, &at.keys, &at.values, &at.pairs, &sorted.keys,
                       &sorted.values, &sorted.directory});
  mr_sort(&m, &sorted);
  unsigned n = mr_group(&m, &sorted, begins);
  struct mr_records kept = mr_room(&m, n, in.key_bytes, in.value_bytes, NULL, NULL);
  at = mr_places(&m, n, in.key_bytes, in.value_bytes);
  mr_launch(&m, once, n,
            (void *[]){&n, begins, &sorted.keys, &sorted.values, &sorted.directory, &at.keys, &at.values, &at.pairs,
                       &kept.keys, &kept.values, &kept.directory});
  *pages = mr_room(&m, n, in.key_bytes, sizeof(unsigned), NULL, NULL);
  at = mr_places(&m, n, in.key_bytes, sizeof(unsigned));
  mr_launch(&m, of_pages, n,
            (void *[]){&n, &kept.keys, &kept.directory, &at.keys, &at.values, &at.pairs, &pages->keys, &pages->values,
                       &pages->directory});
  mr_sort(&m, pages);
  return mr_group(&m, pages, begins);
}

/* Visitors of each page by the groups. A page of two groups, or that of another page's text, gets none of them. */
static void read_groups(const struct workload *w, const struct log *l, const struct mr_records *r, CUdeviceptr begins,
                        unsigned groups, unsigned *visitors) {
  unsigned *begin = workload_alloc(w, groups * sizeof *begin), *of_page = workload_alloc(w, l->pages * sizeof *begin);
  struct view_key *key = workload_alloc(w, r->n * sizeof *key);
  workload_download(w, begin, begins, groups * sizeof *begin);
  workload_download(w, key, r->keys, r->n * sizeof *key);
  for (unsigned g = 0; g < groups; g++) {
    unsigned page = l->pages, end = g + 1 < groups ? begin[g + 1] : r->n, offset = key[begin[g]].offset;
    if (offset >= l->bytes || sscanf(l->text + offset, "http://www.abcdefg.com/%u.html\t", &page) != 1) continue;
    if (page < l->pages && !of_page[page]++) visitors[page] = end - begin[g];
  }
  free(begin), free(of_page), free(key);
}

/* ---- the other way: sorted numbers ---- */

struct visit {
  unsigned page;
  uint64_t client;
};

static int by_visit(const void *a, const void *b) {
  const struct visit *x = a, *y = b;
  if (x->page != y->page) return x->page < y->page ? -1 : 1;
  return x->client < y->client ? -1 : x->client > y->client;
}

static void count_visitors(const struct workload *w, const struct log *l, unsigned *visitors) {
  struct visit *visit = workload_alloc(w, l->n * sizeof *visit);
  for (unsigned i = 0; i < l->n; i++) visit[i] = (struct visit){l->page[i], l->client[i]};
  qsort(visit, l->n, sizeof *visit, by_visit);
  for (unsigned i = 0; i < l->n; i++)
    if (i == 0 || by_visit(&visit[i - 1], &visit[i])) visitors[visit[i].page]++;
  free(visit);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("page_view_count", argc, argv);
  struct log l = make_log(&w);
  struct mr_records pages;
  CUdeviceptr begins;
  unsigned groups = run(&w, &l, &pages, &begins);
  unsigned *got = workload_alloc(&w, l.pages * sizeof *got), *want = workload_alloc(&w, l.pages * sizeof *want);
  read_groups(&w, &l, &pages, begins, groups, got);

  struct workload_comparison comparison = {0};
  count_visitors(&w, &l, want);
  for (unsigned i = 0; i < l.pages; i++) workload_compare_whole(&comparison, i, got[i], want[i]);
  char sizes[96];
  snprintf(sizes, sizeof sizes, "entries=%u bytes=%u kept=%u pages=%u", l.n, l.bytes, pages.n, groups);
  workload_close(&w);
  free(l.text), free(l.page), free(l.client), free(l.key), free(l.value), free(got), free(want);
  return workload_verdict(&w, sizes, &comparison);
}
