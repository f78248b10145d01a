/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/shrink.h"

#include <inttypes.h>
#include <string.h>

enum { SECONDS = 50 }; /* of the host: what is reached then is small enough */

void print_divergence(FILE *to, const struct divergence *v, const char *instance, const char *block) {
  char expected[STIMULUS_TEXT], actual[STIMULUS_TEXT];
  stimulus_print_value((const uint8_t *)v->expected, v->width, expected, sizeof expected);
  stimulus_print_value((const uint8_t *)v->actual, v->width, actual, sizeof actual);
  fprintf(to, "DIVERGENCE in %s (block %s), cycle %" PRIu64 "\n", instance, block, v->cycle);
  fprintf(to, "  %s %s: expected %s (C model), actual %s (RTL)\n", v->is_register ? "register" : "port", v->what,
          expected, actual);
}

int shrink_stimulus(struct stimulus *s, const struct replay *how, struct divergence *first, const char *dir,
                    const char *save, FILE *to, struct err *e) {
  char path[1200];
  struct shrunk done;
  size_t before = s->n;
  int status = save ? regression_path(s->desc, save, path, sizeof path, e) : 0; /* a bad name at once */
  if (!status) status = shrink_run(s, how, first, SECONDS, &done, e);
  snprintf(path, sizeof path, "%s%s", dir ? dir : "", dir ? "/shrunk.csv" : "shrunk.csv");
  if (!status) status = stimulus_write(s, path, e);
  if (status) return status;
  fprintf(to, "shrunk from %zu to %zu cycles, %zu of them with a request, in %.1f s%s: %s\n", before, done.cycles,
          done.transactions, done.seconds, done.complete ? "" : " (then the time was up)", path);
  if (done.moved)
    fprintf(to, "the shrunk case differs first at %s %s\n", first->is_register ? "register" : "port", first->what);
  if (save) status = regression_save(s, save, first, path, sizeof path, e);
  if (!status && save) fprintf(to, "regression: %s\n", path);
  return status;
}

int shrink_check(const struct block_desc *desc, const int32_t *params, const struct random_run *run, const char *save,
                 FILE *to, struct err *e) {
  char path[1200];
  struct stimulus s;
  struct divergence first;
  struct replay how = {.engine = ENGINE_LOCKSTEP, .state_every = 1, .bug = run->bug, .bug_rtl = run->bug_rtl};
  bool diverged;
  snprintf(path, sizeof path, "%s/stimulus.csv", run->out_dir);
  int status = stimulus_read(path, desc, params, &s, e);
  if (status) return status;
  status = replay_run(&how, &s, &first, &diverged, e);
  if (!status && diverged) status = shrink_stimulus(&s, &how, &first, run->out_dir, save, to, e);
  else if (!status)
    fprintf(to, "not shrunk: from the last reset on, C model and RTL agree; the difference needs what came before\n");
  stimulus_free(&s);
  return status;
}
