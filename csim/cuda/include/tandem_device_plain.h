/* SPDX-License-Identifier: Apache-2.0 */
/* The extension instructions without their system (TANDEM_NO_SYSTEM): the whole CTA copies between
 * two barriers. The results are those of the system; the times are not. Part of tandem_device.h. */
#ifndef TANDEM_DEVICE_PLAIN_H
#define TANDEM_DEVICE_PLAIN_H

#define TANDEM_FN static __device__ __forceinline__

struct tandem_dma_entry {
  unsigned log2_bytes, columns, rows, row_stride, element_stride; /* strides in elements */
  unsigned halo_rows, halo_columns, region, words;
  int constant;
  unsigned mode; /* 0 none, 1 halo, 2 bank padding */
};
static __shared__ tandem_dma_entry tandem_dma[4];

TANDEM_FN unsigned tandem_dma_thread() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }

/* Every thread writes the same value into a field between two barriers. */
#define TANDEM_DMA_SET(statement) \
  do {                            \
    __syncthreads();              \
    statement;                    \
    __syncthreads();              \
  } while (0)

TANDEM_FN void tandem_dma_element(char *to, const char *from, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) to[i] = from[i];
}

TANDEM_FN void tandem_dma_plain(const tandem_dma_entry &e, char *shared, const char *global) {
  unsigned bytes = 1u << e.log2_bytes, pad = bytes > 4 ? bytes : 4, group = e.mode == 2 ? e.words * 128 : 0;
  unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  for (unsigned k = tandem_dma_thread(); k < e.columns * e.rows; k += threads) {
    unsigned to = k * bytes, row = k / e.columns, column = k % e.columns;
    if (group) to += to / group * pad;
    tandem_dma_element(shared + to, global + ((size_t)row * e.row_stride + (size_t)column * e.element_stride) * bytes,
                       bytes);
  }
}

TANDEM_FN void tandem_dma_halo(const tandem_dma_entry &e, char *shared, const char *global) {
  int bytes = 1 << e.log2_bytes, hr = (int)e.halo_rows, hc = (int)e.halo_columns;
  int w = (int)e.columns, h = (int)e.rows, pitch = w + 2 * hc, r9 = (int)(e.region & 15);
  bool north = (r9 <= 3) || (e.region & 0x80), south = (r9 >= 6 && r9 <= 8) || (e.region & 0x40);
  bool west = r9 == 1 || r9 == 4 || r9 == 6 || (e.region & 0x20);
  bool east = r9 == 3 || r9 == 5 || r9 == 8 || (e.region & 0x10);
  if (!w || !h) return;
  int threads = (int)(blockDim.x * blockDim.y * blockDim.z);
  for (int k = (int)tandem_dma_thread(); k < pitch * (h + 2 * hr); k += threads) {
    int r = k / pitch - hr, c = k % pitch - hc;
    bool constant = (r < 0 && north) || (r >= h && south) || (c < 0 && west) || (c >= w && east);
    char *to = shared + (size_t)k * (size_t)bytes;
    long long value = (short)e.constant;
    if (constant) tandem_dma_element(to, (const char *)&value, (unsigned)bytes);
    else tandem_dma_element(to, global + ((long long)r * e.row_stride + c) * bytes, (unsigned)bytes);
  }
}

TANDEM_FN void dma_execute(void *shared, const void *global, unsigned buf = 0) {
  __syncthreads();
  if (tandem_dma[buf].mode == 1) tandem_dma_halo(tandem_dma[buf], (char *)shared, (const char *)global);
  else tandem_dma_plain(tandem_dma[buf], (char *)shared, (const char *)global);
  __syncthreads();
}

TANDEM_FN void tandem_dma_shape(unsigned buf, unsigned columns, unsigned rows, unsigned row_stride,
                                unsigned element_stride) {
  __syncthreads();
  tandem_dma_entry &e = tandem_dma[buf];
  e.columns = columns, e.rows = rows;
  e.row_stride = row_stride ? row_stride : 1, e.element_stride = element_stride ? element_stride : 1;
  __syncthreads();
}

/* A datatype is the first call of a buffer: it also forgets the modes of whatever used the shared
 * memory before. */
TANDEM_FN void tandem_dma_type(unsigned buf, unsigned log2_bytes) {
  TANDEM_DMA_SET((tandem_dma[buf].log2_bytes = log2_bytes, tandem_dma[buf].mode = 0));
}
TANDEM_FN void dma_set_datatype_char(unsigned buf = 0) { tandem_dma_type(buf, 0); }
TANDEM_FN void dma_set_datatype_short(unsigned buf = 0) { tandem_dma_type(buf, 1); }
TANDEM_FN void dma_set_datatype_int(unsigned buf = 0) { tandem_dma_type(buf, 2); }
TANDEM_FN void dma_set_datatype_float(unsigned buf = 0) { tandem_dma_type(buf, 2); }
TANDEM_FN void dma_set_datatype_double(unsigned buf = 0) { tandem_dma_type(buf, 3); }
TANDEM_FN void dma_set_datatype_long(unsigned buf = 0) { tandem_dma_type(buf, 3); }
TANDEM_FN void dma_set_datatype_float2(unsigned buf = 0) { tandem_dma_type(buf, 3); }

TANDEM_FN void dma_configure_flat_unit_stride(void *shared, const void *global, unsigned count, unsigned buf = 0) {
  tandem_dma_shape(buf, count, 1, 1, 1);
  dma_execute(shared, global, buf);
}
TANDEM_FN void dma_configure_flat_strided(void *shared, const void *global, unsigned count, unsigned stride,
                                          unsigned buf = 0) {
  tandem_dma_shape(buf, count, 1, 1, stride);
  dma_execute(shared, global, buf);
}
TANDEM_FN void dma_configure_2d(void *shared, const void *global, unsigned columns, unsigned rows, unsigned leading,
                                unsigned buf = 0) {
  tandem_dma_shape(buf, columns, rows, leading, 1);
  dma_execute(shared, global, buf);
}
TANDEM_FN void dma_set_halo(unsigned rows, unsigned columns, unsigned region, int constant, unsigned buf = 0) {
  TANDEM_DMA_SET((tandem_dma[buf].halo_rows = rows, tandem_dma[buf].halo_columns = columns,
                  tandem_dma[buf].region = region, tandem_dma[buf].constant = constant, tandem_dma[buf].mode = 1));
}
TANDEM_FN void dma_set_bank_conflict(unsigned words, unsigned buf = 0) {
  TANDEM_DMA_SET((tandem_dma[buf].words = words, tandem_dma[buf].mode = words ? 2 : 0));
}

#undef TANDEM_DMA_SET
#undef TANDEM_FN
#endif
