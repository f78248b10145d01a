/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes that kernels and host program of convolution_separable share. */
#ifndef FILTER_H
#define FILTER_H

#define RADIUS 8
#define TAPS (2 * RADIUS + 1)
#define STEPS 8 /* elements that a thread computes */
#define ROWS_X 16
#define ROWS_Y 4
#define COLUMNS_X 16
#define COLUMNS_Y 8 /* at least RADIUS, as ROWS_X: the rim of a tile is one step wide */

#endif
