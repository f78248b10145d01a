/* SPDX-License-Identifier: Apache-2.0 */
/* Activities to OpenSTA, powers back. */
#include "base/err.h"
#include "base/out_file.h"
#include "base/process.h"
#include "synth/power_steps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool activity_of(const struct power_netlist *n, const struct power_counts *c, const json_t *bit,
                        double *activity, double *duty) {
  const char *constant = json_string_value(bit);
  if (constant && (*constant == '0' || *constant == '1')) { /* tied: it never moves */
    *activity = 0;
    *duty = *constant == '1';
    return true;
  }
  if (!json_is_integer(bit)) return false;
  uint32_t place = n->place[json_integer_value(bit)];
  if (!place) return false;
  *activity = (double)c->toggles[place - 1] / (double)c->cycles;
  *duty = (double)c->ones[place - 1] / (double)c->cycles;
  return true;
}

static void put_ports(FILE *f, const struct power_netlist *n, const struct power_counts *c) {
  const char *name;
  json_t *port, *bit;
  size_t i;
  double activity, duty;
  json_object_foreach(json_object_get(n->module, "ports"), name, port) {
    const json_t *bits = json_object_get(port, "bits");
    bool input = !strcmp(json_string_value(json_object_get(port, "direction")), "input");
    json_array_foreach((json_t *)bits, i, bit) {
      if (!input || !activity_of(n, c, bit, &activity, &duty)) continue;
      if (json_array_size(bits) == 1) fprintf(f, "port {%s} %.9g %.9g\n", name, activity, duty);
      else fprintf(f, "port {%s[%zu]} %.9g %.9g\n", name, i, activity, duty);
    }
  }
}

/* Pins that are told, and those that the clock tells. */
static unsigned put_pins(FILE *f, const struct power_netlist *n, const struct power_counts *c) {
  const char *name, *pin;
  json_t *cell, *bits;
  unsigned told = 0;
  double activity, duty;
  json_object_foreach(json_object_get(n->module, "cells"), name, cell) {
    json_object_foreach(json_object_get(cell, "connections"), pin, bits) {
      const json_t *bit = json_array_get(bits, 0);
      if (activity_of(n, c, bit, &activity, &duty)) {
        fprintf(f, "pin {%s/%s} %.9g %.9g\n", name, pin, activity, duty);
        told++;
      } else if (json_is_integer(bit) && (uint32_t)json_integer_value(bit) == n->clock) {
        told++;
      }
    }
  }
  return told;
}

static int write_activity(const char *folder, const struct power_netlist *n, const struct power_counts *c,
                          unsigned *told, struct err *e) {
  struct out_file out = {0};
  char path[SYNTH_PATH_BYTES];
  snprintf(path, sizeof path, "%.900s/activity.tcl", folder);
  int status = out_file_open(&out, path, e);
  if (status) return status;
  put_ports(out.f, n, c);
  *told = put_pins(out.f, n, c);
  status = out_file_commit(&out, e);
  snprintf(path, sizeof path, "%.900s/probe.v", folder);
  return status ? status : power_netlist_probe(n, path, e);
}

/* ---- reading ---- */

struct reader {
  double still[3], counted[3]; /* internal, switching, leakage */
  double clocked, data, farad, rise, fall;
  unsigned seen; /* bits of what was there */
  struct power_watts *w;
};

static int read_line(struct reader *r, const char *line, struct err *e) {
  if (!strncmp(line, "Error", 5)) return err_set(e, ERR_TOOL, "OpenSTA: %.*s", (int)strcspn(line, "\n"), line);
  double *still = r->still, *counted = r->counted;
  if (sscanf(line, "power still %lf %lf %lf", &still[0], &still[1], &still[2]) == 3) r->seen |= 1;
  else if (sscanf(line, "power counted %lf %lf %lf", &counted[0], &counted[1], &counted[2]) == 3) r->seen |= 2;
  else if (sscanf(line, "pins %u", &r->w->pins) == 1) r->seen |= 4;
  else if (sscanf(line, "voltage %lf", &r->w->voltage) == 1) r->seen |= 8;
  else if (sscanf(line, "farad %lf", &r->farad) == 1) r->seen |= 16;
  else if (sscanf(line, " Pin capacitance: r %lf f %lf", &r->rise, &r->fall) == 2) r->seen |= 32;
  else if (sscanf(line, " Pin capacitance: %lf", &r->rise) == 1) {
    r->fall = r->rise;
    r->seen |= 32;
  } else if (sscanf(line, "probe clocked %lf", &r->clocked) == 1) r->seen |= 64;
  else if (sscanf(line, "probe data %lf", &r->data) == 1) r->seen |= 128;
  else if (!strncmp(line, "done", 4)) r->seen |= 256;
  return 0;
}

/* How often the timer counts the energy of a clock's pin. 2.0.17: twice, held by hand against the tables of OSU 0.18 um (0.1107 pJ
 * a cycle and DFFPOSX1) and Nangate 45 nm (6.94 fJ a cycle and DFF_X1 at 0). Other versions are asked: a clocked flip-flop beside
 * one whose clock pin toggles as data; that answer is right for libraries whose energies have no `when`. */
static double clock_factor(const struct reader *r, const char *version) {
  if (!strcmp(version, "2.0.17")) return 2;
  return r->data > 0 ? r->clocked / r->data : 1;
}

/* What moves with the clock alone is the clock's; the rest is the data's. */
static void split(struct reader *r, const char *version, double hz) {
  struct power_watts *w = r->w;
  w->clock_factor = clock_factor(r, version);
  w->clock_pins = r->still[0] / w->clock_factor;
  w->clock_net = (r->rise + r->fall) / 2 * r->farad * w->voltage * w->voltage * hz;
  w->internal = r->counted[0] - r->still[0];
  w->switching = r->counted[1];
  w->leakage = r->counted[2];
}

static int read_report(const char *path, const char *version, double hz, struct power_watts *w, struct err *e) {
  struct reader r = {.w = w};
  char line[1024];
  FILE *f = fopen(path, "r");
  if (!f) return err_set(e, ERR_TOOL, "OpenSTA left no report at %s: %s", path, strerror(errno));
  int status = 0;
  while (!status && fgets(line, sizeof line, f)) status = read_line(&r, line, e);
  fclose(f);
  if (!status && r.seen != 511)
    status = err_set(e, ERR_TOOL, "OpenSTA stopped before the end of power.sta; see %s", path);
  if (!status) split(&r, version, hz);
  return status;
}

int power_add_up(const struct synth *s, const struct synth_set *set, const char *netlist, uint32_t khz,
                 const struct power_netlist *n, const struct power_counts *c, struct power_watts *w, struct err *e) {
  char path[SYNTH_PATH_BYTES], period[32], command[2 * SYNTH_PATH_BYTES], tail[400], *script = NULL;
  snprintf(period, sizeof period, "%.9g", 1e-3 / khz);
  const struct synth_slot slots[] = {{"LIBERTY", set->lib->text_path},
                                     {"NETLIST", netlist},
                                     {"TOP", set->design->name},
                                     {"PERIOD_S", period},
                                     {"CLOCK", set->design->clock}};
  memset(w, 0, sizeof *w);
  int status = write_activity(s->work, n, c, &w->annotated, e);
  if (!status) status = synth_template(s, "power.sta", slots, 5, &script, e);
  snprintf(path, sizeof path, "%.900s/power.sta", s->work);
  if (!status) status = synth_write_text(path, script, e);
  free(script);
  if (status) return status;
  snprintf(path, sizeof path, "%.900s/power.out", s->work);
  snprintf(command, sizeof command, "cd '%s' && sta -no_splash -exit power.sta >power.out 2>&1 </dev/null", s->work);
  char log[SYNTH_PATH_BYTES];
  snprintf(log, sizeof log, "%.900s/shell.log", s->work);
  if (process_shell(command, log, "OpenSTA", NULL)) {
    process_log_tail(path, tail, sizeof tail);
    return err_set(e, ERR_TOOL, "OpenSTA failed: %s", tail);
  }
  return read_report(path, s->sta, 1e3 * khz, w, e);
}
