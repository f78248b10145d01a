/* SPDX-License-Identifier: Apache-2.0 */
/* Private to dpi/: engine `rtl`, and what it remembers of an instance. */
#ifndef TANDEM_DPI_RTL_ENGINE_H
#define TANDEM_DPI_RTL_ENGINE_H

struct block;
struct err;
struct rtl_rest;
struct seam;

/* For an instance whose model has been made. NULL: out of memory. */
struct rtl_rest *rtl_rest_create(const struct seam *, struct err *);
void rtl_rest_destroy(struct rtl_rest *);
/* A cycle of the RTL up to its outputs, by calls of DPI, in two evaluations; into the wave, if this cycle is to be in it. */
void rtl_cycle(struct seam *);
/* Steps of a block (struct block). */
void rtl_eval(struct block *);
void rtl_tick(struct block *);

#endif
