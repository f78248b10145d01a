/* SPDX-License-Identifier: Apache-2.0 */
/* When an instance executed cycles, as spans of cycles of its clock; for timelines (dpi.h: dpi_spans). */
#ifndef TANDEM_DPI_ACTIVITY_H
#define TANDEM_DPI_ACTIVITY_H

struct seam;
struct err;

/* Watches the instance of the seam from now on. */
int activity_watch(struct seam *, struct err *);
void activity_free(struct seam *);

#endif
