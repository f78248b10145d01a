/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a run: every result takes its final name. */
#include "run/simulator.h"

/* What the run counted. */
static int write_figures(struct simulator *s, struct err *e) {
  int status = run_csv_write(s, e);
  if (!status && s->session.kernels) status = run_kernels_write(s, e);
  if (!status && s->session.events) status = run_events_write(s, e);
  if (!status && s->session.events & EVENTS_PERFETTO) status = run_perfetto_write(s, e);
  if (!status && s->konata) status = run_konata_write(s->konata, &s->session, e);
  if (!status && s->lines) status = run_lines_write(s->lines, &s->session, e);
  if (!status && s->session.histograms) status = run_histograms_write(&s->session, s->gpu, e);
  return status;
}

int run_finish(struct simulator *s, struct err *e) {
  int status = 0;
  bool whole = s->outcome == RUN_CLEAN || s->outcome == RUN_INPUT; /* after a refused call a program may go on */
  if (s->session.wave && !dpi_divergence(s->dpi)) status = dpi_wave_finish(s->dpi, e);
  if (!status && s->session.rtl_coverage) status = dpi_write_coverage(s->dpi, s->session.out_dir, e);
  if (!status && s->session.n_records && whole) status = dpi_write_recordings(s->dpi, gpu_core_cycles(s->gpu), e);
  struct run_trace *trace = s->trace;
  s->trace = NULL;
  int kept = run_trace_finish(trace, !status && whole, status ? NULL : e);
  if (!status) status = kept;
  struct run_access *access = s->access;
  s->access = NULL;
  kept = run_access_finish(access, !status && whole, status ? NULL : e);
  if (!status) status = kept;
  if (!status && whole) {
    status = run_database_commit(s->database, &s->session, s->gpu, s->launches, s->n_launches, e);
    s->database = NULL;
  }
  struct run_samples *samples = s->samples;
  s->samples = NULL;
  kept = run_samples_finish(samples, !status && s->outcome != RUN_DIVERGED, status ? NULL : e);
  if (!status) status = kept;
  if (status) simulator_note(s, RUN_INPUT, e->text);
  if (*s->session.out_dir) {
    int written = run_json_write(s, status ? NULL : e);
    if (!written && s->outcome != RUN_DIVERGED) written = write_figures(s, status ? NULL : e);
    if (!status) status = written;
  }
  simulator_destroy(s);
  return status;
}
