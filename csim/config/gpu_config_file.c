/* SPDX-License-Identifier: Apache-2.0 */
/* GPU configuration files: libyaml's document nodes carry the line of each key and value, which is what the errors
 * name. */
#include "config/gpu_config.h"

#include "base/err.h"
#include "base/text.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { MAX_BASES = 16, MAX_NESTING = 4, MAX_PATH = 4096, MAX_PLACE = MAX_PATH + 16, MAX_KEY = 128 };

struct loader {
  struct gpu_config config; /* values loaded so far; copied out only on success */
  const char *config_dir;
  char *chain[MAX_BASES]; /* real paths of the files being read, the requested one first */
  unsigned depth;
  struct err *e;
};

struct file {
  struct loader *loader;
  const char *path;
  yaml_document_t document;
  int *seen; /* line of each table row in this file, 0: not yet */
};

static void place_of(const struct file *f, const yaml_node_t *node, char place[MAX_PLACE]) {
  snprintf(place, MAX_PLACE, "%s:%zu", f->path, node->start_mark.line + 1);
}

static int load_file(struct loader *l, const char *path, const char *asked_by);

/* A scalar's text; NULL and an error if the node is not plain text. */
static const char *text_of(const struct file *f, const yaml_node_t *node, const char *what) {
  char place[MAX_PLACE];
  place_of(f, node, place);
  if (node->type != YAML_SCALAR_NODE) {
    err_set(f->loader->e, ERR_SYNTAX, "%s: %s must be a single value, not a %s", place, what,
            node->type == YAML_SEQUENCE_NODE ? "list" : "map");
    return NULL;
  }
  const char *text = (const char *)node->data.scalar.value;
  if (strlen(text) == node->data.scalar.length) return text;
  err_set(f->loader->e, ERR_SYNTAX, "%s: %s holds a NUL character", place, what);
  return NULL;
}

/* NAME: config_dir/gpu/NAME.yaml; anything with a slash or .yaml: a path, relative to the file that names it. */
static bool resolve(const struct loader *l, const char *name, const char *from, char path[MAX_PATH]) {
  size_t n = strlen(name);
  int length;
  if (!strchr(name, '/') && !(n > 5 && !strcmp(name + n - 5, ".yaml")))
    length = snprintf(path, MAX_PATH, "%s/gpu/%s.yaml", l->config_dir, name);
  else if (!from || name[0] == '/' || !strrchr(from, '/')) length = snprintf(path, MAX_PATH, "%s", name);
  else length = snprintf(path, MAX_PATH, "%.*s/%s", (int)(strrchr(from, '/') - from), from, name);
  return length > 0 && length < MAX_PATH;
}

static int load_base(struct file *f, const yaml_node_t *value) {
  char place[MAX_PLACE], path[MAX_PATH];
  const char *name = text_of(f, value, "base");
  if (!name) return (int)f->loader->e->code;
  place_of(f, value, place);
  if (!*name || !resolve(f->loader, name, f->path, path))
    return err_set(f->loader->e, ERR_VALUE, "%s: base: \"%.60s\" is no name or path of a GPU configuration", place,
                   name);
  return load_file(f->loader, path, place);
}

static int duplicate(const struct file *f, const yaml_node_t *key, const char *name, size_t first_line) {
  char place[MAX_PLACE];
  place_of(f, key, place);
  return err_set(f->loader->e, ERR_SYNTAX, "%s: key \"%s\" appears twice, first at line %zu; keep one", place, name,
                 first_line);
}

static int load_value(struct file *f, const yaml_node_t *key, const yaml_node_t *value, const char *name) {
  struct loader *l = f->loader;
  char place[MAX_PLACE];
  place_of(f, key, place);
  const struct gpu_parameter *p = gpu_config_find(name);
  if (!p) return gpu_config_unknown_key(place, name, l->e);
  int *seen = &f->seen[p - gpu_parameter_at(0)];
  if (*seen) return duplicate(f, key, name, (size_t)*seen);
  *seen = (int)key->start_mark.line + 1;
  const char *text = text_of(f, value, name);
  if (!text) return (int)l->e->code;
  place_of(f, value, place);
  return gpu_config_assign(&l->config, p, place, text, l->e);
}

/* True if an earlier pair of the same map has this key. */
static int check_twice(const struct file *f, yaml_node_t *map, const yaml_node_pair_t *pair, const char *text,
                       const char *name) {
  yaml_document_t *d = (yaml_document_t *)(uintptr_t)&f->document;
  for (const yaml_node_pair_t *other = map->data.mapping.pairs.start; other < pair; other++) {
    const yaml_node_t *key = yaml_document_get_node(d, other->key);
    if (key->type == YAML_SCALAR_NODE && !strcmp((const char *)key->data.scalar.value, text))
      return duplicate(f, yaml_document_get_node(d, pair->key), name, key->start_mark.line + 1);
  }
  return 0;
}

/* `prefix`: "" or "section."; nesting is limited, so an alias to its own map terminates. */
static int load_map(struct file *f, yaml_node_t *map, const char *prefix, unsigned nesting) {
  struct err *e = f->loader->e;
  char place[MAX_PLACE], name[MAX_KEY];
  yaml_node_pair_t *end = map->data.mapping.pairs.top;
  for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < end; pair++) {
    yaml_node_t *key = yaml_document_get_node(&f->document, pair->key);
    yaml_node_t *value = yaml_document_get_node(&f->document, pair->value);
    const char *text = text_of(f, key, "a key");
    if (!text) return (int)e->code;
    place_of(f, key, place);
    int length = snprintf(name, sizeof name, "%s%s", prefix, text);
    if (length < 0 || length >= (int)sizeof name - 1)
      return err_set(e, ERR_VALUE, "%s: key \"%.40s...\" is longer than any known key", place, text);
    int code = check_twice(f, map, pair, text, name);
    if (!code && value->type == YAML_MAPPING_NODE) {
      if (nesting == MAX_NESTING) return err_set(e, ERR_SYNTAX, "%s: key \"%s\": maps nested too deep", place, name);
      memcpy(name + length, ".", 2);
      code = load_map(f, value, name, nesting + 1);
    } else if (!code && strcmp(name, "base")) {
      code = load_value(f, key, value, name);
    }
    if (code) return code;
  }
  return 0;
}

/* Loads the base first, wherever its line stands, so this file overrides it. */
static int load_root(struct file *f) {
  yaml_node_t *root = yaml_document_get_root_node(&f->document);
  if (!root || root->type != YAML_MAPPING_NODE)
    return err_set(f->loader->e, ERR_SYNTAX, "%s:%zu: a GPU configuration must be a map of key: value lines", f->path,
                   root ? root->start_mark.line + 1 : 1);
  yaml_node_pair_t *end = root->data.mapping.pairs.top;
  for (yaml_node_pair_t *pair = root->data.mapping.pairs.start; pair < end; pair++) {
    yaml_node_t *key = yaml_document_get_node(&f->document, pair->key);
    yaml_node_t *value = yaml_document_get_node(&f->document, pair->value);
    if (key->type != YAML_SCALAR_NODE || strcmp((const char *)key->data.scalar.value, "base")) continue;
    int code = check_twice(f, root, pair, "base", "base");
    if (!code) code = load_base(f, value);
    if (code) return code;
  }
  return load_map(f, root, "", 1);
}

/* Refuses a second document, which would be ignored. */
static int load_document(struct file *f, yaml_parser_t *parser) {
  struct err *e = f->loader->e;
  if (!yaml_parser_load(parser, &f->document))
    return err_set(e, ERR_SYNTAX, "%s:%zu: not YAML: %s", f->path, parser->problem_mark.line + 1,
                   parser->problem ? parser->problem : "malformed");
  yaml_document_t more;
  int code = 0;
  if (!yaml_parser_load(parser, &more)) {
    code = err_set(e, ERR_SYNTAX, "%s:%zu: not YAML: %s", f->path, parser->problem_mark.line + 1,
                   parser->problem ? parser->problem : "malformed");
  } else {
    yaml_node_t *root = yaml_document_get_root_node(&more);
    if (root)
      code = err_set(e, ERR_SYNTAX, "%s:%zu: a second document; a GPU configuration is one map", f->path,
                     root->start_mark.line + 1);
    yaml_document_delete(&more);
  }
  if (!code) code = load_root(f);
  yaml_document_delete(&f->document);
  return code;
}

static int parse_stream(struct loader *l, const char *path, FILE *stream) {
  struct file f = {.loader = l, .path = path, .seen = calloc(gpu_parameter_count(), sizeof *f.seen)};
  yaml_parser_t parser;
  if (!f.seen || !yaml_parser_initialize(&parser)) {
    free(f.seen);
    return err_set(l->e, ERR_LIMIT, "%s: out of memory", path);
  }
  yaml_parser_set_input_file(&parser, stream);
  int code = load_document(&f, &parser);
  yaml_parser_delete(&parser);
  free(f.seen);
  return code;
}

static const char *path_name(const void *list, unsigned i) {
  const glob_t *found = list;
  return i < found->gl_pathc ? found->gl_pathv[i] : NULL;
}

/* "; did you mean NAME?", or "" */
static void suggest(const struct loader *l, const char *path, char *out, size_t size) {
  char pattern[MAX_PATH];
  glob_t found;
  out[0] = 0;
  snprintf(pattern, sizeof pattern, "%s/gpu/*.yaml", l->config_dir);
  if (glob(pattern, 0, NULL, &found)) return;
  /* the folder's name counts as letters, so names are compared alone */
  for (size_t i = 0; i < found.gl_pathc; i++) {
    char *base = strrchr(found.gl_pathv[i], '/') + 1;
    memmove(found.gl_pathv[i], base, strlen(base) + 1);
  }
  const char *slash = strrchr(path, '/'), *near = text_nearest(slash ? slash + 1 : path, path_name, &found);
  if (near) snprintf(out, size, "; did you mean %.*s?", (int)(strlen(near) - strlen(".yaml")), near);
  globfree(&found);
}

/* `asked_by`: file:line of the base line, or NULL for the file the user named. */
static int load_file(struct loader *l, const char *path, const char *asked_by) {
  const char *by = asked_by ? asked_by : "", *colon = asked_by ? ": base: " : "";
  char *real = realpath(path, NULL);
  FILE *stream = real ? fopen(real, "rb") : NULL;
  if (!stream) {
    char near[128], why[128];
    snprintf(why, sizeof why, "%s", strerror(errno));
    free(real);
    suggest(l, path, near, sizeof near);
    return err_set(l->e, ERR_FILE, "%s%sGPU configuration %s: %s%s; give a path, or a NAME of %s/gpu/NAME.yaml", by,
                   colon, path, why, near, l->config_dir);
  }
  int code = 0;
  for (unsigned i = 0; i < l->depth && !code; i++)
    if (!strcmp(l->chain[i], real))
      code =
        err_set(l->e, ERR_VALUE, "%s%s%s inherits from itself; remove one base line of the cycle", by, colon, path);
  if (!code && l->depth == MAX_BASES)
    code = err_set(l->e, ERR_LIMIT, "%s%s%s: more than %d files inherit from each other", by, colon, path, MAX_BASES);
  if (!code) {
    l->chain[l->depth++] = real;
    code = parse_stream(l, path, stream);
    l->depth--;
  }
  fclose(stream);
  free(real);
  return code;
}

int gpu_config_load(struct gpu_config *m, const char *config_dir, const char *name, struct err *e) {
  struct err unused; /* the loader reads the code back from it */
  struct loader l = {.config = *m, .config_dir = config_dir, .e = e ? e : &unused};
  char path[MAX_PATH];
  if (!*name || !resolve(&l, name, NULL, path))
    return err_set(e, ERR_VALUE, "\"%.60s\" is no name or path of a GPU configuration", name);
  int code = load_file(&l, path, NULL);
  if (!code) *m = l.config;
  return code;
}
