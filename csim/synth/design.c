/* SPDX-License-Identifier: Apache-2.0 */
/* Elaboration: from the Verilog of a design to its registers and memories. */
#include "base/err.h"
#include "base/hash.h"
#include "base/in_file.h"
#include "base/process.h"
#include "block/own.h"
#include "block/rtl_files.h"
#include "synth/comparators.h"
#include "synth/steps.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Hashes the design's files, and all that they may include. */
static int hash_files(const struct synth *s, struct synth_design *d, struct err *e) {
  uint64_t h = HASH_SEED;
  for (unsigned i = 0; i < d->n_files; i++) {
    size_t bytes;
    char *text = in_file_read(d->files[i], &bytes, e);
    if (!text) return (int)e->code;
    h = hash_text(h, text);
    free(text);
  }
  char include[SYNTH_PATH_BYTES];
  snprintf(include, sizeof include, "%.900s/rtl/include", s->source);
  int status = hash_folder(&h, include, e);
  d->rtl_hash = h;
  return status;
}

/* Collects the design's own file and those of its parts, recursively. */
int synth_design_files(const struct synth *s, struct synth_design *d, const char *own_file, struct err *e) {
  char rtl[SYNTH_PATH_BYTES], own[PATH_MAX];
  if (d->desc && d->desc->own) {
    d->rtl_hash = d->desc->own->rtl_key;
    return 0;
  }
  snprintf(rtl, sizeof rtl, "%.900s/rtl", s->source);
  if (d->desc) snprintf(own, sizeof own, "%.900s/%s/%s.v", rtl, d->desc->family, d->name);
  else if (!realpath(own_file, own)) return err_set(e, ERR_FILE, "no RTL at %s: %s", own_file, strerror(errno));
  const char *folders[] = {"prim", d->desc ? d->desc->family : "prim"};
  struct rtl_files found;
  int status = rtl_files_find(rtl, folders, 2, own, &found, e);
  if (status) return status;
  d->files = calloc(found.n, sizeof *d->files);
  if (!d->files) return err_set(e, ERR_LIMIT, "out of memory");
  d->n_files = found.n;
  memcpy(d->files, found.path, found.n * sizeof *d->files);
  return hash_files(s, d, e);
}

static char *parameters_text(const struct synth_design *d, char *out, size_t size) {
  size_t n = 0;
  *out = 0;
  for (unsigned i = 0; i < d->n_params && n < size; i++)
    n += (size_t)snprintf(out + n, size - n, " -chparam %s %lld", d->params[i].name, (long long)d->params[i].value);
  return out;
}

/* Yosys commands that read the files: parts first, elaborated only if used; the design's own last. */
static char *read_commands(const struct synth *s, const struct synth_design *d) {
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  if (!f) return NULL;
  if (d->desc && d->desc->own) { /* flat, and named as the block, whatever the wrapper and the RTL are called */
    const char *module = d->desc->own->module;
    fprintf(f, "read_rtlil own.il\nhierarchy -check -top %s\nproc\nflatten\nhierarchy -top %s", module, module);
    if (strcmp(module, d->name) != 0) fprintf(f, "\nrename %s %s", module, d->name);
    return fclose(f) ? NULL : text;
  }
  for (unsigned i = d->n_files; i-- > 1;)
    fprintf(f, "read_verilog -sv -defer -I%s/rtl/include \"%s\"\n", s->source, d->files[i]);
  fprintf(f, "read_verilog -sv -I%s/rtl/include \"%s\"", s->source, d->files[0]);
  return fclose(f) ? NULL : text;
}

/* RTL of a user's block is read by a script of its own, which also knows a second tool; the result is own.il in the work folder. */
static int read_own(const struct synth *s, const struct synth_design *d, struct err *e) {
  const struct block_own *own = d->desc->own;
  char command[4 * SYNTH_PATH_BYTES], log[SYNTH_PATH_BYTES], said[sizeof e->text];
  snprintf(log, sizeof log, "%.900s/own.log", s->work);
  size_t n = (size_t)snprintf(command, sizeof command,
                              "$(command -v /usr/bin/python3 || echo python3) '%.900s/scripts/gen/own_yosys.py' '%s' "
                              "\"$(dirname \"$(dirname '%s')\")\" %s '%.900s/own.il'",
                              s->source, own->manifest, own->generated, d->name, s->work);
  for (unsigned i = 0; i < d->n_params && n < sizeof command; i++)
    n +=
      (size_t)snprintf(command + n, sizeof command - n, " %s=%lld", d->params[i].name, (long long)d->params[i].value);
  if (!process_shell(command, log, "reading the RTL", NULL)) return 0;
  process_log_tail(log, said, sizeof said);
  said[strcspn(said, "\n")] = 0;
  return err_set(e, ERR_UNSUPPORTED, "%s", said);
}

static int run_elaboration(const struct synth *s, const struct synth_design *d, const char *script, struct err *e) {
  char path[SYNTH_PATH_BYTES], log[SYNTH_PATH_BYTES], command[4 * SYNTH_PATH_BYTES], sentence[600];
  snprintf(path, sizeof path, "%.900s/elaborate.ys", s->work);
  snprintf(log, sizeof log, "%.900s/elaborate.log", s->work);
  int status = d->desc && d->desc->own ? read_own(s, d, e) : 0;
  if (!status) status = synth_write_text(path, script, e);
  if (status) return status;
  snprintf(command, sizeof command, "cd '%s' && yosys -q -l '%s' -s '%s'", s->work, log, path);
  snprintf(path, sizeof path, "%.900s/elaborate.out", s->work);
  if (!process_shell(command, path, "Yosys", NULL)) {
    snprintf(command, sizeof command, "mv '%.900s/elaborated.il' '%s.il' && mv '%.900s/elaborated.json' '%s.json'",
             s->work, d->stem, s->work, d->stem);
    return process_shell(command, path, "moving the elaborated design into the cache", e);
  }
  synth_yosys_sentence(log, sentence, sizeof sentence);
  return err_set(e, ERR_SYNTAX, "%s cannot be synthesised: %s", d->name, sentence);
}

/* A number that Yosys has written as a string of bits. */
static unsigned bits_value(const json_t *text) {
  unsigned value = 0;
  if (json_is_integer(text)) return (unsigned)json_integer_value(text);
  for (const char *t = json_string_value(text); t && *t; t++) value = value << 1 | (*t == '1');
  return value;
}

static int read_memory(struct synth_design *d, const char *name, const json_t *cell, struct err *e) {
  const json_t *p = json_object_get(cell, "parameters");
  if (d->n_memories == SYNTH_MEMORIES_MAX)
    return err_set(e, ERR_LIMIT, "%s has more than %d arrays", d->name, SYNTH_MEMORIES_MAX);
  struct synth_memory *m = &d->memories[d->n_memories++];
  const char *id = json_string_value(json_object_get(p, "MEMID"));
  const char *clocked = json_string_value(json_object_get(p, "RD_CLK_ENABLE"));
  snprintf(m->cell, sizeof m->cell, "%s", name);
  snprintf(m->name, sizeof m->name, "%s", id ? id + (*id == '\\') : name);
  m->width = bits_value(json_object_get(p, "WIDTH"));
  m->rows = bits_value(json_object_get(p, "SIZE"));
  m->address_bits = bits_value(json_object_get(p, "ABITS"));
  m->read_ports = bits_value(json_object_get(p, "RD_PORTS"));
  m->write_ports = bits_value(json_object_get(p, "WR_PORTS"));
  for (const char *c = clocked; c && *c; c++) m->clocked_ports += *c == '1';
  m->clocked_reads = m->clocked_ports && m->clocked_ports == m->read_ports;
  return 0;
}

static bool is_flip_flop(const char *type) {
  static const char *const types[] = {"$dff",   "$dffe",  "$sdff",   "$sdffe", "$sdffce", "$adff",
                                      "$adffe", "$aldff", "$aldffe", "$dffsr", "$dffsre", "$ff"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (!strcmp(type, types[i])) return true;
  return false;
}

/* The name of the input port that drives a net, or "". */
static void port_of(const json_t *module, const json_t *bit, char *out, size_t size) {
  const char *name;
  json_t *port;
  *out = 0;
  json_object_foreach(json_object_get(module, "ports"), name, port) {
    const json_t *bits = json_object_get(port, "bits");
    if (json_array_size(bits) == 1 && json_equal(json_array_get(bits, 0), bit)) snprintf(out, size, "%s", name);
  }
}

static int note_clock(struct synth_design *d, const json_t *module, const char *cell_name, const json_t *bit,
                      struct err *e) {
  char port[SYNTH_NAME_BYTES];
  port_of(module, bit, port, sizeof port);
  if (!*port)
    return err_set(e, ERR_UNSUPPORTED, "%s: the clock of %s is no port; only blocks with one clock port are timed",
                   d->name, cell_name);
  if (*d->clock && strcmp(d->clock, port) != 0)
    return err_set(e, ERR_UNSUPPORTED, "%s has two clocks, %s and %s; only blocks with one are timed", d->name,
                   d->clock, port);
  snprintf(d->clock, sizeof d->clock, "%s", port);
  return 0;
}

static int read_cell(struct synth_design *d, const json_t *module, const char *name, const json_t *cell,
                     struct err *e) {
  const char *type = json_string_value(json_object_get(cell, "type"));
  const json_t *connections = json_object_get(cell, "connections"), *clock = json_object_get(connections, "CLK");
  int status = 0;
  if (strstr(type, "latch"))
    return err_set(e, ERR_UNSUPPORTED, "%s infers a latch (%s); write every path of its always_comb, or clock it",
                   d->name, name);
  if (is_flip_flop(type)) {
    d->register_bits += bits_value(json_object_get(json_object_get(cell, "parameters"), "WIDTH"));
    status = note_clock(d, module, name, json_array_get(clock, 0), e);
  } else if (!strcmp(type, "$mem_v2")) {
    status = read_memory(d, name, cell, e);
    clock = json_object_get(connections, "WR_CLK");
    for (size_t i = 0; i < json_array_size(clock) && !status; i++)
      status = note_clock(d, module, name, json_array_get(clock, i), e);
  }
  return status;
}

static int read_facts(struct synth_design *d, struct err *e) {
  char path[SYNTH_PATH_BYTES];
  json_error_t problem;
  snprintf(path, sizeof path, "%.900s.json", d->stem);
  json_t *all = json_load_file(path, 0, &problem), *cell;
  json_t *module = json_object_get(json_object_get(all, "modules"), d->name);
  const char *name;
  int status = module ? 0
                      : err_set(e, ERR_TOOL, "%s does not hold %s (%s); remove the file and call again", path, d->name,
                                all ? "no such module" : problem.text);
  json_object_foreach(json_object_get(module, "cells"), name, cell) {
    if (!status) status = read_cell(d, module, name, cell, e);
  }
  struct synth_comparators c;
  if (!status && !synth_count_comparators(module, &c))
    status = err_set(e, ERR_LIMIT, "out of memory for the comparators of %s", d->name);
  if (!status) d->comparators = c.comparators, d->comparator_bits = c.bits;
  json_decref(all);
  return status;
}

int synth_design_elaborate(const struct synth *s, struct synth_design *d, struct err *e) {
  char parameters[512];
  parameters_text(d, parameters, sizeof parameters);
  char path[SYNTH_PATH_BYTES], *script = NULL, *reads = read_commands(s, d), *template = NULL;
  const struct synth_slot raw[] = {{"READ", ""}, {"TOP", ""}, {"PARAMETERS", ""}, {"OUT", ""}};
  const struct synth_slot slots[] = {{"READ", reads ? reads : ""},
                                     {"TOP", d->name},
                                     {"PARAMETERS", d->desc && d->desc->own ? "" : parameters},
                                     {"OUT", "elaborated"}};
  int status = synth_template(s, "elaborate.ys", raw, 4, &template, e);
  if (!status) status = synth_template(s, "elaborate.ys", slots, 4, &script, e);
  if (!status) {
    /* the content of the files, not their paths */
    uint64_t h = hash_bytes(HASH_SEED, &d->rtl_hash, sizeof d->rtl_hash);
    h = hash_text(hash_text(hash_text(hash_text(h, d->name), parameters), template), s->yosys);
    d->key = h;
    snprintf(d->stem, sizeof d->stem, "%.700s/%s-%016llx", s->cache, d->name, (unsigned long long)h);
    snprintf(path, sizeof path, "%.900s.json", d->stem);
    if (access(path, R_OK)) status = run_elaboration(s, d, script, e);
  }
  if (!status) status = read_facts(d, e);
  free(script);
  free(template);
  free(reads);
  return status;
}
