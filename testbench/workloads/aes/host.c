/* SPDX-License-Identifier: Apache-2.0 */
/* aes: AES of many blocks under one key, compared with the cipher of FIPS-197, section 5.1, byte by byte. Block 0 is the
 * published example of `key`, with its published ciphertext: 0 FIPS-197, appendix C.1 or C.3; 1 appendix B, or SP 800-38A,
 * F.1.5; 2: a key from the seed. The key has 128 bits, in version manavski256 256. Decryption starts from the host's
 * ciphertext and must give back the input. */
#include <cuda.h>

#include "aes_args.h"
#include "aes_ptx.h"
#include "workload.h"

enum { THREADS = 256, KEY_BYTES = 32, ROUNDS = 14 /* at most */ };

struct example {
  uint8_t key[KEY_BYTES], plain[16], cipher[16];
};

static const struct example examples[2][2] = {
  /* 128 bits: FIPS-197, appendices C.1 and B */
  {{{0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f},
    {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff},
    {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a}},
   {{0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c},
    {0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d, 0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34},
    {0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb, 0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a, 0x0b, 0x32}}},
  /* 256 bits: FIPS-197, appendix C.3; SP 800-38A, F.1.5 */
  {{{0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f,
     0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f},
    {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff},
    {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89}},
   {{0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae, 0xf0, 0x85, 0x7d, 0x77, 0x81,
     0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61, 0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4},
    {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96, 0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a},
    {0xf3, 0xee, 0xd1, 0xbd, 0xb5, 0xd2, 0xa0, 0x3c, 0x06, 0x4b, 0x5a, 0x7e, 0x3d, 0xb1, 0x81, 0xf8}}}};

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

/* FIPS-197, 5.2; the key has `words` words: 4 or 8. */
static void expand_key(const struct boxes *b, const uint8_t *key, unsigned words, uint8_t *round_key) {
  uint8_t constant = 1;
  memcpy(round_key, key, 4 * words);
  for (unsigned i = words; i < 4 * (words + 7); i++) {
    uint8_t word[4], first;
    memcpy(word, round_key + 4 * (i - 1), 4);
    first = word[0];
    if (i % words == 0) {
      for (unsigned k = 0; k < 4; k++) word[k] = b->forward[k < 3 ? word[k + 1] : first];
      word[0] ^= constant;
      constant = multiply(constant, 2);
    } else if (words == 8 && i % 8 == 4) {
      for (unsigned k = 0; k < 4; k++) word[k] = b->forward[word[k]];
    }
    for (unsigned k = 0; k < 4; k++) round_key[4 * i + k] = round_key[4 * (i - words) + k] ^ word[k];
  }
}

/* ---- the cipher as the standard writes it ---- */

static void encrypt(const struct boxes *b, const uint8_t *round_key, unsigned rounds, const uint8_t *in, uint8_t *out) {
  uint8_t s[16], t[16];
  for (unsigned i = 0; i < 16; i++) s[i] = in[i] ^ round_key[i];
  for (unsigned round = 1; round <= rounds; round++) {
    for (unsigned i = 0; i < 16; i++) t[i] = b->forward[s[(i + 4 * (i % 4)) % 16]]; /* SubBytes, ShiftRows */
    for (unsigned i = 0; i < 16; i++) {
      const uint8_t *c = t + i / 4 * 4;
      unsigned row = i % 4;
      uint8_t mixed = multiply(c[row], 2) ^ multiply(c[(row + 1) % 4], 3) ^ c[(row + 2) % 4] ^ c[(row + 3) % 4];
      s[i] = (uint8_t)((round < rounds ? mixed : t[i]) ^ round_key[16 * round + i]);
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
static void make_keys(const uint8_t *round_key, unsigned rounds, int decrypt, uint32_t *keys) {
  static const uint8_t mix[4] = {14, 11, 13, 9};
  for (unsigned round = 0; round <= rounds; round++)
    for (unsigned i = 0; i < 16; i++) {
      const uint8_t *k = round_key + 16 * (decrypt ? rounds - round : round);
      uint8_t byte = k[i];
      if (decrypt && round > 0 && round < rounds)
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

/* A texture of words. */
static CUtexObject make_texture(const struct workload *w, const void *words, size_t bytes) {
  CUtexObject texture;
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC desc;
  memset(&resource, 0, sizeof resource);
  memset(&desc, 0, sizeof desc);
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = workload_upload(w, words, bytes);
  resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT32;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = bytes;
  desc.flags = CU_TRSF_READ_AS_INTEGER;
  WORKLOAD_PREPARE(w, cuTexObjectCreate(&texture, &resource, &desc, NULL));
  return texture;
}

/* The input: block 0 as published, the others from the seed, or all bytes alike. */
static void make_input(const struct workload *w, const struct example *example, uint8_t *plain, size_t bytes) {
  uint64_t seed = (uint64_t)workload_value(w, "seed");
  int alike = (int)workload_value(w, "data");
  for (size_t i = 0; i < bytes; i++) plain[i] = alike ? 0xff : (uint8_t)workload_bits(seed, 1, i);
  if (example) memcpy(plain, example->plain, 16);
}

static void make_round_keys(const struct workload *w, const struct boxes *b, const struct example *example,
                            unsigned rounds, uint8_t *round_key) {
  uint8_t key[KEY_BYTES];
  for (unsigned i = 0; i < KEY_BYTES; i++)
    key[i] = example ? example->key[i] : (uint8_t)workload_bits((uint64_t)workload_value(w, "seed"), 2, i);
  expand_key(b, key, rounds - 6, round_key);
}

/* What the kernel reads, where its version has it; the texture, or 0. */
static CUtexObject place_tables(const struct workload *w, const struct tables *tables, const uint32_t *keys,
                                unsigned rounds) {
  size_t key_bytes = sizeof *keys * 4 * (rounds + 1);
  if (strcmp(w->version, "texture") != 0) put_constant(w, "aes_table", tables, sizeof *tables);
  if (!strncmp(w->version, "manavski", 8)) return make_texture(w, keys, key_bytes);
  put_constant(w, "aes_key", keys, key_bytes);
  return strcmp(w->version, "texture") != 0 ? 0 : make_texture(w, tables, sizeof *tables);
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("aes", argc, argv);
  unsigned blocks = (unsigned)workload_value(&w, "blocks"), key = (unsigned)workload_value(&w, "key");
  int decrypt = (int)workload_value(&w, "decrypt"), long_key = !strcmp(w.version, "manavski256");
  unsigned columns = 4 * blocks, ctas = (columns - 1) / THREADS + 1, rounds = long_key ? 14 : 10;
  size_t bytes = (size_t)blocks * 16, whole = (size_t)ctas * THREADS * 4; /* whole: the CTAs' */
  uint8_t *plain = workload_alloc(&w, whole), *cipher = workload_alloc(&w, whole), *result = workload_alloc(&w, whole);
  uint8_t round_key[16 * (ROUNDS + 1)];
  uint32_t keys[4 * (ROUNDS + 1)] = {0};
  struct boxes boxes;
  struct tables *tables = workload_alloc(&w, sizeof *tables);
  const struct example *example = key < 2 ? &examples[long_key][key] : NULL;
  make_boxes(&boxes);
  make_input(&w, example, plain, bytes);
  make_round_keys(&w, &boxes, example, rounds, round_key);
  for (size_t at = 0; at < bytes; at += 16) encrypt(&boxes, round_key, rounds, plain + at, cipher + at);
  if (example) memcpy(cipher, example->cipher, 16); /* as published, not as computed here */
  make_tables(&boxes, decrypt, tables);
  make_keys(round_key, rounds, decrypt, keys);

  CUfunction kernel = workload_open(&w, decrypt ? "aes_decrypt" : "aes_encrypt");
  CUtexObject texture = place_tables(&w, tables, keys, rounds);
  CUdeviceptr in = workload_upload(&w, decrypt ? cipher : plain, whole), out = workload_upload(&w, NULL, whole);
  workload_launch(&w, kernel, ctas, THREADS, (void *[]){&columns, &in, &out, &texture});
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
