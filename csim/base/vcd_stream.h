/* SPDX-License-Identifier: Apache-2.0 */
/* A whole wave, time by time: every signal of a VCD (IEEE 1364-2005, 18), or of an FST by way of fst2vcd. */
#ifndef TANDEM_BASE_VCD_STREAM_H
#define TANDEM_BASE_VCD_STREAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct err;

/* A signal; several names may share a value. */
struct vcd_name {
  char *name;            /* with its scopes, separated by dots */
  uint32_t width, value; /* value: index */
};

struct vcd_value {
  uint32_t width;
  bool known; /* it has had a value */
  char *bits; /* width characters 0, 1, x, z, the highest first, and a 0 */
};

struct vcd_stream {
  const char *path;
  FILE *f;
  bool pipe, ended;
  uint32_t line;
  struct vcd_name *names; /* in the order of their declarations */
  uint32_t n_names, names_max;
  struct vcd_value *values;
  uint32_t n_values, values_max;
  uint64_t next;     /* time of the changes that come next */
  uint32_t *changed; /* values that changed in the last step */
  uint32_t n_changed;
  char timescale[32]; /* "1ns" */
  void *ids;
};

/* Opens the file and reads its declarations. ERR_FILE, ERR_TOOL: an FST without fst2vcd; ERR_SYNTAX with file and line. */
int vcd_stream_open(struct vcd_stream *, const char *path, struct err *);
void vcd_stream_close(struct vcd_stream *);
/* Takes the changes of time `next`; then `next` is that of the following ones, or `ended` is set. */
int vcd_stream_step(struct vcd_stream *, struct err *);

#endif
