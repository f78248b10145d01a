/* SPDX-License-Identifier: Apache-2.0 */
/* slice: area */
/* The synthesis desk without its tools: bands, Boolean functions, Liberty files. */
#include "base/err.h"
#include "kit/test.h"
#include "synth/band.h"
#include "synth/liberty.h"
#include "synth/technology.h"

#include <unistd.h>

static void test_median_and_quantiles_are_those_of_the_order_statistics(void **state) {
  (void)state;
  const double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2};
  struct band b = band_of(odd, 3);
  assert_true(b.median == 3);
  assert_true(b.low > 1.09 && b.low < 1.11); /* 1 + 0.05 * (3 - 1) */
  assert_true(b.high > 4.89 && b.high < 4.91);
  assert_true(band_of(even, 4).median == 2.5);
  assert_true(odd[0] == 5); /* the samples are left as they are */
  double many[401];
  for (int i = 0; i < 401; i++) many[i] = (i * 157) % 401; /* 0..400 in another order: 401 is prime */
  b = band_of(many, 401);
  assert_true(b.median == 200 && b.low == 10 && b.high == 390);
}

static void test_inside_the_band_there_is_no_difference(void **state) {
  (void)state;
  const struct band a = {10, 9, 11, 4}, inside = {10.5, 9.5, 11.5, 4}, touching = {12, 11, 13, 4},
                    above = {12, 11.1, 13, 4};
  assert_int_equal(band_compare(&a, &a), BAND_NO_DIFFERENCE);
  assert_int_equal(band_compare(&a, &inside), BAND_NO_DIFFERENCE);
  assert_int_equal(band_compare(&a, &touching), BAND_NO_DIFFERENCE);
  assert_int_equal(band_compare(&a, &above), BAND_SMALLER);
  assert_int_equal(band_compare(&above, &a), BAND_LARGER);
  assert_string_equal(band_order_names[BAND_NO_DIFFERENCE], "no difference");
}

static void test_a_ratio_holds_every_quotient_of_the_bands(void **state) {
  (void)state;
  const struct band a = {10, 8, 12, 4}, b = {4, 2, 5, 4};
  struct band r = band_ratio(&a, &b);
  assert_true(r.median == 2.5 && r.low == 1.6 && r.high == 6);
}

static void test_functions_follow_the_precedence_of_liberty(void **state) {
  (void)state;
  const struct liberty_pin p[3] = {{"A", false}, {"B", false}, {"C1", false}};
  static const struct {
    const char *text;
    unsigned table; /* bit v: the value at A = v & 1, B = v >> 1 & 1, C1 = v >> 2 */
  } rows[] = {{"(!(A B))", 0x77}, {"!A | !B", 0x77},  {"(A&B)'", 0x77},       {"A' + B'", 0x77},
              {"A ^ B", 0x66},    {"A B + C1", 0xf8}, {"A * B ^ C1", 0x28},   {"!(A+B)*C1", 0x10},
              {"!!A", 0xaa},      {"1", 0xff},        {"(A | B) (C1)'", 0x0e}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (unsigned v = 0; v < 8; v++) {
      bool y = false;
      assert_true(liberty_function(rows[i].text, p, 3, v, &y));
      if (y != (rows[i].table >> v & 1)) fail_msg("%s at %u: %d", rows[i].text, v, y);
    }
  static const char *const bad[] = {"", "A +", "(A", "A)", "D", "A + + B", "A # B"};
  bool y;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (liberty_function(bad[i], p, 3, 0, &y)) fail_msg("'%s' was taken", bad[i]);
}

#define HEAD "library (tiny) {\n  time_unit : \"1ns\";\n"
#define NAND                                                                                \
  "  cell (ND) { area : 4; pin (A) { direction : input; } pin (B) { direction : input; }\n" \
  "    pin (Y) { direction : output; function : \"(!(A & B))\"; timing () { related_pin : \"A\"; } } }\n"
#define LARGER_NAND                                                                          \
  "  cell (ND4) { area : 9; pin (A) { direction : input; } pin (B) { direction : input; }\n" \
  "    pin (Y) { direction : output; function : \"A' + B'\"; } }\n"
#define FLOP                                                                            \
  "  cell (FF) { area : 16; ff (IQ, IQN) { clocked_on : \"C\"; next_state : \"D\"; }\n" \
  "    pin (C) { direction : input; clock : true; } pin (D) { direction : input; }\n"   \
  "    pin (Q) { direction : output; function : \"IQ\"; } }\n"

/* Reads a library of this text; the error is in *e. */
static int read_text(const char *text, struct liberty *lib, struct err *e) {
  char path[] = "/tmp/synth-test-XXXXXX";
  int fd = mkstemp(path);
  FILE *f = fdopen(fd, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  memset(e, 0, sizeof *e);
  int status = liberty_read(lib, path, "/tmp", e);
  unlink(path);
  return status;
}

static void test_a_library_tells_its_cells_areas_and_unit(void **state) {
  (void)state;
  struct liberty lib;
  struct err e;
  if (read_text("/* a\n comment */ " HEAD LARGER_NAND NAND FLOP "}\n", &lib, &e)) fail_msg("%s", e.text);
  assert_string_equal(lib.name, "tiny");
  assert_int_equal(lib.n_cells, 3);
  assert_true(lib.nand2_area == 4 && lib.flip_flop_area == 16 && lib.time_unit_s == 1e-9);
  const struct liberty_cell *ff = liberty_find(&lib, "FF");
  assert_non_null(ff);
  assert_true(ff->flip_flops == 1 && ff->n_inputs == 2 && ff->n_outputs == 1 && !ff->nand2);
  assert_true(liberty_find(&lib, "ND4")->nand2);
  assert_null(liberty_find(&lib, "XX"));
  liberty_free(&lib);
}

static void test_a_library_that_cannot_serve_is_refused_with_a_sentence(void **state) {
  (void)state;
  static const struct {
    const char *text, *word;
    int code;
  } rows[] = {{HEAD NAND "}\n", "flip-flop", ERR_VALUE},
              {HEAD FLOP "}\n", "NAND", ERR_VALUE},
              {"library (t) {\n" NAND FLOP "}\n", "time_unit", ERR_VALUE},
              {"library (t) {\n time_unit : \"1parsec\";\n" NAND FLOP "}\n", ":2: time_unit '1parsec'", ERR_VALUE},
              {HEAD NAND FLOP, "truncated", ERR_FILE},
              {HEAD NAND FLOP "}\n}\n", "too many", ERR_SYNTAX},
              {HEAD "  cell (X) { pin (A) { direction : input; } }\n" NAND FLOP "}\n", "X has no area", ERR_VALUE},
              {HEAD "  cell (X) { area : 1x; }\n" NAND FLOP "}\n", ":3: area '1x'", ERR_VALUE},
              {"module m; endmodule\n", ":1:", ERR_SYNTAX},
              {"", "no library", ERR_SYNTAX}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct liberty lib;
    struct err e;
    int status = read_text(rows[i].text, &lib, &e);
    liberty_free(&lib);
    if (status != rows[i].code || !strstr(e.text, rows[i].word))
      fail_msg("row %zu: %d '%s', wanted %d '%s'", i, status, e.text, rows[i].code, rows[i].word);
  }
}

static void test_a_published_node_scales_by_its_nand_and_others_lie_between(void **state) {
  (void)state;
  struct band nand2 = {0}, um2 = {0};
  double cell;
  assert_true(technology_nand2(45, &nand2) && nand2.median == 0.798);
  assert_true(nand2.low < 0.63 && nand2.high > 1.06); /* 7 and 12 tracks about 9 */
  struct band above = {0}, below = {0};
  assert_true(technology_nand2(50, &nand2) && technology_nand2(65, &above) && technology_nand2(45, &below));
  assert_true(below.median < nand2.median && nand2.median < above.median);
  assert_true(technology_bit_cell(45, &cell) && cell == 0.346);
  assert_true(technology_nand2(22, &above) && technology_nand2(14, &below));
  assert_true(below.median > 3 * .070 * 9 * .052 - 1e-4 && below.median < 3 * .070 * 9 * .052 + 1e-4); /* pitches */
  assert_true(below.median < above.median);
  assert_false(technology_nand2(500, &nand2));
  assert_false(technology_nand2(5, &nand2));
  /* 1000 gates and 10 flip-flops of 4 gates each, by hand */
  const struct band gates = {1000, 900, 1100, 4};
  assert_true(technology_scale(45, &gates, 10, 4, &um2));
  assert_true(um2.median > 829.9 && um2.median < 830.0); /* 1040 * 0.798 */
  assert_true(um2.low < 940 * 0.798 * 7 / 9 + 0.01 && um2.low > 940 * 0.798 * 7 / 9 - 0.01);
  assert_true(um2.high < 1157 * 0.798 * 12 / 9 + 0.01 && um2.high > 1157 * 0.798 * 12 / 9 - 0.01);
}

/* Published macros of the OpenRAM generator in the SkyWater 130 nm PDK (sizes in their LEF files). */
static void test_the_sram_band_holds_published_macros(void **state) {
  (void)state;
  static const struct {
    struct sram_shape shape;
    double um2;
  } macros[] = {{{256, 32, 1, 1}, 479.78 * 397.5}, {{1024, 8, 1, 1}, 455.3 * 446.46}};
  for (size_t i = 0; i < sizeof macros / sizeof *macros; i++) {
    struct band um2, access;
    assert_true(technology_sram(130, &macros[i].shape, &um2, &access));
    if (macros[i].um2 < um2.low || macros[i].um2 > um2.high)
      fail_msg("%g um2 outside %g..%g", macros[i].um2, um2.low, um2.high);
  }
}

static void test_ports_rows_and_bits_make_a_memory_larger_and_slower(void **state) {
  (void)state;
  const struct sram_shape base = {256, 32, 1, 1}, deeper = {512, 32, 1, 1}, wider = {256, 64, 1, 1},
                          reads = {256, 32, 2, 1}, writes = {256, 32, 1, 2};
  const struct sram_shape *more[] = {&deeper, &wider, &reads, &writes};
  struct band um2, access, um2_more, access_more;
  assert_true(technology_sram(45, &base, &um2, &access));
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
    assert_true(technology_sram(45, more[i], &um2_more, &access_more));
    assert_true(um2_more.median > um2.median && access_more.median >= access.median);
  }
  double cells = 256 * 32 * 0.346;
  assert_true(um2.median > cells && um2.median < 10 * cells);
  assert_int_equal(technology_node_of("NangateOpenCellLibrary"), 45);
  assert_int_equal(technology_node_of("osu018_stdcells"), 180);
  assert_int_equal(technology_node_of("mylib"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_median_and_quantiles_are_those_of_the_order_statistics),
    cmocka_unit_test(test_inside_the_band_there_is_no_difference),
    cmocka_unit_test(test_a_ratio_holds_every_quotient_of_the_bands),
    cmocka_unit_test(test_functions_follow_the_precedence_of_liberty),
    cmocka_unit_test(test_a_library_tells_its_cells_areas_and_unit),
    cmocka_unit_test(test_a_library_that_cannot_serve_is_refused_with_a_sentence),
    cmocka_unit_test(test_a_published_node_scales_by_its_nand_and_others_lie_between),
    cmocka_unit_test(test_the_sram_band_holds_published_macros),
    cmocka_unit_test(test_ports_rows_and_bits_make_a_memory_larger_and_slower),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
