/* SPDX-License-Identifier: Apache-2.0 */
/* A mapped netlist as a simulation sees it: every net a wire and a place in the vector that is counted. */
#include "base/err.h"
#include "base/out_file.h"
#include "synth/power_steps.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 32, LEAST_BITS = 96 /* so that Verilator keeps the vector as words */ };

static uint32_t padded(uint32_t bits) { return bits < LEAST_BITS ? LEAST_BITS : (bits + WORD - 1) / WORD * WORD; }

static void note_bits(struct power_netlist *n, const json_t *bits) {
  size_t i;
  json_t *bit;
  json_array_foreach((json_t *)bits, i, bit) {
    if (!json_is_integer(bit)) continue;
    uint32_t number = (uint32_t)json_integer_value(bit);
    if (number >= n->n_numbers || n->place[number] || number == n->clock) continue;
    n->place[number] = ++n->n;
  }
}

static uint32_t largest(const json_t *module) {
  uint32_t most = 0;
  const char *name, *pin;
  json_t *thing, *bits, *bit;
  size_t i;
  json_object_foreach(json_object_get(module, "ports"), name, thing) {
    json_array_foreach(json_object_get(thing, "bits"), i, bit) {
      if (json_is_integer(bit) && json_integer_value(bit) > most) most = (uint32_t)json_integer_value(bit);
    }
  }
  json_object_foreach(json_object_get(module, "cells"), name, thing) {
    json_object_foreach(json_object_get(thing, "connections"), pin, bits) {
      json_array_foreach(bits, i, bit) {
        if (json_is_integer(bit) && json_integer_value(bit) > most) most = (uint32_t)json_integer_value(bit);
      }
    }
  }
  return most;
}

int power_netlist_read(struct power_netlist *n, const struct synth_design *d, const char *json_path, struct err *e) {
  json_error_t problem;
  const char *name, *pin;
  json_t *thing, *bits;
  memset(n, 0, sizeof *n);
  n->design = d;
  n->root = json_load_file(json_path, 0, &problem);
  n->module = json_object_get(json_object_get(n->root, "modules"), d->name);
  if (!n->module)
    return err_set(e, ERR_TOOL, "%s does not hold the module %s: %s", json_path, d->name, n->root ? "" : problem.text);
  n->n_numbers = largest(n->module) + 1;
  n->place = calloc(n->n_numbers, sizeof *n->place);
  if (!n->place) return err_set(e, ERR_LIMIT, "out of memory for %u nets", n->n_numbers);
  const json_t *clock = json_object_get(json_object_get(json_object_get(n->module, "ports"), d->clock), "bits");
  if (!clock) return err_set(e, ERR_UNSUPPORTED, "%s has no clock: its power at a clock means nothing", d->name);
  n->clock = (uint32_t)json_integer_value(json_array_get(clock, 0));
  json_object_foreach(json_object_get(n->module, "ports"), name, thing) note_bits(n, json_object_get(thing, "bits"));
  json_object_foreach(json_object_get(n->module, "cells"), name, thing) {
    json_object_foreach(json_object_get(thing, "connections"), pin, bits) note_bits(n, bits);
  }
  return 0;
}

void power_netlist_free(struct power_netlist *n) {
  json_decref(n->root);
  free(n->place);
  memset(n, 0, sizeof *n);
}

/* ---- Verilog ---- */

static void put_net(FILE *f, const struct power_netlist *n, const json_t *bit) {
  const char *text = json_string_value(bit);
  if (!json_is_integer(bit)) fprintf(f, "1'b%s", text && *text == '1' ? "1" : "0");
  else if ((uint32_t)json_integer_value(bit) == n->clock) fprintf(f, "clk");
  else fprintf(f, "n%u", (unsigned)json_integer_value(bit));
}

static void put_cells(FILE *f, const struct power_netlist *n) {
  const char *name, *pin;
  json_t *cell, *bits;
  unsigned i = 0;
  json_object_foreach(json_object_get(n->module, "cells"), name, cell) {
    const char *type = json_string_value(json_object_get(cell, "type")), *comma = "";
    if (*type == '$') continue;
    fprintf(f, "  %s c%u (", type, i++);
    json_object_foreach(json_object_get(cell, "connections"), pin, bits) {
      if (!json_array_size(bits)) continue;
      fprintf(f, "%s.%s(", comma, pin);
      put_net(f, n, json_array_get(bits, 0));
      fprintf(f, ")");
      comma = ", ";
    }
    fprintf(f, ");\n");
  }
}

static const json_t *port_bits(const struct power_netlist *n, const char *name, const char *ending) {
  char port[2 * SYNTH_NAME_BYTES];
  snprintf(port, sizeof port, "%s%s", name, ending);
  return json_object_get(json_object_get(json_object_get(n->module, "ports"), port), "bits");
}

static void put_inputs(FILE *f, const struct power_netlist *n) {
  const struct block_desc *desc = n->design->desc;
  size_t k;
  json_t *bit;
  for (uint32_t i = 0; i < desc->n_in; i++)
    json_array_foreach((json_t *)port_bits(n, desc->in[i].name, "_i"), k, bit) if (json_is_integer(bit))
      fprintf(f, "  assign n%u = in_q[%zu];\n", (unsigned)json_integer_value(bit), 8 * desc->in[i].offset + k);
  json_array_foreach((json_t *)port_bits(n, "rst_ni", ""), k, bit) if (json_is_integer(bit))
    fprintf(f, "  assign n%u = rst_q;\n", (unsigned)json_integer_value(bit));
}

/* Bits of struct B_out from the top down; those between the fields are 0. */
static void put_outputs(FILE *f, const struct power_netlist *n, uint32_t bits, bool rtl) {
  const struct block_desc *desc = n->design->desc;
  fprintf(f, "  assign out_%s = {", rtl ? "rtl" : "netlist");
  for (uint32_t b = bits; b-- > 0;) {
    const struct block_field *field = NULL;
    uint32_t at = 0;
    for (uint32_t i = 0; i < desc->n_out && !field; i++) {
      const json_t *port = port_bits(n, desc->out[i].name, "_o");
      at = b - 8 * desc->out[i].offset;
      if (b >= 8 * desc->out[i].offset && at < json_array_size(port)) field = &desc->out[i];
    }
    if (!field) fprintf(f, "1'b0");
    else if (rtl) fprintf(f, "r_%s[%u]", field->name, at);
    else put_net(f, n, json_array_get(port_bits(n, field->name, "_o"), at));
    fprintf(f, b ? ", " : "};\n");
  }
}

static void put_rtl(FILE *f, const struct power_netlist *n) {
  const struct block_desc *desc = n->design->desc;
  for (uint32_t i = 0; i < desc->n_out; i++)
    fprintf(f, "  wire [%zu:0] r_%s;\n", json_array_size(port_bits(n, desc->out[i].name, "_o")) - 1, desc->out[i].name);
  fprintf(f, "  %s #(", n->design->name);
  for (unsigned i = 0; i < n->design->n_params; i++)
    fprintf(f, "%s.%s(%lld)", i ? ", " : "", n->design->params[i].name, (long long)n->design->params[i].value);
  fprintf(f, ") rtl (.clk_i(clk), .rst_ni(rst_q)");
  for (uint32_t i = 0; i < desc->n_in; i++)
    fprintf(f, ", .%s_i(in_q[%u +: %zu])", desc->in[i].name, 8 * desc->in[i].offset,
            json_array_size(port_bits(n, desc->in[i].name, "_i")));
  for (uint32_t i = 0; i < desc->n_out; i++) fprintf(f, ", .%s_o(r_%s)", desc->out[i].name, desc->out[i].name);
  fprintf(f, ");\n");
}

static void put_nets(FILE *f, const struct power_netlist *n, uint32_t bits) {
  uint32_t *number = calloc(bits, sizeof *number);
  invariant(number, "out of memory for %u nets", bits);
  for (uint32_t i = 0; i < n->n_numbers; i++)
    if (n->place[i]) number[n->place[i] - 1] = i;
  for (uint32_t w = 0; w < bits; w += WORD) {
    fprintf(f, "  assign nets[%u:%u] = {", w + WORD - 1, w);
    for (uint32_t b = WORD; b-- > 0;) {
      if (w + b < n->n) fprintf(f, "n%u", number[w + b]);
      else fprintf(f, "1'b0");
      fprintf(f, b ? ", " : "};\n");
    }
  }
  free(number);
}

int power_netlist_verilog(const struct power_netlist *n, const char *path, struct err *e) {
  struct out_file out = {0};
  int status = out_file_open(&out, path, e);
  if (status) return status;
  const struct block_desc *desc = n->design->desc;
  uint32_t in = padded(8 * desc->in_bytes), outputs = padded(8 * desc->out_bytes), nets = padded(n->n);
  fprintf(out.f,
          "module tandem_power(input wire clk, input wire rst_n, input wire [%u:0] in,\n"
          "  output wire [%u:0] out_netlist, output wire [%u:0] out_rtl, output wire [%u:0] nets);\n"
          /* inputs change with the clock, so that the logic is computed, and compiled, for one event only */
          "  reg [%u:0] in_q = 0;\n  reg rst_q = 0;\n"
          "  always @(posedge clk) begin\n    in_q <= in;\n    rst_q <= rst_n;\n  end\n",
          in - 1, outputs - 1, outputs - 1, nets - 1, in - 1);
  for (uint32_t i = 0; i < n->n_numbers; i++)
    if (n->place[i]) fprintf(out.f, "  wire n%u;\n", i);
  put_inputs(out.f, n);
  put_cells(out.f, n);
  put_outputs(out.f, n, outputs, false);
  put_rtl(out.f, n);
  put_outputs(out.f, n, outputs, true);
  put_nets(out.f, n, nets);
  fprintf(out.f, "endmodule\n");
  return out_file_commit(&out, e);
}

/* The first cell with a pin at the clock, its clock pin at `clock`, its other inputs at d. */
static void put_probe(FILE *f, const struct power_netlist *n, const json_t *cell, const char *name, const char *clock) {
  const char *pin, *comma = "";
  json_t *bits;
  fprintf(f, "  %s %s (", json_string_value(json_object_get(cell, "type")), name);
  json_object_foreach(json_object_get(cell, "connections"), pin, bits) {
    const char *direction = json_string_value(json_object_get(json_object_get(cell, "port_directions"), pin));
    const json_t *bit = json_array_get(bits, 0);
    bool clocks = json_is_integer(bit) && (uint32_t)json_integer_value(bit) == n->clock;
    if (clocks || (direction && !strcmp(direction, "input"))) {
      fprintf(f, "%s.%s(%s)", comma, pin, clocks ? clock : "d");
      comma = ", ";
    }
  }
  fprintf(f, ");\n");
}

static bool is_clocked(const struct power_netlist *n, const json_t *cell) {
  const char *pin;
  json_t *bits;
  json_object_foreach(json_object_get(cell, "connections"), pin, bits) {
    const json_t *bit = json_array_get(bits, 0);
    if (json_is_integer(bit) && (uint32_t)json_integer_value(bit) == n->clock) return true;
  }
  return false;
}

int power_netlist_probe(const struct power_netlist *n, const char *path, struct err *e) {
  struct out_file out = {0};
  const char *name;
  json_t *cell;
  json_object_foreach(json_object_get(n->module, "cells"), name, cell) {
    if (!is_clocked(n, cell)) continue;
    int status = out_file_open(&out, path, e);
    if (status) return status;
    fprintf(out.f, "module tandem_probe(c, k, d);\n  input c, k, d;\n");
    put_probe(out.f, n, cell, "clocked", "c");
    put_probe(out.f, n, cell, "data", "k");
    fprintf(out.f, "endmodule\n");
    return out_file_commit(&out, e);
  }
  return err_set(e, ERR_UNSUPPORTED, "%s holds no flip-flop: its power at a clock means nothing", n->design->name);
}

const char *power_output_at(const struct block_desc *desc, uint32_t bit, uint32_t *at) {
  const struct block_field *f = desc->out;
  while (bit >= 8 * (f->offset + f->slot)) f++;
  *at = bit - 8 * f->offset;
  return f->name;
}
