/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check_profile.h"

#include "blocktest/profile_file.h"

#include <string.h>

int check_profile_open(struct check_profile *c, const char *path, bool guided, struct random_run *run, struct err *e) {
  memset(c, 0, sizeof *c);
  c->on = path || guided;
  c->guides = guided;
  if (!c->on) return 0;
  int status = path ? profile_read(&c->profile, run->desc, run->params, path, e)
                    : profile_init(&c->profile, run->desc, run->params, e);
  if (status) return status;
  run->profile = &c->profile;
  if (!guided) return 0;
  guided_begin(&c->guided, &c->profile, run->coverage, run->seed);
  run->next_phase = guided_next;
  run->chooser = &c->guided;
  return 0;
}

int check_profile_end(struct check_profile *c, const char *dir, FILE *to, struct err *e) {
  char path[1200];
  if (!c->guides) return 0;
  guided_end(&c->guided);
  const struct profile *p = &c->profile;
  fprintf(to, "%u of %u episodes reached something new:\n", p->n, c->guided.episodes);
  for (unsigned i = 0; i < p->n; i++) {
    fprintf(to, "  %s: ", p->phase[i].name);
    profile_print_phase(p, &p->phase[i], to);
    fputc('\n', to);
  }
  snprintf(path, sizeof path, "%s/" PROFILE_FILE, dir);
  int status = profile_write(p, path, e);
  if (!status) fprintf(to, "kept in %s; again: tandem check %s --profile %s\n", path, p->desc->name, path);
  return status;
}

void check_profile_close(struct check_profile *c) { profile_free(&c->profile); }
