/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/emission.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

int emission_open(struct emission *m, const char *format, const char *out_dir, struct err *e) {
  static const char *const names[] = {
#define X(name, sentence) #name,
    EMISSION_FORMATS(X)
#undef X
  };
  *m = (struct emission){.out_dir = out_dir};
  for (int i = 0; i < EMISSIONS; i++)
    if (!strcmp(names[i], format)) {
      m->format = (enum emission_format)i;
      return 0;
    }
#define X(name, sentence) "\n  " #name ": " sentence
  return err_set(e, ERR_USAGE, "--emit %s: there is no such format; there are" EMISSION_FORMATS(X), format);
#undef X
}

int emission_add(struct emission *m, const char *id, const char *command, struct err *e) {
  for (unsigned i = 0; i < m->n; i++)
    if (!strcmp(m->run[i].id, id)) return 0;
  if (m->n == m->capacity) {
    unsigned capacity = m->capacity ? 2 * m->capacity : 64;
    struct emitted *run = realloc(m->run, capacity * sizeof *run);
    if (!run) return err_set(e, ERR_LIMIT, "out of memory for %u runs", capacity);
    m->run = run;
    m->capacity = capacity;
  }
  struct emitted *r = &m->run[m->n];
  snprintf(r->id, sizeof r->id, "%s", id);
  r->command = strdup(command);
  if (!r->command) return err_set(e, ERR_LIMIT, "out of memory for %u runs", m->n);
  m->n++;
  return 0;
}

/* Text inside ' ' of a shell. */
static void put_quoted(FILE *f, const char *text) {
  fputc('\'', f);
  for (; *text; text++) {
    if (*text == '\'') fputs("'\\''", f);
    else fputc(*text, f);
  }
  fputc('\'', f);
}

static void write_slurm(const struct emission *m, FILE *f) {
  fprintf(f, "#!/bin/bash\n#SBATCH --array=0-%u\n#SBATCH --ntasks=1\n#SBATCH --output=/dev/null\ncommands=(\n",
          m->n ? m->n - 1 : 0);
  for (unsigned i = 0; i < m->n; i++) {
    fputs("  ", f);
    put_quoted(f, m->run[i].command);
    fputc('\n', f);
  }
  fprintf(f, ")\n[ ${#commands[@]} = 0 ] || eval \"${commands[$SLURM_ARRAY_TASK_ID]}\"\n");
}

static void write_parallel(const struct emission *m, FILE *f) {
  for (unsigned i = 0; i < m->n; i++) fprintf(f, "%s\n", m->run[i].command);
}

/* A text of Python. */
static void put_python(FILE *f, const char *text) {
  fputc('"', f);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') fputc('\\', f);
    if (*text == '{' || *text == '}') fputc(*text, f); /* snakemake formats its shell commands */
    fputc(*text, f);
  }
  fputc('"', f);
}

static void write_snakemake(const struct emission *m, FILE *f) {
  fprintf(f, "rule all:\n  input:\n");
  for (unsigned i = 0; i < m->n; i++) fprintf(f, "    \"%s/%s/run.json\",\n", m->out_dir, m->run[i].id);
  for (unsigned i = 0; i < m->n; i++) {
    fprintf(f, "\nrule run_%s:\n  output: \"%s/%s/run.json\"\n  shell: ", m->run[i].id, m->out_dir, m->run[i].id);
    put_python(f, m->run[i].command);
    fputc('\n', f);
  }
}

void emission_write(const struct emission *m, FILE *f) {
  if (m->format == EMISSION_slurm) write_slurm(m, f);
  else if (m->format == EMISSION_parallel) write_parallel(m, f);
  else write_snakemake(m, f);
}

void emission_close(struct emission *m) {
  for (unsigned i = 0; i < m->n; i++) free(m->run[i].command);
  free(m->run);
  memset(m, 0, sizeof *m);
}
