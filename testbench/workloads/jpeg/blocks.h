/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels and host program of jpeg share. */
#ifndef BLOCKS_H
#define BLOCKS_H

#define WIDE 128 /* columns, and threads, of a CTA */

#endif
