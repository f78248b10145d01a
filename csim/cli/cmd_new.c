/* SPDX-License-Identifier: Apache-2.0 */
/* tandem new block: a folder to start from, outside of the tree; every test of it passes. */
#include "base/err.h"
#include "base/out_file.h"
#include "base/place.h"
#include "base/process.h"
#include "base/text.h"
#include "block/block.h"
#include "cli/commands.h"
#include "cli/options.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_BYTES = 1200, FILE_BYTES = 1 << 16 };

static const char *const kinds[] = {"fifo", "pipeline", "cache", "arbiter", NULL};
static const char *kind_name(const void *list, unsigned i) { return ((const char *const *)list)[i]; }

static int check_kind(const char *like, struct err *e) {
  for (int i = 0; kinds[i]; i++)
    if (!strcmp(kinds[i], like)) return 0;
  const char *near = text_nearest(like, kind_name, kinds);
  return err_set(e, ERR_VALUE, "--like %s: there are fifo, pipeline, cache, arbiter%s%s%s", like,
                 near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

static int check_name(const char *name, struct err *e) {
  if (!text_is_identifier(name) || strlen(name) > 40)
    return err_set(e, ERR_VALUE,
                   "'%s' is no name of C and Verilog: write a letter, then up to 39 letters, digits and _", name);
  if (block_find(name)) return err_set(e, ERR_VALUE, "Tandem has a block '%s'; choose another name", name);
  return 0;
}

/* A template with the block's name in place of like_KIND. */
static int copy(const char *from, const char *to, const char *what, const char *name, struct err *e) {
  char *text = calloc(1, FILE_BYTES);
  FILE *f = text ? fopen(from, "r") : NULL;
  if (!f) {
    free(text);
    return err_set(e, ERR_FILE, "cannot read the template %s: %s", from, strerror(errno));
  }
  size_t n = fread(text, 1, FILE_BYTES - 1, f);
  fclose(f);
  text[n] = 0;
  struct out_file out;
  int status = text_replace(text, FILE_BYTES, what, name) ? out_file_open(&out, to, e)
                                                          : err_set(e, ERR_LIMIT, "%s is too long", from);
  if (!status) {
    fputs(text, out.f);
    status = out_file_commit(&out, e);
  }
  free(text);
  return status;
}

static int fill_folder(const char *name, const char *like, const char *folder, struct err *e) {
  char templates[PATH_BYTES], what[64], from[2 * PATH_BYTES], to[2 * PATH_BYTES], file[300];
  struct dirent **entries;
  place_data_file("scripts/gen/templates", from, PATH_BYTES);
  snprintf(templates, sizeof templates, "%.1000s/%s", from, like);
  snprintf(what, sizeof what, "like_%s", like);
  int n = scandir(templates, &entries, NULL, alphasort), status = 0;
  if (n < 0) return err_set(e, ERR_FILE, "no templates at %s: %s", templates, strerror(errno));
  for (int i = 0; i < n; i++) {
    snprintf(file, sizeof file, "%s", entries[i]->d_name);
    if (*file != '.' && !status) {
      snprintf(from, sizeof from, "%s/%.255s", templates, file);
      text_replace(file, sizeof file, what, name);
      snprintf(to, sizeof to, "%.1000s/%s", folder, file);
      status = copy(from, to, what, name, e);
    }
    free(entries[i]);
  }
  free(entries);
  return status;
}

static int make(const char *name, const char *like, const char *folder, struct err *e) {
  struct stat st;
  int status = check_name(name, e);
  if (!status) status = check_kind(like, e);
  if (!status && !stat(folder, &st))
    status = err_set(e, ERR_FILE, "%s is there already; name another folder with --out", folder);
  if (!status) status = process_make_folders(folder, "name a writable place with --out", e);
  if (!status) status = fill_folder(name, like, folder, e);
  if (status) return status;
  printf("%s: a %s to start from\n", folder, like);
  printf("  %s/blocks.yaml       the manifest: ports, registers, laws, planted bugs\n", folder);
  printf("  %s/%s.v, %s.c    Verilog and C model\n\ntry it:\n", folder, name, name);
  printf("  tandem check %s --manifest %s/blocks.yaml --sweep\n", name, folder);
  printf("  tandem mutants %s --manifest %s/blocks.yaml\n", name, folder);
  printf("  tandem prove %s --manifest %s/blocks.yaml\n", name, folder);
  printf("  tandem synth %s --manifest %s/blocks.yaml --no-band\n", name, folder);
  return 0;
}

int cmd_new(int argc, char **argv) {
  const char *like = "fifo", *out = NULL;
  const struct cli_option options[] = {
    {"--like", CLI_TEXT, &like, "KIND", "what to start from: fifo, pipeline, cache or arbiter (default: fifo)", 0, 0},
    {"--out", CLI_TEXT, &out, "DIR", "folder to make (default: the name of the block)", 0, 0},
    {0}};
  const struct cli_command command = {
    .name = "new",
    .brief =
      "Makes a folder with a block of your own: manifest, Verilog, C model, stimulus, properties. All of its tests pass.",
    .usage = "block NAME [options]",
    .example = "tandem new block my_queue --like fifo --out /tmp/my_queue",
    .options = options,
    .positional_min = 2,
    .positional_max = 2};
  struct err e = {0};
  const char *names[2];
  unsigned n;
  bool help;
  int status = cli_parse(&command, argc, argv, names, &n, &help, &e);
  if (help) return 0;
  if (!status && strcmp(names[0], "block") != 0)
    status = err_set(&e, ERR_USAGE, "'%s' cannot be made; usage: tandem new %s", names[0], command.usage);
  if (!status) status = make(names[1], like, out ? out : names[1], &e);
  return status ? cli_fail("new", &e) : 0;
}
