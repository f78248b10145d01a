/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/wave_argument.h"

#include "blocktest/drive_run.h"
#include "blocktest/wave_stimulus.h"

#include <inttypes.h>

/* Reads a wave; *differs: its outputs are others than the C model's. */
static int read_wave(const char *file, const char *map, const struct block_desc *desc, const int32_t *params,
                     struct stimulus *s, bool *outputs, bool *differs, struct err *e) {
  struct wave_outputs o;
  bool equal = true;
  int status = wave_stimulus_read(file, map, desc, params, s, &o, stderr, e);
  if (status) return status;
  *outputs = o.any;
  if (o.any) status = wave_outputs_check(&o, s, stderr, &equal, e);
  *differs = !equal;
  wave_outputs_free(&o);
  if (status) stimulus_free(s);
  return status;
}

int stimulus_argument(const char *file, const char *map, const struct block_desc *desc, const int32_t *params,
                      struct stimulus *s, bool *differs, struct err *e) {
  bool outputs;
  *differs = false;
  if (wave_stimulus_is_wave(file)) {
    if (map) return read_wave(file, map, desc, params, s, &outputs, differs, e);
    return err_set(e, ERR_USAGE, "%s: which of its signals are the ports? write --map FILE (docs/guide.md)", file);
  }
  if (map) return err_set(e, ERR_USAGE, "--map %s: %s is no wave; a wave ends in .vcd or .fst", map, file);
  return stimulus_read(file, desc, params, s, e);
}

/* Lockstep of the rows, from reset. */
static int lockstep(const struct stimulus *s, struct divergence *first, bool *diverged, struct err *e) {
  struct replay r = {.engine = ENGINE_LOCKSTEP, .state_every = 1};
  struct stimulus longer;
  if (s->has_rst_n || s->desc->no_reset) return replay_run(&r, s, first, diverged, e);
  int status = stimulus_with_reset(s, &longer, e);
  if (!status) status = replay_run(&r, &longer, first, diverged, e);
  stimulus_free(&longer);
  return status;
}

static int report(const struct stimulus *s, const struct divergence *first, const char *out, struct err *e) {
  char path[1100], expected[STIMULUS_TEXT], actual[STIMULUS_TEXT];
  stimulus_print_value((const uint8_t *)first->expected, first->width, expected, sizeof expected);
  stimulus_print_value((const uint8_t *)first->actual, first->width, actual, sizeof actual);
  printf("DIVERGENCE in %s, cycle %" PRIu64 "\n  %s %s: expected %s (C model), actual %s (RTL)\n", s->desc->name,
         first->cycle, first->is_register ? "register" : "port", first->what, expected, actual);
  snprintf(path, sizeof path, "%s/stimulus.csv", out);
  int status = stimulus_write(s, path, e);
  if (!status) printf("stimulus: %s\n", path);
  return status;
}

int check_wave(const char *file, const char *map, const struct block_desc *desc, const int32_t *params, const char *out,
               bool *differs, struct err *e) {
  struct stimulus s;
  struct divergence first;
  bool outputs = false, other = false, diverged = false;
  if (!map || !wave_stimulus_is_wave(file))
    return err_set(e, ERR_USAGE,
                   "--wave %s: a wave ends in .vcd or .fst, and --map FILE says which of its signals are the ports",
                   file);
  int status = read_wave(file, map, desc, params, &s, &outputs, &other, e);
  if (status) return status;
  status = lockstep(&s, &first, &diverged, e);
  if (!status)
    printf("%s: %zu cycles of %s: C model and RTL %s%s\n", desc->name, s.n, file, diverged ? "DIFFER" : "agree",
           !outputs ? "; the map has no outputs to compare"
           : other  ? "; the wave's outputs DIFFER from theirs"
                    : ", and the wave's outputs with them");
  if (!status && diverged) status = report(&s, &first, out, e);
  *differs = diverged || other;
  stimulus_free(&s);
  return status;
}
