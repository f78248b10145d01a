/* SPDX-License-Identifier: Apache-2.0 */
/* .pragma in a body. The one that means something here is a phase specifier: "tandem.phase registers=R shared=BYTES". Others are passed
 * over, as PTX asks of a compiler that does not know them; so is a specifier where nobody asks for phases. */
#include "ptx/parse.h"

#include <stdio.h>
#include <string.h>

static int malformed(const struct parser *p, const struct token *t) {
  return ptx_syntax(p, t->line,
                    "%.*s is no phase specifier: write \"" PTX_PHASE_PRAGMA
                    " registers=R shared=BYTES\", R from 0 to 255, BYTES "
                    "from 0 to 65535",
                    t->length > 80 ? 80 : (int)t->length, t->text);
}

static int parse_phase(const struct parser *p, const struct token *t, struct ptx_op_phase *phase) {
  char text[80], end;
  unsigned registers, bytes;
  if (t->length >= sizeof text) return malformed(p, t);
  memcpy(text, t->text, t->length);
  text[t->length] = 0;
  bool digits = !strpbrk(text, "-+"); /* scanf would take signs */
  if (!digits || sscanf(text, "\"" PTX_PHASE_PRAGMA " registers=%5u shared=%6u%c", &registers, &bytes, &end) != 3 ||
      end != '"' || registers > UINT8_MAX || bytes > UINT16_MAX)
    return malformed(p, t);
  *phase = (struct ptx_op_phase){.registers = (uint8_t)registers, .shared_bytes = (uint16_t)bytes};
  return 0;
}

int ptx_parse_pragma(struct parser *p, struct ptx_op_phase **phase) {
  *phase = NULL;
  for (const struct token *t = p->token; t->kind == TOK_STRING || token_is(t, ","); t++) {
    struct ptx_op_phase said;
    if (t->length < sizeof PTX_PHASE_PRAGMA) continue;
    if (memcmp(t->text + 1, PTX_PHASE_PRAGMA, sizeof PTX_PHASE_PRAGMA - 1) != 0) continue;
    int code = parse_phase(p, t, &said);
    if (code) return code;
    if (!p->options->phases) continue;
    *phase = arena_alloc(p->scratch, sizeof **phase);
    **phase = said;
  }
  return ptx_skip_pragma(p);
}
