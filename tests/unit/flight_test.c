/* SPDX-License-Identifier: Apache-2.0 */
/* slice: desk */
/* The flight recorder against a log of its own: delta rows, the ring, restored states, damaged files. */
#include "kit/test.h"

#include "base/rng.h"
#include "block/block_drive.h"
#include "delta_rows.h"
#include "dpi.h"
#include "flight.h"
#include "replay.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CYCLES = 120000, RECORDED = 100000, RESET_ONE_IN = 5000, LOOKS = 40 };

/* ---- delta rows ---- */

/* A row decoded is the row encoded, whatever changes, repeats, and is skipped. */
static void rows_come_back(void **unused) {
  (void)unused;
  struct rng rng;
  rng_seed(&rng, 7);
  for (uint32_t words = 1; words <= DELTA_WORDS_MAX; words++) {
    struct delta_image writer = {.words = words}, reader = writer;
    uint64_t cycle = 0, in[DELTA_WORDS_MAX + 1] = {0}, row[DELTA_ROW_WORDS];
    for (int i = 0; i < 2000; i++) {
      bool repeat, rst_n = rng_below(&rng, 8) != 0;
      for (uint32_t k = rng_below(&rng, 4); k-- > 0;)
        in[rng_below(&rng, words)] = rng_below(&rng, 3) ? rng_u64(&rng) : 0;
      cycle += rng_below(&rng, 3) ? 1 : rng_below(&rng, 1 << rng_below(&rng, 30));
      unsigned n = delta_encode(&writer, cycle, rst_n, in, row, &repeat);
      bool equal = reader.rst_n == rst_n && cycle == reader.cycle + 1 && !memcmp(in, reader.in, 8 * words);
      uint32_t repeats = 1;
      assert_int_equal(repeat, equal);
      assert_int_equal(delta_decode(&reader, row, row + n, &repeats), n);
      assert_int_equal(repeats, 0);
      assert_true(reader.cycle == cycle && reader.rst_n == rst_n && !memcmp(in, reader.in, 8 * words));
      assert_int_equal(n > 1 ? delta_decode(&reader, row, row + n - 1, &repeats) : 0, 0); /* cut off */
      reader = writer;
    }
  }
}

/* ---- a recording and the log beside it ---- */

struct log {
  const struct block_desc *desc;
  uint64_t last;     /* executed cycle */
  uint8_t *outputs;  /* out_bytes a cycle */
  uint64_t *digests; /* of the registers before the cycle's tick */
  bool *executed;
  char dir[64], file[96];
};

/* Runs a block in lockstep with the recorder on, under its own driver, and skips some cycles, in which nothing happens. */
static void record(struct log *l, const char *name, uint64_t cycles) {
  struct engine_rule rule = {.pattern = "*", .engine = ENGINE_LOCKSTEP};
  struct err e = {0};
  struct dpi *d = NULL;
  struct rng rng;
  uint64_t now = 0;
  l->desc = block_find(name);
  snprintf(l->dir, sizeof l->dir, "/tmp/tandem-flight-XXXXXX");
  assert_non_null(mkdtemp(l->dir));
  snprintf(l->file, sizeof l->file, "%s/" FLIGHT_FILE, l->dir);
  struct dpi_config config = {
    .rules = &rule, .n_rules = 1, .seed = 3, .rand_reset = 2, .out_dir = l->dir, .recorder = true};
  const struct block_driver *driver = block_driver_find(name);
  l->outputs = calloc(cycles, l->desc->out_bytes);
  l->digests = calloc(cycles, sizeof *l->digests);
  l->executed = calloc(cycles, sizeof *l->executed);
  int32_t params[BLOCK_PARAMS_MAX];
  block_default_params(l->desc, params);
  if (dpi_create(&config, &d, &e)) fail_msg("%s", e.text);
  struct block *b = dpi_factory(d)->create(dpi_factory(d), l->desc, "x.y", params, &now, &e);
  if (!b) {
    fail_msg("%s", e.text);
    return;
  }
  void *state = calloc(1, driver->state_bytes + 1);
  rng_seed(&rng, 11);
  for (; now < cycles; now++) {
    if (now > 2 && !rng_below(&rng, 10)) continue;
    driver->drive(params, &rng, state, b->out, b->in);
    b->rst_n = now > 1 && rng_below(&rng, RESET_ONE_IN);
    block_eval(b);
    memcpy(l->outputs + now * l->desc->out_bytes, b->out, l->desc->out_bytes);
    l->digests[now] = replay_state_digest(b);
    l->executed[now] = true;
    l->last = now;
    block_tick(b);
  }
  assert_null(dpi_divergence(d));
  block_destroy(b);
  dpi_destroy(d);
  free(state);
}

static void forget(struct log *l) {
  unlink(l->file);
  rmdir(l->dir);
  free(l->outputs);
  free(l->digests);
  free(l->executed);
}

struct check {
  const struct log *log;
  uint64_t rows, last;
};

static bool same_as_logged(void *self, size_t i, const struct stimulus_row *row, const struct block *b) {
  struct check *c = self;
  const struct log *l = c->log;
  (void)i;
  assert_true(l->executed[row->cycle]);
  assert_memory_equal(b->out, l->outputs + row->cycle * l->desc->out_bytes, l->desc->out_bytes);
  assert_int_equal(replay_state_digest(b), l->digests[row->cycle]);
  c->rows++;
  c->last = row->cycle;
  return true;
}

/* Restores `cycle` and runs up to it: every cycle from the state on is as the log has it, and none is missing. */
static void look(struct log *l, struct flight_reader *r, uint64_t cycle, const char *library) {
  struct flight_start start;
  struct stimulus rows;
  struct err e = {0};
  bool diverged;
  if (flight_restore(r, 0, cycle, cycle, &start, &rows, &e)) fail_msg("%s", e.text);
  struct check c = {.log = l};
  struct replay replay = {.engine = ENGINE_LOCKSTEP,
                          .state_every = 1,
                          .start = &start,
                          .library = library,
                          .row = same_as_logged,
                          .self = &c};
  if (replay_run(&replay, &rows, NULL, &diverged, &e)) fail_msg("%s", e.text);
  assert_false(diverged);
  uint64_t executed = 0, last = 0;
  for (uint64_t k = start.cycle ? start.cycle + 1 : 0; k <= cycle; k++)
    if (l->executed[k]) last = k, executed++;
  assert_int_equal(c.rows, executed);
  assert_true(executed <= FLIGHT_SEGMENT_CYCLES);
  assert_int_equal(c.last, last);
  replay.library = "folder/other.so"; /* other RTL, another model: refused */
  assert_int_equal(replay_run(&replay, &rows, NULL, &diverged, &e), ERR_VALUE);
  replay.library = library;
  start.digest++;
  assert_int_equal(replay_run(&replay, &rows, NULL, &diverged, &e), ERR_VALUE);
  stimulus_free(&rows);
}

static void restores(const char *name, uint64_t cycles) {
  struct log l;
  struct flight_reader *r;
  struct flight_instance f;
  struct err e = {0};
  struct rng rng;
  record(&l, name, cycles);
  if (flight_open(l.file, &r, &e)) fail_msg("%s", e.text);
  assert_int_equal(flight_instances(r), 1);
  if (flight_instance(r, 0, &f, &e)) fail_msg("%s", e.text);
  assert_string_equal(f.path, "x.y");
  assert_string_equal(f.block, name);
  assert_int_equal(f.to, l.last);
  uint64_t kept = 0;
  for (uint64_t k = f.from; k <= f.to; k++) kept += l.executed[k];
  if (cycles > CYCLES / 2) assert_true(kept >= RECORDED && f.from > 0);
  else assert_int_equal(f.from, 0);
  printf("%s: seed 13, cycles %" PRIu64 " to %" PRIu64 "\n", name, f.from, f.to);
  rng_seed(&rng, 13);
  look(&l, r, f.from, f.library);
  look(&l, r, f.to, f.library);
  for (int i = 0; i < LOOKS; i++) look(&l, r, f.from + rng_below(&rng, (uint32_t)(f.to - f.from)), f.library);
  struct flight_start start;
  struct stimulus rows;
  assert_int_equal(flight_restore(r, 0, f.to + 1, f.to + 1, &start, &rows, &e), ERR_VALUE);
  flight_close(r);
  forget(&l);
}

/* Drained, a run may be ended by a signal: the file has each cycle that was checked. */
static void a_drained_run_is_in_the_file(void **unused) {
  (void)unused;
  struct engine_rule rule = {.pattern = "*", .engine = ENGINE_LOCKSTEP};
  char dir[] = "/tmp/tandem-flight-XXXXXX", file[96];
  struct err e = {0};
  struct dpi *d = NULL;
  struct flight_reader *r;
  struct flight_instance f;
  uint64_t now = 0;
  const struct block_desc *desc = block_find("rr_arb");
  const struct block_driver *driver = block_driver_find("rr_arb");
  struct rng rng;
  rng_seed(&rng, 19);
  assert_non_null(mkdtemp(dir));
  snprintf(file, sizeof file, "%s/" FLIGHT_FILE, dir);
  struct dpi_config config = {.rules = &rule, .n_rules = 1, .out_dir = dir, .recorder = true, .decoupled = true};
  int32_t params[BLOCK_PARAMS_MAX];
  block_default_params(desc, params);
  if (dpi_create(&config, &d, &e)) fail_msg("%s", e.text);
  struct block *b = dpi_factory(d)->create(dpi_factory(d), desc, "x.y", params, &now, &e);
  if (!b) {
    fail_msg("%s", e.text);
    return;
  }
  assert_true(dpi_follows(d));
  void *state = calloc(1, driver->state_bytes + 1);
  for (; now < 700; now++) { /* far fewer cycles than the recorder writes at a time */
    b->rst_n = now > 1;
    driver->drive(params, &rng, state, b->out, b->in);
    block_eval(b);
    block_tick(b);
  }
  dpi_drain(d);
  assert_null(dpi_divergence(d));
  if (flight_open(file, &r, &e)) fail_msg("%s", e.text);
  if (flight_instance(r, 0, &f, &e)) fail_msg("%s", e.text);
  assert_int_equal(f.to, now - 1);
  flight_close(r);
  block_destroy(b);
  dpi_destroy(d);
  free(state);
  unlink(file);
  rmdir(dir);
}

/* Of a long run the last 100,000 executed cycles are there, and each comes back as it was. */
static void the_ring_keeps_the_last(void **unused) {
  (void)unused;
  restores("rr_arb", CYCLES);
}

/* The same with a state that takes several chunks, and late inputs. */
static void a_large_state_comes_back(void **unused) {
  (void)unused;
  restores("d2ma_ctrl_array", 10000);
}

/* ---- damage ---- */

static int open_and_restore(const char *file) {
  struct flight_reader *r;
  struct flight_instance f;
  struct flight_start start;
  struct stimulus rows;
  struct err e = {0};
  int status = flight_open(file, &r, &e);
  if (status) return status;
  if (!flight_instances(r)) status = ERR_SYNTAX; /* nothing to restore is not a wrong answer */
  if (!status) status = flight_instance(r, 0, &f, &e);
  if (!status) status = flight_restore(r, 0, f.from, f.to, &start, &rows, &e);
  if (!status) stimulus_free(&rows);
  if (status) assert_true(*e.text || !flight_instances(r));
  flight_close(r);
  return status;
}

/* One bit of a closed chunk turned round, a file cut off, a file of something else: an error, never a wrong state or a crash. */
static void damage_is_found(void **unused) {
  (void)unused;
  struct log l;
  struct stat st;
  struct rng rng;
  record(&l, "rr_arb", 20000);
  assert_int_equal(open_and_restore(l.file), 0);
  assert_int_equal(stat(l.file, &st), 0);
  int file = open(l.file, O_RDWR);
  uint32_t found = 0, used = 0;
  rng_seed(&rng, 17);
  for (int i = 0; i < 300; i++) {
    struct flight_chunk c;
    off_t chunk = (off_t)rng_below(&rng, (uint32_t)(st.st_size / FLIGHT_CHUNK_BYTES)) * FLIGHT_CHUNK_BYTES;
    assert_int_equal(pread(file, &c, sizeof c, chunk), sizeof c);
    if (!c.magic || !c.closed) continue;
    off_t at = chunk + (off_t)rng_below(&rng, (uint32_t)(offsetof(struct flight_chunk, words) + 8 * c.used));
    uint8_t byte, other;
    assert_int_equal(pread(file, &byte, 1, at), 1);
    other = (uint8_t)(byte ^ 1U << rng_below(&rng, 8));
    assert_int_equal(pwrite(file, &other, 1, at), 1);
    used++;
    found += open_and_restore(l.file) != 0;
    assert_int_equal(pwrite(file, &byte, 1, at), 1);
  }
  close(file);
  printf("damage: %u of %u found, seed 17\n", found, used);
  assert_true(used > 20 && found == used);
  assert_int_equal(truncate(l.file, st.st_size - 100), 0);
  assert_int_equal(open_and_restore(l.file), ERR_SYNTAX);
  assert_int_equal(truncate(l.file, 0), 0);
  assert_int_equal(open_and_restore(l.file), ERR_SYNTAX);
  assert_int_equal(truncate(l.file, st.st_size), 0); /* zeros */
  assert_int_equal(open_and_restore(l.file), ERR_SYNTAX);
  forget(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rows_come_back),          cmocka_unit_test(a_drained_run_is_in_the_file),
    cmocka_unit_test(the_ring_keeps_the_last), cmocka_unit_test(a_large_state_comes_back),
    cmocka_unit_test(damage_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
