/* SPDX-License-Identifier: Apache-2.0 */
#include "rtl_netlist.h"

#include "base/hash.h"
#include "base/out_file.h"
#include "base/process.h"
#include "block/own.h"
#include "block/rtl_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 1200, LINE_BYTES = 4096 };

/* RTL of the tree: the block's file and those of its parts. */
static int put_tree(const struct rtl_paths *paths, const struct block_desc *desc, const char *file, FILE *f,
                    struct err *e) {
  const char *folders[] = {desc->family, "prim", "include"};
  struct rtl_files *files = malloc(sizeof *files);
  int status = files ? rtl_files_find(paths->rtl, folders, 3, file, files, e) : err_set(e, ERR_LIMIT, "out of memory");
  for (unsigned i = 0; !status && i < files->n; i++) {
    const char *dot = strrchr(files->path[i], '.');
    if (dot && strcmp(dot, ".vh") != 0)
      fprintf(f, "read_verilog -sv -nooverwrite -I%s/include \"%s\"\n", paths->rtl, files->path[i]);
  }
  free(files);
  return status;
}

/* Planted bugs in a user's RTL hang on a variable of a package, which Yosys does not read: here it is a constant. */
static int put_bug(uint32_t bug, const char *path, struct err *e) {
  struct out_file o;
  int status = out_file_open(&o, path, e);
  if (status) return status;
  fprintf(o.f, "package tandem_bugs;\n  localparam [7:0] number = 8'd%u;\nendpackage\n", bug);
  return out_file_commit(&o, e);
}

/* A user's RTL: the file of Verilator's arguments, -I and -D first, with blanks behind backslashes. */
static int put_own(const char *arguments, const char *bugs, FILE *f, struct err *e) {
  char line[LINE_BYTES], options[4 * LINE_BYTES] = "";
  FILE *from = fopen(arguments, "r");
  if (!from) return err_set(e, ERR_FILE, "cannot read %s: %s", arguments, strerror(errno));
  while (fgets(line, sizeof line, from)) {
    size_t n = 0, at = strlen(options);
    for (const char *c = line; *c && *c != '\n'; c++)
      if (*c != '\\' || !c[1]) line[n++] = *c;
    line[n] = 0;
    /* Yosys takes no blanks in a folder; files that lie beside the including one it finds without */
    if (line[0] == '-' && !strchr(line, ' ')) snprintf(options + at, sizeof options - at, " %s", line);
    else if (line[0] == '-') continue;
    else if (n > 15 && !strcmp(line + n - 15, "/tandem_bugs.sv")) fprintf(f, "read_verilog -sv \"%s\"\n", bugs);
    else if (n) fprintf(f, "read_verilog -sv -nooverwrite%s \"%s\"\n", options, line);
  }
  fclose(from);
  return 0;
}

static int write_script(const struct rtl_paths *paths, const struct block_desc *desc, const int32_t *params,
                        const char *file, uint32_t bug, const char *out, const char *script, struct err *e) {
  struct out_file o;
  char bugs[PATH_BYTES + 64];
  snprintf(bugs, sizeof bugs, "%s.sv", script);
  int status = desc->own && bug ? put_bug(bug, bugs, e) : 0;
  if (!status) status = out_file_open(&o, script, e);
  if (status) return status;
  status = desc->own ? put_own(file, bugs, o.f, e) : put_tree(paths, desc, file, o.f, e);
  fprintf(o.f, "hierarchy -check -top %s", desc->own ? desc->own->module : desc->name);
  for (uint32_t i = 0; i < desc->n_params; i++) fprintf(o.f, " -chparam %s %d", desc->params[i].name, params[i]);
  fprintf(o.f, "\nproc\nflatten\nopt_expr\nopt_clean\nmemory_collect\nopt_clean\nwrite_json \"%s\"\n", out);
  if (status) out_file_abandon(&o);
  return status ? status : out_file_commit(&o, e);
}

static int make(const struct rtl_paths *paths, const struct block_desc *desc, const int32_t *params,
                const char *rtl_file, uint32_t bug, const char *path, struct err *e) {
  char tool[PATH_BYTES], file[PATH_BYTES], part[PATH_BYTES + 32], log[PATH_BYTES + 16], script[PATH_BYTES + 48];
  char command[PATH_BYTES + 80];
  struct stat st;
  if (!process_find_tool("yosys", tool, sizeof tool, &st))
    return err_set(e, ERR_TOOL, "Yosys is not on PATH; install the package yosys");
  snprintf(file, sizeof file, "%s/%s/%s.v", paths->rtl, desc->family, desc->name);
  if (desc->own) snprintf(file, sizeof file, "%s", rtl_file ? desc->own->bug_arguments : desc->own->arguments);
  else if (rtl_file) snprintf(file, sizeof file, "%s", rtl_file);
  snprintf(part, sizeof part, "%s.part.%d", path, (int)getpid());
  snprintf(script, sizeof script, "%s.ys", part);
  snprintf(log, sizeof log, "%s.log", path);
  snprintf(command, sizeof command, "yosys -q '%s'", script);
  unlink(log);
  int status = write_script(paths, desc, params, file, bug, part, script, e);
  if (!status) status = process_shell(command, log, "reading the RTL with Yosys", e);
  if (!status && rename(part, path)) status = err_set(e, ERR_FILE, "cannot write %s: %s", path, strerror(errno));
  unlink(script);
  snprintf(command, sizeof command, "%s.sv", script);
  unlink(command);
  unlink(status ? part : log);
  return status;
}

int rtl_netlist(const struct rtl_paths *paths, const struct block_desc *desc, const int32_t *params,
                const char *rtl_file, uint32_t bug, struct netlist *n, struct err *e) {
  char library[PATH_BYTES], path[PATH_BYTES + 64];
  /* RTL that Yosys has written has lost names and lines; what wrote it leaves its netlist beside it (scripts/mutants/make.py) */
  snprintf(path, sizeof path, "%s.netlist.json", rtl_file ? rtl_file : "");
  if (rtl_file && !desc->own && !access(path, R_OK)) return netlist_load(n, path, e);
  int status = rtl_cache_block(paths, desc, params, rtl_file, library, sizeof library, e);
  /* blocks of the tree have all bugs behind an input; a user's netlist names the files, which the library's key does not */
  if (desc->own)
    snprintf(path, sizeof path, "%s.%016llx.%u.netlist.json", library,
             (unsigned long long)hash_text(HASH_SEED, desc->own->manifest), bug);
  else snprintf(path, sizeof path, "%s.netlist.json", library);
  if (!status && access(path, R_OK)) status = make(paths, desc, params, rtl_file, bug, path, e);
  return status ? status : netlist_load(n, path, e);
}
