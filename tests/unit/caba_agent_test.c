/* SPDX-License-Identifier: Apache-2.0 */
/* slice: caba */
/* Is what the L2 and DRAM hold made of what SMs send? A line that came back to an SM is merged there and sent as a whole: the L2 takes the
 * SM's bytes, and at the end of the launch a wrong one is found, even if the program's memory, which is ahead, has the right one. */
#include "base/rng.h"
#include "core/cache.h"
#include "device/device_memory.h"
#include "kit/config.h"
#include "mem/agent.h"
#include "mem/packing.h"
#include "systems/caba/agent.h"
#include "systems/caba/coder.h"
#include "systems/caba/tables.h"

enum { SEED = 0xca6e, LINE = CABA_LINE, LINES = 64, TAG = 5, SM = 1, ROUNDS = 2000 };

/* Nothing is in the L2 when a launch begins. */
static bool cached(const struct memory_system *memory, uint64_t physical) {
  (void)memory, (void)physical;
  return false;
}

struct bench {
  struct gpu_config config;
  struct clocks clocks;
  struct device_memory device;
  struct memory_system *memory;
  struct memory_services services;
  struct caba_agent *agent;
  uint64_t base; /* device address of the first line */
};

static const struct memory_packing *packing(void) { return caba_agent_ops.packing; }

static uint8_t *line_at(struct bench *b, uint32_t line) {
  return device_memory_at(&b->device, b->base + (uint64_t)line * LINE, LINE);
}

static void launch(struct bench *b) {
  struct err e;
  if (caba_agent_launch(b->agent, &b->device, &e)) fail_msg("%s", e.text);
}

static struct caba_memory_counters *ended(struct bench *b) {
  struct caba_memory_counters *c = caba_memory_counters(b->services.counters);
  c->caba_images_checked = c->caba_images_differ = 0;
  caba_agent_ops.ended(b->agent);
  assert_true(c->caba_images_checked >= LINES);
  return c;
}

/* Lines of small numbers, which BDI compresses, in DRAM. */
static void begin(struct bench *b, const char *settings) {
  struct err e;
  memset(b, 0, sizeof *b);
  config_begin(&b->config, "caba");
  config_set_text(&b->config, settings);
  config_check(&b->config);
  clocks_start_of(&b->clocks, &b->config);
  b->memory = checked_memory(&b->config, &b->clocks);
  b->services = (struct memory_services){.memory = b->memory,
                                         .config = &b->config,
                                         .clocks = &b->clocks,
                                         .counters = memory_own_counters(b->memory),
                                         .cached = cached};
  if (device_memory_create(&b->device, UINT64_C(1) << 20, &e)) fail_msg("%s", e.text);
  b->base = device_memory_alloc(&b->device, LINES * LINE);
  for (uint32_t line = 0; line < LINES; line++)
    for (uint32_t k = 0; k < LINE; k++) line_at(b, line)[k] = k % 4 ? 0 : (uint8_t)(line + k);
  b->agent = caba_agent_ops.create(&b->services, NULL, &e);
  if (!b->agent) fail_msg("%s", e.text);
  launch(b);
}

static void end(struct bench *b) {
  caba_agent_ops.destroy(b->agent);
  memory_destroy(b->memory);
  device_memory_destroy(&b->device);
}

static struct mem_request request(const struct bench *b, uint32_t line, enum mem_kind kind, uint32_t tag) {
  uint64_t address = b->base + (uint64_t)line * LINE;
  return (struct mem_request){
    .address = address, .physical = address, .kind = kind, .source = MEM_SM, .sm = SM, .tag = tag, .bytes = LINE};
}

/* A write of a part of the line is refused: the line comes to the SM, which makes plain bytes of it. */
static void come_back(struct bench *b, uint32_t line, struct caba_merge *m) {
  struct mem_request r = request(b, line, MEM_READ, SM_WRITE_TAG + TAG);
  struct packed_reply reply = packing()->reply(b->agent, &r, false);
  memset(m, 0, sizeof *m);
  memcpy(m->image, caba_agent_returned(b->agent, SM, TAG), LINE);
  caba_decode(m->image, reply.bytes, m->line);
  assert_memory_equal(m->line, line_at(b, line), LINE);
}

/* A warp writes a byte, in the program's memory and into what it has of the line. */
static void put(struct bench *b, uint32_t line, struct caba_merge *m, uint32_t at, uint8_t value) {
  line_at(b, line)[at] = m->line[at] = value;
  m->mask[at / 64] |= UINT64_C(1) << at % 64;
}

static void send_merged(struct bench *b, uint32_t line, const struct caba_merge *m) {
  struct mem_request r = request(b, line, MEM_WRITE, CABA_IMAGES + TAG);
  *caba_agent_merge(b->agent, SM, TAG) = *m;
  caba_agent_ops.looked_up(b->agent, 0, &r, true, false);
}

/* Another SM's atomic, of a word. */
static void add_atomically(struct bench *b, uint32_t line, uint32_t at) {
  struct mem_request r = request(b, line, MEM_ATOMIC, 0);
  line_at(b, line)[at] ^= 0x5a;
  r.address += at, r.physical += at, r.bytes = 4, r.sm = SM + 1;
  caba_agent_ops.looked_up(b->agent, 0, &r, true, false);
}

static void leave(struct bench *b, uint32_t line) {
  packing()->store(b->agent, request(b, line, MEM_READ, 0).physical);
}

/* Lines of which random bytes are written; some leave for DRAM, some get a word of another SM between. */
static void check_merges(const char *settings) {
  struct bench b;
  struct rng r;
  rng_seed(&r, SEED);
  begin(&b, settings);
  for (uint32_t n = 0; n < ROUNDS; n++) {
    struct caba_merge m;
    uint32_t line = rng_below(&r, LINES), word = rng_below(&r, LINE / 4) * 4;
    bool other = rng_percent(&r, 30);
    come_back(&b, line, &m);
    for (uint32_t k = rng_below(&r, 9); k; k--) {
      uint32_t at = rng_below(&r, LINE);
      if (!other || at / 4 != word / 4) put(&b, line, &m, at, (uint8_t)rng_below(&r, 256));
    }
    if (other) add_atomically(&b, line, word);
    send_merged(&b, line, &m);
    if (rng_percent(&r, 50)) leave(&b, line);
  }
  assert_int_equal(ended(&b)->caba_images_differ, 0);
  end(&b);
}

static void test_what_an_sm_merges_is_what_the_l2_has(void **state) {
  (void)state;
  print_message("seed 0x%x\n", SEED);
  check_merges("caba.design=caba_bdi");
  check_merges("caba.design=caba_bdi caba.partial=packed");
}

/* A byte that the SM got wrong, among those written or beside them. */
static void check_wrong(uint32_t wrong, bool leaves) {
  struct bench b;
  struct caba_merge m;
  begin(&b, "caba.design=caba_bdi");
  come_back(&b, 3, &m);
  put(&b, 3, &m, 40, 99);
  m.line[wrong] ^= 1;
  send_merged(&b, 3, &m);
  if (leaves) leave(&b, 3);
  assert_int_equal(ended(&b)->caba_images_differ, 1);
  end(&b);
}

static void test_a_wrong_byte_is_found(void **state) {
  (void)state;
  for (uint32_t leaves = 0; leaves < 2; leaves++) {
    check_wrong(40, leaves);
    check_wrong(41, leaves);
  }
}

/* The line that was made of a whole one by a routine goes to an L2 that has lines plain. */
static void test_a_wrong_image_is_found_in_a_plain_l2(void **state) {
  (void)state;
  for (uint32_t wrong = 0; wrong < 2; wrong++) {
    struct bench b;
    struct caba_coder coder = {true, LINE - 1};
    begin(&b, "caba.design=caba_bdi caba.l2=plain");
    struct mem_request r = request(&b, 7, MEM_WRITE, TAG);
    uint8_t *image = caba_agent_written(b.agent, SM, TAG);
    line_at(&b, 7)[0] = 200;
    r.packed = (uint8_t)caba_encode(&coder, line_at(&b, 7), image);
    assert_true(r.packed < LINE);
    image[r.packed - 1] ^= (uint8_t)wrong;
    caba_agent_ops.looked_up(b.agent, 0, &r, true, false);
    assert_int_equal(ended(&b)->caba_images_differ, wrong);
    end(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_what_an_sm_merges_is_what_the_l2_has),
    cmocka_unit_test(test_a_wrong_byte_is_found),
    cmocka_unit_test(test_a_wrong_image_is_found_in_a_plain_l2),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
