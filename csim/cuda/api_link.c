/* SPDX-License-Identifier: Apache-2.0 */
/* Driver API: the linker. It accepts PTX, also in fat binaries, checks each piece when it is added, and returns PTX: the pieces one
 * after another under the directives of the first. Machine code is refused. */
#include "api.h"

#include "base/in_file.h"
#include "image.h"
#include "ptx/device_call.h"

#include <stdlib.h>
#include <string.h>

struct CUlinkState_st {
  struct cuda_object object;
  struct cuda_jit jit;
  char *text;
  size_t length;
};

CUDA_API CUresult cuLinkCreate(unsigned int n, CUjit_option *options, void **values, CUlinkState *state) {
  CUDA_CALL(true);
  struct cuda_jit j;
  if (!state) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUresult result = cuda_jit_options(&j, n, options, values);
  if (result) return cuda_leave(result);
  CUlinkState s = cuda_object_new(d, CUDA_LINK, sizeof *s, cuda_current());
  if (!s) return cuda_leave(CUDA_ERROR_OUT_OF_MEMORY);
  s->jit = j;
  *state = s;
  return cuda_leave(CUDA_SUCCESS);
}

/* Replaces .version, .target and .address_size of a later piece by blanks, so that its line numbers stay. */
static void blank_directives(char *text) {
  static const char *const names[] = {".version", ".target", ".address_size"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char *at = strstr(text, names[i]);
    for (; at && *at && *at != '\n'; at++) *at = ' ';
  }
}

static CUresult append(CUlinkState s, const char *text, size_t length) {
  char *grown = realloc(s->text, s->length + length + 2);
  if (!grown) return CUDA_ERROR_OUT_OF_MEMORY;
  s->text = grown;
  memcpy(grown + s->length, text, length);
  memcpy(grown + s->length + length, "\n", 2);
  if (s->length) blank_directives(grown + s->length);
  s->length += length + 1;
  return CUDA_SUCCESS;
}

/* Refused before the library that defines these calls is added: of that, the PTX may be for newer GPUs alone. */
static CUresult refuse_launches(struct cuda_driver *d, const char *name) {
  struct err e = {0};
  err_set(&e, ERR_UNSUPPORTED,
          "%s: kernels that launch kernels (dynamic parallelism) are not simulated; launch them from the host", name);
  simulator_note(d->sim, RUN_REFUSED, e.text);
  return cuda_complain(CUDA_ERROR_NOT_SUPPORTED, &e);
}

static CUresult add(struct cuda_driver *d, CUlinkState s, CUjitInputType type, const char *name, const void *data,
                    size_t bytes) {
  struct err e = {0};
  struct image_text t = {0};
  if (type == CU_JIT_INPUT_CUBIN || type == CU_JIT_INPUT_OBJECT || type == CU_JIT_INPUT_LIBRARY) {
    err_set(&e, ERR_UNSUPPORTED, "%s: the linker takes PTX only, no machine code; pass the PTX (nvcc --ptx)", name);
    return cuda_complain(CUDA_ERROR_NO_BINARY_FOR_GPU, &e);
  }
  if (type != CU_JIT_INPUT_PTX && type != CU_JIT_INPUT_FATBINARY) return CUDA_ERROR_INVALID_VALUE;
  if (image_ptx(name, data, bytes, (uint32_t)d->sim->session.config.compute_capability, &t, &e)) {
    simulator_note(d->sim, e.code == ERR_UNSUPPORTED ? RUN_REFUSED : RUN_INPUT, e.text);
    return cuda_complain(e.code == ERR_UNSUPPORTED ? CUDA_ERROR_NO_BINARY_FOR_GPU : CUDA_ERROR_INVALID_IMAGE, &e);
  }
  CUresult result = t.length ? append(s, t.text, t.length) : CUDA_ERROR_INVALID_PTX;
  free(t.owned);
  return !result && strstr(s->text, PTX_LAUNCH_CALLS) ? refuse_launches(d, name) : result;
}

/* The options of a piece are about code generation: they have no effect. */
CUDA_API CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name,
                                unsigned int n, CUjit_option *options, void **values) {
  (void)n, (void)options, (void)values;
  CUDA_CALL(true);
  if (!cuda_object(d, CUDA_LINK, state)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  if (!data || !bytes) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  return cuda_leave(add(d, state, type, name ? name : "link.ptx", data, bytes));
}

CUDA_API CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *file, unsigned int n,
                                CUjit_option *options, void **values) {
  (void)n, (void)options, (void)values;
  CUDA_CALL(true);
  struct err e = {0};
  size_t bytes;
  if (!cuda_object(d, CUDA_LINK, state)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  if (!file) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  char *data = in_file_read(file, &bytes, &e);
  if (!data) return cuda_leave(cuda_complain(CUDA_ERROR_FILE_NOT_FOUND, &e));
  CUresult result = add(d, state, type, file, data, bytes);
  free(data);
  return cuda_leave(result);
}

/* Loads the text once, so that errors are reported here. The text belongs to the link state. */
CUDA_API CUresult cuLinkComplete(CUlinkState state, void **image, size_t *bytes) {
  CUDA_CALL(true);
  CUmodule m = NULL;
  if (!cuda_object(d, CUDA_LINK, state)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  if (!image || !state->text) return cuda_leave(CUDA_ERROR_INVALID_VALUE);
  CUresult result = cuda_jit_load(d, "link.ptx", state->text, state->length, &state->jit, &m);
  if (result) return cuda_leave(result);
  cuda_module_unload(d, cuda_module_link(d, m));
  *image = state->text;
  if (bytes) *bytes = state->length + 1;
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_API CUresult cuLinkDestroy(CUlinkState state) {
  CUDA_CALL(true);
  if (!cuda_object(d, CUDA_LINK, state)) return cuda_leave(CUDA_ERROR_INVALID_HANDLE);
  free(state->text);
  cuda_object_free(d, CUDA_LINK, state);
  return cuda_leave(CUDA_SUCCESS);
}

CUDA_ALIAS(cuLinkCreate_v2, "cuLinkCreate");
CUDA_ALIAS(cuLinkAddData_v2, "cuLinkAddData");
CUDA_ALIAS(cuLinkAddFile_v2, "cuLinkAddFile");
