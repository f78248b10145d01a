/* SPDX-License-Identifier: Apache-2.0 */
/* xmem_switch: processes (driver contexts) with data and atoms of their own take turns on the device. */
#include <cuda.h>

#include "atoms.h"
#include "xmem_switch_args.h"
#include "xmem_switch_ptx.h"

#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(XMEM_SWITCH_ATOMS);

enum { THREADS = 256, PROCESSES_MAX = 4 }; /* THREADS: as in kernel.cu */

struct process {
  CUcontext context;
  CUfunction kernel;
  CUdeviceptr data, table;
  uint32_t *want;
};

static uint32_t table_word(uint64_t seed, unsigned process, unsigned i) {
  return (uint32_t)workload_bits(seed, 2 * process + 1, i);
}

/* A process with its module; its atoms are active from now on. */
static void begin(struct workload *w, struct process *p, unsigned number, uint64_t seed, unsigned n, unsigned entries) {
  uint32_t *words = workload_alloc(w, (size_t)(n > entries ? n : entries) * sizeof *words);
  WORKLOAD_PREPARE(w, cuCtxCreate(&p->context, 0, w->device));
  WORKLOAD_PREPARE(w, cuModuleLoadData(&w->module, w->ptx));
  p->kernel = workload_kernel(w, "xmem_switch");
  struct xmem atoms = workload_atoms(w);
  for (unsigned i = 0; i < n; i++) words[i] = p->want[i] = (uint32_t)workload_bits(seed, 2 * number, i);
  p->data = workload_upload_atom(w, &atoms, SWITCH_DATA, words, n * sizeof *words);
  for (unsigned i = 0; i < entries; i++) words[i] = table_word(seed, number, i);
  p->table = workload_upload_atom(w, &atoms, SWITCH_TABLE, words, entries * sizeof *words);
  free(words);
}

static void step(const struct workload *w, struct process *p, unsigned number, uint64_t seed, unsigned n,
                 unsigned entries) {
  WORKLOAD_PREPARE(w, cuCtxSetCurrent(p->context));
  workload_launch(w, p->kernel, (n - 1) / THREADS + 1, THREADS, (void *[]){&n, &p->data, &p->table, &entries});
  for (unsigned i = 0; i < n; i++)
    p->want[i] = p->want[i] * 1664525u + table_word(seed, number, i * 2654435761u % entries);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("xmem_switch", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n"), entries = (unsigned)workload_value(&w, "table");
  unsigned processes = (unsigned)workload_value(&w, "processes"), turns = (unsigned)workload_value(&w, "turns");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  struct process process[PROCESSES_MAX] = {0};
  uint32_t *got = workload_alloc(&w, n * sizeof *got);
  WORKLOAD_PREPARE(&w, cuInit(0));
  WORKLOAD_PREPARE(&w, cuDeviceGet(&w.device, 0));
  for (unsigned i = 0; i < processes; i++) {
    process[i].want = workload_alloc(&w, n * sizeof *got);
    begin(&w, &process[i], i, seed, n, entries);
  }
  for (unsigned t = 0; t < turns; t++)
    for (unsigned i = 0; i < processes; i++) step(&w, &process[i], i, seed, n, entries);

  struct workload_comparison comparison = {0};
  for (unsigned p = 0; p < processes; p++) {
    WORKLOAD_PREPARE(&w, cuCtxSetCurrent(process[p].context));
    workload_download(&w, got, process[p].data, n * sizeof *got);
    for (unsigned i = 0; i < n; i++) workload_compare_whole(&comparison, (size_t)p * n + i, got[i], process[p].want[i]);
    WORKLOAD_PREPARE(&w, cuCtxDestroy(process[p].context));
    free(process[p].want);
  }
  char sizes[96];
  snprintf(sizes, sizeof sizes, "n=%u table=%u processes=%u turns=%u", n, entries, processes, turns);
  free(got);
  return workload_verdict(&w, sizes, &comparison);
}
