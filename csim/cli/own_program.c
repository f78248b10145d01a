/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/own_program.h"

#include "base/err.h"
#include "base/in_file.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char redirect[] = "libtandem-static-cudart.so";

struct image {
  const uint8_t *bytes;
  size_t size;
  const Elf64_Shdr *sections;
  unsigned n;
};

static bool inside(const struct image *m, uint64_t offset, uint64_t bytes) {
  return offset <= m->size && bytes <= m->size - offset;
}

/* False: no ELF file of 64 bits with sections. */
static bool read_header(struct image *m) {
  Elf64_Ehdr h;
  if (!inside(m, 0, sizeof h)) return false;
  memcpy(&h, m->bytes, sizeof h);
  if (memcmp(h.e_ident, ELFMAG, SELFMAG) || h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_shentsize != sizeof(Elf64_Shdr))
    return false;
  if (h.e_shoff % _Alignof(Elf64_Shdr) || !inside(m, h.e_shoff, (uint64_t)h.e_shnum * sizeof(Elf64_Shdr))) return false;
  m->sections = (const void *)(m->bytes + h.e_shoff);
  m->n = h.e_shnum;
  return h.e_shstrndx < m->n;
}

static const char *text_at(const struct image *m, unsigned table, uint64_t offset) {
  const Elf64_Shdr *s = table < m->n ? &m->sections[table] : NULL;
  bool good = s && inside(m, s->sh_offset, s->sh_size) && offset < s->sh_size &&
              memchr(m->bytes + s->sh_offset + offset, 0, s->sh_size - offset);
  return good ? (const char *)m->bytes + s->sh_offset + offset : "";
}

static const Elf64_Shdr *section(const struct image *m, const char *name) {
  Elf64_Ehdr h;
  memcpy(&h, m->bytes, sizeof h);
  for (unsigned i = 0; i < m->n; i++)
    if (!strcmp(text_at(m, h.e_shstrndx, m->sections[i].sh_name), name)) return &m->sections[i];
  return NULL;
}

/* Whether the symbol table defines the function that every compiled object with kernels calls. */
static bool defines_runtime(const struct image *m, const Elf64_Shdr *s) {
  if (s->sh_offset % _Alignof(Elf64_Sym) || !inside(m, s->sh_offset, s->sh_size)) return false;
  const Elf64_Sym *symbols = (const void *)(m->bytes + s->sh_offset);
  for (size_t i = 0; i < s->sh_size / sizeof *symbols; i++)
    if (symbols[i].st_shndx != SHN_UNDEF &&
        !strcmp(text_at(m, s->sh_link, symbols[i].st_name), "__cudaRegisterFatBinary"))
      return true;
  return false;
}

/* Whether a library that it is linked with is called libcudart.so.N. */
static bool links_runtime(const struct image *m) {
  const Elf64_Shdr *s = section(m, ".dynamic");
  if (!s || s->sh_offset % _Alignof(Elf64_Dyn) || !inside(m, s->sh_offset, s->sh_size)) return false;
  const Elf64_Dyn *d = (const void *)(m->bytes + s->sh_offset);
  for (size_t i = 0; i < s->sh_size / sizeof *d && d[i].d_tag != DT_NULL; i++)
    if (d[i].d_tag == DT_NEEDED && !strncmp(text_at(m, s->sh_link, d[i].d_un.d_val), "libcudart.so", 12)) return true;
  return false;
}

static int look(const char *path, const struct image *m, const char **library, struct err *e) {
  const Elf64_Shdr *symbols = section(m, ".symtab");
  bool inside_it = symbols && defines_runtime(m, symbols), kernels = section(m, ".nv_fatbin") != NULL;
  if (inside_it && !section(m, ".interp"))
    return err_set(e, ERR_UNSUPPORTED,
                   "%s: it is linked statically as a whole, so that no library can take the place of NVIDIA's runtime; "
                   "link it with -cudart shared and without -static",
                   path);
  if (kernels && !symbols && !links_runtime(m))
    return err_set(
      e, ERR_UNSUPPORTED,
      "%s: it holds NVIDIA's static runtime and is stripped, so that the runtime's functions cannot be found; "
      "do not strip it, or link it with -cudart shared",
      path);
  if (inside_it) *library = redirect;
  return 0;
}

int own_program_preload(const char *path, const char **library, struct err *e) {
  size_t size;
  *library = "";
  char *bytes = in_file_read(path, &size, e);
  if (!bytes) return (int)e->code;
  struct image m = {.bytes = (const uint8_t *)bytes, .size = size};
  int status = 0;
  if (read_header(&m)) status = look(path, &m, library, e);
  else if (size > 2 && !memcmp(bytes, "#!", 2)) *library = redirect;
  free(bytes);
  return status;
}
