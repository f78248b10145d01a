/* SPDX-License-Identifier: Apache-2.0 */
/* Memories of a design: they are cut out before mapping, so that their pins become ports, and timed by the SRAM model. */
#include "base/err.h"
#include "synth/steps.h"
#include "synth/technology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool synth_is_memory(const struct synth *s, const struct synth_memory *m) {
  return m->write_ports && m->read_ports + m->write_ports <= SYNTH_MEMORY_PORTS_MAX &&
         (int64_t)m->width * m->rows >= s->options.memory_bits;
}

bool synth_has_memories(const struct synth *s, const struct synth_design *d) {
  for (unsigned i = 0; i < d->n_memories; i++)
    if (synth_is_memory(s, &d->memories[i])) return true;
  return false;
}

unsigned synth_node(const struct synth *s, const struct liberty *lib) {
  return s->options.node ? s->options.node : technology_node_of(lib->name);
}

int synth_memory_model(const struct synth *s, const struct liberty *lib, const struct synth_memory *m, struct band *um2,
                       struct band *access_ns, struct err *e) {
  const struct sram_shape shape = {m->rows, m->width, m->read_ports, m->write_ports};
  unsigned node = synth_node(s, lib);
  if (!node)
    return err_set(e, ERR_USAGE,
                   "the node of the library %s is not known, and the memory %s needs it; give it with --node, in nm",
                   lib->name, m->name);
  if (technology_sram(node, &shape, um2, access_ns)) return 0;
  return err_set(e, ERR_VALUE, "no SRAM cell is on record for %u nm; give a node of 14..180 nm with --node", node);
}

/* Commands of map.ys that replace the arrays by instances of black boxes without parameters. */
static void cut_commands(const struct synth *s, const struct synth_design *d, FILE *f) {
  static const char *const parameters[] = {"ABITS",
                                           "INIT",
                                           "MEMID",
                                           "OFFSET",
                                           "RD_ARST_VALUE",
                                           "RD_CE_OVER_SRST",
                                           "RD_CLK_ENABLE",
                                           "RD_CLK_POLARITY",
                                           "RD_COLLISION_X_MASK",
                                           "RD_INIT_VALUE",
                                           "RD_PORTS",
                                           "RD_SRST_VALUE",
                                           "RD_TRANSPARENCY_MASK",
                                           "RD_WIDE_CONTINUATION",
                                           "SIZE",
                                           "WIDTH",
                                           "WR_CLK_ENABLE",
                                           "WR_CLK_POLARITY",
                                           "WR_PORTS",
                                           "WR_PRIORITY_MASK",
                                           "WR_WIDE_CONTINUATION"};
  fprintf(f, "opt\nmemory -nomap\nopt_clean\nread_verilog -sv memories.v\ncd %s\n", d->name);
  for (unsigned i = 0; i < d->n_memories; i++) {
    const char *cell = d->memories[i].cell;
    if (!synth_is_memory(s, &d->memories[i])) continue;
    fprintf(f, "chtype -set tandem_memory_%u c:%s\nsetparam", i, cell);
    for (size_t k = 0; k < sizeof parameters / sizeof *parameters; k++) fprintf(f, " -unset %s", parameters[k]);
    fprintf(f, " c:%s\nrename %s memory%u\n", cell, cell, i);
  }
  fprintf(f, "cd ..");
}

/* Timing constraints of the memories. Data of a clocked read arrives after the access time; inputs must be stable one FO4 delay
 * before the edge. A path through an unclocked read is in two parts, which timing_read adds up with the access time. */
static int timing_commands(const struct synth *s, const struct synth_set *set, FILE *f, struct err *e) {
  double unit_ns = set->lib->time_unit_s * 1e9, setup = technology_fo4(synth_node(s, set->lib)) / unit_ns;
  for (unsigned i = 0; i < set->design->n_memories; i++) {
    const struct synth_memory *m = &set->design->memories[i];
    struct band um2, access;
    if (!synth_is_memory(s, m)) continue;
    int status = synth_memory_model(s, set->lib, m, &um2, &access, e);
    if (status) return status;
    fprintf(
      f,
      "set_false_path -to [get_ports {memory%u_*_CLK*}]\nset_output_delay %.6f -clock clk [get_ports {memory%u_WR_*}]\n",
      i, setup, i);
    if (m->read_ports && m->clocked_reads)
      fprintf(f,
              "set_input_delay %.6f -clock clk [get_ports {memory%u_RD_DATA*}]\n"
              "set_output_delay %.6f -clock clk [get_ports {memory%u_RD_ADDR* memory%u_RD_EN*}]\n",
              access.median / unit_ns, i, setup, i, i);
  }
  return 0;
}

/* Sections of the timing report for memories with unclocked reads. */
static void timing_parts(const struct synth *s, const struct synth_design *d, FILE *f) {
  char addresses[1024] = "", data[1024] = "";
  for (unsigned i = 0; i < d->n_memories; i++) {
    if (!synth_is_memory(s, &d->memories[i]) || d->memories[i].clocked_reads || !d->memories[i].read_ports) continue;
    snprintf(addresses + strlen(addresses), sizeof addresses - strlen(addresses), " memory%u_RD_ADDR*", i);
    snprintf(data + strlen(data), sizeof data - strlen(data), " memory%u_RD_DATA*", i);
  }
  if (*addresses)
    fprintf(f, "part to-memory [list -to [get_ports {%s}]]\npart from-memory [list -from [get_ports {%s}]]\n",
            addresses, data);
}

/* The section of the inputs that the manifest calls timed. */
static void timed_inputs(const struct synth_design *d, FILE *f) {
  const char *before = "part timed-input [list -from [get_ports {";
  for (uint32_t i = 0; d->desc && i < d->desc->n_in; i++) {
    const struct block_field *port = &d->desc->in[i];
    if (!port->timed) continue;
    fprintf(f, "%s%s_i*", before, port->name);
    before = " ";
  }
  if (*before == ' ') fprintf(f, "}]]\n");
}

double synth_open_access(const struct synth *s, const struct synth_set *set) {
  double worst = 0;
  for (unsigned i = 0; i < set->design->n_memories && set->cut; i++) {
    const struct synth_memory *m = &set->design->memories[i];
    struct band um2, access;
    if (synth_is_memory(s, m) && m->read_ports && !m->clocked_reads &&
        !synth_memory_model(s, set->lib, m, &um2, &access, NULL) && access.median > worst)
      worst = access.median;
  }
  return worst;
}

int synth_memory_texts(const struct synth *s, const struct synth_set *set, struct synth_memory_texts *t,
                       struct err *e) {
  size_t size;
  int status = 0;
  memset(t, 0, sizeof *t);
  FILE *cut = open_memstream(&t->cut, &size), *timing = open_memstream(&t->timing, &size);
  FILE *parts = open_memstream(&t->parts, &size), *boxes = open_memstream(&t->boxes, &size);
  if (!cut || !timing || !parts || !boxes) status = err_set(e, ERR_LIMIT, "out of memory");
  if (!status) timed_inputs(set->design, parts);
  if (!status && set->cut) {
    cut_commands(s, set->design, cut);
    status = timing_commands(s, set, timing, e);
    timing_parts(s, set->design, parts);
    for (unsigned i = 0; i < set->design->n_memories; i++) {
      const struct synth_memory *m = &set->design->memories[i];
      unsigned r = m->read_ports ? m->read_ports : 1, w = m->write_ports ? m->write_ports : 1;
      if (!synth_is_memory(s, m)) continue;
      fprintf(
        boxes,
        "(* blackbox *) module tandem_memory_%u(input [%u:0] RD_CLK, RD_EN, RD_ARST, RD_SRST, input [%u:0] RD_ADDR, "
        "output [%u:0] RD_DATA, input [%u:0] WR_CLK, input [%u:0] WR_EN, WR_DATA, input [%u:0] WR_ADDR); endmodule\n",
        i, r - 1, r * m->address_bits - 1, r * m->width - 1, w - 1, w * m->width - 1, w * m->address_bits - 1);
    }
  }
  FILE *files[] = {cut, timing, parts, boxes};
  for (int i = 0; i < 4; i++)
    if (files[i] && fclose(files[i]) && !status) status = err_set(e, ERR_LIMIT, "out of memory");
  return status;
}

void synth_memory_texts_free(struct synth_memory_texts *t) {
  free(t->cut);
  free(t->timing);
  free(t->parts);
  free(t->boxes);
}
