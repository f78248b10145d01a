/* SPDX-License-Identifier: Apache-2.0 */
/* The page of one paper for docs/results: what was published, what we find, what decides, what of it is ours. */
#include "base/err.h"
#include "base/markup.h"
#include "base/out_file.h"
#include "claims/claims.h"
#include "claims/strip.h"

#include <math.h>
#include <string.h>

enum { ROW_HEIGHT = STRIP_HEIGHT + 4, ID_WIDTH = 190, VERDICT_WIDTH = 250 };

/* ---- the picture ---- */

static void draw_row(FILE *f, const struct claim *q, unsigned row) {
  static const char *const colours[VERDICTS] = {"#2e7d32", "#8a6d00", "#b3261e", "#00639b",
                                                "#6a1b9a", "#616161", "#616161", "#616161"};
  char verdict[96];
  int y = (int)(row * ROW_HEIGHT) + 4;
  claim_verdict_text(q, verdict, sizeof verdict);
  fprintf(f, "<text x=\"4\" y=\"%d\" font-size=\"12\">", y + 18);
  markup_put(f, q->id);
  fprintf(f, "</text>");
  strip_draw(f, q, ID_WIDTH, y);
  fprintf(f, "<text x=\"%d\" y=\"%d\" font-size=\"12\" fill=\"%s\">", ID_WIDTH + STRIP_WIDTH + 10, y + 18,
          colours[q->verdict]);
  markup_put(f, verdict);
  fprintf(f, "</text>\n");
}

static int draw_strips(const struct claims *c, const char *path, struct err *e) {
  struct out_file o;
  unsigned row = 0;
  int status = out_file_open(&o, path, e), width = ID_WIDTH + STRIP_WIDTH + VERDICT_WIDTH;
  if (status) return status;
  fprintf(o.f,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" font-family=\"sans-serif\">"
          "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
          width, claims_primary(c) * ROW_HEIGHT + 8);
  for (unsigned i = 0; i < c->n_claims; i++)
    if (!c->claims[i].left_out && c->claims[i].rank == RANK_PRIMARY) draw_row(o.f, &c->claims[i], row++);
  fprintf(o.f, "</svg>\n");
  return out_file_commit(&o, e);
}

/* ---- tables ---- */

/* Text for a cell of a table: no | and no line ends. */
static void put_cell(FILE *f, const char *text) {
  for (; *text; text++) {
    if (*text == '|') fputc('\\', f);
    fputc(*text == '\n' ? ' ' : *text, f);
  }
}

/* What rounding leaves of nothing is nothing. */
static double tidy(double x) { return fabs(x) < 1e-9 ? 0 : x; }

static void put_range(FILE *f, const struct claim *q) {
  const struct claim_spread *s = &q->spread;
  double low = tidy(s->low), high = tidy(s->high);
  if (!s->tally.n || low >= high) {
    fprintf(f, " | | ");
    return;
  }
  fprintf(f, " | %.4g..%.4g", low, high);
  if (claim_small_default(q)) fprintf(f, " (default there %.4g)", tidy(s->value[0]));
  fprintf(f, " | %u of %u", s->tally.holds, s->tally.n);
}

static void put_row(FILE *f, const struct claim *q) {
  const struct claim_mover *m = &q->spread.most;
  char verdict[96];
  claim_verdict_text(q, verdict, sizeof verdict);
  fprintf(f, "| `%s`: ", q->id);
  put_cell(f, q->text);
  fprintf(f, " | ");
  put_cell(f, q->published_text);
  fprintf(f, " %s | ", q->unit);
  if (q->ours.low == q->ours.high) fprintf(f, "%.4g", q->ours.value);
  else fprintf(f, "%.4g (%.4g..%.4g)", q->ours.value, q->ours.low, q->ours.high);
  put_range(f, q);
  fprintf(f, " | ");
  if (m->choice && fabs(m->to - m->from) >= 1e-9) {
    fprintf(f, "%s=", m->choice->id);
    put_cell(f, m->choice->value[m->value].value);
    fprintf(f, ": %.4g to %.4g", tidy(m->from), tidy(m->to));
  }
  fprintf(f, " | %s |\n", verdict);
}

static void put_primary(FILE *f, const struct claims *c) {
  fprintf(f, "| claim | published | here | range over the choices | holds in | moved most by | verdict |\n"
             "|---|---|---|---|---|---|---|\n");
  for (unsigned i = 0; i < c->n_claims; i++)
    if (!c->claims[i].left_out && c->claims[i].rank == RANK_PRIMARY) put_row(f, &c->claims[i]);
}

static void put_choices(FILE *f, const struct claims *c) {
  fprintf(f,
          "| choice | the source | values, the default first | moves most, of the primary rows |\n|---|---|---|---|\n");
  for (unsigned k = 0; k < c->choices.n; k++) {
    const struct choice *q = &c->choices.choice[k];
    unsigned moved = 0;
    for (unsigned i = 0; i < c->n_claims; i++)
      moved += !c->claims[i].left_out && c->claims[i].rank == RANK_PRIMARY && c->claims[i].spread.most.choice == q;
    fprintf(f, "| `%s`: ", q->id);
    put_cell(f, q->text);
    fprintf(f, " | ");
    put_cell(f, q->silent);
    fprintf(f, " | ");
    for (unsigned v = 0; v < q->n; v++) {
      fprintf(f, "%s**", v ? "; " : "");
      put_cell(f, q->value[v].value);
      fprintf(f, "** (");
      put_cell(f, q->value[v].why);
      fprintf(f, ")");
    }
    if (c->combinations.n) fprintf(f, " | %u |\n", moved);
    else fprintf(f, " | not varied |\n");
  }
}

static void put_others(FILE *f, const struct claims *c) {
  bool any = false;
  for (unsigned i = 0; i < c->n_claims; i++) any |= !c->claims[i].left_out && c->claims[i].rank != RANK_PRIMARY;
  if (!any) return;
  fprintf(f, "\n## What of it is ours\n\nThese rows are no primary rows.\n\n"
             "| row | published | here | why it is none |\n|---|---|---|---|\n");
  for (unsigned i = 0; i < c->n_claims; i++) {
    const struct claim *q = &c->claims[i];
    if (q->left_out || q->rank == RANK_PRIMARY) continue;
    fprintf(f, "| `%s`: ", q->id);
    put_cell(f, q->text);
    fprintf(f, " | ");
    put_cell(f, q->published_text);
    fprintf(f, " %s | %.4g | %s", q->unit, q->ours.value, rank_names[q->rank]);
    if (q->rank != RANK_THRESHOLD) {
      fprintf(f, ": ");
      put_cell(f, q->because);
    }
    fprintf(f, " |\n");
  }
}

static void put_notes(FILE *f, const struct claims *c) {
  size_t n = yaml_size(c->tree, c->notes);
  if (n) fprintf(f, "\n## Why figures differ\n\n");
  for (size_t i = 0; i < n; i++) {
    const char *text = yaml_text(yaml_entry(c->tree, c->notes, i, NULL));
    if (text) fprintf(f, "- %s\n", text);
  }
}

/* Rows of experiments that this page is not of. */
static void put_left_out(FILE *f, const struct claims *c) {
  unsigned n = 0;
  for (unsigned i = 0; i < c->n_claims; i++) n += c->claims[i].left_out;
  if (!c->part || !n) return;
  fprintf(
    f,
    "\n## What was not run\n\nOther experiments than `%s`, or netlists, measure these rows; none of them has run for this page.\n\n"
    "| row | published |\n|---|---|\n",
    c->part);
  for (unsigned i = 0; i < c->n_claims; i++) {
    const struct claim *q = &c->claims[i];
    if (!q->left_out) continue;
    fprintf(f, "| `%s`: ", q->id);
    put_cell(f, q->text);
    fprintf(f, " | ");
    put_cell(f, q->published_text);
    fprintf(f, " %s |\n", q->unit);
  }
}

static void put_command(FILE *f, const struct claims *c) {
  fprintf(f, "\nThis page is written by `tandem claims %s", c->system);
  if (c->part) fprintf(f, " --experiments %s", c->part);
  if (c->combinations.n) fprintf(f, " --universe %u", c->combinations_drawn);
  fprintf(f,
          " --page %s.md` from `configs/claims/%s.yaml`; change that file, not the page.\n\n"
          "## What was published and what we find\n\n",
          c->system, c->system);
}

static void put_page(FILE *f, const struct claims *c, const char *picture) {
  fprintf(f, "# Results: %s\n\n%s.\n", c->system, c->source);
  if (c->about) fprintf(f, "%s\n", c->about);
  put_command(f, c);
  fprintf(f, "%u primary rows:", claims_primary(c));
  const char *comma = "";
  for (int v = 0; v < VERDICT_NOT_TESTED; v++)
    if (claims_count(c, (enum verdict)v)) {
      fprintf(f, "%s %u %s", comma, claims_count(c, (enum verdict)v), verdict_names[v]);
      comma = ",";
    }
  fprintf(f, ". \"Here\" is our default; ");
  if (c->combinations.n)
    fprintf(f, "the range is that of %u combinations of what the source leaves open.", c->combinations.n);
  else fprintf(f, "what the source leaves open was not varied.");
  bool small = false;
  for (unsigned i = 0; i < c->n_claims; i++) small |= claim_small_default(&c->claims[i]);
  if (small)
    fprintf(f, " Combinations run smaller problems, fixed before any was run; \"default there\" is what our default "
               "gives in them.");
  fprintf(f, "\n\n");
  put_primary(f, c);
  fprintf(
    f,
    "\n![strips](%s)\n\nA strip: black, the published number; green, what counts as holding; dotted, no effect; red, our "
    "default (hollow: in the problems of the combinations, where these are smaller); blue, the combinations.\n",
    picture);
  if (c->choices.n) {
    fprintf(f, "\n## %s\n\n", c->combinations.n ? "What decides" : "What the source leaves open");
    put_choices(f, c);
  }
  put_others(f, c);
  put_left_out(f, c);
  put_notes(f, c);
}

int claims_page(const struct claims *c, const char *path, struct err *e) {
  char picture[CLAIMS_PATH_BYTES + 8];
  struct out_file o;
  size_t n = strlen(path);
  if (n < 4 || strcmp(path + n - 3, ".md") != 0)
    return err_set(e, ERR_USAGE, "--page %s: write a name that ends in .md", path);
  snprintf(picture, sizeof picture, "%.*s.svg", (int)(n - 3), path);
  int status = draw_strips(c, picture, e);
  if (!status) status = out_file_open(&o, path, e);
  if (status) return status;
  const char *slash = strrchr(picture, '/');
  put_page(o.f, c, slash ? slash + 1 : picture);
  return out_file_commit(&o, e);
}
