/* SPDX-License-Identifier: Apache-2.0 */
/* Why branches and bits of the RTL are never reached: rtl/F/unreached.yaml, a list for each file of the folder. */
#ifndef TANDEM_BLOCKTEST_RTL_REASONS_H
#define TANDEM_BLOCKTEST_RTL_REASONS_H

#include "base/err.h"

struct rtl_reasons;

/* Reads the lists of every folder of rtl/. Errors (ERR_SYNTAX, ERR_VALUE) name file and line. The caller closes it. */
int rtl_reasons_open(struct rtl_reasons **, struct err *);
void rtl_reasons_close(struct rtl_reasons *);
/* Why the branch `kind` (if, else, ...) of the line with this text is never taken; NULL: no reason is known. `file` as rtl/F/B.v. */
const char *rtl_reasons_branch(const struct rtl_reasons *, const char *file, const char *text, const char *kind);
/* Why bits of a signal never change, or NULL. */
const char *rtl_reasons_signal(const struct rtl_reasons *, const char *file, const char *signal);

#endif
