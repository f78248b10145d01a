/* SPDX-License-Identifier: Apache-2.0 */
#include "synth/technology.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define TRACKS_LOW (7.0 / 9)
#define TRACKS_HIGH (12.0 / 9)
#define FLIP_FLOP_LOW 4.0
#define FLIP_FLOP_HIGH 5.7

const struct technology technology_all[] = {
  {180, 10.0, 5.59, "F. K. Gurkaynak, github.com/pulp-platform/snitch issue 43, 2021: about 10, give or take 20 %",
   "Yang et al., IEDM 1998 (Intel 180 nm)"},
  {130, 3.7536, 2.0, "sky130_fd_sc_hd__nand2_1 of the SkyWater open PDK (Liberty, area)",
   "Tyagi et al., IEDM 2000 (Intel 130 nm)"},
  {90, 3.136, 1.0, "UMC 90 nm: Henzen et al., CHES 2010", "Thompson et al., IEDM 2002 (Intel 90 nm)"},
  {65, 1.44, 0.57, "UMC 65 nm: Gurkaynak et al., SHA-3 conference 2012", "Bai et al., IEDM 2004 (Intel 65 nm)"},
  {45, 0.798, 0.346, "NAND2_X1 of the Nangate open cell library (Liberty, area)",
   "Mistry et al., IEDM 2007 (Intel 45 nm)"},
  {32, 0, 0.171, NULL, "Natarajan et al., IEDM 2008 (Intel 32 nm)"},
  {22, 0.199, 0.092, "GlobalFoundries 22FDX: Zaruba, Benini, IEEE TVLSI 27(11), 2019",
   "Auth et al., VLSI Technology 2012 (Intel 22 nm)"},
  {14, 0.0983, 0.0588,
   "gate pitch 70 nm, metal pitch 52 nm (Natarajan et al., IEDM 2014); assumption: three gate pitches by nine tracks, as at 45 nm",
   "Natarajan et al., IEDM 2014 (Intel 14 nm)"},
  {0, 0, 0, NULL, NULL}};

unsigned technology_node_of(const char *library) {
  static const struct {
    const char *prefix;
    unsigned node;
  } known[] = {{"osu018", 180}, {"osu035", 350},   {"osu05", 500}, {"NangateOpenCellLibrary", 45},
               {"sky130", 130}, {"gf180mcu", 180}, {"asap7", 7}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strncmp(library, known[i].prefix, strlen(known[i].prefix))) return known[i].node;
  return 0;
}

/* A column of the table at a node: the value of its row, or interpolated between the nearest rows that have one. */
static bool at_node(unsigned node, bool cell, double *value) {
  const struct technology *above = NULL;
  for (const struct technology *t = technology_all; t->node; t++) {
    double here = cell ? t->bit_cell : t->nand2, before = above ? (cell ? above->bit_cell : above->nand2) : 0;
    if (here == 0) continue;
    if (t->node == node) {
      *value = here;
      return true;
    }
    if (t->node < node) {
      if (!above) return false;
      double share = log((double)node / t->node) / log((double)above->node / t->node);
      *value = here * pow(before / here, share);
      return true;
    }
    above = t;
  }
  return false;
}

bool technology_nand2(unsigned node, struct band *um2) {
  double value;
  if (!at_node(node, false, &value)) return false;
  *um2 = (struct band){value, value * TRACKS_LOW, value * TRACKS_HIGH, 0};
  return true;
}

bool technology_bit_cell(unsigned node, double *um2) { return at_node(node, true, um2); }

bool technology_scale(unsigned node, const struct band *gates, unsigned flip_flops, double flip_flop_gates,
                      struct band *um2) {
  struct band nand2;
  if (!technology_nand2(node, &nand2)) return false;
  double low = flip_flop_gates < FLIP_FLOP_LOW ? flip_flop_gates : FLIP_FLOP_LOW;
  double high = flip_flop_gates > FLIP_FLOP_HIGH ? flip_flop_gates : FLIP_FLOP_HIGH;
  const struct band all = {gates->median + flip_flops * flip_flop_gates, gates->low + flip_flops * low,
                           gates->high + flip_flops * high, gates->n};
  *um2 = band_times(&all, &nand2);
  return true;
}

double technology_fo4(unsigned node) { return 0.425e-3 * node; }

bool technology_sram(unsigned node, const struct sram_shape *s, struct band *um2, struct band *access_ns) {
  double cell;
  if (!technology_bit_cell(node, &cell)) return false;
  double pitch = 2.5e-3 * node, width = sqrt(1.46 * cell), height = cell / width; /* um */
  unsigned ports = s->read_ports + s->write_ports, extra_writes = s->write_ports ? s->write_ports - 1 : 0;
  unsigned extra_reads = ports - 1 - extra_writes;
  height += 2 * pitch * (ports - 1);
  width += pitch * (2 * extra_writes + extra_reads);
  double columns = s->width, rows = s->rows;
  while (rows >= 4 * columns) {
    rows /= 2;
    columns *= 2;
  }
  double area = (columns + 16.0 * ports) * width * (rows + 24.0 * ports) * height;
  *um2 = (struct band){area, 0.6 * area, 3.5 * area, 0};
  double bits = (double)s->rows * s->width, doublings = log2(bits / 1024);
  double access = technology_fo4(node) * (8 + 1.2 * (doublings > 0 ? doublings : 0));
  *access_ns = (struct band){access, 0.7 * access, 1.5 * access, 0};
  return true;
}
