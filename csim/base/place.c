/* SPDX-License-Identifier: Apache-2.0 */
#include "base/place.h"

#include <pthread.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VERSION_BYTES = 128 };

/* Written once, at the first question. */
static struct {
  pthread_once_t once;
  char data[PLACE_BYTES], configs[PLACE_BYTES], libraries[PLACE_BYTES], cache[PLACE_BYTES], version[VERSION_BYTES];
} place = {.once = PTHREAD_ONCE_INIT};

/* The file that this code was loaded from. /proc/self/exe would name the user's program when this is part of libcuda.so.1, and
 * dladdr() gives a relative path after a relative LD_LIBRARY_PATH. */
static void own_file(char *out, size_t size) {
  char line[PLACE_BYTES + 128];
  uintptr_t own = (uintptr_t)&own_file;
  FILE *f = fopen("/proc/self/maps", "r");
  *out = 0;
  while (f && fgets(line, sizeof line, f)) {
    char *end, *path = strchr(line, '/');
    uintptr_t from = strtoull(line, &end, 16), to = *end ? strtoull(end + 1, NULL, 16) : 0;
    if (own < from || own >= to || !path) continue;
    path[strcspn(path, "\n")] = 0;
    snprintf(out, size, "%s", path);
  }
  if (f) fclose(f);
}

/* Cuts the last part off; false when none is left. */
static int parent(char *path) {
  char *slash = strrchr(path, '/');
  if (slash) *slash = 0;
  return slash && *path;
}

static void find_prefix(char *out) {
  char folder[PLACE_BYTES], marker[PLACE_BYTES + 32];
  own_file(out, PLACE_BYTES);
  parent(out);
  snprintf(folder, sizeof folder, "%s", out);
  parent(out); /* the program's ../, if there is no share/tandem anywhere */
  while (parent(folder)) {
    snprintf(marker, sizeof marker, "%s/share/tandem/configs", folder);
    if (access(marker, F_OK)) continue;
    snprintf(out, PLACE_BYTES, "%s", folder);
    return;
  }
}

static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

/* Commands that are run elsewhere get the path too. */
static void put_absolute(const char *path, char *out) {
  char *here = *path == '/' ? NULL : getcwd(NULL, 0);
  snprintf(out, PLACE_BYTES, "%s%s%s", here ? here : "", here ? "/" : "", path);
  free(here);
}

static void find_cache(void) {
  char link[PLACE_BYTES + 16];
  const char *given = variable("TANDEM_CACHE"), *xdg = variable("XDG_CACHE_HOME"), *home = variable("HOME");
  snprintf(link, sizeof link, "%s/cache", place.data);
  char *folder = given ? NULL : realpath(link, NULL);
  struct passwd *user = home ? NULL : getpwuid(getuid());
  if (given || folder) put_absolute(given ? given : folder, place.cache);
  else if (xdg) snprintf(place.cache, PLACE_BYTES, "%s/tandem", xdg);
  else snprintf(place.cache, PLACE_BYTES, "%s/.cache/tandem", home ? home : user ? user->pw_dir : "/var/tmp");
  free(folder);
}

static void find_version(void) {
  char path[PLACE_BYTES + 16];
  snprintf(path, sizeof path, "%s/version", place.data);
  FILE *f = fopen(path, "r");
  if (!f || !fgets(place.version, sizeof place.version, f))
    snprintf(place.version, sizeof place.version, "%s", TANDEM_VERSION);
  place.version[strcspn(place.version, "\n")] = 0;
  if (f) fclose(f);
}

/* NAME in the data folder, with links followed. */
static void find_file(const char *name, char *out, size_t size) {
  snprintf(out, size, "%s/%s", place.data, name);
  char *real = realpath(out, NULL);
  if (real) snprintf(out, size, "%s", real);
  free(real);
}

static void find_all(void) {
  char prefix[PLACE_BYTES];
  const char *given = variable("TANDEM_DATA_DIR");
  find_prefix(prefix);
  if (given) put_absolute(given, place.data);
  else snprintf(place.data, PLACE_BYTES, "%.*s/share/tandem", PLACE_BYTES - 32, prefix);
  snprintf(place.libraries, PLACE_BYTES, "%.*s/lib/tandem", PLACE_BYTES - 32, prefix);
  find_file("configs", place.configs, sizeof place.configs);
  find_cache();
  find_version();
}

const char *place_data(void) {
  pthread_once(&place.once, find_all);
  return place.data;
}

void place_data_file(const char *name, char *out, size_t size) {
  pthread_once(&place.once, find_all);
  find_file(name, out, size);
}

const char *place_configs(void) {
  pthread_once(&place.once, find_all);
  return place.configs;
}

const char *place_libraries(void) {
  pthread_once(&place.once, find_all);
  return place.libraries;
}

const char *place_cache(void) {
  pthread_once(&place.once, find_all);
  return place.cache;
}

const char *place_version(void) {
  pthread_once(&place.once, find_all);
  return place.version;
}
