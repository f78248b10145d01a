/* SPDX-License-Identifier: Apache-2.0 */
/* slice: cuda */
/* Do mbarrier objects count as the PTX ISA says, and do what belongs to clusters and dependent launches on a GPU without them? */
#include "kit/ptx_harness.h"

enum { STEPS = 160, SEED = 20261123, TEXT = 1 << 16 };

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
#define REGISTERS ".reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<20>; .shared .align 8 .b64 object[4];\n"

/* The object as the ISA describes it, in plain numbers. */
struct reference {
  int64_t pending, expected, bytes;
  unsigned phase;
};

static void may_complete(struct reference *b) {
  if (b->pending || b->bytes) return;
  b->phase ^= 1;
  b->pending = b->expected;
}

/* Appends one random operation to the text, does it here, and notes what it must leave in %r9. */
static size_t append(char *text, size_t n, struct reference *b, uint64_t *state, uint32_t *expected) {
  uint64_t r = harness_random(state);
  uint32_t count = b->pending ? 1 + (uint32_t)(r >> 8) % (uint32_t)b->pending : 0,
           bytes = 1 + (uint32_t)(r >> 40) % 1000;
  int64_t was = b->pending;
  switch (r % 6) {
    case 0:
      if (!count || b->expected <= count) break;
      n += (size_t)snprintf(text + n, TEXT - n, "mbarrier.arrive_drop.release.cta.shared::cta.b64 %%rd5, [%%r8], %u;\n",
                            count);
      b->pending -= count, b->expected -= count;
      may_complete(b);
      n += (size_t)snprintf(text + n, TEXT - n, "mbarrier.pending_count.b64 %%r9, %%rd5;\n");
      *expected = (uint32_t)was;
      return n;
    case 1:
      n +=
        (size_t)snprintf(text + n, TEXT - n, "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [object+8], %u;\n", bytes);
      b->bytes += bytes;
      break;
    case 2:
      if (!b->bytes) break;
      n += (size_t)snprintf(text + n, TEXT - n, "mbarrier.complete_tx.shared::cta.relaxed.cta.b64 [object+8], %lld;\n",
                            (long long)b->bytes);
      b->bytes = 0;
      may_complete(b);
      break;
    case 3:
      if (!b->pending) break;
      n +=
        (size_t)snprintf(text + n, TEXT - n, "mbarrier.arrive.expect_tx.shared::cta.b64 _, [object+8], %u;\n", bytes);
      b->bytes += bytes, b->pending--;
      may_complete(b);
      break;
    default:
      if (!count) break;
      n += (size_t)snprintf(text + n, TEXT - n, "mbarrier.arrive.b64 %%rd5, [%%rd6], %u;\n", count);
      b->pending -= count;
      may_complete(b);
      n += (size_t)snprintf(text + n, TEXT - n, "mbarrier.pending_count.b64 %%r9, %%rd5;\n");
      *expected = (uint32_t)was;
      return n;
  }
  n += (size_t)snprintf(text + n, TEXT - n,
                        "mbarrier.test_wait.parity.shared.b64 %%p1, [object+8], 0; selp.u32 %%r9, 7, 8, %%p1;\n");
  *expected = b->phase ? 7 : 8; /* the phase of parity 0 is over when the one of parity 1 runs */
  return n;
}

static void test_random_operations_equal_plain_counters(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  uint64_t random = SEED;
  char *text = malloc(TEXT);
  uint32_t expected[STEPS];
  struct reference b = {.pending = 900, .expected = 900};
  static const char start[] = HEAD REGISTERS
    "ld.param.u64 %rd1, [out]; mov.u32 %r8, object; add.s32 %r8, %r8, 8; cvt.u64.u32 %rd6, %r8; cvta.shared.u64 %rd6, %rd6;\n"
    "mbarrier.init.shared.b64 [object+8], 900;\n";
  size_t n = (size_t)snprintf(text, TEXT, "%s", start);
  for (uint32_t i = 0; i < STEPS; i++) {
    n = append(text, n, &b, &random, &expected[i]);
    n += (size_t)snprintf(text + n, TEXT - n, "st.global.u32 [%%rd1+%u], %%r9;\n", 4 * i);
  }
  snprintf(text + n, TEXT - n, "ret; }\n");
  harness_load(&h, text, NULL);
  uint64_t out = harness_alloc(&h, NULL, 4 * STEPS);
  harness_run(&h, "k", 1, 1, 1, 1, 0, &out);
  assert_string_equal(h.fault, "");
  const uint32_t *got = harness_at(&h, out, 4 * STEPS);
  for (uint32_t i = 0; i < STEPS; i++)
    if (got[i] != expected[i]) fail_msg("step %u (seed %d): %u, not %u", i, SEED, got[i], expected[i]);
  assert_true(b.phase || b.expected < 900);
  free(text);
  harness_close(&h);
}

/* 96 threads arrive; each tests before and after the last one has; a copy that counts (.noinc) is an arrival too. */
static void test_a_phase_ends_with_its_last_arrival(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  harness_load(
    &h,
    HEAD REGISTERS
    ".shared .align 16 .b32 copy[96];\n"
    "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; setp.ne.u32 %p1, %r1, 0;\n"
    "@!%p1 mbarrier.init.shared::cta.b64 [object], 192; bar.sync 0; fence.mbarrier_init.release.cluster;\n"
    "mbarrier.arrive.shared.b64 %rd5, [object]; mbarrier.try_wait.shared::cta.b64 %p2, [object], %rd5, 100; bar.sync 0;\n"
    "mov.u32 %r2, copy; shl.b32 %r3, %r1, 2; add.s32 %r2, %r2, %r3; cp.async.ca.shared.global [%r2], [%rd3], 4;\n"
    "cp.async.mbarrier.arrive.shared.b64 [object]; mbarrier.test_wait.shared.b64 %p3, [object], %rd5; bar.sync 0;\n"
    "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [object]; bar.sync 0;\n"
    "mbarrier.test_wait.acquire.cta.shared::cta.b64 %p4, [object], %rd5;\n"
    "selp.u32 %r4, 1, 0, %p2; selp.u32 %r5, 2, 0, %p3; selp.u32 %r6, 4, 0, %p4; add.s32 %r4, %r4, %r5; add.s32 %r4, %r4, %r6;\n"
    "ld.shared.u32 %r7, [%r2]; add.s32 %r4, %r4, %r7; st.global.u32 [%rd3], %r4;\n"
    "bar.sync 0; @!%p1 mbarrier.inval.shared.b64 [object]; ret; }\n",
    NULL);
  uint32_t in[96];
  for (uint32_t t = 0; t < 96; t++) in[t] = 1000 * t;
  uint64_t out = harness_alloc(&h, in, sizeof in);
  harness_run(&h, "k", 1, 96, 1, 1, 0, &out);
  assert_string_equal(h.fault, "");
  const uint32_t *got = harness_at(&h, out, sizeof in);
  for (uint32_t t = 0; t < 96; t++) assert_int_equal(got[t], in[t] + 4); /* over only after 192 arrivals */
  harness_close(&h);
}

static void test_misuse_is_a_fault(void **state) {
  static const struct {
    const char *body, *fault;
  } rows[] = {
    {"mbarrier.arrive.shared.b64 _, [object];", "uses an mbarrier that is not initialised"},
    {"mbarrier.init.shared.b64 [object], 2; mbarrier.arrive.shared.b64 _, [object], 3;",
     "arrives 3 times at an mbarrier that waits for 2 more arrivals"},
    {"mov.u32 %r1, 0; mbarrier.init.shared.b64 [object], %r1;", "initialises an mbarrier for 0 arrivals: 1 to 1048575"},
    {"mbarrier.init.shared.b64 [object], 1; mbarrier.inval.shared.b64 [object]; mbarrier.test_wait.parity.shared.b64 %p1, [object], 1;",
     "not initialised"},
    {"ld.param.u64 %rd1, [out]; mbarrier.init.b64 [%rd1], 1;", "outside of shared memory"},
    {"mbarrier.init.shared.b64 [object+4], 1;", "misaligned shared address"},
  };
  struct harness h;
  (void)state;
  harness_open(&h);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char text[2048];
    snprintf(text, sizeof text, "%s%s\nret; }\n", HEAD REGISTERS, rows[i].body);
    harness_load(&h, text, NULL);
    uint64_t out = harness_alloc(&h, NULL, 64);
    harness_run(&h, "k", 1, 1, 1, 1, 0, &out);
    if (!strstr(h.fault, rows[i].fault)) fail_msg("'%s', not '%s'", h.fault, rows[i].fault);
  }
  harness_close(&h);
}

/* A CTA is a cluster of its own: addresses map to themselves, ranks are 0, waits meet. */
static void test_a_cluster_is_one_cta(void **state) {
  struct harness h;
  (void)state;
  harness_open(&h);
  harness_load(
    &h,
    HEAD REGISTERS
    "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; mov.u32 %r2, object;\n"
    "mapa.shared::cluster.u32 %r3, %r2, 0; setp.eq.u32 %p1, %r1, 63; @%p1 st.shared::cluster.u32 [%r3], 77;\n"
    "barrier.cluster.arrive.release.aligned; griddepcontrol.wait; barrier.cluster.wait.acquire.aligned; griddepcontrol.launch_dependents;\n"
    "cvt.u64.u32 %rd4, %r2; cvta.u64.shared %rd4, %rd4; mapa.u64 %rd5, %rd4, 0; getctarank.u64 %r4, %rd5;\n"
    "createpolicy.fractional.L2::evict_last.b64 %rd6, 1.0; ld.u32 %r5, [%rd5]; add.s32 %r5, %r5, %r4;\n"
    "st.global.L2::cache_hint.u32 [%rd3], %r5, %rd6; mov.u32 %r6, %gridid; atom.global.add.L2::cache_hint.u32 %r7, [%rd3], %r6, %rd6; ret; }\n",
    NULL);
  uint64_t out = harness_alloc(&h, NULL, 4 * 64);
  harness_run(&h, "k", 1, 64, 1, 1, 0, &out);
  assert_string_equal(h.fault, "");
  const uint32_t *got = harness_at(&h, out, 4 * 64);
  for (uint32_t t = 0; t < 64; t++) assert_int_equal(got[t], 78);
  harness_close(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_random_operations_equal_plain_counters),
    cmocka_unit_test(test_a_phase_ends_with_its_last_arrival),
    cmocka_unit_test(test_misuse_is_a_fault),
    cmocka_unit_test(test_a_cluster_is_one_cta),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
