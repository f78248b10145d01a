/* SPDX-License-Identifier: Apache-2.0 */
#include "claims/strip.h"

#include "base/markup.h"
#include "claims/claims.h"

#include <math.h>

enum { MARGIN = 8, DOTS_TOP = 4, DOTS_BOTTOM = 20, BINS = 64 };

struct axis {
  double low, high;
};

static void include(struct axis *a, double value) {
  if (!isfinite(value)) return;
  a->low = fmin(a->low, value);
  a->high = fmax(a->high, value);
}

static struct axis axis_of(const struct claim *q) {
  struct axis a = {INFINITY, -INFINITY};
  double low, high;
  published_accepted(&q->published, &low, &high);
  include(&a, low);
  include(&a, high);
  include(&a, q->ours.low);
  include(&a, q->ours.high);
  if (q->published.has_neutral) include(&a, q->published.neutral);
  for (unsigned k = 0; q->spread.tally.n && k < q->spread.n; k++) include(&a, q->spread.value[k]);
  double room = a.high > a.low ? (a.high - a.low) * 0.04 : fabs(a.low) * 0.1 + 1e-9;
  return (struct axis){a.low - room, a.high + room};
}

/* Digits behind the point, so that an end is right to a hundredth of the axis at least. */
static int decimals(const struct axis *a) {
  double digits = 2 - floor(log10(a->high - a->low));
  return digits < 0 ? 0 : digits > 9 ? 9 : (int)digits;
}

static double place(const struct axis *a, double value) {
  double x = (value - a->low) / (a->high - a->low);
  x = x < 0 ? 0 : x > 1 ? 1 : x;
  return MARGIN + x * (STRIP_WIDTH - 2 * MARGIN);
}

/* What counts as holding in grey, the published number in black, no effect dotted. */
static void draw_published(FILE *f, const struct axis *a, const struct published *p) {
  double low, high;
  published_accepted(p, &low, &high);
  double from = place(a, isfinite(low) ? low : a->low), to = place(a, isfinite(high) ? high : a->high);
  fprintf(f, "<rect x=\"%.1f\" y=\"2\" width=\"%.1f\" height=\"%d\" fill=\"#d6e4d6\"/>", from, fmax(to - from, 1.5),
          DOTS_BOTTOM);
  for (int end = 0; end < (p->low < p->high ? 2 : 1); end++) {
    double x = place(a, end ? p->high : p->low);
    fprintf(f, "<line x1=\"%.1f\" y1=\"1\" x2=\"%.1f\" y2=\"%d\" stroke=\"#111\" stroke-width=\"1.6\"/>", x, x,
            DOTS_BOTTOM + 3);
  }
  if (!p->has_neutral) return;
  double x = place(a, p->neutral);
  fprintf(f, "<line x1=\"%.1f\" y1=\"1\" x2=\"%.1f\" y2=\"%d\" stroke=\"#888\" stroke-dasharray=\"2 2\"/>", x, x,
          DOTS_BOTTOM + 3);
}

/* One dot for each combination; those at the same place stand on each other. */
static void draw_combinations(FILE *f, const struct axis *a, const struct claim_spread *s) {
  unsigned height[BINS] = {0};
  for (unsigned k = 0; s->tally.n && k < s->n; k++) {
    if (!isfinite(s->value[k])) continue;
    double x = place(a, s->value[k]);
    unsigned bin = (unsigned)((x - MARGIN) / (STRIP_WIDTH - 2 * MARGIN) * (BINS - 1));
    double y = DOTS_BOTTOM - 2 - 2.2 * height[bin]++;
    fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.9\" fill=\"#1565c0\" fill-opacity=\"0.45\"/>", x,
            fmax(y, DOTS_TOP));
  }
}

/* The default in the sizes of the combinations, where those are smaller: hollow. */
static void draw_small_default(FILE *f, const struct axis *a, const struct claim *q) {
  if (!claim_small_default(q)) return;
  fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.4\" fill=\"none\" stroke=\"#b3261e\" stroke-width=\"1.4\"/>",
          place(a, q->spread.value[0]), DOTS_BOTTOM - 2.0);
}

static void draw_default(FILE *f, const struct axis *a, const struct figure *ours) {
  double y = DOTS_BOTTOM - 2;
  fprintf(f, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#b3261e\" stroke-width=\"3\"/>",
          place(a, ours->low), y, place(a, ours->high), y);
  fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"#b3261e\" stroke=\"#fff\"/>", place(a, ours->value), y);
}

void strip_draw(FILE *f, const struct claim *q, double x, double y) {
  if (!isfinite(q->ours.value)) return;
  struct axis a = axis_of(q);
  fprintf(f,
          "<svg x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"measured %.5g, published ",
          x, y, STRIP_WIDTH, STRIP_HEIGHT, q->ours.value);
  markup_put(f, q->published_text);
  fprintf(f, "\">");
  draw_published(f, &a, &q->published);
  fprintf(f, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#bbb\"/>", MARGIN, DOTS_BOTTOM + 3,
          STRIP_WIDTH - MARGIN, DOTS_BOTTOM + 3);
  draw_combinations(f, &a, &q->spread);
  draw_small_default(f, &a, q);
  draw_default(f, &a, &q->ours);
  int digits = decimals(&a);
  fprintf(f, "<text x=\"%d\" y=\"%d\" font-size=\"9\" fill=\"#555\">%.*f</text>", MARGIN, STRIP_HEIGHT - 2, digits,
          a.low);
  fprintf(f, "<text x=\"%d\" y=\"%d\" font-size=\"9\" fill=\"#555\" text-anchor=\"end\">%.*f</text></svg>",
          STRIP_WIDTH - MARGIN, STRIP_HEIGHT - 2, digits, a.high);
}
