/* SPDX-License-Identifier: Apache-2.0 */
/* gather: words of a table in the order of random indices, compared with the table. */
#include <cuda.h>

#include "atoms.h"
#include "gather_args.h"
#include "gather_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(GATHER_ATOMS);

enum { THREADS = 256 }; /* as in kernel.cu */

int main(int argc, char **argv) {
  struct workload w = workload_arguments("gather", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n"), words = (unsigned)workload_value(&w, "table");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t bytes = (size_t)n * sizeof(float), table_bytes = (size_t)words * sizeof(float);
  unsigned *index = workload_alloc(&w, bytes);
  float *table = workload_alloc(&w, table_bytes), *out = workload_alloc(&w, bytes);
  for (unsigned i = 0; i < n; i++) index[i] = (unsigned)(workload_bits(seed, 1, i) % words);
  for (unsigned i = 0; i < words; i++) table[i] = workload_input(seed, 2, i);

  CUfunction kernel = workload_open(&w, "gather");
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr device_index = workload_upload_atom(&w, &atoms, GATHER_INDEX, index, bytes);
  CUdeviceptr device_table = workload_upload_atom(&w, &atoms, GATHER_TABLE, table, table_bytes);
  CUdeviceptr device_out = workload_upload_atom(&w, &atoms, GATHER_OUT, NULL, bytes);
  workload_launch(&w, kernel, (n - 1) / THREADS + 1, THREADS,
                  (void *[]){&n, &device_index, &device_table, &device_out});
  workload_download(&w, out, device_out, bytes);

  struct workload_comparison comparison = {0};
  for (unsigned i = 0; i < n; i++) workload_compare(&comparison, i, out[i], table[index[i]], 0);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "n=%u table=%u", n, words);
  workload_close(&w);
  free(index), free(table), free(out);
  return workload_verdict(&w, sizes, &comparison);
}
