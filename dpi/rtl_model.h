/* SPDX-License-Identifier: Apache-2.0 */
/* The boundary between C and the Verilator shim, verilator_shim.cpp (C linkage on both sides), which is compiled once as the
 * runtime library and once into every Verilated model. */
#ifndef TANDEM_DPI_RTL_MODEL_H
#define TANDEM_DPI_RTL_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RTL_MODEL_ABI = 7 };

/* The word after the inputs in the vector of drive(): flag bits. */
enum { RTL_FLAG_RST_N = 1, RTL_FLAG_WAVE = 2, RTL_FLAG_STATE = 4, RTL_FLAG_DIRECT = 8, RTL_FLAG_BUG_SHIFT = 8 };

/* The C functions that sockets call; `id` is the index that open() returned. Vectors are 32-bit words, low word first. */
struct rtl_calls {
  int (*open)(const char *path);
  void (*drive)(int id, uint32_t *v);
  void (*late)(int id, uint32_t *v);
  void (*sample)(int id, const uint32_t *v);
  void (*state)(int id, const uint32_t *v);
  void (*probe)(int id, uint32_t *v);
};

/* Exported by every Verilated model library as `tandem_rtl_model`. */
struct rtl_model_ops {
  uint32_t abi;
  void (*bind)(const struct rtl_calls *);
  /* `scope` names the instance in waves; spaces nest. Calls open() once. */
  void *(*create)(void *context, const char *scope);
  void (*destroy)(void *model);
  void (*cycle)(void *model);  /* rise and sample, clock low again: two evaluations */
  void (*rise)(void *model);   /* clock high: tick of the last cycle, drive, settle */
  void (*sample)(void *model); /* outputs to C */
  void (*fall)(void *model);   /* clock low */
  void (*late)(void *model);   /* late inputs from C */
  /* A whole cycle without a call to C, in one evaluation: tick of the last cycle, inputs(), settle. Returns the outputs as sample() has
   * them, until the next evaluation. */
  const void *(*direct)(void *model);
  /* What direct() reads: the vector of drive(), late inputs among them, with RTL_FLAG_DIRECT. NULL: a probe. */
  uint32_t *(*inputs)(void *model);
  /* The same with a call of drive(), and late(), if the block has late inputs, after it: one evaluation less than cycle(). */
  const void *(*step)(void *model);
  void (*registers)(void *model); /* calls state() for the cycle that direct() ran */
  /* Where all that the model remembers lies: two cycles with the same inputs and the same bytes after them lead to the same third.
   * *bytes 0: some of it lies elsewhere. */
  const void *(*memory)(void *model, size_t *bytes);
  void (*trace)(void *model, void *fst);
  /* The whole state, between two cycles, in pieces to `put`; the same library takes it back. restore() returns 0, or -1: the bytes
   * are not as many as the state has. */
  void (*save)(void *model, void (*put)(void *self, const void *bytes, size_t n), void *self);
  int (*restore)(void *model, const void *bytes, size_t n);
};

/* Exported by the runtime library as `tandem_rtl_runtime`. */
struct rtl_runtime_ops {
  uint32_t abi;
  /* rand_reset: 0 registers start at 0, 2 registers start at random values from seed */
  void *(*context_create)(uint32_t seed, int rand_reset);
  void (*context_destroy)(void *context);
  void *(*fst_create)(void);
  void (*fst_open)(void *fst, const char *path, const char *time_unit);
  void (*fst_dump)(void *fst, uint64_t time);
  int (*fst_close)(void *fst); /* and destroys it; 0, or errno of the first write that failed since fst_open() */
};

#ifdef __cplusplus
}
#endif
#endif
