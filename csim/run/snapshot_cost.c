/* SPDX-License-Identifier: Apache-2.0 */
#include "run/snapshot_cost.h"

#include "base/host_clock.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* assumption: a page that is copied costs three that are made new (measured: 1.6 to 5 on a virtual machine, quiet and busy). The first copy is
 * taken to cost 4,000 pages (measured: 3,900 in `saxpy:n=1048576`, D2MA). */
enum { PROBED = 64, FIRST_PAGES = 4000 };
#define COPIED_TO_NEW 3

static uint64_t page_faults(void) {
  struct rusage u;
  return getrusage(RUSAGE_SELF, &u) ? 0 : (uint64_t)u.ru_minflt;
}

/* New pages are written, one by one. 0: the host has no memory for them, so none for a copy either. */
static double measure_page(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = PROBED * page;
  char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return 0;
  madvise(p, bytes, MADV_NOHUGEPAGE);
  double before = host_thread_seconds();
  for (size_t at = 0; at < bytes; at += page) *(volatile char *)(p + at) = 1;
  double seconds = host_thread_seconds() - before;
  munmap(p, bytes);
  return COPIED_TO_NEW * seconds / PROBED;
}

void snapshot_cost_measure(struct snapshot_cost *c) {
  if (!c->page_seconds) c->page_seconds = measure_page();
}

double snapshot_cost_of(const struct snapshot_cost *c, uint32_t copies) {
  double pages = c->taken ? (double)(page_faults() - c->faults) / c->taken : FIRST_PAGES;
  double fork = c->taken ? c->forks / c->taken : 0;
  return copies * (fork + pages * c->page_seconds);
}

void snapshot_cost_add(struct snapshot_cost *c, double seconds) {
  if (!c->taken) c->faults = page_faults();
  c->taken++;
  c->forks += seconds;
}
