/* SPDX-License-Identifier: Apache-2.0 */
/* aes: AES-128 of many blocks under one key, compared with the cipher of FIPS-197, section 5.1, byte by byte. Block 0
 * is the published example of `key`, with its published ciphertext: 0 appendix C.1, 1 appendix B; 2: a key from the
 * seed. Decryption starts from the host's ciphertext and must give back the input. */
#include <cuda.h>

#include "aes_args.h"
#include "aes_ptx.h"
#include "workload.h"

enum { THREADS = 256, ROUNDS = 10 }; /* as in kernel.cu */

static const uint8_t examples[2][3][16] =
  {/* key, plaintext, ciphertext */
   {{0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f},
    {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff},
    {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a}},
   {{0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c},
    {0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d, 0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34},
    {0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb, 0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a, 0x0b, 0x32}}};

/* ---- the field and the S-box (FIPS-197, 4.2 and 5.1.1) ---- */

static uint8_t multiply(uint8_t a, uint8_t b) {
  uint8_t product = 0;
  for (; b; b >>= 1) {
    if (b & 1) product ^= a;
    a = (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
  }
  return product;
}

struct boxes {
  uint8_t forward[256], inverse[256];
};

static void make_boxes(struct boxes *b) {
  for (unsigned x = 0; x < 256; x++) {
    unsigned inverse = 0, value = 0x63;
    while (x && multiply((uint8_t)x, (uint8_t)inverse) != 1) inverse++;
    for (unsigned shift = 0; shift < 5; shift++) value ^= (inverse << shift | inverse >> (8 - shift)) & 0xff;
    b->forward[x] = (uint8_t)value;
    b->inverse[value] = (uint8_t)x;
  }
}

static void expand_key(const struct boxes *b, const uint8_t key[16], uint8_t round_key[16 * (ROUNDS + 1)]) {
  uint8_t constant = 1;
  memcpy(round_key, key, 16);
  for (unsigned i = 16; i < 16 * (ROUNDS + 1); i += 4) {
    uint8_t word[4];
    memcpy(word, round_key + i - 4, 4);
    if (i % 16 == 0) {
      uint8_t first = word[0];
      for (unsigned k = 0; k < 4; k++) word[k] = b->forward[k < 3 ? word[k + 1] : first];
      word[0] ^= constant;
      constant = multiply(constant, 2);
    }
    for (unsigned k = 0; k < 4; k++) round_key[i + k] = round_key[i - 16 + k] ^ word[k];
  }
}

/* ---- the cipher as the standard writes it ---- */

static void encrypt(const struct boxes *b, const uint8_t *round_key, const uint8_t *in, uint8_t *out) {
  uint8_t s[16], t[16];
  for (unsigned i = 0; i < 16; i++) s[i] = in[i] ^ round_key[i];
  for (unsigned round = 1; round <= ROUNDS; round++) {
    for (unsigned i = 0; i < 16; i++) t[i] = b->forward[s[(i + 4 * (i % 4)) % 16]]; /* SubBytes, ShiftRows */
    for (unsigned i = 0; i < 16; i++) {
      const uint8_t *c = t + i / 4 * 4;
      unsigned row = i % 4;
      uint8_t mixed = multiply(c[row], 2) ^ multiply(c[(row + 1) % 4], 3) ^ c[(row + 2) % 4] ^ c[(row + 3) % 4];
      s[i] = (uint8_t)((round < ROUNDS ? mixed : t[i]) ^ round_key[16 * round + i]);
    }
  }
  memcpy(out, s, 16);
}

/* ---- what the kernel reads ---- */

struct tables { /* struct aes_tables of kernel.cu */
  uint32_t t[4][256], last[256];
};

static void make_tables(const struct boxes *b, int decrypt, struct tables *tables) {
  static const uint8_t mix[2][4] = {{2, 1, 1, 3}, {14, 9, 13, 11}}; /* a row's share of each row of the column */
  for (unsigned x = 0; x < 256; x++) {
    uint8_t s = decrypt ? b->inverse[x] : b->forward[x];
    tables->last[x] = s;
    for (unsigned row = 0; row < 4; row++) {
      uint32_t word = 0;
      for (unsigned k = 0; k < 4; k++) word |= (uint32_t)multiply(s, mix[decrypt][(k + 4 - row) % 4]) << 8 * k;
      tables->t[row][x] = word;
    }
  }
}

/* The round keys in the order of use; to decrypt: backwards, those within through the inverse of MixColumns. */
static void make_keys(const uint8_t *round_key, int decrypt, uint32_t *keys) {
  static const uint8_t mix[4] = {14, 11, 13, 9};
  for (unsigned round = 0; round <= ROUNDS; round++)
    for (unsigned i = 0; i < 16; i++) {
      const uint8_t *k = round_key + 16 * (decrypt ? ROUNDS - round : round);
      uint8_t byte = k[i];
      if (decrypt && round > 0 && round < ROUNDS)
        for (unsigned row = byte = 0; row < 4; row++) byte ^= multiply(k[i / 4 * 4 + (i + row) % 4], mix[row]);
      keys[4 * round + i / 4] |= (uint32_t)byte << 8 * (i % 4);
    }
}

static void put_constant(const struct workload *w, const char *name, const void *data, size_t bytes) {
  CUdeviceptr address;
  size_t size;
  WORKLOAD_PREPARE(w, cuModuleGetGlobal(&address, &size, w->module, name));
  if (size != bytes) workload_usage(w, "internal: %s has %zu bytes, not %zu", name, size, bytes);
  WORKLOAD_PREPARE(w, cuMemcpyHtoD(address, data, bytes));
}

/* The tables as a texture of words. */
static CUtexObject make_texture(const struct workload *w, const struct tables *tables) {
  CUtexObject texture;
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC desc;
  memset(&resource, 0, sizeof resource);
  memset(&desc, 0, sizeof desc);
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = workload_upload(w, tables, sizeof *tables);
  resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT32;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = sizeof *tables;
  desc.flags = CU_TRSF_READ_AS_INTEGER;
  WORKLOAD_PREPARE(w, cuTexObjectCreate(&texture, &resource, &desc, NULL));
  return texture;
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("aes", argc, argv);
  unsigned blocks = (unsigned)workload_value(&w, "blocks"), key = (unsigned)workload_value(&w, "key");
  int decrypt = (int)workload_value(&w, "decrypt");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  size_t bytes = (size_t)blocks * 16;
  uint8_t *plain = workload_alloc(&w, bytes), *cipher = workload_alloc(&w, bytes), *result = workload_alloc(&w, bytes);
  uint8_t key_bytes[16], round_key[16 * (ROUNDS + 1)];
  uint32_t keys[4 * (ROUNDS + 1)] = {0};
  struct boxes boxes;
  struct tables *tables = workload_alloc(&w, sizeof *tables);
  for (size_t i = 0; i < bytes; i++) plain[i] = (uint8_t)workload_bits(seed, 1, i);
  for (unsigned i = 0; i < 16; i++) key_bytes[i] = key < 2 ? examples[key][0][i] : (uint8_t)workload_bits(seed, 2, i);
  if (key < 2) memcpy(plain, examples[key][1], 16);
  make_boxes(&boxes);
  expand_key(&boxes, key_bytes, round_key);
  for (unsigned i = 0; i < blocks; i++) encrypt(&boxes, round_key, plain + 16 * (size_t)i, cipher + 16 * (size_t)i);
  if (key < 2) memcpy(cipher, examples[key][2], 16); /* as published, not as computed here */
  make_tables(&boxes, decrypt, tables);
  make_keys(round_key, decrypt, keys);

  CUfunction kernel = workload_open(&w, decrypt ? "aes_decrypt" : "aes_encrypt");
  CUtexObject texture = 0;
  if (!strcmp(w.version, "texture")) texture = make_texture(&w, tables);
  else put_constant(&w, "aes_table", tables, sizeof *tables);
  put_constant(&w, "aes_key", keys, sizeof keys);
  CUdeviceptr in = workload_upload(&w, decrypt ? cipher : plain, bytes), out = workload_upload(&w, NULL, bytes);
  unsigned columns = 4 * blocks;
  workload_launch(&w, kernel, (columns - 1) / THREADS + 1, THREADS, (void *[]){&columns, &in, &out, &texture});
  workload_download(&w, result, out, bytes);

  struct workload_comparison comparison = {0};
  for (size_t i = 0; i < bytes; i++) workload_compare_whole(&comparison, i, result[i], decrypt ? plain[i] : cipher[i]);
  char sizes[64];
  if (texture) WORKLOAD_PREPARE(&w, cuTexObjectDestroy(texture));
  snprintf(sizes, sizeof sizes, "blocks=%u key=%u decrypt=%d", blocks, key, decrypt);
  workload_close(&w);
  free(plain), free(cipher), free(result), free(tables);
  return workload_verdict(&w, sizes, &comparison);
}
