/* SPDX-License-Identifier: Apache-2.0 */
/* What api_virtual.c reserves and maps. It stands apart because copies ask for it too. */
#ifndef TANDEM_CUDA_RESERVED_H
#define TANDEM_CUDA_RESERVED_H

#include "api.h"

struct cuda_physical { /* CUmemGenericAllocationHandle */
  struct cuda_object object;
  CUmemAllocationProp properties;
  size_t bytes;
  unsigned int handles; /* that the program has */
  uint64_t at;          /* device address; 0: mapped nowhere */
  bool accessible;      /* since cuMemSetAccess */
  uint8_t *kept;        /* the bytes while it is mapped nowhere; NULL: zeros */
};

struct cuda_range { /* reserved addresses */
  struct cuda_object object;
  uint64_t start; /* device address, a multiple of the granularity */
  size_t bytes;
  struct cuda_allocation *allocation; /* which holds it */
};

/* What is mapped at the address, or NULL. */
struct cuda_physical *cuda_mapped_at(struct cuda_driver *, uint64_t address);
/* False: the range touches reserved addresses that no accessible memory is mapped at. */
bool cuda_is_accessible(struct cuda_driver *, uint64_t address, size_t bytes);

#endif
