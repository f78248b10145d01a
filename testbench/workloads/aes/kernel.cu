// SPDX-License-Identifier: Apache-2.0
// AES with a 128-bit key (FIPS-197) on blocks of 16 bytes, a thread a column: four threads share a block and
// exchange its state through shared memory every round, 256 threads a CTA (after Manavski 2007; AES of
// Yuan 2009 and Gou 2011). SubBytes, ShiftRows and MixColumns of a column are four table lookups (Daemen,
// Rijmen, "AES proposal: Rijndael", 5.2.1); decryption is the equivalent inverse cipher (FIPS-197, 5.3.5).
// A word holds the column's row 0 in its low byte, as the machine loads it.
#include "tandem_device.h"

#define THREADS 256
#if defined(TANDEM_VERSION_MANAVSKI256)
#define ROUNDS 14 // a key of 256 bits
#else
#define ROUNDS 10
#endif

struct aes_tables {
  unsigned t[4][256]; // the round's column of each row's byte
  unsigned last[256]; // the S-box alone, for the last round
};

extern "C" {
__constant__ aes_tables aes_table;
__constant__ unsigned aes_key[4 * (ROUNDS + 1)]; // in the order of use
}

#if defined(TANDEM_VERSION_MANAVSKI) || defined(TANDEM_VERSION_MANAVSKI256)
#include "manavski.h"
#else

#if defined(TANDEM_VERSION_BASELINE)
// The tables are copied to shared memory, whose banks serve different rows at once.
#define ROUND(row, byte) tables.t[row][byte]
#define LAST(byte) tables.last[byte]
#elif defined(TANDEM_VERSION_CONSTANT)
// The tables stay in constant memory, which serves one address at a time.
#define ROUND(row, byte) aes_table.t[row][byte]
#define LAST(byte) aes_table.last[byte]
#elif defined(TANDEM_VERSION_TEXTURE)
// The tables are a texture of 1280 words.
#define ROUND(row, byte) tex1Dfetch<unsigned>(texture, (int)((row)*256 + (byte)))
#define LAST(byte) tex1Dfetch<unsigned>(texture, (int)(4 * 256 + (byte)))
#else
#error "define TANDEM_VERSION_BASELINE, _CONSTANT, _TEXTURE, _MANAVSKI or _MANAVSKI256"
#endif

// Of each column, the columns from which its rows come; a table as in Gou 2011, figure 2, where all four bytes of a
// round come from shared memory, the thread's own too.
static __constant__ const unsigned char places[4][4] = {{0, 1, 2, 3}, {1, 2, 3, 0}, {2, 3, 0, 1}, {3, 0, 1, 2}};
#define BYTE(row) (((const unsigned char *)&s[next[row]])[row])

// STEP: the column from which row r comes is `column + r * STEP`; 1 to encrypt, 3 to decrypt. texture: of the
// version of that name, else 0.
template <unsigned STEP>
static __device__ __forceinline__ void aes(unsigned columns, const unsigned *in, unsigned *out,
                                           cudaTextureObject_t texture) {
  __shared__ unsigned state[2][THREADS];
  unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t, first = t & ~3u, column = t & 3u;
#if defined(TANDEM_VERSION_BASELINE)
  __shared__ aes_tables tables;
  for (unsigned row = 0; row < 4; row++) tables.t[row][t] = aes_table.t[row][t];
  tables.last[t] = aes_table.last[t];
#endif
  unsigned next[4]; // the thread that holds the column of each row
  for (unsigned row = 0; row < 4; row++) next[row] = first + places[column][row * STEP & 3u];
  unsigned word = (i < columns ? in[i] : 0) ^ aes_key[column];
  state[0][t] = word;
#pragma unroll
  for (unsigned round = 1; round < ROUNDS; round++) {
    __syncthreads();
    const unsigned *s = state[round + 1 & 1];
    word = ROUND(0, BYTE(0)) ^ ROUND(1, BYTE(1)) ^ ROUND(2, BYTE(2)) ^ ROUND(3, BYTE(3)) ^ aes_key[4 * round + column];
    state[round & 1][t] = word;
  }
  __syncthreads();
  const unsigned *s = state[ROUNDS + 1 & 1];
  word =
    (LAST(BYTE(0)) | LAST(BYTE(1)) << 8 | LAST(BYTE(2)) << 16 | LAST(BYTE(3)) << 24) ^ aes_key[4 * ROUNDS + column];
  if (i < columns) out[i] = word;
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS)
  aes_encrypt(unsigned columns, const unsigned *in, unsigned *out, cudaTextureObject_t texture) {
  aes<1>(columns, in, out, texture);
}

extern "C" __global__ void __launch_bounds__(THREADS)
  aes_decrypt(unsigned columns, const unsigned *in, unsigned *out, cudaTextureObject_t texture) {
  aes<3>(columns, in, out, texture);
}
