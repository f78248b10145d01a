/* SPDX-License-Identifier: Apache-2.0 */
/* Does the GPU configuration table take what is right, and does it name what is wrong? */
#include "base/err.h"
#include "config/gpu_config.h"
#include "kit/test.h"

#include <sys/stat.h>
#include <unistd.h>

/* A configuration folder of its own for each test. */
struct folder {
  char path[64], file[128];
};

static int make_folder(void **state) {
  struct folder *f = calloc(1, sizeof *f);
  assert_non_null(f);
  strcpy(f->path, "/tmp/machine_test.XXXXXX");
  assert_non_null(mkdtemp(f->path));
  snprintf(f->file, sizeof f->file, "%s/gpu", f->path);
  assert_int_equal(mkdir(f->file, 0700), 0);
  *state = f;
  return 0;
}

static int remove_folder(void **state) {
  struct folder *f = *state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", f->path);
  int code = system(command);
  free(f);
  return code;
}

static void write_config(struct folder *f, const char *name, const char *text) {
  snprintf(f->file, sizeof f->file, "%s/gpu/%s.yaml", f->path, name);
  FILE *out = fopen(f->file, "w");
  assert_non_null(out);
  fputs(text, out);
  fclose(out);
}

static const struct gpu_parameter *row(const char *key) {
  for (unsigned i = 0; i < gpu_parameter_count(); i++)
    if (!strcmp(gpu_parameter_at(i)->key, key)) return gpu_parameter_at(i);
  fail_msg("no parameter %s", key);
  return NULL;
}

/* The text as file t.yaml is refused with `code`, and the sentence holds each of the parts. */
static void refuses_parts(struct folder *f, const char *text, int code, const char *const parts[]) {
  struct gpu_config m, before;
  struct err e = {ERR_NONE, ""};
  gpu_config_defaults(&m);
  before = m;
  write_config(f, "t", text);
  int got = gpu_config_load(&m, f->path, "t", &e);
  if (got != code || (int)e.code != code) fail_msg("code %d (%s), expected %d, for:\n%s", got, e.text, code, text);
  for (; *parts; parts++)
    if (!strstr(e.text, *parts)) fail_msg("\"%s\" does not name \"%s\"", e.text, *parts);
  assert_memory_equal(&m, &before, sizeof m); /* all or nothing */
}
#define refuses(f, text, code, ...) refuses_parts(f, text, code, (const char *const[]){__VA_ARGS__, NULL})

static void test_every_default_lies_in_its_range(void **state) {
  (void)state;
  struct gpu_config m;
  struct err e;
  gpu_config_defaults(&m);
  for (unsigned i = 0; i < gpu_parameter_count(); i++) {
    const struct gpu_parameter *p = gpu_parameter_at(i);
    assert_int_equal(gpu_config_get(&m, p), p->default_value);
    if (!p->names && (p->default_value < p->min || p->default_value > p->max)) fail_msg("%s", p->key);
    for (unsigned j = 0; j < i; j++) assert_string_not_equal(p->key, gpu_parameter_at(j)->key);
  }
  assert_int_equal(gpu_config_check(&m, &e), 0);
}

/* Loaded over two different GPU configurations it gives the same one: it sets every parameter. */
static void test_gtx480_sets_every_parameter(void **state) {
  (void)state;
  struct gpu_config a, b;
  struct err e;
  memset(&a, 0x55, sizeof a);
  memset(&b, 0x2a, sizeof b);
  if (gpu_config_load(&a, TANDEM_CONFIG_DIR, "gtx480", &e) || gpu_config_load(&b, TANDEM_CONFIG_DIR, "gtx480", &e))
    fail_msg("%s", e.text);
  for (unsigned i = 0; i < gpu_parameter_count(); i++)
    if (gpu_config_get(&a, gpu_parameter_at(i)) != gpu_config_get(&b, gpu_parameter_at(i)))
      fail_msg("gtx480.yaml does not set %s", gpu_parameter_at(i)->key);
  assert_int_equal(gpu_config_check(&a, &e), 0);
}

/* Jamshidi 2014, the table of the simulated GPU configuration. */
static void test_gtx480_is_the_machine_of_the_d2ma_paper(void **state) {
  (void)state;
  struct gpu_config m;
  struct err e;
  assert_int_equal(gpu_config_load(&m, TANDEM_CONFIG_DIR, "gtx480", &e), 0);
  assert_int_equal(m.sm_count, 15);
  assert_int_equal(m.sm_threads, 1536);
  assert_int_equal(m.sm_simd_width, 32);
  assert_int_equal(m.sm_ctas, 8);
  assert_int_equal(m.sm_registers, 32768);
  assert_int_equal(m.sm_shared_bytes, 48 * 1024);
  assert_int_equal(m.sm_scheduler, SCHEDULER_GTO);
  assert_int_equal(m.l1_bytes, 16 * 1024);
  assert_int_equal(m.l1_ways, 4);
  assert_int_equal(m.l1_mshrs, 32);
  assert_int_equal(m.line_bytes, 128);
  assert_int_equal(m.l2_bytes, 768 * 1024);
  assert_int_equal(m.l2_ways, 16);
  assert_int_equal(m.dram_channels, 8);
  assert_int_equal(m.dram_scheduler, DRAM_FR_FCFS);
  /* 179.2 GB/s: kHz x bytes x channels = 10^3 bytes a second */
  assert_int_equal(m.dram_khz * m.dram_bytes_per_clock * m.dram_channels, 179200000);
}

static void test_small_is_a_legal_machine_of_odd_clocks(void **state) {
  (void)state;
  struct gpu_config m;
  struct err e;
  gpu_config_defaults(&m);
  if (gpu_config_load(&m, TANDEM_CONFIG_DIR, "small", &e) || gpu_config_check(&m, &e)) fail_msg("%s", e.text);
  assert_int_equal(m.sm_count, 2);
  assert_int_equal(m.dram_khz, 924000);
  assert_int_equal(m.l1_ways, 4); /* from its base */
}

static void test_nested_and_dotted_keys_and_hexadecimal_mean_the_same(void **state) {
  struct gpu_config m;
  struct err e;
  gpu_config_defaults(&m);
  write_config(*state, "t",
               "dram: {tCL: 0x0B, channels: 4}\nsm:\n  latency:\n    int: 7\nl2.bytes: 524288\n"
               "sm.scheduler: rr\n");
  if (gpu_config_load(&m, ((struct folder *)*state)->path, "t", &e)) fail_msg("%s", e.text);
  assert_int_equal(m.dram_tCL, 11);
  assert_int_equal(m.dram_channels, 4);
  assert_int_equal(m.sm_latency_int, 7);
  assert_int_equal(m.l2_bytes, 524288);
  assert_int_equal(m.sm_scheduler, SCHEDULER_RR);
  assert_int_equal(m.dram_tRP, 9); /* untouched */
  /* a path works as a name does */
  gpu_config_defaults(&m);
  assert_int_equal(gpu_config_load(&m, "/nowhere", ((struct folder *)*state)->file, &e), 0);
  assert_int_equal(m.dram_tCL, 11);
}

static void test_a_base_comes_first_wherever_its_line_stands(void **state) {
  struct folder *f = *state;
  struct gpu_config m;
  struct err e;
  gpu_config_defaults(&m);
  write_config(f, "a", "dram.tCL: 20\ndram.tRP: 21\ndram.tWL: 22\n");
  write_config(f, "b", "dram.tRP: 31\nbase: a\ndram.tWL: 32\n");
  write_config(f, "c", "dram.tWL: 42\nbase: ./b.yaml\n"); /* a path, relative to this file */
  if (gpu_config_load(&m, f->path, "c", &e)) fail_msg("%s", e.text);
  assert_int_equal(m.dram_tCL, 20);
  assert_int_equal(m.dram_tRP, 31);
  assert_int_equal(m.dram_tWL, 42);
}

static void test_an_unknown_key_is_named_with_its_line_and_the_nearest_known_one(void **state) {
  refuses(*state, "sm:\n  count: 2\ndram:\n  tCAS: 3\n", ERR_VALUE, "/gpu/t.yaml:4", "\"dram.tCAS\"", "\"dram.tRAS\"");
  refuses(*state, "\ntCL: 3\n", ERR_VALUE, "t.yaml:2", "\"tCL\"", "\"dram.tCL\"");
  refuses(*state, "l2.way: 3\n", ERR_VALUE, "t.yaml:1", "\"l2.ways\"");
  refuses(*state, "sm.latency.base: 3\n", ERR_VALUE, "t.yaml:1", "\"sm.latency.base\"");
  refuses(*state, "sm: {base: 3}\n", ERR_VALUE, "\"sm.base\"");
  refuses(*state, "sm: 3\n", ERR_VALUE, "\"sm\"");
  refuses(*state, "line_bytes: {x: 3}\n", ERR_VALUE, "\"line_bytes.x\"");
}

static void test_a_number_is_a_number_and_nothing_else(void **state) {
  static const char *const bad[] = {"12abc", "7/3", "1.5",  "1_000", "+4",  "",     "~",    "0x", "4 5",
                                    "'4 '",  "1e3", "0x1g", "ten",   "--4", "0b11", "null", "4k"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[64];
    snprintf(text, sizeof text, "# comment\nsm.count: %s\n", bad[i]);
    refuses(*state, text, ERR_VALUE, "t.yaml:2", "sm.count", "is no number");
  }
  refuses(*state, "sm.count: 08\n", ERR_VALUE, "t.yaml:1", "sm.count", "leading zero");
  refuses(*state, "sm.count: 99999999999999999999\n", ERR_VALUE, "too large");
  refuses(*state, "sm.count: [4]\n", ERR_SYNTAX, "t.yaml:1", "list");
}

static void test_a_value_out_of_range_is_told_the_range(void **state) {
  refuses(*state, "sm.count: 0\n", ERR_VALUE, "t.yaml:1", "sm.count", "1..256");
  refuses(*state, "sm.count: 257\n", ERR_VALUE, "1..256");
  refuses(*state, "sm.count: -1\n", ERR_VALUE, "1..256");
  refuses(*state, "dram.tCL: 0x65\n", ERR_VALUE, "1..100", "DRAM cycles");
  refuses(*state, "dram.scheduler: frfcfs\n", ERR_VALUE, "t.yaml:1", "dram.scheduler", "fifo|fr_fcfs");
  refuses(*state, "dram.scheduler: 1\n", ERR_VALUE, "fifo|fr_fcfs");
  refuses(*state, "dram.scheduler: fif\n", ERR_VALUE, "fifo|fr_fcfs");
}

static void test_a_repeated_key_is_named_with_both_lines(void **state) {
  refuses(*state, "sm.count: 2\nsm.ctas: 3\nsm.count: 2\n", ERR_SYNTAX, "t.yaml:3", "sm.count", "line 1");
  refuses(*state, "sm:\n  count: 2\nsm.count: 3\n", ERR_SYNTAX, "t.yaml:3", "sm.count", "line 2");
  refuses(*state, "dram: {tCL: 9}\ndram: {tRP: 9}\n", ERR_SYNTAX, "t.yaml:2", "\"dram\"", "line 1");
  write_config(*state, "a", "sm.count: 2\n");
  refuses(*state, "base: a\nbase: a\n", ERR_SYNTAX, "t.yaml:2", "\"base\"", "line 1");
}

static void test_what_is_no_map_is_refused(void **state) {
  refuses(*state, "", ERR_SYNTAX, "t.yaml:1", "map");
  refuses(*state, "- sm.count\n", ERR_SYNTAX, "t.yaml:1", "map");
  refuses(*state, "hello\n", ERR_SYNTAX, "t.yaml:1", "map");
  refuses(*state, "sm: {count: 2\n", ERR_SYNTAX, "t.yaml:2", "not YAML");
  refuses(*state, "sm.count: 2\n---\nsm.count: 3\n", ERR_SYNTAX, "t.yaml:3", "second document");
  refuses(*state, "? [a, b]\n: 3\n", ERR_SYNTAX, "t.yaml:1", "a key");
  refuses(*state, "sm: &x {latency: *x}\n", ERR_SYNTAX, "t.yaml:1"); /* an endless map */
  refuses(*state, "sm.count: \"4\\0\"\n", ERR_SYNTAX, "NUL");
}

static void test_missing_files_and_circular_bases_are_named(void **state) {
  struct folder *f = *state;
  refuses(f, "sm.count: 2\nbase: nobody\n", ERR_FILE, "t.yaml:2", "nobody.yaml", "No such file");
  refuses(f, "base: t\n", ERR_VALUE, "t.yaml:1", "inherits from itself");
  write_config(f, "u", "base: t\n");
  refuses(f, "sm.count: 2\nbase: u\n", ERR_VALUE, "u.yaml:1", "inherits from itself");
  refuses(f, "base: [u]\n", ERR_SYNTAX, "t.yaml:1", "list");
  write_config(f, "u", "dram:\n  tCL: x\n");
  refuses(f, "base: u\n", ERR_VALUE, "u.yaml:2", "dram.tCL"); /* the file at fault, not the asker */
  struct gpu_config m;
  struct err e;
  assert_int_equal(gpu_config_load(&m, f->path, "absent", &e), ERR_FILE);
  assert_non_null(strstr(e.text, "absent.yaml"));
  assert_int_equal(gpu_config_load(&m, f->path, f->path, &e), ERR_SYNTAX); /* a folder */
  assert_int_equal(err_exit_code(e.code), 2);
}

static void test_an_assignment_sets_one_key(void **state) {
  (void)state;
  struct gpu_config m;
  struct err e;
  gpu_config_defaults(&m);
  assert_int_equal(gpu_config_set(&m, "--set", "dram.tCL=0x10", &e), 0);
  assert_int_equal(gpu_config_get(&m, row("dram.tCL")), 16);
  assert_int_equal(gpu_config_set(&m, "--set", "dram.scheduler=fifo", &e), 0);
  assert_int_equal(m.dram_scheduler, DRAM_FIFO);
  static const struct {
    const char *text, *part;
    int code;
  } bad[] = {{"dram.tCL", "key=value", ERR_USAGE},       {"=4", "key=value", ERR_USAGE},
             {"dram.tCI=4", "dram.tCL", ERR_VALUE},      {"dram.tCL=", "is no number", ERR_VALUE},
             {"dram.tCL= 4", "is no number", ERR_VALUE}, {"dram.tCL=101", "1..100", ERR_VALUE}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_equal(gpu_config_set(&m, "--set", bad[i].text, &e), bad[i].code);
    assert_non_null(strstr(e.text, "--set"));
    if (!strstr(e.text, bad[i].part)) fail_msg("%s", e.text);
  }
  assert_int_equal(m.dram_tCL, 16);
}

static void test_relations_between_parameters_are_checked(void **state) {
  (void)state;
  static const char *const bad[][2] = {{"line_bytes=96", "line_bytes"},
                                       {"sm.simd_width=24", "sm.simd_width"},
                                       {"shared.banks=24", "shared.banks"},
                                       {"sm.warps=47", "sm.threads"},
                                       {"l1.bytes=16000", "l1.bytes"},
                                       {"d2ma.segment=96", "d2ma.segment"},
                                       {"d2ma.demand_mshrs=32", "d2ma.demand_mshrs"},
                                       {"l2.bytes=786431", "l2.bytes"},
                                       {"dram.interleave=384", "dram.interleave"},
                                       {"dram.row_bytes=5000", "dram.row_bytes"},
                                       {"dram.burst_bytes=48", "dram.burst_bytes"},
                                       {"dram.bytes_per_clock=24", "dram.burst_bytes"},
                                       {"dram.bank_groups=3", "dram.banks"},
                                       {"dram.tCCDL=1", "dram.tCCDL"},
                                       {"dram.tREFI=91", "dram.tREFI"},
                                       {"clock.core_khz=9999991", NULL}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct gpu_config m;
    struct err e = {ERR_NONE, ""};
    gpu_config_defaults(&m);
    assert_int_equal(gpu_config_set(&m, "--set", bad[i][0], &e), 0);
    int code = gpu_config_check(&m, &e);
    if (!bad[i][1]) { /* one odd clock still has a common tick with the others; three primes have not */
      assert_int_equal(code, 0);
      m.noc_khz = 9999973;
      m.l2_khz = 9999971;
      code = gpu_config_check(&m, &e);
    }
    if (code != ERR_VALUE || !strstr(e.text, bad[i][1] ? bad[i][1] : "clock.core_khz"))
      fail_msg("%s: code %d, \"%s\"", bad[i][0], code, e.text);
  }
}

int main(void) {
#define TEST(law) cmocka_unit_test_setup_teardown(law, make_folder, remove_folder)
  const struct CMUnitTest tests[] = {
    TEST(test_every_default_lies_in_its_range),
    TEST(test_gtx480_sets_every_parameter),
    TEST(test_gtx480_is_the_machine_of_the_d2ma_paper),
    TEST(test_small_is_a_legal_machine_of_odd_clocks),
    TEST(test_nested_and_dotted_keys_and_hexadecimal_mean_the_same),
    TEST(test_a_base_comes_first_wherever_its_line_stands),
    TEST(test_an_unknown_key_is_named_with_its_line_and_the_nearest_known_one),
    TEST(test_a_number_is_a_number_and_nothing_else),
    TEST(test_a_value_out_of_range_is_told_the_range),
    TEST(test_a_repeated_key_is_named_with_both_lines),
    TEST(test_what_is_no_map_is_refused),
    TEST(test_missing_files_and_circular_bases_are_named),
    TEST(test_an_assignment_sets_one_key),
    TEST(test_relations_between_parameters_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
