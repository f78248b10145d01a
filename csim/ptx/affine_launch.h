/* SPDX-License-Identifier: Apache-2.0 */
/* Forms at a launch: parameters, blockDim and gridDim are numbers, so that a form is linear in what is left. */
#ifndef TANDEM_PTX_AFFINE_LAUNCH_H
#define TANDEM_PTX_AFFINE_LAUNCH_H

#include "ptx/affine_parts.h"
#include "ptx/affine_rows.h"

enum { LINEAR_LOOPS_MAX = 4, LINEAR_OWN = 6 + LINEAR_LOOPS_MAX };

/* What a linear form runs over: threadIdx.xyz, blockIdx.xyz, then iterations of loops. */
enum { LINEAR_THREAD = 0, LINEAR_CTA = 3, LINEAR_LOOP = 6 };
struct linear {
  int64_t constant;
  int64_t factor[LINEAR_OWN]; /* n of them */
  uint64_t most[LINEAR_OWN];  /* each runs from 0 to this */
  uint32_t loop[LINEAR_LOOPS_MAX];
  uint32_t n;
};

struct launch_forms {
  const struct affine_parts *parts;
  const struct affine_launch *launch;
  uint8_t *state; /* by loop: 0 new, 1 asked, 2 counted, 3 unknown */
  uint64_t *most; /* by loop: the last iteration */
};

bool launch_forms_begin(struct launch_forms *, const struct affine_parts *, const struct affine_launch *);
void launch_forms_end(struct launch_forms *);
/* The form of an address, without the array's base, as a linear one. False: *why says why not. */
bool launch_address(struct launch_forms *, struct form, struct linear *, enum affine_refusal *why);

#endif
