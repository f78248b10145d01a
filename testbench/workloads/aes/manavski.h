// SPDX-License-Identifier: Apache-2.0
// The kernel whose middle Gou 2011 prints in figure 2 (after Manavski 2007): whatever a thread needs lies in shared memory, its own
// input and result too. Steps: copy input and tables; add the first key; each round gathers four bytes, looks them up and adds
// a key; the last round looks up bytes and stores them one by one. A thread makes 101 shared accesses to encrypt with 10 rounds,
// and one more to decrypt, for which it copies the inverse S-box. Keys come by texture. CTAs are whole: the host pads the data.
#ifndef MANAVSKI_H
#define MANAVSKI_H

union column {
  unsigned word;
  unsigned char byte[4];
};

// Of column c and row r (place 4 * c + r), the column of its block from which ShiftRows, or its inverse, takes the byte.
static __constant__ const unsigned char shifted[2][16] = {{0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2},
                                                          {0, 3, 2, 1, 1, 0, 3, 2, 2, 1, 0, 3, 3, 2, 1, 0}};

// STEP as in kernel.cu: 1 to encrypt, 3 to decrypt; texture: the round keys.
template <unsigned STEP>
static __device__ __forceinline__ void aes(unsigned, const unsigned *in, unsigned *out, cudaTextureObject_t texture) {
  __shared__ column stage[2][THREADS], t0[256], t1[256], t2[256], t3[256];
  unsigned t = threadIdx.x, c = t % 4, first = t / 4 * 4;
  const unsigned char *from = shifted[STEP == 3] + 4 * c;
  stage[0][t].word = in[blockIdx.x * THREADS + t];
  t0[t].word = aes_table.t[0][t];
  t1[t].word = aes_table.t[1][t];
  t2[t].word = aes_table.t[2][t];
  t3[t].word = aes_table.t[3][t];
#define GATHER(s)                                                                \
  unsigned b0 = (s)[first + from[0]].byte[0], b1 = (s)[first + from[1]].byte[1]; \
  unsigned b2 = (s)[first + from[2]].byte[2], b3 = (s)[first + from[3]].byte[3]; \
  unsigned key = tex1Dfetch<unsigned>(texture, (int)(4 * round + c))
  // The S-box: to encrypt, byte 3 of the second table, whose factor is 1; to decrypt, a table of its own.
#define LAST(b) (STEP == 1 ? t1[b].byte[3] : inverse[b].byte[0])
  __shared__ column inverse[STEP == 3 ? 256 : 1];
  if (STEP == 3) inverse[t].byte[0] = (unsigned char)aes_table.last[t];
  __syncthreads();
  // volatile, here and at the end: accesses as the source has them, not merged
  stage[1][t].word = *(volatile unsigned *)&stage[0][t].word ^ tex1Dfetch<unsigned>(texture, (int)c);
#pragma unroll
  for (unsigned round = 1; round < ROUNDS; round++) {
    __syncthreads();
    GATHER(stage[round % 2]);
    stage[(round + 1) % 2][t].word = t0[b0].word ^ t1[b1].word ^ t2[b2].word ^ t3[b3].word ^ key;
  }
  __syncthreads();
  unsigned round = ROUNDS;
  GATHER(stage[0]); // ROUNDS is even
  volatile unsigned char *mine = stage[1][t].byte;
  mine[3] = (unsigned char)(LAST(b3) ^ key >> 24);
  mine[2] = (unsigned char)(LAST(b2) ^ key >> 16);
  mine[1] = (unsigned char)(LAST(b1) ^ key >> 8);
  mine[0] = (unsigned char)(LAST(b0) ^ key);
  __syncthreads();
  out[blockIdx.x * THREADS + t] = stage[1][t].word;
#undef GATHER
#undef LAST
}

#endif
