/* SPDX-License-Identifier: Apache-2.0 */
#include "systems/caba/routines.h"

#include "systems/caba/assist.h"
#include "systems/caba/samples.h"

#include <string.h>

enum { SEED = 0xcaba, LINES = 2000 };

/* The build makes these of the .ptx files. */
#define X(identifier, name) extern const char caba_##name##_text[];
CABA_ALGORITHMS(X)
#undef X

static const struct {
  const char *file, *text;
} texts[CABA_N_ALGORITHMS] = {
#define X(identifier, name) {"csim/systems/caba/" #name ".ptx", caba_##name##_text},
  CABA_ALGORITHMS(X)
#undef X
};

int caba_load_algorithm(enum caba_algorithm a, struct aws_store *store, struct err *e) {
  return caba_assemble(texts[a].file, texts[a].text, strlen(texts[a].text), store, e);
}

static void call(const struct aws_store *s, const struct aws_routine *r, struct assist_warp *w, uint8_t *line,
                 struct caba_executed *x) {
  uint32_t of[AWS_UNITS] = {0}, n = 0;
  assist_begin(w, UINT32_MAX, line, 0);
  assist_run(w, &s->word[r->base], r->words, of);
  for (uint32_t u = 0; u < AWS_UNITS; u++) n += of[u];
  if (!x->calls || n < x->least) x->least = n;
  if (n > x->most) {
    x->most = n;
    memcpy(x->of, of, sizeof of);
  }
  x->calls++;
}

void caba_count_executed(const struct aws_store *s, struct caba_executed executed[AWS_ROUTINES]) {
  static const uint32_t no_registers[ASSIST_LANES];
  struct assist_warp w = {0};
  struct rng g;
  rng_seed(&g, SEED);
  memset(executed, 0, AWS_ROUTINES * sizeof *executed);
  for (uint32_t i = 0; i < AWS_LIVE_IN; i++) w.live_in[i] = no_registers;
  for (uint32_t n = 0; n < LINES * CABA_SAMPLES; n++) {
    uint8_t line[AWS_LINE], image[AWS_LINE];
    caba_sample_line(&g, (enum caba_sample)(n % CABA_SAMPLES), line);
    for (uint32_t k = 0; k < s->n_routines; k++) {
      if (s->routine[k].event != AWS_STORE) continue;
      memcpy(image, line, sizeof image);
      call(s, &s->routine[k], &w, image, &executed[k]);
      const struct aws_routine *r = w.fault || !w.length ? NULL : caba_routine_for(s, AWS_FILL, image[0]);
      if (r) call(s, r, &w, image, &executed[r - s->routine]);
    }
  }
}

const char *caba_hand_count(const char *routine) {
  static const char *const hand[][2] = {
    {"d_zeros", "2"}, {"d_rep8", "3"},         {"d_b8d1", "9"},         {"d_b8d2", "9"},   {"d_b8d4", "9"},
    {"d_b4d1", "7"},  {"d_b4d2", "7"},         {"d_b2d1", "12"},        {"c_bdi", "78"},   {"d_fpc", "22 to 34"},
    {"c_fpc", "60"},  {"d_c_pack_full", "13"}, {"d_c_pack_part", "15"}, {"c_c_pack", "53"}};
  for (uint32_t i = 0; i < sizeof hand / sizeof *hand; i++)
    if (!strcmp(hand[i][0], routine)) return hand[i][1];
  return NULL;
}
