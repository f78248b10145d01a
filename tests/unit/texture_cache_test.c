/* SPDX-License-Identifier: Apache-2.0 */
/* slice: gpu-model */
/* Does a texture fetch take the time of its cache? */
#include "kit/gpu_kernels.h"
#include "ptx/texture.h"

/* Thread t of CTA c fetches element (x0 + t % 32 * dx, c * y1 + t / 32 + i * dy), i < n; the sum goes to out[]. */
static const char fetch_kernel[] = PTX_HEADER
  ".visible .entry k(.param .u64 out, .param .u64 t, .param .u32 dx, .param .u32 dy, .param .u32 n, .param .u32 x0)\n{\n"
  ".reg .pred %p<2>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<8>;\n"
  "ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [t]; ld.param.u32 %r1, [dx]; ld.param.u32 %r2, [dy];\n"
  "ld.param.u32 %r3, [n]; ld.param.u32 %r14, [x0]; mov.u32 %r4, %tid.x; mov.u32 %r5, %ctaid.x; mov.u32 %r6, %ntid.x;\n"
  "mad.lo.u32 %r7, %r5, %r6, %r4; and.b32 %r8, %r4, 31; mad.lo.u32 %r9, %r8, %r1, %r14; shr.u32 %r10, %r7, 5;\n"
  "mov.u32 %r11, 0; mov.u32 %r12, 0;\n"
  "again: tex.2d.v4.u32.s32 {%r13, _, _, _}, [%rd2, {%r9, %r10}]; add.u32 %r12, %r12, %r13; and.b32 %r15, %r13, 0;\n"
  "add.u32 %r9, %r9, %r15; add.u32 %r10, %r10, %r2; add.u32 %r11, %r11, 1; setp.lt.u32 %p1, %r11, %r3;\n"
  "@%p1 bra again;\n"
  "mul.wide.u32 %rd3, %r7, 4; add.u64 %rd4, %rd1, %rd3; st.global.u32 [%rd4], %r12; ret;\n}\n";

struct fetch_params {
  uint64_t out, texture;
  uint32_t dx, dy, n, x0;
};

enum { SIDE = 128 };

struct image {
  struct fixture f;
  struct texture t;
  struct fetch_params p;
  uint32_t *out;
};

static uint32_t element(uint32_t x, uint32_t y, uint32_t salt) { return (y * SIDE + x) * 2246822519u + salt; }

static void store_image(struct image *m, uint32_t salt) {
  uint8_t *at = device_memory_at(&m->f.memory, m->t.memory.address, SIDE * SIDE * 4);
  for (uint32_t y = 0; y < SIDE; y++)
    for (uint32_t x = 0; x < SIDE; x++) {
      uint32_t v = element(x, y, salt);
      memcpy(at + texture_offset(&m->t.memory, x, y), &v, 4);
    }
}

static void open_image(struct image *m, const char *settings, bool skip, bool blocked) {
  fixture_config(&m->f, settings);
  m->f.setup.skip = skip;
  fixture_load(&m->f, fetch_kernel);
  m->t = (struct texture){.mode = {TEXTURE_CLAMP, TEXTURE_BORDER}};
  m->t.memory = (struct texture_memory){.width = SIDE, .height = SIDE, .format = TEXTURE_U32, .channels = 1};
  uint64_t bytes = texture_place_array(&m->t.memory, (uint32_t)m->f.setup.config.tex_line_bytes);
  if (!blocked) m->t.memory.pitch = SIDE * 4, m->t.memory.block_x = m->t.memory.block_y = 0;
  m->t.memory.address = device_memory_alloc(&m->f.memory, bytes);
  uint64_t handle = device_memory_alloc(&m->f.memory, TEXTURE_DESCRIPTOR_BYTES);
  texture_write(&m->f.memory, handle, &m->t);
  store_image(m, 0);
  m->p = (struct fetch_params){.out = fixture_words(&m->f, SIDE * 32, &m->out), .texture = handle, .dx = 1, .n = 1};
}

static struct sm_counters run_image(struct image *m, uint32_t ctas, uint32_t threads, uint32_t salt) {
  fixture_run(&m->f, ctas, threads, &m->p);
  for (uint32_t i = 0; i < ctas * threads; i++) {
    uint32_t sum = 0, x = m->p.x0 + i % threads % 32 * m->p.dx;
    for (uint32_t k = 0; k < m->p.n; k++)
      if (i / 32 + k * m->p.dy < SIDE) sum += element(x < SIDE ? x : SIDE - 1, i / 32 + k * m->p.dy, salt);
    assert_int_equal(m->out[i], sum);
  }
  return fixture_counters(&m->f);
}

/* Cycles of one warp that fetches one element `n` times, each after the one before. */
static uint64_t cycles_of(const char *settings, uint32_t n) {
  struct image m;
  open_image(&m, settings, true, true);
  m.p.dx = 0;
  m.p.n = n;
  uint64_t cycles = run_image(&m, 1, 32, 0).cycles;
  fixture_end(&m.f);
  return cycles;
}

static void test_a_hit_takes_the_latency_of_the_machine(void **state) {
  (void)state;
  uint64_t slow = cycles_of("sm.count=1 tex.latency=157", 60) - cycles_of("sm.count=1 tex.latency=157", 10);
  uint64_t fast = cycles_of("sm.count=1 tex.latency=40", 60) - cycles_of("sm.count=1 tex.latency=40", 10);
  assert_int_equal(slow - fast, 50 * (157 - 40));
}

/* A warp walks down `SIDE` rows of one column: of a linear image every fetch is another line, of blocks 8 x 4 one in four. */
static void test_blocks_keep_columns_together(void **state) {
  (void)state;
  struct sm_counters c[2];
  for (uint32_t blocked = 0; blocked < 2; blocked++) {
    struct image m;
    open_image(&m, "sm.count=1", true, blocked);
    m.p = (struct fetch_params){.out = m.p.out, .texture = m.p.texture, .dx = 0, .dy = 1, .n = SIDE, .x0 = 50};
    c[blocked] = run_image(&m, 1, 32, 0);
    fixture_end(&m.f);
    assert_int_equal(c[blocked].tex_fetches, SIDE);
  }
  assert_int_equal(c[0].tex_misses, SIDE);
  assert_int_equal(c[1].tex_misses, SIDE / 4);
  assert_int_equal(c[1].tex_hits, SIDE - SIDE / 4);
  assert_true(c[1].cycles < c[0].cycles);
}

static void test_a_row_is_fetched_a_line_at_a_time(void **state) {
  (void)state;
  struct image m;
  open_image(&m, "sm.count=1", true, false);
  struct sm_counters c = run_image(&m, 1, 32, 0); /* 32 elements are a line */
  assert_int_equal(c.tex_misses, 1);
  fixture_end(&m.f);
  open_image(&m, "sm.count=1", true, true);
  c = run_image(&m, 1, 32, 0); /* four blocks of eight */
  assert_int_equal(c.tex_misses, 4);
  assert_int_equal(c.global_loads + c.l1_misses + c.l1_hits, 0);
  fixture_end(&m.f);
}

/* A warp fetches 16 blocks, again and again: with p ports in 16 / p cycles. The rest of an iteration is the same. */
static void test_p_ports_look_up_p_lines_a_cycle(void **state) {
  (void)state;
  uint64_t cycles[6];
  for (uint32_t i = 0; i < 6; i++) {
    char settings[80];
    snprintf(settings, sizeof settings, "sm.count=1 tex.ports=%u", 1u << i);
    uint64_t at[2];
    for (uint32_t more = 0; more < 2; more++) {
      struct image m;
      open_image(&m, settings, true, true);
      m.p.dx = 4; /* two lanes a block */
      m.p.n = more ? 60 : 10;
      at[more] = run_image(&m, 1, 32, 0).cycles;
      fixture_end(&m.f);
    }
    assert_int_equal((at[1] - at[0]) % 50, 0);
    cycles[i] = (at[1] - at[0]) / 50;
  }
  for (uint32_t i = 0; i < 6; i++) assert_int_equal(cycles[i] - cycles[4], i < 4 ? (16u >> i) - 1 : 0);
}

static void test_a_fetch_outside_touches_no_memory(void **state) {
  (void)state;
  struct image m;
  open_image(&m, "sm.count=1", true, true);
  m.p.dy = SIDE; /* the second row is the border */
  m.p.n = 5;
  struct sm_counters c = run_image(&m, 1, 32, 0);
  assert_int_equal(c.tex_fetches, 5);
  assert_int_equal(c.tex_hits + c.tex_misses + c.tex_merges, 4);
  fixture_end(&m.f);
}

static void test_a_new_launch_sees_what_the_host_wrote(void **state) {
  (void)state;
  struct image m;
  open_image(&m, "sm.count=1", true, true);
  for (uint32_t launch = 0; launch < 3; launch++) {
    store_image(&m, launch);
    assert_int_equal(run_image(&m, 1, 32, launch).tex_misses, 4 * (launch + 1));
  }
  fixture_end(&m.f);
}

/* ld.global.nc goes where the GPU configuration says: to L1 (Fermi) or through the texture cache (Kepler). */
static void test_read_only_loads_take_the_cache_of_the_machine(void **state) {
  (void)state;
  for (uint32_t texture = 0; texture < 2; texture++) {
    struct fixture f;
    uint32_t *out;
    fixture_start(&f, texture ? "sm.count=1 tex.read_only=texture tex.line_bytes=32" : "sm.count=1",
                  KERNEL_BEGIN(".param .u64 p0", "") "ld.global.nc.u32 %r10, [%rd1]; ld.global.nc.u32 %r11, [%rd1];\n"
                                                     "add.u32 %r12, %r10, %r11; st.global.u32 [%rd1], %r12; ret;\n}\n");
    uint64_t params[1] = {fixture_words(&f, 32, &out)};
    for (uint32_t i = 0; i < 32; i++) out[i] = i * 77;
    fixture_run(&f, 1, 32, params);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(out[i], i * 154);
    struct sm_counters c = fixture_counters(&f);
    assert_int_equal(c.l1_misses + c.l1_merges + c.l1_hits, texture ? 0 : 2);
    assert_int_equal(c.tex_misses + c.tex_merges + c.tex_hits, texture ? 2 * 4 : 0);
    assert_int_equal(c.global_loads, 2);
    fixture_end(&f);
  }
}

static void test_skipping_changes_no_count_of_fetches(void **state) {
  (void)state;
  static const char *const settings[] = {
    NULL, "tex.mshrs=1 tex.mshr_merges=1 lsu.queue=1", "tex.bytes=0 noc.queue=1",
    "tex.line_bytes=32 tex.bytes=768 tex.ports=8 tex.mshr_merges=2 clock.l2_khz=350000 l1.mshrs=2"};
  for (uint32_t s = 0; s < sizeof settings / sizeof *settings; s++) {
    struct sm_counters sum[2];
    for (uint32_t skip = 0; skip < 2; skip++) {
      struct image m;
      open_image(&m, settings[s], skip, true);
      m.p.dx = 3;
      m.p.dy = 5;
      m.p.n = 6;
      sum[skip] = run_image(&m, 16, 256, 0);
      fixture_end(&m.f);
    }
    assert_memory_equal(&sum[0], &sum[1], sizeof sum[0]);
    assert_true(sum[0].tex_misses > 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_hit_takes_the_latency_of_the_machine),
    cmocka_unit_test(test_blocks_keep_columns_together),
    cmocka_unit_test(test_a_row_is_fetched_a_line_at_a_time),
    cmocka_unit_test(test_p_ports_look_up_p_lines_a_cycle),
    cmocka_unit_test(test_a_fetch_outside_touches_no_memory),
    cmocka_unit_test(test_a_new_launch_sees_what_the_host_wrote),
    cmocka_unit_test(test_read_only_loads_take_the_cache_of_the_machine),
    cmocka_unit_test(test_skipping_changes_no_count_of_fetches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
