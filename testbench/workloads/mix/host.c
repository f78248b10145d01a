/* SPDX-License-Identifier: Apache-2.0 */
/* mix: sums of streams and of random words of a table, compared with the same sums on the host. */
#include <cuda.h>

#include "atoms.h"
#include "mix_args.h"
#include "mix_hash.h"
#include "mix_ptx.h"
#include "workload.h"
#include "workload_atoms.h"

XMEM_ATOM_IDS(MIX_ATOMS);

enum { THREADS = 256, STREAMS = 4 }; /* as in kernel.cu */

int main(int argc, char **argv) {
  struct workload w = workload_arguments("mix", argc, argv);
  unsigned n = (unsigned)workload_value(&w, "n"), streams = (unsigned)workload_value(&w, "streams");
  unsigned gathers = (unsigned)workload_value(&w, "gathers"), record_bits = (unsigned)workload_value(&w, "record");
  unsigned records = (unsigned)workload_value(&w, "table") >> record_bits;
  unsigned ctas = (unsigned)workload_value(&w, "ctas"), wanted = (n - 1) / THREADS + 1;
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  if (!records) workload_usage(&w, "table: a record has %u words", 1u << record_bits);
  size_t bytes = (size_t)n * sizeof(unsigned), words = (size_t)records << record_bits;
  unsigned *out = workload_alloc(&w, bytes), *table = workload_alloc(&w, words * sizeof *table);
  unsigned *want = workload_alloc(&w, bytes), *stream = workload_alloc(&w, bytes);
  for (size_t i = 0; i < words; i++) table[i] = (unsigned)workload_bits(seed, 0, i);
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < gathers; k++) {
      size_t record = mix_hash(i >> record_bits, k) % records;
      want[i] += table[(record << record_bits) + (i & ((1u << record_bits) - 1))];
    }

  CUfunction kernel = workload_open(&w, "mix");
  struct xmem atoms = workload_atoms(&w);
  CUdeviceptr device_stream[STREAMS] = {0};
  for (unsigned s = 0; s < streams; s++) {
    for (unsigned i = 0; i < n; i++) want[i] += stream[i] = (unsigned)workload_bits(seed, 1 + s, i);
    device_stream[s] = workload_upload_atom(&w, &atoms, MIX_STREAM, stream, bytes);
  }
  CUdeviceptr device_table = workload_upload_atom(&w, &atoms, MIX_TABLE, table, words * sizeof *table);
  CUdeviceptr device_out = workload_upload_atom(&w, &atoms, MIX_OUT, NULL, bytes);
  workload_launch(&w, kernel, ctas < wanted ? ctas : wanted, THREADS,
                  (void *[]){&n, &gathers, &record_bits, &records, &device_stream[0], &device_stream[1],
                             &device_stream[2], &device_stream[3], &device_table, &device_out});
  workload_download(&w, out, device_out, bytes);

  struct workload_comparison comparison = {0};
  for (unsigned i = 0; i < n; i++) workload_compare_whole(&comparison, i, out[i], want[i]);
  char sizes[64];
  snprintf(sizes, sizeof sizes, "n=%u streams=%u gathers=%u", n, streams, gathers);
  workload_close(&w);
  free(out), free(table), free(want), free(stream);
  return workload_verdict(&w, sizes, &comparison);
}
