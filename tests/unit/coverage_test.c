/* SPDX-License-Identifier: Apache-2.0 */
/* slice: desk */
/* Are a block's coverage points counted in the cycles in which they happen, and merged over stimuli? The expected counts are worked out
 * by hand for a few cycles of a buffer. */
#include "blocktest/coverage_total.h"
#include "kit/test.h"
#include "pipe_buffer_ports.h"

#include <string.h>

struct cycle {
  bool rst_n, in_valid, out_ready;
  uint8_t data;
};

/* Counts the cycles on a buffer of 8 bits. */
static struct coverage *count(const struct cycle *cycles, size_t n) {
  struct err e = {0};
  uint64_t now = 0;
  int32_t params[BLOCK_PARAMS_MAX];
  block_default_params(&pipe_buffer_desc, params);
  struct block *b = block_create_c(&pipe_buffer_desc, "buffer", params, &now, false, &e);
  struct coverage *c = coverage_open(&pipe_buffer_desc, params, &e);
  if (!b || !c) {
    fail_msg("%s", e.text);
    abort();
  }
  for (size_t i = 0; i < n; i++) {
    struct pipe_buffer_in *in = b->in;
    in->in_valid = cycles[i].in_valid;
    in->out_ready = cycles[i].out_ready;
    in->in_data = cycles[i].data;
    b->rst_n = cycles[i].rst_n;
    block_eval(b);
    coverage_cycle(c, b);
    block_tick(b);
  }
  block_destroy(b);
  return c;
}

static const struct coverage_point *point(struct coverage *c, const char *name) {
  const struct coverage_point *points;
  unsigned n = coverage_points(c, &points);
  for (unsigned i = 0; i < n; i++)
    if (!strcmp(points[i].name, name)) return &points[i];
  fail_msg("there is no point '%s'", name);
  abort();
}

static void expect(struct coverage *c, const char *name, uint64_t hits, uint64_t first) {
  const struct coverage_point *p = point(c, name);
  if (p->hits != hits || p->first != first)
    fail_msg("%s: %lu cycles, the first %lu; expected %lu, %lu", name, p->hits, p->first, hits, first);
}

static const struct cycle three[] = {{1, 1, 0, 5}, {1, 1, 0, 6}, {1, 0, 1, 6}};

static void test_points_are_counted_where_they_happen(void **unused) {
  (void)unused;
  struct coverage *c = count(three, 3);
  expect(c, "data enters the empty buffer", 1, 0);
  expect(c, "the full buffer refuses data", 1, 1);
  expect(c, "data changes while it is refused", 0, 0);
  expect(c, "an offer is withdrawn", 1, 2);
  expect(c, "data leaves and none follows", 1, 2);
  expect(c, "in_valid is 1", 2, 0);
  expect(c, "in_valid falls", 1, 2);
  expect(c, "in_valid rises", 0, 0); /* there is no cycle before the first */
  expect(c, "out_valid rises", 1, 1);
  expect(c, "in: transfer", 1, 0);
  expect(c, "in: valid without ready", 1, 1);
  expect(c, "out: ready without valid", 0, 0);
  expect(c, "busy is 1", 2, 1);
  expect(c, "register full_q is 0", 1, 0);
  expect(c, "idle while busy", 1, 2);
  assert_int_equal(coverage_cycles(c), 3);
  coverage_close(c);
}

static void test_a_reset_parts_the_cycles_around_it(void **unused) {
  (void)unused;
  const struct cycle cycles[] = {{1, 1, 0, 5}, {0, 1, 0, 6}, {1, 0, 0, 6}};
  struct coverage *c = count(cycles, 3);
  expect(c, "reset while busy", 1, 1);
  expect(c, "reset beside a request", 1, 1);
  expect(c, "in_valid is 1", 1, 0);
  expect(c, "in_valid falls", 0, 0);
  expect(c, "an offer is withdrawn", 0, 0);
  coverage_close(c);
}

static void test_every_bit_means_each_bit_with_both_values(void **unused) {
  (void)unused;
  const struct cycle both[] = {{1, 0, 0, 0x0f}, {1, 0, 0, 0xf0}}, most[] = {{1, 0, 0, 0x0f}, {1, 0, 0, 0xf1}};
  struct coverage *c = count(both, 2);
  expect(c, "in_data: every bit 0 and 1", 1, 1);
  coverage_close(c);
  c = count(most, 2);
  expect(c, "in_data: every bit 0 and 1", 0, 0);
  coverage_close(c);
}

static void test_a_row_that_does_not_count_shows_nothing(void **unused) {
  (void)unused;
  const struct cycle cycles[] = {{1, 0, 0, 1}, {1, 0, 0, 2}};
  struct coverage *c = count(cycles, 2);
  expect(c, "register data_q is 0", 0, 0); /* it is 0, but the buffer is empty */
  coverage_close(c);
}

static void test_a_total_adds_up_and_knows_what_was_reached(void **unused) {
  (void)unused;
  json_t *total = coverage_total_new(), *twice = coverage_total_new();
  struct coverage *c = count(three, 3);
  coverage_total_add(total, c, "pipe_buffer", "W=8", "one");
  coverage_total_merge(twice, total);
  coverage_total_merge(twice, total);
  struct coverage_summary once = coverage_summarise(total, "pipe_buffer"),
                          both = coverage_summarise(twice, "pipe_buffer");
  assert_int_equal(both.cycles, 6);
  assert_int_equal(both.hit, once.hit);
  assert_int_equal(both.points, once.points);
  assert_int_equal(once.hit, coverage_reached(c));
  const json_t *points = json_object_get(json_object_get(json_object_get(twice, "blocks"), "pipe_buffer"), "points");
  assert_int_equal(json_integer_value(json_object_get(json_object_get(points, "busy is 1"), "hits")), 4);
  coverage_close(c);
  json_decref(total);
  json_decref(twice);
}

/* What no run reaches at one parameter set may be reached at another; at its own, it disproves the reason. */
static void test_a_reason_holds_until_a_run_disproves_it(void **unused) {
  (void)unused;
  const char *texts[] = {
    "{'blocks':{'b':{'cycles':1,'stimuli':[],'points':{'p':{'hits':0,'counted':true,'never':'why'}}}}}",
    "{'blocks':{'b':{'cycles':1,'stimuli':[],'points':{'p':{'hits':3,'counted':true,'first':{}}}}}}",
    "{'blocks':{'b':{'cycles':1,'stimuli':[],'points':{'p':{'hits':3,'counted':true,'never':'why','first':{},'false_never':true}}}}}"};
  json_t *total = coverage_total_new();
  for (int i = 0; i < 3; i++) {
    char text[300];
    snprintf(text, sizeof text, "%s", texts[i]);
    for (char *t = text; *t; t++)
      if (*t == '\'') *t = '"';
    json_t *other = json_loads(text, 0, NULL);
    assert_non_null(other);
    coverage_total_merge(total, other);
    json_decref(other);
    struct coverage_summary s = coverage_summarise(total, "b");
    assert_int_equal(s.never, i == 0);
    assert_int_equal(s.points, i > 0);
    assert_int_equal(coverage_has_faults(total), i == 2);
  }
  json_decref(total);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_points_are_counted_where_they_happen),
    cmocka_unit_test(test_a_reset_parts_the_cycles_around_it),
    cmocka_unit_test(test_every_bit_means_each_bit_with_both_values),
    cmocka_unit_test(test_a_row_that_does_not_count_shows_nothing),
    cmocka_unit_test(test_a_total_adds_up_and_knows_what_was_reached),
    cmocka_unit_test(test_a_reason_holds_until_a_run_disproves_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
