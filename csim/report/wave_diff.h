/* SPDX-License-Identifier: Apache-2.0 */
/* Where two waves first differ: the time, and the signals in the order of data flow. */
#ifndef TANDEM_REPORT_WAVE_DIFF_H
#define TANDEM_REPORT_WAVE_DIFF_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct err;

/* Roles in the order of data flow within an instance. */
enum wave_role { ROLE_INPUT, ROLE_REGISTER, ROLE_INSIDE, ROLE_OUTPUT, ROLE_MODEL, ROLE_SOCKET, ROLES };
extern const char *const wave_roles[ROLES]; /* "input", ... */

struct wave_difference {
  char *name;            /* with its scopes */
  char *value[2];        /* bits, the highest first */
  uint32_t width, order; /* order: of its declaration */
  enum wave_role role;
  uint32_t rank; /* within the role: place in the netlist, 0 if not known */
};

struct wave_diff {
  const char *path[2];
  bool differs;
  uint64_t time; /* of the first difference, in units of the waves */
  char timescale[32];
  struct wave_difference *list; /* at that time */
  uint32_t n;
  uint32_t compared; /* signals in both waves */
  uint32_t only[2];  /* signals in one of them alone */
  bool shorter[2];   /* this wave ends while the other goes on, and they agreed until then */
};

/* Compares signals of the same name from the time on at which both have a value. Errors as of vcd_stream_open(); ERR_VALUE: the waves have
 * no signal in common, or different units of time. */
int wave_diff_load(struct wave_diff *, const char *const path[2], struct err *);
void wave_diff_free(struct wave_diff *);
void wave_diff_print(const struct wave_diff *, uint32_t most, FILE *);
void wave_diff_print_json(const struct wave_diff *, FILE *);

/* Writes diff.fst, both waves around the difference, with diff.gtkw and diff.sucl that show the signals in pairs. ERR_TOOL: no vcd2fst. */
int wave_diff_save(const struct wave_diff *, const char *dir, struct err *);

#endif
