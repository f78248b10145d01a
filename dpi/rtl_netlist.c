/* SPDX-License-Identifier: Apache-2.0 */
#include "rtl_netlist.h"

#include "base/process.h"
#include "block/rtl_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COMMAND_BYTES = 24 * 1024, PATH_BYTES = 1200 };

static int put_command(const struct rtl_paths *paths, const struct block_desc *desc, const int32_t *params,
                       const char *file, const char *out, char *command, struct err *e) {
  static const char *const folders[] = {NULL, "prim", "include"};
  const char *of[3] = {desc->family, folders[1], folders[2]};
  struct rtl_files *files = malloc(sizeof *files);
  int status = files ? rtl_files_find(paths->rtl, of, 3, file, files, e) : err_set(e, ERR_LIMIT, "out of memory");
  size_t n =
    (size_t)snprintf(command, COMMAND_BYTES, "yosys -q -p 'read_verilog -sv -nooverwrite -I%s/include", paths->rtl);
  for (unsigned i = 0; !status && i < files->n && n < COMMAND_BYTES; i++) {
    const char *dot = strrchr(files->path[i], '.');
    if (dot && strcmp(dot, ".vh") != 0) n += (size_t)snprintf(command + n, COMMAND_BYTES - n, " %s", files->path[i]);
  }
  free(files);
  if (n < COMMAND_BYTES)
    n += (size_t)snprintf(command + n, COMMAND_BYTES - n, "; hierarchy -check -top %s", desc->name);
  for (uint32_t i = 0; i < desc->n_params && n < COMMAND_BYTES; i++)
    n += (size_t)snprintf(command + n, COMMAND_BYTES - n, " -chparam %s %d", desc->params[i].name, params[i]);
  if (n < COMMAND_BYTES)
    n += (size_t)snprintf(command + n, COMMAND_BYTES - n,
                          "; proc; flatten; opt_expr; opt_clean; memory_collect; opt_clean; write_json %s'", out);
  if (!status && n >= COMMAND_BYTES)
    return err_set(e, ERR_LIMIT, "the paths of the RTL of %s are too long", desc->name);
  return status;
}

static int make(const struct rtl_paths *paths, const struct block_desc *desc, const int32_t *params,
                const char *rtl_file, const char *path, struct err *e) {
  char tool[PATH_BYTES], file[PATH_BYTES], part[PATH_BYTES + 32], log[PATH_BYTES + 16];
  struct stat st;
  if (!process_find_tool("yosys", tool, sizeof tool, &st))
    return err_set(e, ERR_TOOL, "Yosys is not on PATH; install the package yosys");
  snprintf(file, sizeof file, "%s/%s/%s.v", paths->rtl, desc->family, desc->name);
  snprintf(part, sizeof part, "%s.part.%d", path, (int)getpid());
  snprintf(log, sizeof log, "%s.log", path);
  char *command = malloc(COMMAND_BYTES);
  if (!command) return err_set(e, ERR_LIMIT, "out of memory");
  unlink(log);
  int status = put_command(paths, desc, params, rtl_file ? rtl_file : file, part, command, e);
  if (!status) status = process_shell(command, log, "reading the RTL with Yosys", e);
  free(command);
  if (!status && rename(part, path)) status = err_set(e, ERR_FILE, "cannot write %s: %s", path, strerror(errno));
  unlink(status ? part : log);
  return status;
}

int rtl_netlist(const struct rtl_paths *paths, const struct block_desc *desc, const int32_t *params,
                const char *rtl_file, struct netlist *n, struct err *e) {
  char library[PATH_BYTES], path[PATH_BYTES + 16];
  if (desc->own) return err_set(e, ERR_UNSUPPORTED, "%s is of %s", desc->name, "a manifest outside of the tree");
  int status = rtl_cache_block(paths, desc, params, rtl_file, library, sizeof library, e);
  snprintf(path, sizeof path, "%s.netlist.json", library);
  if (!status && access(path, R_OK)) status = make(paths, desc, params, rtl_file, path, e);
  return status ? status : netlist_load(n, path, e);
}
