/* SPDX-License-Identifier: Apache-2.0 */
/* slice: xmem */
/* Does the loader read what xmem.h says a module's atoms are, and refuse what is none? Bytes and tables are written by hand. */
#include "kit/owned.h"
#include "kit/test.h"
#include "systems/xmem/segment.h"

#include "base/err.h"
#include "config/gpu_config.h"
#include "systems/xmem/tables.h"
#include "systems/xmem/xmem.h"

/* FLOAT32, regular with stride -4, read only, intensity 100, reuse 10; FLOAT32 | SPARSE | bit 63, irregular, read-write,
 * 200, 255; nothing at all. */
static const uint8_t three[8 + 3 * 19] = {
  'X',  'M', 'E', 'M', 1, 0, 3, 0,                                                     /* head */
  0x20, 0,   0,   0,   0, 0, 0, 0,    1, 0xfc, 0xff, 0xff, 0xff, 1, 100, 10,  1, 0, 0, /* atom 0 */
  0x20, 1,   0,   0,   0, 0, 0, 0x80, 2, 0,    0,    0,    0,    0, 200, 255, 1, 0, 0, /* atom 1 */
  0,    0,   0,   0,   0, 0, 0, 0,    0, 0,    0,    0,    0,    0, 0,   0,   1, 0, 0, /* atom 2 */
};

static void test_a_segment_is_read_as_it_is_written(void **state) {
  struct atom_segment s;
  struct err e = {0};
  (void)state;
  assert_int_equal(atom_segment_read(three, sizeof three, &s, &e), 0);
  assert_true(s.known);
  assert_int_equal(s.version, 1);
  assert_int_equal(s.count, 3);
  struct xmem_attributes a = xmem_attributes_of(s.records);
  assert_int_equal(a.data, 0x20);
  assert_int_equal(a.pattern, XMEM_PATTERN_REGULAR);
  assert_int_equal(a.stride, -4);
  assert_int_equal(a.rw, 1);
  assert_int_equal(a.intensity, 100);
  assert_int_equal(a.reuse, 10);
  a = xmem_attributes_of(s.records + 19);
  assert_true(a.data == (UINT64_C(0x80) << 56 | 0x120));
  assert_int_equal(a.pattern, XMEM_PATTERN_IRREGULAR);
  assert_int_equal(a.stride, 0);
  assert_int_equal(a.reuse, 255);
}

static void refused(const uint8_t *bytes, size_t size, const char *words) {
  struct atom_segment s;
  struct err e = {0};
  assert_int_equal(atom_segment_read(bytes, size, &s, &e), ERR_FILE);
  if (!strstr(e.text, words)) fail_msg("'%s' does not say '%s'", e.text, words);
}

static void test_what_is_no_segment_is_refused_with_a_sentence(void **state) {
  uint8_t bytes[sizeof three + 1] = {0};
  (void)state;
  memcpy(bytes, three, sizeof three);
  for (size_t size = 0; size < 8; size++) refused(bytes, size, "cut off");
  for (size_t size = 8; size < sizeof three; size++) refused(bytes, size, "too few");
  refused(bytes, sizeof three + 1, "too many");
  bytes[6] = 255, bytes[7] = 255;
  refused(bytes, sizeof three, "65535 atoms");
  memcpy(bytes, three, sizeof three);
  bytes[3] = 'N';
  refused(bytes, sizeof three, "XMEM");
  memcpy(bytes, three, sizeof three);
  bytes[8 + 19 + 8] = 3;
  refused(bytes, sizeof three, "atom 1 of the atom segment has access pattern 3");
  memcpy(bytes, three, sizeof three);
  bytes[8 + 38 + 13] = 9;
  refused(bytes, sizeof three, "atom 2 of the atom segment has read/write character 9");
}

/* Only the head of another version is looked at. */
static void test_a_segment_of_another_version_is_none(void **state) {
  uint8_t bytes[sizeof three];
  struct atom_segment s;
  struct err e = {0};
  (void)state;
  memcpy(bytes, three, sizeof three);
  bytes[5] = 7;
  bytes[8 + 8] = 77;
  assert_int_equal(atom_segment_read(bytes, 8, &s, &e), 0);
  assert_false(s.known);
  assert_int_equal(s.version, 1 + 7 * 256);
  assert_int_equal(s.count, 0);
}

static void test_a_segment_may_be_empty(void **state) {
  static const uint8_t none[] = {'X', 'M', 'E', 'M', 1, 0, 0, 0};
  struct atom_segment s;
  struct err e = {0};
  (void)state;
  assert_int_equal(atom_segment_read(none, sizeof none, &s, &e), 0);
  assert_true(s.known);
  assert_int_equal(s.count, 0);
}

/* ---- the translator ---- */

static struct gpu_config config_with(int64_t row_bytes, int64_t degree) {
  struct gpu_config m;
  gpu_config_defaults(&m);
  m.dram_row_bytes = row_bytes;
  OWNED(xmem, m)->prefetch_degree = degree;
  return m;
}

static void test_each_component_keeps_what_it_uses(void **state) {
  static struct xmem_tables t;
  struct gpu_config m = config_with(2048, 5);
  (void)state;
  xmem_translate(&m, three + 8, 3, &t);
  assert_int_equal(t.n, 3);
  assert_int_equal(t.l2[0].reuse, 10);
  assert_false(t.l2[0].bypass);
  assert_int_equal(t.prefetch[0].pattern, XMEM_PATTERN_REGULAR);
  assert_int_equal(t.prefetch[0].degree, 5);
  assert_int_equal(t.prefetch[0].stride, -4);
  assert_true(t.memory[0].row_local);
  assert_int_equal(t.memory[0].intensity, 100);
  assert_int_equal(t.compression[0], 0x20);
  assert_int_equal(t.l2[1].reuse, 255);
  assert_false(t.l2[1].bypass);
  assert_int_equal(t.prefetch[1].degree, 0);
  assert_false(t.memory[1].row_local);
  assert_int_equal(t.compression[1], 0x20); /* properties are no types */
  assert_int_equal(t.l2[2].reuse, 0);
  assert_true(t.l2[2].bypass); /* no reuse, no regular pattern */
  assert_int_equal(t.l2[3].reuse, 0);
  assert_false(t.l2[3].bypass); /* beyond the atoms */
}

/* Rows of 2048 bytes: strides up to 256, in either direction. */
static void test_row_locality_ends_at_an_eighth_of_a_row(void **state) {
  static const struct {
    int32_t stride;
    bool local;
  } rows[] = {{0, true},     {256, true},        {257, false},      {-256, true},
              {-257, false}, {INT32_MIN, false}, {INT32_MAX, false}};
  static struct xmem_tables t;
  struct gpu_config m = config_with(2048, 4);
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    uint8_t record[19];
    memcpy(record, three + 8, sizeof record);
    for (int k = 0; k < 4; k++) record[9 + k] = (uint8_t)((uint32_t)rows[i].stride >> 8 * k);
    xmem_translate(&m, record, 1, &t);
    assert_int_equal(t.memory[0].row_local, rows[i].local);
    assert_int_equal(t.prefetch[0].stride, rows[i].stride);
  }
}

static void test_an_atom_of_an_unknown_version_says_nothing(void **state) {
  static struct xmem_tables t;
  static const struct xmem_tables none;
  struct gpu_config m = config_with(2048, 4);
  uint8_t record[19];
  (void)state;
  memcpy(record, three + 8, sizeof record);
  record[16] = 2;
  xmem_translate(&m, record, 1, &t);
  assert_memory_equal(t.l2, none.l2, sizeof t.l2);
  assert_memory_equal(t.prefetch, none.prefetch, sizeof t.prefetch);
  assert_memory_equal(t.memory, none.memory, sizeof t.memory);
  assert_int_equal(t.compression[0], 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_segment_is_read_as_it_is_written),
    cmocka_unit_test(test_what_is_no_segment_is_refused_with_a_sentence),
    cmocka_unit_test(test_a_segment_of_another_version_is_none),
    cmocka_unit_test(test_a_segment_may_be_empty),
    cmocka_unit_test(test_each_component_keeps_what_it_uses),
    cmocka_unit_test(test_row_locality_ends_at_an_eighth_of_a_row),
    cmocka_unit_test(test_an_atom_of_an_unknown_version_says_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
