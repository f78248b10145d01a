/* SPDX-License-Identifier: Apache-2.0 */
/* Loops whose number of iterations a launch gives. */
#ifndef TANDEM_PTX_AFFINE_LOOP_H
#define TANDEM_PTX_AFFINE_LOOP_H

#include "ptx/affine_walk.h"

/* The form of a loop-carried register by the loop's iteration. False: it is not linear in it, or the number of iterations is
 * not known at the launch. */
walk_induction_fn affine_induction;

#endif
