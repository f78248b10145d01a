/* SPDX-License-Identifier: Apache-2.0 */
#include "rtl_cache.h"

#include "base/hash.h"
#include "base/host_clock.h"
#include "base/process.h"
#include "block/own.h"
#include "block/rtl_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 1024, COMMAND_BYTES = 8192 };

#define CACHE_MEND "set TANDEM_CACHE to a writable folder"
#define CXX_FLAGS \
  "-O3 -march=native -std=gnu++17 -fPIC -fvisibility=hidden -w -DVM_TRACE=1 -DVM_TRACE_FST=1 -DVM_COVERAGE=0 -DVM_SC=0"
#define COVERAGE_OPTIONS "--coverage-line --coverage-toggle --coverage-max-width 4096"
#define RUNTIME_WRAPS "-Wl,--wrap=mmap,--wrap=fwrite,--wrap=fputc,--wrap=fflush,--wrap=fseeko,--wrap=fclose"

/* What one library is made of. */
struct recipe {
  const struct rtl_paths *paths;
  const char *name;       /* block or probe */
  const char *rtl_file;   /* NULL: a probe */
  const char *rtl_family; /* folder of rtl/ to search for parts */
  const char *generated;  /* folder of the socket */
  /* a block of the user's: the file of Verilator's arguments that names its RTL, and a hash of all that is verilated; else NULL */
  const char *arguments, *manifest;
  uint64_t rtl_key;
  char parameters[256]; /* -G options */
  char settings[256];   /* the same as P=V */
  const char *defines;
  bool coverage; /* a model that counts; without a name: the library that such models need */
  uint64_t key;
};

struct rtl_paths rtl_paths_default(void) {
  struct rtl_paths paths = {.cost = NULL};
  place_data_file("rtl", paths.rtl, sizeof paths.rtl);
  place_data_file("generated", paths.generated, sizeof paths.generated);
  place_data_file("dpi", paths.dpi, sizeof paths.dpi);
  snprintf(paths.cache, sizeof paths.cache, "%.*s/rtl", PLACE_BYTES - 8, place_cache());
  return paths;
}

/* Libraries made by the same versions of the tools lie in one folder, so that models and runtime library fit each other. Where
 * the tools are missing, the newest folder serves. */
static void tool_folder(const char *cache, char *out, size_t size) {
  char path[PATH_BYTES];
  struct stat st;
  uint64_t h = hash_text(HASH_SEED, "tools");
  static const char *const tools[] = {"verilator_bin", "g++"};
  bool all = true;
  for (int i = 0; i < 2; i++) {
    if (!process_find_tool(tools[i], path, sizeof path, &st)) {
      all = false;
      continue;
    }
    h = hash_bytes(h, &st.st_size, sizeof st.st_size);
    h = hash_bytes(h, &st.st_mtime, sizeof st.st_mtime);
  }
  snprintf(out, size, "%s/%016llx", cache, (unsigned long long)h);
  if (all) return;
  struct dirent **entries;
  time_t newest = 0;
  int n = scandir(cache, &entries, NULL, alphasort);
  for (int i = 0; i < n; i++) {
    snprintf(path, sizeof path, "%s/%s", cache, entries[i]->d_name);
    if (strspn(entries[i]->d_name, "0123456789abcdef") == 16 && !stat(path, &st) && S_ISDIR(st.st_mode) &&
        st.st_mtime >= newest) {
      newest = st.st_mtime;
      snprintf(out, size, "%s", path);
    }
    free(entries[i]);
  }
  if (n >= 0) free(entries);
}

static int require_tools(const char *what, struct err *e) {
  char path[PATH_BYTES];
  struct stat st;
  static const char *const tools[] = {"verilator", "g++"};
  for (int i = 0; i < 2; i++)
    if (!process_find_tool(tools[i], path, sizeof path, &st))
      return err_set(
        e, ERR_TOOL,
        "%s is not verilated yet and '%s' is not on PATH; install the package of this name, or use the engine c", what,
        tools[i]);
  return 0;
}

/* Libraries are compiled for this processor; hosts of other processors may share the cache. */
static uint64_t hash_processor(uint64_t h) {
  char line[4096];
  FILE *f = fopen("/proc/cpuinfo", "r");
  while (f && fgets(line, sizeof line, f))
    if (!strncmp(line, "flags", 5)) {
      h = hash_text(h, line);
      break;
    }
  if (f) fclose(f);
  return h;
}

static int recipe_key(struct recipe *r, struct err *e) {
  uint64_t h = HASH_SEED;
  char path[PATH_BYTES];
  snprintf(path, sizeof path, "%s/verilator_shim.cpp", r->paths->dpi);
  int status = hash_file(&h, path, e);
  snprintf(path, sizeof path, "%s/rtl_model.h", r->paths->dpi);
  if (!status) status = hash_file(&h, path, e);
  snprintf(path, sizeof path, "%s/verilated_traits.sh", r->paths->dpi);
  if (!status) status = hash_file(&h, path, e);
  if (r->arguments) h = hash_bytes(h, &r->rtl_key, sizeof r->rtl_key);
  if (!status && r->name && !r->arguments) {
    snprintf(path, sizeof path, "%s/%s_socket.sv", r->generated, r->name);
    status = hash_file(&h, path, e);
  }
  if (!status && r->rtl_file) {
    struct rtl_files files;
    const char *folders[] = {r->rtl_family, "prim", "include"};
    status = rtl_files_find(r->paths->rtl, folders, 3, r->rtl_file, &files, e);
    for (unsigned i = 0; i < files.n && !status; i++) status = hash_file(&h, files.path[i], e);
  }
  snprintf(path, sizeof path, "%s/verilator_coverage.cpp", r->paths->dpi);
  if (!status && r->coverage) status = hash_file(&h, path, e);
  if (r->coverage)
    h = hash_text(hash_text(h, COVERAGE_OPTIONS), r->paths->rtl); /* counts name the files of this tree */
  h = hash_text(hash_processor(h), CXX_FLAGS);
  h = hash_text(h, r->parameters);
  h = hash_text(h, r->defines);
  r->key = h;
  return status;
}

static void runtime_command(const struct recipe *r, const char *dir, const char *out, char *command, size_t size) {
  (void)dir;
  snprintf(
    command, size,
    "root=$(verilator --getenv VERILATOR_ROOT) && i=$root/include && "
    "g++ %s -DSHIM_RUNTIME -fvisibility=default -I$i -I$i/vltstd -I$i/gtkwave -I'%s' -shared -o '%s' "
    "$i/verilated.cpp $i/verilated_dpi.cpp $i/verilated_fst_c.cpp $i/verilated_save.cpp $i/verilated_threads.cpp "
    "'%s/verilator_shim.cpp' " RUNTIME_WRAPS " -lz -lpthread",
    CXX_FLAGS, r->paths->dpi, out, r->paths->dpi);
}

static void coverage_command(const struct recipe *r, const char *dir, const char *out, char *command, size_t size) {
  (void)dir;
  snprintf(command, size,
           "root=$(verilator --getenv VERILATOR_ROOT) && i=$root/include && "
           "g++ %s -DSHIM_COVERAGE -fvisibility=default -I$i -I$i/vltstd -I'%s' -shared -o '%s' $i/verilated_cov.cpp "
           "'%s/verilator_coverage.cpp'",
           CXX_FLAGS, r->paths->dpi, out, r->paths->dpi);
}

/* What Verilator is told besides (the compiler's -O1 takes a tenth of the time on counters): a model either can save its state, or counts (it refuses both). The socket is not counted. */
static void model_options(const struct recipe *r, char *options, size_t size) {
  if (!r->coverage) snprintf(options, size, "--savable");
  else snprintf(options, size, COVERAGE_OPTIONS " '%s/coverage.vlt'", r->paths->dpi);
}

/* Constructors, resets and waves come last and with fewer optimizations: they take half of the compiler's time and little of a run's. */
static void model_command(const struct recipe *r, const char *dir, const char *out, char *command, size_t size) {
  char class[160], options[2 * PATH_BYTES], rtl[3 * PATH_BYTES] = "";
  model_options(r, options, sizeof options);
  snprintf(class, sizeof class, "V%s_%016llx", r->name, (unsigned long long)r->key);
  if (r->arguments) snprintf(rtl, sizeof rtl, "--relative-includes -f '%s'", r->arguments);
  else if (r->rtl_file)
    snprintf(rtl, sizeof rtl, "-y '%s/%s' -y '%s/prim' -I'%s/include' '%s'", r->paths->rtl, r->rtl_family,
             r->paths->rtl, r->paths->rtl, r->rtl_file);
  snprintf(
    command, size,
    "root=$(verilator --getenv VERILATOR_ROOT) && i=$root/include && cd '%s' && "
    "verilator --cc -O3 %s --x-assign unique --x-initial unique --trace-fst --trace-max-array 1024 "
    "--trace-max-width 4096 --no-timing -Wno-fatal -Wno-lint -Wno-style -DTANDEM_DIRECT --top-module %s_socket "
    "--prefix %s --Mdir '%s/obj' %s %s %s '%s/%s_socket.sv' && "
    "{ echo '#include \"verilated_fst_c.h\"'; echo '#include \"obj/%s__Syms.h\"'; "
    "for f in $(ls obj/*.cpp | grep -v -e __Slow -e __Trace__); do echo \"#include \\\"$f\\\"\"; done; "
    "%s echo '#include \"verilator_shim.cpp\"'; echo '#pragma GCC optimize (\"O1\")'; "
    "for f in $(ls obj/*.cpp | grep -e __Slow -e __Trace__); do echo \"#include \\\"$f\\\"\"; done; } > all.cpp && "
    "traits=$(sh '%s/verilated_traits.sh' obj %s) && "
    "g++ %s $traits -DSHIM_BLOCK=%s %s -DSHIM_CLASS=%s -I. -Iobj -I$i -I$i/vltstd -I'%s' -shared -o '%s' all.cpp",
    dir, options, r->name, class, dir, r->parameters, r->defines, rtl, r->generated, r->name, class,
    r->coverage ? "echo '#include \"verilator_coverage.cpp\"';" : "", r->paths->dpi, class, CXX_FLAGS, r->name,
    r->coverage                   ? "-O1"
    : r->rtl_file || r->arguments ? ""
                                  : "-DSHIM_PROBE",
    class, r->paths->dpi, out);
}

/* Whether a user's RTL has the ports, parameters and registers of its row; the error is the differences, a line each. */
static int check_agreement(const struct recipe *r, const char *log, struct err *e) {
  char command[COMMAND_BYTES], said[sizeof e->text];
  if (!r->arguments) return 0;
  snprintf(command, sizeof command,
           "$(command -v /usr/bin/python3 || echo python3) '%s/../scripts/gen/own.py' agree '%s' '%s' %s '%s' %s",
           r->paths->rtl, r->manifest, r->paths->cache, r->name, r->arguments, r->settings);
  if (!process_shell(command, log, "comparing rows and RTL", NULL)) return 0;
  process_log_tail(log, said, sizeof said);
  said[strcspn(said, "\n")] = 0; /* the first; the log has the others */
  return err_set(e, ERR_VALUE, "%s (full log: %s)", said, log);
}

/* Of a library, for messages and its file. */
static const char *recipe_name(const struct recipe *r) {
  return r->name ? r->name : r->coverage ? "coverage" : "runtime";
}

/* Verilating takes seconds: says so, and how many it took. */
static void say(const struct recipe *r, double seconds) {
  const char *progress = getenv("TANDEM_PROGRESS");
  if (progress && !strcmp(progress, "0")) return;
  char what[200];
  if (r->name) snprintf(what, sizeof what, "%s", r->name);
  else snprintf(what, sizeof what, "the %s library", recipe_name(r));
  if (seconds < 0)
    fprintf(stderr, "tandem: verilating %s%s%s\n", what, r->settings, r->name && r->coverage ? " with counters" : "");
  else fprintf(stderr, "tandem: verilated %s in %.1f s\n", what, seconds);
}

static int build_silently(const struct recipe *r, const char *target, struct err *e) {
  char dir[PATH_BYTES], part[PATH_BYTES + 16], log[PATH_BYTES + 16], command[COMMAND_BYTES];
  snprintf(dir, sizeof dir, "%s.tmp.%d", target, (int)getpid());
  snprintf(part, sizeof part, "%s/model.so", dir);
  snprintf(log, sizeof log, "%s.log", target);
  int status = process_make_folders(dir, CACHE_MEND, e);
  if (status) return status;
  unlink(log);
  if ((status = check_agreement(r, log, e))) {
    rmdir(dir);
    return status;
  }
  (r->name ? model_command : r->coverage ? coverage_command : runtime_command)(r, dir, part, command, sizeof command);
  status = process_shell(command, log, "verilating", e);
  if (!status && rename(part, target)) status = err_set(e, ERR_FILE, "cannot write %s: %s", target, strerror(errno));
  if (!status) unlink(log);
  snprintf(command, sizeof command, "rm -rf '%s'", dir);
  if (system(command)) { /* a left-over folder does no harm */
  }
  return status;
}

static int build(const struct recipe *r, const char *target, struct err *e) {
  double start = host_seconds();
  say(r, -1);
  int status = build_silently(r, target, e);
  double seconds = host_seconds() - start;
  if (!status) say(r, seconds);
  if (r->paths->cost) {
    r->paths->cost->seconds += seconds;
    r->paths->cost->libraries += !status;
  }
  return status;
}

/* Path of the library in *out, and its folder. */
static int cache_path(struct recipe *r, char folder[PATH_BYTES], char *out, size_t size, struct err *e) {
  int status = recipe_key(r, e);
  if (status) return status;
  tool_folder(r->paths->cache, folder, PATH_BYTES);
  snprintf(out, size, "%s/%s-%016llx.so", folder, recipe_name(r), (unsigned long long)r->key);
  return 0;
}

/* The same; builds it under a lock when it is not there. */
static int cache_get(struct recipe *r, char *out, size_t size, struct err *e) {
  char folder[PATH_BYTES];
  int status = cache_path(r, folder, out, size, e);
  if (status || !access(out, R_OK)) return status;
  if ((status = require_tools(r->name ? r->name : "the runtime library", e))) return status;
  if ((status = process_make_folders(folder, CACHE_MEND, e))) return status;
  char lock[PATH_BYTES];
  snprintf(lock, sizeof lock, "%s.lock", out);
  int fd = open(lock, O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  if (fd < 0)
    return err_set(e, ERR_FILE, "cannot write %s: %s; set TANDEM_CACHE to a writable folder", lock, strerror(errno));
  flock(fd, LOCK_EX);
  if (access(out, R_OK)) status = build(r, out, e); /* another process may have built it meanwhile */
  close(fd);
  return status;
}

/* RTL of a user's block, as it is or with all planted bugs. */
static int own_recipe(const struct block_own *own, bool bugs, struct recipe *r, struct err *e) {
  if (bugs && *own->bug_problem) return err_set(e, ERR_VALUE, "%s", own->bug_problem);
  r->generated = own->generated;
  r->manifest = own->manifest;
  r->arguments = bugs ? own->bug_arguments : own->arguments;
  r->rtl_key = bugs ? own->bug_key : own->rtl_key;
  r->rtl_file = NULL;
  return 0;
}

/* `own`: room for the path of the block's own file. */
static int block_recipe(const struct rtl_paths *paths, const struct block_desc *desc, const int32_t *params,
                        const char *rtl_file, char own[PATH_BYTES], struct recipe *r, struct err *e) {
  snprintf(own, PATH_BYTES, "%s/%s/%s.v", paths->rtl, desc->family, desc->name);
  *r = (struct recipe){.paths = paths,
                       .name = desc->name,
                       .generated = paths->generated,
                       .rtl_family = desc->family,
                       .rtl_file = rtl_file ? rtl_file : own,
                       .coverage = paths->coverage,
                       .defines = rtl_file ? "-DTANDEM_BUGS" : ""};
  size_t n = 0, m = 0;
  for (uint32_t i = 0; i < desc->n_params; i++) {
    n += (size_t)snprintf(r->parameters + n, sizeof r->parameters - n, " -G%s=%d", desc->params[i].name, params[i]);
    m += (size_t)snprintf(r->settings + m, sizeof r->settings - m, " %s=%d", desc->params[i].name, params[i]);
  }
  return desc->own ? own_recipe(desc->own, rtl_file != NULL, r, e) : 0;
}

int rtl_cache_block(const struct rtl_paths *paths, const struct block_desc *desc, const int32_t *params,
                    const char *rtl_file, char *out, size_t size, struct err *e) {
  char own[PATH_BYTES];
  struct recipe r;
  int status = block_recipe(paths, desc, params, rtl_file, own, &r, e);
  return status ? status : cache_get(&r, out, size, e);
}

bool rtl_cache_has(const struct rtl_paths *paths, const struct block_desc *desc, const int32_t *params) {
  char own[PATH_BYTES], folder[PATH_BYTES], path[PATH_BYTES];
  struct recipe r;
  return !block_recipe(paths, desc, params, NULL, own, &r, NULL) && !cache_path(&r, folder, path, sizeof path, NULL) &&
         !access(path, R_OK);
}

int rtl_cache_probe(const struct rtl_paths *paths, const char *probe, char *out, size_t size, struct err *e) {
  struct recipe r = {.paths = paths, .name = probe, .generated = paths->generated, .defines = ""};
  return cache_get(&r, out, size, e);
}

int rtl_cache_runtime(const struct rtl_paths *paths, char *out, size_t size, struct err *e) {
  struct recipe r = {.paths = paths, .defines = ""};
  return cache_get(&r, out, size, e);
}

int rtl_cache_coverage(const struct rtl_paths *paths, char *out, size_t size, struct err *e) {
  struct recipe r = {.paths = paths, .defines = "", .coverage = true};
  return cache_get(&r, out, size, e);
}
