/* SPDX-License-Identifier: Apache-2.0 */
/* What run.json alone says: first figures, launches, engines, configuration, all counters. */
#include "base/markup.h"
#include "config/counters.h"
#include "config/gpu_config.h"
#include "report/page_parts.h"
#include "report/svg.h"

#include <string.h>

static double number(const json_t *j, const char *key) { return json_number_value(json_object_get(j, key)); }

static double share(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

static void tile(FILE *f, double value, const char *unit, const char *what) {
  char text[48];
  svg_number(text, sizeof text, value);
  fprintf(f, "<div class=\"tile\"><b>%s%s</b><span>%s</span></div>", text, unit, what);
}

void page_figures(const struct page *p) {
  const json_t *s = json_object_get(p->run, "statistics"), *sm = json_object_get(s, "sm");
  const json_t *m = json_object_get(s, "memory");
  double cycles = number(s, "core_cycles"),
         l1 = number(sm, "l1_hits") + number(sm, "l1_misses") + number(sm, "l1_merges");
  double l2 = number(m, "l2_hits") + number(m, "l2_misses"),
         commands = number(m, "dram_reads") + number(m, "dram_writes");
  fputs("<div class=\"tiles\">", p->f);
  tile(p->f, cycles, "", "core cycles");
  tile(p->f, number(s, "time_ns") / 1000, " &micro;s", "simulated");
  tile(p->f, number(sm, "warp_instructions"), "", "warp instructions");
  tile(p->f, cycles > 0 ? number(sm, "warp_instructions") / cycles : 0, "", "warp instructions a core cycle");
  tile(p->f, share(number(sm, "issue_cycles"), number(sm, "cycles")), " %", "of SM cycles issue");
  if (l1 > 0) tile(p->f, share(number(sm, "l1_hits"), l1), " %", "L1 load hits");
  if (l2 > 0) tile(p->f, share(number(m, "l2_hits"), l2), " %", "L2 hits");
  if (number(sm, "replies") > 0)
    tile(p->f, number(sm, "reply_cycles") / number(sm, "replies"), "", "core cycles, mean of a request to memory");
  if (commands > 0) tile(p->f, share(number(m, "dram_row_hits"), commands), " %", "DRAM row hits");
  if (number(m, "dram_cycles") > 0)
    tile(p->f, share(number(m, "dram_busy_cycles"), number(m, "dram_cycles")), " %", "DRAM data buses busy");
  fputs("</div>\n", p->f);
}

/* ---- launches and engines ---- */

static void put_triple(FILE *f, const json_t *j) {
  fputs("<td class=\"n\">", f);
  for (size_t i = 0; i < json_array_size(j); i++)
    fprintf(f, "%s%lld", i ? " &times; " : "", (long long)json_integer_value(json_array_get(j, i)));
  fputs("</td>", f);
}

static void put_number(FILE *f, double value) {
  char text[48];
  svg_number(text, sizeof text, value);
  fprintf(f, "<td class=\"n\">%s</td>", text);
}

static void put_launches(const struct page *p, const json_t *launches) {
  fputs("<div class=\"scroll\"><table><thead><tr><th class=\"n\">launch</th><th>kernel</th><th class=\"n\">grid</th>"
        "<th class=\"n\">block</th><th class=\"n\">CTAs an SM</th><th class=\"n\">core cycles</th><th class=\"n\">warp "
        "instructions</th><th class=\"n\">a cycle</th></tr></thead><tbody>\n",
        p->f);
  for (size_t i = 0; i < json_array_size(launches); i++) {
    const json_t *l = json_array_get(launches, i);
    double cycles = number(l, "core_cycles"), instructions = number(json_object_get(l, "sm"), "warp_instructions");
    fprintf(p->f, "<tr><td class=\"n\">%zu</td><td>", i);
    markup_put(p->f, json_string_value(json_object_get(l, "kernel")));
    fputs("</td>", p->f);
    put_triple(p->f, json_object_get(l, "grid"));
    put_triple(p->f, json_object_get(l, "block"));
    put_number(p->f, number(l, "ctas_per_sm"));
    put_number(p->f, cycles);
    put_number(p->f, instructions);
    put_number(p->f, cycles > 0 ? instructions / cycles : 0);
    fputs("</tr>\n", p->f);
  }
  fputs("</tbody></table></div>\n", p->f);
}

static void put_engines(const struct page *p, const json_t *engines) {
  fputs("<h2>Blocks</h2><div class=\"scroll\"><table><thead><tr><th>instance</th><th>block</th><th>engine</th><th "
        "class=\"n\">cycles</th><th class=\"n\">skipped</th></tr></thead><tbody>\n",
        p->f);
  for (size_t i = 0; i < json_array_size(engines); i++) {
    const json_t *b = json_array_get(engines, i);
    static const char *const names[] = {"instance", "block", "engine"};
    fputs("<tr>", p->f);
    for (int k = 0; k < 3; k++) {
      const char *text = json_string_value(json_object_get(b, names[k]));
      fputs("<td>", p->f);
      markup_put(p->f, text ? text : "?");
      fputs("</td>", p->f);
    }
    put_number(p->f, number(b, "cycles"));
    put_number(p->f, number(b, "skipped"));
    fputs("</tr>\n", p->f);
  }
  fputs("</tbody></table></div>\n", p->f);
}

void page_launches(const struct page *p) {
  const json_t *launches = json_object_get(json_object_get(p->run, "statistics"), "launches");
  const json_t *engines = json_object_get(p->run, "engines");
  bool many = json_array_size(launches) > 12;
  fputs("<h2>Launches</h2>\n", p->f);
  if (many) fprintf(p->f, "<details><summary>%zu launches</summary>\n", json_array_size(launches));
  put_launches(p, launches);
  if (many) fputs("</details>\n", p->f);
  if (json_array_size(engines)) put_engines(p, engines);
}

/* ---- configuration and counters ---- */

/* The value number `value` of "a|b", or the number. */
static void default_text(const struct gpu_parameter *q, char *out, size_t size) {
  const char *name = q->names;
  for (int64_t i = 0; name && i < q->default_value; i++) {
    name = strchr(name, '|');
    if (name) name++;
  }
  if (name) snprintf(out, size, "%.*s", (int)strcspn(name, "|"), name);
  else snprintf(out, size, "%lld", (long long)q->default_value);
}

static void put_parameters(const struct page *p) {
  const json_t *values = json_object_get(json_object_get(p->run, "config"), "parameters");
  const struct gpu_parameter *q;
  fputs("<details><summary>Configuration</summary><p class=\"soft\">Bold: other than the default.</p><div "
        "class=\"scroll\"><table><thead><tr><th>parameter</th><th class=\"n\">value</th><th class=\"n\">default</th>"
        "<th>unit</th><th>meaning</th></tr></thead><tbody>\n",
        p->f);
  for (unsigned i = 0; (q = gpu_parameter_at(i)); i++) {
    const json_t *j = json_object_get(values, q->key);
    char value[64], usual[64];
    if (!j) continue;
    if (json_is_string(j)) snprintf(value, sizeof value, "%s", json_string_value(j));
    else snprintf(value, sizeof value, "%lld", (long long)json_integer_value(j));
    default_text(q, usual, sizeof usual);
    fprintf(p->f, "<tr%s><td>%s</td><td class=\"n\">", strcmp(value, usual) != 0 ? " class=\"set\"" : "", q->key);
    markup_put(p->f, value);
    fprintf(p->f, "</td><td class=\"n\">%s</td><td>%s</td><td>", usual, q->unit ? q->unit : "");
    markup_put(p->f, q->sentence);
    fputs("</td></tr>\n", p->f);
  }
  fputs("</tbody></table></div></details>\n", p->f);
}

static void put_counters(const struct page *p, const char *title, const char *key, enum counter_kind kind) {
  const json_t *values = json_object_get(json_object_get(p->run, "statistics"), key);
  struct counter_table t = counter_table(kind);
  fprintf(p->f,
          "<details><summary>%s</summary><div class=\"scroll\"><table><thead><tr><th>counter</th><th "
          "class=\"n\">value</th><th>unit</th><th>meaning</th></tr></thead><tbody>\n",
          title);
  for (uint32_t i = 0; i < t.n; i++) {
    if (!json_object_get(values, t.rows[i].name)) continue;
    fprintf(p->f, "<tr><td>%s</td>", t.rows[i].name);
    put_number(p->f, number(values, t.rows[i].name));
    fprintf(p->f, "<td>%s</td><td>", t.rows[i].unit);
    markup_put(p->f, t.rows[i].sentence);
    fputs("</td></tr>\n", p->f);
  }
  fputs("</tbody></table></div></details>\n", p->f);
}

void page_details(const struct page *p) {
  fputs("<h2>Details</h2>\n", p->f);
  put_parameters(p);
  put_counters(p, "Counters of all SMs", "sm", COUNTERS_SM);
  put_counters(p, "Counters of the memory system", "memory", COUNTERS_MEMORY);
}
