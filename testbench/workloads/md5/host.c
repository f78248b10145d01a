/* SPDX-License-Identifier: Apache-2.0 */
/* md5: digests of all windows of the input, compared with an MD5 by bytes, whose constants are computed from the sine
 * as RFC 1321, 3.4, defines them, and which is itself checked with the RFC's examples (A.5). The input begins with
 * "message digest" padded with spaces. */
#include <cuda.h>

#include "md5_args.h"
#include "md5_ptx.h"
#include "workload.h"

enum { THREADS = 128 }; /* as in kernel.cu */

struct md5 {
  uint32_t sine[64];
};

static uint32_t rotate(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }

static void md5_block(const struct md5 *m, const uint8_t *p, uint32_t s[4]) {
  static const uint8_t shift[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  static const uint8_t factor[4] = {1, 5, 3, 7}, offset[4] = {0, 1, 5, 0};
  uint32_t v[4] = {s[0], s[1], s[2], s[3]};
  for (unsigned i = 0; i < 64; i++) {
    unsigned round = i / 16;
    const uint8_t *w = p + 4 * ((factor[round] * i + offset[round]) % 16);
    uint32_t word = (uint32_t)w[0] | (uint32_t)w[1] << 8 | (uint32_t)w[2] << 16 | (uint32_t)w[3] << 24;
    uint32_t x = v[1], y = v[2], z = v[3];
    uint32_t f = round == 0   ? (x & y) | (~x & z)
                 : round == 1 ? (x & z) | (y & ~z)
                 : round == 2 ? x ^ y ^ z
                              : y ^ (x | ~z);
    uint32_t turned = x + rotate(v[0] + f + word + m->sine[i], shift[round][i % 4]);
    v[0] = z, v[3] = y, v[2] = x, v[1] = turned;
  }
  for (unsigned i = 0; i < 4; i++) s[i] += v[i];
}

static void md5_hash(const struct md5 *m, const uint8_t *text, size_t n, uint32_t s[4]) {
  static const uint32_t start[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  uint8_t tail[128] = {0};
  size_t whole = n / 64 * 64, rest = n - whole, end = rest < 56 ? 64 : 128;
  memcpy(s, start, sizeof start);
  for (size_t i = 0; i < whole; i += 64) md5_block(m, text + i, s);
  memcpy(tail, text + whole, rest);
  tail[rest] = 0x80;
  for (unsigned i = 0; i < 8; i++) tail[end - 8 + i] = (uint8_t)((uint64_t)n * 8 >> 8 * i);
  for (size_t i = 0; i < end; i += 64) md5_block(m, tail + i, s);
}

static void md5_prepare(const struct workload *w, struct md5 *m) {
  static const struct {
    const char *text;
    uint32_t digest[4]; /* the RFC's hexadecimal digits, four bytes a word, low byte first */
  } examples[] = {{"", {0xd98c1dd4, 0x04b2008f, 0x980980e9, 0x7e42f8ec}},
                  {"abc", {0x98500190, 0xb04fd23c, 0x7d3f96d6, 0x727fe128}},
                  {"message digest", {0x7d696bf9, 0x8d93b77c, 0x312f5a52, 0xd061f1aa}}};
  for (unsigned i = 0; i < 64; i++) m->sine[i] = (uint32_t)(fabs(sin(i + 1.0)) * 4294967296.0);
  for (unsigned i = 0; i < sizeof examples / sizeof *examples; i++) {
    uint32_t digest[4];
    md5_hash(m, (const uint8_t *)examples[i].text, strlen(examples[i].text), digest);
    if (memcmp(digest, examples[i].digest, sizeof digest))
      workload_usage(w, "internal: the host's MD5 of \"%s\" is wrong", examples[i].text);
  }
}

int main(int argc, char **argv) {
  struct workload w = workload_arguments("md5", argc, argv);
  unsigned words = (unsigned)workload_value(&w, "words"), window = (unsigned)workload_value(&w, "window");
  uint64_t seed = (uint64_t)workload_value(&w, "seed");
  if (window > words) workload_usage(&w, "window=%u: the input has only %u words", window, words);
  unsigned windows = words - window + 1;
  size_t bytes = (size_t)words * 4, digest_bytes = (size_t)windows * 16;
  uint8_t *data = workload_alloc(&w, bytes);
  uint32_t *digest = workload_alloc(&w, digest_bytes);
  struct md5 m;
  md5_prepare(&w, &m);
  for (size_t i = 0; i < bytes; i++) data[i] = (uint8_t)workload_bits(seed, 1, i);
  memcpy(data, "message digest  ", bytes < 16 ? bytes : 16);

  CUfunction kernel = workload_open(&w, "md5");
  CUdeviceptr device_data = workload_upload(&w, data, bytes), device_digest = workload_upload(&w, NULL, digest_bytes);
  workload_launch_shared(&w, kernel, (windows - 1) / THREADS + 1, THREADS, (unsigned)workload_value(&w, "shared"),
                         (void *[]){&windows, &window, &device_data, &device_digest});
  workload_download(&w, digest, device_digest, digest_bytes);

  struct workload_comparison comparison = {0};
  for (unsigned i = 0; i < windows; i++) {
    uint32_t want[4];
    md5_hash(&m, data + 4 * (size_t)i, 4 * (size_t)window, want);
    for (unsigned k = 0; k < 4; k++) workload_compare_whole(&comparison, i, digest[(size_t)k * windows + i], want[k]);
  }
  char sizes[64];
  snprintf(sizes, sizeof sizes, "words=%u window=%u", words, window);
  workload_close(&w);
  free(data), free(digest);
  return workload_verdict(&w, sizes, &comparison);
}
