/* SPDX-License-Identifier: Apache-2.0 */
/* Proposals from outside of the tree (core/tandem.h). */
#ifndef TANDEM_RUN_PLUGIN_H
#define TANDEM_RUN_PLUGIN_H

struct err;

/* Loads the shared object and joins its proposal with those of the tree; NULL, or a file that is loaded already: nothing to do. Before
 * the first configuration is read. ERR_FILE: it cannot be loaded; ERR_VALUE: no plug-in, one of other headers, or a name that is taken. */
int plugin_open(const char *path, struct err *);

#endif
