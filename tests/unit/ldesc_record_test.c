/* SPDX-License-Identifier: Apache-2.0 */
/* slice: ldesc */
/* Are descriptors read as ldesc.h says that they are written, and is each that cannot be refused with a sentence? */
#include "kit/test.h"
#include "systems/ldesc/record.h"

#include "base/err.h"

/* By hand: base 0x200010000, 65536 bytes, elements of 4, inter-thread nearby irregular, length 128 x 64 x 2, D-Tile 32 x 64 x 1,
 * C-Tile 1 x 300 x 1, map y first, then x, priority 9, stride 512. */
static const uint8_t one[64] = {
  0,    0, 1,    0, 2,  0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 4, 0, 1, 0x0c, /* base, bytes, element, version, kind */
  128,  0, 0,    0, 64, 0, 0, 0, 2, 0, 0, 0,                            /* length */
  32,   0, 0,    0, 64, 0, 0, 0, 1, 0, 0, 0,                            /* D-Tile */
  1,    0, 0x2c, 1, 1,  0,                                              /* C-Tile */
  0x06, 9, 0,    2, 0,  0,                                              /* map, priority, stride */
};

static void test_a_record_is_read_as_it_is_written(void **unused) {
  struct ldesc_record r;
  uint8_t other[64];
  (void)unused;
  assert_true(ldesc_record_read(one, &r));
  assert_true(r.base == 0x200010000 && r.bytes == 65536 && r.element == 4);
  assert_true(r.type == TYPE_INTER_THREAD && r.sharing == SHARING_NEARBY && r.pattern == PATTERN_IRREGULAR && !r.local);
  const uint32_t length[3] = {128, 64, 2}, data[3] = {32, 64, 1}, ctas[3] = {1, 300, 1};
  assert_memory_equal(r.length, length, sizeof length);
  assert_memory_equal(r.data, data, sizeof data);
  assert_memory_equal(r.ctas, ctas, sizeof ctas);
  assert_true(r.map[0] == 2 && r.map[1] == 1 && r.map[2] == 0);
  assert_true(r.priority == 9 && r.stride == 512);
  memcpy(other, one, sizeof one);
  other[18] = 2;
  assert_false(ldesc_record_read(other, &r));
  other[18] = 1, other[19] = 0x11; /* local memory, intra-thread */
  assert_true(ldesc_record_read(other, &r) && r.local && r.type == TYPE_INTRA_THREAD);
}

/* ---- what can be, and what cannot ---- */

static struct ldesc_record good(void) {
  return (struct ldesc_record){.base = 0x200000000,
                               .bytes = 4096,
                               .element = 4,
                               .length = {32, 32, 1},
                               .data = {8, 32, 1},
                               .ctas = {1, 4, 1},
                               .map = {1, 0, 0},
                               .stride = 128};
}

static void refused(struct ldesc_record r, const char *words) {
  struct err e = {0};
  int code = ldesc_record_check(&r, &e);
  if (code != ERR_VALUE || !strstr(e.text, words)) fail_msg("code %d, '%s' does not say '%s'", code, e.text, words);
}

static void accepted(struct ldesc_record r) {
  struct err e = {0};
  if (ldesc_record_check(&r, &e)) fail_msg("refused: %s", e.text);
}

#define WITH(...)                   \
  ({                                \
    struct ldesc_record r = good(); \
    __VA_ARGS__;                    \
    r;                              \
  })

static void test_what_cannot_be_is_refused_with_a_sentence(void **unused) {
  (void)unused;
  accepted(good());
  refused(WITH(r.bytes = 0), "0 bytes");
  refused(WITH(r.element = 0), "element has 0 bytes");
  refused(WITH(r.length[1] = 0), "no element along y");
  refused(WITH(r.data[2] = 0), "D-Tile has no element along z");
  refused(WITH(r.ctas[0] = 0), "C-Tile has no CTA along x");
  refused(WITH(r.data[0] = 33), "33 elements of 32 along x");
  refused(WITH(r.length[1] = 33), "4096 bytes");
  refused(WITH(r.length[0] = r.length[1] = r.length[2] = UINT32_MAX), "lengths count elements");
  refused(WITH(r.length[1] = r.length[2] = 65535, r.element = 65535), "lengths count elements");
  refused(WITH(r.stride = 0), "stride of 0");
  refused(WITH(r.type = 3), "type 3");
  refused(WITH(r.sharing = 2), "sharing type 2");
  refused(WITH(r.pattern = 2), "pattern 2");
  refused(WITH(r.local = true), "local memory is not shared");
  accepted(WITH(r.local = true, r.type = TYPE_INTRA_THREAD, r.bytes = 0));
  accepted(WITH(r.pattern = PATTERN_IRREGULAR, r.stride = 0));
  accepted(WITH(r.type = TYPE_NO_REUSE, r.stride = 0));
  accepted(WITH(r.length[1] = 32, r.bytes = 31 * 32 * 4 + 1)); /* the last row is cut, but begins */
}

/* All 256 ways to write two bits for each axis and a rank that does not fit: good are those with ranks 1, 2, .. once each. */
static void test_a_map_ranks_each_axis_that_is_walked_once(void **unused) {
  (void)unused;
  int taken = 0;
  for (uint32_t code = 0; code < 125; code++) {
    struct ldesc_record r = good();
    uint32_t count[5] = {0};
    for (uint32_t d = 0, rest = code; d < 3; d++, rest /= 5) count[r.map[d] = (uint8_t)(rest % 5)]++;
    bool repeats = count[1] > 1 || count[2] > 1 || count[3] > 1,
         gap = (count[2] && !count[1]) || (count[3] && !count[2]);
    if (count[4]) refused(r, "there are 1 to 3");
    else if (repeats) refused(r, "repeats rank");
    else if (gap) refused(r, "leaves out a rank");
    else accepted(r), taken++;
  }
  assert_int_equal(taken, 1 + 3 + 6 + 6); /* none, one, two or three axes walked */
}

/* ---- the segment ---- */

static size_t segment(uint8_t *to, uint32_t records) {
  const uint8_t head[8] = {'L', 'D', 'S', 'C', 1, 0, (uint8_t)records, (uint8_t)(records >> 8)};
  memcpy(to, head, sizeof head);
  for (uint32_t i = 0; i < records; i++) memcpy(to + 8 + 64 * i, one, sizeof one);
  return 8 + 64 * records;
}

static void no_segment(const uint8_t *bytes, size_t size, const char *words) {
  struct ldesc_segment s;
  struct err e = {0};
  int code = ldesc_segment_read(bytes, size, &s, &e);
  if (code != ERR_FILE || !strstr(e.text, words)) fail_msg("code %d, '%s' does not say '%s'", code, e.text, words);
}

static void test_a_segment_is_checked(void **unused) {
  uint8_t bytes[8 + 3 * 64 + 1] = {0};
  struct ldesc_segment s;
  struct err e = {0};
  (void)unused;
  size_t size = segment(bytes, 3);
  assert_int_equal(ldesc_segment_read(bytes, size, &s, &e), 0);
  assert_true(s.known && s.count == 3 && s.bytes == bytes + 8);
  for (size_t n = 0; n < 8; n++) no_segment(bytes, n, "cut off");
  for (size_t n = 8; n < size; n++) no_segment(bytes, n, "too few");
  no_segment(bytes, size + 1, "too many");
  bytes[8 + 64 + 19] = 3;
  no_segment(bytes, size, "descriptor 1: there is no locality type 3");
  bytes[8 + 64 + 18] = 7; /* a record of another version is not looked at */
  assert_int_equal(ldesc_segment_read(bytes, size, &s, &e), 0);
  segment(bytes, 3);
  bytes[8 + 2 * 64 + 50] = 0x05;
  no_segment(bytes, size, "descriptor 2: the map {1, 1, 0} repeats rank 1");
  bytes[0] = 'X';
  no_segment(bytes, size, "do not begin with LDSC");
}

static void test_an_unknown_version_is_known_as_such(void **unused) {
  uint8_t bytes[8] = {'L', 'D', 'S', 'C', 2, 1, 9, 0};
  struct ldesc_segment s;
  struct err e = {0};
  (void)unused;
  assert_int_equal(ldesc_segment_read(bytes, sizeof bytes, &s, &e), 0);
  assert_true(!s.known && s.version == 258 && !s.count);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_record_is_read_as_it_is_written),
    cmocka_unit_test(test_what_cannot_be_is_refused_with_a_sentence),
    cmocka_unit_test(test_a_map_ranks_each_axis_that_is_walked_once),
    cmocka_unit_test(test_a_segment_is_checked),
    cmocka_unit_test(test_an_unknown_version_is_known_as_such),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
