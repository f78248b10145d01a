/* SPDX-License-Identifier: Apache-2.0 */
/* Where cycles went, by kernel and by SM, as bars. */
#include "report/page_parts.h"
#include "report/svg.h"

#include <string.h>

enum { BAR_PIXELS = 22, THIN_PIXELS = 14, FEW_ROWS = 16 };

/* Cycles without a CTA are no cause; their colour recedes with the paper's. */
static const char *colour_of(uint32_t column) {
  return column + 1 == stall_class_count() ? "var(--idle)" : stalls_class(column)->colour;
}

static void put_bar(const struct svg_plot *plot, const struct page *p, const struct stall_row *row, double y) {
  double from = 0;
  for (uint32_t c = 0; c < stall_class_count(); c++) {
    char title[160];
    double share = row->cycles ? 100 * (double)row->of[c] / (double)row->cycles : 0;
    if (!stalls_shows(&p->stalls, c) || share <= 0) continue;
    snprintf(title, sizeof title, "%s, %s: %.1f %%", row->name, stalls_class(c)->title, share);
    svg_box(plot, from, from + share, y - 0.42, y + 0.42, colour_of(c), 1, title);
    from += share;
  }
}

static void put_bars(const struct page *p, const char *title, const struct stall_row *rows, uint32_t n) {
  struct svg_plot plot;
  double pixels = n > FEW_ROWS ? THIN_PIXELS : BAR_PIXELS;
  fprintf(p->f, "<h3>%s</h3>\n", title);
  svg_begin(&plot, p->f, PAGE_WIDTH, 50 + pixels * n, title);
  plot.left = 190;
  plot.x1 = 100;
  plot.y0 = -0.5;
  plot.y1 = n - 0.5;
  for (uint32_t i = 0; i < n; i++) {
    double y = n - 1.0 - i; /* the first one on top */
    char name[40];
    snprintf(name, sizeof name, strlen(rows[i].name) > 28 ? "%.25s..." : "%s", rows[i].name);
    put_bar(&plot, p, &rows[i], y);
    svg_row_label(&plot, y, name);
  }
  svg_x_axis(&plot, "SM cycles, %");
  svg_end(&plot);
}

void page_stalls(const struct page *p) {
  fputs("<h2>Where the cycles of the SMs went</h2>\n<p class=\"legend\">", p->f);
  for (uint32_t c = 0; c < stall_class_count(); c++)
    if (stalls_shows(&p->stalls, c)) svg_legend_item(p->f, colour_of(c), stalls_class(c)->title);
  fputs("</p>\n", p->f);
  put_bars(p, "Kernels", p->stalls.kernels, p->stalls.n_kernels);
  put_bars(p, "SMs", p->stalls.sms, p->stalls.n_sms);
}
