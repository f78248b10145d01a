/* SPDX-License-Identifier: Apache-2.0 */
/* slice: yuan */
/* Does the client served least recently win, at the inputs and at the outputs? */
#include "base/rng.h"
#include "kit/block_bench.h"
#include "matrix_alloc_ports.h"

enum { SEED = 0x5eed73, PORTS = 8 };

BLOCK_BENCH(matrix_alloc);

static uint64_t cycle(struct bench *b, uint64_t req, bool adv) {
  b->in = (struct matrix_alloc_in){.req = req, .out_free = (uint8_t)(0xff >> (8 - b->cfg.O)), .adv = adv};
  return bench_cycle(b)->grant;
}

/* The law by itself: the clients of an arbiter in a list, the one served last at its end. */
struct list {
  int who[PORTS], n;
};
static void list_init(struct list *l, int n) {
  l->n = n;
  for (int i = 0; i < n; i++) l->who[i] = i;
}
static int list_pick(const struct list *l, uint32_t asks) {
  for (int i = 0; i < l->n; i++)
    if (asks >> l->who[i] & 1) return l->who[i];
  return -1;
}
static void list_serve(struct list *l, int client) {
  int to = 0;
  for (int i = 0; i < l->n; i++)
    if (l->who[i] != client) l->who[to++] = l->who[i];
  l->who[to] = client;
}

static void test_random_requests_agree_with_lists_of_clients(void **unused) {
  (void)unused;
  static const int sizes[][2] = {{2, 2}, {3, 2}, {5, 5}, {4, 5}, {8, 8}};
  struct rng rng;
  print_message("seed %d\n", SEED);
  rng_seed(&rng, SEED);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    int inputs = sizes[k][0], outputs = sizes[k][1];
    struct list in[PORTS], out[PORTS];
    struct bench b;
    bench_open(&b, (struct matrix_alloc_cfg){.I = inputs, .O = outputs});
    for (int i = 0; i < inputs; i++) list_init(&in[i], outputs);
    for (int o = 0; o < outputs; o++) list_init(&out[o], inputs);
    for (int t = 0; t < 2000; t++) {
      uint64_t thin = rng_u64(&rng), req = thin & rng_u64(&rng) & (UINT64_MAX >> (64 - inputs * outputs));
      uint32_t chosen[PORTS] = {0};
      bool adv = rng_percent(&rng, 80);
      uint64_t grant = cycle(&b, req, adv);
      for (int i = 0; i < inputs; i++) {
        int o = list_pick(&in[i], (uint32_t)(req >> i * outputs) & ((1U << outputs) - 1));
        if (o >= 0) chosen[o] |= 1U << i;
      }
      uint64_t expected = 0;
      for (int o = 0; o < outputs; o++) {
        int i = list_pick(&out[o], chosen[o]);
        if (i < 0) continue;
        expected |= UINT64_C(1) << (i * outputs + o);
        if (!adv) continue;
        list_serve(&out[o], i);
        list_serve(&in[i], o);
      }
      assert_true(grant == expected);
    }
    bench_close(&b);
  }
}

static void test_a_full_output_is_served_in_turn(void **unused) {
  (void)unused;
  struct bench b;
  bench_open(&b, (struct matrix_alloc_cfg){.I = 5, .O = 5});
  uint64_t all = 0;
  for (int i = 0; i < 5; i++) all |= UINT64_C(1) << (i * 5 + 2);
  for (int t = 0; t < 20; t++) assert_true(cycle(&b, all, true) == UINT64_C(1) << (t % 5 * 5 + 2));
  bench_close(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_random_requests_agree_with_lists_of_clients),
    cmocka_unit_test(test_a_full_output_is_served_in_turn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
