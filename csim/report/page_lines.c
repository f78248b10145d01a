/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of PTX for which most cycles counted. */
#include "base/markup.h"
#include "report/page_parts.h"
#include "report/svg.h"

#include <inttypes.h>

enum { LINES = 25, BAR_PIXELS = 160 };

static void put_bar(FILE *f, const struct line_row *row, uint64_t most) {
  double from = 0;
  fprintf(f, "<td><svg viewBox=\"0 0 %d 14\" width=\"%d\" height=\"14\" role=\"img\" aria-label=\"cycles by cause\">",
          BAR_PIXELS, BAR_PIXELS);
  for (uint32_t c = 0; c + 1 < stall_class_count(); c++) {
    double width = BAR_PIXELS * (double)row->of[c] / (double)most;
    if (width <= 0) continue;
    fprintf(f,
            "<rect x=\"%.2f\" y=\"0\" width=\"%.2f\" height=\"14\" style=\"fill:%s\"><title>%s: %" PRIu64
            " cycles</title></rect>",
            from, width, stalls_class(c)->colour, stalls_class(c)->title, row->of[c]);
    from += width;
  }
  fputs("</svg></td>", f);
}

void page_lines(const struct page *p) {
  const struct lines *l = &p->lines;
  if (!l->n || !l->row[0].cycles) return;
  fputs("<h2>Lines of PTX</h2>\n<p class=\"soft\">A cycle without issue counts for the line that the oldest warp with "
        "the counted cause would issue next.</p>\n<div class=\"scroll\"><table><thead><tr><th>kernel</th><th "
        "class=\"n\">line</th><th class=\"n\">SM cycles</th><th class=\"n\">share</th><th>by cause</th><th>waits most "
        "for</th><th>PTX</th></tr></thead><tbody>\n",
        p->f);
  for (uint32_t i = 0; i < l->n && i < LINES && l->row[i].cycles; i++) {
    const struct line_row *row = &l->row[i];
    uint64_t cycles;
    const struct stall_class *cause = lines_cause(row, &cycles);
    char text[48];
    svg_number(text, sizeof text, (double)row->cycles);
    fputs("<tr><td>", p->f);
    markup_put(p->f, row->kernel);
    fprintf(p->f, "</td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%s</td><td class=\"n\">%.1f %%</td>", row->line,
            text, 100 * (double)row->cycles / (double)l->cycles);
    put_bar(p->f, row, l->row[0].cycles);
    fprintf(p->f, "<td>%s</td><td><code>", cause ? cause->title : "-");
    markup_put(p->f, row->text);
    fputs("</code></td></tr>\n", p->f);
  }
  fputs("</tbody></table></div>\n", p->f);
}
