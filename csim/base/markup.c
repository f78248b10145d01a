/* SPDX-License-Identifier: Apache-2.0 */
#include "base/markup.h"

void markup_put(FILE *f, const char *text) {
  for (; *text; text++) {
    switch (*text) {
      case '<': fputs("&lt;", f); break;
      case '>': fputs("&gt;", f); break;
      case '&': fputs("&amp;", f); break;
      case '"': fputs("&quot;", f); break;
      case '\n':
      case '\t': fputc(*text, f); break;
      default: fputc((unsigned char)*text < ' ' ? ' ' : *text, f);
    }
  }
}
