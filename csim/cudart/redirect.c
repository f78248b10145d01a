/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded into programs with NVIDIA's static runtime (nvcc's default). No loader binds its functions, but their names stand in the
 * symbol table of the program. Before any constructor of the program runs, each of its entries becomes a jump to the function of
 * the same name in our libcudart.so. Nothing of the program is read but its tables.
 *
 * This library is linked with -z initfirst, so that it is the first that is initialised, even before the C library: it calls nothing
 * that needs more, and the libraries that it jumps to are among its own, so that the loader has mapped them. It prints a sentence and ends the program
 * where a part of the runtime cannot be redirected: a program with two halves of two runtimes would fail in obscure ways. */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef __x86_64__
#error "the jump below is that of x86-64"
#endif

enum { EXIT_REFUSED = 2, JUMP_BYTES = 14 };

/* A loaded object whose file holds a symbol table. */
struct object {
  const char *path;
  uintptr_t base; /* what is added to the addresses in the file */
  const uint8_t *file;
  size_t bytes;
  const Elf64_Sym *symbols;
  size_t n;
  const char *names;
  size_t names_bytes;
};

static void refuse(const char *path, const char *sentence) {
  fprintf(stderr, "tandem: %s: %s\n", path, sentence);
  _exit(EXIT_REFUSED);
}

/* ---- the file's tables ---- */

static bool inside(const struct object *o, uint64_t offset, uint64_t bytes) {
  return offset <= o->bytes && bytes <= o->bytes - offset;
}

/* False: it has no symbol table, or is no ELF file. */
static bool find_symbols(struct object *o) {
  Elf64_Ehdr h;
  if (!inside(o, 0, sizeof h)) return false;
  memcpy(&h, o->file, sizeof h);
  if (memcmp(h.e_ident, ELFMAG, SELFMAG) || h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_shentsize != sizeof(Elf64_Shdr))
    return false;
  if (!inside(o, h.e_shoff, (uint64_t)h.e_shnum * sizeof(Elf64_Shdr)) || h.e_shoff % _Alignof(Elf64_Shdr)) return false;
  const Elf64_Shdr *sections = (const void *)(o->file + h.e_shoff);
  for (unsigned i = 0; i < h.e_shnum; i++) {
    const Elf64_Shdr *s = &sections[i];
    if (s->sh_type != SHT_SYMTAB || s->sh_link >= h.e_shnum || s->sh_offset % _Alignof(Elf64_Sym)) continue;
    const Elf64_Shdr *names = &sections[s->sh_link];
    if (!inside(o, s->sh_offset, s->sh_size) || !inside(o, names->sh_offset, names->sh_size) || !names->sh_size)
      return false;
    o->symbols = (const void *)(o->file + s->sh_offset);
    o->n = s->sh_size / sizeof(Elf64_Sym);
    o->names = (const char *)(o->file + names->sh_offset);
    o->names_bytes = names->sh_size;
    return o->names[o->names_bytes - 1] == 0;
  }
  return false;
}

static bool open_object(struct object *o) {
  struct stat s;
  int fd = open(o->path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  void *p = fstat(fd, &s) || s.st_size <= 0 ? MAP_FAILED : mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (p == MAP_FAILED) return false;
  o->file = p;
  o->bytes = (size_t)s.st_size;
  if (find_symbols(o)) return true;
  munmap(p, o->bytes);
  return false;
}

/* The name of a function that the object defines, or "". */
static const char *function_name(const struct object *o, const Elf64_Sym *s) {
  bool defined = ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx != SHN_UNDEF && s->st_value;
  return defined && s->st_name < o->names_bytes ? o->names + s->st_name : "";
}

static const Elf64_Sym *find(const struct object *o, const char *name) {
  for (size_t i = 0; i < o->n; i++)
    if (!strcmp(function_name(o, &o->symbols[i]), name)) return &o->symbols[i];
  return NULL;
}

/* ---- the redirection ---- */

/* How far it is to the next function: code that a jump may overwrite. */
static uint64_t room(const struct object *o, const Elf64_Sym *s) {
  uint64_t end = UINT64_MAX;
  if (s->st_size >= JUMP_BYTES) return s->st_size;
  for (size_t i = 0; i < o->n; i++)
    if (*function_name(o, &o->symbols[i]) && o->symbols[i].st_value > s->st_value && o->symbols[i].st_value < end)
      end = o->symbols[i].st_value;
  return end - s->st_value;
}

/* jmp *0(%rip), then the address. */
static bool redirect(uintptr_t entry, const void *target) {
  uint8_t jump[JUMP_BYTES] = {0xff, 0x25, 0, 0, 0, 0};
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = entry & ~(page - 1);
  size_t bytes = entry + JUMP_BYTES - from;
  memcpy(jump + 6, &target, sizeof target);
  if (mprotect((void *)from, bytes, PROT_READ | PROT_WRITE | PROT_EXEC)) return false;
  memcpy((void *)entry, jump, sizeof jump);
  return !mprotect((void *)from, bytes, PROT_READ | PROT_EXEC);
}

/* Names of the runtime are cuda... and __cuda...; others that begin so are the program's own and in no library of ours. */
static void redirect_all(const struct object *o, const char *version) {
  for (size_t i = 0; i < o->n; i++) {
    const Elf64_Sym *s = &o->symbols[i];
    const char *name = function_name(o, s);
    if (strncmp(name, "cuda", 4) && strncmp(name, "__cuda", 6)) continue;
    const void *target = dlvsym(RTLD_NEXT, name, version);
    if (!target) continue;
    if (room(o, s) < JUMP_BYTES) {
      if (!strcmp(name, "__cudaGetProcAddress")) continue; /* nothing but the runtime itself calls it */
      refuse(o->path, "NVIDIA's static runtime cannot be replaced: a function is too short; link with -cudart shared");
    }
    if (!redirect(o->base + s->st_value, target))
      refuse(
        o->path,
        "NVIDIA's static runtime cannot be replaced: the system forbids to write to code; link with -cudart shared");
  }
}

/* CUDA 12 has a second version of this call, and CUDA 11 has texture references. The version of a symbol is its library. */
static const char *version_of(const struct object *o) {
  if (find(o, "cudaBindTexture"))
    refuse(o->path, "its static runtime is older than CUDA 12; compile with nvcc 12 or 13");
  return find(o, "cudaGetDeviceProperties_v2") ? "libcudart.so.12" : "libcudart.so.13";
}

/* The objects that are loaded, but for libraries of the runtime itself. */
enum { OBJECTS_MAX = 256 };
struct objects {
  struct object list[OBJECTS_MAX];
  unsigned n;
};

static int note(struct dl_phdr_info *info, size_t size, void *data) {
  struct objects *all = data;
  (void)size;
  if (all->n == OBJECTS_MAX || strstr(info->dlpi_name, "libcudart.so")) return 0;
  all->list[all->n++] =
    (struct object){.path = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe", .base = info->dlpi_addr};
  return 0;
}

static void visit(struct object *o) {
  if (!open_object(o)) return;
  if (find(o, "__cudaRegisterFatBinary")) redirect_all(o, version_of(o));
  munmap((void *)(uintptr_t)o->file, o->bytes);
}

static void __attribute__((constructor)) start(void) {
  static struct objects all;
  dl_iterate_phdr(note, &all);
  for (unsigned i = 0; i < all.n; i++) visit(&all.list[i]);
}
