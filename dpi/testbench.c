/* SPDX-License-Identifier: Apache-2.0 */
#include "testbench.h"

#include "base/out_file.h"
#include "block/own.h"
#include "replay.h"
#include "rtl_cache.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct bench {
  const struct stimulus *s;
  FILE *f;
};

/* Bits of a word: 64 for the digest of the registers, 32 for the reset, then inputs, then outputs. */
static uint32_t word_bits(const struct block_desc *desc) { return 96 + 8 * (desc->in_bytes + desc->out_bytes); }

static void put_hex(FILE *f, const uint8_t *bytes, uint32_t n) {
  for (uint32_t i = n; i-- > 0;) fprintf(f, "%02x", bytes[i]);
}

static bool put_row(void *self, size_t i, const struct stimulus_row *row, const struct block *model) {
  const struct bench *b = self;
  const struct block_desc *desc = b->s->desc;
  fprintf(b->f, "    rows[%zu] = %" PRIu32 "'h%016" PRIx64 "%08x", i, word_bits(desc), replay_state_digest(model),
          (unsigned)row->rst_n);
  put_hex(b->f, row->in, desc->in_bytes);
  put_hex(b->f, model->out, desc->out_bytes);
  fprintf(b->f, ";\n");
  return true;
}

static void put_head(const struct stimulus *s, FILE *f) {
  const struct block_desc *desc = s->desc;
  fprintf(
    f,
    "// SPDX-License-Identifier: Apache-2.0\n// Written by Tandem: %zu cycles of %s, and the outputs of its C model.\n",
    s->n, desc->name);
  if (desc->own)
    fprintf(f, "// With the RTL of %s and %s/%s.sv\n", desc->own->manifest, desc->own->generated, desc->own->module);
  else
    fprintf(f, "// iverilog -g2012 -Irtl/include -y rtl/prim -y rtl/%s -s %s_tb -o tb FILE rtl/%s/%s.v && vvp -N tb\n",
            desc->family, desc->name, desc->family, desc->name);
  fprintf(f, "// A row is {digest of the registers, 31'b0, rst_n, inputs, expected outputs}.\n");
}

static int put_rows(const struct stimulus *s, FILE *f, struct err *e) {
  struct bench b = {s, f};
  struct replay r = {.engine = ENGINE_C, .row = put_row, .self = &b};
  bool diverged;
  fprintf(f, "  reg [%" PRIu32 ":0] rows [0:%zu];\n  initial begin\n", word_bits(s->desc) - 1, s->n - 1);
  int status = replay_run(&r, s, NULL, &diverged, e);
  fprintf(f, "  end\n");
  return status;
}

/* A parameter of the shell has the stimulus' value. */
static bool put_parameter(const struct stimulus *s, const char *line, FILE *f) {
  char name[64];
  if (sscanf(line, " parameter %63[A-Za-z0-9_]", name) != 1) return false;
  int i = block_param_index(s->desc, name);
  if (i < 0) return false;
  fprintf(f, "  parameter %s = %" PRId32 ";\n", name, s->params[i]);
  return true;
}

/* The shell, line by line: its name, parameters, and where its words come from. */
static int put_shell(const struct stimulus *s, FILE *shell, FILE *f, struct err *e) {
  char *line = NULL;
  size_t size = 0;
  int status = 0;
  bool named = false, rows = false, reads = false;
  while (!status && getline(&line, &size, shell) >= 0) {
    if (!strncmp(line, "//", 2)) continue;
    if (!strncmp(line, "module ", 7)) {
      fprintf(f, "module %s_tb;\n", s->desc->name);
      named = true;
    } else if (put_parameter(s, line, f) || strstr(line, "$value$plusargs") || strstr(line, "usage: +vectors")) {
      continue;
    } else if (strstr(line, "initial begin") && !rows) {
      status = put_rows(s, f, e);
      fputs(line, f);
      rows = true;
    } else if (strstr(line, "file = $fopen")) {
      fprintf(f, "    t_cycles = %zu; clk = 0; t_word = 0;\n", s->n);
    } else if (strstr(line, "$fscanf")) {
      fprintf(f, "      t_word = rows[t_n];\n");
      reads = true;
    } else if (!strstr(line, "t_got != 1")) {
      fputs(line, f);
    }
  }
  free(line);
  if (status || (named && rows && reads)) return status;
  return err_set(e, ERR_INTERNAL, "the replay shell of %s is not as expected; build the project again", s->desc->name);
}

static int put_bench(const struct stimulus *s, FILE *f, struct err *e) {
  char path[1200];
  snprintf(path, sizeof path, "%s/%s_replay.v", s->desc->own ? s->desc->own->generated : rtl_paths_default().generated,
           s->desc->name);
  FILE *shell = fopen(path, "r");
  if (!shell) return err_set(e, ERR_FILE, "cannot read %s: %s; build the project again", path, strerror(errno));
  put_head(s, f);
  int status = put_shell(s, shell, f, e);
  fclose(shell);
  return status;
}

int testbench_write(const struct stimulus *s, const char *path, struct err *e) {
  struct out_file o;
  struct stimulus longer = {0};
  bool whole = s->has_rst_n || s->desc->no_reset;
  int status = whole ? 0 : stimulus_with_reset(s, &longer, e);
  if (!status) status = out_file_open(&o, path, e);
  if (!status) {
    status = put_bench(whole ? s : &longer, o.f, e);
    if (status) out_file_abandon(&o);
    else status = out_file_commit(&o, e);
  }
  stimulus_free(&longer);
  return status;
}
