/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the analysis share: an analysis with its forms. */
#ifndef TANDEM_PTX_AFFINE_PARTS_H
#define TANDEM_PTX_AFFINE_PARTS_H

#include "ptx/affine.h"
#include "ptx/affine_walk.h"

struct affine_parts {
  struct affine public; /* the first member, so that the public pointer is this one too */
  struct arena arena;
  struct walk walk;
  struct affine_array *array;
  struct affine_index *index;
  struct affine_load *load;
  struct form *address;    /* by load: without the pointer's value */
  struct form *expression; /* by index: in bytes, of its first element */
  uint32_t array_capacity, index_capacity, load_capacity, address_capacity, expression_capacity;
};

#endif
