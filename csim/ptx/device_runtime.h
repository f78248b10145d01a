/* SPDX-License-Identifier: Apache-2.0 */
/* What printf, malloc and free of kernels do outside of a warp, and where the CTAs of a cooperative grid meet: the owner of a module
 * provides both. */
#ifndef TANDEM_PTX_DEVICE_RUNTIME_H
#define TANDEM_PTX_DEVICE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptx_kernel;
struct ptx_module;

struct ptx_device_runtime {
  void *context;
  void (*print)(void *context, const char *text, size_t length);
  uint64_t (*allocate)(void *context, uint64_t bytes);                   /* a device address, or 0 */
  bool (*release)(void *context, uint64_t address);                      /* false: it is not allocated */
  bool (*set_condition)(void *context, uint64_t handle, uint32_t value); /* of a graph; false: the handle is none */
};

/* Without a runtime nothing is printed and the heap is empty. It must outlive the module. */
void ptx_module_set_runtime(struct ptx_module *, const struct ptx_device_runtime *);

/* What %envreg1 (high word) and %envreg2 (low) of later launches read: by CUDA's convention the address of the memory that the CTAs
 * of a cooperative grid meet at; 0: the launch is not cooperative. */
void ptx_module_set_grid_memory(struct ptx_module *, uint64_t address);

/* Whether the kernel calls what all SMs share through the runtime: they must be executed one after another, in one order. */
bool ptx_kernel_is_serial(const struct ptx_kernel *);

#endif
