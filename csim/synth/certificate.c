/* SPDX-License-Identifier: Apache-2.0 */
#include "synth/certificate.h"

#include "base/err.h"
#include "base/in_file.h"
#include "base/out_file.h"
#include "base/place.h"
#include "base/process.h"
#include "synth/steps.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const certificate_kinds[] = {"lockstep", "proof", "equality", NULL};
static const char *const commands[] = {"tandem check %s --sweep", "tandem prove %s", "tandem prove %s --equal"};
static const char *const titles[] = {"lockstep", "proof", "proof of equality with the model"};

static void folder_of(const struct block_desc *desc, const char *kind, char out[CERTIFICATE_PATH_BYTES]) {
  snprintf(out, CERTIFICATE_PATH_BYTES, "%.700s/certificates/%.100s/%s", place_cache(), desc->name, kind);
}

/* The files that the block is made of. */
static int files_of(const struct block_desc *desc, struct synth_design *d, struct err *e) {
  struct synth *s = calloc(1, sizeof *s);
  if (!s) return err_set(e, ERR_LIMIT, "out of memory");
  snprintf(s->source, sizeof s->source, "%s", place_data());
  memset(d, 0, sizeof *d);
  d->desc = desc;
  snprintf(d->name, sizeof d->name, "%s", desc->name);
  int status = synth_design_files(s, d, NULL, e);
  if (status) free(d->files);
  free(s);
  return status;
}

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static int copy(const char *from, const char *folder, struct err *e) {
  char to[CERTIFICATE_PATH_BYTES + 300];
  size_t bytes = 0;
  struct out_file o;
  snprintf(to, sizeof to, "%s/%.255s", folder, file_name(from));
  char *text = in_file_read(from, &bytes, e);
  if (!text) return (int)e->code;
  int status = out_file_open(&o, to, e);
  if (!status) {
    fwrite(text, 1, bytes, o.f);
    status = out_file_commit(&o, e);
  }
  free(text);
  return status;
}

int certificate_begin(struct certificate *c, const struct block_desc *desc, const char *kind, struct err *e) {
  struct synth_design d;
  folder_of(desc, kind, c->path);
  snprintf(c->part, sizeof c->part, "%.1000s.%ld", c->path, (long)getpid());
  int status = files_of(desc, &d, e);
  if (status) return status;
  status = process_make_folders(c->part, "TANDEM_CACHE names another folder", e);
  for (unsigned i = 0; i < d.n_files && !status; i++) status = copy(d.files[i], c->part, e);
  free(d.files);
  if (status) certificate_drop(c);
  return status;
}

int certificate_pass(struct certificate *c, const char *summary, struct err *e) {
  char path[CERTIFICATE_PATH_BYTES + 16];
  snprintf(path, sizeof path, "%s/summary", c->part);
  FILE *f = fopen(path, "w");
  if (!f || fprintf(f, "%s\n", summary) < 0 || fclose(f)) {
    certificate_drop(c);
    return err_set(e, ERR_FILE, "cannot write %s", path);
  }
  process_remove_folder(c->path);
  /* of two checks at the same time the later one stays: each checked what it had copied */
  if (rename(c->part, c->path)) certificate_drop(c);
  return 0;
}

void certificate_drop(struct certificate *c) { process_remove_folder(c->part); }

static bool same(const char *a, const char *b) {
  size_t n = 0, m = 0;
  struct err e; /* what cannot be read differs */
  char *x = in_file_read(a, &n, &e), *y = in_file_read(b, &m, &e);
  bool equal = x && y && n == m && !memcmp(x, y, n);
  free(x);
  free(y);
  return equal;
}

static bool is_kept(const char *file, const char *folder) {
  char kept[CERTIFICATE_PATH_BYTES + 300];
  snprintf(kept, sizeof kept, "%s/%.255s", folder, file_name(file));
  return same(file, kept);
}

/* The first file that differs from the certificate, "" if there is no certificate, NULL if all are the same. That of equality is
 * also of the C model. */
static const char *changed(const struct synth_design *d, const char *kind, const char *folder) {
  if (access(folder, F_OK)) return "";
  for (unsigned i = 0; i < d->n_files; i++)
    if (!is_kept(d->files[i], folder)) return file_name(d->files[i]);
  if (strcmp(kind, "equality") != 0) return NULL;
  char model[CERTIFICATE_PATH_BYTES + 300];
  snprintf(model, sizeof model, "%.900s/csim/blocks/%.100s/%.100s.c", place_data(), d->desc->family, d->name);
  return is_kept(model, folder) ? NULL : "its C model";
}

bool certificate_holds(const struct block_desc *desc, char why[CERTIFICATE_TEXT_BYTES]) {
  struct synth_design d;
  struct err e = {.code = ERR_NONE};
  why[0] = 0;
  if (files_of(desc, &d, &e)) {
    snprintf(why, CERTIFICATE_TEXT_BYTES, "%.200s", e.text);
    return false;
  }
  for (int i = 0; certificate_kinds[i] && !why[0]; i++) {
    char folder[CERTIFICATE_PATH_BYTES], command[80];
    folder_of(desc, certificate_kinds[i], folder);
    const char *file = changed(&d, certificate_kinds[i], folder);
    if (!file) continue;
    snprintf(command, sizeof command, commands[i], desc->name);
    snprintf(why, CERTIFICATE_TEXT_BYTES, "%s%.60s%s %s; %s makes it again", *file ? "" : "this RTL of ",
             *file ? file : desc->name, *file ? " is not what passed the last" : " has passed no", titles[i], command);
  }
  free(d.files);
  return !why[0];
}
