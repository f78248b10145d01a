/* SPDX-License-Identifier: Apache-2.0 */
/* What an index of a global read may be (ptx/affine.h). */
#ifndef TANDEM_PTX_AFFINE_KINDS_H
#define TANDEM_PTX_AFFINE_KINDS_H

enum affine_class { AFFINE_STATIC, AFFINE_QUASI, AFFINE_NONE, AFFINE_CLASSES };

/* In the order in which they are looked for. X(enumerator, name, sentence) */
#define AFFINE_REASONS_LIST(X)                                                 \
  X(AFFINE_KNOWN, "", "")                                                      \
  X(AFFINE_OPERATOR, "operator", "an operator other than +, - and * makes it") \
  X(AFFINE_INDIRECT, "indirect", "it is loaded from memory")                   \
  X(AFFINE_CONTROL, "control", "it depends on a condition")                    \
  X(AFFINE_INDUCTION, "induction", "a loop changes it")
enum affine_reason {
#define X(id, name, sentence) id,
  AFFINE_REASONS_LIST(X)
#undef X
    AFFINE_REASONS
};

#endif
