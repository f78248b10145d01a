/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of a CTA for which version `sized` has a kernel: its arrays are static, as those of the program are. */
#ifndef NQUEENS_SIZES_H
#define NQUEENS_SIZES_H

#define NQUEENS_SIZES(X) X(32) X(64) X(96) X(128) X(160) X(192) X(224) X(256) X(288)

#endif
