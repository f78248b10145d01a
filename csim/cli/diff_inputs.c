/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/diff_inputs.h"

#include "base/err.h"
#include "base/json_out.h"
#include "report/wave_diff.h"
#include "stimulus.h"

#include <inttypes.h>
#include <string.h>

static bool ends_in(const char *path, const char *ending) {
  size_t n = strlen(path), m = strlen(ending);
  return n > m && !strcmp(path + n - m, ending);
}

static enum diff_kind kind_of(const char *path) {
  if (ends_in(path, ".fst") || ends_in(path, ".vcd")) return DIFF_WAVES;
  return ends_in(path, ".csv") ? DIFF_STIMULI : DIFF_RUNS;
}

int diff_kind_of(const char *const path[2], enum diff_kind *kind, struct err *e) {
  *kind = kind_of(path[0]);
  if (*kind == kind_of(path[1])) return 0;
  return err_set(e, ERR_USAGE, "%s and %s: name two folders of runs, two waves (.fst, .vcd) or two stimuli (.csv)",
                 path[0], path[1]);
}

int diff_waves(const char *const path[2], const char *out, uint32_t most, bool json, bool *differs, struct err *e) {
  struct wave_diff d;
  int status = wave_diff_load(&d, path, e);
  if (status) return status;
  *differs = d.differs || d.shorter[0] || d.shorter[1];
  if (d.differs) status = wave_diff_save(&d, out, e);
  if (!status && json) wave_diff_print_json(&d, stdout);
  if (!status && !json) wave_diff_print(&d, most, stdout);
  if (!status && !json && d.differs)
    printf("see both: gtkwave %s/diff.gtkw, or surfer -c %s/diff.sucl %s/diff.fst\n", out, out, out);
  wave_diff_free(&d);
  return status;
}

/* ---- stimuli ---- */

struct value_pair {
  const char *name;
  char text[2][STIMULUS_TEXT];
};

static json_t *json_row(const struct value_pair *p) {
  return json_pack("{s:s, s:s, s:s}", "name", p->name, "first", p->text[0], "second", p->text[1]);
}

/* The inputs that differ in row i, in the order of the ports. */
static uint32_t differing(const struct stimulus s[2], size_t i, struct value_pair *list) {
  const struct stimulus_row *row[2] = {stimulus_row(&s[0], i), stimulus_row(&s[1], i)};
  const struct block_desc *desc = s[0].desc;
  uint32_t n = 0;
  if (row[0]->rst_n != row[1]->rst_n) {
    list[n].name = "rst_n";
    for (int k = 0; k < 2; k++) snprintf(list[n].text[k], sizeof list[n].text[k], "%u", row[k]->rst_n);
    n++;
  }
  for (uint32_t f = 0; f < desc->n_in; f++) {
    const struct block_field *in = &desc->in[f];
    if (!memcmp(row[0]->in + in->offset, row[1]->in + in->offset, in->slot)) continue;
    list[n].name = in->name;
    for (int k = 0; k < 2; k++)
      stimulus_print_value(row[k]->in + in->offset, in->width(s[k].params), list[n].text[k], sizeof list[n].text[k]);
    n++;
  }
  return n;
}

static void print_stimuli(const char *const path[2], const struct stimulus s[2], size_t row,
                          const struct value_pair *list, uint32_t n, bool json) {
  bool same = !n && s[0].n == s[1].n;
  if (json) {
    json_t *rows = json_array();
    for (uint32_t i = 0; i < n; i++) json_array_append_new(rows, json_row(&list[i]));
    json_t *j =
      json_pack("{s:b, s:s, s:I, s:I, s:I, s:o}", "differs", !same, "block", s[0].desc->name, "row", (json_int_t)row,
                "rows_first", (json_int_t)s[0].n, "rows_second", (json_int_t)s[1].n, "inputs", rows);
    json_out(j, "stimulus-diff/1", 0, stdout);
    json_decref(j);
    return;
  }
  if (same) printf("the same: %zu cycles of %s\n", s[0].n, s[0].desc->name);
  else if (n)
    printf("first difference in row %zu (cycle %" PRIu64 " | %" PRIu64 ") of %s:\n", row,
           stimulus_row(&s[0], row)->cycle, stimulus_row(&s[1], row)->cycle, s[0].desc->name);
  else printf("the same for %zu cycles of %s; then %s ends\n", row, s[0].desc->name, path[s[0].n > s[1].n]);
  for (uint32_t i = 0; i < n; i++) printf("  %-24s %s | %s\n", list[i].name, list[i].text[0], list[i].text[1]);
}

int diff_stimuli(const char *const path[2], bool json, bool *differs, struct err *e) {
  struct stimulus s[2] = {{0}};
  static struct value_pair list[BLOCK_PORTS_MAX + 1];
  int status = stimulus_read(path[0], NULL, NULL, &s[0], e);
  if (!status) status = stimulus_read(path[1], NULL, NULL, &s[1], e);
  if (!status && s[0].desc != s[1].desc)
    status =
      err_set(e, ERR_VALUE, "%s is of the block %s, %s of %s", path[0], s[0].desc->name, path[1], s[1].desc->name);
  if (!status && memcmp(s[0].params, s[1].params, sizeof s[0].params))
    status = err_set(e, ERR_VALUE, "%s and %s are of %s with other parameters", path[0], path[1], s[0].desc->name);
  size_t rows = s[0].n < s[1].n ? s[0].n : s[1].n, row = 0;
  uint32_t n = 0;
  while (!status && row < rows && !(n = differing(s, row, list))) row++;
  *differs = n || s[0].n != s[1].n;
  if (!status) print_stimuli(path, s, row, list, n, json);
  for (int k = 0; k < 2; k++) stimulus_free(&s[k]);
  return status;
}
