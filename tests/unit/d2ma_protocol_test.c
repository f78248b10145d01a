/* SPDX-License-Identifier: Apache-2.0 */
/* Does the D2MA system make exactly those warps wait that must wait, and does it refuse illegal
 * programs? (Jamshidi 2014, 4.1, 4.3, 4.4.) */
#include "kit/d2ma_rig.h"
#include "systems/d2ma/tables.h"

/* ---- illegal programs ---- */

static void test_an_illegal_configuration_is_refused_and_counted(void **state) {
  (void)state;
  struct rig *r = rig_start(1);
  uint64_t g = r->source, s = rig_pointer(0), errors = 0;
#define REFUSED(...)                                                              \
  do {                                                                            \
    assert_int_equal(RIG_OP(r, 0, 0, __VA_ARGS__), EXTENSION_DONE);               \
    rig_drain(r);                                                                 \
    assert_int_equal(d2ma_counters(&r->counters)->d2ma_program_errors, ++errors); \
    assert_int_equal(r->n_requests, 0);                                           \
  } while (0)
  REFUSED("dma_execute", s, g, U(0)); /* never configured */
  RIG_OP(r, 0, 0, "dma_set_datatype_float", U(0));
  REFUSED("dma_configure_flat_unit_stride", s, g + 2, U(8), U(0)); /* source not aligned */
  REFUSED("dma_configure_flat_unit_stride", s + 2, g, U(8), U(0)); /* destination not aligned */
  REFUSED("dma_configure_flat_unit_stride", s, g, U(65536), U(0)); /* 16-bit count */
  REFUSED("dma_configure_flat_unit_stride", s, g, U(UINT32_MAX), U(0));
  REFUSED("dma_configure_flat_unit_stride", s, g, U(RIG_SLICE / 4 + 1), U(0)); /* beyond the CTA's memory */
  REFUSED("dma_configure_flat_unit_stride", s + RIG_SLICE, g, U(1), U(0));
  REFUSED("dma_configure_flat_unit_stride", g, g, U(8), U(0)); /* not a shared pointer */
  REFUSED("dma_configure_flat_strided", s, g, U(8), U(65536), U(0));
  REFUSED("dma_configure_2d", s, g, U(256), U(1), U(300), U(0)); /* 8-bit columns and rows */
  REFUSED("dma_configure_2d", s, g, U(1), U(256), U(300), U(0));
  REFUSED("dma_configure_flat_unit_stride", s, g, U(8), U(4));    /* no such buffer */
  RIG_OP(r, 0, 0, "dma_set_halo", U(1), U(1), U(10), U(0), U(0)); /* no such region */
  REFUSED("dma_configure_2d", s, g + 8192, U(16), U(16), U(64), U(0));
  RIG_OP(r, 0, 0, "dma_set_halo", U(40), U(40), U(9), U(0), U(0)); /* the halo leaves the CTA's memory */
  REFUSED("dma_configure_2d", s, g + 65536, U(16), U(16), U(64), U(0));
  RIG_OP(r, 0, 0, "dma_set_bank_conflict", U(1), U(0));
  RIG_OP(r, 0, 0, "dma_set_datatype_char", U(0));
  REFUSED("dma_configure_flat_unit_stride", s + 2, g, U(8), U(0)); /* a pad is a word: aligned to it */
#undef REFUSED
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_transfers, 0);
  RIG_OP(r, 0, 0, "dma_configure_flat_unit_stride", s + 4, g, U(8), U(0)); /* and a legal one goes through */
  rig_drain(r);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_transfers, 1);
  rig_destroy(r);
}

/* Each kind of misuse ends the run with the broken rule, the warp and the line; nothing is transferred. */
static void test_a_broken_rule_is_named_with_its_warp_and_line(void **state) {
  (void)state;
  struct gpu_config m = rig_config();
  OWNED(d2ma, m)->errors = D2MA_ERRORS_FAULT;
  struct rig *r = rig_create(m, true, 3);
  d2ma_system.cta_start(r->self, 0, 0, 7, 0, RIG_SLICE);
  uint64_t g = r->source + 65536, s = rig_pointer(0);
  uint32_t faults = 0;
#define BREAKS(rule, warp, ...)                                                 \
  do {                                                                          \
    RIG_OP(r, 0, warp, __VA_ARGS__);                                            \
    assert_int_equal(r->faults, ++faults);                                      \
    assert_int_equal(d2ma_counters(&r->counters)->d2ma_program_errors, faults); \
    assert_non_null(strstr(r->fault, rule));                                    \
    assert_int_equal(r->fault_warp, warp);                                      \
    assert_int_equal(r->fault_line, 100 + (warp));                              \
  } while (0)
#define RESTART() d2ma_system.cta_start(r->self, 0, 0, 7, 0, RIG_SLICE)
  BREAKS("executed before it was configured", 1, "dma_execute", s, g, U(3));
  BREAKS("no buffer 4; a CTA has 4", 0, "dma_configure_flat_unit_stride", s, g, U(8), U(4));
  BREAKS("beyond the CTA's shared memory", 2, "dma_configure_flat_unit_stride", s, g, U(RIG_SLICE + 1), U(0));
  RESTART();
  BREAKS("16 bits", 0, "dma_configure_flat_unit_stride", s, g, U(65536), U(0));
  RESTART();
  RIG_OP(r, 0, 0, "dma_set_halo", U(1), U(17), U(9), U(0), U(1));
  BREAKS("halo is wider than the tile", 0, "dma_configure_2d", s, g, U(16), U(16), U(64), U(1));
  RESTART();
  RIG_OP(r, 0, 0, "dma_set_halo", U(17), U(1), U(9), U(0), U(1));
  BREAKS("halo is wider than the tile", 0, "dma_configure_2d", s, g, U(16), U(16), U(64), U(1));
  assert_int_equal(r->n_requests, 0);
  RESTART();
  RIG_OP(r, 0, 0, "dma_set_halo", U(16), U(16), U(9), U(0), U(1));
  RIG_OP(r, 0, 0, "dma_configure_2d", s, g, U(16), U(16), U(64), U(1)); /* as wide as the tile */
  assert_int_equal(r->faults, faults);
  rig_drain(r);
  RESTART();
  RIG_OP(r, 0, 0, "dma_configure_flat_unit_stride", s, g, U(64), U(0)); /* in flight */
  BREAKS("operands differ from those with which line 100", 1, "dma_configure_flat_unit_stride", s, g, U(32), U(0));
  BREAKS("operands differ", 2, "dma_set_bank_conflict", U(1), U(0));
  rig_drain(r);
  assert_int_equal(RIG_OP(r, 0, 0, "dma_execute", s, g, U(0)),
                   EXTENSION_WAIT); /* warp 2 has not arrived: waits, no error */
  assert_int_equal(r->faults, faults);
  rig_run(r, 1);
  assert_true(d2ma_system.scoreboard->all_blocked(r->self, 0));
  assert_int_equal(r->faults, ++faults);
  assert_non_null(strstr(r->fault, "not every warp of the CTA"));
  assert_int_equal(r->fault_line, 100);
  RESTART();
  RIG_OP(r, 0, 0, "dma_configure_flat_unit_stride", s, g, U(64), U(0));
  RIG_OP(r, 0, 1, "dma_set_datatype_double", U(0)); /* a bit of the warp's next configure */
  BREAKS("operands differ", 1, "dma_configure_flat_unit_stride", s, g, U(64), U(0));
#undef RESTART
#undef BREAKS
  rig_destroy(r);
}

/* Literal mode does not change the table until the transfer is done, so a reconfiguration in flight is lost. */
static void test_a_reconfiguration_in_flight_with_other_operands_is_an_error_in_literal_mode(void **state) {
  (void)state;
  struct gpu_config m = rig_config();
  OWNED(d2ma, m)->reignition = D2MA_LITERAL;
  struct rig *r = rig_create(m, true, 3);
  d2ma_system.cta_start(r->self, 0, 0, 1, 0, RIG_SLICE);
  RIG_OP(r, 0, 0, "dma_configure_flat_unit_stride", rig_pointer(0), r->source, U(64), U(0));
  RIG_OP(r, 0, 0, "dma_configure_flat_unit_stride", rig_pointer(0), r->source, U(64), U(0));
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_program_errors, 0);
  RIG_OP(r, 0, 0, "dma_configure_flat_unit_stride", rig_pointer(0), r->source + 64, U(64), U(0));
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_program_errors, 1);
  rig_drain(r);
  assert_memory_equal(r->shared, rig_source(r, 0), 64);
  rig_destroy(r);
}

static void test_warps_that_disagree_are_counted_and_the_first_wins(void **state) {
  (void)state;
  struct rig *r = rig_start(3);
  RIG_OP(r, 0, 0, "dma_configure_flat_unit_stride", rig_pointer(0), r->source, U(64), U(0));
  RIG_OP(r, 0, 1, "dma_configure_flat_unit_stride", rig_pointer(0), r->source + 4, U(64), U(0));
  rig_drain(r);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_program_errors, 1);
  assert_memory_equal(r->shared, rig_source(r, 0), 64);
  rig_destroy(r);
}

static void test_an_operation_not_executed_by_all_warps_is_found_by_the_watchdog(void **state) {
  (void)state;
  struct rig *r = rig_start(3);
  for (uint32_t w = 0; w < 2; w++)
    RIG_OP(r, 0, w, "dma_configure_flat_unit_stride", rig_pointer(0), r->source, U(64), U(0));
  rig_drain(r);
  assert_int_equal(RIG_OP(r, 0, 0, "dma_execute", rig_pointer(0), r->source + 64, U(0)), EXTENSION_DONE);
  rig_drain(r);
  assert_true(rig_access(r, 0, 0, 0, 3, false)); /* warp 0 waits; warp 1 never asks */
  rig_drain(r);
  assert_true(rig_blocked(r, 0));
  assert_true(d2ma_system.scoreboard->all_blocked(r->self, 0));
  rig_drain(r);
  assert_false(rig_blocked(r, 0));
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_program_errors, 1);
  assert_memory_equal(r->shared, rig_source(r, 64), 64);
  assert_false(d2ma_system.scoreboard->all_blocked(r->self, 0));
  rig_destroy(r);
}

static void test_the_watchdog_frees_a_warp_whose_generation_never_closes(void **state) {
  (void)state;
  struct rig *r = rig_start(3);
  RIG_OP(r, 0, 0, "dma_configure_flat_unit_stride", rig_pointer(0), r->source, U(64), U(0));
  rig_drain(r);
  assert_int_equal(RIG_OP(r, 0, 0, "dma_execute", rig_pointer(0), r->source, U(0)), EXTENSION_WAIT);
  rig_run(r, 3);
  assert_true(rig_blocked(r, 0)); /* warp 1 never configures */
  assert_true(d2ma_system.scoreboard->all_blocked(r->self, 0));
  rig_run(r, 3);
  assert_false(rig_blocked(r, 0));
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_program_errors, 1);
  rig_destroy(r);
}

/* ---- generations and re-ignition ---- */

static void test_a_late_arrival_closes_the_generation_and_frees_the_waiting_warp(void **state) {
  (void)state;
  struct rig *r = rig_start(3);
  RIG_OP(r, 0, 0, "dma_configure_flat_unit_stride", rig_pointer(0), r->source, U(64), U(0));
  rig_drain(r);
  assert_int_equal(RIG_OP(r, 0, 0, "dma_execute", rig_pointer(0), r->source + 256, U(0)), EXTENSION_WAIT);
  assert_true(rig_blocked(r, 0));
  rig_run(r, 50);
  assert_true(rig_blocked(r, 0));
  assert_int_equal(RIG_OP(r, 0, 1, "dma_configure_flat_unit_stride", rig_pointer(0), r->source, U(64), U(0)),
                   EXTENSION_DONE);
  rig_run(r, 2); /* the CTA is looked at, then released */
  assert_false(rig_blocked(r, 0));
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_transfers, 1); /* warp 1 did not start it again */
  assert_int_equal(RIG_OP(r, 0, 0, "dma_execute", rig_pointer(0), r->source + 256, U(0)), EXTENSION_DONE);
  rig_drain(r);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_transfers, 1); /* armed: warp 1 has not asked */
  RIG_OP(r, 0, 1, "dma_execute", rig_pointer(0), r->source + 256, U(0));
  rig_drain(r);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_transfers, 2);
  assert_memory_equal(r->shared, rig_source(r, 256), 64);
  assert_true(d2ma_system.cta_may_retire(r->self, 0));
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_program_errors, 0);
  rig_destroy(r);
}

/* Warp 0 is done with the first tile and asks for the second while warp 1 still reads: what does
 * warp 1 see? */
static bool old_data_survives(int64_t mode) {
  struct gpu_config m = rig_config();
  OWNED(d2ma, m)->reignition = mode;
  struct rig *r = rig_create(m, true, 3);
  d2ma_system.cta_start(r->self, 0, 0, 3, 0, RIG_SLICE);
  for (uint32_t w = 0; w < 2; w++)
    RIG_OP(r, 0, w, "dma_configure_flat_unit_stride", rig_pointer(0), r->source, U(256), U(0));
  rig_drain(r);
  RIG_OP(r, 0, 0, "dma_execute", rig_pointer(0), r->source + 512, U(0));
  rig_drain(r);
  assert_false(rig_access(r, 0, 1, 0, 255, false)); /* warp 1 is let through in both modes */
  bool survives = !memcmp(r->shared, rig_source(r, 0), 256);
  RIG_OP(r, 0, 1, "dma_execute", rig_pointer(0), r->source + 512, U(0));
  rig_drain(r);
  assert_memory_equal(r->shared, rig_source(r, 512), 256);
  rig_destroy(r);
  return survives;
}

static void test_only_safe_mode_keeps_a_tile_until_every_warp_has_asked_for_the_next(void **state) {
  (void)state;
  assert_true(old_data_survives(D2MA_SAFE));
  assert_false(old_data_survives(D2MA_LITERAL));
}

static void test_a_warp_that_asked_waits_for_the_new_tile_and_others_do_not(void **state) {
  (void)state;
  struct rig *r = rig_start(7);
  for (uint32_t w = 0; w < 3; w++)
    RIG_OP(r, 0, w, "dma_configure_flat_unit_stride", rig_pointer(0), r->source, U(256), U(0));
  rig_drain(r);
  RIG_OP(r, 0, 1, "dma_execute", rig_pointer(0), r->source + 512, U(0));
  rig_run(r, 10); /* until the footprint is known */
  assert_true(rig_access(r, 0, 1, 100, 103, false));
  assert_true(rig_blocked(r, 1));
  assert_false(rig_access(r, 0, 2, 100, 103, false));
  assert_false(rig_access(r, 0, 1, 256, 300, false)); /* beyond the buffer */
  RIG_OP(r, 0, 0, "dma_execute", rig_pointer(0), r->source + 512, U(0));
  d2ma_system.warp_exit(r->self, 0, 2); /* the last one leaves instead of asking */
  assert_true(rig_blocked(r, 1));
  rig_run(r, 5); /* the buffer leaves ARMED: released, asked again, and sent back to wait for the data */
  assert_false(rig_blocked(r, 1));
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_transfers, 1);
  assert_true(rig_access(r, 0, 1, 100, 103, false));
  assert_true(rig_blocked(r, 1));
  rig_drain(r);
  assert_false(rig_blocked(r, 1));
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_transfers, 2);
  assert_memory_equal(r->shared, rig_source(r, 512), 256);
  rig_destroy(r);
}

static void test_a_cta_retires_only_when_its_buffers_are_idle(void **state) {
  (void)state;
  struct rig *r = rig_start(1);
  RIG_OP(r, 0, 0, "dma_configure_flat_unit_stride", rig_pointer(0), r->source, U(256), U(0));
  d2ma_system.warp_exit(r->self, 0, 0);
  assert_false(d2ma_system.cta_may_retire(r->self, 0));
  rig_run(r, 20);
  assert_false(d2ma_system.cta_may_retire(r->self, 0));
  rig_drain(r);
  assert_true(d2ma_system.cta_may_retire(r->self, 0));
  rig_destroy(r);
}

/* ---- waiting ---- */

static void test_the_range_of_a_buffer_is_exact(void **state) {
  (void)state;
  struct rig *r = rig_start(3);
  r->no_replies = true;
  RIG_OP(r, 0, 0, "dma_configure_flat_unit_stride", rig_pointer(0x400), r->source, U(0x200), U(0));
  assert_true(rig_access(r, 0, 1, 0x400, 0x400, false));
  assert_true(rig_access(r, 0, 1, 0x5ff, 0x5ff, false));
  assert_true(rig_access(r, 0, 1, 0, 0x1000, false));
  assert_false(rig_access(r, 0, 1, 0x3ff, 0x3ff, false));
  assert_false(rig_access(r, 0, 1, 0x600, 0x600, false));
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_raw_queries, 5);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_raw_hits, 3);
  r->no_replies = false;
  rig_drain(r);
  assert_false(rig_blocked(r, 1));
  assert_false(d2ma_system.scoreboard->shared_needs_check(r->self, 0, false));
  rig_destroy(r);
}

/* A query in each cycle around the end of the transfer: whatever its cycle, no warp is left
 * waiting. */
static void test_a_release_is_never_lost(void **state) {
  (void)state;
  uint32_t late_hits = 0;
  for (uint32_t at = 30; at < 60; at++) {
    struct rig *r = rig_start(1);
    RIG_OP(r, 0, 0, "dma_configure_flat_unit_stride", rig_pointer(0), r->source, U(64), U(0));
    rig_run(r, at);
    bool squashed = rig_access(r, 0, 0, 0, 3, false);
    late_hits += squashed && !rig_blocked(r, 0);
    if (!squashed) assert_memory_equal(r->shared, rig_source(r, 0), 64);
    rig_drain(r);
    assert_false(rig_blocked(r, 0));
    rig_destroy(r);
  }
  assert_int_equal(late_hits, 1); /* the query of the clr_live cycle: squashed, not waiting */
}

/* Until the footprint is known, an access behind the buffer's base may touch the buffer: it waits, also a store, and asks
 * again. */
static void test_an_access_behind_a_buffer_of_unknown_size_waits_for_the_size(void **state) {
  (void)state;
  for (int store = 0; store < 2; store++) {
    struct rig *r = rig_start(3);
    r->no_replies = true;
    RIG_OP(r, 0, 0, "dma_set_bank_conflict", U(1), U(0));
    RIG_OP(r, 0, 0, "dma_configure_2d", rig_pointer(0x400), r->source, U(128), U(32), U(200), U(0));
    assert_false(rig_access(r, 0, 1, 0x3f0, 0x3ff, store)); /* before the base */
    assert_true(rig_access(r, 0, 1, 0x4000, 0x4003, store));
    assert_true(rig_blocked(r, 1));
    rig_run(r, 30);
    assert_false(rig_blocked(r, 1));
    assert_false(rig_access(r, 0, 1, 0x4000, 0x4003, store)); /* the buffer ends at 0x400 + 4096 + 31 * 4 */
    assert_int_equal(d2ma_counters(&r->counters)->d2ma_program_errors, 0);
    assert_int_equal(rig_access(r, 0, 1, 0x147b, 0x147b, store), !store);
    assert_false(rig_access(r, 0, 1, 0x147c, 0x147c, store));
    assert_int_equal(d2ma_counters(&r->counters)->d2ma_program_errors, store);
    r->no_replies = false;
    rig_drain(r);
    rig_destroy(r);
  }
}

static void test_stores_into_a_buffer_in_flight_are_errors_and_not_squashed(void **state) {
  (void)state;
  struct rig *r = rig_start(1);
  RIG_OP(r, 0, 0, "dma_configure_flat_unit_stride", rig_pointer(0), r->source, U(64), U(0));
  rig_run(r, 10); /* until the footprint is known */
  assert_false(rig_access(r, 0, 0, 0, 3, true));
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_store_hits, 1);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_program_errors, 1);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_raw_hits, 0);
  rig_destroy(r);
  struct gpu_config m = rig_config();
  OWNED(d2ma, m)->check_stores = 0;
  r = rig_create(m, true, 1);
  d2ma_system.cta_start(r->self, 0, 0, 1, 0, RIG_SLICE);
  RIG_OP(r, 0, 0, "dma_configure_flat_unit_stride", rig_pointer(0), r->source, U(64), U(0));
  assert_false(d2ma_system.scoreboard->shared_needs_check(r->self, 0, true));
  assert_true(d2ma_system.scoreboard->shared_needs_check(r->self, 0, false));
  rig_destroy(r);
}

/* ---- killed launches, bad GPU configurations ---- */

static void test_late_replies_of_a_killed_cta_are_dropped(void **state) {
  (void)state;
  struct rig *r = rig_start(1);
  r->no_replies = true;
  RIG_OP(r, 0, 0, "dma_configure_flat_unit_stride", rig_pointer(0), r->source, U(8192), U(0));
  rig_run(r, 10);
  assert_true(r->n_requests > 0 && r->n_requests < 16);
  d2ma_system.cta_start(r->self, 0, 0, 1, 0, RIG_SLICE); /* a new CTA in the same slot */
  uint32_t requests = r->n_requests;
  rig_run(r, 50);
  assert_int_equal(r->n_requests, requests);
  assert_int_equal(RIG_OP(r, 0, 0, "dma_configure_flat_unit_stride", rig_pointer(0), r->source, U(64), U(0)),
                   EXTENSION_WAIT);
  r->no_replies = false;
  rig_drain(r);
  assert_false(rig_blocked(r, 0));
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_bytes, 0);
  for (uint32_t i = 0; i < 8192; i++) assert_int_equal(r->shared[i], 0xee);
  assert_int_equal(RIG_OP(r, 0, 0, "dma_configure_flat_unit_stride", rig_pointer(0), r->source, U(64), U(0)),
                   EXTENSION_DONE);
  rig_drain(r);
  assert_memory_equal(r->shared, rig_source(r, 0), 64);
  assert_int_equal(d2ma_counters(&r->counters)->d2ma_transfers, 1);
  rig_destroy(r);
}

static void test_a_bad_machine_is_refused_with_a_sentence(void **state) {
  (void)state;
  struct rig *r = rig_start(1);
  struct sm_services s = {.now = &r->now, .counters = &r->counters};
  struct gpu_config m = rig_config();
  struct err e = {0};
  OWNED(d2ma, m)->segment = 96;
  assert_null(d2ma_system.create(&m, &r->blocks.factory, "sm0", 0, &s, &e));
  assert_non_null(strstr(e.text, "d2ma.segment"));
  OWNED(d2ma, m)->segment = 128, m.line_bytes = 64;
  assert_null(d2ma_system.create(&m, &r->blocks.factory, "sm0", 0, &s, &e));
  assert_non_null(strstr(e.text, "line_bytes"));
  m.line_bytes = 128, OWNED(d2ma, m)->demand_mshrs = 32;
  assert_null(d2ma_system.create(&m, &r->blocks.factory, "sm0", 0, &s, &e));
  assert_non_null(strstr(e.text, "d2ma.demand_mshrs"));
  OWNED(d2ma, m)->demand_mshrs = 0, m.shared_banks = 64; /* beyond the block's largest */
  assert_null(d2ma_system.create(&m, &r->blocks.factory, "sm0", 0, &s, &e));
  assert_int_not_equal(e.code, 0);
  rig_destroy(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_an_illegal_configuration_is_refused_and_counted),
    cmocka_unit_test(test_a_broken_rule_is_named_with_its_warp_and_line),
    cmocka_unit_test(test_a_reconfiguration_in_flight_with_other_operands_is_an_error_in_literal_mode),
    cmocka_unit_test(test_warps_that_disagree_are_counted_and_the_first_wins),
    cmocka_unit_test(test_an_operation_not_executed_by_all_warps_is_found_by_the_watchdog),
    cmocka_unit_test(test_the_watchdog_frees_a_warp_whose_generation_never_closes),
    cmocka_unit_test(test_a_late_arrival_closes_the_generation_and_frees_the_waiting_warp),
    cmocka_unit_test(test_only_safe_mode_keeps_a_tile_until_every_warp_has_asked_for_the_next),
    cmocka_unit_test(test_a_warp_that_asked_waits_for_the_new_tile_and_others_do_not),
    cmocka_unit_test(test_a_cta_retires_only_when_its_buffers_are_idle),
    cmocka_unit_test(test_the_range_of_a_buffer_is_exact),
    cmocka_unit_test(test_a_release_is_never_lost),
    cmocka_unit_test(test_an_access_behind_a_buffer_of_unknown_size_waits_for_the_size),
    cmocka_unit_test(test_stores_into_a_buffer_in_flight_are_errors_and_not_squashed),
    cmocka_unit_test(test_late_replies_of_a_killed_cta_are_dropped),
    cmocka_unit_test(test_a_bad_machine_is_refused_with_a_sentence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
