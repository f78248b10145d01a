/* SPDX-License-Identifier: Apache-2.0 */
/* The diagram for a page: colours come from its style sheet. */
#include "base/markup.h"
#include "diagram.h"

#include <inttypes.h>
#include <string.h>

enum { CELL = 58, LANE = 24, NAME = 230, TOP = 26, HIGH = 16, LETTERS = 7 };

static int x_of(uint32_t cycle) { return NAME + (int)cycle * CELL; }

static bool starts(const struct lane *l, const struct diagram *d, uint32_t i) {
  return !i || d->gap[i] || strcmp(l->value[i], l->value[i - 1]) != 0;
}

/* The end of a long number tells more than its beginning. */
static void put_value(FILE *f, const char *value, int x, int y, uint32_t cells) {
  size_t n = strlen(value), room = (size_t)LETTERS * cells;
  fprintf(f, "<text x=\"%d\" y=\"%d\" class=\"v\"><title>%s</title>", x, y, value);
  if (n > room) fprintf(f, "…%s", value + n - room + 1);
  else markup_put(f, value);
  fputs("</text>", f);
}

static void put_bit(const struct diagram *d, const struct lane *l, int y, FILE *f) {
  fprintf(f, "<path class=\"%s\" d=\"", "w");
  for (uint32_t i = 0; i < d->n_cycles; i++) {
    int level = y + (*l->value[i] == '1' ? 0 : HIGH);
    fprintf(f, "%c%d %dH%d", i ? 'L' : 'M', x_of(i), level, x_of(i + 1));
  }
  fputs("\"/>", f);
}

static void put_word(const struct diagram *d, const struct lane *l, int y, FILE *f) {
  for (uint32_t i = 0; i < d->n_cycles;) {
    uint32_t end = i + 1;
    while (end < d->n_cycles && !starts(l, d, end)) end++;
    int x0 = x_of(i), x1 = x_of(end);
    fprintf(f, "<path class=\"w\" d=\"M%d %dL%d %dH%dL%d %dL%d %dH%dZ\"/>", x0, y + HIGH / 2, x0 + 4, y, x1 - 4, x1,
            y + HIGH / 2, x1 - 4, y + HIGH, x0 + 4);
    put_value(f, l->value[i], (x0 + x1) / 2, y + HIGH - 4, end - i);
    i = end;
  }
}

static void put_lane(const struct diagram *d, const struct lane *l, int y, FILE *f) {
  for (uint32_t i = 0; i < d->n_cycles; i++)
    if (l->differs[i])
      fprintf(f, "<rect class=\"bad\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", x_of(i), y - 3, CELL, LANE - 2);
  fprintf(f, "<text x=\"%d\" y=\"%d\" class=\"n\">", NAME - 8, y + HIGH - 4);
  markup_put(f, l->name);
  fputs("</text>", f);
  if (l->width == 1) put_bit(d, l, y, f);
  else put_word(d, l, y, f);
  fputc('\n', f);
}

void diagram_svg(const struct diagram *d, FILE *f) {
  uint32_t kinds = 0;
  for (uint32_t i = 0; i < d->n_lanes; i++) kinds += !i || d->lane[i].kind != d->lane[i - 1].kind;
  int height = TOP + LANE * (int)(d->n_lanes + kinds) + 8;
  fprintf(f, "<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"timing diagram\">\n",
          x_of(d->n_cycles) + 8, height, x_of(d->n_cycles) + 8, height);
  for (uint32_t i = 0; i < d->n_cycles; i++) {
    fprintf(f, "<path class=\"g\" d=\"M%d %dV%d\"/><text x=\"%d\" y=\"16\" class=\"v\">%" PRIu64 "</text>\n", x_of(i),
            TOP - 6, height, x_of(i) + CELL / 2, d->cycle[i]);
    if (d->gap[i]) fprintf(f, "<path class=\"gap\" d=\"M%d %dV%d\"/>", x_of(i), TOP - 6, height);
  }
  int y = TOP;
  for (uint32_t i = 0; i < d->n_lanes; i++, y += LANE) {
    if (!i || d->lane[i].kind != d->lane[i - 1].kind) {
      fprintf(f, "<text x=\"4\" y=\"%d\" class=\"k\">%s</text>\n", y + HIGH - 2, lane_kinds[d->lane[i].kind]);
      y += LANE;
    }
    put_lane(d, &d->lane[i], y, f);
  }
  fputs("</svg>\n", f);
}

void diagram_table(const struct diagram *d, FILE *f) {
  fputs("<table><tr><th>cycle</th>", f);
  for (uint32_t k = 0; k < d->n_lanes; k++) {
    fputs("<th>", f);
    markup_put(f, d->lane[k].name);
    fputs("</th>", f);
  }
  fputs("</tr>\n", f);
  for (uint32_t i = 0; i < d->n_cycles; i++) {
    fprintf(f, "<tr%s><td>%" PRIu64 "</td>", d->gap[i] ? " class=\"gap\"" : "", d->cycle[i]);
    for (uint32_t k = 0; k < d->n_lanes; k++) {
      fputs(d->lane[k].differs[i] ? "<td class=\"bad\">" : "<td>", f);
      markup_put(f, d->lane[k].value[i]);
      fputs("</td>", f);
    }
    fputs("</tr>\n", f);
  }
  fputs("</table>\n", f);
}
