/* SPDX-License-Identifier: Apache-2.0 */
/* ptx_fuzz_replay FILE...: runs each file through the fuzz target; nothing may crash, and there must be files. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int n, char **file) {
  for (int i = 1; i < n; i++) {
    FILE *f = fopen(file[i], "rb");
    if (!f) {
      perror(file[i]);
      return 1;
    }
    static uint8_t text[1 << 20];
    size_t length = fread(text, 1, sizeof text, f);
    fclose(f);
    uint8_t *exact = malloc(length + (length == 0)); /* so that a sanitizer sees a read past the end */
    for (size_t k = 0; k < length; k++) exact[k] = text[k];
    LLVMFuzzerTestOneInput(exact, length);
    free(exact);
  }
  printf("%d files replayed\n", n - 1);
  return n > 1 ? 0 : 1;
}
