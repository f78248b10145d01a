/* SPDX-License-Identifier: Apache-2.0 */
/* Software versions of the extension instructions (TANDEM_NO_SYSTEM): the whole CTA copies with ordinary loads and
 * stores between two barriers. Results equal those of the proposal; timing does not. Every thread of the CTA takes
 * part, so none may have returned. Operands that the proposal refuses are not checked. Part of tandem_device.h. */
#ifndef TANDEM_DEVICE_PLAIN_H
#define TANDEM_DEVICE_PLAIN_H

#define TANDEM_FN static __device__ __forceinline__

/* Strides are in elements; `pitch` is the row pitch, also of halo rows. */
struct tandem_dma_entry {
  unsigned log2_bytes, columns, rows, pitch, stride;
  unsigned halo_rows, halo_columns, region, words;
  int constant;
  unsigned mode; /* 0 none, 1 halo, 2 bank padding */
};

/* The CTA's buffers. All threads write the same values, after the barrier that ends the previous copy and before the
 * one that begins the next, so every thread reads the latest values. */
static __shared__ tandem_dma_entry tandem_dma[4];

TANDEM_FN unsigned tandem_dma_thread() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }

template <class T> TANDEM_FN void tandem_dma_linear(const tandem_dma_entry &e, T *to, const T *from) {
  unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  unsigned pad = sizeof(T) > 4 ? 1 : 4 / sizeof(T), group = e.mode == 2 ? e.words * (128 / sizeof(T)) : 0;
  for (unsigned k = tandem_dma_thread(); k < e.columns * e.rows; k += threads) {
    unsigned row = k / e.columns, column = k % e.columns, at = group ? k + k / group * pad : k;
    to[at] = from[(size_t)row * e.pitch + (size_t)column * e.stride];
  }
}

template <class T> TANDEM_FN void tandem_dma_halo(const tandem_dma_entry &e, T *to, const T *from) {
  int hr = (int)e.halo_rows, hc = (int)e.halo_columns, w = (int)e.columns, h = (int)e.rows, r9 = (int)(e.region & 15);
  bool north = (r9 >= 1 && r9 <= 3) || (e.region & 0x80), south = (r9 >= 6 && r9 <= 8) || (e.region & 0x40);
  bool west = r9 == 1 || r9 == 4 || r9 == 6 || (e.region & 0x20);
  bool east = r9 == 3 || r9 == 5 || r9 == 8 || (e.region & 0x10);
  if (!w || !h) return;
  int threads = (int)(blockDim.x * blockDim.y * blockDim.z), wide = w + 2 * hc;
  for (int k = (int)tandem_dma_thread(); k < wide * (h + 2 * hr); k += threads) {
    int r = k / wide - hr, c = k % wide - hc;
    bool constant = (r < 0 && north) || (r >= h && south) || (c < 0 && west) || (c >= w && east);
    to[k] = constant ? (T)(short)e.constant : from[(long long)r * e.pitch + c];
  }
}

template <class T> TANDEM_FN void tandem_dma_copy(const tandem_dma_entry &e, void *shared, const void *global) {
  if (e.mode == 1) tandem_dma_halo(e, (T *)shared, (const T *)global);
  else tandem_dma_linear(e, (T *)shared, (const T *)global);
}

TANDEM_FN void dma_execute(void *shared, const void *global, unsigned buf = 0) {
  const tandem_dma_entry &e = tandem_dma[buf];
  __syncthreads();
  if (e.log2_bytes == 0) tandem_dma_copy<unsigned char>(e, shared, global);
  else if (e.log2_bytes == 1) tandem_dma_copy<unsigned short>(e, shared, global);
  else if (e.log2_bytes == 2) tandem_dma_copy<unsigned>(e, shared, global);
  else tandem_dma_copy<unsigned long long>(e, shared, global);
  __syncthreads();
}

/* A stride of 0 reads as 1. */
TANDEM_FN void tandem_dma_shape(unsigned buf, unsigned columns, unsigned rows, unsigned pitch, unsigned stride) {
  tandem_dma_entry &e = tandem_dma[buf];
  e.columns = columns, e.rows = rows;
  e.pitch = pitch ? pitch : 1, e.stride = stride ? stride : 1;
}

/* Shared memory is undefined when a CTA starts, so the datatype call, a buffer's first one, clears the mode. */
TANDEM_FN void tandem_dma_type(unsigned buf, unsigned log2_bytes) {
  tandem_dma[buf].log2_bytes = log2_bytes, tandem_dma[buf].mode = 0;
}
TANDEM_FN void dma_set_datatype_char(unsigned buf = 0) { tandem_dma_type(buf, 0); }
TANDEM_FN void dma_set_datatype_short(unsigned buf = 0) { tandem_dma_type(buf, 1); }
TANDEM_FN void dma_set_datatype_int(unsigned buf = 0) { tandem_dma_type(buf, 2); }
TANDEM_FN void dma_set_datatype_float(unsigned buf = 0) { tandem_dma_type(buf, 2); }
TANDEM_FN void dma_set_datatype_double(unsigned buf = 0) { tandem_dma_type(buf, 3); }
TANDEM_FN void dma_set_datatype_long(unsigned buf = 0) { tandem_dma_type(buf, 3); }
TANDEM_FN void dma_set_datatype_float2(unsigned buf = 0) { tandem_dma_type(buf, 3); }

TANDEM_FN void dma_set_halo(unsigned rows, unsigned columns, unsigned region, int constant, unsigned buf = 0) {
  tandem_dma_entry &e = tandem_dma[buf];
  e.halo_rows = rows, e.halo_columns = columns, e.region = region, e.constant = constant, e.mode = 1;
}
TANDEM_FN void dma_set_bank_conflict(unsigned words, unsigned buf = 0) {
  tandem_dma[buf].words = words, tandem_dma[buf].mode = words ? 2 : 0;
}

TANDEM_FN void dma_configure_flat_unit_stride(void *shared, const void *global, unsigned count, unsigned buf = 0) {
  tandem_dma_shape(buf, count, 1, 1, 1);
  dma_execute(shared, global, buf);
}
TANDEM_FN void dma_configure_flat_strided(void *shared, const void *global, unsigned count, unsigned stride,
                                          unsigned buf = 0) {
  tandem_dma_shape(buf, count, 1, stride, stride);
  dma_execute(shared, global, buf);
}
TANDEM_FN void dma_configure_2d(void *shared, const void *global, unsigned columns, unsigned rows, unsigned leading,
                                unsigned buf = 0) {
  tandem_dma_shape(buf, columns, rows, leading, 1);
  dma_execute(shared, global, buf);
}

#undef TANDEM_FN
#endif
