/* SPDX-License-Identifier: Apache-2.0 */
#include "own_blocks.h"

#include "base/err.h"
#include "block/own.h"
#include "rtl_cache.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_BYTES = 1 << 18, COMMAND_BYTES = 8192 };

#if defined(__SANITIZE_ADDRESS__)
#define MODEL_FLAGS "-fsanitize=address,undefined -fno-sanitize-recover=all -g"
#else
#define MODEL_FLAGS ""
#endif

/* Runs the generator; its output, to be freed, or NULL with its sentence as the error. */
static char *generate(const char *manifest, struct err *e) {
  struct rtl_paths paths = rtl_paths_default();
  char command[COMMAND_BYTES], *text = calloc(1, OUTPUT_BYTES);
  const char *python =
    access("/usr/bin/python3", X_OK) ? "python3" : "/usr/bin/python3"; /* the one that has the YAML module */
  if (strchr(manifest, '\'')) {
    err_set(e, ERR_VALUE, "--manifest %s: a path without ' is needed", manifest);
    return free(text), NULL;
  }
  snprintf(command, sizeof command, "%s '%s/../scripts/gen/own.py' library '%s' '%s' " MODEL_FLAGS " 2>&1", python,
           paths.rtl, manifest, paths.cache);
  fflush(NULL);
  FILE *f = text ? popen(command, "r") : NULL;
  if (!f) {
    err_set(e, ERR_TOOL, "cannot run python3 for the manifest %s", manifest);
    return free(text), NULL;
  }
  size_t n = fread(text, 1, OUTPUT_BYTES - 1, f);
  int status = pclose(f);
  if (WIFEXITED(status) && !WEXITSTATUS(status)) return text;
  while (n && text[n - 1] == '\n') text[--n] = 0;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    err_set(e, ERR_TOOL, "the manifest %s needs python3, which is not on PATH; install the package python3", manifest);
  else err_set(e, ERR_VALUE, "%s", n ? text : "scripts/gen/own.py ended without a sentence");
  return free(text), NULL;
}

/* "block NAME ARGUMENTS KEY BUG_ARGUMENTS BUG_KEY", separated by tabs. */
static void note_rtl(const struct block_library *library, char *line) {
  char *field[6] = {"", "", "", "", "", ""};
  for (int i = 0; i < 6 && line; i++) field[i] = strsep(&line, "\t");
  for (uint32_t i = 0; i < library->n; i++) {
    const struct block_desc *desc = library->blocks[i];
    struct block_own *own = desc->own;
    if (strcmp(field[0], "block") != 0 || strcmp(desc->name, field[1]) != 0) continue;
    snprintf(own->arguments, sizeof own->arguments, "%s", field[2]);
    own->rtl_key = strtoull(field[3], NULL, 16);
    if (*field[4] == '!') snprintf(own->bug_problem, sizeof own->bug_problem, "%s", field[4] + 1);
    else snprintf(own->bug_arguments, sizeof own->bug_arguments, "%s", field[4]);
    own->bug_key = strtoull(field[5], NULL, 16);
  }
}

static int load(char *text, struct err *e) {
  char *line = strsep(&text, "\n"), *path = line + strcspn(line, "\t");
  path += *path == '\t';
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const struct block_library *library = handle ? dlsym(handle, "tandem_blocks") : NULL;
  if (!library) return err_set(e, ERR_TOOL, "cannot load %s: %s; delete it, it will be made again", path, dlerror());
  if (library->abi != BLOCK_LIBRARY_ABI || library->desc_bytes != sizeof(struct block_desc))
    return err_set(e, ERR_TOOL, "%s is of another version of Tandem; delete it, it will be made again", path);
  while ((line = strsep(&text, "\n"))) note_rtl(library, line);
  block_library_add(library);
  return 0;
}

int own_blocks_open(const char *manifest, struct err *e) {
  if (!manifest) return 0;
  char *text = generate(manifest, e);
  if (!text) return (int)e->code;
  int status = load(text, e);
  free(text);
  return status;
}
