/* SPDX-License-Identifier: Apache-2.0 */
/* The simulation that counts: made once a netlist, run once a stimulus. */
#include "base/err.h"
#include "base/hash.h"
#include "base/out_file.h"
#include "base/process.h"
#include "netlist_replay.h"
#include "synth/power_steps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEAST_WORDS = 3 };

static uint64_t words(uint64_t bytes) { return bytes / 4 < LEAST_WORDS ? LEAST_WORDS : (bytes + 3) / 4; }

static int write_rows(const struct stimulus *s, const struct power_netlist *n, const char *path, struct err *e) {
  struct out_file out = {0};
  uint8_t in[8 * BLOCK_PORTS_MAX + 4 * LEAST_WORDS] = {0};
  const struct block_desc *desc = s->desc;
  int status = out_file_open(&out, path, e);
  if (status) return status;
  struct netlist_header h = {.rows = s->n,
                             .in_words = words(desc->in_bytes),
                             .out_words = words(desc->out_bytes),
                             .out_bytes = desc->out_bytes,
                             .nets = n->n,
                             .busy_bit = 8 * desc->busy_offset,
                             .from = s->window_from,
                             .to = s->window_to,
                             .hash_seed = HASH_SEED};
  fwrite(&h, sizeof h, 1, out.f);
  for (size_t i = 0; i < s->n; i++) {
    const struct stimulus_row *from = stimulus_row(s, i);
    struct netlist_row row = {from->cycle, from->repeats + 1,
                              (from->rst_n ? NETLIST_RST_N : 0U) |
                                (block_desc_idle(desc, from->in) ? NETLIST_IDLE : 0U)};
    memcpy(in, from->in, desc->in_bytes);
    fwrite(&row, sizeof row, 1, out.f);
    fwrite(in, 4, h.in_words, out.f);
  }
  return out_file_commit(&out, e);
}

static int read_counts(const char *path, const struct stimulus *s, struct power_netlist *n, struct power_counts *c,
                       struct err *e) {
  uint64_t cycle, outputs;
  uint32_t bit, at;
  char word[16] = "";
  FILE *f = fopen(path, "r");
  if (!f) return err_set(e, ERR_TOOL, "the simulation left no counts at %s: %s", path, strerror(errno));
  int status = 0;
  if (fscanf(f, "mismatch %" SCNu64 " %" SCNu32, &cycle, &bit) == 2) {
    const char *output = power_output_at(s->desc, bit, &at);
    status = err_set(e, ERR_CHECK,
                     "%s: netlist and RTL differ in cycle %" PRIu64 " at the output %s, bit %" PRIu32
                     "; the netlist is not the block's",
                     n->design->name, cycle, output, at);
  } else {
    rewind(f);
    c->cycles = s->window_to - s->window_from;
    c->toggles = calloc(2 * (size_t)n->n + 1, sizeof *c->toggles);
    c->ones = c->toggles ? c->toggles + n->n : NULL;
    bool whole = c->toggles && fscanf(f, "compared %" SCNu64 " asked %" SCNu64 " outputs %" SCNx64, &c->compared,
                                      &c->asked, &outputs) == 3;
    for (uint32_t i = 0; i < n->n && whole; i++)
      whole = fscanf(f, "%" SCNu64 " %" SCNu64, &c->toggles[i], &c->ones[i]) == 2;
    whole = whole && fscanf(f, "%15s", word) == 1 && !strcmp(word, "done");
    if (!whole) status = err_set(e, ERR_TOOL, "the simulation of %s stopped early", n->design->name);
    else if (s->outputs && outputs != s->outputs)
      status =
        err_set(e, ERR_CHECK,
                "%s: the netlist's answers are not those of the recording; it was made with another RTL: record it "
                "again",
                n->design->name);
  }
  fclose(f);
  return status;
}

/* ---- making it ---- */

static int verilate(const struct synth *s, const struct synth_set *set, const char *folder, struct err *e) {
  const struct synth_design *d = set->design;
  char *text = NULL, log[SYNTH_PATH_BYTES];
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (!f) return err_set(e, ERR_LIMIT, "out of memory");
  fprintf(f,
          "cd '%s' && verilator --cc --exe -O3 --x-assign 0 --x-initial 0 --no-timing -Wno-fatal -Wno-lint -Wno-style "
          "--top-module tandem_power --Mdir obj --build -j 2 -MAKEFLAGS 'OPT_FAST=-O0 OPT_SLOW=-O0' -I'%s/rtl/include'",
          folder, s->source);
  for (unsigned i = d->n_files; i-- > 0;) fprintf(f, " '%s'", d->files[i]);
  fprintf(f, " -CFLAGS '-I%s/dpi' cells.v tandem_power.v '%s/dpi/netlist_replay.cpp'", s->source, s->source);
  fclose(f);
  snprintf(log, sizeof log, "%.900s/simulator.log", set->folder); /* it outlives the working folder */
  unlink(log);
  int status = process_shell(text, log, "compiling the netlist for simulation", e);
  free(text);
  return status;
}

static int translate(const struct synth *s, const struct liberty *lib, const char *netlist, const char *folder,
                     struct err *e) {
  char *script = NULL, path[SYNTH_PATH_BYTES], command[2 * SYNTH_PATH_BYTES], log[SYNTH_PATH_BYTES], sentence[600];
  const struct synth_slot slots[] = {{"LIBERTY", lib->text_path}, {"NETLIST", netlist}};
  int status = process_make_folders(folder, "set TANDEM_CACHE to a writable folder", e);
  if (!status) status = synth_template(s, "cells.ys", slots, 2, &script, e);
  snprintf(path, sizeof path, "%.900s/cells.ys", folder);
  snprintf(log, sizeof log, "%.900s/cells.log", folder);
  if (!status) status = synth_write_text(path, script, e);
  free(script);
  if (status) return status;
  snprintf(command, sizeof command, "cd '%s' && yosys -q -l cells.log -s cells.ys >cells.out 2>&1 </dev/null", folder);
  snprintf(path, sizeof path, "%.900s/shell.log", folder);
  if (!process_shell(command, path, "Yosys", NULL)) return 0;
  synth_yosys_sentence(log, sentence, sizeof sentence);
  return err_set(e, ERR_TOOL, "Yosys makes no cell models of %s: %s", lib->path, sentence);
}

int power_hash_simulator(const struct synth *s, uint64_t *h, struct err *e) {
  static const char *const files[] = {"scripts/synth/cells.ys", "dpi/netlist_replay.cpp", "dpi/netlist_replay.h"};
  char path[SYNTH_PATH_BYTES];
  int status = 0;
  for (int i = 0; i < 3 && !status; i++) {
    snprintf(path, sizeof path, "%.900s/%s", s->source, files[i]);
    status = hash_file(h, path, e);
  }
  return status;
}

/* The simulator's folder in the cache; its key: netlist, library, RTL, harness. */
static int simulator_folder(const struct synth *s, const struct synth_set *set, const char *netlist, char *out,
                            struct err *e) {
  uint64_t h = hash_bytes(HASH_SEED, &set->design->rtl_hash, sizeof set->design->rtl_hash);
  h = hash_text(hash_bytes(h, &set->lib->hash, sizeof set->lib->hash), s->yosys);
  int status = hash_file(&h, netlist, e);
  if (!status) status = power_hash_simulator(s, &h, e);
  snprintf(out, SYNTH_PATH_BYTES, "%.900s/simulator-%016" PRIx64, set->folder, h);
  return status;
}

static int make(const struct synth *s, const struct synth_set *set, const char *netlist, const char *folder,
                struct err *e) {
  char work[SYNTH_PATH_BYTES], path[SYNTH_PATH_BYTES], command[3 * SYNTH_PATH_BYTES];
  struct power_netlist n;
  snprintf(work, sizeof work, "%.900s/simulator", s->work);
  if (s->options.progress) fprintf(stderr, "synth: compiling the netlist of %s for simulation\n", set->design->name);
  int status = translate(s, set->lib, netlist, work, e);
  if (status) return status;
  snprintf(path, sizeof path, "%.900s/netlist.json", work);
  status = power_netlist_read(&n, set->design, path, e);
  snprintf(path, sizeof path, "%.900s/tandem_power.v", work);
  if (!status) status = power_netlist_verilog(&n, path, e);
  power_netlist_free(&n);
  if (!status) status = verilate(s, set, work, e);
  if (status) return status;
  snprintf(command, sizeof command,
           "cd '%s' && mkdir whole && mv obj/Vtandem_power netlist.json whole && { mv -T whole '%s' || test -d '%s'; }",
           work, folder, folder);
  snprintf(path, sizeof path, "%.900s/shell.log", work);
  return process_shell(command, path, "moving the simulator into the cache", e);
}

int power_simulate(const struct synth *s, const struct synth_set *set, const char *netlist,
                   const struct stimulus *stimulus, struct power_netlist *n, struct power_counts *c, struct err *e) {
  char folder[SYNTH_PATH_BYTES], path[SYNTH_PATH_BYTES], counts[SYNTH_PATH_BYTES], log[SYNTH_PATH_BYTES],
    command[4 * SYNTH_PATH_BYTES];
  int status = simulator_folder(s, set, netlist, folder, e);
  if (!status && access(folder, R_OK)) status = make(s, set, netlist, folder, e);
  snprintf(path, sizeof path, "%.900s/netlist.json", folder);
  if (!status) status = power_netlist_read(n, set->design, path, e);
  snprintf(path, sizeof path, "%.900s/stimulus", s->work);
  snprintf(counts, sizeof counts, "%.900s/counts", s->work);
  snprintf(log, sizeof log, "%.900s/simulate.log", set->folder);
  if (!status) status = write_rows(stimulus, n, path, e);
  snprintf(command, sizeof command, "'%s/Vtandem_power' '%s' '%s'", folder, path, counts);
  if (!status) status = process_shell(command, log, "simulating the netlist", e);
  return status ? status : read_counts(counts, stimulus, n, c, e);
}
